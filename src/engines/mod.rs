//! The analyses that decide check sites.
//!
//! * [`forward`]: all executions at once, by abstract interpretation.
//! * [`search`]: executions that err, found by running the program on chosen inputs.
//! * [`results`]: what they found, as facts.
pub mod forward;
pub mod results;
pub mod search;
