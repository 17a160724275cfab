//! Bit operations on two's complement numbers of any width.

use super::congruence::Congruence;
use super::int::Int;
use super::int_type::IntType;
use super::interval::Interval;

/// The least `2^k - 1` at or above every magnitude: `k` bits hold all of `a` (negative numbers as their complement).
fn mask_above(a: Int) -> i128 {
    let magnitude = |v: i128| if v < 0 { !v } else { v };
    let greatest = magnitude(a.lo()).max(magnitude(a.hi()));
    if greatest == 0 { 0 } else { i128::MAX >> (greatest.leading_zeros() - 1) }
}

/// `k` when `value` is `2^k - 1` with `0 < k < 126`.
fn low_mask(value: i128) -> Option<u32> {
    let k = value.trailing_ones();
    (value > 0 && k < 126 && value == (1i128 << k) - 1).then_some(k)
}

/// `a & b`.
pub fn and(a: Int, b: Int) -> Int {
    if let (Some(x), Some(y)) = (a.as_constant(), b.as_constant()) {
        return Int::constant(x & y);
    }
    for (mask, x) in [(a, b), (b, a)] {
        let Some(m) = mask.as_constant() else { continue };
        if let Some(k) = low_mask(m) {
            return IntType::unsigned(k).wrap(x);
        }
        // A mask of all high bits rounds down.
        if m < 0 && low_mask(!m).is_some() {
            return Int::reduce(Interval { lo: x.lo() & m, hi: x.hi() & m }, Congruence::new(-m, 0))
                .unwrap_or(Int::TOP);
        }
    }
    let bound = mask_above(a).max(mask_above(b));
    match (a.lo() >= 0, b.lo() >= 0) {
        (true, true) => Int::range(0, a.hi().min(b.hi())),
        (true, false) => Int::range(0, a.hi()),
        (false, true) => Int::range(0, b.hi()),
        (false, false) => Int::range(!bound, a.hi().max(b.hi())),
    }
}

/// `a | b`.
pub fn or(a: Int, b: Int) -> Int {
    if let (Some(x), Some(y)) = (a.as_constant(), b.as_constant()) {
        return Int::constant(x | y);
    }
    let bound = mask_above(a).max(mask_above(b));
    if a.lo() >= 0 && b.lo() >= 0 {
        return Int::range(a.lo().max(b.lo()), bound);
    }
    let hi = if a.hi() < 0 || b.hi() < 0 { -1 } else { bound };
    Int::range(a.lo().min(b.lo()), hi)
}

/// `a ^ b`.
pub fn xor(a: Int, b: Int) -> Int {
    if let (Some(x), Some(y)) = (a.as_constant(), b.as_constant()) {
        return Int::constant(x ^ y);
    }
    let bound = mask_above(a).max(mask_above(b));
    let lo = if a.lo() >= 0 && b.lo() >= 0 { 0 } else { !bound };
    Int::range(lo, bound)
}

/// `~a`.
pub fn not(a: Int) -> Int {
    let congruence = a.congruence().negated().plus(Congruence::constant(-1));
    Int::reduce(Interval { lo: !a.hi(), hi: !a.lo() }, congruence).unwrap_or(Int::TOP)
}

/// `a << count`, exact, for counts in `[0, bits)`; None: too large to compute.
pub fn shl(a: Int, count: Int) -> Option<Int> {
    let power = |c: i128| u32::try_from(c).ok().filter(|&c| c < 126).map(|c| 1i128 << c);
    let factors = Interval::new(power(count.lo())?, power(count.hi())?)?;
    let range = a.interval().corners(factors, i128::checked_mul)?;
    let congruence = a.congruence().times(match count.as_constant() {
        Some(_) => Congruence::constant(factors.lo),
        None => Congruence::new(factors.lo, 0),
    });
    Int::reduce(range, congruence)
}

/// `a >> count`, rounding down, for counts in `[0, 127]`.
pub fn shr(a: Int, count: Int) -> Int {
    let shift = |x: i128, c: i128| Some(x >> c.clamp(0, 127));
    let range = a.interval().corners(count.interval(), shift).unwrap_or(a.interval());
    let congruence = match count.as_constant().filter(|&c| (0..126).contains(&c)).map(|c| 1i128 << c) {
        Some(d) if a.congruence().modulus() % d == 0 => {
            Congruence::new(a.congruence().modulus() / d, a.congruence().rem().div_euclid(d))
        }
        _ => Congruence::TOP,
    };
    Int::reduce(range, congruence).unwrap_or(Int::range(range.lo, range.hi))
}
