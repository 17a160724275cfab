//! The analyses that decide check sites.
//!
//! * [`forward`]: all executions at once, by abstract interpretation.
//! * [`search`]: executions that err, found by running the program on chosen inputs.
//! * [`backward`]: the inputs on which what was found errs, as boxes that are proved.
//! * [`after_error`]: errors that later verdicts assume away; [`passage`]: what executions have passed on their way.
//! * [`results`]: what they found, as facts.
//! * [`task`]: one property of a program, and answers with their evidence.
//! * [`cpa`]: configurable program analysis over path formulas; [`bmc`], [`k_induction`],
//!   [`predicate_abstraction`](mod@predicate_abstraction) and [`impact`](mod@impact) are configurations of it.
//! * [`invariant`]: invariants of loops, guessed from runs and proved; [`summary`](mod@summary): loops replaced by them.
//! * [`termination`]: whether loops end.
//! * [`portfolio`]: all of them, cheapest first.
pub mod after_error;
pub mod backward;
pub mod bmc;
pub mod cpa;
pub mod forward;
pub mod impact;
pub mod invariant;
pub mod k_induction;
pub mod passage;
pub mod portfolio;
pub mod predicate_abstraction;
pub mod results;
pub mod search;
pub mod summary;
pub mod task;
pub mod termination;
