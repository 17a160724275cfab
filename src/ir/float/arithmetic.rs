//! Operators, rounded once to nearest with ties to even.
//!
//! What no number is has the bits that x86-64 gives it: of two NaNs the first (of the x87: the one with the greater significand), made
//! quiet; where an operation on numbers has no value, the default NaN, whose sign is set.

use super::parts::ldexp;
use super::real::{Real, in_kind, mask, precision};
use crate::ir::{BinaryOp, FloatKind};
use rustc_apfloat::Float as _;
use std::cmp::Ordering;

impl Real {
    /// `self op other`, both of one kind, the result of that kind; None when `op` is no arithmetic on floats.
    #[inline]
    pub fn apply(self, op: BinaryOp, other: Real) -> Option<Real> {
        let kind = self.kind();
        let value = match kind {
            FloatKind::Float => {
                let (a, b) = (f32::from_bits(self.bits() as u32), f32::from_bits(other.bits() as u32));
                Real::single(match op {
                    BinaryOp::Add => a + b,
                    BinaryOp::Sub => a - b,
                    BinaryOp::Mul => a * b,
                    BinaryOp::Div => a / b,
                    _ => return None,
                })
            }
            FloatKind::Double => {
                let (a, b) = (self.to_f64(), other.to_f64());
                Real::double(match op {
                    BinaryOp::Add => a + b,
                    BinaryOp::Sub => a - b,
                    BinaryOp::Mul => a * b,
                    BinaryOp::Div => a / b,
                    _ => return None,
                })
            }
            _ => self.apply_wide(op, other)?,
        };
        Some(if value.is_nan() { self.no_number(other) } else { value })
    }

    fn apply_wide(self, op: BinaryOp, other: Real) -> Option<Real> {
        let bits = in_kind!(self.kind(), F => {
            let (a, b) = (F::from_bits(self.bits()), F::from_bits(other.bits()));
            match op {
                BinaryOp::Add => (a + b).value,
                BinaryOp::Sub => (a - b).value,
                BinaryOp::Mul => (a * b).value,
                BinaryOp::Div => (a / b).value,
                _ => return None,
            }
            .to_bits()
        });
        Some(Real::of_bits(self.kind(), bits))
    }

    /// Whether `self op other` for a comparison of numbers of one kind; None for other operators. Only `!=` holds of NaN.
    #[inline]
    pub fn holds(self, op: BinaryOp, other: Real) -> Option<bool> {
        let order = self.compare(other);
        Some(match op {
            BinaryOp::Eq => order == Some(Ordering::Equal),
            BinaryOp::Ne => order != Some(Ordering::Equal),
            BinaryOp::Lt => order == Some(Ordering::Less),
            BinaryOp::Gt => order == Some(Ordering::Greater),
            BinaryOp::Le => matches!(order, Some(Ordering::Less | Ordering::Equal)),
            BinaryOp::Ge => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
            _ => return None,
        })
    }

    /// The NaN that an operation on these gives.
    fn no_number(self, other: Real) -> Real {
        let quiet = |x: Real| match x.kind() {
            FloatKind::LongDouble if x.bits() >> 63 & 1 == 0 => Real::default_nan(x.kind()),
            kind => Real::of_bits(kind, x.bits() | 1 << (fraction_bits(kind) - 1)),
        };
        match (self.is_nan(), other.is_nan()) {
            (true, true) if self.kind() == FloatKind::LongDouble && self.bits() as u64 <= other.bits() as u64 => {
                quiet(other)
            }
            (true, _) => quiet(self),
            (false, true) => quiet(other),
            (false, false) => Real::default_nan(self.kind()),
        }
    }

    /// The NaN of an operation that has no value.
    pub fn default_nan(kind: FloatKind) -> Real {
        Real::new(kind, f64::INFINITY).to_quiet_nan().negated()
    }

    /// The NaN that the C library and constants have: of positive sign.
    pub fn quiet_nan(kind: FloatKind) -> Real {
        Real::default_nan(kind).absolute()
    }

    fn to_quiet_nan(self) -> Real {
        Real::of_bits(self.kind(), self.bits() | 1 << (fraction_bits(self.kind()) - 1))
    }

    /// `self * by + add`, rounded once.
    pub fn fused(self, by: Real, add: Real) -> Real {
        let kind = self.kind();
        let bits = in_kind!(kind, F => {
            F::from_bits(self.bits()).mul_add(F::from_bits(by.bits()), F::from_bits(add.bits())).value.to_bits()
        });
        let value = Real::of_bits(kind, bits);
        match value.is_nan() {
            true if self.is_nan() || by.is_nan() => self.no_number(by),
            true => add.no_number(add.absolute()),
            false => value,
        }
    }

