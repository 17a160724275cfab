//! What findings are of: a kind of check site, or a rule.

use super::message::{advice, error_phrase, explanation};
use super::{Weakness, weakness};
use crate::ir::CheckKind;
use std::fmt;

/// What a finding is of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Check {
    /// Check sites of this kind.
    Site(CheckKind),
    /// The rules for the relation `find_...` of this name.
    Rule(String),
}

impl Check {
    /// The name on the command line, in reports and in JSON.
    pub fn name(&self) -> &str {
        match self {
            Check::Site(kind) => kind.name(),
            Check::Rule(name) => name,
        }
    }

    /// The error at `subject`, in one line; a rule's findings say it all themselves.
    pub fn message(&self, subject: &str) -> String {
        match self {
            Check::Site(kind) if subject.is_empty() => error_phrase(*kind).to_owned(),
            Check::Site(kind) => format!("{}: {subject}", error_phrase(*kind)),
            Check::Rule(name) if subject.is_empty() => name.clone(),
            Check::Rule(_) => subject.to_owned(),
        }
    }

    /// What a finding of it is, in a few words.
    pub fn phrase(&self) -> String {
        match self {
            Check::Site(kind) => error_phrase(*kind).to_owned(),
            Check::Rule(name) => format!("what the rule {name} finds"),
        }
    }

    /// How bad an error of this kind is for who depends on the program, from 0 to 10 as the Common Vulnerability Scoring System
    /// has it: what lets others write memory is worst, what only ends the program is less bad.
    pub fn severity(&self) -> &'static str {
        let Check::Site(kind) = self else { return "5.0" };
        match kind {
            CheckKind::OutOfBounds | CheckKind::UseAfterFree | CheckKind::DoubleFree | CheckKind::InvalidFree => "8.8",
            CheckKind::IndexBound | CheckKind::UninitRead => "7.1",
            CheckKind::SignedOverflow | CheckKind::UnsignedOverflow | CheckKind::VlaBound => "6.5",
            CheckKind::NullDeref | CheckKind::DivByZero | CheckKind::Assertion | CheckKind::UnreachCall => "5.5",
            _ => "4.0",
        }
    }

    /// What the error is and why it matters.
    pub fn explanation(&self) -> String {
        match self {
            Check::Site(kind) => explanation(*kind).to_owned(),
            Check::Rule(name) => format!("The rules for the relation find_{name} derive a tuple."),
        }
    }

    /// What can be done about it.
    pub fn advice(&self) -> &'static str {
        match self {
            Check::Site(kind) => advice(*kind),
            Check::Rule(_) => "Follow the rule's message.",
        }
    }

    /// Its entry in the Common Weakness Enumeration, whatever the site.
    pub fn weakness(&self) -> Option<Weakness> {
        match self {
            Check::Site(kind) => weakness(*kind, None),
            Check::Rule(_) => None,
        }
    }
}

impl From<CheckKind> for Check {
    fn from(kind: CheckKind) -> Check {
        Check::Site(kind)
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
