//! What is known of every loop.

use super::error::Error;
use super::listener::Listener;
use super::parallel::STACK;
use super::profile::Profile;
use super::relations::relate;
use super::rules::strategy::StrategyRules;
use crate::engines::forward::Start;
use crate::engines::invariant::template::Templates;
use crate::engines::task::{Budget, Property, Task};
use crate::engines::termination::{Ends, LoopRow, Summary, Wanted, summarize};
use crate::ir::{FuncId, Program};
use crate::verdict::{Location, locate};
use std::time::Duration;

/// The argument of a loop that needs no measure.
pub const ONCE: &str = "no turn is followed by another";

/// What is known of the loops that executions from `entry` come to, within `limit`. `templates`: further candidates for
/// their invariants; `strategy`: users' rules for what is analysed how.
pub fn summarize_loops(
    program: &Program,
    entry: FuncId,
    (templates, strategy): (&Templates, Option<&StrategyRules>),
    (limit, profile): (Duration, &Profile),
    listener: &dyn Listener,
) -> Result<Summary, Error> {
    let limits = (&profile.task.analysis, &profile.relations);
    let memory = relate((program, &Start::Function(entry)), strategy, limits, limit, listener);
    memory.runs().iter().for_each(|run| listener.remark(&run.to_string()));
    let limits = &profile.task;
    let task = Task { templates, limits, ..Task::new(program, &memory, entry, Property::Termination) };
    let summary = std::thread::scope(|scope| {
        // Engines recurse over deep terms and automata.
        let work = || summarize(&task, Wanted::Summaries, &Budget::of(limit));
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        thread.expect("the system starts threads").join()
    });
    summary.map_err(|_| Error::Internal("the summary ended unexpectedly".to_owned()))
}

/// What every form says of a loop.
pub struct Row<'s> {
    pub place: Location,
    pub function: &'s str,
    pub ends: &'static str,
    /// The ranking argument, the recurrent set, or the reason.
    pub argument: String,
    pub invariants: Vec<&'s str>,
    pub queries: u64,
    /// To thousandths.
    pub seconds: f64,
}

/// What is said of a loop.
pub fn row<'s>(program: &Program, row: &'s LoopRow) -> Row<'s> {
    let (ends, argument) = match &row.ends {
        Ends::Yes(measures) if measures.is_empty() => ("yes", ONCE.to_owned()),
        Ends::Yes(measures) => ("yes", measures.join(", ")),
        Ends::No(set) => ("no", set.join(" && ")),
        Ends::Unknown(why) => ("unknown", why.to_string()),
    };
    Row {
        place: locate(program, row.span),
        function: &row.function,
        ends,
        argument,
        invariants: row.invariants.iter().map(|i| i.formula.as_str()).collect(),
        queries: row.queries,
        seconds: (row.time.as_secs_f64() * 1000.0).round() / 1000.0,
    }
}
