//! Memory places: what can be read and written.

use super::{Expr, TypeId, VarId};

/// Bits of a storage unit, counted from its least significant bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BitRange {
    pub offset: u8,
    pub width: u8,
}

/// Where a place starts.
#[derive(Clone, Debug, PartialEq)]
pub enum PlaceBase {
    /// A variable's first byte.
    Var(VarId),
    /// The address that a pointer expression yields.
    Deref(Box<Expr>),
}

/// `size_of(ty)` bytes from `base + offset`, read or written as a `ty`.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    pub base: PlaceBase,
    /// Bytes; may be negative behind a pointer.
    pub offset: i64,
    /// Scalar, or a record or array in whole-object copies. For a bit-field: the storage unit's integer type.
    pub ty: TypeId,
    /// For a bit-field: the bits of the unit; reads extend them by the signedness of `ty`, writes keep the others.
    pub bits: Option<BitRange>,
}

impl BitRange {
    /// Bytes from the start of the storage unit to the end of the field.
    pub fn end_bytes(self) -> u64 {
        (u64::from(self.offset) + u64::from(self.width)).div_ceil(8)
    }
    /// Bytes that reading or writing the field takes of a storage unit of `unit` bytes: all of it, except that the unit of a field in a
    /// packed record may end behind the record, where only bytes up to the field's end are used.
    pub fn unit_bytes(self, unit: u64) -> u64 {
        let end = self.end_bytes();
        if end.is_power_of_two() { unit } else { unit.min(end) }
    }
}

impl Place {
    /// A whole variable of type `ty`.
    pub fn var(var: VarId, ty: TypeId) -> Place {
        Place { base: PlaceBase::Var(var), offset: 0, ty, bits: None }
    }
    /// What `ptr` points to, read as `ty`.
    pub fn deref(ptr: Expr, ty: TypeId) -> Place {
        Place { base: PlaceBase::Deref(Box::new(ptr)), offset: 0, ty, bits: None }
    }
    /// The variable, when the place lies in a named one.
    pub fn as_var(&self) -> Option<VarId> {
        match self.base {
            PlaceBase::Var(v) => Some(v),
            PlaceBase::Deref(_) => None,
        }
    }
}
