//! C files to a linked [`Program`](crate::ir::Program).
//!
//! * [`preprocess`]: runs `cc -E`, flags from the user or from `compile_commands.json`.
//! * [`parse`]: preprocessed text to lang-c syntax trees, with recovery.
pub mod parse;
pub mod preprocess;
