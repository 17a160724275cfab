//! Does every loop end? Per loop of the program with its calls inlined: a ranking argument that the solver has checked, a
//! recurrent set that a run comes into, or neither.
//!
//! * [`measure`]: numbers that may fall from turn to turn. [`turns`]: the relation between a loop's head and its head a
//!   turn later, as terms. [`rank`]: measures that fall together.
//! * [`endless`]: runs that do not end in time. [`recur`]: sets of states that no run leaves.
//! * [`local`]: functions by themselves, in any state. [`summary`]: all loops of a program, a [`row`] each.
//! * [`doubt`]: why that is not known.
//!
//! See: Kroening et al., "Loop Summarization using State and Transition Invariants", Sect. 5 and Table 5. We differ in that
//! candidates are tried as parts of one lexicographic argument, and in that numbers are those of the machine: a measure is a
//! wide sum that does not wrap, so that one that falls has an end without a bound being proved.
pub mod doubt;
pub mod endless;
pub mod local;
pub mod measure;
pub mod rank;
pub mod recur;
pub mod row;
pub mod summary;
pub mod turns;

pub use doubt::Doubt;
pub use row::{Ends, LoopRow};
pub use summary::{Summary, Wanted, summarize};

#[cfg(test)]
mod tests;
