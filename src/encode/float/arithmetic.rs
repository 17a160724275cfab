//! Sums, products, quotients, square roots.

use super::number::{Format, Number, exponent_bits, normalized, shifted_down};
use super::round::{rounded, width};
use crate::smt::{Term, TermPool};

/// `a` where the condition holds, else `b`.
pub(super) fn choose(pool: &mut TermPool, condition: Term, a: Number, b: Number) -> Number {
    Number {
        format: a.format,
        negative: pool.ite(condition, a.negative, b.negative),
        magnitude: pool.ite(condition, a.magnitude, b.magnitude),
        nan: pool.ite(condition, a.nan, b.nan),
    }
}

fn no_number(pool: &mut TermPool, format: Format) -> Number {
    let negative = pool.bool(false);
    Number { nan: pool.bool(true), ..Number::constant(pool, format, negative, 0) }
}

impl Number {
    /// `a + b`.
    pub fn add(self, pool: &mut TermPool, other: Number) -> Number {
        let format = self.format;
        // The greater one first.
        let swapped = pool.bv_ult(self.magnitude, other.magnitude);
        let (a, b) = (choose(pool, swapped, other, self), choose(pool, swapped, self, other));
        let ((of_a, great), (of_b, small)) = (a.stored_parts(pool), b.stored_parts(pool));
        // One bit for a carry, three that are lost: two digits and whether more was.
        let wide = |pool: &mut TermPool, digits: Term| {
            let three = pool.bv(3, 0);
            let digits = pool.concat(digits, three);
            pool.zero_extend(1, digits)
        };
        let (great, small) = (wide(pool, great), wide(pool, small));
        let apart = pool.bv_sub(of_a, of_b);
        let small = shifted_down(pool, small, apart);
        let (sum, difference) = (pool.bv_add(great, small), pool.bv_sub(great, small));
        let same_sign = pool.eq(a.negative, b.negative);
        let total = pool.ite(same_sign, sum, difference);
        // The carry stands one above the leading digit.
        let one = pool.bv(exponent_bits(format), 1);
        let exponent = pool.bv_add(of_a, one);
        let (total, exponent) = normalized(pool, total, exponent);
        // Nothing left of numbers of different sign is a positive zero.
        let empty = pool.bv(width(pool, total), 0);
        let nothing = pool.eq(total, empty);
        let both = pool.and(&[a.negative, b.negative]);
        let negative = pool.ite(nothing, both, a.negative);
        let sum = rounded(pool, format, negative, exponent, total);
        // An infinity stays one; two of different sign are no number.
        let (infinite, other_infinite) = (a.is_infinite(pool), b.is_infinite(pool));
        let differ = pool.not(same_sign);
        let clash = pool.and(&[infinite, other_infinite, differ]);
        let nan = pool.or(&[self.nan, other.nan, clash]);
        let sum = choose(pool, infinite, a, sum);
        Number { nan, ..sum }
    }

    /// `a - b`.
    pub fn subtract(self, pool: &mut TermPool, other: Number) -> Number {
        let other = other.negated(pool);
        self.add(pool, other)
    }

    /// `a * b`.
    pub fn multiply(self, pool: &mut TermPool, other: Number) -> Number {
        let (format, p) = (self.format, self.format.precision);
        let differ = pool.eq(self.negative, other.negative);
        let negative = pool.not(differ);
        let (a, b) = (self.parts(pool), other.parts(pool));
        let exponent = pool.bv_add(a.exponent, b.exponent);
        let (x, y) = (pool.zero_extend(p, a.significand), pool.zero_extend(p, b.significand));
        let product = pool.bv_mul(x, y);
        // The product of numbers below 2 is below 4.
        let one = pool.bv(exponent_bits(format), 1);
        let exponent = pool.bv_add(exponent, one);
        let (product, exponent) = lifted(pool, product, exponent);
        let product = rounded(pool, format, negative, exponent, product);
        let (zero, other_zero) = (self.is_zero(pool), other.is_zero(pool));
        let (infinite, other_infinite) = (self.is_infinite(pool), other.is_infinite(pool));
        let (zero, infinite) = (pool.or(&[zero, other_zero]), pool.or(&[infinite, other_infinite]));
        let clash = pool.and(&[zero, infinite]);
        self.settled(pool, other, negative, product, (zero, infinite, clash))
    }

