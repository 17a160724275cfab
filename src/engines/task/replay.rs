//! Counterexamples are judged by the interpreter: only a run that really violates the property is one.

use super::Task;
use crate::concrete::{
    Arguments, Defaults, InputPlace, InputSource, InputValue, Limits, Outcome, Prepared, Reading, Run, ScalarRequest,
    Script,
};
use std::collections::{BTreeMap, VecDeque};

/// Statements that a replay may execute.
const STATEMENTS: u64 = 50_000_000;

/// The run on these inputs, when it violates the property and depends on nothing but them; otherwise why not. They may
/// be those of a run whose unwritten memory is input too, in the order in which all are asked for; or `unwritten` says what
/// is read there.
pub fn replay(
    task: &Task<'_>,
    inputs: Vec<InputValue>,
    unwritten: Vec<(InputPlace, InputValue)>,
) -> Result<Run, String> {
    run(task, &mut Script::of(inputs.clone()), false).or_else(|why| {
        let again = match unwritten.is_empty() {
            true => run(task, &mut Script::of(inputs), true),
            false => run(task, &mut Placed::of(inputs, unwritten), true),
        };
        again.map_err(|_| why)
    })
}

/// Inputs in order, and what unwritten memory holds by where it is.
struct Placed {
    script: Script,
    unwritten: BTreeMap<InputPlace, VecDeque<InputValue>>,
}

impl Placed {
    fn of(inputs: Vec<InputValue>, all: Vec<(InputPlace, InputValue)>) -> Placed {
        let mut unwritten: BTreeMap<InputPlace, VecDeque<InputValue>> = BTreeMap::new();
        for (place, value) in all {
            unwritten.entry(place).or_default().push_back(value);
        }
        Placed { script: Script::of(inputs), unwritten }
    }
}

impl InputSource for Placed {
    fn scalar(&mut self, request: &ScalarRequest) -> InputValue {
        if !matches!(request.place, InputPlace::Unwritten(..)) {
            return self.script.scalar(request);
        }
        let known = self.unwritten.get_mut(&request.place).and_then(VecDeque::pop_front);
        known.unwrap_or_else(|| Defaults.scalar(request))
    }
    fn bytes(&mut self, place: InputPlace, occurrence: u32, len: usize, reading: Option<Reading>) -> Vec<u8> {
        self.script.bytes(place, occurrence, len, reading)
    }
    fn fails(&mut self, place: InputPlace, occurrence: u32) -> bool {
        self.script.fails(place, occurrence)
    }
    fn arguments(&mut self, place: InputPlace, occurrence: u32) -> Arguments {
        self.script.arguments(place, occurrence)
    }
}

fn run(task: &Task<'_>, inputs: &mut dyn InputSource, unwritten: bool) -> Result<Run, String> {
    let prepared = Prepared::new(task.program);
    let checks = task.property.kinds().to_vec();
    let lost = task.property.tracks_memory();
    let limits = Limits {
        statements: STATEMENTS,
        checks,
        unwritten,
        leaps: true,
        ends_at_any_error: true,
        lost,
        ..Limits::default()
    };
    let run = prepared.run(task.entry, inputs, &limits, &mut ());
    if run.error().is_none() && run.lost.is_none() {
        return Err(match &run.outcome {
            Outcome::Undecided(reason) => format!("its run is not decided: {reason}"),
            Outcome::Stuck(reason) => format!("its run gets stuck: {reason}"),
            Outcome::OutOfFuel(_) => "its run is too long".to_owned(),
            Outcome::Assumption => "its inputs are assumed away".to_owned(),
            _ => "its run does not err".to_owned(),
        });
    }
    if run.flags.constant_met && run.error().is_some() {
        // The pointer is one to an object, live and with room: none of the properties speaks of that.
        return Err("its run writes to a constant object".to_owned());
    }
    if !run.flags.is_determined() {
        return Err("its run depends on more than its inputs".to_owned());
    }
    Ok(run)
}
