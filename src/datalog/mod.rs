//! The rule language and its executors. docs/rules.md is the user's view.
//!
//! * [`language`]: lexer, parser, checks, stratification, lowering; shared with the build script.
//! * [`evaluate`]: the evaluator that lets whole sets flow; runs built-in programs and users' rules.
//! * [`limits`]: bounds and errors of a run. [`value`]: values as every executor shows them.
pub mod evaluate;
pub mod language;
pub mod limits;
pub mod value;

pub use evaluate::{Database, IdSet, Input, evaluate};
pub use limits::{Limits, RunError};
pub use value::Value;
