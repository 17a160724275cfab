//! The analyses that decide check sites.
//!
//! * [`search`]: executions that err, found by running the program on chosen inputs.
pub mod search;
