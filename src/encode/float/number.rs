//! Formats, a number's parts, comparisons.

use crate::ir::FloatKind;
use crate::smt::{Term, TermPool};

/// A floating format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Bits of the exponent.
    pub exponent: u32,
    /// Bits of the significand, the leading one too.
    pub precision: u32,
    /// Whether the leading bit of the significand is stored, as the x87 does.
    pub explicit: bool,
}

impl Format {
    /// The format of a type, where it is followed.
    pub fn of(kind: FloatKind) -> Option<Format> {
        let (exponent, precision, explicit) = match kind {
            FloatKind::Float => (8, 24, false),
            FloatKind::Double => (11, 53, false),
            FloatKind::LongDouble => (15, 64, true),
            FloatKind::Float128 => return None,
        };
        Some(Format { exponent, precision, explicit })
    }
    /// Bits of a stored number.
    pub fn width(self) -> u32 {
        1 + self.exponent + self.precision - u32::from(!self.explicit)
    }
    /// Bits of the magnitude: the exponent over the significand without its leading bit. Greater numbers have greater ones.
    pub fn magnitude(self) -> u32 {
        self.exponent + self.precision - 1
    }
    /// The least exponent of a normal number; the greatest one is `1 - least`.
    pub fn least(self) -> i128 {
        2 - (1 << (self.exponent - 1))
    }
    /// The greatest exponent.
    pub fn greatest(self) -> i128 {
        1 - self.least()
    }
    /// The magnitude of infinity.
    pub fn infinity(self) -> u128 {
        ((1 << self.exponent) - 1) << (self.precision - 1)
    }
}

/// A number taken apart. Of NaN the other parts mean nothing.
#[derive(Clone, Copy, Debug)]
pub struct Number {
    pub format: Format,
    /// Whether the sign is set.
    pub negative: Term,
    /// Of [`Format::magnitude`] bits.
    pub magnitude: Term,
    pub nan: Term,
}

/// A finite number that is not 0 as `1.ddd * 2^exponent`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    /// Signed, of [`exponent_bits`] bits.
    pub exponent: Term,
    /// Of as many bits as the precision; the highest is set.
    pub significand: Term,
}

/// Bits in which exponents of sums, products and quotients of numbers are computed: four more than a format has.
pub(super) fn exponent_bits(format: Format) -> u32 {
    format.exponent + 4
}

impl Number {
    /// The number that these bits are.
    pub fn unpack(pool: &mut TermPool, format: Format, bits: Term) -> Number {
        let width = format.width();
        let sign = pool.extract(width - 1, width - 1, bits);
        let one = pool.bv(1, 1);
        let negative = pool.eq(sign, one);
        let infinity = pool.bv(format.magnitude(), format.infinity());
        if !format.explicit {
            let magnitude = pool.extract(width - 2, 0, bits);
            let nan = pool.bv_ult(infinity, magnitude);
            return Number { format, negative, magnitude, nan };
        }
        let p = format.precision;
        let (exponent, leading) = (pool.extract(width - 2, p, bits), pool.extract(p - 1, p - 1, bits));
        let fraction = pool.extract(p - 2, 0, bits);
        let zero = pool.bv(format.exponent, 0);
        let (is_leading, least) = (pool.eq(leading, one), pool.eq(exponent, zero));
        // With the leading bit set and the least exponent the number is normal.
        let least_normal = pool.bv(format.exponent, 1);
        let pseudo = pool.and(&[is_leading, least]);
        let exponent_read = pool.ite(pseudo, least_normal, exponent);
        let magnitude = pool.concat(exponent_read, fraction);
        // Without it and any other exponent the x87 knows no such number.
        let not_leading = pool.not(is_leading);
        let not_least = pool.not(least);
        let invalid = pool.and(&[not_leading, not_least]);
        let above = pool.bv_ult(infinity, magnitude);
        let nan = pool.or(&[invalid, above]);
        Number { format, negative, magnitude, nan }
    }