    /// `a / b`.
    pub fn divide(self, pool: &mut TermPool, other: Number) -> Number {
        let (format, p) = (self.format, self.format.precision);
        let same = pool.eq(self.negative, other.negative);
        let negative = pool.not(same);
        let (a, b) = (self.parts(pool), other.parts(pool));
        let exponent = pool.bv_sub(a.exponent, b.exponent);
        // Digit by digit; what is left is below the divisor, twice of it below twice.
        let (mut rest, divisor) = (pool.zero_extend(1, a.significand), pool.zero_extend(1, b.significand));
        let mut digits = Vec::new();
        let one = pool.bv(p + 1, 1);
        for _ in 0..p + 2 {
            let fits = pool.bv_ule(divisor, rest);
            let less = pool.bv_sub(rest, divisor);
            rest = pool.ite(fits, less, rest);
            rest = pool.bv_shl(rest, one);
            digits.push(fits);
        }
        let nothing = pool.bv(p + 1, 0);
        digits.push(pool.ne(rest, nothing));
        let quotient = number_of(pool, &digits);
        let (quotient, exponent) = lifted(pool, quotient, exponent);
        let quotient = rounded(pool, format, negative, exponent, quotient);
        let (zero, by_zero) = (self.is_zero(pool), other.is_zero(pool));
        let (infinite, by_infinity) = (self.is_infinite(pool), other.is_infinite(pool));
        let (zeros, infinities) = (pool.and(&[zero, by_zero]), pool.and(&[infinite, by_infinity]));
        let clash = pool.or(&[zeros, infinities]);
        let (to_zero, to_infinity) = (pool.or(&[zero, by_infinity]), pool.or(&[infinite, by_zero]));
        self.settled(pool, other, negative, quotient, (to_zero, to_infinity, clash))
    }

    /// The result where it is zero, infinite or no number for what the operands are.
    fn settled(
        self,
        pool: &mut TermPool,
        other: Number,
        negative: Term,
        result: Number,
        (zero, infinite, clash): (Term, Term, Term),
    ) -> Number {
        let format = self.format;
        let nothing = Number::constant(pool, format, negative, 0);
        let infinity = Number::constant(pool, format, negative, format.infinity());
        let result = choose(pool, zero, nothing, result);
        let result = choose(pool, infinite, infinity, result);
        let nan = pool.or(&[self.nan, other.nan, clash]);
        Number { nan, ..result }
    }

    /// The square root.
    pub fn square_root(self, pool: &mut TermPool) -> Number {
        let (format, p) = (self.format, self.format.precision);
        let bits = exponent_bits(format);
        let parts = self.parts(pool);
        // `significand * 2^e` with an even `e`: one digit or two before the point.
        let lowest = pool.extract(0, 0, parts.exponent);
        let set = pool.bv(1, 1);
        let odd = pool.eq(lowest, set);
        let one = pool.bv(bits, 1);
        let half = pool.bv_ashr(parts.exponent, one);
        let (single, double) = (pool.zero_extend(1, parts.significand), with_zero(pool, parts.significand));
        let mut radicand = pool.ite(odd, double, single);
        // An even number of digits.
        if (p + 1) % 2 == 1 {
            radicand = with_zero(pool, radicand);
        }
        let all = width(pool, radicand);
        let wide = p + 5;
        let (mut rest, mut root) = (pool.bv(wide, 0), pool.bv(wide, 0));
        let (by_two, by_one) = (pool.bv(wide, 2), pool.bv(wide, 1));
        let mut digits = Vec::new();
        for i in 0..p + 2 {
            rest = pool.bv_shl(rest, by_two);
            if 2 * i + 1 < all {
                let pair = pool.extract(all - 1 - 2 * i, all - 2 - 2 * i, radicand);
                let pair = pool.zero_extend(wide - 2, pair);
                rest = pool.bv_or(rest, pair);
            }
            let twice = pool.bv_shl(root, by_two);
            let trial = pool.bv_or(twice, by_one);
            let fits = pool.bv_ule(trial, rest);
            let less = pool.bv_sub(rest, trial);
            rest = pool.ite(fits, less, rest);
            root = pool.bv_shl(root, by_one);
            let next = pool.bv_or(root, by_one);
            root = pool.ite(fits, next, root);
            digits.push(fits);
        }
        let nothing = pool.bv(wide, 0);
        digits.push(pool.ne(rest, nothing));
        let root = number_of(pool, &digits);
        let negative = pool.bool(false);
        let root = rounded(pool, format, negative, half, root);
        let (zero, infinite) = (self.is_zero(pool), self.is_infinite(pool));
        let stays = pool.or(&[zero, infinite]);
        let root = choose(pool, stays, self, root);
        let not_zero = pool.not(zero);
        let below = pool.and(&[self.negative, not_zero]);
        let none = no_number(pool, format);
        let root = choose(pool, below, none, root);
        let nan = pool.or(&[self.nan, root.nan]);
        Number { nan, ..root }
    }
}

fn with_zero(pool: &mut TermPool, digits: Term) -> Term {
    let zero = pool.bv(1, 0);
    pool.concat(digits, zero)
}

/// Shifted up once where the highest bit is not set, the exponent lowered.
fn lifted(pool: &mut TermPool, digits: Term, exponent: Term) -> (Term, Term) {
    let (all, bits) = (width(pool, digits), width(pool, exponent));
    let set = pool.bv_sign(digits);
    let by = pool.bv(all, 1);
    let shifted = pool.bv_shl(digits, by);
    let one = pool.bv(bits, 1);
    let lowered = pool.bv_sub(exponent, one);
    (pool.ite(set, digits, shifted), pool.ite(set, exponent, lowered))
}

/// The number with these digits, the highest first.
fn number_of(pool: &mut TermPool, digits: &[Term]) -> Term {
    let (one, zero) = (pool.bv(1, 1), pool.bv(1, 0));
    let bits: Vec<Term> = digits.iter().map(|d| pool.ite(*d, one, zero)).collect();
    bits.into_iter().reduce(|high, low| pool.concat(high, low)).expect("there are digits")
}
