//! What is open, grouped by what keeps it open.

use crate::verdict::{Finding, VerdictKind};
use std::collections::{BTreeMap, BTreeSet};

/// How a reason begins that is a limit of the run.
pub(super) const BUDGET: &str = "budget: ";

/// Open findings for one reason.
pub struct Group<'a> {
    cause: &'a str,
    /// The checks that it keeps open, that of `first` first.
    pub checks: Vec<&'a str>,
    /// The best rank of one of them.
    pub rank: i64,
    /// The first of those that have it.
    pub first: &'a Finding,
    /// Their places, by id.
    pub places: BTreeSet<&'a str>,
    /// One finding for each place.
    pub others: Vec<&'a Finding>,
}

impl Group<'_> {
    /// The reason in words.
    pub fn what(&self) -> String {
        match self.cause.strip_prefix(BUDGET) {
            Some(what) => format!("what the run may cost was used up: {what}"),
            None if self.cause.is_empty() => self.first.check.phrase(),
            None => self.cause.to_owned(),
        }
    }
}

/// The order in which findings are worth a look: by rank, then as they stand.
pub(super) fn by_rank(a: &Finding, b: &Finding) -> std::cmp::Ordering {
    let key = |f: &Finding| f.rank.as_ref().map_or(i64::MAX, |r| r.rank);
    key(a).cmp(&key(b)).then_with(|| a.location.cmp(&b.location))
}

pub(super) fn is_undecided(finding: &Finding) -> bool {
    matches!(finding.verdict.kind(), VerdictKind::Possible | VerdictKind::Unknown)
}

/// What is open of these findings, by what keeps it open, whatever the check, and by check where no reason is known: what is worth a look
/// first comes first.
pub fn groups<'a>(findings: impl Iterator<Item = &'a Finding>) -> Vec<Group<'a>> {
    let mut groups: BTreeMap<(&str, &str), Group<'_>> = BTreeMap::new();
    for finding in findings.filter(|f| f.standing.is_open() && is_undecided(f)) {
        let (rank, cause) = finding.rank.as_ref().map_or((i64::MAX, ""), |r| (r.rank, r.cause.as_str()));
        let check = finding.check.name();
        let group = groups.entry((cause, if cause.is_empty() { check } else { "" })).or_insert(Group {
            cause,
            checks: Vec::new(),
            rank,
            first: finding,
            places: BTreeSet::new(),
            others: Vec::new(),
        });
        if rank < group.rank {
            (group.rank, group.first) = (rank, finding);
        }
        if !group.checks.contains(&check) {
            group.checks.push(check);
        }
        if group.places.insert(finding.place()) {
            group.others.push(finding);
        }
    }
    let mut groups: Vec<Group<'_>> = groups.into_values().collect();
    groups.iter_mut().for_each(|group| group.checks.sort_by_key(|check| *check != group.first.check.name()));
    groups.sort_by(|a, b| {
        let key = |g: &Group<'_>| (g.rank, std::cmp::Reverse(g.places.len()));
        key(a).cmp(&key(b)).then_with(|| by_rank(a.first, b.first))
    });
    groups
}
