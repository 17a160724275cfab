//! Comparisons of integer sets: which outcomes there are, and the operands of those with a given one.

use super::int::Int;
use crate::ir::BinaryOp;

/// Which truth values an expression may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Truth {
    pub may_hold: bool,
    pub may_fail: bool,
}

impl Truth {
    /// Both.
    pub const ANY: Truth = Truth { may_hold: true, may_fail: true };
    /// As the result of a comparison; None when there is no outcome.
    pub fn as_int(self) -> Option<Int> {
        match (self.may_hold, self.may_fail) {
            (true, true) => Some(Int::range(0, 1)),
            (true, false) => Some(Int::constant(1)),
            (false, true) => Some(Int::constant(0)),
            (false, false) => None,
        }
    }
}

/// The outcomes of `a op b`, a comparison.
pub fn truth(op: BinaryOp, a: Int, b: Int) -> Truth {
    let negated = op.negate().expect("the operator is a comparison");
    Truth { may_hold: filter(op, a, b).is_some(), may_fail: filter(negated, a, b).is_some() }
}

/// Both operands restricted to values for which `a op b`, a comparison, can hold; None when it cannot.
pub fn filter(op: BinaryOp, a: Int, b: Int) -> Option<(Int, Int)> {
    match op {
        BinaryOp::Eq => a.meet(b).map(|m| (m, m)),
        BinaryOp::Ne => {
            let without = |x: Int, y: Int| y.as_constant().map_or(Some(x), |c| x.except(c));
            Some((without(a, b)?, without(b, a)?))
        }
        BinaryOp::Lt => {
            let a = a.clamp(i128::MIN, b.hi().checked_sub(1)?)?;
            Some((a, b.clamp(a.lo().checked_add(1)?, i128::MAX)?))
        }
        BinaryOp::Le => {
            let a = a.clamp(i128::MIN, b.hi())?;
            Some((a, b.clamp(a.lo(), i128::MAX)?))
        }
        BinaryOp::Gt | BinaryOp::Ge => filter(op.swap(), b, a).map(|(b, a)| (a, b)),
        _ => Some((a, b)),
    }
}
