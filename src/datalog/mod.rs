//! The rule language and its executors. docs/rules.md is the user's view.
//!
//! * [`language`]: lexer, parser, checks, stratification, lowering; shared with the build script.
//! * [`source`]: from text to a program that can run.
//! * [`users`]: users' rules and queries on top of the built-in ones.
//! * [`evaluate`](mod@evaluate): the evaluator that lets whole sets flow; runs built-in programs and users' rules.
//! * [`compiled`]: what generated `ascent` programs are made of.
//! * [`explain`](mod@explain): why a tuple holds.
//! * [`naive`]: what rules mean, as the oracle of the others.
//! * [`programs`]: the built-in programs, generated from `rules/`, made of what [`results`] defines.
//! * [`limits`]: bounds and errors of a run. [`value`]: values as every executor shows them.
pub mod compiled;
pub mod evaluate;
pub mod explain;
pub mod language;
pub mod limits;
pub mod naive;
pub mod programs;
pub mod results;
pub mod source;
pub mod users;
pub mod value;

pub use evaluate::{Database, IdSet, Input, Session, evaluate};
pub use limits::{Limits, RunError, Watch};
pub use results::{Executor, Outputs, ProgramInfo, RuleFile, SetRelation};
pub use source::{check_source, compile};
pub use value::Value;
