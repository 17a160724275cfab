//! C integer types as far as numbers go, and exact wrap-around into them (C11 6.3.1.3).

use super::congruence::Congruence;
use super::int::Int;
use super::interval::Interval;
use crate::ir::types::wrap_bits;
use crate::ir::{IntKind, TypeTable};

/// The numbers of an integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IntType {
    /// Width in bits, stored and as value (`_Bool`: 8).
    pub bits: u32,
    pub signed: bool,
    /// `_Bool`: conversion asks whether the number is not 0.
    pub boolean: bool,
}

impl IntType {
    /// The type `kind`.
    pub fn of(types: &TypeTable, kind: IntKind) -> IntType {
        IntType { bits: types.int_bits(kind), signed: kind.signed(), boolean: kind == IntKind::Bool }
    }
    /// `bits` bits, unsigned.
    pub fn unsigned(bits: u32) -> IntType {
        IntType { bits, signed: false, boolean: false }
    }
    /// `bits` bits, signed.
    pub fn signed(bits: u32) -> IntType {
        IntType { bits, signed: true, boolean: false }
    }
    /// Least and greatest number; 128-bit numbers of either sign are those of `i128`.
    pub fn bounds(self) -> Interval {
        match (self.boolean, self.signed, self.bits) {
            (true, ..) => Interval { lo: 0, hi: 1 },
            (_, _, 128..) => Interval::TOP,
            (_, true, b) => Interval { lo: -(1i128 << (b - 1)), hi: (1i128 << (b - 1)) - 1 },
            (_, false, b) => Interval { lo: 0, hi: (1i128 << b) - 1 },
        }
    }
    /// Every number of the type.
    pub fn top(self) -> Int {
        let b = self.bounds();
        Int::range(b.lo, b.hi)
    }
    /// One number wrapped.
    pub fn wrap_number(self, value: i128) -> i128 {
        if self.boolean { i128::from(value != 0) } else { wrap_bits(value, self.bits, self.signed) }
    }
    /// The set of the wrapped numbers, or a superset when that is no interval.
    pub fn wrap(self, value: Int) -> Int {
        if let Some(c) = value.as_constant() {
            return Int::constant(self.wrap_number(c));
        }
        if self.boolean {
            return if value.contains(0) { Int::range(0, 1) } else { Int::constant(1) };
        }
        let bounds = self.bounds();
        if value.interval().leq(bounds) {
            return value;
        }
        let period = 1i128 << self.bits.min(126);
        let (lo, hi) = (self.wrap_number(value.lo()), self.wrap_number(value.hi()));
        let narrow = value.hi().checked_sub(value.lo()).is_some_and(|d| d < period);
        let range = if narrow && lo <= hi { Interval { lo, hi } } else { bounds };
        let congruence = if self.bits <= 126 { value.congruence().modulo(period) } else { Congruence::TOP };
        let all = Int::reduce(range, congruence).unwrap_or(self.top());
        // Different numbers less than a period apart stay different.
        let hole = value.hole().filter(|_| narrow).map(|hole| self.wrap_number(hole));
        all.but(hole).unwrap_or(all)
    }
    /// What is left of an exact result of arithmetic that has passed the check of its type: where the type is signed, the numbers that fit.
    /// Where none does, or the type is unsigned, what the result is wrapped to.
    pub fn passed(self, value: Option<Int>) -> Int {
        self.passed_exactly(value).unwrap_or_else(|| self.wrap_result(value))
    }
    /// The same; None where a result may have been wrapped.
    pub fn passed_exactly(self, value: Option<Int>) -> Option<Int> {
        let (all, bounds) = (value?, self.bounds());
        match all.interval().leq(bounds) {
            true => Some(all),
            false if self.signed => all.clamp(bounds.lo, bounds.hi),
            false => None,
        }
    }
    /// An exact result wrapped; None stands for one too large to compute.
    pub fn wrap_result(self, value: Option<Int>) -> Int {
        value.map_or(self.top(), |v| self.wrap(v))
    }
}
