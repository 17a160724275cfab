//! [`RuleRun`]: what a rule program took, for those who want to know which relations an answer rests on.

use crate::datalog::{Counted, RunError};
use std::fmt;
use std::time::{Duration, Instant};

/// A run of a built-in rule program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleRun {
    /// The program, as `cellog rules show` calls it.
    pub program: &'static str,
    /// The tuples of its output relations; why there are none.
    pub outcome: Result<usize, RunError>,
    pub time: Duration,
}

impl RuleRun {
    /// Runs `program` by `run`.
    pub fn of<R: Counted>(
        program: &'static str,
        run: impl FnOnce() -> Result<R, RunError>,
    ) -> (Result<R, RunError>, RuleRun) {
        let started = Instant::now();
        let results = run();
        let outcome = results.as_ref().map(Counted::tuples).map_err(Clone::clone);
        (results, RuleRun { program, outcome, time: started.elapsed() })
    }
}

impl fmt::Display for RuleRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RuleRun { program, outcome, time } = self;
        match outcome {
            Ok(tuples) => write!(f, "rules {program}: {tuples} tuples, {:.2} s", time.as_secs_f64()),
            Err(why) => write!(f, "rules {program}: no result ({why}), {:.2} s", time.as_secs_f64()),
        }
    }
}
