//! C files to a linked [`Program`](crate::ir::Program).
//!
//! * [`preprocess`]: runs `cc -E`, flags from the user or from [`compile_commands`] (or those of one of the programs that a build links); `compile_flags` says which are passed on.
//! * [`parse`]: preprocessed text to lang-c syntax trees, with recovery. On the way: `tokens` and [`lines`] take the text apart,
//!   `split` cuts it into external declarations, `nesting` refuses what is too deep, `sanitize` (with `attributes` and `literals`)
//!   rewrites what lang-c cannot parse; `left_out` names what a declaration that cannot be parsed would have declared.
//! * `parallel`: threads with stacks for deep trees.
//! * [`lower`]: syntax trees of all units to one IR program.
//! * `models`: what calls of library functions become.
mod attributes;
pub mod compile_commands;
pub(crate) mod compile_flags;
mod left_out;
pub mod lines;
mod literals;
pub mod lower;
pub(crate) mod models;
mod nesting;
mod parallel;
pub mod parse;
pub mod preprocess;
mod sanitize;
mod split;
mod tokens;