    /// The bits of the number. `any` stands for the bits of what is none.
    pub fn pack(self, pool: &mut TermPool, any: Term) -> Term {
        let format = self.format;
        let (one, zero) = (pool.bv(1, 1), pool.bv(1, 0));
        let sign = pool.ite(self.negative, one, zero);
        let bits = if format.explicit {
            let (exponent, fraction) = self.fields(pool);
            let least = pool.bv(format.exponent, 0);
            let subnormal = pool.eq(exponent, least);
            let leading = pool.ite(subnormal, zero, one);
            let significand = pool.concat(leading, fraction);
            let rest = pool.concat(exponent, significand);
            pool.concat(sign, rest)
        } else {
            pool.concat(sign, self.magnitude)
        };
        // A quiet one: the exponent and the highest bit of the fraction are set.
        let quiet = if format.explicit {
            (((1u128 << format.exponent) - 1) << format.precision) | 0b11 << (format.precision - 2)
        } else {
            format.infinity() | 1 << (format.precision - 2)
        };
        let quiet = pool.bv(format.width(), quiet);
        let any = pool.bv_or(any, quiet);
        pool.ite(self.nan, any, bits)
    }

    /// Exponent and fraction of the magnitude.
    pub(super) fn fields(self, pool: &mut TermPool) -> (Term, Term) {
        let p = self.format.precision;
        let exponent = pool.extract(self.format.magnitude() - 1, p - 1, self.magnitude);
        (exponent, pool.extract(p - 2, 0, self.magnitude))
    }

    /// A constant of the format: zero, infinity, or another magnitude.
    pub(super) fn constant(pool: &mut TermPool, format: Format, negative: Term, magnitude: u128) -> Number {
        Number { format, negative, magnitude: pool.bv(format.magnitude(), magnitude), nan: pool.bool(false) }
    }

    pub fn is_zero(self, pool: &mut TermPool) -> Term {
        let zero = pool.bv(self.format.magnitude(), 0);
        let is = pool.eq(self.magnitude, zero);
        let number = pool.not(self.nan);
        pool.and(&[number, is])
    }
    pub fn is_infinite(self, pool: &mut TermPool) -> Term {
        let infinity = pool.bv(self.format.magnitude(), self.format.infinity());
        let is = pool.eq(self.magnitude, infinity);
        let number = pool.not(self.nan);
        pool.and(&[number, is])
    }
    pub fn is_finite(self, pool: &mut TermPool) -> Term {
        let infinity = pool.bv(self.format.magnitude(), self.format.infinity());
        let below = pool.bv_ult(self.magnitude, infinity);
        let number = pool.not(self.nan);
        pool.and(&[number, below])
    }
    pub fn is_normal(self, pool: &mut TermPool) -> Term {
        let least = pool.bv(self.format.magnitude(), 1 << (self.format.precision - 1));
        let (finite, normal) = (self.is_finite(pool), pool.bv_ule(least, self.magnitude));
        pool.and(&[finite, normal])
    }
    pub fn negated(self, pool: &mut TermPool) -> Number {
        Number { negative: pool.not(self.negative), ..self }
    }
    pub fn absolute(self, pool: &mut TermPool) -> Number {
        Number { negative: pool.bool(false), ..self }
    }

