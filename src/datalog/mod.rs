//! The rule language and its executors.
//!
//! * [`language`]: lexer, parser, checks, stratification, lowering; shared with the build script.
pub mod language;
