//! The `smt` room against real solvers.
//!
//! * [`suite`] - what every back end must do, run over all of them by [`back_ends`]
//! * [`dump`] - scripts, read again by libcvc5's parser, which [`smtlib_process`] wraps
//! * [`simplifier`], [`arrays`] - random terms: simplifier and evaluator against cvc5

mod arrays;
mod back_ends;
mod dump;
mod simplifier;
mod smtlib_process;
mod suite;
