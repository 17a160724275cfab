//! All findings of a program, and what was left out.

use super::finding::fnv1a;
use super::{Check, Finding, Insight, Location, Mending, VerdictKind};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The result of `check` on a program.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    /// The C files, as the user gave them.
    pub files: Vec<String>,
    /// The function that executions start from.
    pub entry: String,
    /// `lp64` or `ilp32`.
    pub arch: String,
    /// One for every site of the chosen checks, and what rules found; sorted, with ids.
    pub findings: Vec<Finding>,
    /// What was not analysed, sorted.
    pub gaps: Vec<Gap>,
    /// Why the analysis was ended early, if it was: its report is partial.
    pub incomplete: Option<String>,
    /// Sites that are not among the findings because the configuration excludes their files.
    pub excluded: usize,
    /// What is not among the findings because a change does not touch it, if only a change is judged.
    pub untouched: Option<Untouched>,
    /// Edits that mend definite findings, if anybody has asked.
    pub mendings: Vec<Mending>,
    /// What is known of variables and loops, if anybody has asked.
    pub insight: Option<Insight>,
    /// Which part of a run's findings these are; None for all.
    pub part: Option<Part>,
}

/// What a change does not touch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Untouched {
    /// The revision that the change is made to, as the user names it.
    pub since: String,
    /// Sites in functions that are as they were.
    pub sites: usize,
}

/// A part of a run's findings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Its number, from 1.
    pub index: u32,
    /// How many parts there are.
    pub of: u32,
    /// Findings of all parts.
    pub findings: usize,
    /// The places of this part's findings among all, counted from 0.
    pub ranks: Vec<usize>,
    /// The [`part_digest`] of all findings.
    pub digest: String,
}

/// A digest of a run's findings by id, check, line and message in order: the same for all parts of one run.
pub fn part_digest<'f>(findings: impl Iterator<Item = (&'f str, &'f str, u32, String)>) -> String {
    let mut text = String::new();
    for (id, check, line, message) in findings {
        text.push_str(&[id, check, &line.to_string(), &message, ""].join("\0"));
    }
    format!("{:016x}", fnv1a(text.as_bytes()))
}

/// How many places have each verdict, given those of findings: the checks of one access are one place, which has the worst of their verdicts.
pub fn count_places<'f>(findings: impl Iterator<Item = (&'f str, VerdictKind)>) -> BTreeMap<VerdictKind, usize> {
    let mut places: BTreeMap<&str, VerdictKind> = BTreeMap::new();
    for (place, kind) in findings {
        places.entry(place).and_modify(|worst| *worst = kind.min(*worst)).or_insert(kind);
    }
    let mut counts: BTreeMap<VerdictKind, usize> = VerdictKind::ALL.iter().map(|kind| (*kind, 0)).collect();
    places.into_values().for_each(|kind| *counts.entry(kind).or_insert(0) += 1);
    counts
}

/// Something of the input that the verdicts do not cover, or cover with an assumption.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Gap {
    pub kind: GapKind,
    pub location: Location,
    /// The function it stands in, if any.
    pub function: Option<String>,
    /// The construct, the function's name, or the reason.
    pub what: String,
}

/// The kinds of gaps, in the order of reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum GapKind {
    /// A file that could not be read or preprocessed.
    File,
    /// A function whose body could not be understood.
    Function,
    /// A construct that is passed over with loss of precision.
    Construct,
    /// A function that is called and neither defined nor modelled.
    External,
    /// A function that is called and does what a contract of the user's says (assumption D17).
    Contract,
}

impl GapKind {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            GapKind::File => "file",
            GapKind::Function => "function",
            GapKind::Construct => "construct",
            GapKind::External => "external",
            GapKind::Contract => "contract",
        }
    }
}

/// Verdicts counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Per check with any site, per verdict.
    pub by_check: BTreeMap<Check, BTreeMap<VerdictKind, usize>>,
    /// Per verdict; every verdict has an entry.
    pub total: BTreeMap<VerdictKind, usize>,
}

impl Analysis {
    /// Whether a finding of this verdict is neither suppressed nor known.
    pub fn has_open(&self, kind: VerdictKind) -> bool {
        self.findings.iter().any(|f| f.verdict.kind() == kind && f.standing.is_open())
    }
    /// How many places have each verdict; every verdict has an entry.
    pub fn places(&self) -> BTreeMap<VerdictKind, usize> {
        count_places(self.findings.iter().map(|f| (f.place(), f.verdict.kind())))
    }
    /// Counts the findings.
    pub fn summary(&self) -> Summary {
        let mut summary = Summary { total: VerdictKind::ALL.iter().map(|k| (*k, 0)).collect(), ..Summary::default() };
        for finding in &self.findings {
            let kind = finding.verdict.kind();
            *summary.by_check.entry(finding.check.clone()).or_default().entry(kind).or_insert(0) += 1;
            *summary.total.entry(kind).or_insert(0) += 1;
        }
        summary
    }
}
