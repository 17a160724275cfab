//! Facts as one SQLite file: a typed table per relation with an index per column that names something, tables that
//! document them, and views that join places.

use super::error::FactError;
use super::text::cell;
use super::{BaseType, Cell, ColumnInfo, FactStore, RelationInfo, catalog};
use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, OpenFlags, ToSql, params};
use std::path::Path;
use std::sync::Arc;

/// What the first bytes of such a file are.
pub const MAGIC: &[u8] = b"SQLite format 3\0";

/// Views over the tables.
const VIEWS: &str = "
CREATE VIEW verdict_at AS
  SELECT p.file, p.line, p.\"column\", s.kind, v.verdict, v.engine, s.function, j.subject, v.site
  FROM reported v JOIN check_site s ON s.site = v.site JOIN check_position p ON p.site = v.site
  LEFT JOIN check_subject j ON j.site = v.site ORDER BY p.file, p.line, p.\"column\", s.kind;
CREATE VIEW direct_call_at AS
  SELECT p.file, p.line, c.function AS caller, d.callee, c.\"call\"
  FROM direct_call d JOIN \"call\" c ON c.\"call\" = d.\"call\" JOIN statement_position p ON p.statement = c.statement
  ORDER BY p.file, p.line;
CREATE VIEW precondition_at AS
  SELECT p.file, p.line, s.kind, r.source, r.low, r.high, r.site
  FROM precondition r JOIN check_site s ON s.site = r.site JOIN check_position p ON p.site = r.site
  ORDER BY p.file, p.line;
";

/// Writes all facts to the file `path`, which is replaced.
pub fn write_sqlite(facts: &FactStore, path: &Path) -> Result<(), FactError> {
    let failed = |e: std::io::Error| FactError::File { path: path.into(), source: e };
    // Written beside it first, so that a file under this name is whole.
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // The error of a temporary file speaks of its own name, which says nothing to people.
    let part = temporary_in(folder).map_err(|e| failed(e.kind().into()))?.into_temp_path();
    fill(facts, &part).map_err(|e| FactError::Sqlite { path: path.into(), reason: e.to_string() })?;
    part.persist(path).map_err(|e| failed(e.error))
}

/// A file that others may read where the user's mask lets them, as of any other file.
fn temporary_in(folder: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

fn fill(facts: &FactStore, path: &Path) -> rusqlite::Result<()> {
    let mut database = Connection::open(path)?;
    database.execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")?;
    let transaction = database.transaction()?;
    transaction.execute_batch(
        "CREATE TABLE cellog_relation(name TEXT PRIMARY KEY, \"group\" TEXT NOT NULL, says TEXT NOT NULL, rows INTEGER NOT NULL);
         CREATE TABLE cellog_column(relation TEXT NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL, type TEXT NOT NULL);",
    )?;
    for relation in catalog() {
        transaction.execute_batch(&create(relation))?;
        let rows = facts.count(relation.name) as i64;
        let told = params![relation.name, relation.group, relation.doc.trim(), rows];
        transaction.execute("INSERT INTO cellog_relation VALUES (?, ?, ?, ?)", told)?;
        for (number, column) in relation.columns.iter().enumerate() {
            let told = params![relation.name, number as i64, column.name, column.type_name];
            transaction.execute("INSERT INTO cellog_column VALUES (?, ?, ?, ?)", told)?;
        }
        insert(facts, relation, &transaction)?;
        transaction.execute_batch(&indices(relation))?;
    }
    transaction.execute_batch(VIEWS)?;
    transaction.commit()
}

fn quoted(name: &str) -> String {
    format!("\"{name}\"")
}

fn create(relation: &RelationInfo) -> String {
    let column = |c: &ColumnInfo| {
        let kind = if c.base == BaseType::Symbol { "TEXT" } else { "INTEGER" };
        format!("{} {kind} NOT NULL", quoted(c.name))
    };
    let columns: Vec<String> = relation.columns.iter().map(column).collect();
    format!("CREATE TABLE {}({}) STRICT;", quoted(relation.name), columns.join(", "))
}

/// Of every column that names something, by its type.
fn indices(relation: &RelationInfo) -> String {
    let names = |c: &&ColumnInfo| !["symbol", "number", "unsigned", "Bytes", "Type", "File"].contains(&c.type_name);
    let index = |c: &ColumnInfo| {
        let name = quoted(&format!("{}_{}", relation.name, c.name));
        format!("CREATE INDEX {name} ON {}({});", quoted(relation.name), quoted(c.name))
    };
    relation.columns.iter().filter(names).map(index).collect()
}

/// A cell as SQLite takes it.
enum Bound {
    Text(Arc<str>),
    Number(i64),
}

impl ToSql for Bound {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Bound::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
            Bound::Number(number) => ToSqlOutput::Owned(Value::Integer(*number)),
        })
    }
}

