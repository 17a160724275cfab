//! Expressions to terms. Evaluation is total once checks have passed; what is not encoded is any value.

use super::automaton::ContextId;
use super::encoder::Encoder;
use super::state::{ObjectId, State};
use super::value::{BASE_BITS, Shape, Value, number_pointer};
use crate::ir::{BinaryOp, Expr, ExprKind, Real, UnaryOp, VarId};
use crate::smt::{self, Term};
use std::ops::RangeInclusive;

impl Encoder<'_, '_> {
    /// The value of a scalar expression.
    pub fn eval(&mut self, state: &mut State, context: ContextId, e: &Expr) -> Value {
        let Some(shape) = self.shape(e.ty) else {
            self.give_up(state, "an expression of no scalar type");
            return self.anything("expression", Shape::Bool);
        };
        match &e.kind {
            ExprKind::Int(n) => match shape {
                Shape::Pointer { width } => number_pointer(&mut self.pool, width, *n),
                Shape::Float { width, kind } => self.float_constant(Real::of_int(kind, *n, false), width),
                _ => Value::Bits(self.pool.bv_signed(shape.width(), *n)),
            },
            ExprKind::Float(v) => self.float_constant(*v, shape.width()),
            ExprKind::AddrOf(v, offset) => {
                let base = self.home(state, context, *v);
                Value::Pointer { base, offset: self.address(i128::from(*offset)) }
            }
            ExprKind::FuncAddr(f) => Value::Pointer { base: self.function_base(*f), offset: self.address(0) },
            ExprKind::LabelAddr(_) => self.anything("label", shape),
            ExprKind::Load(place) => self.load(state, context, place),
            ExprKind::Unary(op, a) => {
                let a = self.eval(state, context, a);
                self.unary(*op, a, shape)
            }
            ExprKind::Binary(op, ..) if op.is_comparison() => {
                let holds = self.truth(state, context, e);
                Value::Bits(self.truth_value(holds, shape.width()))
            }
            ExprKind::Binary(op, a, b) => {
                let operands = self.shape(b.ty);
                let (x, y) = (self.eval(state, context, a), self.eval(state, context, b));
                self.arithmetic(*op, x, y, shape, operands.is_some_and(Shape::signed))
            }
            ExprKind::Cast(a) => {
                let from = self.shape(a.ty);
                let value = self.eval(state, context, a);
                match from {
                    Some(from) => self.cast(value, from, shape),
                    None => self.anything("cast", shape),
                }
            }
            ExprKind::PtrAdd(p, n) => {
                let (p, n) = (self.eval(state, context, p), self.eval(state, context, n));
                match (p, n) {
                    (Value::Pointer { base, offset }, Value::Bits(n)) => {
                        let n = self.pool.resize(self.pointer_bits(), true, n);
                        Value::Pointer { base, offset: self.pool.bv_add(offset, n) }
                    }
                    _ => self.anything("pointer", shape),
                }
            }
            ExprKind::PtrDiff(a, b) => {
                let (x, y) = (self.eval(state, context, a), self.eval(state, context, b));
                self.distance(x, y, shape)
            }
        }
    }

    /// Whether a scalar expression is not 0.
    pub fn truth(&mut self, state: &mut State, context: ContextId, e: &Expr) -> Term {
        match &e.kind {
            ExprKind::Binary(op, a, b) if op.is_comparison() => {
                // Comparisons of truth values with 0 are the truth values.
                if matches!(op, BinaryOp::Eq | BinaryOp::Ne) && b.as_int() == Some(0) && is_truth(a) {
                    let holds = self.truth(state, context, a);
                    return if *op == BinaryOp::Ne { holds } else { self.pool.not(holds) };
                }
                let Some(shape) = self.shape(a.ty) else { return self.any_condition("comparison") };
                let (x, y) = (self.eval(state, context, a), self.eval(state, context, b));
                self.compare(state, *op, x, y, shape)
            }
            ExprKind::Cast(a) if is_truth(a) => self.truth(state, context, a),
            _ => {
                let shape = self.shape(e.ty);
                let value = self.eval(state, context, e);
                self.is_true(value, shape)
            }
        }
    }

    /// Whether a value is not 0.
    pub(super) fn is_true(&mut self, value: Value, shape: Option<Shape>) -> Term {
        match (value, shape) {
            (_, Some(Shape::Float { kind, .. })) => self.float_truth(value, kind),
            (Value::Bits(t), _) => {
                let width = self.pool.sort(t).width().unwrap_or(1);
                let zero = self.pool.bv(width, 0);
                self.pool.ne(t, zero)
            }
            (Value::Pointer { base, offset }, _) => {
                let null = self.is_null(base, offset);
                self.pool.not(null)
            }
        }
    }

