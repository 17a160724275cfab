//! Programs judged with their loops summarized by invariants.
//!
//! * [`decide`](mod@decide): one property of a program. [`sites`]: check sites that other analyses leave open, one by one.
mod decide;
pub mod sites;
#[cfg(test)]
mod tests;

pub use decide::summary;
