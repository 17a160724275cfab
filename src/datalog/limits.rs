//! How long a program may run, and how it can fail.
use std::time::Duration;
use thiserror::Error;

/// Bounds of a run; none by default.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    pub time: Option<Duration>,
    /// How often rule bodies may be satisfied.
    pub derivations: Option<u64>,
}

/// Why a run ended without a result.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum RunError {
    #[error("the time limit of the rules was reached")]
    Time,
    #[error("the limit on derivations was reached")]
    Derivations,
    #[error("ill-formed pattern of `match`: {reason}")]
    Pattern { reason: String },
    #[error("this build has no `ascent` programs; build with the feature `ascent-rules`")]
    NotCompiled,
    #[error("input relation `{relation}` is not among the facts or has other columns there")]
    Input { relation: String },
}
