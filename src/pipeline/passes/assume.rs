//! Which errors verdicts assume away.

use super::ground::{Ground, Next};
use crate::datalog::Limits;
use crate::engines::assumed::{Subject, assume};
use crate::pipeline::error::Error;
use std::time::Instant;

/// Tells verdicts which definite errors they assume away.
pub fn tell_after_errors(ground: &Ground) -> Result<Next, Error> {
    let (over, runs, known) = {
        let results = ground.results();
        (results.over.clone(), results.runs.clone(), results.assumed.clone())
    };
    let (clock, profile) = (&ground.clock, &ground.request.profile);
    let limits = &profile.assumptions;
    let started = Instant::now();
    let is_small = *ground.statements.get().unwrap_or(&0) <= limits.analysed_statements;
    let least = limits.time_at_least.of(profile.run.time);
    let again = is_small.then(|| profile.proofs.analysis.options(limits.time.of(clock.left()).max(least)));
    let subject = Subject { program: ground.program(), memory: ground.memory(), start: ground.start() };
    let rules = profile.relations.limits(clock.left());
    let rules = Limits { time: rules.time.map(|time| time.max(least)), ..rules };
    let (assumed, run) = assume(subject, &over, &runs, known, again, &rules);
    let mut results = ground.results();
    results.assumed = assumed;
    results.remarks.extend(run.map(|run| run.to_string()));
    results.times.add("assumptions", started.elapsed());
    Ok(Next::Go)
}
