//! The program as facts, and the rules that engines ask.

use super::ground::{Ground, Next};
use crate::pipeline::error::Error;
use crate::pipeline::relations::relate;
use std::time::Instant;

/// States the program as facts and runs the rules that engines ask.
pub fn relate_memory(ground: &Ground) -> Result<Next, Error> {
    let (program, clock) = (ground.program(), &ground.clock);
    let started = Instant::now();
    let (strategy, profile) = (ground.request.strategy.as_ref(), &ground.request.profile);
    let limits = (&profile.proofs.analysis, &profile.relations);
    let memory = relate((program, ground.start()), strategy, limits, clock.left(), clock.listener());
    let memory = ground.memory.get_or_init(|| memory);
    let mut results = ground.results();
    results.times.add("relations", started.elapsed());
    results.remarks.extend(memory.runs().iter().map(ToString::to_string));
    let by_type = |why| format!("rules memory: not asked, since {why}: calls and effects are those that types allow");
    results.remarks.extend(memory.hidden_by().map(by_type));
    Ok(Next::Go)
}