    /// `a == b`: zeros of both signs are equal, NaN is not.
    pub fn equals(self, pool: &mut TermPool, other: Number) -> Term {
        let (signs, magnitudes) = (pool.eq(self.negative, other.negative), pool.eq(self.magnitude, other.magnitude));
        let same = pool.and(&[signs, magnitudes]);
        let (zero, other_zero) = (self.is_zero(pool), other.is_zero(pool));
        let zeros = pool.and(&[zero, other_zero]);
        let equal = pool.or(&[same, zeros]);
        let nan = pool.or(&[self.nan, other.nan]);
        let numbers = pool.not(nan);
        pool.and(&[numbers, equal])
    }
    /// `a < b`.
    pub fn below(self, pool: &mut TermPool, other: Number) -> Term {
        let (less, more) = (pool.bv_ult(self.magnitude, other.magnitude), pool.bv_ult(other.magnitude, self.magnitude));
        let (zero, other_zero) = (self.is_zero(pool), other.is_zero(pool));
        let zeros = pool.and(&[zero, other_zero]);
        let not_zeros = pool.not(zeros);
        let otherwise = pool.ite(self.negative, more, less);
        let same_sign = pool.eq(self.negative, other.negative);
        let apart = pool.and(&[self.negative, not_zeros]);
        let below = pool.ite(same_sign, otherwise, apart);
        let nan = pool.or(&[self.nan, other.nan]);
        let numbers = pool.not(nan);
        pool.and(&[numbers, below])
    }

    /// Exponent and significand of a finite number, normalized; of 0 they mean nothing.
    pub(super) fn parts(self, pool: &mut TermPool) -> Parts {
        let (exponent, significand) = self.stored_parts(pool);
        let (significand, exponent) = normalized(pool, significand, exponent);
        Parts { exponent, significand }
    }
    /// The same as it is stored: subnormal numbers have the least exponent and no leading bit.
    pub(super) fn stored_parts(self, pool: &mut TermPool) -> (Term, Term) {
        let (field, fraction) = self.fields(pool);
        let (format, bits) = (self.format, exponent_bits(self.format));
        let zero = pool.bv(format.exponent, 0);
        let subnormal = pool.eq(field, zero);
        let (one, none) = (pool.bv(1, 1), pool.bv(1, 0));
        let leading = pool.ite(subnormal, none, one);
        let significand = pool.concat(leading, fraction);
        let wide = pool.zero_extend(bits - format.exponent, field);
        let bias = pool.bv_signed(bits, format.least() - 1);
        let normal = pool.bv_add(wide, bias);
        let least = pool.bv_signed(bits, format.least());
        (pool.ite(subnormal, least, normal), significand)
    }
}

/// Shifted up until the highest bit is set, the exponent lowered as often; zero stays.
pub(super) fn normalized(pool: &mut TermPool, mut significand: Term, mut exponent: Term) -> (Term, Term) {
    let width = pool.sort(significand).width().expect("a significand is bits");
    let bits = pool.sort(exponent).width().expect("an exponent is bits");
    let mut step = width.next_power_of_two() / 2;
    while step > 0 {
        if step < width {
            let top = pool.extract(width - 1, width - step, significand);
            let nothing = pool.bv(step, 0);
            let empty = pool.eq(top, nothing);
            let by = pool.bv(width, step.into());
            let shifted = pool.bv_shl(significand, by);
            significand = pool.ite(empty, shifted, significand);
            let less = pool.bv(bits, step.into());
            let lowered = pool.bv_sub(exponent, less);
            exponent = pool.ite(empty, lowered, exponent);
        }
        step /= 2;
    }
    (significand, exponent)
}

/// Shifted down by an unsigned number of bits; the lowest bit is set where one that is set was lost.
pub(super) fn shifted_down(pool: &mut TermPool, significand: Term, by: Term) -> Term {
    let width = pool.sort(significand).width().expect("a significand is bits");
    let bits = pool.sort(by).width().expect("a count is bits");
    // A count of the width or more leaves only what is lost.
    let by = if bits > width {
        let (limit, most) = (pool.bv(bits, width.into()), pool.bv(width, width.into()));
        let (far, low) = (pool.bv_ule(limit, by), pool.extract(width - 1, 0, by));
        pool.ite(far, most, low)
    } else {
        pool.zero_extend(width - bits, by)
    };
    let down = pool.bv_lshr(significand, by);
    let back = pool.bv_shl(down, by);
    let lost = pool.ne(back, significand);
    let (one, zero) = (pool.bv(width, 1), pool.bv(width, 0));
    let sticky = pool.ite(lost, one, zero);
    pool.bv_or(down, sticky)
}
