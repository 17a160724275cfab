//! Sufficient preconditions of errors: boxes of inputs that all err, found backwards from runs that do.
//!
//! * [`term`]: numbers that depend on inputs. [`shadow`]: which cells of memory hold them.
//! * [`trail`], [`follow`], `expression`, `judge`, `library`: the conditions of a run's path, statement by statement.
//! * [`range`]: conditions on boxes, in the domain of integers; [`formula`]: the same as bit-vectors.
//! * [`steer`]: inputs that leave a path where that may lead to an error; `slices`: the conditions that have a say in it.
//! * [`precondition`]: growing a box, and its proof; `questions`: the solvers that it asks on the way; `boxes`: those of all
//!   that a search has found.
//!
//! What is not understood is *fixed*: from there on the path has the condition that the value is that of the run. So the
//! box gets smaller, never wrong.
//!
//! See: Milanese, Miné, "Under-approximating Memory Abstractions" (000), Sect. 2.4, 2.6 and 4.
mod boxes;
mod expression;
mod follow;
pub mod formula;
pub mod joined;
mod judge;
mod library;
pub mod precondition;
mod questions;
pub mod range;
pub mod shadow;
mod slices;
pub mod steer;
pub mod term;
#[cfg(test)]
mod tests;
pub mod trail;

pub use boxes::{Boxes, Grown, preconditions, remark};
pub use precondition::{Backward, Outcome, Proved, Range};
pub use steer::{Asked, Change, Way};
