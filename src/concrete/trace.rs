//! What a run did, for people: its last branches, calls and inputs.

use crate::base::Span;
use crate::ir::{FuncId, SiteId};
use std::collections::VecDeque;

/// A step worth showing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A condition was not 0 (true) or 0.
    Branch(bool),
    /// A `switch` chose the case that holds the value, or the default.
    Switch(i128),
    Call(FuncId),
    Return(FuncId),
    /// An input was consumed: its number in the run's log.
    Input(u32),
    /// A check failed.
    Failed(SiteId),
}

/// An event and where it happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub span: Span,
    pub event: Event,
}

/// The last steps of a run.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    steps: VecDeque<Step>,
    capacity: usize,
    /// Steps that were forgotten.
    pub dropped: u64,
}

impl Trace {
    /// A trace that keeps the last `capacity` steps.
    pub fn new(capacity: usize) -> Trace {
        Trace { steps: VecDeque::with_capacity(capacity.min(4096)), capacity, dropped: 0 }
    }
    /// Adds a step.
    #[inline]
    pub fn push(&mut self, span: Span, event: Event) {
        if self.capacity == 0 {
            self.dropped += 1;
            return;
        }
        if self.steps.len() == self.capacity {
            self.steps.pop_front();
            self.dropped += 1;
        }
        self.steps.push_back(Step { span, event });
    }
    /// The steps kept, oldest first.
    pub fn steps(&self) -> impl Iterator<Item = &Step> {
        self.steps.iter()
    }
}
