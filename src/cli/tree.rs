//! A derivation for people, as a tree with the lines of facts, and for Graphviz.

use super::show::Terms;
use crate::datalog::explain::{Derivation, Step};
use crate::datalog::language::text::Texts;
use crate::datalog::users::{Composed, columns};
use crate::facts::FactStore;
use crate::report::Excerpts;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Draws a derivation of a program's relations over facts.
pub struct Drawing<'a> {
    pub derivation: &'a Derivation,
    pub composed: &'a Composed,
    terms: Terms<'a>,
    texts: &'a Texts,
}

impl<'a> Drawing<'a> {
    /// `facts` say what names stand for.
    pub fn new(derivation: &'a Derivation, composed: &'a Composed, facts: &'a FactStore) -> Drawing<'a> {
        Drawing { derivation, composed, terms: Terms::all(facts), texts: &composed.ast.texts }
    }

    /// The tree; what has been shown is not shown again.
    pub fn tree(&self, excerpts: &mut Excerpts) -> String {
        let mut out = String::new();
        let mut shown = BTreeSet::new();
        self.branch(0, ["", ""], excerpts, &mut shown, &mut out);
        if !self.derivation.minimal {
            out.push_str("(there were too many rule instances to look at all: a lower derivation may exist)\n");
        }
        out
    }

    /// `lead` stands before the tuple, and before what is below it.
    fn branch(
        &self,
        at: usize,
        lead: [&str; 2],
        excerpts: &mut Excerpts,
        shown: &mut BTreeSet<usize>,
        out: &mut String,
    ) {
        let step = &self.derivation.steps[at];
        let [before, below] = lead;
        let again = !shown.insert(at) && step.rule.is_some();
        let origin = match step.rule {
            _ if again => "as above".to_owned(),
            Some(rule) => format!("by {}", self.texts.place(rule)),
            None => self.source_line(step, excerpts),
        };
        let _ = writeln!(out, "{before}{}  [{origin}]", self.tuple(step));
        if again {
            return;
        }
        let last = step.premises.len() + step.conditions.len();
        let mut number = 0;
        for premise in &step.premises {
            number += 1;
            let (before, inner) = if number == last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            self.branch(*premise, [&format!("{below}{before}"), &format!("{below}{inner}")], excerpts, shown, out);
        }
        for condition in &step.conditions {
            number += 1;
            let before = if number == last { "└─ " } else { "├─ " };
            let _ = writeln!(out, "{below}{before}{condition}");
        }
    }

    fn tuple(&self, step: &Step) -> String {
        let columns = columns(&self.composed.ast, &self.composed.scope, &step.relation).unwrap_or_default();
        let cells = step.tuple.iter().enumerate().map(|(at, value)| match columns.get(at) {
            Some(column) => self.terms.spell(column, value),
            None => value.to_string(),
        });
        format!("{}({})", step.relation, cells.collect::<Vec<_>>().join(", "))
    }

    /// The first place that a fact's columns name, with the line that stands there.
    fn source_line(&self, step: &Step, excerpts: &mut Excerpts) -> String {
        let columns = columns(&self.composed.ast, &self.composed.scope, &step.relation).unwrap_or_default();
        let place = columns.iter().zip(&step.tuple).find_map(|(column, value)| self.terms.place(column, value));
        let Some(place) = place else { return "fact".to_owned() };
        let line = place.rsplit_once(':').and_then(|(file, line)| excerpts.line(file, line.parse().ok()?));
        match line.map(str::trim).filter(|line| !line.is_empty()) {
            Some(line) => format!("fact, {place}: {line}"),
            None => format!("fact, {place}"),
        }
    }

    /// The graph: tuples as boxes, edges from premises to what follows.
    pub fn dot(&self, excerpts: &mut Excerpts) -> String {
        let escape = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', " ");
        let mut out = String::from("digraph why {\n  node [shape=box, fontname=\"monospace\"];\n");
        for (at, step) in self.derivation.steps.iter().enumerate() {
            let (origin, style) = match step.rule {
                Some(rule) => (self.texts.place(rule), "solid"),
                None => (self.source_line(step, excerpts), "rounded"),
            };
            let conditions: String = step.conditions.iter().map(|c| format!("\\n{}", escape(c))).collect();
            let label = format!("{}\\n{}{conditions}", escape(&self.tuple(step)), escape(&origin));
            let _ = writeln!(out, "  t{at} [label=\"{label}\", style={style}];");
        }
        for (at, step) in self.derivation.steps.iter().enumerate() {
            for premise in &step.premises {
                let _ = writeln!(out, "  t{premise} -> t{at};");
            }
        }
        out.push_str("}\n");
        out
    }
}
