//! The joined analysis of all sites that are open, and what is proved of its candidates.

use super::candidate::candidates;
use super::engine::Limits;
use crate::concrete::Prepared;
use crate::engines::backward::{Backward, Outcome};
use crate::engines::forward::ForwardResult;
use crate::engines::search::{Found, SearchOptions, confirm};
use crate::engines::task::Budget;
use crate::ir::{FuncId, Program, SiteId};
use std::collections::BTreeMap;

/// What came of it.
#[derive(Debug, Default)]
pub struct Joint {
    /// Runs that err, with their boxes.
    pub found: BTreeMap<SiteId, (Found, Outcome)>,
    /// Sites that were looked at, candidates that there were, those whose point does not err, those that were not proved whole.
    pub sites: usize,
    pub candidates: usize,
    pub refuted: usize,
    pub unproved: usize,
}

/// Looks from each site for preconditions. `known`: runs that err there already.
pub fn join(
    program: &Program,
    entry: FuncId,
    forward: &ForwardResult,
    options: &SearchOptions,
    sites: &[SiteId],
    known: &BTreeMap<SiteId, Found>,
    budget: &Budget,
) -> Joint {
    let prepared = Prepared::new(program);
    let backward = Backward { prepared: &prepared, entry, options };
    let (mut joint, mut steps) = (Joint::default(), 0);
    for &site in sites {
        if steps >= options.boxes.joined_steps || budget.is_spent() {
            break;
        }
        let limits = Limits { steps: options.boxes.joined_steps_of_a_site, ..Limits::default() };
        let (all, taken) = candidates(program, entry, forward, &options.checks, site, limits);
        steps += taken;
        joint.sites += 1;
        joint.candidates += all.len();
        let confirmed = |inputs: &[_]| confirm(&prepared, entry, inputs, site, options);
        let mut first = known.get(&site).cloned();
        for candidate in &all {
            match confirmed(&candidate.point()) {
                Some(found) => first = first.or(Some(found)),
                None => joint.refuted += 1,
            }
        }
        let Some(found) = first.filter(|_| !all.is_empty()) else { continue };
        let outcome = backward.precondition(site, &found, &all);
        joint.unproved += usize::from(!matches!(outcome, Outcome::Proved(_)));
        joint.found.insert(site, (found, outcome));
    }
    joint
}

impl Joint {
    /// In words, for those who want to know.
    pub fn remark(&self) -> String {
        let Joint { sites, candidates, refuted, unproved, found } = self;
        format!(
            "joined: {sites} sites, {candidates} candidates, {refuted} refuted by a run, {} sites err, {unproved} of them without a proved box",
            found.len()
        )
    }
}
