//! From an exact sign, exponent and significand to the number of a format.

use super::number::{Format, Number, shifted_down};
use crate::smt::{Term, TermPool};

/// The number nearest to `0.ddd... * 2^(exponent + 1)`, the digits being those of `significand`, whose highest bit is set (zero where it
/// is zero); ties to even. The significand has at least two bits more than the format's precision, the exponent (signed) three more
/// than the format's.
pub(super) fn rounded(
    pool: &mut TermPool,
    format: Format,
    negative: Term,
    exponent: Term,
    significand: Term,
) -> Number {
    let (p, bits) = (format.precision, width(pool, exponent));
    // Below the least exponent the digits move down.
    let least = pool.bv_signed(bits, format.least());
    let subnormal = pool.bv_slt(exponent, least);
    let (gap, none) = (pool.bv_sub(least, exponent), pool.bv(bits, 0));
    let by = pool.ite(subnormal, gap, none);
    let significand = shifted_down(pool, significand, by);
    let all = width(pool, significand);
    let kept = pool.extract(all - 1, all - p, significand);
    let (half, rest) = (pool.extract(all - p - 1, all - p - 1, significand), pool.extract(all - p - 2, 0, significand));
    let (one, nothing) = (pool.bv(1, 1), pool.bv(all - p - 1, 0));
    let odd = pool.extract(0, 0, kept);
    let (is_half, is_odd) = (pool.eq(half, one), pool.eq(odd, one));
    let more = pool.ne(rest, nothing);
    let up_at_tie = pool.or(&[is_odd, more]);
    let up = pool.and(&[is_half, up_at_tie]);
    // Exponent and digits are added: a digit that carries over raises the exponent.
    let wide = bits + p;
    let steps = pool.bv_sub(exponent, least);
    let steps = pool.ite(subnormal, none, steps);
    let steps = pool.zero_extend(p, steps);
    let place = pool.bv(wide, (p - 1).into());
    let steps = pool.bv_shl(steps, place);
    let kept = pool.zero_extend(bits, kept);
    let sum = pool.bv_add(steps, kept);
    let (unit, zero) = (pool.bv(wide, 1), pool.bv(wide, 0));
    let increment = pool.ite(up, unit, zero);
    let sum = pool.bv_add(sum, increment);
    let infinity = pool.bv(wide, format.infinity());
    let overflow = pool.bv_ule(infinity, sum);
    let sum = pool.ite(overflow, infinity, sum);
    // Zero has no exponent.
    let empty = pool.bv(all, 0);
    let is_zero = pool.eq(significand, empty);
    let sum = pool.ite(is_zero, zero, sum);
    let magnitude = pool.extract(format.magnitude() - 1, 0, sum);
    Number { format, negative, magnitude, nan: pool.bool(false) }
}

pub(super) fn width(pool: &TermPool, term: Term) -> u32 {
    pool.sort(term).width().expect("the term is bits")
}

/// With zeros below, up to `wanted` bits.
pub(super) fn with_digits(pool: &mut TermPool, wanted: u32, significand: Term) -> Term {
    let has = width(pool, significand);
    if has >= wanted {
        return significand;
    }
    let zeros = pool.bv(wanted - has, 0);
    pool.concat(significand, zeros)
}
