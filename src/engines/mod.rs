//! The analyses that decide check sites.
//!
//! * [`forward`]: all executions at once, by abstract interpretation.
//! * [`search`]: executions that err, found by running the program on chosen inputs.
//! * [`backward`]: the inputs on which what was found errs, as boxes that are proved.
//! * [`evidence`]: what they have to say of sites; [`judge`](mod@judge): the verdicts that rules make of it; [`assumed`]: errors that
//!   verdicts assume away; [`results`]: all that they found, as facts.
//! * [`inside`]: the memory relations held against runs.
//! * [`task`]: one property of a program, and answers with their evidence.
//! * [`cpa`]: configurable program analysis over path formulas; [`bmc`], [`k_induction`],
//!   [`predicate_abstraction`](mod@predicate_abstraction) and [`impact`](mod@impact) are configurations of it.
//! * [`invariant`]: invariants of loops, guessed from runs and proved; [`summary`](mod@summary): loops replaced by them.
//! * [`termination`]: whether loops end.
//! * [`portfolio`]: all of them, cheapest first. [`limits`]: what they may count up to.
pub mod assumed;
pub mod backward;
pub mod bmc;
pub mod cpa;
pub mod evidence;
pub mod forward;
pub mod impact;
pub mod inside;
pub mod invariant;
pub mod judge;
pub mod k_induction;
pub mod limits;
pub mod portfolio;
pub mod predicate_abstraction;
pub mod results;
pub mod search;
pub mod summary;
pub mod task;
pub mod termination;

#[cfg(test)]
mod asked_tests;
