//! What engines say of a task.

use super::Obstacle;
use crate::concrete::Run;
use crate::ir::{BlockId, FuncId};

/// The answer to a task.
#[derive(Clone, Debug)]
pub enum Answer {
    /// No execution violates the property.
    True(Proof),
    /// An execution does; it has been replayed.
    False(Box<Counterexample>),
    /// Not decided: why.
    Unknown(Obstacle),
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
    /// The loop's head.
    pub head: (FuncId, BlockId),
    pub function: String,
    /// In C, or in words where C has none.
    pub formula: String,
    /// Whether it is an expression of C.
    pub is_expression: bool,
}

/// A replayed execution that violates the property.
#[derive(Clone, Debug)]
pub struct Counterexample {
    pub engine: &'static str,
    pub run: Run,
}