    /// The square root.
    pub fn square_root(self) -> Real {
        let kind = self.kind();
        if self.is_nan() || self.is_zero() {
            return if self.is_nan() { self.no_number(self) } else { self };
        }
        if self.is_negative() {
            return Real::default_nan(kind);
        }
        if self.is_infinite() {
            return self;
        }
        match kind {
            FloatKind::Float => return Real::single(f32::from_bits(self.bits() as u32).sqrt()),
            FloatKind::Double => return Real::double(self.to_f64().sqrt()),
            _ => {}
        }
        // `significand * 2^exponent` with an even exponent; the root has as many digits as the radicand has pairs of digits.
        let (mut significand, mut exponent) = self.digits();
        if exponent % 2 != 0 {
            significand <<= 1;
            exponent -= 1;
        }
        let pairs = significand.ilog2() / 2 + 1;
        let wanted = precision(kind) + 2;
        let (mut root, mut rest) = (0u128, 0u128);
        for i in 0..wanted {
            let pair = if i < pairs { significand >> (2 * (pairs - 1 - i)) & 3 } else { 0 };
            rest = rest << 2 | pair;
            root <<= 1;
            if rest > root << 1 {
                rest -= root << 1 | 1;
                root |= 1;
            }
        }
        // What is left says on which side of a tie the root lies.
        let exact = Real::of_int(kind, (root << 1 | u128::from(rest != 0)) as i128, true);
        ldexp(exact, exponent / 2 - (wanted as i32 - pairs as i32) - 1)
    }

    /// `fmod`: what is left after as many whole `other` as fit, with the sign of `self`.
    pub fn modulo(self, other: Real) -> Real {
        let value = match self.kind() {
            FloatKind::Float | FloatKind::Double => Real::new(self.kind(), self.to_f64() % other.to_f64()),
            kind => Real::of_bits(
                kind,
                in_kind!(kind, F => (F::from_bits(self.bits()) % F::from_bits(other.bits())).value.to_bits()),
            ),
        };
        if value.is_nan() { self.no_number(other) } else { value }
    }

    /// `remainder`: `self - n * other` for the integer nearest to the quotient, an even one at a tie.
    pub fn remainder(self, other: Real) -> Real {
        let kind = self.kind();
        if self.is_nan() || other.is_nan() || self.is_infinite() || other.is_zero() {
            return self.no_number(other);
        }
        if other.is_infinite() {
            return self;
        }
        let divisor = other.absolute();
        // Twice the divisor tells even quotients; where that is infinite, there are no two of it.
        let twice = ldexp(divisor, 1);
        let mut left = if twice.is_infinite() { self.absolute() } else { self.absolute().modulo(twice) };
        let minus = |x: Real| x.apply(BinaryOp::Sub, divisor).expect("subtraction is arithmetic");
        let greater = |x: Real| x.compare(divisor) == Some(Ordering::Greater);
        // Twice what is left is compared without overflow: by what is left of the divisor.
        let above_half = |x: Real, strictly: bool| {
            let rest = divisor.apply(BinaryOp::Sub, x).expect("subtraction is arithmetic");
            match x.compare(rest) {
                Some(Ordering::Greater) => true,
                Some(Ordering::Equal) => !strictly,
                _ => false,
            }
        };
        if greater(left) || left.compare(divisor) == Some(Ordering::Equal) {
            // One whole divisor is taken, an odd number: ties go up to two.
            left = minus(left);
            if above_half(left, false) {
                left = minus(left);
            }
        } else if above_half(left, true) {
            left = minus(left);
        }
        if left.is_zero() {
            return Real::zero(kind).with_sign_of(self);
        }
        if self.is_negative() { left.negated() } else { left }
    }

    /// The significand as an integer and its exponent: `significand * 2^exponent` is the absolute value of a finite number.
    pub fn digits(self) -> (u128, i32) {
        let kind = self.kind();
        let magnitude = self.absolute().bits();
        let stored = if kind == FloatKind::LongDouble { 64 } else { fraction_bits(kind) };
        let biased = (magnitude >> stored) as i32;
        let fraction = magnitude & mask(stored);
        let leading = if biased != 0 && kind != FloatKind::LongDouble { 1u128 << stored } else { 0 };
        let least = super::real::least_exponent(kind) - (precision(kind) as i32 - 1);
        (fraction | leading, least + biased.max(1) - 1)
    }
}

/// Bits of the fraction: the significand without its leading bit.
fn fraction_bits(kind: FloatKind) -> u32 {
    precision(kind) - 1
}
