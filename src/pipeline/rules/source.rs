//! Users' rules from files and the command line.

use crate::datalog::language;
use crate::datalog::users::{Composed, Source, SourceKind, compose};
use crate::pipeline::error::Error;
use std::path::{Path, PathBuf};

/// The rule files of these paths.
pub fn read_rules(files: &[PathBuf]) -> Result<Vec<Source>, Error> {
    let read = |path: &PathBuf| {
        let name = language::load::normal(&path.to_string_lossy());
        let text = std::fs::read_to_string(path).map_err(|e| Error::Usage(format!("{}: {e}", path.display())))?;
        Ok(Source { name, text, kind: SourceKind::File })
    };
    files.iter().map(read).collect()
}

/// A query from the command line.
pub fn query_source(text: &str) -> Source {
    Source { name: "<query>".to_owned(), text: text.to_owned(), kind: SourceKind::Query }
}

/// One program of these, with what may be wrong with them as its warnings.
///
/// # Errors
/// [`Error::Rules`]: all that is wrong with them.
pub fn compose_rules(sources: &[Source]) -> Result<Composed, Error> {
    let mut read = |path: &str| std::fs::read_to_string(Path::new(path)).map_err(|error| error.to_string());
    compose(sources, &mut read).map_err(Error::Rules)
}
