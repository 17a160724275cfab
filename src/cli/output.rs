//! Where reports go: standard output or a file, whole or not at all.

use super::exit::CliError;
use std::fs::Permissions;
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Writes `text` to standard output, or to `path`, which then has all of it or is as it was.
/// A reader that has gone away is no error.
pub fn write_report(text: &str, path: Option<&Path>) -> Result<(), CliError> {
    match path {
        None => match write_stdout(text) {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                Err(CliError::Write { path: "standard output".to_owned(), error })
            }
            _ => Ok(()),
        },
        Some(path) => write_file(path, text.as_bytes()),
    }
}

/// Writes the file `path`, which then has all of `bytes` or is as it was.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    replace(path, bytes).map_err(|error| CliError::Write { path: path.display().to_string(), error })
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

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // Devices and pipes cannot be replaced, links should not be.
    if std::fs::symlink_metadata(path).is_ok_and(|m| !m.is_file()) {
        return std::fs::write(path, bytes);
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // The process's umask takes its share of these permissions.
    let mut file = tempfile::Builder::new().permissions(Permissions::from_mode(0o666)).tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.persist(path).map_err(|e| e.error)?;
    Ok(())
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
