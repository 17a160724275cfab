//! The analyses that decide check sites.
//!
//! * [`forward`]: all executions at once, by abstract interpretation.
//! * [`search`]: executions that err, found by running the program on chosen inputs.
pub mod forward;
pub mod search;
