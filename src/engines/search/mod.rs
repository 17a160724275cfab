//! Looks for executions that err, by running the program on chosen inputs.
//!
//! * [`driver`]: the loop: run, keep what reached new code, run again on inputs close to it; replay what errs. [`choice`]: which run is
//!   next; [`planning`]: what is kept, and tried with it; [`options`]: how far it goes.
//! * [`case`]: the inputs that runs start from, files as wholes and the rest one by one; [`mutate`]: changes of files, some as [`hints`] of
//!   comparisons suggest; [`dictionary`]: values worth trying: limits of types, constants and strings of the program.
//! * [`aims`]: what numbers and texts would have to be so that a branch goes where none has gone, or an open check fails; [`trials`]: the changes that
//!   would make them so, each tried once; [`readings`]: where in a file a number was read; [`equality`]: marks that are compared byte by byte;
//!   `solved`: those that a solver suggests.
//! * [`steered`]: the inputs of a run: those of an earlier run, changed here and there; [`files`]: what is read of given files.
//! * [`records`]: the parts of files that a program reads as one of a kind, left out and moved; [`repeats`]: repeated hundreds
//!   of times. [`walk`]: inputs that are made longer as the program reads them, command after command.
//! * [`coverage`]: which edges of the control-flow graph runs have taken, and how often; [`entered`]: which functions; [`goals`]: how close runs came
//!   to errors at sites that are open.
//! * [`runs`]: the runs of the loop; [`starts`]: where on the way of earlier ones they go on, so that nothing is run twice.
//! * [`only`]: programs that read no input. [`again`]: single runs, and what they prove; [`reduce`]: small inputs with which the same goes wrong;
//!   [`trim`]: short files with which kept runs show the same.
//! * [`exchange`]: what searches on several cores tell each other. [`compiled`]: runs of the program as a compiler makes it, which are many and judge nothing.
//! * [`random`]: the random numbers, the same for the same seed on every machine.
//!
//! The interpreter is the only judge here: whatever is reported was run twice, the second time from its log of inputs.
//!
//! See: Zalewski, "Technical whitepaper for afl-fuzz" (coverage-guided mutation). We mutate files, and besides
//! the values of input sites, so that a change at one site leaves the others as they were.
mod again;
mod aims;
mod case;
mod choice;
mod compiled;
mod coverage;
pub(crate) mod dictionary;
mod driver;
mod entered;
mod equality;
mod exchange;
mod files;
mod follow;
mod goals;
mod hints;
mod mutate;
mod only;
pub mod options;
mod planning;
pub(in crate::engines) mod random;
mod readings;
mod records;
mod reduce;
mod repeats;
mod runs;
mod solved;
mod starts;
#[cfg(test)]
mod starts_tests;
pub(in crate::engines) mod steered;
#[cfg(test)]
mod stream_tests;
#[cfg(test)]
mod tests;
mod trials;
mod trim;
mod walk;
mod watch;

pub use again::{Within, confirm, rerun, rerun_within};
pub use compiled::{Compiled, CompiledRun, CompiledRuns, Ended, Wanted, run_compiled};
pub use driver::{Heard, Searcher, search};
pub use entered::Entered;
pub use exchange::Exchange;
pub use only::OnlyRun;
pub use options::{Found, SearchOptions, SearchOutcome};
pub use steered::plain_inputs;
