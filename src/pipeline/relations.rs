//! The memory relations of a program and what is analysed how, before any engine starts.

use super::listener::Listener;
use super::profile::RelationLimits;
use super::rules::strategy::StrategyRules;
use crate::engines::forward::Start;
use crate::engines::limits::AnalysisLimits;
use crate::ir::Program;
use crate::memory::{Memory, Setting};
use std::time::Duration;

/// What engines ask of `program`, which starts at `start`. `strategy`: users' rules for what is analysed how; `analysis`: the bounds
/// of those who have none; `left`: the time for all of it. Users' rules that are not run to their end are left
/// out, and that is told.
pub fn relate(
    (program, start): (&Program, &Start),
    strategy: Option<&StrategyRules>,
    (analysis, relations): (&AnalysisLimits, &RelationLimits),
    left: Duration,
    listener: &dyn Listener,
) -> Memory {
    let (entries, bounds, limits) = (start.entries(program), analysis.bounds(), relations.limits(left));
    let mut memory = Memory::build(program, &Setting { entries: &entries, bounds: &bounds }, &limits);
    if let Some(rules) = strategy {
        match rules.bounds(program, &memory, &limits, listener) {
            Ok(users) => memory.override_strategy(users),
            Err(why) => listener.tell(&format!("cellog: the rules of --strategy are left out: {why}")),
        }
    }
    memory
}
