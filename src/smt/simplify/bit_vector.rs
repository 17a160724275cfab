//! Rules for bit-vectors.

use super::super::bits::BitVec;
use super::super::op::{Op, Term};
use super::super::pool::TermPool;
use super::super::value::Value;
use super::reordered;

/// Operators of one argument, extraction and extension among them.
pub(super) fn unary(pool: &mut TermPool, op: Op, a: Term) -> Option<Term> {
    let inner = pool.args(a).first().copied();
    match (op, pool.op(a), inner) {
        (Op::BvNot, Op::BvNot, Some(x)) | (Op::BvNeg, Op::BvNeg, Some(x)) => Some(x),
        (Op::ZeroExtend(0) | Op::SignExtend(0), ..) => Some(a),
        (Op::ZeroExtend(by), Op::ZeroExtend(more), Some(x)) => Some(pool.zero_extend(by + more, x)),
        (Op::SignExtend(by), Op::SignExtend(more), Some(x)) => Some(pool.sign_extend(by + more, x)),
        // What zeros were put above (at least one, as 0 is ruled out above) is not negative.
        (Op::SignExtend(by), Op::ZeroExtend(more), Some(x)) => Some(pool.zero_extend(by + more, x)),
        (Op::Extract { high, low }, ..) => extract(pool, high, low, a),
        _ => None,
    }
}

fn width(pool: &TermPool, t: Term) -> u32 {
    pool.sort(t).width().expect("the argument is a bit-vector")
}

/// Extraction from structure: from extractions, concatenations and extensions.
fn extract(pool: &mut TermPool, high: u32, low: u32, a: Term) -> Option<Term> {
    if low == 0 && high + 1 == width(pool, a) {
        return Some(a);
    }
    let args = pool.args(a);
    match pool.op(a) {
        Op::Extract { low: below, .. } => {
            let x = args[0];
            Some(pool.extract(high + below, low + below, x))
        }
        Op::Concat => {
            let (upper, lower) = (args[0], args[1]);
            let split = width(pool, lower);
            if high < split {
                Some(pool.extract(high, low, lower))
            } else if low >= split {
                Some(pool.extract(high - split, low - split, upper))
            } else {
                None
            }
        }
        Op::ZeroExtend(_) | Op::SignExtend(_) => {
            let x = args[0];
            let split = width(pool, x);
            let signed = matches!(pool.op(a), Op::SignExtend(_));
            if high < split {
                Some(pool.extract(high, low, x))
            } else if low < split {
                let kept = pool.extract(split - 1, low, x);
                Some(pool.resize(high - low + 1, signed, kept))
            } else if signed {
                None
            } else {
                Some(pool.bv(high - low + 1, 0))
            }
        }
        _ => None,
    }
}

/// Operators of two arguments.
pub(super) fn binary(pool: &mut TermPool, op: Op, a: Term, b: Term) -> Option<Term> {
    match op {
        Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvAdd | Op::BvMul | Op::BvUmulo | Op::BvSmulo => {
            reordered(pool, op, a, b).or_else(|| arithmetic(pool, op, a, b))
        }
        Op::BvSub | Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem => arithmetic(pool, op, a, b),
        Op::BvShl | Op::BvLshr | Op::BvAshr => shift(pool, op, a, b),
        Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle => comparison(pool, op, a, b),
        Op::Concat => concat(pool, a, b),
        _ => None,
    }
}

fn bits(pool: &TermPool, t: Term) -> Option<BitVec> {
    match pool.constant(t) {
        Some(Value::BitVec(bits)) => Some(bits),
        _ => None,
    }
}

