//! Rules for connectives, equality and if-then-else.

use rustc_hash::FxHashSet;

use super::super::op::{Op, Term};
use super::super::pool::TermPool;
use super::super::sort::Sort;
use super::super::value::Value;
use super::reordered;

/// Conjunctions and disjunctions: sorted, without repetitions and neutral elements.
pub(super) fn junction(pool: &mut TermPool, op: Op, args: &[Term]) -> Option<Term> {
    let neutral = op == Op::And;
    let mut kept: Vec<Term> = args.to_vec();
    kept.retain(|&t| pool.op(t) != Op::Bool(neutral));
    kept.sort_unstable();
    kept.dedup();
    let present: FxHashSet<Term> = kept.iter().copied().collect();
    let dominated = kept.iter().any(|&t| match pool.op(t) {
        Op::Bool(_) => true,
        Op::Not => present.contains(&pool.args(t)[0]),
        _ => false,
    });
    match kept[..] {
        _ if dominated => Some(pool.bool(!neutral)),
        [] => Some(pool.bool(neutral)),
        [only] => Some(only),
        _ if kept == args => None,
        _ => Some(pool.intern(op, &kept, Sort::Bool)),
    }
}

/// Negation: double negations vanish, negated comparisons turn round.
pub(super) fn not(pool: &mut TermPool, a: Term) -> Option<Term> {
    let flipped = match pool.op(a) {
        Op::Not => return Some(pool.args(a)[0]),
        Op::BvUlt => Op::BvUle,
        Op::BvUle => Op::BvUlt,
        Op::BvSlt => Op::BvSle,
        Op::BvSle => Op::BvSlt,
        _ => return None,
    };
    let (left, right) = (pool.args(a)[0], pool.args(a)[1]);
    Some(pool.apply(flipped, &[right, left]))
}

/// Equality.
pub(super) fn eq(pool: &mut TermPool, a: Term, b: Term) -> Option<Term> {
    if a == b {
        return Some(pool.bool(true));
    }
    if let Some(swapped) = reordered(pool, Op::Eq, a, b) {
        return Some(swapped);
    }
    let Some(constant) = pool.constant(b) else {
        let complementary = |x: Term, y: Term| pool.op(x) == Op::Not && pool.args(x)[0] == y;
        return (complementary(a, b) || complementary(b, a)).then(|| pool.bool(false));
    };
    match (pool.op(a), constant) {
        (_, Value::Bool(true)) => Some(a),
        (_, Value::Bool(false)) => Some(pool.not(a)),
        // (ite c k l) = k, as C's `(x < y) != 0` gives.
        (Op::Ite, _) => {
            let [condition, then, otherwise] = pool.args(a)[..] else { unreachable!("an ite has three arguments") };
            let (then_value, otherwise_value) = (pool.constant(then)?, pool.constant(otherwise)?);
            match (then_value == constant, otherwise_value == constant) {
                (true, false) => Some(condition),
                (false, true) => Some(pool.not(condition)),
                (false, false) => Some(pool.bool(false)),
                // An ite between equal constants was simplified when it was made.
                (true, true) => Some(pool.bool(true)),
            }
        }
        (Op::ZeroExtend(_) | Op::SignExtend(_), Value::BitVec(bits)) => {
            let narrow = pool.args(a)[0];
            let width = pool.sort(narrow).width().expect("an extension's argument is a bit-vector");
            let low = bits.extract(width - 1, 0);
            let by = bits.width() - width;
            let back = if matches!(pool.op(a), Op::ZeroExtend(_)) { low.zero_extend(by) } else { low.sign_extend(by) };
            if back != bits {
                return Some(pool.bool(false));
            }
            let low = pool.value(Value::BitVec(low));
            Some(pool.eq(narrow, low))
        }
        _ => None,
    }
}

/// If-then-else.
pub(super) fn ite(pool: &mut TermPool, condition: Term, then: Term, otherwise: Term) -> Option<Term> {
    if then == otherwise {
        return Some(then);
    }
    match pool.op(condition) {
        Op::Bool(true) => return Some(then),
        Op::Bool(false) => return Some(otherwise),
        Op::Not => {
            let positive = pool.args(condition)[0];
            return Some(pool.ite(positive, otherwise, then));
        }
        _ => {}
    }
    match (pool.op(then), pool.op(otherwise)) {
        (Op::Bool(true), _) => Some(pool.or(&[condition, otherwise])),
        (Op::Bool(false), _) => {
            let negated = pool.not(condition);
            Some(pool.and(&[negated, otherwise]))
        }
        (_, Op::Bool(true)) => Some(pool.implies(condition, then)),
        (_, Op::Bool(false)) => Some(pool.and(&[condition, then])),
        _ => None,
    }
}
