//! Facts as CSV (RFC 4180), a file per relation with a header of column names.
//!
//! `relations.csv` lists the relations and how many rows each has. It is written last, so that a folder without it, or
//! one that disagrees with it, is known to be half-written.

use super::error::FactError;
use super::text::{cell, text};
use super::{FactStore, RelationInfo, catalog};
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

/// The file that lists the others.
pub const INDEX: &str = "relations.csv";

/// How much of the schema a folder holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// Every relation, and the index, as [`write_csv`] leaves them.
    Whole,
    /// Relations without a file are empty, and there is no index: facts written by hand.
    Part,
}

/// Writes all facts to `folder`, which is made if need be.
pub fn write_csv(facts: &FactStore, folder: &Path) -> Result<(), FactError> {
    std::fs::create_dir_all(folder).map_err(|source| FactError::File { path: folder.into(), source })?;
    // An index of an earlier export would vouch for files that are being overwritten.
    let index = folder.join(INDEX);
    if index.exists() {
        std::fs::remove_file(&index).map_err(|source| FactError::File { path: index.clone(), source })?;
    }
    for relation in catalog() {
        write_relation(facts, relation, &file_of(folder, relation))?;
    }
    let mut rows = vec![vec!["relation".to_owned(), "rows".to_owned()]];
    rows.extend(catalog().iter().map(|r| vec![r.name.to_owned(), facts.count(r.name).to_string()]));
    let mut writer = csv::Writer::from_path(&index).map_err(|e| written(&index, e))?;
    for row in rows {
        writer.write_record(row).map_err(|e| written(&index, e))?;
    }
    writer.flush().map_err(|source| FactError::File { path: index, source })
}

/// Reads the facts in `folder`.
pub fn read_csv(folder: &Path, extent: Extent) -> Result<FactStore, FactError> {
    let mut facts = FactStore::default();
    let wanted = match extent {
        Extent::Whole => Some(read_index(&folder.join(INDEX))?),
        Extent::Part => None,
    };
    for (at, relation) in catalog().iter().enumerate() {
        let path = file_of(folder, relation);
        if !path.exists() {
            match extent {
                Extent::Part => continue,
                Extent::Whole => return Err(FactError::Missing { path, hint: "" }),
            }
        }
        read_relation(&mut facts, relation, &path)?;
        let found = facts.count(relation.name);
        if let Some(wanted) = wanted.as_ref().and_then(|w| w[at])
            && wanted != found
        {
            return Err(FactError::Rows { path, found, wanted });
        }
    }
    Ok(facts)
}

fn file_of(folder: &Path, relation: &RelationInfo) -> std::path::PathBuf {
    folder.join(format!("{}.csv", relation.name))
}

fn written(path: &Path, error: csv::Error) -> FactError {
    FactError::File { path: path.into(), source: error.into() }
}

fn write_relation(facts: &FactStore, relation: &RelationInfo, path: &Path) -> Result<(), FactError> {
    let file = File::create(path).map_err(|source| FactError::File { path: path.into(), source })?;
    let mut writer = csv::Writer::from_writer(BufWriter::new(file));
    writer.write_record(relation.columns.iter().map(|c| c.name)).map_err(|e| written(path, e))?;
    let mut failed = None;
    facts.for_each(relation.name, &mut |cells| {
        if failed.is_none() {
            failed = writer.write_record(cells.iter().map(|c| text(*c, &facts.symbols))).err();
        }
    });
    match failed {
        Some(error) => Err(written(path, error)),
        None => writer.flush().map_err(|source| FactError::File { path: path.into(), source }),
    }
}

/// The number of rows of each relation of the catalogue, where the index names it.
fn read_index(path: &Path) -> Result<Vec<Option<usize>>, FactError> {
    if !path.exists() {
        let hint = "; it is written last, so the folder was not written to the end, or holds no facts";
        return Err(FactError::Missing { path: path.into(), hint });
    }
    let mut rows = vec![None; catalog().len()];
    each_record(path, &["relation", "rows"], |line, record| {
        let name = record.get(0).unwrap_or_default();
        let Some(at) = catalog().iter().position(|r| r.name == name) else {
            return Err(FactError::Relation { path: path.into(), line, name: name.to_owned() });
        };
        let count = record.get(1).unwrap_or_default();
        let wrong =
            || FactError::Number { path: path.into(), line, column: "rows", text: count.to_owned(), wanted: "count" };
        rows[at] = Some(count.parse().map_err(|_| wrong())?);
        Ok(())
    })?;
    match rows.iter().position(Option::is_none) {
        Some(missing) => {
            let reason = format!("relation `{}` is not listed", catalog()[missing].name);
            Err(FactError::Text { path: path.into(), line: 1, reason })
        }
        None => Ok(rows),
    }
}

fn read_relation(facts: &mut FactStore, relation: &'static RelationInfo, path: &Path) -> Result<(), FactError> {
    let header: Vec<&str> = relation.columns.iter().map(|c| c.name).collect();
    each_record(path, &header, |line, record| {
        let mut cells = Vec::with_capacity(header.len());
        for (column, text) in relation.columns.iter().zip(record.iter()) {
            cells.push(cell(column, text, &facts.symbols, path, line)?);
        }
        let accepted = facts.push(relation.name, &cells);
        assert!(accepted, "cells were made from the relation's own columns");
        Ok(())
    })
}

/// Calls `visit` with line and columns of every row below a header that must be `header`.
fn each_record(
    path: &Path,
    header: &[&str],
    mut visit: impl FnMut(u64, &csv::StringRecord) -> Result<(), FactError>,
) -> Result<(), FactError> {
    let file = File::open(path).map_err(|source| FactError::File { path: path.into(), source })?;
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(file);
    let mut record = csv::StringRecord::new();
    let mut first = true;
    loop {
        let line = reader.position().line();
        let more = reader.read_record(&mut record).map_err(|e| match e.into_kind() {
            csv::ErrorKind::Io(source) => FactError::File { path: path.into(), source },
            other => FactError::Text { path: path.into(), line, reason: reason(&other) },
        })?;
        if first {
            first = false;
            if !more || record.iter().ne(header.iter().copied()) {
                let found = record.iter().collect::<Vec<_>>().join(",");
                return Err(FactError::Header { path: path.into(), found, wanted: header.join(",") });
            }
            continue;
        }
        if !more {
            return Ok(());
        }
        let line = record.position().map_or(line, csv::Position::line);
        if record.len() != header.len() {
            let (found, wanted) = (record.len(), header.len());
            return Err(FactError::Arity { path: path.into(), line, found, wanted });
        }
        visit(line, &record)?;
    }
}

fn reason(kind: &csv::ErrorKind) -> String {
    match kind {
        csv::ErrorKind::Utf8 { .. } => "not UTF-8 text".to_owned(),
        other => format!("{other:?}"),
    }
}

#[cfg(test)]
pub mod tests;
