//! Operators, and which sorts they take and give.

use super::bits::BitVec;
use super::error::{Result, SmtError};
use super::sort::Sort;

/// A term, as its number in the [`TermPool`](super::TermPool) that made it. Arguments have smaller numbers than what is
/// built from them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(pub(super) u32);

/// A variable's number in its pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(pub(super) u32);

/// An operator with its parameters. The names and meanings are SMT-LIB's where it has them.
///
/// Left out on purpose: what is written shortly in terms of these (`=>`, `distinct`, `bvugt`, `bvsaddo`, ...), which
/// [`TermPool`](super::TermPool) has builders for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// A free constant of the pool's choice of sort. No arguments.
    Variable(Symbol),
    Bool(bool),
    BitVec(BitVec),

    Not,
    /// Any number of arguments.
    And,
    /// Any number of arguments.
    Or,
    /// Two arguments of any one sort.
    Eq,
    /// Condition, then, else.
    Ite,

    BvNot,
    BvNeg,
    BvAnd,
    BvOr,
    BvXor,
    BvAdd,
    BvSub,
    BvMul,
    BvUdiv,
    BvUrem,
    BvSdiv,
    BvSrem,
    BvShl,
    BvLshr,
    BvAshr,
    BvUlt,
    BvUle,
    BvSlt,
    BvSle,
    /// Whether the unsigned product needs more bits than the arguments have.
    BvUmulo,
    /// Whether the signed product needs more bits than the arguments have.
    BvSmulo,
    /// The first argument in the high bits; at most 128 bits in all.
    Concat,
    /// The bits `low..=high`, bit 0 the least.
    Extract {
        high: u32,
        low: u32,
    },
    /// By so many bits; at most to 128 bits.
    ZeroExtend(u32),
    /// By so many bits; at most to 128 bits.
    SignExtend(u32),
}

impl Op {
    /// Whether the operator multiplies or divides bit-vectors.
    pub fn multiplies(self) -> bool {
        let divides = matches!(self, Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem);
        divides || matches!(self, Op::BvMul | Op::BvUmulo | Op::BvSmulo)
    }

    /// The sort of the operator applied to arguments of these sorts; [`Op::Variable`] is the pool's to answer.
    pub(super) fn result_sort(self, sorts: &[Sort]) -> Result<Sort> {
        self.sort_over(sorts).ok_or_else(|| SmtError::IllSorted { op: self, sorts: sorts.to_vec() })
    }

    fn sort_over(self, sorts: &[Sort]) -> Option<Sort> {
        let width = |w: u32| (1..=BitVec::MAX_WIDTH).contains(&w).then_some(Sort::BitVec(w));
        match (self, sorts) {
            (Op::Bool(_), []) => Some(Sort::Bool),
            (Op::BitVec(bits), []) => Some(Sort::BitVec(bits.width())),

            (Op::Not, [Sort::Bool]) => Some(Sort::Bool),
            (Op::And | Op::Or, all) => all.iter().all(|&s| s == Sort::Bool).then_some(Sort::Bool),
            (Op::Eq, [a, b]) => (a == b).then_some(Sort::Bool),
            (Op::Ite, [Sort::Bool, a, b]) => (a == b).then_some(*a),

            (Op::BvNot | Op::BvNeg, [Sort::BitVec(w)]) => width(*w),
            (
                Op::BvAnd
                | Op::BvOr
                | Op::BvXor
                | Op::BvAdd
                | Op::BvSub
                | Op::BvMul
                | Op::BvUdiv
                | Op::BvUrem
                | Op::BvSdiv
                | Op::BvSrem
                | Op::BvShl
                | Op::BvLshr
                | Op::BvAshr,
                [Sort::BitVec(a), Sort::BitVec(b)],
            ) if a == b => width(*a),
            (
                Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle | Op::BvUmulo | Op::BvSmulo,
                [Sort::BitVec(a), Sort::BitVec(b)],
            ) if a == b => Some(Sort::Bool),
            (Op::Concat, [Sort::BitVec(a), Sort::BitVec(b)]) => width(a + b),
            (Op::Extract { high, low }, [Sort::BitVec(w)]) if low <= high && high < *w => width(high - low + 1),
            (Op::ZeroExtend(by) | Op::SignExtend(by), [Sort::BitVec(w)]) => width(w.checked_add(by)?),
            _ => None,
        }
    }
}
