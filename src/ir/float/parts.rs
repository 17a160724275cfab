//! Whole and fractional parts, exponents, neighbours.

use super::real::{Real, in_kind};
use crate::ir::{BinaryOp, FloatKind};
use rustc_apfloat::{Float as _, Round};
use std::cmp::Ordering;

/// How a number becomes a whole one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    Down,
    Up,
    TowardZero,
    /// To nearest, ties away from zero: `round`.
    TiesAway,
    /// To nearest, ties to even: `rint`.
    TiesEven,
}

impl Real {
    /// The whole number of the same type.
    pub fn whole(self, rounding: Rounding) -> Real {
        let round = match rounding {
            Rounding::Down => Round::TowardNegative,
            Rounding::Up => Round::TowardPositive,
            Rounding::TowardZero => Round::TowardZero,
            Rounding::TiesAway => Round::NearestTiesToAway,
            Rounding::TiesEven => Round::NearestTiesToEven,
        };
        if self.is_nan() {
            return self.apply(BinaryOp::Add, self).expect("addition is arithmetic");
        }
        Real::of_bits(
            self.kind(),
            in_kind!(self.kind(), F => F::from_bits(self.bits()).round_to_integral(round).value.to_bits()),
        )
    }

    /// `frexp`: a fraction from 1/2 to below 1 and the power of two; the number itself and 0 where there is none.
    pub fn fraction_and_exponent(self) -> (Real, i32) {
        if self.is_zero() || !self.is_finite() {
            return (self.quieted(), 0);
        }
        let exponent = self.exponent() + 1;
        (ldexp(self, -exponent), exponent)
    }

    /// The power of two of the leading digit of a finite number that is not 0: `logb`.
    pub fn exponent(self) -> i32 {
        let (significand, exponent) = self.digits();
        significand.ilog2() as i32 + exponent
    }

    /// `ldexp`: `self * 2^by`, rounded once.
    pub fn scaled(self, by: i128) -> Real {
        if self.is_nan() { self.quieted() } else { ldexp(self, by.clamp(-100_000, 100_000) as i32) }
    }

    /// `modf`: the whole part and the rest, both with the sign.
    pub fn whole_and_rest(self) -> (Real, Real) {
        let whole = self.whole(Rounding::TowardZero);
        let rest = match self.is_infinite() {
            true => Real::zero(self.kind()),
            false => self.apply(BinaryOp::Sub, whole).expect("subtraction is arithmetic"),
        };
        (whole, if rest.is_nan() { rest } else { rest.with_sign_of(self) })
    }

    /// `nextafter`: the neighbour in the direction of `other`, which is given back where they are equal.
    pub fn neighbour(self, other: Real) -> Real {
        match self.compare(other) {
            None => self.apply(BinaryOp::Add, other).expect("addition is arithmetic"),
            Some(Ordering::Equal) => other,
            Some(order) => {
                let up = order == Ordering::Less;
                Real::of_bits(
                    self.kind(),
                    in_kind!(self.kind(), F => {
                        let x = F::from_bits(self.bits());
                        if up { x.next_up() } else { x.next_down() }.value.to_bits()
                    }),
                )
            }
        }
    }

    /// `fmin` or `fmax`: of a number and NaN the number.
    pub fn extreme(self, other: Real, greatest: bool) -> Real {
        match (self.is_nan(), other.is_nan()) {
            (true, true) => self.apply(BinaryOp::Add, other).expect("addition is arithmetic"),
            (true, false) => other,
            (false, true) => self,
            (false, false) => {
                let wanted = if greatest { Ordering::Less } else { Ordering::Greater };
                if self.compare(other) == Some(wanted) { other } else { self }
            }
        }
    }

    fn quieted(self) -> Real {
        if self.is_nan() { self.apply(BinaryOp::Add, self).expect("addition is arithmetic") } else { self }
    }

    /// The least positive normal number of a type.
    pub fn least_normal(kind: FloatKind) -> Real {
        Real::of_bits(kind, in_kind!(kind, F => F::smallest_normalized().to_bits()))
    }
}

/// `x * 2^by`.
pub(super) fn ldexp(x: Real, by: i32) -> Real {
    Real::of_bits(x.kind(), in_kind!(x.kind(), F => F::from_bits(x.bits()).scalbn(by).to_bits()))
}
