//! The backward analysis joined over paths: from error sites towards the entry, over the control-flow graph.
//!
//! * [`engine`]: what one analysis carries along. `resolve`: expressions with their dereferences replaced by cells.
//! * `statement`, `check`, `heap`, `realloc`, `call`: Algorithm 2, statement by statement.
//! * `library`, `memory`, `text`, `scan`, `format`: library functions, copies and fills, strings, what is found in them, what
//!   `printf` writes.
//! * `function`: the states of a function's blocks. [`candidate`]: what is left at the entry, as inputs.
//! * [`stage`]: all open sites of a program, and the proofs.
//!
//! A state says of cells what they have to hold so that the run errs, come what may; from no state at all the analysis goes
//! up, so that each of its states errs within as many steps as it took to find it. What is not understood has no state
//! before it. Nothing is definite by this alone: see [`super::precondition`].
//!
//! See: Milanese, Miné, "Under-approximating Memory Abstractions" (000), Sect. 2.6, 3 and 4.
mod call;
pub mod candidate;
mod check;
pub mod engine;
mod format;
mod function;
mod heap;
#[cfg(test)]
mod heap_laws;
mod library;
mod memory;
mod realloc;
mod resolve;
mod scan;
pub mod stage;
mod statement;
mod text;

pub use candidate::Candidate;
pub use engine::{Joined, Limits};
