//! Cells: runs of bytes of a base with a scalar type, and what the bytes of other cells say of one.
//!
//! See: Milanese, Miné, "Under-approximating Memory Abstractions", Sect. 2.2 and 2.3.

use super::int::Int;
use super::int_type::IntType;
use super::pointer::{BaseId, Pointers};
use super::value::Value;
use crate::ir::{BinaryOp, FuncId};
use std::collections::BTreeMap;

/// The type that a cell is read with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CellType {
    Int {
        bytes: u8,
        signed: bool,
    },
    /// Of so many bytes.
    Pointer {
        bytes: u8,
    },
}

impl CellType {
    /// Bytes.
    pub fn bytes(self) -> u64 {
        match self {
            CellType::Int { bytes, .. } | CellType::Pointer { bytes } => u64::from(bytes),
        }
    }
    /// The numbers, of integer types.
    pub fn int(self) -> Option<IntType> {
        match self {
            CellType::Int { bytes, signed } => Some(IntType { bits: u32::from(bytes) * 8, signed, boolean: false }),
            CellType::Pointer { .. } => None,
        }
    }
    /// Every value.
    pub fn top(self) -> Value {
        match self.int() {
            Some(ty) => Value::int(ty.top()),
            None => {
                let numbers = IntType::unsigned(self.bytes() as u32 * 8).top();
                Value { int: Some(numbers), pointers: Pointers::any(), ..Value::default() }
            }
        }
    }
}

/// A cell: base, offset in bytes, type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    pub base: BaseId,
    pub offset: u64,
    pub ty: CellType,
}

impl Cell {
    fn end(self) -> u64 {
        self.offset + self.ty.bytes()
    }
    /// Whether two cells have a byte in common.
    pub fn overlaps(self, other: Cell) -> bool {
        self.base == other.base && self.offset < other.end() && other.offset < self.end()
    }
}

/// An expression over cells, without dereferences.
#[derive(Clone, Debug, PartialEq)]
pub enum CellExpr {
    /// Some number of a set.
    Range(Int),
    Cell(Cell),
    /// A pointer to a base, plus bytes.
    Address(BaseId, i128),
    Null,
    /// On numbers, in a type.
    Binary(BinaryOp, Box<CellExpr>, Box<CellExpr>, IntType),
    Convert(Box<CellExpr>, IntType),
    /// A pointer moved by a signed number of bytes.
    Move(Box<CellExpr>, Box<CellExpr>),
    /// The offset that a pointer to a base has.
    Offset(Box<CellExpr>, BaseId),
    Function(FuncId),
    /// Anything of a type.
    Any(CellType),
}

impl CellExpr {
    /// `a op n`.
    pub fn with_number(op: BinaryOp, a: CellExpr, n: i128, ty: IntType) -> CellExpr {
        CellExpr::Binary(op, Box::new(a), Box::new(CellExpr::Range(Int::constant(n))), ty)
    }
    /// The cells that it reads, in order.
    pub fn cells(&self) -> Vec<Cell> {
        let mut all = Vec::new();
        self.collect(&mut all);
        all.sort_unstable();
        all.dedup();
        all
    }
    /// The numbers in it.
    pub fn constants(&self) -> Vec<i128> {
        match self {
            CellExpr::Range(n) => n.as_constant().into_iter().collect(),
            CellExpr::Binary(_, a, b, _) | CellExpr::Move(a, b) => [a.constants(), b.constants()].concat(),
            CellExpr::Convert(a, _) | CellExpr::Offset(a, _) => a.constants(),
            _ => Vec::new(),
        }
    }
    fn collect(&self, all: &mut Vec<Cell>) {
        match self {
            CellExpr::Cell(c) => all.push(*c),
            CellExpr::Binary(_, a, b, _) | CellExpr::Move(a, b) => {
                a.collect(all);
                b.collect(all);
            }
            CellExpr::Convert(a, _) | CellExpr::Offset(a, _) => a.collect(all),
            CellExpr::Range(_) | CellExpr::Address(..) | CellExpr::Null | CellExpr::Function(_) | CellExpr::Any(_) => {}
        }
    }
}

/// What cells hold: every cell by itself. A state without points is no state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CellState {
    pub cells: BTreeMap<Cell, Value>,
}

impl CellState {
    /// The state with these cells.
    pub fn of(cells: impl IntoIterator<Item = (Cell, Value)>) -> CellState {
        CellState { cells: cells.into_iter().collect() }
    }

    /// What the other cells say of the bytes of `cell`: phi.
    pub fn phi(&self, cell: Cell) -> CellExpr {
        let Some(ty) = cell.ty.int() else { return CellExpr::Any(cell.ty) };
        let others =
            || self.cells.keys().copied().filter(|c| *c != cell && c.base == cell.base && c.ty.int().is_some());
        // A part of a larger number, little endian.
        if let Some(whole) = others().find(|c| c.offset <= cell.offset && cell.end() <= c.end()) {
            let bits = IntType::unsigned(whole.ty.bytes() as u32 * 8);
            let all = CellExpr::Convert(Box::new(CellExpr::Cell(whole)), bits);
            let shift = 8 * (cell.offset - whole.offset);
            let moved = if shift == 0 { all } else { CellExpr::with_number(BinaryOp::Shr, all, shift.into(), bits) };
            return CellExpr::Convert(Box::new(moved), ty);
        }
        match self.parts(cell, others().collect()) {
            Some(parts) => CellExpr::Convert(Box::new(parts), ty),
            None => CellExpr::Any(cell.ty),
        }
    }

    /// The sum of smaller cells that fill the cell without gaps.
    fn parts(&self, cell: Cell, others: Vec<Cell>) -> Option<CellExpr> {
        let ty = IntType::unsigned(cell.ty.bytes() as u32 * 8);
        let mut at = cell.offset;
        let mut sum: Option<CellExpr> = None;
        while at < cell.end() {
            let part = others.iter().find(|c| c.offset == at && c.end() <= cell.end())?;
            let bits = IntType::unsigned(part.ty.bytes() as u32 * 8);
            let number = CellExpr::Convert(Box::new(CellExpr::Cell(*part)), bits);
            let factor = 1i128 << (8 * (at - cell.offset));
            let moved = CellExpr::with_number(BinaryOp::Mul, number, factor, ty);
            sum = Some(match sum {
                Some(sum) => CellExpr::Binary(BinaryOp::Add, Box::new(sum), Box::new(moved), ty),
                None => moved,
            });
            at = part.end();
        }
        sum
    }

    /// The state with the cell too, which holds what phi says. Exact: no byte-level state is gained or lost.
    pub fn add_cell(&mut self, cell: Cell) {
        if !self.cells.contains_key(&cell) {
            let value = self.eval(&self.phi(cell)).lower_meet_or(&cell.ty.top());
            self.cells.insert(cell, value);
        }
    }

    /// Without the cells that say nothing.
    pub fn simplify(&mut self) {
        self.cells.retain(|cell, value| !cell.ty.top().leq(value));
    }

    /// Both states over the same cells.
    pub fn unify(&mut self, other: &mut CellState) {
        let all: Vec<Cell> = self.cells.keys().chain(other.cells.keys()).copied().collect();
        for cell in all {
            self.add_cell(cell);
            other.add_cell(cell);
        }
    }
}

impl Value {
    /// The intersection where it can be had, else the second.
    fn lower_meet_or(&self, other: &Value) -> Value {
        let met = self.lower_meet(other);
        if met.is_bottom() { other.clone() } else { met }
    }
}
