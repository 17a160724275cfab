//! Where reports go: standard output or a file, whole or not at all.

use crate::pipeline::Error;
use crate::pipeline::write::write_file;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

/// Writes `text` to standard output, or to `path`, which then has all of it or is as it was.
/// A reader that has gone away is no error.
pub fn write_report(text: &str, path: Option<&Path>) -> Result<(), Error> {
    match path {
        None => match write_stdout(text) {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                Err(Error::Write { path: "standard output".to_owned(), error })
            }
            _ => Ok(()),
        },
        Some(path) => write_file(path, text.as_bytes()),
    }
}

/// Writes a line of words for the user to standard error; nothing is to be done when that fails.
pub fn tell(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

fn write_stdout(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let path = dir.path().join("report.json");
        write_report("old and long", Some(&path)).expect("writes");
        write_report("new", Some(&path)).expect("writes");
        assert_eq!(std::fs::read_to_string(&path).expect("reads"), "new");
        assert_eq!(std::fs::read_dir(dir.path()).expect("lists").count(), 1);
    }

    #[test]
    fn a_missing_folder_is_named() {
        let error = write_report("x", Some(Path::new("/nonexistent/r.json"))).expect_err("no such folder");
        assert!(error.to_string().starts_with("cannot write /nonexistent/r.json: "), "{error}");
    }
}
