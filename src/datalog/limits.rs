//! How long a program may run, and how it can fail.
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};
use thiserror::Error;

/// Bounds of a run; none by default.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    pub time: Option<Duration>,
    /// How often rule bodies may be satisfied.
    pub derivations: Option<u64>,
    /// Asked now and then.
    pub watch: Option<Watch>,
}

/// Somebody who watches a run: says the limit that is reached, if one is.
#[derive(Clone)]
pub struct Watch(pub Arc<dyn Fn() -> Option<String> + Send + Sync>);

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watch")
    }
}

/// Why a run ended without a result.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum RunError {
    #[error("the time limit was reached while the rules for `{relation}` ran")]
    Time { relation: String },
    #[error("the limit on derivations was reached by the rules for `{relation}`")]
    Derivations { relation: String },
    #[error("the {limit} was reached while the rules for `{relation}` ran")]
    Watched { limit: String, relation: String },
    #[error("ill-formed pattern of `match`: {reason}")]
    Pattern { reason: String },
    #[error("this build has no `ascent` program of these rules; build with the feature `ascent-rules`")]
    NotCompiled,
    #[error("input relation `{relation}` is not among the facts or has other columns there")]
    Input { relation: String },
}

/// Counts what a run does and tells when a limit is reached.
#[derive(Debug)]
pub struct Guard {
    pub derivations: u64,
    /// What was looked at since the clock was.
    ticks: u32,
    deadline: Option<Instant>,
    most: u64,
    watch: Option<Watch>,
    reached: Option<Reached>,
}

/// A limit that was reached.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Reached {
    Time,
    Derivations,
    Watched(String),
}

impl Guard {
    /// A run that begins now.
    pub fn new(limits: &Limits) -> Guard {
        Guard {
            derivations: 0,
            ticks: 0,
            deadline: limits.time.map(|time| Instant::now() + time),
            most: limits.derivations.unwrap_or(u64::MAX),
            watch: limits.watch.clone(),
            reached: None,
        }
    }

    /// Notes that something was looked at; may the run go on?
    pub fn tick(&mut self) -> bool {
        self.ticks = self.ticks.wrapping_add(1);
        if self.ticks & 0xffff == 0 {
            self.look();
        }
        self.reached.is_none()
    }

    /// Notes that the body of a rule was satisfied.
    pub fn derive(&mut self) {
        self.derivations += 1;
        if self.derivations > self.most {
            self.reached.get_or_insert(Reached::Derivations);
        }
    }

    /// Looks at the clock and asks who watches.
    pub fn look(&mut self) {
        if let Some(limit) = self.watch.as_ref().and_then(|watch| (watch.0)()) {
            self.reached.get_or_insert(Reached::Watched(limit));
        }
        if self.deadline.is_some_and(|deadline| Instant::now() > deadline) {
            self.reached.get_or_insert(Reached::Time);
        }
    }

    /// The limit that was reached, by the rules for `relation`.
    pub fn verdict(&mut self, relation: &str) -> Result<(), RunError> {
        self.look();
        let relation = relation.to_owned();
        match self.reached.clone() {
            None => Ok(()),
            Some(Reached::Time) => Err(RunError::Time { relation }),
            Some(Reached::Derivations) => Err(RunError::Derivations { relation }),
            Some(Reached::Watched(limit)) => Err(RunError::Watched { limit, relation }),
        }
    }
}
