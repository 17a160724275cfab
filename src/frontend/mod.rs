//! C files to a linked [`Program`](crate::ir::Program).
//!
//! * [`preprocess`]: runs `cc -E`, flags from the user or from `compile_commands.json`.
//! * [`parse`]: preprocessed text to lang-c syntax trees, with recovery. On the way: `tokens` and [`lines`] take the text apart,
//!   `split` cuts it into external declarations, `nesting` refuses what is too deep, `sanitize` (with `attributes` and `literals`)
//!   rewrites what lang-c cannot parse.
//! * [`lower`]: syntax trees of all units to one IR program.
//! * `models`: what calls of library functions become.
mod attributes;
pub mod lines;
mod literals;
pub mod lower;
pub(crate) mod models;
mod nesting;
pub mod parse;
pub mod preprocess;
mod sanitize;
mod split;
mod tokens;
