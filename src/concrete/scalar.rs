//! Scalar types as the interpreter sees them, and the conversion between values and bytes.
//!
//! See: Milanese, Miné, Under-approximating Memory Abstractions, Sect. 2.1, `benc` and `bdec` of Fig. 3.

use crate::ir::{FloatKind, IntKind, Type, TypeId, TypeTable};

/// What a scalar type computes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Int,
    Bool,
    Pointer,
    Float(FloatKind),
    /// Records, arrays, functions, `void`.
    NotScalar,
}

/// A scalar type's representation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scalar {
    pub class: Class,
    /// Bytes.
    pub size: u8,
    pub signed: bool,
}

impl Scalar {
    /// The description of type `ty`.
    pub fn of(types: &TypeTable, ty: TypeId) -> Scalar {
        let float = |k| Scalar { class: Class::Float(k), size: types.size_of(ty).unwrap_or(0) as u8, signed: true };
        match types.get(ty) {
            Type::Int(IntKind::Bool) => Scalar { class: Class::Bool, size: 1, signed: false },
            Type::Int(k) => Scalar { class: Class::Int, size: types.int_size(*k) as u8, signed: k.signed() },
            Type::Float(k) => float(*k),
            Type::Pointer(_) => Scalar { class: Class::Pointer, size: types.pointer_size() as u8, signed: false },
            _ => Scalar { class: Class::NotScalar, size: 0, signed: false },
        }
    }
    /// Whether values are numbers with an origin (integers and pointers).
    #[inline]
    pub fn is_integral(self) -> bool {
        matches!(self.class, Class::Int | Class::Bool | Class::Pointer)
    }
    /// The floating kind.
    pub fn float(self) -> Option<FloatKind> {
        match self.class {
            Class::Float(k) => Some(k),
            _ => None,
        }
    }
    /// Width in bits.
    #[inline]
    pub fn bits(self) -> u32 {
        u32::from(self.size) * 8
    }
    /// `value` reduced into the type's range (C11 6.3.1.3).
    #[inline]
    pub fn wrap(self, value: i128) -> i128 {
        if self.class == Class::Bool {
            return i128::from(value != 0);
        }
        match (self.size, self.signed) {
            (4, true) => i128::from(value as i32),
            (8, true) => i128::from(value as i64),
            (8, false) => i128::from(value as u64),
            (4, false) => i128::from(value as u32),
            (1, true) => i128::from(value as i8),
            (1, false) => i128::from(value as u8),
            (2, true) => i128::from(value as i16),
            (2, false) => i128::from(value as u16),
            _ => value,
        }
    }
    /// Whether values are compared, divided and shifted as unsigned 128-bit numbers.
    #[inline]
    pub fn is_u128(self) -> bool {
        self.size == 16 && !self.signed && self.class == Class::Int
    }
    /// The bytes that a value really occupies: an x87 `long double` leaves its padding alone.
    #[inline]
    pub fn stored(self) -> usize {
        if self.class == Class::Float(FloatKind::LongDouble) { 10 } else { self.size as usize }
    }
}
