//! `--relation NAME=FILE.csv`: relations of the user's own beside the facts.

use crate::datalog::users::{Composed, Source, SourceKind, columns};
use crate::facts::{Cell, Symbols};
use crate::pipeline::error::Error;
use std::path::PathBuf;

/// A relation read from a file.
#[derive(Clone, Debug, Hash)]
pub struct RelationFile {
    pub name: String,
    path: PathBuf,
    /// The first line: a name for each column, with a type behind `:` or not.
    header: Vec<String>,
    records: Vec<Vec<String>>,
}

/// Reads what the options name.
pub fn read_relations(options: &[String]) -> Result<Vec<RelationFile>, Error> {
    options.iter().map(|option| read_relation(option)).collect()
}

fn read_relation(option: &str) -> Result<RelationFile, Error> {
    let wrong = |reason: String| Error::Usage(format!("--relation {option}: {reason}"));
    let (name, path) = option.split_once('=').ok_or_else(|| wrong("NAME=FILE.csv is needed".to_owned()))?;
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.is_empty() || !name.chars().all(plain) || name.starts_with(|c: char| c.is_ascii_digit()) {
        return Err(wrong(format!("`{name}` is no name of a relation")));
    }
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_path(path).map_err(|e| wrong(e.to_string()))?;
    let mut records = Vec::new();
    for record in reader.records() {
        records.push(record.map_err(|e| wrong(e.to_string()))?.iter().map(str::to_owned).collect());
    }
    if records.is_empty() {
        return Err(wrong("the file needs a first line with the names of the columns".to_owned()));
    }
    let header = records.remove(0);
    Ok(RelationFile { name: name.to_owned(), path: path.into(), header, records })
}

impl RelationFile {
    /// A declaration made from the header, unless one of `sources` declares the relation: a column without a type is a
    /// number if all its values are.
    pub fn declaration(&self, sources: &[Source]) -> Option<Source> {
        let declares = |text: &str| {
            text.split(".decl").skip(1).any(|rest| {
                let rest = rest.trim_start();
                rest.strip_prefix(self.name.as_str()).is_some_and(|rest| rest.trim_start().starts_with('('))
            })
        };
        if sources.iter().any(|source| declares(&source.text)) {
            return None;
        }
        let columns: Vec<String> = self.header.iter().enumerate().map(|(at, name)| self.column(at, name)).collect();
        let text = format!(".decl {0}({1})\n.input {0}\n", self.name, columns.join(", "));
        Some(Source { name: format!("<relation {}>", self.name), text, kind: SourceKind::File })
    }

    fn column(&self, at: usize, name: &str) -> String {
        if let Some((name, type_name)) = name.split_once(':') {
            return format!("{}: {}", name.trim(), type_name.trim());
        }
        let numbers = self.records.iter().all(|record| record.get(at).is_some_and(|text| text.parse::<i64>().is_ok()));
        let kind = if numbers && !self.records.is_empty() { "number" } else { "symbol" };
        format!("{}: {kind}", name.trim())
    }

    /// The rows by the declared types of the columns.
    pub fn rows(&self, composed: &Composed, symbols: &Symbols) -> Result<Vec<Vec<Cell>>, Error> {
        let declared = columns(&composed.ast, &composed.scope, &self.name).unwrap_or_default();
        let wrong = |line: usize, what: String| Error::Usage(format!("{}:{}: {what}", self.path.display(), line + 2));
        let mut rows = Vec::with_capacity(self.records.len());
        for (line, record) in self.records.iter().enumerate() {
            if record.len() != declared.len() {
                return Err(wrong(
                    line,
                    format!("{} columns, but `{}` has {}", record.len(), self.name, declared.len()),
                ));
            }
            let mut row = Vec::with_capacity(record.len());
            for (text, column) in record.iter().zip(&declared) {
                let cell = match column.types.last().map(String::as_str) {
                    Some("number") => text.parse().ok().map(Cell::Number),
                    Some("unsigned") => text.parse().ok().map(Cell::Unsigned),
                    Some("symbol") => Some(Cell::Symbol(symbols.intern(text))),
                    _ => None,
                };
                row.push(
                    cell.ok_or_else(|| wrong(line, format!("`{text}` is no value for column `{}`", column.name)))?,
                );
            }
            rows.push(row);
        }
        Ok(rows)
    }
}
