//! Invariants of loops: guessed from runs of the program and from the forward analysis, proved by the solver.
//!
//! * [`predicate`]: formulas over the scalars at a loop's head. [`trace`]: what runs show at loop heads.
//! * `polynomial`: normal forms that spare solvers products. `cases`: sums by branch taken and by whether arithmetic wraps. `relations`: linear and quadratic
//!   equations that all rows of a table satisfy. `hull`: inequalities that do.
//! * [`guess`]: candidates from both. [`strings`]: candidates about strings. [`template`]: candidates that rules derive. [`holds`]: which of them runs refute.
//! * [`prove`]: the largest part of them that is inductive, and what follows; [`leap`]: what fails all the same. [`recheck`]: that what is left is
//!   inductive, shown once more. [`told`]: what is proved, as invariants of the loops in the text; [`scope`]: which variables they may name there.
//!
//! See: Flanagan, Leino, "Houdini, an Annotation Assistant for ESC/Java"; Ernst et al., "Dynamically Discovering Likely
//! Program Invariants to Support Program Evolution".
mod cases;
pub mod guess;
pub mod holds;
mod hull;
pub mod leap;
mod polynomial;
pub mod predicate;
pub mod prove;
pub mod recheck;
mod relations;
pub mod scope;
pub mod strings;
pub mod template;
pub mod told;
pub mod trace;
