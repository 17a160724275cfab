//! The input relations: what emitters state about a program.
//!
//! * [`schema`]: column types, rows and the store, generated from the declarations in `facts/*.dl`.
//! * [`catalog`]: relations by name, for import, export and documentation.
//! * [`symbol`]: strings as numbers.
//! * [`mod@emit`]: the facts of a program.
pub mod catalog;
pub mod emit;
pub mod schema;
pub mod symbol;

pub use catalog::{BaseType, Cell, Column, ColumnInfo, RelationInfo, Row, TypeInfo};
pub use schema::{FactStore, catalog, column, row, types};
pub use symbol::{Sym, Symbols};
