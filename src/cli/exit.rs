//! How a run can end, and what is said when it ends badly.

use std::panic::PanicHookInfo;

/// The exit statuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitStatus {
    /// Nothing definite was found; for other commands: done.
    Clean = 0,
    /// Something definite was found.
    Definite = 1,
    /// Bad usage or unreadable input.
    Usage = 2,
    /// A mistake of the tool.
    Internal = 3,
    /// Nothing was analysed.
    Nothing = 4,
    /// Ctrl-C, and nothing definite until then.
    Interrupted = 130,
}

/// Why a command could not do its work.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// The user asked for something that is not there.
    #[error("{0}")]
    Usage(String),
    /// Already told, with excerpts.
    #[error("")]
    Told(ExitStatus),
    /// The report or the facts could not be written.
    #[error("cannot write {path}: {error}")]
    Write { path: String, error: std::io::Error },
    /// A limit was reached before there was a result.
    #[error("{0}")]
    Limit(String),
    /// Nothing in the input could be analysed: why.
    #[error("nothing was analysed: {0}")]
    Nothing(String),
    /// A broken invariant of the tool.
    #[error("internal error: {0}\n{REPORT}")]
    Internal(String),
}

impl CliError {
    /// The exit status that stands for it.
    pub fn status(&self) -> ExitStatus {
        match self {
            CliError::Usage(_) | CliError::Write { .. } | CliError::Limit(_) => ExitStatus::Usage,
            CliError::Told(status) => *status,
            CliError::Nothing(_) => ExitStatus::Nothing,
            CliError::Internal(_) => ExitStatus::Internal,
        }
    }
}

const REPORT: &str = "This is a mistake in cellog, not in your program. Please report it, with the command line, the version \
                      (cellog --version) and, if you can, the preprocessed file.";

/// What to say of a panic: a short message that asks for a report.
pub fn panic_message(info: &PanicHookInfo<'_>) -> String {
    let payload = info.payload();
    let what = payload
        .downcast_ref::<&str>()
        .map(|s| (*s).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "unknown cause".to_owned());
    let place = info.location().map(|l| format!("panicked at {}:{}: ", l.file(), l.line())).unwrap_or_default();
    format!("cellog: internal error: {place}{what}\n{REPORT}")
}
