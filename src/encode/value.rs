//! Symbolic scalars.

use crate::ir::{FloatKind, Type, TypeId, TypeTable};
use crate::smt::{Sort, Term, TermPool};

/// A scalar: bits, or a pointer as the number of its object and a byte offset.
///
/// Object 0 is none: the offset is then the address itself, and NULL is offset 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    Bits(Term),
    Pointer { base: Term, offset: Term },
}

/// Bits of an object's number.
pub const BASE_BITS: u32 = 16;

/// How values of a scalar type are held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Int {
        width: u32,
        signed: bool,
    },
    /// `_Bool`: 8 bits that are 0 or 1.
    Bool,
    /// The bits of a number, and padding.
    Float {
        width: u32,
        kind: FloatKind,
    },
    Pointer {
        width: u32,
    },
}

impl Shape {
    /// A byte as a number.
    pub const BYTE: Shape = Shape::Int { width: 8, signed: false };

    /// The shape of a scalar type; None for records, arrays, functions and `void`.
    pub fn of(types: &TypeTable, ty: TypeId) -> Option<Shape> {
        Some(match types.get(ty) {
            Type::Int(crate::ir::IntKind::Bool) => Shape::Bool,
            Type::Int(kind) => Shape::Int { width: types.int_bits(*kind), signed: kind.signed() },
            Type::Float(kind) => Shape::Float { width: types.size_of(ty)? as u32 * 8, kind: *kind },
            Type::Pointer(_) => Shape::Pointer { width: types.pointer_size() as u32 * 8 },
            _ => return None,
        })
    }
    /// Bits in memory.
    pub fn width(self) -> u32 {
        match self {
            Shape::Int { width, .. } | Shape::Float { width, .. } | Shape::Pointer { width } => width,
            Shape::Bool => 8,
        }
    }
    /// Bytes in memory.
    pub fn bytes(self) -> u64 {
        u64::from(self.width() / 8)
    }
    /// Whether numbers below 0 exist.
    pub fn signed(self) -> bool {
        matches!(self, Shape::Int { signed: true, .. })
    }
}

impl Value {
    /// The bits, when it is not a pointer.
    pub fn bits(self) -> Option<Term> {
        match self {
            Value::Bits(t) => Some(t),
            Value::Pointer { .. } => None,
        }
    }
}

/// A pointer to no object: the address `number`.
pub fn number_pointer(pool: &mut TermPool, width: u32, number: i128) -> Value {
    Value::Pointer { base: pool.bv(BASE_BITS, 0), offset: pool.bv_signed(width, number) }
}

/// `condition ? a : b`; None when one is a pointer and the other is not, or widths differ.
pub fn choose(pool: &mut TermPool, condition: Term, a: Value, b: Value) -> Option<Value> {
    match (a, b) {
        _ if a == b => Some(a),
        (Value::Bits(x), Value::Bits(y)) if pool.sort(x) == pool.sort(y) => {
            Some(Value::Bits(pool.ite(condition, x, y)))
        }
        (Value::Pointer { base: p, offset: x }, Value::Pointer { base: q, offset: y }) => {
            let (base, offset) = (pool.ite(condition, p, q), pool.ite(condition, x, y));
            Some(Value::Pointer { base, offset })
        }
        _ => None,
    }
}

/// `a` and `b` are the same value; None where [`choose`] says none.
pub fn same(pool: &mut TermPool, a: Value, b: Value) -> Option<Term> {
    match (a, b) {
        (Value::Bits(x), Value::Bits(y)) if pool.sort(x) == pool.sort(y) => Some(pool.eq(x, y)),
        (Value::Pointer { base: p, offset: x }, Value::Pointer { base: q, offset: y }) => {
            let (bases, offsets) = (pool.eq(p, q), pool.eq(x, y));
            Some(pool.and(&[bases, offsets]))
        }
        _ => None,
    }
}

/// A value of which nothing is known.
pub fn fresh(pool: &mut TermPool, stem: &str, shape: Shape) -> Value {
    match shape {
        Shape::Pointer { width } => {
            let base = pool.fresh_variable(&format!("{stem}.base"), Sort::BitVec(BASE_BITS));
            Value::Pointer { base, offset: pool.fresh_variable(&format!("{stem}.offset"), Sort::BitVec(width)) }
        }
        Shape::Bool => {
            let bit = pool.fresh_variable(stem, Sort::BitVec(1));
            Value::Bits(pool.zero_extend(7, bit))
        }
        Shape::Int { width, .. } | Shape::Float { width, .. } => {
            Value::Bits(pool.fresh_variable(stem, Sort::BitVec(width)))
        }
    }
}
