//! The five verdicts on a check site.

use super::{Certificate, Failure, Reason};
use serde::{Deserialize, Serialize};

/// What is known of a check site, with its evidence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Verdict {
    /// Errs whenever the inputs lie in the precondition.
    Definite(Failure),
    /// An over-approximation could not exclude an error: the abstract state that blocks the proof, in words.
    Possible(String),
    /// Not decided.
    Unknown(Reason),
    /// Control never gets here.
    Unreachable(Certificate),
    /// No execution errs here.
    Safe(Certificate),
}

/// A verdict without its evidence, in the order of reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VerdictKind {
    Definite,
    Possible,
    Unknown,
    Unreachable,
    Safe,
}

impl VerdictKind {
    /// All verdicts, in the order of reports.
    pub const ALL: [VerdictKind; 5] = [
        VerdictKind::Definite,
        VerdictKind::Possible,
        VerdictKind::Unknown,
        VerdictKind::Unreachable,
        VerdictKind::Safe,
    ];
    /// The name in reports, in JSON and in relations.
    pub fn name(self) -> &'static str {
        match self {
            VerdictKind::Definite => "definite",
            VerdictKind::Possible => "possible",
            VerdictKind::Unknown => "unknown",
            VerdictKind::Unreachable => "unreachable",
            VerdictKind::Safe => "safe",
        }
    }
    /// Whether reports list findings of this verdict: what is decided well only when they are `verbose`, what is definite
    /// alone when they are `quiet`.
    pub fn is_shown(self, verbose: bool, quiet: bool) -> bool {
        match self {
            VerdictKind::Definite => true,
            VerdictKind::Possible | VerdictKind::Unknown => !quiet,
            VerdictKind::Unreachable | VerdictKind::Safe => verbose && !quiet,
        }
    }
}

impl Verdict {
    /// The verdict without its evidence.
    pub fn kind(&self) -> VerdictKind {
        match self {
            Verdict::Definite(_) => VerdictKind::Definite,
            Verdict::Possible(_) => VerdictKind::Possible,
            Verdict::Unknown(_) => VerdictKind::Unknown,
            Verdict::Unreachable(_) => VerdictKind::Unreachable,
            Verdict::Safe(_) => VerdictKind::Safe,
        }
    }
}

/// A verdict and the engine it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    pub verdict: Verdict,
    pub engine: &'static str,
}

/// What runs of the interpreter say of a site.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Erring {
    /// A run errs here, erred again from its inputs, and depends on nothing else.
    Certain(Failure),
    /// A run errs here, but no such thing is proved by it: why.
    Doubtful(String),
}
