//! The cvc5 back end: libcvc5 in this process.
//!
//! * [`solver`] - queries, in slices so that another thread can end them: libcvc5 has no call for that, but keeps what it
//!   learned when its own limit ends a query, and goes on from there
//! * [`session`] - the running libcvc5
//! * [`translate`] - terms to libcvc5's, each once, and values back
//! * [`interpolate`] - its own interpolation
//!
//! See: H. Barbosa et al., "cvc5: A Versatile and Industrial-Strength SMT Solver", TACAS 2022.

mod interpolate;
mod session;
mod solver;
mod translate;

pub use interpolate::{Interpolation, interpolant};
pub use solver::Cvc5Solver;
