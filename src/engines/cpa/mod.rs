//! Configurable program analysis: one reachability algorithm for bounded model checking, k-induction, predicate
//! abstraction and IMPACT.
//!
//! * [`algorithm`]: the operators of an analysis as a trait, and the algorithm CPA++ over them.
//! * [`loop_bound`]: which turn of every enclosing loop an abstract state is in.
//! * [`unwinding`]: location, loop bound and path formula: the analysis that unrolls loops.
//! * [`blocks`]: the program from loop head to loop head; [`arg`]: the graph of abstract states, and concrete paths along it.
//! * [`interpolate`], [`cubes`], [`synthesis`], [`refine`](mod@refine): counterexamples and interpolants; [`certificate`]: the last word on proofs.
//! * [`learnt`]: what an attempt leaves for rules and people to look at; `words`: formulas as C would write them; `c_expression`: formulas as C that
//!   means what was proved.
//!
//! | approach | blocks | abstraction | loops | refinement |
//! |---|---|---|---|---|
//! | bounded model checking | whole program | none | bounded | none |
//! | k-induction | whole program | invariants at heads | base and window | longer windows |
//! | predicate abstraction | loop head to loop head | boolean, over a precision | coverage | predicates |
//! | IMPACT | loop head to loop head | labels | coverage, also forced | labels |
//!
//! See: Beyer, Dangl, Wendler, "A Unifying View on SMT-Based Software Verification", Sect. 2.2 and 3, Algorithm 2.
pub mod algorithm;
pub mod arg;
pub mod blocks;
mod c_expression;
pub mod certificate;
pub mod cubes;
#[cfg(test)]
mod figures;
pub mod interpolate;
pub mod learnt;
pub mod loop_bound;
pub mod refine;
pub mod synthesis;
pub mod unwinding;
mod words;
