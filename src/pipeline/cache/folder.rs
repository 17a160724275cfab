//! A folder of files by key: each is whole and undamaged, or as good as absent. Several programs may use it at once.

use super::key::Key;
use sha2::{Digest, Sha256};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// What files begin with.
const MAGIC: &[u8; 8] = b"CELLOG\x00\x01";
/// Bytes of a digest.
const DIGEST: usize = 32;
/// Bytes of all files together before the oldest are removed.
const MOST: u64 = 512 << 20;
/// One write of so many looks whether there is too much.
const SELDOM: u8 = 32;
/// Age of files that some run left half written.
const STALE: Duration = Duration::from_secs(24 * 3600);

/// A folder of files by key.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// The folder at `path`, which need not be there yet.
    pub fn new(path: PathBuf) -> Folder {
        Folder { path }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The bytes kept under `key`. A damaged file is removed.
    pub fn read(&self, key: &Key) -> Option<Vec<u8>> {
        let path = self.file(key);
        let mut bytes = std::fs::read(&path).ok()?;
        let start = MAGIC.len() + DIGEST;
        let is_whole = bytes.len() >= start
            && bytes.starts_with(MAGIC)
            && bytes[MAGIC.len()..start] == digest(key, &bytes[start..]);
        if !is_whole {
            let _ = std::fs::remove_file(path);
            return None;
        }
        bytes.drain(..start);
        Some(bytes)
    }

    /// Keeps `bytes` under `key`: all of them, or none and an error.
    pub fn write(&self, key: &Key, bytes: &[u8]) -> io::Result<()> {
        std::fs::create_dir_all(&self.path)?;
        let digest = digest(key, bytes);
        let mut file = tempfile::Builder::new().prefix(".half-").tempfile_in(&self.path)?;
        file.write_all(MAGIC)?;
        file.write_all(&digest)?;
        file.write_all(bytes)?;
        file.persist(self.file(key)).map_err(|error| error.error)?;
        if digest[0].is_multiple_of(SELDOM) {
            self.shrink(MOST);
        }
        Ok(())
    }

    /// Removes what was written longest ago until no more than `most` bytes are left, and what was left half written.
    fn shrink(&self, most: u64) {
        let Ok(entries) = std::fs::read_dir(&self.path) else { return };
        let mut files = Vec::new();
        let mut total = 0;
        for entry in entries.flatten() {
            let Ok(metadata) = entry.metadata() else { continue };
            let modified = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            let half = entry.file_name().to_string_lossy().starts_with(".half-");
            if !half {
                total += metadata.len();
                files.push((modified, metadata.len(), entry.path()));
            } else if modified.elapsed().is_ok_and(|age| age > STALE) {
                let _ = std::fs::remove_file(entry.path());
            }
        }
        files.sort();
        for (_, length, path) in files {
            if total <= most {
                break;
            }
            if std::fs::remove_file(path).is_ok() {
                total -= length;
            }
        }
    }

    fn file(&self, key: &Key) -> PathBuf {
        self.path.join(key.to_string())
    }
}

/// The digest of what a file is for and what it has, so that no file is taken for another.
fn digest(key: &Key, bytes: &[u8]) -> [u8; DIGEST] {
    Sha256::new().chain_update(key.to_string()).chain_update(bytes).finalize().into()
}

#[cfg(test)]
mod tests {
    use super::super::key::KeyMaker;
    use super::*;

    fn key(text: &str) -> Key {
        let mut maker = KeyMaker::default();
        maker.add(&text);
        maker.finish_key()
    }

    #[test]
    fn what_was_kept_is_found_and_nothing_else() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let folder = Folder::new(dir.path().join("not/yet"));
        assert_eq!(folder.read(&key("a")), None);
        folder.write(&key("a"), b"first").expect("it can be written");
        folder.write(&key("a"), b"second").expect("it can be written");
        assert_eq!(folder.read(&key("a")).as_deref(), Some(&b"second"[..]));
        assert_eq!(folder.read(&key("b")), None);
    }

    #[test]
    fn damaged_and_foreign_files_are_removed() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let folder = Folder::new(dir.path().to_owned());
        folder.write(&key("a"), b"some bytes").expect("it can be written");
        let path = folder.file(&key("a"));
        let good = std::fs::read(&path).expect("it is there");
        for length in 0..good.len() {
            std::fs::write(&path, &good[..length]).expect("it can be written");
            assert_eq!(folder.read(&key("a")), None, "cut to {length}");
            assert!(!path.exists());
        }
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 4;
            std::fs::write(&path, bad).expect("it can be written");
            assert_eq!(folder.read(&key("a")), None, "changed at {at}");
        }
        std::fs::write(folder.file(&key("b")), good).expect("it can be written");
        assert_eq!(folder.read(&key("b")), None, "another's file");
    }

    #[test]
    fn the_oldest_go_when_there_is_too_much() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let folder = Folder::new(dir.path().to_owned());
        for (age, name) in [(300, "old"), (200, "older than new"), (100, "new")] {
            folder.write(&key(name), &[0; 1000]).expect("it can be written");
            let file = std::fs::File::options().append(true).open(folder.file(&key(name))).expect("it is there");
            file.set_modified(SystemTime::now() - Duration::from_secs(age)).expect("times can be set");
        }
        folder.shrink(2500);
        let left = ["old", "older than new", "new"].map(|name| folder.read(&key(name)).is_some());
        assert_eq!(left, [false, true, true]);
    }
}
