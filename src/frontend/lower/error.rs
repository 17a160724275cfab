//! What can stop the lowering of a statement, a declaration or a function.

use crate::base::Span;

/// Why something was not lowered.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LowerError {
    /// Valid C (or GNU C) that the IR does not express; costs the statement it stands in.
    #[error("{construct} is not supported")]
    Unsupported { construct: String, span: Span },
    /// Not C: undeclared names, wrong types, ...
    #[error("{message}")]
    Invalid { message: String, span: Span },
    /// A constant was needed.
    #[error("not a constant expression")]
    NotConstant { span: Span },
}

impl LowerError {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            LowerError::Unsupported { span, .. }
            | LowerError::Invalid { span, .. }
            | LowerError::NotConstant { span } => *span,
        }
    }
    pub(crate) fn unsupported<T>(span: Span, construct: impl Into<String>) -> Result<T, LowerError> {
        Err(LowerError::Unsupported { construct: construct.into(), span })
    }
    pub(crate) fn invalid<T>(span: Span, message: impl Into<String>) -> Result<T, LowerError> {
        Err(LowerError::Invalid { message: message.into(), span })
    }
}

/// The result of lowering a part.
pub(crate) type Lowered<T> = Result<T, LowerError>;
