//! How a run can end, and what is said when it ends badly.

use super::mistakes::tell_mistakes;
use super::output::tell;
use crate::pipeline::Error;
use crate::pipeline::error::PLEA;
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

impl ExitStatus {
    /// The status that stands for `error`.
    pub fn of(error: &Error) -> ExitStatus {
        match error {
            Error::Usage(_) | Error::Rules(_) | Error::Write { .. } | Error::Limit(_) => ExitStatus::Usage,
            Error::Nothing(_) => ExitStatus::Nothing,
            Error::Internal(_) | Error::Panicked => ExitStatus::Internal,
        }
    }
}

/// Says what went wrong, with `before` in front of words: nothing of a panic, which has been told.
pub fn tell_error(error: &Error, before: &str) {
    match error {
        Error::Rules(rejected) => tell_mistakes(&rejected.program.texts, &rejected.diagnostics),
        Error::Panicked => {}
        _ => tell(&format!("{before}{error}")),
    }
}

/// What to say of a panic: a short message that asks for a report.
pub fn panic_message(info: &PanicHookInfo<'_>) -> String {
    let payload = info.payload();
    let what = payload
        .downcast_ref::<&str>()
        .map(|s| (*s).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "unknown cause".to_owned());
    let place = info.location().map(|l| format!("panicked at {}:{}: ", l.file(), l.line())).unwrap_or_default();
    format!("cellog: internal error: {place}{what}\n{PLEA}")
}
