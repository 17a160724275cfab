//! Facts for Souffle: `relation.facts` per relation, columns parted by tabs, and `decls.dl` that declares and reads them.
//!
//! Souffle knows no escapes in such files: a backslash, tab or line end in a symbol is written as `\\`, `\t`, `\n`, `\r`, and
//! undone on reading here. Run it with 64-bit numbers (`souffle -D. -F. decls.dl`, built with `RAM_DOMAIN_SIZE=64`).

use super::error::FactError;
use super::text::{cell, text};
use super::{Cell, FactStore, RelationInfo, TypeInfo, catalog, types};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};

/// The file with the declarations; written last.
pub const DECLARATIONS: &str = "decls.dl";

/// Writes all facts to `folder`, which is made if need be.
pub fn write_souffle(facts: &FactStore, folder: &Path) -> Result<(), FactError> {
    let failed = |path: &Path, source| FactError::File { path: path.into(), source };
    std::fs::create_dir_all(folder).map_err(|e| failed(folder, e))?;
    let declarations = folder.join(DECLARATIONS);
    if declarations.exists() {
        std::fs::remove_file(&declarations).map_err(|e| failed(&declarations, e))?;
    }
    for relation in catalog() {
        let path = file_of(folder, relation);
        write_relation(facts, relation, &path).map_err(|e| failed(&path, e))?;
    }
    std::fs::write(&declarations, declare_all()).map_err(|e| failed(&declarations, e))
}

/// Reads the facts that [`write_souffle`] wrote to `folder`.
pub fn read_souffle(folder: &Path) -> Result<FactStore, FactError> {
    let declarations = folder.join(DECLARATIONS);
    if !declarations.exists() {
        let hint = "; it is written last, so the folder was not written to the end, or holds no facts";
        return Err(FactError::Missing { path: declarations, hint });
    }
    let mut facts = FactStore::default();
    for relation in catalog() {
        let path = file_of(folder, relation);
        if !path.exists() {
            return Err(FactError::Missing { path, hint: "" });
        }
        read_relation(&mut facts, relation, &path)?;
    }
    Ok(facts)
}

/// The declarations of all types and relations, in the syntax of the rule language.
pub fn declare_all() -> String {
    let mut out = String::from("// Input relations, as exported.\n");
    for t in types() {
        document(&mut out, t.doc);
        declare_type(&mut out, t);
    }
    for r in catalog() {
        out.push('\n');
        document(&mut out, r.doc);
        let columns: Vec<String> = r.columns.iter().map(|c| format!("{}: {}", c.name, c.type_name)).collect();
        let _ = writeln!(out, ".decl {}({})\n.input {}", r.name, columns.join(", "), r.name);
    }
    out
}

fn declare_type(out: &mut String, t: &TypeInfo) {
    let _ = match t.fields {
        [] => writeln!(out, ".type {} <: {}", t.name, t.parent),
        fields => {
            let fields: Vec<String> = fields.iter().map(|f| format!("{}: {}", f.name, f.type_name)).collect();
            writeln!(out, ".type {} = [{}]", t.name, fields.join(", "))
        }
    };
}

fn document(out: &mut String, doc: &str) {
    for line in doc.lines() {
        let _ = writeln!(out, "// {}", line.trim());
    }
}

fn file_of(folder: &Path, relation: &RelationInfo) -> PathBuf {
    folder.join(format!("{}.facts", relation.name))
}

fn write_relation(facts: &FactStore, relation: &RelationInfo, path: &Path) -> std::io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    let mut failed = None;
    facts.for_each(relation.name, &mut |cells| {
        let columns: Vec<String> = cells.iter().map(|c| escape(&text(*c, &facts.symbols))).collect();
        if failed.is_none() {
            failed = writeln!(file, "{}", columns.join("\t")).err();
        }
    });
    match failed {
        Some(error) => Err(error),
        None => file.flush(),
    }
}

fn read_relation(facts: &mut FactStore, relation: &'static RelationInfo, path: &Path) -> Result<(), FactError> {
    let file = File::open(path).map_err(|source| FactError::File { path: path.into(), source })?;
    for (number, line) in BufReader::new(file).lines().enumerate() {
        let at = number as u64 + 1;
        let line = line.map_err(|e| match e.kind() {
            std::io::ErrorKind::InvalidData => {
                FactError::Text { path: path.into(), line: at, reason: "not UTF-8 text".to_owned() }
            }
            _ => FactError::File { path: path.into(), source: e },
        })?;
        let columns: Vec<&str> = line.split('\t').collect();
        if columns.len() != relation.columns.len() {
            let (found, wanted) = (columns.len(), relation.columns.len());
            return Err(FactError::Arity { path: path.into(), line: at, found, wanted });
        }
        let mut cells: Vec<Cell> = Vec::with_capacity(columns.len());
        for (column, text) in relation.columns.iter().zip(columns) {
            let Some(text) = unescape(text) else {
                let reason = format!("a backslash in column `{}` that stands for nothing", column.name);
                return Err(FactError::Text { path: path.into(), line: at, reason });
            };
            cells.push(cell(column, &text, &facts.symbols, path, at)?);
        }
        let accepted = facts.push(relation.name, &cells);
        assert!(accepted, "cells were made from the relation's own columns");
    }
    Ok(())
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r")
}

/// None for a backslash that [`escape`] does not write.
fn unescape(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        out.push(match c {
            '\\' => match characters.next()? {
                '\\' => '\\',
                't' => '\t',
                'n' => '\n',
                'r' => '\r',
                _ => return None,
            },
            c => c,
        });
    }
    Some(out)
}

#[cfg(test)]
mod tests;
