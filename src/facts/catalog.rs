//! What is known of relations by name: the shape of the tables that the build generates from the `.decl`s.
use super::symbol::Sym;

/// What the values of a column are made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BaseType {
    /// A string, by number.
    Symbol,
    /// 64 bits, signed.
    Number,
    /// 32 bits: a dense id.
    Unsigned,
    /// The number of an interned record.
    Record,
}

/// A declared type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TypeInfo {
    pub name: &'static str,
    /// The type it is a subtype of; of a record, nothing.
    pub parent: &'static str,
    pub base: BaseType,
    /// Of a record, its fields.
    pub fields: &'static [ColumnInfo],
    /// The comment above the declaration.
    pub doc: &'static str,
}

/// A column of a relation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ColumnInfo {
    pub name: &'static str,
    /// The declared type's name.
    pub type_name: &'static str,
    pub base: BaseType,
}

/// A declared relation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RelationInfo {
    pub name: &'static str,
    /// The stem of the file that declares it.
    pub group: &'static str,
    pub columns: &'static [ColumnInfo],
    /// The comment above the declaration.
    pub doc: &'static str,
}

/// A value of any column.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cell {
    Symbol(Sym),
    Number(i64),
    Unsigned(u32),
    Record(u32),
}

/// A type of columns: a newtype around what [`BaseType`] says, or that itself.
pub trait Column: Copy + Ord + std::hash::Hash + std::fmt::Debug + 'static {
    const BASE: BaseType;
    fn cell(self) -> Cell;
    /// None for a cell of another base type.
    fn from_cell(cell: Cell) -> Option<Self>;
}

/// A tuple of a relation, its columns as fields.
pub trait Row: Copy + Ord + std::hash::Hash + std::fmt::Debug + 'static {
    /// Calls `visit` with the cells in column order.
    fn with_cells<R>(self, visit: impl FnOnce(&[Cell]) -> R) -> R;
    /// None if number or base types of the cells are not the relation's.
    fn from_cells(cells: &[Cell]) -> Option<Self>;
}

macro_rules! base_column {
    ($($type:ty: $base:ident;)*) => {$(
        impl Column for $type {
            const BASE: BaseType = BaseType::$base;
            fn cell(self) -> Cell {
                Cell::$base(self)
            }
            fn from_cell(cell: Cell) -> Option<Self> {
                if let Cell::$base(value) = cell { Some(value) } else { None }
            }
        }
    )*};
}

base_column! {
    Sym: Symbol;
    i64: Number;
    u32: Unsigned;
}
