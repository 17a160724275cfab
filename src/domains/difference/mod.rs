//! Bounds of differences: how far one term is above another, where no interval says it of either.
//!
//! See: Miné, "A new numerical abstract domain based on difference-bound matrices", Sect. 3: here with few of all pairs, and with terms
//! that are multiples of others.
//!
//! * `bounds`: what is kept; `within`: what follows from that and from ranges of terms; `lattice`: joins, widenings and inclusion;
//!   `multiples`: what bounds say of multiples.

mod bounds;
mod lattice;
mod multiples;
#[cfg(test)]
mod tests;
mod within;

pub use bounds::{Differences, Multiple, Term};
pub use lattice::Alone;
pub use within::{Range, Reached, Within};
