//! What backs a verdict: certificates, preconditions on inputs, traces, reasons.

use crate::ir::SiteId;
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
    /// The function that the execution starts in.
    pub entry: String,
    /// Inputs, in the order in which the execution takes them; any point of the boxes errs. Empty: it always errs.
    pub precondition: Vec<InputBox>,
    /// From the entry to the error.
    pub trace: Vec<TraceStep>,
    /// Whether a second run by the interpreter, on these inputs alone, erred at the same site.
    pub replayed: bool,
    /// For how many paths of the program the solver has proved that every point of the boxes errs; 0: the boxes are the point
    /// that was run.
    pub paths: usize,
    /// Errors that the execution goes past on its way, as compiled programs do.
    pub past: Vec<SiteId>,
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
    /// The value in the run that erred, where the box has more.
    pub point: Option<InputValue>,
    /// The values are all that the program can get here: the input does not matter.
    pub any: bool,
}

impl InputBox {
    /// One value of the box: that of the run, or the only one.
    pub fn witness(&self) -> &InputValue {
        self.point.as_ref().unwrap_or(&self.value)
    }
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
    /// As many bytes, each from low to high, both included.
    ByteRanges { low: Vec<u8>, high: Vec<u8> },
}

impl InputValue {
    /// Whether it is bytes that may all be anything.
    pub fn is_free(&self) -> bool {
        match self {
            InputValue::Bytes(bytes) => bytes.is_empty(),
            InputValue::ByteRanges { low, high } => low.iter().all(|b| *b == 0) && high.iter().all(|b| *b == 255),
            InputValue::Int { .. } | InputValue::Float { .. } => false,
        }
    }

    /// The number of its bytes, where it is bytes.
    pub fn length(&self) -> Option<usize> {
        match self {
            InputValue::Bytes(bytes) | InputValue::ByteRanges { low: bytes, .. } => Some(bytes.len()),
            InputValue::Int { .. } | InputValue::Float { .. } => None,
        }
    }
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

impl Reason {
    /// The same reason, with `more` behind what it says.
    #[must_use]
    pub fn and(self, more: &str) -> Reason {
        let add = |what: String| format!("{what}, {more}");
        match self {
            Reason::Budget(what) => Reason::Budget(add(what)),
            Reason::Unsupported(what) => Reason::Unsupported(add(what)),
            Reason::Solver(what) => Reason::Solver(add(what)),
            Reason::Contradiction(how) => Reason::Contradiction(add(how)),
        }
    }
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
            InputValue::ByteRanges { low, high } => write_ranges(f, low, high),
        }
    }
}

/// Runs of bytes with equal ranges, in words.
fn write_ranges(f: &mut fmt::Formatter<'_>, low: &[u8], high: &[u8]) -> fmt::Result {
    let ranges: Vec<(u8, u8)> = low.iter().copied().zip(high.iter().copied()).collect();
    let alike = |a: &(u8, u8), b: &(u8, u8)| a == b || (a.0 == a.1 && b.0 == b.1);
    for (i, run) in ranges.chunk_by(alike).enumerate() {
        if i > 0 {
            f.write_str(", then ")?;
        }
        let (n, noun) = (run.len(), if run.len() == 1 { "byte" } else { "bytes" });
        match run[0] {
            (a, b) if a == b => write!(f, "{}", InputValue::Bytes(run.iter().map(|r| r.0).collect()))?,
            (0, 255) => write!(f, "any {n} {noun}")?,
            (1, 255) => write!(f, "{n} {noun} other than 0")?,
            (a, b) => write!(f, "{n} {noun} from {a} to {b}")?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_bytes_are_told_in_runs() {
        let value = |low: &[u8], high: &[u8]| InputValue::ByteRanges { low: low.into(), high: high.into() }.to_string();
        assert_eq!(
            value(b"ab\x01\x01\0\0", b"ab\xff\xff\0\xff"),
            "\"ab\", then 2 bytes other than 0, then \"\\x00\", then any 1 byte"
        );
        assert_eq!(value(b"00", b"99"), "2 bytes from 48 to 57");
    }
}