    /// Whether a pointer is NULL.
    pub(super) fn is_null(&mut self, base: Term, offset: Term) -> Term {
        let (none, zero) = (self.pool.bv(BASE_BITS, 0), self.address(0));
        let (no_object, at_zero) = (self.pool.eq(base, none), self.pool.eq(offset, zero));
        self.pool.and(&[no_object, at_zero])
    }

    /// 1 or 0.
    pub(super) fn truth_value(&mut self, holds: Term, width: u32) -> Term {
        let (one, zero) = (self.pool.bv(width, 1), self.pool.bv(width, 0));
        self.pool.ite(holds, one, zero)
    }

    fn unary(&mut self, op: UnaryOp, a: Value, shape: Shape) -> Value {
        match (op, a, shape) {
            (UnaryOp::Neg, _, Shape::Float { kind, width }) => self.float_negation(a, kind, width),
            (UnaryOp::Neg, Value::Bits(t), _) => Value::Bits(self.pool.bv_neg(t)),
            (UnaryOp::BitNot, Value::Bits(t), _) => Value::Bits(self.pool.bv_not(t)),
            _ => self.anything("unary", shape),
        }
    }

    /// Arithmetic that wraps around.
    pub(super) fn arithmetic(&mut self, op: BinaryOp, a: Value, b: Value, shape: Shape, count_signed: bool) -> Value {
        if let Shape::Float { kind, width } = shape {
            return self.float_arithmetic(op, (a, b), kind, width);
        }
        let (Value::Bits(a), Value::Bits(b)) = (a, b) else { return self.anything("arithmetic", shape) };
        let Shape::Int { width, signed } = shape else { return self.anything("arithmetic", shape) };
        let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        if !is_shift && self.pool.sort(a) != self.pool.sort(b) {
            return self.anything("arithmetic", shape);
        }
        let p = &mut self.pool;
        Value::Bits(match op {
            BinaryOp::Add => p.bv_add(a, b),
            BinaryOp::Sub => p.bv_sub(a, b),
            BinaryOp::Mul => p.bv_mul(a, b),
            BinaryOp::Div if signed => p.bv_sdiv(a, b),
            BinaryOp::Div => p.bv_udiv(a, b),
            BinaryOp::Rem if signed => p.bv_srem(a, b),
            BinaryOp::Rem => p.bv_urem(a, b),
            BinaryOp::And => p.bv_and(a, b),
            BinaryOp::Or => p.bv_or(a, b),
            BinaryOp::Xor => p.bv_xor(a, b),
            BinaryOp::Shl | BinaryOp::Shr => {
                let count = p.resize(width, count_signed, b);
                let mask = p.bv(width, u128::from(width - 1));
                let count = p.bv_and(count, mask);
                match op {
                    BinaryOp::Shl => p.bv_shl(a, count),
                    _ if signed => p.bv_ashr(a, count),
                    _ => p.bv_lshr(a, count),
                }
            }
            _ => return self.anything("arithmetic", shape),
        })
    }

    fn compare(&mut self, state: &State, op: BinaryOp, a: Value, b: Value, shape: Shape) -> Term {
        if let Shape::Float { kind, .. } = shape {
            return self.float_comparison(op, a, b, kind);
        }
        match (a, b) {
            (Value::Bits(x), Value::Bits(y)) if self.pool.sort(x) == self.pool.sort(y) => {
                self.compare_bits(op, x, y, shape.signed())
            }
            (Value::Pointer { base: p, offset: x }, Value::Pointer { base: q, offset: y }) => {
                self.compare_pointers(state, op, (p, x), (q, y))
            }
            _ => self.any_condition("comparison"),
        }
    }

    /// A comparison of numbers.
    pub(super) fn compare_bits(&mut self, op: BinaryOp, x: Term, y: Term, signed: bool) -> Term {
        let p = &mut self.pool;
        match (op, signed) {
            (BinaryOp::Eq, _) => p.eq(x, y),
            (BinaryOp::Ne, _) => p.ne(x, y),
            (BinaryOp::Lt, true) => p.bv_slt(x, y),
            (BinaryOp::Le, true) => p.bv_sle(x, y),
            (BinaryOp::Gt, true) => p.bv_slt(y, x),
            (BinaryOp::Ge, true) => p.bv_sle(y, x),
            (BinaryOp::Lt, false) => p.bv_ult(x, y),
            (BinaryOp::Le, false) => p.bv_ule(x, y),
            (BinaryOp::Gt, false) => p.bv_ult(y, x),
            _ => p.bv_ule(y, x),
        }
    }

