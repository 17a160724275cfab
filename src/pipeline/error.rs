//! Why something asked of the pipeline could not be done.

use crate::datalog::source::Rejected;

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The user asked for something that is not there.
    #[error("{0}")]
    Usage(String),
    /// Rules of the user's that have mistakes, which are shown with their lines.
    #[error("")]
    Rules(Box<Rejected>),
    /// A file could not be written.
    #[error("cannot write {path}: {error}")]
    Write { path: String, error: std::io::Error },
    /// A limit was reached before there was a result.
    #[error("{0}")]
    Limit(String),
    /// Nothing in the input could be analysed: why.
    #[error("nothing was analysed: {0}")]
    Nothing(String),
    /// A pass panicked; whoever set the hook for panics has told the user.
    #[error("")]
    Panicked,
    /// A broken invariant of the tool.
    #[error("internal error: {0}\n{PLEA}")]
    Internal(String),
}

/// What users are asked to do about a mistake of the tool.
pub const PLEA: &str = "This is a mistake in cellog, not in your program. Please report it, with the command line, the version \
                        (cellog --version) and, if you can, the preprocessed file.";
