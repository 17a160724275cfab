//! What sanitizers say of a run, and whether it is the error that was found.

use crate::ir::CheckKind;
use crate::verdict::{Check, Finding};
use std::fmt;
use std::path::Path;

/// What became of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replayed {
    /// A sanitizer reports the error: where.
    Confirmed(String),
    /// The run came to the place and no sanitizer has a check for it: why.
    NotVisible(String),
    /// The run did not come to the place, or could not be made: why.
    NotReproduced(String),
}

impl fmt::Display for Replayed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Replayed::Confirmed(place) => write!(f, "confirmed: {place}"),
            Replayed::NotVisible(why) => write!(f, "not visible to sanitizers: {why}"),
            Replayed::NotReproduced(why) => write!(f, "not reproduced: {why}"),
        }
    }
}

/// The result of a replay with what led to it.
#[derive(Clone, Debug)]
pub struct Judgement {
    pub replayed: Replayed,
    /// The commands that were run, as a shell takes them.
    pub commands: Vec<String>,
    /// What the compiler or the program said, shortened.
    pub said: String,
}

/// One message of a sanitizer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Report {
    pub message: String,
    /// Function, file and line, innermost first. The function is empty where only the line is known.
    pub frames: Vec<(String, String, u32)>,
}

/// Frames of a report that may be the error's: library functions and stubs stand above it.
const DEEPEST: usize = 8;
/// Lines that compilers may be apart from us in a statement of several lines.
const NEAR: u32 = 3;

/// The messages in what a program has written.
pub(super) fn reports(text: &str) -> Vec<Report> {
    let mut reports: Vec<Report> = Vec::new();
    // Only the first stack under a message is the error's.
    let mut stack_ended = true;
    for line in text.lines() {
        if let Some((place, message)) = line.split_once(": runtime error: ") {
            let frames = file_and_line(place).map(|(file, line)| (String::new(), file, line)).into_iter().collect();
            reports.push(Report { message: message.to_owned(), frames });
            stack_ended = false;
        } else if let Some((_, message)) = line
            .split_once("Sanitizer: ")
            .filter(|(before, _)| before.contains("ERROR: ") || before.contains("WARNING: "))
        {
            reports.push(Report { message: message.to_owned(), frames: Vec::new() });
            stack_ended = false;
        } else if line.contains("Assertion `") || line.contains("cellog-replay: the forbidden place") {
            reports.push(assertion(line));
            stack_ended = true;
        } else if line.trim_start().starts_with('#') {
            if let Some(report) = reports.last_mut().filter(|_| !stack_ended) {
                report.frames.extend(frame(line));
            }
        } else if line.trim().is_empty() && reports.last().is_some_and(|r| r.frames.len() > 1) {
            stack_ended = true;
        }
    }
    reports
}

/// `program: file.c:12: function: Assertion ...`.
fn assertion(line: &str) -> Report {
    let before = line.split("Assertion `").next().unwrap_or_default();
    let parts: Vec<&str> = before.split(": ").collect();
    let place = parts.iter().find_map(|p| file_and_line(p));
    let function = parts.get(2).map_or("", |f| f.split('(').next().unwrap_or_default()).to_owned();
    let frames = place.map(|(file, line)| (function, file, line)).into_iter().collect();
    Report { message: line.to_owned(), frames }
}

/// `    #1 0x55 in function file.c:12:3`.
fn frame(line: &str) -> Option<(String, String, u32)> {
    let (_, rest) = line.split_once(" in ")?;
    let (function, place) = rest.split_once(' ')?;
    let (file, line) = file_and_line(place)?;
    Some((function.to_owned(), file, line))
}

/// `file.c:12` or `file.c:12:3`.
fn file_and_line(place: &str) -> Option<(String, u32)> {
    let place = place.trim();
    let (before, last) = place.rsplit_once(':')?;
    let last: u32 = last.parse().ok()?;
    match before.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?))) {
        Some((file, line)) => Some((file.to_owned(), line)),
        None => Some((before.to_owned(), last)),
    }
}

/// Parts of messages that name the error of a check.
fn phrases(check: CheckKind) -> &'static [&'static str] {
    match check {
        CheckKind::DivByZero => &["division by zero", "FPE on"],
        CheckKind::SignedOverflow => &["signed integer overflow", "cannot be represented in type", "FPE on"],
        CheckKind::UnsignedOverflow => &["unsigned integer overflow"],
        CheckKind::Conversion => &["implicit conversion"],
        CheckKind::FloatConversion => &["outside the range of representable values"],
        CheckKind::Shift => &["shift exponent"],
        CheckKind::ShiftOverflow => &["left shift of"],
        CheckKind::VlaBound => &["variable length array bound evaluates to non-positive value"],
        CheckKind::IndexBound => &["out of bounds for type"],
        CheckKind::NullDeref => &["null pointer", "SEGV on", "BUS on"],
        CheckKind::OutOfBounds => &[
            "buffer-overflow",
            "buffer-underflow",
            "buffer-underwrite",
            "out of bounds for type",
            "insufficient space for an object",
            "negative-size-param",
            "use-after-poison",
            "unknown-crash",
            "param-overlap",
            "SEGV on",
            "BUS on",
        ],
        CheckKind::UseAfterFree => &["use-after-free", "use-after-return", "use-after-scope"],
        CheckKind::DoubleFree => &["double-free"],
        CheckKind::InvalidFree => &["not malloc()-ed", "bad-free"],
        CheckKind::UninitRead => &["use-of-uninitialized-value"],
        CheckKind::PointerDiff | CheckKind::PointerCompare => &["invalid-pointer-pair"],
        CheckKind::LibraryDomain => &["cannot be represented in type"],
        CheckKind::Assertion => &["Assertion `"],
        CheckKind::UnreachCall => &["Assertion `", "the forbidden place is reached"],
    }
}

