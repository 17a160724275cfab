//! Boxes for all that a search has found.

use super::precondition::{Backward, Outcome};
use crate::concrete::Prepared;
use crate::engines::search::{Found, SearchOptions};
use crate::engines::task::Budget;
use crate::ir::{CheckKind, FuncId, Program, SiteId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// What became of each finding.
pub type Boxes = BTreeMap<SiteId, Outcome>;

/// What became of a finding, in short.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grown {
    /// In words.
    pub outcome: String,
    /// Paths that a box is proved for; 0 without one.
    pub paths: usize,
}

impl From<&Outcome> for Grown {
    fn from(outcome: &Outcome) -> Grown {
        let paths = match outcome {
            Outcome::Proved(proved) => proved.paths,
            _ => 0,
        };
        Grown { outcome: outcome.to_string(), paths }
    }
}

/// The boxes around runs that err without doubt, of the sites that are wanted, in the order of sites; and what they took, per
/// check.
pub fn preconditions(
    program: &Program,
    entry: FuncId,
    options: &SearchOptions,
    found: &BTreeMap<SiteId, Found>,
    wanted: impl Fn(SiteId) -> bool,
    budget: &Budget,
) -> (Boxes, BTreeMap<CheckKind, Duration>) {
    if found.is_empty() {
        return (Boxes::new(), BTreeMap::new());
    }
    let prepared = Prepared::new(program);
    let backward = Backward { prepared: &prepared, entry, options };
    let (mut statements, mut questions) = (0, 0);
    let (mut boxes, mut times) = (Boxes::new(), BTreeMap::new());
    for (site, found) in found.iter().filter(|(site, found)| found.doubt.is_none() && wanted(**site)) {
        let started = Instant::now();
        statements += found.run.statements;
        let outcome =
            if statements > options.boxes.statements || questions > options.boxes.questions || budget.is_spent() {
                Outcome::Lost("budget".to_owned())
            } else {
                backward.precondition(*site, found, &[])
            };
        if let Outcome::Proved(proved) = &outcome {
            questions += proved.questions;
        }
        boxes.insert(*site, outcome);
        *times.entry(program.sites[*site].kind).or_default() += started.elapsed();
    }
    (boxes, times)
}

/// What became of all, for those who want to know.
pub fn remark(boxes: &Boxes) -> String {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for outcome in boxes.values() {
        *counts.entry(outcome.to_string()).or_insert(0) += 1;
    }
    let counts: Vec<String> = counts.iter().map(|(what, n)| format!("{n} {what}")).collect();
    format!("backward: {}", if counts.is_empty() { "nothing to do".to_owned() } else { counts.join("; ") })
}
