//! Files that are written whole or not at all.

use super::error::Error;
use std::fs::Permissions;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Writes the file `path`, which then has all of `bytes` or is as it was.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    replace(path, bytes).map_err(|error| Error::Write { path: path.display().to_string(), error })
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
