//! Terms and solvers: what the engines ask of logic.
//!
//! Terms are hash-consed in a [`TermPool`], which checks sorts and simplifies as it builds ([`TermPool::try_apply`], and a
//! method for each operator). [`TermPool::evaluate`] says what a term is worth under an [`Assignment`]: it is the oracle that
//! the simplifier, every translation and every model is tested against.

mod bits;
mod build;
mod cvc5;
mod error;
mod evaluate;
mod op;
mod pool;
mod simplify;
mod solver;
mod sort;
mod value;

pub use bits::BitVec;
pub use cvc5::Cvc5Solver;
pub use error::{Result, SmtError};
pub use op::{Op, Symbol, Term};
pub use pool::TermPool;
pub use solver::{Answer, Interrupt, Limits, Logic, Options, Solver, Statistics, Unknown};
pub use sort::{ScalarSort, Sort};
pub use value::{ArrayValue, Assignment, ScalarValue, Value};
