//! C files to a linked [`Program`](crate::ir::Program).
//!
//! * [`preprocess`]: runs `cc -E`, flags from the user or from `compile_commands.json`.
//! * [`parse`]: preprocessed text to lang-c syntax trees, with recovery.
//! * [`lower`]: syntax trees of all units to one IR program.
//! * `models`: what calls of library functions become.
pub mod lower;
pub(crate) mod models;
pub mod parse;
pub mod preprocess;
