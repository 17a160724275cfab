//! A derivation: tuples, and the rule instance that derives each.
use crate::datalog::language::text::Span;
use crate::datalog::value::Value;

/// The steps of a derivation, the tuple explained first; premises come after what they are premises of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derivation {
    pub steps: Vec<Step>,
    /// No derivation is lower. False when there were too many rule instances to look at all.
    pub minimal: bool,
}

/// A tuple and what it follows from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub relation: String,
    pub tuple: Vec<Value>,
    /// Rules between it and facts; 0 for a fact.
    pub height: u32,
    /// The rule; None for a fact.
    pub rule: Option<Span>,
    /// Indices into [`Derivation::steps`], in the order of the rule's body.
    pub premises: Vec<usize>,
    /// What else the rule asks for: that something is absent, the result of an aggregate.
    pub conditions: Vec<String>,
}
