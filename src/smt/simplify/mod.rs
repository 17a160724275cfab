//! Simplification at the root: each rule looks at an operator and a few levels of its arguments, and never grows the DAG
//! by more than a constant. Constants are folded before any rule is asked ([`TermPool::try_apply`]).
//!
//! Every rule is an equivalence of SMT-LIB; `tests/smt` holds random terms against solvers to keep it so.
//! * [`bool`](mod@bool) - connectives, equality, if-then-else
//! * [`bit_vector`] - bit-vector arithmetic, comparison and structure

mod bit_vector;
mod bool;

use super::op::{Op, Term};
use super::pool::TermPool;

/// A simpler term equal to `op` over the well-sorted `args`, if a rule applies.
pub(super) fn simplify(pool: &mut TermPool, op: Op, args: &[Term]) -> Option<Term> {
    match (op, args) {
        (Op::And, all) => bool::junction(pool, Op::And, all),
        (Op::Or, all) => bool::junction(pool, Op::Or, all),
        (Op::Not, &[a]) => bool::not(pool, a),
        (Op::Eq, &[a, b]) => bool::eq(pool, a, b),
        (Op::Ite, &[condition, then, otherwise]) => bool::ite(pool, condition, then, otherwise),
        (_, &[a]) => bit_vector::unary(pool, op, a),
        (_, &[a, b]) => bit_vector::binary(pool, op, a, b),
        _ => None,
    }
}

/// The arguments of a commutative operator in their one order: constants last, else older first.
fn ordered(pool: &TermPool, a: Term, b: Term) -> (Term, Term) {
    let key = |t: Term| (pool.constant(t).is_some(), t);
    if key(a) <= key(b) { (a, b) } else { (b, a) }
}

/// `op` over the arguments in their one order, when that is not the order they are in.
fn reordered(pool: &mut TermPool, op: Op, a: Term, b: Term) -> Option<Term> {
    let (first, second) = ordered(pool, a, b);
    if (first, second) == (a, b) { None } else { Some(pool.apply(op, &[first, second])) }
}
