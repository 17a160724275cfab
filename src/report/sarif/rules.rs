//! The fixed part of a log: the checks as rules, their weaknesses as a taxonomy, the kinds of notifications.

use super::log::{
    ComponentReference, Configuration, Relationship, Rule, RuleReference, Tags, Text, Tool, ToolComponent,
};
use crate::verdict::{Check, Gap, GapKind, Weakness};

/// The name of the taxonomy.
const CWE: &str = "CWE";

pub(super) fn text(text: &str) -> Text {
    Text { text: text.to_owned() }
}

/// The tool with one rule for each of `checks`, and the taxonomy with the weaknesses `used`.
pub(super) fn tool_and_taxonomy(checks: &[&Check], used: &[Weakness]) -> (Tool, ToolComponent) {
    let driver = ToolComponent {
        name: "Cellog",
        semantic_version: Some(env!("CARGO_PKG_VERSION")),
        information_uri: Some(env!("CARGO_PKG_REPOSITORY")).filter(|uri| !uri.is_empty()),
        short_description: text("A declarative analyzer for C: cells, Datalog and SMT"),
        supported_taxonomies: vec![ComponentReference { name: CWE }],
        rules: checks.iter().map(|c| rule(c)).collect(),
        notifications: GAPS.iter().map(|kind| notification(*kind)).chain([incomplete(), left_out()]).collect(),
        ..ToolComponent::default()
    };
    let taxonomy = ToolComponent {
        name: CWE,
        organization: Some("MITRE"),
        information_uri: Some("https://cwe.mitre.org/"),
        short_description: text("The Common Weakness Enumeration"),
        taxa: used.iter().map(taxon).collect(),
        ..ToolComponent::default()
    };
    (Tool { driver }, taxonomy)
}

/// The reference of a result or a rule to a weakness.
pub(super) fn reference(weakness: Weakness) -> RuleReference {
    RuleReference { id: weakness.number.to_string(), tool_component: Some(ComponentReference { name: CWE }) }
}

fn rule(check: &Check) -> Rule {
    let weakness = check.weakness();
    let mut tags = vec!["correctness".to_owned()];
    tags.extend(weakness.iter().flat_map(|w| ["security".to_owned(), format!("external/cwe/cwe-{:03}", w.number)]));
    Rule {
        id: check.name().to_owned(),
        name: Some(pascal_case(check.name())),
        short_description: text(&capitalized(&check.phrase())),
        full_description: Some(text(&check.explanation())),
        help: Some(text(check.advice())),
        help_uri: weakness.map(page),
        relationships: weakness
            .map(|w| Relationship { target: reference(w), kinds: vec!["superset"] })
            .into_iter()
            .collect(),
        default_configuration: Some(Configuration { level: "error" }),
        properties: Some(Tags { tags, precision: "very-high", security_severity: weakness.map(|_| check.severity()) }),
    }
}

fn taxon(weakness: &Weakness) -> Rule {
    Rule {
        id: weakness.number.to_string(),
        name: Some(weakness.title.to_owned()),
        short_description: text(weakness.title),
        help_uri: Some(page(*weakness)),
        ..Rule::default()
    }
}

fn page(weakness: Weakness) -> String {
    format!("https://cwe.mitre.org/data/definitions/{}.html", weakness.number)
}

const GAPS: [GapKind; 5] = [GapKind::File, GapKind::Function, GapKind::Construct, GapKind::External, GapKind::Contract];

/// The id of a kind of notification.
pub(super) fn gap_id(gap: &Gap) -> String {
    format!("not-analysed/{}", gap.kind.name())
}

/// The id of the notification that a run was ended early.
pub(super) const INCOMPLETE: &str = "incomplete";

fn notification(kind: GapKind) -> Rule {
    let what = match kind {
        GapKind::File => "A file could not be read",
        GapKind::Function => "A function could not be analysed; calls to it may do anything",
        GapKind::Construct => "A construct was passed over; its result may be anything",
        GapKind::External => "A function is neither defined nor modelled; it may return anything",
        GapKind::Contract => "A function is taken to do what a contract says (assumption D17)",
    };
    Rule { id: format!("not-analysed/{}", kind.name()), short_description: text(what), ..Rule::default() }
}

fn incomplete() -> Rule {
    Rule { id: INCOMPLETE.to_owned(), short_description: text("The analysis was ended early"), ..Rule::default() }
}

/// The id of the notification that results are left out.
pub(super) const LEFT_OUT: &str = "results-left-out";

fn left_out() -> Rule {
    Rule { id: LEFT_OUT.to_owned(), short_description: text("Results were left out"), ..Rule::default() }
}

/// `div-by-zero` as `DivByZero`.
fn pascal_case(name: &str) -> String {
    name.split(['-', '_']).map(capitalized).collect()
}

fn capitalized(words: &str) -> String {
    let mut chars = words.chars();
    chars.next().map(|c| c.to_ascii_uppercase()).into_iter().chain(chars).collect()
}
