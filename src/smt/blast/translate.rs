//! Terms to literals, each once.

use super::super::error::{Result, SmtError};
use super::super::memo::Memo;
use super::super::op::{Op, Term};
use super::super::pool::TermPool;
use super::super::sort::Sort;
use super::arithmetic::{Bits, complement, extend};
use super::gates::Gates;
use batsat::Callbacks;

/// The bits of terms; a formula is one bit.
pub(super) type Translation = Memo<Bits>;

/// The bits of a term, which `translation` remembers.
///
/// # Errors
/// Terms without bits; [`SmtError::Stopped`] when the SAT solver's callbacks say so.
pub(super) fn translate<C: Callbacks>(
    translation: &mut Translation,
    gates: &mut Gates<C>,
    pool: &TermPool,
    term: Term,
) -> Result<Bits> {
    translation.term(pool, term, |term, args| match gates.sat.cb().stop() {
        true => Err(SmtError::Stopped),
        false => apply(gates, pool, term, args),
    })
}

fn apply<C: Callbacks>(gates: &mut Gates<C>, pool: &TermPool, term: Term, args: &[Bits]) -> Result<Bits> {
    let op = pool.op(term);
    Ok(match (op, args) {
        (Op::Variable(_), []) => match pool.sort(term) {
            Sort::Bool => vec![gates.fresh()],
            Sort::BitVec(width) => (0..width).map(|_| gates.fresh()).collect(),
        },
        (Op::Bool(value), []) => vec![gates.constant(value)],
        (Op::BitVec(bits), []) => (0..bits.width()).map(|i| gates.constant(bits.unsigned() >> i & 1 == 1)).collect(),
        (Op::And, _) => vec![gates.and(&args.concat())],
        (Op::Or, _) => vec![gates.or(&args.concat())],
        (Op::Ite, [condition, then, otherwise]) => gates.choose_all(condition[0], then, otherwise),
        (_, [a]) => unary(gates, op, a).ok_or_else(|| outside(op))?,
        (_, [a, b]) => binary(gates, op, a, b).ok_or_else(|| outside(op))?,
        _ => return Err(outside(op)),
    })
}

fn unary<C: Callbacks>(gates: &mut Gates<C>, op: Op, a: &Bits) -> Option<Bits> {
    Some(match op {
        Op::Not | Op::BvNot => complement(a),
        Op::BvNeg => gates.negate(a),
        Op::Extract { high, low } => a[low as usize..=high as usize].to_vec(),
        Op::ZeroExtend(by) => [&a[..], &gates.zero(by as usize)].concat(),
        Op::SignExtend(by) => extend(a, a.len() + by as usize),
        _ => return None,
    })
}

fn binary<C: Callbacks>(gates: &mut Gates<C>, op: Op, a: &Bits, b: &Bits) -> Option<Bits> {
    let zip = |gates: &mut Gates<C>, gate: &dyn Fn(&mut Gates<C>, batsat::Lit, batsat::Lit) -> batsat::Lit| {
        a.iter().zip(b).map(|(&x, &y)| gate(gates, x, y)).collect::<Bits>()
    };
    let (low, sign) = (gates.constant(false), a[a.len() - 1]);
    Some(match op {
        Op::Eq => vec![gates.same(a, b)],
        Op::BvAnd => zip(gates, &|g, x, y| g.and(&[x, y])),
        Op::BvOr => zip(gates, &|g, x, y| g.or(&[x, y])),
        Op::BvXor => zip(gates, &|g, x, y| g.xor(x, y)),
        Op::BvAdd => gates.add(a, b),
        Op::BvSub => gates.subtract(a, b),
        Op::BvMul => gates.multiply(a, b),
        Op::BvUdiv => gates.divide(a, b).0,
        Op::BvUrem => gates.divide(a, b).1,
        Op::BvSdiv => gates.signed_quotient(a, b),
        Op::BvSrem => gates.signed_remainder(a, b),
        Op::BvShl => gates.shift(a, b, true, low),
        Op::BvLshr => gates.shift(a, b, false, low),
        Op::BvAshr => gates.shift(a, b, false, sign),
        Op::BvUlt => vec![gates.below(a, b)],
        Op::BvUle => vec![!gates.below(b, a)],
        Op::BvSlt => vec![gates.signed_below(a, b)],
        Op::BvSle => vec![!gates.signed_below(b, a)],
        Op::BvUmulo => vec![gates.product_overflows(a, b)],
        Op::BvSmulo => vec![gates.signed_product_overflows(a, b)],
        // The first has the high bits.
        Op::Concat => [&b[..], a].concat(),
        _ => return None,
    })
}

fn outside(op: Op) -> SmtError {
    SmtError::Backend { solver: super::solver::NAME.to_owned(), message: format!("{op:?} is no operator of bits") }
}
