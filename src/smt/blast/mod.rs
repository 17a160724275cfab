//! The bit-blasting back end: bit-vector formulas as clauses of one SAT solver, which lives as long as this one does.
//!
//! libcvc5 forgets its clauses and what it learnt from them between queries under assumptions. Where hundreds of small
//! queries about one encoding follow each other, as when candidates for invariants are sifted, keeping them is faster by
//! far. libcvc5 is the better one for a single hard query; its answers do not depend on what is here.
//!
//! * [`gates`] - and, exclusive or, choice and majority over literals, each gate once
//! * [`arithmetic`] - sums, products, quotients, shifts and comparisons as gates
//! * [`translate`] - terms to literals, each once
//! * [`solver`] - assertions, levels, assumptions, models, cores and limits
//!
//! See: D. Kroening, O. Strichman, "Decision Procedures", Ch. 6 (flattening); N. Een, N. Sorensson, "An Extensible
//! SAT-solver", SAT 2003 (incremental solving under assumptions).

mod arithmetic;
mod gates;
mod solver;
mod translate;

pub use solver::BlastSolver;
