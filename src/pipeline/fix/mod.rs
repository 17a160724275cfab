//! Edits that mend definite findings.
//!
//! * [`recheck`]: tries what might mend a finding, and keeps what a second check shows to do it.
//! * [`offered`]: the fixes of a whole report.
//! * [`guard`]: what might, by check, as [`candidate`]s: [`condition`]s of arithmetic that errs, the [`room`] behind a pointer, what is freed ([`free`]).
//! * [`statement`]: the statement that a place of a text stands in; [`expression`]: parts of expressions; [`edit`]: edits of a text.
pub mod candidate;
pub mod condition;
pub mod edit;
pub mod expression;
pub mod free;
pub mod guard;
pub mod offered;
pub mod recheck;
pub mod room;
pub mod statement;

pub use edit::Edit;
pub use recheck::{Fix, fix_for};