fn insert(facts: &FactStore, relation: &RelationInfo, database: &Connection) -> rusqlite::Result<()> {
    let marks = vec!["?"; relation.columns.len()].join(", ");
    let mut statement = database.prepare(&format!("INSERT INTO {} VALUES ({marks})", quoted(relation.name)))?;
    let mut failed = None;
    facts.for_each(relation.name, &mut |cells| {
        let bound = cells.iter().map(|c| match c {
            Cell::Symbol(s) => Bound::Text(facts.symbols.resolve(*s)),
            Cell::Number(n) => Bound::Number(*n),
            Cell::Unsigned(n) | Cell::Record(n) => Bound::Number(i64::from(*n)),
        });
        if failed.is_none() {
            failed = statement.execute(rusqlite::params_from_iter(bound)).err();
        }
    });
    failed.map_or(Ok(()), Err)
}

/// Reads the facts in the file `path`, in the order they were written.
pub fn read_sqlite(path: &Path) -> Result<FactStore, FactError> {
    let wrong = |e: rusqlite::Error| FactError::Sqlite { path: path.into(), reason: e.to_string() };
    let database = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(wrong)?;
    let mut facts = FactStore::default();
    for relation in catalog() {
        let columns: Vec<String> = relation.columns.iter().map(|c| quoted(c.name)).collect();
        let select = format!("SELECT {} FROM {} ORDER BY rowid", columns.join(", "), quoted(relation.name));
        let mut statement = database.prepare(&select).map_err(wrong)?;
        let mut rows = statement.query([]).map_err(wrong)?;
        let mut line = 0;
        while let Some(row) = rows.next().map_err(wrong)? {
            line += 1;
            let mut cells = Vec::with_capacity(relation.columns.len());
            for (at, column) in relation.columns.iter().enumerate() {
                let text = match row.get_ref(at).map_err(wrong)? {
                    ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
                    ValueRef::Integer(number) => number.to_string(),
                    other => format!("{:?}", other.data_type()),
                };
                cells.push(cell(column, &text, &facts.symbols, path, line)?);
            }
            let accepted = facts.push(relation.name, &cells);
            assert!(accepted, "cells were made from the relation's own columns");
        }
    }
    Ok(facts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::csv::tests::rows;
    use crate::facts::emit::emit;
    use crate::ir::sample::counting_loop;

    fn exported() -> (tempfile::TempDir, FactStore) {
        let mut sample = counting_loop();
        sample.program.sites[crate::ir::SiteId(0)].subject = "x + 1, \"quoted\" 'too'\nand more\\".into();
        let facts = emit(&sample.program).facts;
        let folder = tempfile::tempdir().expect("a folder");
        write_sqlite(&facts, &folder.path().join("facts.db")).expect("facts are written");
        (folder, facts)
    }

    #[test]
    fn facts_survive_the_way_to_sqlite_and_back() {
        let (folder, facts) = exported();
        let again = read_sqlite(&folder.path().join("facts.db")).expect("facts are read");
        assert_eq!(rows(&again), rows(&facts));
    }

    #[test]
    fn the_views_can_be_asked() {
        let (folder, _) = exported();
        let database = Connection::open(folder.path().join("facts.db")).expect("opens");
        for view in ["verdict_at", "direct_call_at", "precondition_at"] {
            let rows: i64 = database.query_row(&format!("SELECT count(*) FROM {view}"), [], |r| r.get(0)).expect(view);
            assert_eq!(rows, 0, "{view}");
        }
        let said: String =
            database.query_row("SELECT says FROM cellog_relation WHERE name = 'edge'", [], |r| r.get(0)).expect("told");
        assert!(said.contains("`block`"), "{said}");
    }

    #[test]
    fn other_files_are_refused() {
        let (folder, _) = exported();
        let path = folder.path().join("facts.db");
        let database = Connection::open(&path).expect("opens");
        database.execute_batch("DROP TABLE edge").expect("drops");
        let error = read_sqlite(&path).expect_err("a table is missing").to_string();
        assert!(error.contains("facts.db") && error.contains("edge"), "{error}");
        std::fs::write(&path, "no database").expect("writes");
        assert!(read_sqlite(&path).is_err());
    }
}
