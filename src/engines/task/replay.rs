//! Counterexamples are judged by the interpreter: only a run that really violates the property is one.

use super::Task;
use crate::concrete::{InputValue, Limits, Outcome, Prepared, Run, Script};

/// Statements that a replay may execute.
const STATEMENTS: u64 = 50_000_000;

/// The run on these inputs, when it violates the property and depends on nothing but them; otherwise why not. They may
/// be those of a run whose unwritten memory is input too.
pub fn replay(task: &Task<'_>, inputs: Vec<InputValue>) -> Result<Run, String> {
    run(task, inputs.clone(), false).or_else(|why| run(task, inputs, true).map_err(|_| why))
}

fn run(task: &Task<'_>, inputs: Vec<InputValue>, unwritten: bool) -> Result<Run, String> {
    let prepared = Prepared::new(task.program);
    let checks = task.property.kinds().to_vec();
    let limits = Limits { statements: STATEMENTS, checks, unwritten, leaps: true, ..Limits::default() };
    let mut script = Script::of(inputs);
    let run = prepared.run(task.entry, &mut script, &limits, &mut ());
    if run.error().is_none() {
        return Err(match &run.outcome {
            Outcome::Undecided(reason) => format!("its run is not decided: {reason}"),
            Outcome::Stuck(reason) => format!("its run gets stuck: {reason}"),
            Outcome::OutOfFuel(_) => "its run is too long".to_owned(),
            Outcome::Assumption => "its inputs are assumed away".to_owned(),
            _ => "its run does not err".to_owned(),
        });
    }
    if !run.flags.is_determined() {
        return Err("its run depends on more than its inputs".to_owned());
    }
    Ok(run)
}