/// The file and line at which a report is of the finding, if it is: the same error, at its line or in its function next to it.
pub(super) fn place_of(report: &Report, finding: &Finding) -> Option<(String, u32)> {
    let Check::Site(kind) = finding.check else { return None };
    if !phrases(kind).iter().any(|p| report.message.contains(p)) {
        return None;
    }
    let name = Path::new(&finding.location.file).file_name();
    let here = |(function, file, line): &&(String, String, u32)| {
        let apart = line.abs_diff(finding.location.line);
        Path::new(file).file_name() == name && (apart == 0 || apart <= NEAR && *function == finding.function)
    };
    let frame = report.frames.iter().take(DEEPEST).find(here);
    // A forbidden place may lie in a function that only the program knows.
    let frame = frame.or_else(|| report.frames.first().filter(|_| kind == CheckKind::UnreachCall));
    let unplaced = (kind == CheckKind::UnreachCall).then(|| (finding.location.file.clone(), finding.location.line));
    frame.map(|(_, file, line)| (file.clone(), *line)).or(unplaced)
}

/// Why no sanitizer reports what a run that came to the place does.
pub(super) fn invisible(check: CheckKind) -> &'static str {
    match check {
        CheckKind::UninitRead => {
            "reads of uninitialized memory are seen by MemorySanitizer alone, which needs clang, and there only when a branch \
             or an address depends on them"
        }
        CheckKind::OutOfBounds => {
            "the access leaves its object but hits other memory of the program, where sanitizers keep no guard"
        }
        CheckKind::UnsignedOverflow | CheckKind::Conversion => "C defines the result, and gcc has no check for it",
        CheckKind::PointerDiff | CheckKind::PointerCompare => {
            "the sanitizer compares objects by their memory blocks only"
        }
        CheckKind::UseAfterFree => "the memory was given out again, or its end is not marked",
        CheckKind::NullDeref => "the pointer points nowhere that C allows, but to memory that can be accessed",
        _ => "no sanitizer has a check for it here",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::SiteId;
    use crate::verdict::{Failure, Location, Verdict};

    const UBSAN: &str =
        "src/a.c:12:9: runtime error: division by zero\n    #0 0x1 in f src/a.c:12\n    #1 0x2 in main h.c:9\n";
    const ASAN: &str = "\
==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602 at pc 0x1
WRITE of size 1 at 0x602 thread T0
    #0 0x1 in cellog_copy h.c:40
    #1 0x2 in f /tmp/x/src/a.c:20:5

0x602 is located 0 bytes after
    #0 0x3 in malloc (libasan.so+0x9)
    #1 0x4 in g a.c:12
";

    fn finding(check: CheckKind, line: u32) -> Finding {
        let location = Location { file: "src/a.c".into(), line, column: 1 };
        let finding = Finding::at(check, location, "f", "", Verdict::Definite(Failure::default()), "");
        Finding { site: Some(SiteId(0)), ..finding }
    }
    fn confirmed(text: &str, check: CheckKind, line: u32) -> bool {
        reports(text).iter().any(|r| place_of(r, &finding(check, line)).is_some())
    }

    #[test]
    fn a_report_of_the_same_error_at_the_place_confirms() {
        assert!(confirmed(UBSAN, CheckKind::DivByZero, 12));
        assert!(confirmed(ASAN, CheckKind::OutOfBounds, 20));
        assert!(confirmed(ASAN, CheckKind::OutOfBounds, 19), "the same function, next line");
    }

    #[test]
    fn other_errors_and_other_places_do_not() {
        assert!(!confirmed(UBSAN, CheckKind::Shift, 12));
        assert!(!confirmed(UBSAN, CheckKind::DivByZero, 40));
        assert!(!confirmed(ASAN, CheckKind::OutOfBounds, 12), "where the block was allocated");
        assert!(!confirmed("", CheckKind::DivByZero, 12));
    }

    #[test]
    fn a_failed_assertion_names_its_line() {
        let text = "program: src/a.c:7: f: Assertion `x > 0' failed.\n";
        assert!(confirmed(text, CheckKind::Assertion, 7));
        assert!(!confirmed(text, CheckKind::Assertion, 90));
    }
}
