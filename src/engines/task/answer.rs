//! What engines say of a task.

use crate::concrete::Run;
use std::time::{Duration, Instant};

/// The answer to a task.
#[derive(Clone, Debug)]
pub enum Answer {
    /// No execution violates the property.
    True(Proof),
    /// An execution does; it has been replayed.
    False(Box<Counterexample>),
    /// Not decided: why.
    Unknown(String),
}

/// Why a property holds.
#[derive(Clone, Debug, Default)]
pub struct Proof {
    pub engine: &'static str,
    /// What was shown, in words.
    pub argument: String,
    /// Invariants of loops, proved.
    pub invariants: Vec<LoopInvariant>,
}

/// An invariant at a loop's head.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LoopInvariant {
    pub span: crate::base::Span,
    pub function: String,
    /// In C.
    pub formula: String,
}

/// A replayed execution that violates the property.
#[derive(Clone, Debug)]
pub struct Counterexample {
    pub engine: &'static str,
    pub run: Run,
}

/// How long an engine may work.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    pub deadline: Instant,
}

impl Budget {
    /// From now on so long.
    pub fn of(time: Duration) -> Budget {
        Budget { deadline: Instant::now() + time }
    }
    /// What is left.
    pub fn left(self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }
    /// Whether nothing is left.
    pub fn is_spent(self) -> bool {
        self.left().is_zero()
    }
    /// This budget or `time` from now on, whichever is less.
    pub fn at_most(self, time: Duration) -> Budget {
        Budget { deadline: self.deadline.min(Instant::now() + time) }
    }
    /// A part of what is left.
    pub fn share(self, part: f64) -> Budget {
        Budget { deadline: Instant::now() + self.left().mul_f64(part) }
    }
}
