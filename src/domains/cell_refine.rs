//! The part of a state that an expression's goal leaves: no state that meets the goal is lost, others may stay.
//!
//! See: Benhamou, Goualard, Granvilliers, Puget, "Revising Hull and Box Consistency", Sect. 4 (HC4-revise).

use super::cell::{Cell, CellExpr, CellState};
use super::int::Int;
use super::int_type::IntType;
use super::pointer::Pointers;
use super::value::Value;
use super::{arithmetic, compare};
use crate::ir::BinaryOp;

impl CellState {
    /// Cuts cells down to where the expression may be in the goal; false when it cannot.
    pub fn narrow(&mut self, e: &CellExpr, goal: &Value) -> bool {
        if self.eval(e).meet(goal).is_bottom() {
            return false;
        }
        match e {
            CellExpr::Cell(cell) => self.cut(*cell, goal),
            CellExpr::Convert(a, ty) => self.narrow_converted(a, *ty, goal),
            CellExpr::Move(p, n) => self.narrow_moved(p, n, goal),
            CellExpr::Offset(p, base) => match goal.int {
                Some(offsets) => {
                    let there = Value::pointers(Pointers::to(*base, offsets));
                    !self.eval(p).pointers.is_none() && self.narrow(p, &there)
                }
                None => false,
            },
            CellExpr::Binary(op, a, b, ty) => match goal.plain() {
                Some(goal) => self.narrow_binary(*op, a, b, *ty, goal),
                None => true,
            },
            _ => true,
        }
    }

    /// Cuts one cell down.
    pub fn cut(&mut self, cell: Cell, goal: &Value) -> bool {
        self.add_cell(cell);
        let met = self.cells[&cell].meet(goal);
        let some = !met.is_bottom();
        self.cells.insert(cell, met);
        some
    }

    fn narrow_converted(&mut self, a: &CellExpr, ty: IntType, goal: &Value) -> bool {
        let value = self.eval(a);
        let kept = value.int.is_none_or(|i| i.interval().leq(ty.bounds()));
        match value.plain() {
            Some(_) if kept && !ty.boolean => self.narrow(a, goal),
            None if kept && ty.bits >= super::pointer::BITS => self.narrow(a, goal),
            _ => true,
        }
    }

    fn narrow_moved(&mut self, p: &CellExpr, n: &CellExpr, goal: &Value) -> bool {
        let (from, by) = (self.eval(p), self.eval(n));
        if let (Some((base, at)), Some(wanted)) = (from.only_target(), goal.only_target())
            && base == wanted.0
        {
            let by = arithmetic::sub(wanted.1, at).map_or(Value::int(Int::TOP), Value::int);
            if !self.narrow(n, &by) {
                return false;
            }
        }
        let (Some(back), None) = (by.plain(), goal.int) else { return true };
        let back = |o: Int| arithmetic::sub(o, back).unwrap_or(Int::TOP);
        self.narrow(p, &Value { pointers: goal.pointers.clone().map_offsets(back), ..goal.clone() })
    }

    fn narrow_binary(&mut self, op: BinaryOp, a: &CellExpr, b: &CellExpr, ty: IntType, goal: Int) -> bool {
        let (left, right) = (self.eval(a), self.eval(b));
        if op.is_comparison() {
            return match goal.as_constant() {
                Some(0) => self.narrow_comparison(op.negate().expect("a comparison"), a, b),
                Some(1) => self.narrow_comparison(op, a, b),
                _ => true,
            };
        }
        let (Some(x), Some(y)) = (left.plain(), right.plain()) else { return true };
        let wrapped = |i: Option<Int>| Value::int(ty.wrap_result(i));
        match op {
            BinaryOp::Add => {
                self.narrow(a, &wrapped(arithmetic::sub(goal, y))) && self.narrow(b, &wrapped(arithmetic::sub(goal, x)))
            }
            BinaryOp::Sub => {
                self.narrow(a, &wrapped(arithmetic::add(goal, y))) && self.narrow(b, &wrapped(arithmetic::sub(x, goal)))
            }
            BinaryOp::Mul => match (x.as_constant(), y.as_constant()) {
                (_, Some(c)) => self.narrow_factor(a, x, c, ty, goal),
                (Some(c), _) => self.narrow_factor(b, y, c, ty, goal),
                _ => true,
            },
            BinaryOp::Div => match y.as_constant() {
                Some(c) if c > 0 => self.narrow(a, &Value::int(dividends(goal, c))),
                _ => true,
            },
            _ => true,
        }
    }

    /// `e * c`, where that does not wrap.
    fn narrow_factor(&mut self, e: &CellExpr, x: Int, c: i128, ty: IntType, goal: Int) -> bool {
        let product = arithmetic::mul(x, Int::constant(c));
        if c == 0 || !product.is_some_and(|p| p.interval().leq(ty.bounds())) {
            return true;
        }
        // Inwards to the next multiples.
        let (least, most) = if c > 0 { (goal.lo(), goal.hi()) } else { (-goal.hi(), -goal.lo()) };
        let lo = least.div_euclid(c.abs()) + i128::from(least.rem_euclid(c.abs()) != 0);
        let hi = most.div_euclid(c.abs());
        lo <= hi && self.narrow(e, &Value::int(Int::range(lo, hi)))
    }

    fn narrow_comparison(&mut self, op: BinaryOp, a: &CellExpr, b: &CellExpr) -> bool {
        let (left, right) = (self.eval(a), self.eval(b));
        if let (Some(x), Some(y)) = (left.plain(), right.plain()) {
            let Some((x, y)) = compare::filter(op, x, y) else { return false };
            return self.narrow(a, &Value::int(x)) && self.narrow(b, &Value::int(y));
        }
        if let (Some((p, x)), Some((q, y))) = (left.only_target(), right.only_target())
            && p == q
        {
            let Some((x, y)) = compare::filter(op, x, y) else { return false };
            let to = |o| Value::pointers(Pointers::to(p, o));
            return self.narrow(a, &to(x)) && self.narrow(b, &to(y));
        }
        match op {
            BinaryOp::Eq => self.narrow(a, &right) && self.narrow(b, &left),
            BinaryOp::Ne => {
                let without_null = |v: &Value, other: &Value| match (other.as_constant(), v.int) {
                    (Some(0), Some(i)) => Value { int: i.clamp(1, i128::MAX), ..v.clone() },
                    _ => v.clone(),
                };
                self.narrow(a, &without_null(&left, &right)) && self.narrow(b, &without_null(&right, &left))
            }
            _ => true,
        }
    }
}

/// The numbers whose quotients by `c`, which is positive, are among these; quotients are cut towards 0.
fn dividends(quotients: Int, c: i128) -> Int {
    let (low, high) = (quotients.lo().saturating_mul(c), quotients.hi().saturating_mul(c));
    let low = if low > 0 { low } else { low.saturating_sub(c - 1) };
    Int::range(low, if high < 0 { high } else { high.saturating_add(c - 1) })
}
