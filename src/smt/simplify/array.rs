//! Rules for arrays: reads over writes.

use super::super::op::{Op, Term};
use super::super::pool::TermPool;
use super::super::sort::Sort;
use super::super::value::ScalarValue;

/// How many writes a read looks through.
const LOOK_THROUGH: usize = 64;

/// A read of what was written, through writes to indices that surely differ.
pub(super) fn select(pool: &mut TermPool, array: Term, index: Term) -> Option<Term> {
    let mut below = array;
    for _ in 0..LOOK_THROUGH {
        match pool.op(below) {
            Op::Store if pool.args(below)[1] == index => return Some(pool.args(below)[2]),
            Op::Store if surely_differ(pool, pool.args(below)[1], index) => below = pool.args(below)[0],
            Op::ConstArray { element, .. } => return Some(pool.value(element)),
            _ => break,
        }
    }
    let Sort::Array { element, .. } = pool.sort(array) else { unreachable!("a read is from an array") };
    // Interned as it is: to simplify again would look through the next writes, however many there are.
    (below != array).then(|| pool.intern(Op::Select, &[below, index], element.into()))
}

/// A write over a write to the same place, and of what is there already.
pub(super) fn store(pool: &mut TermPool, array: Term, index: Term, element: Term) -> Option<Term> {
    if pool.op(element) == Op::Select && pool.args(element) == [array, index] {
        return Some(array);
    }
    match pool.op(array) {
        Op::Store if pool.args(array)[1] == index => {
            let below = pool.args(array)[0];
            Some(pool.store(below, index, element))
        }
        Op::ConstArray { element: everywhere, .. } if pool.constant(element) == Some(everywhere) => Some(array),
        _ => None,
    }
}

/// Whether two indices differ in every model: different constants, or one base with different constant offsets.
fn surely_differ(pool: &TermPool, a: Term, b: Term) -> bool {
    let ((base_a, offset_a), (base_b, offset_b)) = (base_and_offset(pool, a), base_and_offset(pool, b));
    if base_a != base_b {
        return false;
    }
    match (offset_a, offset_b) {
        (Some(x), Some(y)) => x != y,
        // Adding nothing and adding a constant other than 0 differ, modulo any width.
        (Some(x), None) | (None, Some(x)) => base_a.is_some() && !x.is_zero(),
        (None, None) => false,
    }
}

/// `(x, k)` for `x + k`, no base for a constant, no offset for anything else.
fn base_and_offset(pool: &TermPool, t: Term) -> (Option<Term>, Option<ScalarValue>) {
    match (pool.op(t), pool.args(t)) {
        (op, _) if op.is_constant() => (None, pool.constant(t)),
        (Op::BvAdd | Op::IntAdd, &[x, k]) if pool.constant(k).is_some() => (Some(x), pool.constant(k)),
        _ => (Some(t), None),
    }
}
