//! What backs a verdict: certificates, preconditions on inputs, traces, reasons.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A place in the source as the user named it. Lines and columns count from 1; 0 means not known.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Location {
    pub file: String,
    pub line: u32,
    pub column: u32,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
            if self.column > 0 {
                write!(f, ":{}", self.column)?;
            }
        }
        Ok(())
    }
}

/// Why a site cannot err or cannot be reached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Certificate {
    /// The invariant at the site, in words: `divisor in [1, 100]`.
    pub invariant: String,
}

/// An execution that errs.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Failure {
    /// Inputs, in the order in which the execution takes them; any point of the boxes errs. Empty: it always errs.
    pub precondition: Vec<InputBox>,
    /// From the entry to the error.
    pub trace: Vec<TraceStep>,
    /// Whether a second run by the interpreter, on these inputs alone, erred at the same site.
    pub replayed: bool,
}

/// The values that one input may have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InputBox {
    /// The input's name in C terms: `rand()`.
    pub input: String,
    /// Where it enters.
    pub location: Location,
    /// The how-manyth value taken at this place, from 1.
    pub occurrence: u32,
    pub value: InputValue,
}

/// The values of an [`InputBox`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum InputValue {
    /// Integers from low to high, both included.
    Int { low: i128, high: i128 },
    /// Floats from low to high, both included.
    Float { low: f64, high: f64 },
    /// Exactly these bytes.
    Bytes(Vec<u8>),
}

/// One event of an execution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceStep {
    pub location: Location,
    pub kind: StepKind,
    /// What happens there, in C terms.
    pub text: String,
}

/// What a step of a trace is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum StepKind {
    /// A condition or a `switch` is decided.
    Branch,
    /// A function is entered.
    Call,
    /// A function is left.
    Return,
    /// An input is taken.
    Input,
    /// The check fails: the last step.
    Error,
    /// Stands for steps that are left out.
    Omission,
}

impl StepKind {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            StepKind::Branch => "branch",
            StepKind::Call => "call",
            StepKind::Return => "return",
            StepKind::Input => "input",
            StepKind::Error => "error",
            StepKind::Omission => "omission",
        }
    }
}

/// Why a site is not decided.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Reason {
    /// Time, memory or steps ran out; which.
    Budget(String),
    /// Something on the way is not understood; what.
    Unsupported(String),
    /// The solver gave no answer; what it said.
    Solver(String),
    /// Two engines disagree; how.
    Contradiction(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Budget(what) => write!(f, "budget: {what}"),
            Reason::Unsupported(what) => write!(f, "unsupported: {what}"),
            Reason::Solver(what) => write!(f, "solver: {what}"),
            Reason::Contradiction(how) => write!(f, "engines disagree: {how}"),
        }
    }
}

impl fmt::Display for InputValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputValue::Int { low, high } if low == high => write!(f, "{low}"),
            InputValue::Int { low, high } => write!(f, "{low} to {high}"),
            InputValue::Float { low, high } if low == high || (low.is_nan() && high.is_nan()) => write!(f, "{low}"),
            InputValue::Float { low, high } => write!(f, "{low} to {high}"),
            InputValue::Bytes(bytes) => {
                const SHOWN: usize = 48;
                let shown = &bytes[..bytes.len().min(SHOWN)];
                write!(f, "\"{}\"", shown.escape_ascii())?;
                match bytes.len() - shown.len() {
                    0 => Ok(()),
                    more => write!(f, "... ({more} more bytes)"),
                }
            }
        }
    }
}