    /// Pointers of one object compare by offset. Of different objects, those inside are not equal; the rest is anyone's guess.
    fn compare_pointers(&mut self, state: &State, op: BinaryOp, (p, x): (Term, Term), (q, y): (Term, Term)) -> Term {
        let same = self.pool.eq(p, q);
        let by_offset = self.compare_bits(op, x, y, true);
        if self.pool.constant(same) == Some(smt::Value::Bool(true)) {
            return by_offset;
        }
        let otherwise = if matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            let apart = self.are_apart(state, (p, x), (q, y));
            let guess = self.any_condition("address");
            let touching = self.pool.not(apart);
            let equal = self.pool.and(&[touching, guess]);
            if op == BinaryOp::Eq { equal } else { self.pool.not(equal) }
        } else {
            self.any_condition("address")
        };
        self.pool.ite(same, by_offset, otherwise)
    }

    /// Whether pointers to different objects are seen to differ: each is NULL or strictly inside a live object, and they do not lead into
    /// string literals that may share bytes.
    fn are_apart(&mut self, state: &State, a: (Term, Term), b: (Term, Term)) -> Term {
        let starts = match (self.number(a.1), self.number(b.1)) {
            (Some(x), Some(y)) => x - y..=x - y,
            _ => i128::MIN..=i128::MAX,
        };
        let one = self.may_be_one_literal(a.0, b.0, starts);
        let (a, b, two) = (self.is_settled(state, a), self.is_settled(state, b), self.pool.not(one));
        self.pool.and(&[a, b, two])
    }

    /// The constant that an offset is.
    fn number(&self, offset: Term) -> Option<i128> {
        match self.pool.constant(offset)? {
            smt::Value::BitVec(bits) => Some(bits.signed()),
            _ => None,
        }
    }

    /// Whether two bases are string literals of which the second may start at such a byte of the first.
    pub(super) fn may_be_one_literal(&mut self, p: Term, q: Term, starts: RangeInclusive<i128>) -> Term {
        let literals = |base| -> Vec<(ObjectId, VarId)> {
            let objects = self.candidates(base).objects;
            objects.into_iter().filter_map(|id| Some((id, *self.literals.get(&id)?))).collect()
        };
        let (left, right) = (literals(p), literals(q));
        let mut cases = Vec::new();
        for &(x, v) in &left {
            for &(y, w) in &right {
                if x != y && self.program.may_share_bytes(v, w, starts.clone()) {
                    let (first, second) = (self.is_object_number(p, x), self.is_object_number(q, y));
                    cases.push(self.pool.and(&[first, second]));
                }
            }
        }
        self.pool.or(&cases)
    }

    fn is_settled(&mut self, state: &State, (base, offset): (Term, Term)) -> Term {
        let mut cases = vec![self.is_null(base, offset)];
        for id in self.candidates(base).objects {
            let Some(object) = state.object(id).cloned() else { continue };
            let here = self.is_object_number(base, id);
            let inside = self.pool.bv_ult(offset, object.size);
            cases.push(self.pool.and(&[here, inside, object.live]));
        }
        self.pool.or(&cases)
    }

    fn distance(&mut self, a: Value, b: Value, shape: Shape) -> Value {
        let (Value::Pointer { base: p, offset: x }, Value::Pointer { base: q, offset: y }) = (a, b) else {
            return self.anything("distance", shape);
        };
        let (same, bytes) = (self.pool.eq(p, q), self.pool.bv_sub(x, y));
        let bytes = Value::Bits(self.pool.resize(shape.width(), true, bytes));
        if self.pool.constant(same) == Some(smt::Value::Bool(true)) {
            return bytes;
        }
        let guess = self.anything("distance", shape);
        self.either(same, bytes, guess, shape)
    }

    /// A conversion (C11 6.3.1, 6.3.2.3).
    pub(super) fn cast(&mut self, value: Value, from: Shape, to: Shape) -> Value {
        match (from, to) {
            (Shape::Float { .. }, _) | (_, Shape::Float { .. }) => self.float_cast(value, from, to),
            (Shape::Pointer { .. }, Shape::Pointer { .. }) => value,
            (_, Shape::Bool) => {
                let holds = self.is_true(value, Some(from));
                Value::Bits(self.truth_value(holds, 8))
            }
            (Shape::Pointer { .. }, _) => {
                let Value::Pointer { base, offset } = value else { return self.anything("cast", to) };
                let none = self.pool.bv(BASE_BITS, 0);
                let is_number = self.pool.eq(base, none);
                let number = Value::Bits(self.pool.resize(to.width(), false, offset));
                let guess = self.anything("address", to);
                self.either(is_number, number, guess, to)
            }
            (_, Shape::Pointer { width }) => match value {
                Value::Bits(t) if self.pool.constant(t).is_some() => {
                    let offset = self.pool.resize(width, from.signed(), t);
                    Value::Pointer { base: self.pool.bv(BASE_BITS, 0), offset }
                }
                _ => self.anything("pointer", to),
            },
            _ => match value {
                Value::Bits(t) => Value::Bits(self.pool.resize(to.width(), from.signed(), t)),
                Value::Pointer { .. } => self.anything("cast", to),
            },
        }
    }
}

/// Whether the value is 0 or 1 because it is a comparison, maybe converted.
fn is_truth(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Binary(op, ..) => op.is_comparison(),
        ExprKind::Cast(a) => is_truth(a),
        _ => false,
    }
}
