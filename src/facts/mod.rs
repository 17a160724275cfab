//! The input relations: what emitters state about a program.
//!
//! * [`schema`]: column types, rows and the store, generated from the declarations in `facts/*.dl`.
//! * [`catalog`](mod@catalog): relations by name, for import, export and documentation.
//! * [`symbol`]: strings as numbers.
//! * [`mod@emit`]: the facts of a program.
//! * [`csv`] and [`souffle`]: folders of facts, out and in; [`sqlite`]: a file of them; [`text`] shows their cells, [`error`] says what is wrong with them.
//! * [`places`]: where in the source things stand; [`value_text`]: values in C terms.
//! * `catalogue_page`: the schema as a page, which a test writes.
pub mod catalog;
#[cfg(test)]
mod catalogue_page;
pub mod csv;
pub mod emit;
pub mod error;
pub mod places;
pub mod schema;
pub mod souffle;
pub mod sqlite;
pub mod symbol;
mod text;
pub mod value_text;

pub use catalog::{BaseType, Cell, Column, ColumnInfo, RelationInfo, Row, TypeInfo};
pub use csv::{Extent, read_csv, write_csv};
pub use emit::{Emitted, emit};
pub use error::FactError;
pub use places::{Place, Places};
pub use schema::{FactStore, catalog, column, row, types};
pub use souffle::{read_souffle, write_souffle};
pub use sqlite::{read_sqlite, write_sqlite};
pub use symbol::{Sym, Symbols};
pub use value_text::ValueText;
