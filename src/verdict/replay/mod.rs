//! Reproducers: a definite finding as a C program that a compiler's sanitizers can judge.
//!
//! * [`queues`]: the precondition, by function; [`stubs`]: C functions that hand it out; `unseen`: some that sanitizers do not look into;
//!   [`harness`]: the whole file.
//! * [`build`]: compiles it with the program and runs both; [`coverage`]: whether the run came to the place.
//! * [`process`]: processes with an end. [`claims`](mod@claims): the negated precondition for other tools.
//! * [`judge`]: what the sanitizers said, and what follows.
//!
//! The program's own files are compiled as they are. Calls of library functions that give inputs are led to stubs by the
//! linker (`--wrap`), each of which hands out the recorded values in their order.
pub mod build;
mod claims;
mod coverage;
pub mod harness;
pub mod judge;
pub mod process;
mod queues;
mod stubs;
mod unseen;

pub use build::{Reproducer, Unit, machine_of, reproduce};
pub use claims::claims;
pub use harness::{Entry, Harness, Passing, ResultType};
pub use judge::{Judgement, Replayed};
