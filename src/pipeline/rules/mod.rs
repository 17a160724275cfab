//! Rules in a run: those of users, the checks that are rules, and the questions of the tool's own.
//!
//! * [`source`]: the texts of rules, put on top of the built-in ones. [`relation_files`]: input relations of the user's own.
//! * [`ask`]: questions to facts. [`facts`]: what they are asked to. [`checks`]: the names of checks.
//! * [`stage`]: the rules of a check, and [`findings`]: what becomes of their tuples.
//! * [`templates`]: candidates for invariants. [`strategy`]: what is analysed how. [`meanings`]: what their names stand for.
pub mod ask;
pub mod checks;
pub mod facts;
pub mod findings;
pub mod meanings;
pub mod relation_files;
pub mod source;
pub mod stage;
pub mod strategy;
pub mod templates;

#[cfg(test)]
mod templates_tests;
