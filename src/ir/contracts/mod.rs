//! What functions do whose text the program does not have.
//!
//! * [`clause`]: a sentence of a contract; those that are built in, from `facts/contracts/`.
//! * [`table`]: the contracts that hold for a program, by name.
pub mod clause;
pub mod table;

pub use clause::Clause;
pub use table::Contracts;
