//! [`RuleRun`]: what a rule program took, for those who want to know which relations an answer rests on.

use crate::datalog::{Outputs, ProgramInfo, RunError};
use std::fmt;
use std::time::{Duration, Instant};

/// A run of a built-in rule program by the executor that it names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleRun {
    pub program: ProgramInfo,
    /// The tuples of its output relations; why there are none.
    pub outcome: Result<usize, RunError>,
    pub time: Duration,
}

impl RuleRun {
    /// Runs the program of the results `R` by `run`.
    pub fn of<R: Outputs>(run: impl FnOnce() -> Result<R, RunError>) -> (Result<R, RunError>, RuleRun) {
        let started = Instant::now();
        let results = run();
        let outcome = results.as_ref().map(Outputs::tuples).map_err(Clone::clone);
        (results, RuleRun { program: R::PROGRAM, outcome, time: started.elapsed() })
    }
}

impl fmt::Display for RuleRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RuleRun { program: ProgramInfo { name, executor, .. }, outcome, time } = self;
        let (executor, seconds) = (executor.name(), time.as_secs_f64());
        match outcome {
            Ok(tuples) => write!(f, "rules {name}: {tuples} tuples by {executor}, {seconds:.2} s"),
            Err(why) => write!(f, "rules {name}: no result by {executor} ({why}), {seconds:.2} s"),
        }
    }
}
