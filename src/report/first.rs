//! The first screen of a text report on a program with many open places: what to look at first, how much there is, how to see more.

use super::groups::{BUDGET, Group, groups, is_undecided};
use super::table::{counted, render_totals, render_unlisted};
use crate::verdict::{Analysis, Finding, GapKind, VerdictKind};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Groups that are shown.
const GROUPS: usize = 10;
/// Names that are given of what was not analysed.
const NAMES: usize = 4;

/// The screen, in lines of at most `width` characters where words allow.
pub(super) fn render_first(analysis: &Analysis, width: usize) -> String {
    let groups = groups(analysis.findings.iter());
    let open = |f: &&Finding| f.standing.is_open() && is_undecided(f);
    let mut places: BTreeSet<&str> = analysis.findings.iter().filter(open).map(Finding::place).collect();
    // As in the table, a place has the worst of its verdicts.
    for finding in analysis.findings.iter().filter(|f| f.verdict.kind() == VerdictKind::Definite) {
        places.remove(finding.place());
    }
    let mut out = String::new();
    let (places, reasons) = (counted(places.len(), "place"), counted(groups.len(), "reason"));
    let are = if places.starts_with("1 ") { "is" } else { "are" };
    let _ = writeln!(out, "{places} {are} open for {reasons}; look at these first:");
    for (number, group) in (1..).zip(groups.iter().take(GROUPS)) {
        out.push_str(&render_group(number, group, width));
    }
    if groups.len() > GROUPS {
        let _ = writeln!(out, "    and {} more", counted(groups.len() - GROUPS, "reason"));
    }
    out.push('\n');
    out.push_str(&render_totals(analysis, width));
    out.push_str(&render_unlisted(analysis));
    out.push_str(&gaps(analysis));
    out.push_str(&alone(analysis));
    out.push_str("more: --all lists every open place, --possible N the first N, --checks NAME those of one check;\n");
    out.push_str(
        "      cellog explain ID FILES says why a place is open, --format html -o FILE shows all in the source\n",
    );
    out
}

/// A group as two lines.
fn render_group(number: usize, group: &Group<'_>, width: usize) -> String {
    let Group { first, places, checks, .. } = group;
    let others = match places.len() {
        1 => String::new(),
        more => format!(" and {} more", more - 1),
    };
    let what = group.what();
    let place = format!("{}:{}", first.location.file, first.location.line);
    let line = format!("{number:>4}. [{}] {what}", checks.join(", "));
    let judged = if first.subject.is_empty() { String::new() } else { format!(", {}", first.subject) };
    let rest = format!(" in {}{others}, id {}", first.function, first.id);
    let left = width.saturating_sub(8 + place.chars().count() + rest.chars().count());
    format!(
        "{}\n        {place}{}{rest}\n",
        cut(&line, width),
        if judged.len() <= left { judged } else { String::new() }
    )
}

/// `text` in one line of at most `width` characters.
fn cut(text: &str, width: usize) -> String {
    match text.chars().count() > width {
        true => text.chars().take(width.saturating_sub(3)).chain("...".chars()).collect(),
        false => text.to_owned(),
    }
}

/// How many places are judged without their callers, since what the run may cost was used up.
fn alone(analysis: &Analysis) -> String {
    let is_alone = |f: &&Finding| f.cause.as_ref().is_some_and(|cause| cause.reason.starts_with(BUDGET));
    let places: BTreeSet<&str> = analysis.findings.iter().filter(is_alone).map(Finding::place).collect();
    match places.len() {
        0 => String::new(),
        n => format!(
            "{} judged without their callers or not at all, since the run may cost no more: see --time-limit, --profile\n",
            counted(n, "place")
        ),
    }
}

/// What was not analysed, a line for each kind of it.
fn gaps(analysis: &Analysis) -> String {
    let mut out = String::new();
    for (kind, heading) in [
        (GapKind::File, "files not analysed"),
        (GapKind::Function, "functions not analysed"),
        (GapKind::Construct, "constructs passed over"),
        (GapKind::External, "functions called of which nothing is known"),
        (GapKind::Contract, "functions taken to do what your contracts say"),
    ] {
        let of_kind = analysis.gaps.iter().filter(|gap| gap.kind == kind);
        let names: BTreeSet<&str> = of_kind.map(|gap| gap.what.as_str()).collect();
        if names.is_empty() {
            continue;
        }
        let shown: Vec<&str> = names.iter().take(NAMES).copied().collect();
        let more = if names.len() > shown.len() { ", ... (--all names them)" } else { "" };
        let _ = writeln!(out, "{heading}: {} ({}{more})", names.len(), shown.join(", "));
    }
    out
}
