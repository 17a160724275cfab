//! Whether a finding asks to be acted on: suppressed by its owners, or known from an earlier report.

/// Where a finding stands besides its verdict.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// The program that it is found in, where several are judged at once.
    pub program: Option<String>,
    pub suppression: Option<Suppression>,
    /// Against an earlier report, when one was given.
    pub baseline: Option<Baseline>,
}

/// A decision to live with a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suppression {
    pub by: SuppressedBy,
    pub reason: String,
}

/// Who decided it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuppressedBy {
    /// A comment in the source.
    Comment,
    /// The configuration file.
    Configuration,
}

/// A finding against an earlier report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Baseline {
    /// The earlier report does not have it.
    New,
    /// It has it, with the same verdict or a worse one.
    Known,
    /// It has it with a better verdict.
    Worse,
}

impl Baseline {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Baseline::New => "new",
            Baseline::Known => "known",
            Baseline::Worse => "worse",
        }
    }
}

impl SuppressedBy {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            SuppressedBy::Comment => "comment",
            SuppressedBy::Configuration => "configuration",
        }
    }
}

impl Standing {
    /// Whether the finding is neither suppressed nor known.
    pub fn is_open(&self) -> bool {
        self.suppression.is_none() && self.baseline != Some(Baseline::Known)
    }
}
