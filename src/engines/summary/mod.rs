//! Programs judged with their loops summarized by invariants.
//!
//! * [`decide`](mod@decide): one property of a program. [`sites`]: check sites that other analyses leave open, one by one; [`unroll`](mod@unroll):
//!   in a program whose loops are unrolled to their ends.
mod decide;
pub mod sites;
#[cfg(test)]
mod tests;
mod unroll;

pub use decide::summary;
