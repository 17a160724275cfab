//! Preprocessed units in a file: what `facts --format unit` and `link` write, and every command reads in place of C files.
//!
//! After the magic bytes stand a digest of what follows and then [`Content`] as postcard encodes it.

use crate::base::{Diagnostic, Severity, Span};
use crate::frontend::preprocess::PreprocessedUnit;
use crate::pipeline::error::Error;
use crate::pipeline::write::write_file;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::io::Read;
use std::path::{Path, PathBuf};

/// What such files begin with.
const MAGIC: &[u8; 8] = b"CELLUNIT";
/// Bytes of a digest.
const DIGEST: usize = 32;

/// The units of a file.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Content {
    /// The version that wrote them.
    version: String,
    /// The data model that they were preprocessed for.
    arch: String,
    units: Vec<Unit>,
    /// Folders that names in them may be relative to.
    pub folders: Vec<PathBuf>,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Unit {
    file: String,
    text: Vec<u8>,
    /// What was said when it was preprocessed, and what to do about it.
    warnings: Vec<(String, Option<String>)>,
}

impl Content {
    /// These units.
    pub fn new(arch: &str, units: Vec<PreprocessedUnit>, folders: Vec<PathBuf>) -> Content {
        let kept = |unit: PreprocessedUnit| Unit {
            file: unit.file,
            text: unit.text,
            warnings: unit.diagnostics.into_iter().map(|d| (d.message, d.help)).collect(),
        };
        let units = units.into_iter().map(kept).collect();
        Content { version: env!("CARGO_PKG_VERSION").to_owned(), arch: arch.to_owned(), units, folders }
    }

    /// The units as the preprocessor gave them.
    pub fn units(self) -> impl Iterator<Item = PreprocessedUnit> {
        let warning = |(message, help)| {
            let diagnostic = Diagnostic::new(Severity::Warning, Span::NONE, message);
            Diagnostic { help, ..diagnostic }
        };
        self.units.into_iter().map(move |unit| PreprocessedUnit {
            file: unit.file,
            text: unit.text,
            diagnostics: unit.warnings.into_iter().map(warning).collect(),
        })
    }

    /// Writes the file `path`: all of it, or nothing and an error.
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        let bytes = postcard::to_stdvec(self).map_err(|error| Error::Internal(error.to_string()))?;
        write_file(path, &[&MAGIC[..], &Sha256::digest(&bytes)[..], &bytes].concat())
    }
}

/// The units in the file `path`, which are to be analysed for the data model `arch`; None if it is no file of units.
pub fn read_units(path: &Path, arch: &str) -> Result<Option<Content>, Error> {
    let Ok(mut file) = std::fs::File::open(path) else { return Ok(None) };
    let mut head = [0; MAGIC.len() + DIGEST];
    if file.read_exact(&mut head).is_err() || !head.starts_with(MAGIC) {
        return Ok(None);
    }
    let unusable = |why: &str| Error::Usage(format!("{}: {why}", path.display()));
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(|error| unusable(&format!("cannot be read: {error}")))?;
    if head[MAGIC.len()..] != *Sha256::digest(&bytes) {
        return Err(unusable("this file of units is damaged; write it again"));
    }
    let version = postcard::take_from_bytes::<String>(&bytes).map(|(version, _)| version).unwrap_or_default();
    if version != env!("CARGO_PKG_VERSION") {
        return Err(unusable(&format!("these units were written by version {version} of cellog; write them again")));
    }
    let content: Content = postcard::from_bytes(&bytes).map_err(|error| unusable(&error.to_string()))?;
    if content.arch != arch {
        return Err(unusable(&format!("these units were preprocessed for --arch {}", content.arch)));
    }
    Ok(Some(content))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content() -> Content {
        let warning = Diagnostic::new(Severity::Warning, Span::NONE, "odd flag").with_help("leave it out");
        let unit = PreprocessedUnit { file: "a.c".into(), text: b"int x;\xff".to_vec(), diagnostics: vec![warning] };
        Content::new("lp64", vec![unit], vec!["src".into()])
    }

    #[test]
    fn what_was_written_is_read() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let path = dir.path().join("a.unit");
        content().write(&path).expect("it can be written");
        let read = read_units(&path, "lp64").expect("it can be read").expect("it has units");
        assert_eq!(read, content());
        let unit = read.units().next().expect("there is one");
        assert_eq!((unit.file.as_str(), unit.diagnostics[0].help.as_deref()), ("a.c", Some("leave it out")));
        let error = read_units(&path, "ilp32").expect_err("another data model").to_string();
        assert!(error.ends_with("were preprocessed for --arch lp64"), "{error}");
    }

    #[test]
    fn damage_is_noticed_and_c_is_no_such_file() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let path = dir.path().join("a.unit");
        content().write(&path).expect("it can be written");
        let good = std::fs::read(&path).expect("it is there");
        for at in MAGIC.len()..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 1;
            std::fs::write(&path, bad).expect("it can be written");
            assert!(read_units(&path, "lp64").is_err(), "changed at {at}");
        }
        std::fs::write(&path, "int main(void) { return 0; } /* long enough to have had a digest */").expect("written");
        assert_eq!(read_units(&path, "lp64").expect("it can be read"), None);
        assert_eq!(read_units(&dir.path().join("none"), "lp64").expect("no error yet"), None);
    }
}
