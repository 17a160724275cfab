//! Rules for integers.

use super::super::op::{Op, Term};
use super::super::pool::TermPool;
use super::super::value::ScalarValue;
use super::reordered;

/// Neutral and absorbing elements, and constants gathered on the right.
pub(super) fn arithmetic(pool: &mut TermPool, op: Op, args: &[Term]) -> Option<Term> {
    let &[a, b] = args else {
        return match pool.op(args[0]) {
            Op::IntNeg => Some(pool.args(args[0])[0]),
            _ => None,
        };
    };
    if op != Op::IntSub
        && let Some(swapped) = reordered(pool, op, a, b)
    {
        return Some(swapped);
    }
    let constant = |pool: &TermPool, t: Term| match pool.constant(t) {
        Some(ScalarValue::Int(i)) => Some(i),
        _ => None,
    };
    match (op, constant(pool, b)) {
        (Op::IntAdd | Op::IntSub, Some(0)) | (Op::IntMul, Some(1)) => Some(a),
        (Op::IntMul, Some(0)) => Some(b),
        (Op::IntMul, Some(-1)) => Some(pool.int_neg(a)),
        (Op::IntSub, _) if a == b => Some(pool.int(0)),
        (Op::IntSub, Some(k)) => {
            let negated = k.checked_neg()?;
            let negated = pool.int(negated);
            Some(pool.int_add(a, negated))
        }
        // (x + j) + k = x + (j + k), where the sum still fits.
        (Op::IntAdd, Some(k)) if pool.op(a) == Op::IntAdd => {
            let (x, inner) = (pool.args(a)[0], pool.args(a)[1]);
            let sum = constant(pool, inner)?.checked_add(k)?;
            let sum = pool.int(sum);
            Some(pool.int_add(x, sum))
        }
        _ => None,
    }
}

/// Quotients by 1 and -1, and comparisons of a term with itself.
pub(super) fn binary(pool: &mut TermPool, op: Op, a: Term, b: Term) -> Option<Term> {
    match (op, pool.op(b)) {
        (Op::IntDiv, Op::Int(1)) => Some(a),
        (Op::IntMod, Op::Int(1 | -1)) => Some(pool.int(0)),
        (Op::IntLe, _) if a == b => Some(pool.bool(true)),
        (Op::IntLt, _) if a == b => Some(pool.bool(false)),
        _ => None,
    }
}
