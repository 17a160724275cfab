//! What can be wrong with a folder of facts.

use std::path::PathBuf;
use thiserror::Error;

/// Why facts could not be written or read. Lines count from 1, headers included.
#[derive(Debug, Error)]
pub enum FactError {
    #[error("{}: {source}", path.display())]
    File { path: PathBuf, source: std::io::Error },
    #[error("{}: the file is missing{hint}", path.display())]
    Missing { path: PathBuf, hint: &'static str },
    #[error("{}:1: the header is `{found}`, wanted `{wanted}`", path.display())]
    Header { path: PathBuf, found: String, wanted: String },
    #[error("{}:{line}: {found} columns, wanted {wanted}", path.display())]
    Arity { path: PathBuf, line: u64, found: usize, wanted: usize },
    #[error("{}:{line}: `{text}` in column `{column}` is no {wanted}", path.display())]
    Number { path: PathBuf, line: u64, column: &'static str, text: String, wanted: &'static str },
    #[error("{}:{line}: {reason}", path.display())]
    Text { path: PathBuf, line: u64, reason: String },
    #[error("{}: {found} rows, but {} says {wanted}: the folder was changed or not written to the end", path.display(), super::csv::INDEX)]
    Rows { path: PathBuf, found: usize, wanted: usize },
    #[error("{}: {reason}", path.display())]
    Sqlite { path: PathBuf, reason: String },
    #[error("{}:{line}: there is no relation `{name}`", path.display())]
    Relation { path: PathBuf, line: u64, name: String },
}
