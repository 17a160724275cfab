//! Edits that mend definite findings.
//!
//! * [`recheck`]: tries what might mend a finding, and keeps what a second check shows to do it.
//! * [`guard`]: what might, by check. [`statement`]: the statement that a place stands in. [`edit`]: insertions into a text.
pub mod edit;
pub mod guard;
pub mod recheck;
pub mod statement;

pub use recheck::{Ask, Fix, fix_for};
