//! Exact (mathematical) sums, products and quotients of integer sets; callers wrap the results.
//! None means that a bound does not fit: anything.

use super::congruence::Congruence;
use super::int::Int;
use super::interval::Interval;

/// `a + b`.
pub fn add(a: Int, b: Int) -> Option<Int> {
    let range = Interval::new(a.lo().checked_add(b.lo())?, a.hi().checked_add(b.hi())?)?;
    let sum = Int::reduce(range, a.congruence().plus(b.congruence()))?;
    sum.but(moved_hole(a, b, i128::checked_add))
}

/// Where the hole of `a op b` is if one of them is a single number; different numbers give different results with it.
fn moved_hole(a: Int, b: Int, op: impl Fn(i128, i128) -> Option<i128>) -> Option<i128> {
    match (a.as_constant(), b.as_constant()) {
        (None, Some(c)) => a.hole().and_then(|hole| op(hole, c)),
        (Some(c), None) => b.hole().and_then(|hole| op(c, hole)),
        _ => None,
    }
}

/// `-a`.
pub fn neg(a: Int) -> Option<Int> {
    let range = Interval::new(a.hi().checked_neg()?, a.lo().checked_neg()?)?;
    Int::reduce(range, a.congruence().negated())?.but(a.hole().and_then(i128::checked_neg))
}

/// `a - b`.
pub fn sub(a: Int, b: Int) -> Option<Int> {
    let range = Interval::new(a.lo().checked_sub(b.hi())?, a.hi().checked_sub(b.lo())?)?;
    let difference = Int::reduce(range, a.congruence().plus(b.congruence().negated()))?;
    difference.but(moved_hole(a, b, i128::checked_sub))
}

/// `a * b`.
pub fn mul(a: Int, b: Int) -> Option<Int> {
    let range = a.interval().corners(b.interval(), i128::checked_mul)?;
    let product = Int::reduce(range, a.congruence().times(b.congruence()))?;
    let is_zero = |x: Int| x.as_constant() == Some(0);
    let hole = if is_zero(a) || is_zero(b) { None } else { moved_hole(a, b, i128::checked_mul) };
    // No product of others is 0.
    let zero = (!a.contains(0) && !b.contains(0)).then_some(0);
    product.but([hole, zero].into_iter().flatten())
}

/// A result that may be empty, and may be anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quotient {
    /// The divisor can only be 0.
    Undefined,
    Some(Int),
    /// Too large.
    Any,
}

/// `a / b` towards zero, over the divisors other than 0.
pub fn div(a: Int, b: Int) -> Quotient {
    let mut result = Quotient::Undefined;
    for part in [b.clamp(i128::MIN, -1), b.clamp(1, i128::MAX)].into_iter().flatten() {
        let Some(range) = a.interval().corners(part.interval(), i128::checked_div) else { return Quotient::Any };
        let congruence = exact_quotient(a.congruence(), part);
        let Some(value) = Int::reduce(range, congruence) else { return Quotient::Any };
        result = match result {
            Quotient::Some(r) => Quotient::Some(r.join(value)),
            _ => Quotient::Some(value),
        };
    }
    result
}

fn exact_quotient(a: Congruence, b: Int) -> Congruence {
    match b.as_constant() {
        Some(d) if a.modulus() % d == 0 && a.rem() % d == 0 => Congruence::new(a.modulus() / d, a.rem() / d),
        _ => Congruence::TOP,
    }
}

/// `a % b` with the sign of `a`, over the divisors other than 0.
pub fn rem(a: Int, b: Int) -> Quotient {
    let Some(b) = b.except(0) else { return Quotient::Undefined };
    let (Some(low), Some(high)) = (b.lo().checked_abs(), b.hi().checked_abs()) else { return Quotient::Any };
    let greatest = low.max(high) - 1;
    // Dividends below every divisor stay as they are.
    let least = if b.lo() > 0 || b.hi() < 0 { low.min(high) } else { 1 };
    if a.lo() > -least && a.hi() < least {
        return Quotient::Some(a);
    }
    let lo = if a.lo() < 0 { a.lo().max(-greatest) } else { 0 };
    let hi = if a.hi() > 0 { a.hi().min(greatest) } else { 0 };
    let congruence = b.as_constant().map_or(Congruence::TOP, |d| a.congruence().modulo(d));
    Interval::new(lo, hi).and_then(|r| Int::reduce(r, congruence)).map_or(Quotient::Any, Quotient::Some)
}
