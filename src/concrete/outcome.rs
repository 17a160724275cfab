//! How a run ends, and what its result may be used for.

use super::input::InputRecord;
use super::lost::Lost;
use super::streams::FileSeen;
use super::trace::Trace;
use super::value::Value;
use crate::base::Span;
use crate::ir::entry::Extents;
use crate::ir::{CheckKind, InputId, SiteId};
use std::collections::BTreeSet;
use std::sync::Arc;

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The program ended itself, with this status.
    Exit(i32),
    /// The entry function returned.
    Returned(Option<Value>),
    /// The error state: the check at `site` failed.
    Error { site: SiteId, span: Span },
    /// Execution cannot go on although no enabled check failed: a disabled memory check did.
    Stuck(String),
    /// What comes next is not known; the reason, for people.
    Undecided(String),
    /// A limit was reached.
    OutOfFuel(Fuel),
    /// The inputs are outside what the program assumes of them.
    Assumption,
}

/// The status that shells tell of a program that `abort` has ended.
pub(super) const ABORTED: i32 = 134;

/// What ran out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fuel {
    Statements,
    Memory,
    CallDepth,
    Output,
    Inputs,
    /// Readings that gave nothing but the end of a file.
    Ends,
}

impl Fuel {
    /// What is limited, for people.
    pub fn what(self) -> &'static str {
        match self {
            Fuel::Statements => "statements",
            Fuel::Memory => "bytes of memory",
            Fuel::CallDepth => "nested calls",
            Fuel::Output => "bytes of output",
            Fuel::Inputs => "bytes of input",
            Fuel::Ends => "readings at the end of a file",
        }
    }
}

/// What a run's course depended on besides the program's text and its inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// The number that an address is.
    pub layout_dependent: bool,
    /// An indeterminate value, read as 0.
    pub indeterminate: bool,
    /// Floating-point arithmetic that is not that of the machine to the last bit.
    pub inexact: bool,
    /// An input that stands for a computation nobody describes.
    pub approximated: bool,
    /// The content of an object that another unit defines.
    pub extern_dependent: bool,
    /// A failed allocation.
    pub allocation_failed: bool,
    /// A write that a check refused met a constant object.
    pub constant_met: bool,
    /// What was read is in no file: see [`super::streams`].
    pub astray: bool,
    /// A function without a body was called: what it does besides returning is not known.
    pub outside: bool,
}

impl Flags {
    /// Whether every C implementation in the data model runs alike on these inputs.
    pub fn is_determined(self) -> bool {
        !(self.layout_dependent
            || self.indeterminate
            || self.inexact
            || self.approximated
            || self.extern_dependent
            || self.astray
            || self.outside)
    }
}

/// Bounds of a run.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Statements and terminators executed.
    pub statements: u64,
    /// Bytes of objects besides those of static storage.
    pub memory: u64,
    /// Nested calls.
    pub call_depth: usize,
    /// Bytes of standard output that are kept; more end the run.
    pub output: usize,
    /// Bytes that the log of consumed inputs may take; more end the run.
    pub inputs: u64,
    /// Readings of files whose end was met before, which give nothing but the end again, in a row or not; one more ends the run. Who reads on and on
    /// there waits for what never comes.
    pub ends: u32,
    /// Trace events kept: the last ones.
    pub trace: usize,
    /// The kinds that are judged.
    pub checks: Vec<CheckKind>,
    /// Whether a number in a variable that nothing was written to is an input when it is first read, the same from then
    /// on. Otherwise it is indeterminate, which the run's flags tell.
    pub unwritten: bool,
    /// Whether turns of counting loops that are all alike may be made at once: exact, but observers do not see them, and
    /// they count as one.
    pub leaps: bool,
    /// Whether the first error ends the run, one after which execution could go on, too.
    pub ends_at_any_error: bool,
    /// Whether blocks that are lost at the end are looked for.
    pub lost: bool,
    /// Which parameters of the entry function count what others point to.
    pub extents: Arc<Extents>,
    /// Whether a call of a function without a body goes on: what it returns is an input, and it is taken to change nothing, which the run's flags tell
    /// ([`Flags::outside`]). Otherwise it ends the run.
    pub outside: bool,
    /// The errors that the run goes past, and how.
    pub past: Arc<Past>,
}

/// Errors that a run goes past, as compiled programs mostly do: it errs there, and then it does what machines do. What C leaves open about that is chosen here,
/// so that one can see whether it matters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Past {
    /// Of kinds that [`CheckKind::may_be_passed`].
    pub sites: BTreeSet<SiteId>,
    /// Each byte of a number that was read without a value, from then on.
    pub fill: u8,
    /// Whether objects that get an address later lie before those that got one earlier.
    pub downward: bool,
    /// Whether what was written to a variable is still there when control comes to its declaration again.
    pub keeps: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            statements: 10_000_000,
            memory: 256 << 20,
            call_depth: 10_000,
            output: 1 << 20,
            inputs: 64 << 20,
            ends: u32::MAX,
            trace: 256,
            checks: CheckKind::defaults().collect(),
            unwritten: false,
            leaps: false,
            ends_at_any_error: false,
            lost: false,
            extents: Arc::default(),
            outside: false,
            past: Arc::default(),
        }
    }
}

/// A finished run.
#[derive(Clone, Debug)]
pub struct Run {
    pub outcome: Outcome,
    pub flags: Flags,
    /// The inputs consumed, in order.
    pub inputs: Vec<InputRecord>,
    /// The first of them that stands for a computation nobody describes.
    pub approximate: Option<InputId>,
    /// What was read of files, in the order in which it first came to each.
    pub files: Vec<FileSeen>,
    pub trace: Trace,
    /// What was written to standard output.
    pub output: Vec<u8>,
    /// Statements and terminators executed.
    pub statements: u64,
    /// Sites whose checks failed without ending the run, each once, in order.
    pub continued: Vec<SiteId>,
    /// Sites at which it erred and was to go past it, each once, in order.
    pub passed: Vec<SiteId>,
    /// Whether blocks of the heap live on at the end.
    pub leaves_blocks: bool,
    /// The blocks that were lost, where they were looked for and the run came to its end.
    pub lost: Option<Lost>,
}

impl Run {
    /// The site at which the run erred.
    pub fn error(&self) -> Option<SiteId> {
        match self.outcome {
            Outcome::Error { site, .. } => Some(site),
            _ => None,
        }
    }
}
