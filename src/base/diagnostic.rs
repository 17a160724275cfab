//! What the tool says about its input: a severity, a message and places, free of any rendering.

use super::Span;
use serde::{Deserialize, Serialize};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Severity {
    /// The named input was not analysed.
    Error,
    /// Something was analysed less exactly than asked.
    Warning,
    /// Context of another diagnostic.
    Note,
}

/// One message about the user's input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    pub severity: Severity,
    pub message: String,
    /// Where; `Span::NONE` for the whole input.
    pub span: Span,
    /// Further places and what they say.
    pub notes: Vec<(Span, String)>,
    /// What the user can do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A diagnostic with a message alone.
    pub fn new(severity: Severity, span: Span, message: impl Into<String>) -> Self {
        Diagnostic { severity, message: message.into(), span, notes: Vec::new(), help: None }
    }
    /// An error at `span`.
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, span, message)
    }
    /// A warning at `span`.
    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, span, message)
    }
    /// The same with advice.
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
    /// The same with another place.
    pub fn with_note(mut self, span: Span, note: impl Into<String>) -> Self {
        self.notes.push((span, note.into()));
        self
    }
}
