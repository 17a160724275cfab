//! Cells as text.

use super::error::FactError;
use super::{BaseType, Cell, ColumnInfo, Symbols};
use std::path::Path;

/// A cell as files show it.
pub fn text(cell: Cell, symbols: &Symbols) -> String {
    match cell {
        Cell::Symbol(s) => symbols.resolve(s).to_string(),
        Cell::Number(n) => n.to_string(),
        Cell::Unsigned(n) | Cell::Record(n) => n.to_string(),
    }
}

/// The cell that `text` shows in `column`; `path` and `line` say where it stands.
pub fn cell(column: &ColumnInfo, text: &str, symbols: &Symbols, path: &Path, line: u64) -> Result<Cell, FactError> {
    let wrong =
        |wanted| FactError::Number { path: path.into(), line, column: column.name, text: text.to_owned(), wanted };
    Ok(match column.base {
        BaseType::Symbol => Cell::Symbol(symbols.intern(text)),
        BaseType::Number => Cell::Number(text.parse().map_err(|_| wrong("number of 64 bits"))?),
        BaseType::Unsigned => Cell::Unsigned(text.parse().map_err(|_| wrong("unsigned number of 32 bits"))?),
        BaseType::Record => return Err(wrong("value that facts have")),
    })
}
