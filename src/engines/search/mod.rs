//! Looks for executions that err, by running the program on chosen inputs.
//!
//! * [`driver`]: the loop: run, keep what reached new code, run again on inputs close to it; replay what errs.
//! * [`steered`]: the inputs of a run: those of an earlier run, changed here and there.
//! * [`dictionary`]: values worth trying: limits of types, constants and strings of the program.
//! * [`coverage`]: which edges of the control-flow graph runs have taken, and how often; [`entered`]: which functions.
//! * [`random`]: the random numbers, the same for the same seed on every machine.
//!
//! The interpreter is the only judge here: whatever is reported was run twice, the second time from its log of inputs.
//!
//! See: Zalewski, "Technical whitepaper for afl-fuzz" (coverage-guided mutation). We mutate the values of input sites
//! instead of a byte string, so that a change at one site leaves the others as they were.
mod coverage;
pub(crate) mod dictionary;
pub mod driver;
mod entered;
pub(in crate::engines) mod random;
pub(in crate::engines) mod steered;
#[cfg(test)]
mod tests;

pub use driver::{Found, SearchOptions, SearchOutcome, Searcher, confirm, rerun, search};
pub use entered::Entered;
pub use steered::plain_inputs;
