//! What functions do whose text the program does not have.
//!
//! * [`clause`]: a sentence of a contract; those that are built in, from `facts/contracts/`.
//! * [`blocks`]: what functions do with blocks and addresses that their models do not show.
//! * [`table`]: the contracts that hold for a program, by name.
pub mod blocks;
pub mod clause;
pub mod table;

pub use clause::Clause;
pub use table::Contracts;
