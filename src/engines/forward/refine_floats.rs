//! Backward refinement by comparisons of floating-point numbers.

use super::refine::Refiner;
use crate::domains::{Float, Int, Value};
use crate::ir::{BinaryOp, Expr, FloatKind, Type};

impl Refiner<'_> {
    /// Only executions in which `a op b`, a comparison of floating-point numbers, holds or does not.
    pub(super) fn compare_floats(&mut self, op: BinaryOp, a: &Expr, b: &Expr, holds: bool) -> bool {
        let Type::Float(kind) = *self.program.types.get(a.ty) else { return true };
        let view = self.view();
        let (x, y) = (view.operand(a), view.operand(b));
        let (Some(i), Some(j)) = (x.float.filter(|_| !x.undefined), y.float.filter(|_| !y.undefined)) else {
            return true;
        };
        let Some((i, j)) = i.compared(op, j, kind, holds) else { return false };
        self.restrict(a, &Value::float(i)) && self.restrict(b, &Value::float(j))
    }

    /// Only executions in which the number `a`, converted to the floating type `to`, is in `among`.
    pub(super) fn restrict_converted(&mut self, a: &Expr, to: FloatKind, among: Float) -> bool {
        /// Integers up to these are numbers of `double` and wider types, and of `float`.
        const EXACT: [i128; 2] = [1 << 53, 1 << 24];
        if let Type::Float(from) = *self.program.types.get(a.ty) {
            let is_kept =
                from == to || from == FloatKind::Float || (from == FloatKind::Double && to != FloatKind::Float);
            return !is_kept || self.restrict(a, &Value::float(among));
        }
        let view = self.view();
        let (Some(t), value) = (view.int_type(a.ty), view.operand(a)) else { return true };
        let Some((low, high)) = among.numbers() else { return true };
        let numbers = view.numbers(&value, t);
        let exact = EXACT[usize::from(to == FloatKind::Float)];
        if value.undefined || !value.pointers.is_none() || numbers.lo() < -exact || numbers.hi() > exact {
            return true;
        }
        let bound = |x: f64| x.clamp(-(exact as f64), exact as f64) as i128;
        let (low, high) = (bound(low.ceil()), bound(high.floor()));
        low <= high && numbers.meet(Int::range(low, high)).is_some_and(|left| self.restrict_number(a, left))
    }
}
