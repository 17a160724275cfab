//! The `smt` room against real solvers.
//!
//! * [`suite`] - what every back end must do, run over all of them by [`back_ends`]
//! * [`simplifier`] - random terms: simplifier and evaluator against the solvers

mod back_ends;
mod simplifier;
mod suite;
