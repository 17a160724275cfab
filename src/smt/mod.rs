//! Terms and solvers: what the engines ask of logic.
//!
//! **Terms.** Hash-consed in a [`TermPool`], which checks sorts and simplifies as it builds ([`TermPool::try_apply`], and a
//! method for each operator, in `build`). [`TermPool::evaluate`] says what a term is worth under an [`Assignment`]: it is
//! the oracle that the simplifier, every translation and every model is tested against.
//!
//! **Solvers.** All are behind the [`Solver`] trait and none starts before it is used:
//! * [`Cvc5Solver`] - libcvc5 in this process, for every logic
//! * [`BlastSolver`] - bit-vectors alone, as clauses that are kept from query to query
//!
//! [`interpolant`] asks libcvc5 for a formula between two.
//!
//! A solver takes terms of one pool. Neither pools nor cvc5 solvers are shared between threads; [`Interrupt`] is.

mod bits;
mod blast;
mod build;
mod cvc5;
mod error;
mod evaluate;
mod memo;
mod op;
mod pool;
mod simplify;
mod solver;
mod sort;
mod value;

pub use bits::BitVec;
pub use blast::BlastSolver;
pub use cvc5::{Cvc5Solver, Interpolation, interpolant};
pub use error::{Result, SmtError};
pub use op::{Op, Symbol, Term};
pub use pool::TermPool;
pub use solver::{Answer, Interrupt, Limits, Logic, Options, Solver, Unknown};
pub use sort::Sort;
pub use value::{Assignment, Value};