fn arithmetic(pool: &mut TermPool, op: Op, a: Term, b: Term) -> Option<Term> {
    if a == b {
        match op {
            Op::BvAnd | Op::BvOr => return Some(a),
            Op::BvXor | Op::BvSub => {
                let width = width(pool, a);
                return Some(pool.bv(width, 0));
            }
            _ => {}
        }
    }
    let Some(k) = bits(pool, b) else {
        return (op == Op::BvSub && bits(pool, a).is_some_and(|k| k.unsigned() == 0)).then(|| pool.bv_neg(b));
    };
    let (zero, one, ones) = (k.unsigned() == 0, k.unsigned() == 1, k == BitVec::ones(k.width()));
    match op {
        Op::BvAnd | Op::BvMul if zero => Some(b),
        Op::BvAnd if ones => Some(a),
        Op::BvOr | Op::BvXor | Op::BvAdd | Op::BvSub if zero => Some(a),
        Op::BvOr if ones => Some(b),
        Op::BvXor if ones => Some(pool.bv_not(a)),
        Op::BvMul | Op::BvUdiv if one => Some(a),
        Op::BvMul if ones => Some(pool.bv_neg(a)),
        // In one bit, 1 is -1, and x / -1 = -x = x.
        Op::BvSdiv if one => Some(a),
        Op::BvUrem | Op::BvSrem if one => Some(pool.bv(k.width(), 0)),
        // One bit apart: 1 is -1 there, whose square overflows as a signed product.
        Op::BvUmulo | Op::BvSmulo if zero || (one && k.width() > 1) => Some(pool.bool(false)),
        Op::BvUmulo if one => Some(pool.bool(false)),
        Op::BvSub => {
            let negated = pool.value(Value::BitVec(k.neg()));
            Some(pool.bv_add(a, negated))
        }
        // (x + j) + k = x + (j + k), and so for the other associative operators.
        Op::BvAdd | Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvMul if pool.op(a) == op => {
            let (x, inner) = (pool.args(a)[0], pool.args(a)[1]);
            bits(pool, inner)?;
            let combined = pool.apply(op, &[inner, b]);
            Some(pool.apply(op, &[x, combined]))
        }
        _ => None,
    }
}

fn shift(pool: &mut TermPool, op: Op, a: Term, b: Term) -> Option<Term> {
    if bits(pool, a).is_some_and(|k| k.unsigned() == 0) {
        return Some(a);
    }
    let amount = bits(pool, b)?;
    if amount.unsigned() == 0 {
        Some(a)
    } else if op != Op::BvAshr && amount.unsigned() >= u128::from(amount.width()) {
        Some(pool.bv(amount.width(), 0))
    } else {
        None
    }
}

fn comparison(pool: &mut TermPool, op: Op, a: Term, b: Term) -> Option<Term> {
    let strict = matches!(op, Op::BvUlt | Op::BvSlt);
    if a == b {
        return Some(pool.bool(!strict));
    }
    let width = width(pool, a);
    let (least, greatest) = match op {
        Op::BvUlt | Op::BvUle => (BitVec::zero(width), BitVec::ones(width)),
        _ => (BitVec::signed_min(width), BitVec::signed_max(width)),
    };
    let (left, right) = (bits(pool, a), bits(pool, b));
    if strict && (right == Some(least) || left == Some(greatest)) {
        Some(pool.bool(false))
    } else if !strict && (left == Some(least) || right == Some(greatest)) {
        Some(pool.bool(true))
    } else if !strict && (right == Some(least) || left == Some(greatest)) {
        Some(pool.eq(a, b))
    } else if strict && (left == Some(least) || right == Some(greatest)) {
        Some(pool.ne(a, b))
    } else {
        None
    }
}

/// Concatenation: of neighbouring extractions, and of zeros with anything.
fn concat(pool: &mut TermPool, high: Term, low: Term) -> Option<Term> {
    if let (Op::Extract { high: top, low: middle }, Op::Extract { high: below, low: bottom }) =
        (pool.op(high), pool.op(low))
        && pool.args(high) == pool.args(low)
        && middle == below + 1
    {
        let x = pool.args(high)[0];
        return Some(pool.extract(top, bottom, x));
    }
    let zeros = bits(pool, high).filter(|k| k.unsigned() == 0)?;
    Some(pool.zero_extend(zeros.width(), low))
}
