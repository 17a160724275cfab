//! Whole numbers, integers, other formats.

use super::arithmetic::choose;
use super::number::{Format, Number, exponent_bits, normalized, shifted_down};
use super::round::{rounded, width, with_digits};
use crate::ir::Rounding;
use crate::smt::{Term, TermPool};

/// A float as an integer: the value where one of so many bits has it.
pub struct Whole {
    /// Signed, one bit wider than asked for.
    pub value: Term,
    /// Whether it is the value.
    pub fits: Term,
}

impl Number {
    /// Converted to another format.
    pub fn to_format(self, pool: &mut TermPool, format: Format) -> Number {
        if format == self.format {
            return self;
        }
        let parts = self.parts(pool);
        let digits = with_digits(pool, format.precision + 2, parts.significand);
        let bits = exponent_bits(self.format).max(exponent_bits(format));
        let exponent = pool.sign_extend(bits - exponent_bits(self.format), parts.exponent);
        let number = rounded(pool, format, self.negative, exponent, digits);
        let (zero, infinite) = (self.is_zero(pool), self.is_infinite(pool));
        let nothing = Number::constant(pool, format, self.negative, 0);
        let infinity = Number::constant(pool, format, self.negative, format.infinity());
        let number = choose(pool, zero, nothing, number);
        let number = choose(pool, infinite, infinity, number);
        Number { nan: self.nan, ..number }
    }

    /// An integer of at most 64 bits as a number.
    pub fn of_integer(pool: &mut TermPool, format: Format, value: Term, signed: bool) -> Number {
        let (negative, magnitude) = if signed {
            let negative = pool.bv_sign(value);
            let negated = pool.bv_neg(value);
            (negative, pool.ite(negative, negated, value))
        } else {
            (pool.bool(false), value)
        };
        let digits = width(pool, magnitude);
        let bits = exponent_bits(format).max(9);
        let exponent = pool.bv(bits, (digits - 1).into());
        let (magnitude, exponent) = normalized(pool, magnitude, exponent);
        let magnitude = with_digits(pool, format.precision + 2, magnitude);
        rounded(pool, format, negative, exponent, magnitude)
    }

    /// The whole number that is left without the fraction, if so many bits (at most 64) hold it as a signed or an unsigned number.
    pub fn to_integer(self, pool: &mut TermPool, bits: u32, signed: bool) -> Whole {
        let (format, p) = (self.format, self.format.precision);
        let parts = self.parts(pool);
        let wide = bits.max(p) + 2;
        let count = exponent_bits(format);
        // The point stands behind the first `exponent + 1` digits.
        let digits = pool.zero_extend(wide - p, parts.significand);
        let point = pool.bv_signed(count, i128::from(p) - 1);
        let (up, down) = (pool.bv_sub(parts.exponent, point), pool.bv_sub(point, parts.exponent));
        let (up_by, down_by) = (counted(pool, up, wide), counted(pool, down, wide));
        let (shifted_up, shifted_down) = (pool.bv_shl(digits, up_by), pool.bv_lshr(digits, down_by));
        let below = pool.bv_slt(parts.exponent, point);
        let magnitude = pool.ite(below, shifted_down, shifted_up);
        let nothing = pool.bv(wide, 0);
        let zero = self.is_zero(pool);
        let magnitude = pool.ite(zero, nothing, magnitude);
        let negated = pool.bv_neg(magnitude);
        let value = pool.ite(self.negative, negated, magnitude);
        // Numbers of more digits than there are do not fit.
        let limit = pool.bv_signed(count, i128::from(wide) - 1);
        let few = pool.bv_slt(parts.exponent, limit);
        let few = pool.or(&[few, zero]);
        let (low, high) =
            if signed { (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1) } else { (0, (1i128 << bits) - 1) };
        let (low, high) = (pool.bv_signed(wide, low), pool.bv_signed(wide, high));
        let (above, under) = (pool.bv_sle(low, value), pool.bv_sle(value, high));
        let finite = self.is_finite(pool);
        let fits = pool.and(&[finite, few, above, under]);
        Whole { value: pool.extract(bits, 0, value), fits }
    }

    /// The whole number of the same format.
    pub fn whole(self, pool: &mut TermPool, rounding: Rounding) -> Number {
        let (format, p) = (self.format, self.format.precision);
        let count = exponent_bits(format);
        let parts = self.parts(pool);
        // Two digits are kept behind the point: the next one, and whether more is there.
        let digits = with_digits(pool, p + 2, parts.significand);
        let point = pool.bv_signed(count, i128::from(p) - 1);
        let by = pool.bv_sub(point, parts.exponent);
        let none = pool.bv(count, 0);
        let already = pool.bv_sle(by, none);
        let digits = shifted_down(pool, digits, by);
        let kept = pool.extract(p + 1, 2, digits);
        let (half, more) = (pool.extract(1, 1, digits), pool.extract(0, 0, digits));
        let (one, odd) = (pool.bv(1, 1), pool.extract(0, 0, kept));
        let [half, more, odd] = [half, more, odd].map(|bit| pool.eq(bit, one));
        let some = pool.or(&[half, more]);
        let up = match rounding {
            Rounding::TowardZero => pool.bool(false),
            Rounding::TiesAway => half,
            Rounding::TiesEven => {
                let beyond = pool.or(&[more, odd]);
                pool.and(&[half, beyond])
            }
            Rounding::Down => pool.and(&[self.negative, some]),
            Rounding::Up => {
                let positive = pool.not(self.negative);
                pool.and(&[positive, some])
            }
        };
        let kept = pool.zero_extend(1, kept);
        let (unit, nothing) = (pool.bv(p + 1, 1), pool.bv(p + 1, 0));
        let increment = pool.ite(up, unit, nothing);
        let whole = pool.bv_add(kept, increment);
        let exponent = pool.bv(count, p.into());
        let (whole, exponent) = normalized(pool, whole, exponent);
        let whole = with_digits(pool, p + 2, whole);
        let number = rounded(pool, format, self.negative, exponent, whole);
        let (zero, finite) = (self.is_zero(pool), self.is_finite(pool));
        let not_finite = pool.not(finite);
        let stays = pool.or(&[already, zero, not_finite]);
        let number = choose(pool, stays, self, number);
        Number { nan: self.nan, ..number }
    }
}

/// A count that is not negative in so many bits: the width where it is more.
fn counted(pool: &mut TermPool, count: Term, wide: u32) -> Term {
    let bits = width(pool, count);
    let limit = pool.bv(bits, wide.into());
    let far = pool.bv_ule(limit, count);
    let most = pool.bv(wide, wide.into());
    let near = pool.resize(wide, false, count);
    pool.ite(far, most, near)
}
