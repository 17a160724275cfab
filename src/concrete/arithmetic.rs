//! Operators and conversions on values, with what happens to addresses that take part as numbers.

use super::machine::{Machine, Step};
use super::object::{Life, ObjectKind};
use super::scalar::{Class, Scalar};
use super::value::{Origin, Value};
use crate::ir::{AllocKind, BinaryOp, DataModel, Real, UnaryOp};
use std::ops::RangeInclusive;

impl Machine<'_> {
    /// `lhs op rhs`, operands of type `s` (a shift count is any integer).
    #[inline]
    pub(super) fn binary(&mut self, op: BinaryOp, lhs: Value, rhs: Value, s: Scalar) -> Step<Value> {
        if let (Value::Int(a, Origin { len: 0, .. }), Value::Int(b, Origin { len: 0, .. })) = (lhs, rhs) {
            return self.plain(op, a, b, s);
        }
        if let Some(kind) = s.float() {
            let (a, b) = (self.observe_float(lhs, kind), self.observe_float(rhs, kind));
            return self.float_binary(op, a, b);
        }
        if op.is_comparison() {
            return Ok(Value::int(i128::from(self.compare(op, lhs, rhs, s))));
        }
        self.address_binary(op, lhs, rhs, s)
    }

    #[inline]
    fn plain(&mut self, op: BinaryOp, a: i128, b: i128, s: Scalar) -> Step<Value> {
        use BinaryOp::*;
        let value = match op {
            Add => s.wrap(a.wrapping_add(b)),
            Sub => s.wrap(a.wrapping_sub(b)),
            Mul => s.wrap(a.wrapping_mul(b)),
            And => a & b,
            Or => a | b,
            Xor => s.wrap(a ^ b),
            Eq | Ne | Lt | Le | Gt | Ge => i128::from(order(op, a, b, s)),
            Div | Rem => {
                if b == 0 {
                    return self.stuck("division by zero");
                }
                if s.is_u128() {
                    let (a, b) = (a as u128, b as u128);
                    (if op == Div { a / b } else { a % b }) as i128
                } else {
                    let quotient = a.wrapping_div(b);
                    if s.wrap(quotient) != quotient || (a == i128::MIN && b == -1) {
                        return self.stuck("division overflow");
                    }
                    if op == Div { quotient } else { a.wrapping_rem(b) }
                }
            }
            Shl | Shr => {
                let width = i128::from(s.bits());
                if !(0..width).contains(&b) {
                    // The machine takes the count modulo the width; what the compiler folds differs.
                    self.flags.indeterminate = true;
                }
                let count = (b & (width - 1)) as u32;
                if op == Shl {
                    s.wrap(a << count)
                } else if s.is_u128() {
                    ((a as u128) >> count) as i128
                } else {
                    a >> count
                }
            }
        };
        Ok(Value::int(value))
    }

    #[inline]
    fn float_binary(&mut self, op: BinaryOp, a: Real, b: Real) -> Step<Value> {
        if let Some(holds) = a.holds(op, b) {
            return Ok(Value::int(i128::from(holds)));
        }
        match a.apply(op, b) {
            Some(value) => Ok(Value::Float(value)),
            None => self.undecided(format!("operator {} on floats", op.symbol())),
        }
    }

    /// Comparison of integers or pointers of which one at least is indeterminate or made from an address.
    fn compare(&mut self, op: BinaryOp, lhs: Value, rhs: Value, s: Scalar) -> bool {
        let (Value::Int(a, p), Value::Int(b, q)) = (lhs, rhs) else {
            let (a, b) = (self.observe(lhs), self.observe(rhs));
            return order(op, a, b, s);
        };
        if p.is_unspecified() || q.is_unspecified() {
            let certain = match (p.is_unspecified(), q.is_none(), p.is_none()) {
                (true, true, _) => p.compares_alike(op, a, b),
                (false, _, true) => q.compares_alike(op.swap(), b, a),
                _ => false,
            };
            self.flags.approximated |= !certain || !s.signed;
        } else if !self.order_is_certain(op, (a, p), (b, q)) {
            self.flags.layout_dependent = true;
        }
        order(op, a, b, s)
    }

    /// Whether every layout orders the two numbers alike.
    fn order_is_certain(&mut self, op: BinaryOp, (a, p): (i128, Origin), (b, q): (i128, Origin)) -> bool {
        let equality = matches!(op, BinaryOp::Eq | BinaryOp::Ne);
        if !p.is_none() && p == q {
            return self.memory.is_pointer(p) || (equality && a == b);
        }
        match (self.memory.is_pointer(p), self.memory.is_pointer(q)) {
            (true, true) => equality && p.object != q.object && self.are_apart((a, p), (b, q)),
            (true, false) if q.is_none() => b == 0 || (equality && self.is_no_address(b)),
            (false, true) if p.is_none() => a == 0 || (equality && self.is_no_address(a)),
            _ => false,
        }
    }

    /// Numbers that no object has as its address: the first page and the top of the address space.
    fn is_no_address(&self, number: i128) -> bool {
        let top = match self.program.types.model {
            DataModel::Lp64 => 1 << 47,
            DataModel::Ilp32 => 0xffff_f000,
        };
        !(4096..top).contains(&number)
    }

    /// Whether two pointers to different objects differ wherever the objects lie.
    fn are_apart(&self, (a, p): (i128, Origin), (b, q): (i128, Origin)) -> bool {
        let inside = |address: i128, origin: Origin| {
            let object = self.memory.object(origin.object.slot);
            let offset = address - i128::from(object.address);
            let live = object.generation == origin.object.generation && object.life == Life::Live;
            // One past the end may be another object's start, so strictly inside on both sides is asked.
            live && offset >= 0 && offset < i128::from(object.size)
        };
        let offset =
            |address: i128, origin: Origin| address - i128::from(self.memory.object(origin.object.slot).address);
        let start = offset(a, p) - offset(b, q);
        inside(a, p) && inside(b, q) && !self.may_share_bytes(p, q, start..=start)
    }

    /// Whether two pointers lead into string literals of which the second may start at such a byte of the first.
    pub(super) fn may_share_bytes(&self, p: Origin, q: Origin, starts: RangeInclusive<i128>) -> bool {
        let kind = |origin: Origin| &self.memory.object(origin.object.slot).kind;
        match (kind(p), kind(q)) {
            (ObjectKind::Variable(v, _), ObjectKind::Variable(w, _)) => self.program.may_share_bytes(*v, *w, starts),
            _ => false,
        }
    }

    fn address_binary(&mut self, op: BinaryOp, lhs: Value, rhs: Value, s: Scalar) -> Step<Value> {
        if let (Value::Int(a, p), Value::Int(b, q)) = (lhs, rhs) {
            let pointer_size = self.prepared.pointer.size;
            let (p_whole, q_whole) = (self.memory.is_pointer(p), self.memory.is_pointer(q));
            if s.size >= pointer_size {
                match op {
                    BinaryOp::Add if p_whole && q.is_none() => return Ok(Value::Int(s.wrap(a.wrapping_add(b)), p)),
                    BinaryOp::Add if q_whole && p.is_none() => return Ok(Value::Int(s.wrap(a.wrapping_add(b)), q)),
                    BinaryOp::Sub if p_whole && q.is_none() => return Ok(Value::Int(s.wrap(a.wrapping_sub(b)), p)),
                    BinaryOp::Sub if p_whole && q_whole && p.object == q.object => {
                        return Ok(Value::int(s.wrap(a.wrapping_sub(b))));
                    }
                    _ => {}
                }
                if p_whole
                    && q.is_none()
                    && let Some(value) = self.low_bits(op, (a, p), b, s)
                {
                    return Ok(value);
                }
                // Masks and tags: the number may still point into the object.
                if matches!(op, BinaryOp::And | BinaryOp::Or) && p_whole != q_whole {
                    let origin = if p_whole { p } else { q };
                    self.flags.layout_dependent = true;
                    let Value::Int(v, _) = self.plain(op, a, b, s)? else { return Ok(Value::Undef) };
                    return Ok(if v as u128 > 0xffff { Value::Int(v, origin) } else { Value::int(v) });
                }
            }
        }
        let (a, b) = (self.observe(lhs), self.observe(rhs));
        self.plain(op, a, b, s)
    }

    /// Operations on bits of an address that the object's alignment determines.
    fn low_bits(&mut self, op: BinaryOp, (a, p): (i128, Origin), b: i128, s: Scalar) -> Option<Value> {
        let low = i128::from(self.known_alignment(p)?) - 1;
        match op {
            BinaryOp::And if b >= 0 && b & !low == 0 => Some(Value::int(a & b)),
            BinaryOp::And if s.wrap(!b) & !low == 0 && s.wrap(!b) >= 0 => Some(Value::Int(a & b, p)),
            BinaryOp::Or | BinaryOp::Xor if b >= 0 && b & !low == 0 => {
                Some(Value::Int(if op == BinaryOp::Or { a | b } else { a ^ b }, p))
            }
            BinaryOp::Rem if b > 0 && b.count_ones() == 1 && b - 1 <= low && a >= 0 => Some(Value::int(a & (b - 1))),
            _ => None,
        }
    }

    /// An alignment that the object has in every layout.
    fn known_alignment(&self, origin: Origin) -> Option<u64> {
        let object = self.memory.object(origin.object.slot);
        if object.generation != origin.object.generation {
            return None;
        }
        let align = match object.kind {
            ObjectKind::Variable(v, _) => self.program.types.align_of(self.program.variables[v].ty),
            ObjectKind::Allocated(_, AllocKind::Heap) => 2 * u64::from(self.prepared.pointer.size),
            _ => 1,
        };
        Some(align.min(16))
    }

    /// `-x`, `~x`.
    pub(super) fn unary(&mut self, op: UnaryOp, value: Value, s: Scalar) -> Step<Value> {
        if let Some(kind) = s.float() {
            let x = self.observe_float(value, kind);
            return match op {
                UnaryOp::Neg => Ok(Value::Float(x.negated())),
                UnaryOp::BitNot => self.undecided("~ on floats"),
            };
        }
        let x = self.observe(value);
        Ok(Value::int(s.wrap(match op {
            UnaryOp::Neg => x.wrapping_neg(),
            UnaryOp::BitNot => !x,
        })))
    }

    /// Conversion from `from` to `to` (C11 6.3.1, 6.3.2.3).
    #[inline]
    pub(super) fn cast(&mut self, value: Value, from: Scalar, to: Scalar) -> Step<Value> {
        match value {
            Value::Undef => Ok(Value::Undef),
            Value::Int(v, origin) if origin.is_unspecified() && to.class == Class::Bool => {
                Ok(Value::int(i128::from(v != 0)))
            }
            // A sign is kept by wider signed types alone.
            Value::Int(_, origin) if origin.is_unspecified() && (!to.signed || to.size < from.size) => {
                let v = self.observe(value);
                self.cast(Value::int(v), from, to)
            }
            Value::Int(v, origin) => match to.class {
                Class::Int | Class::Pointer => {
                    let cut = origin.len > to.size && !origin.is_unspecified();
                    let origin = if cut { Origin { len: to.size, ..origin } } else { origin };
                    Ok(Value::Int(to.wrap(v), origin))
                }
                Class::Bool => {
                    if !origin.is_none() && !self.memory.is_pointer(origin) {
                        self.flags.layout_dependent = true;
                    }
                    Ok(Value::int(i128::from(v != 0)))
                }
                Class::Float(kind) => {
                    let v = self.observe(value);
                    Ok(Value::Float(Real::of_int(kind, v, from.is_u128())))
                }
                Class::NotScalar => Ok(Value::Undef),
            },
            Value::Float(x) => match to.class {
                Class::Float(kind) => Ok(Value::Float(x.to_kind(kind))),
                Class::Bool => Ok(Value::int(i128::from(!x.is_zero()))),
                Class::Int | Class::Pointer => self.float_to_int(x, to),
                Class::NotScalar => Ok(Value::Undef),
            },
        }
    }

    /// As x86-64 converts when the value does not fit.
    fn float_to_int(&mut self, x: Real, to: Scalar) -> Step<Value> {
        let whole = x.to_int();
        let within = |low: i128, high: i128| whole.filter(|v| (low..=high).contains(v));
        let v = match (to.size, to.signed) {
            (16, false) => match x.to_unsigned() {
                Some(v) => return Ok(Value::int(v as i128)),
                None => return self.undecided("a float does not fit a 128-bit integer"),
            },
            (16, true) => match whole {
                Some(v) => v,
                None => return self.undecided("a float does not fit a 128-bit integer"),
            },
            (8, false) if whole.is_some_and(|v| v > i64::MAX.into()) => {
                within(0, u64::MAX.into()).unwrap_or(i64::MIN.into())
            }
            (8, _) | (4, false) => within(i64::MIN.into(), i64::MAX.into()).unwrap_or(i64::MIN.into()),
            _ => within(i32::MIN.into(), i32::MAX.into()).unwrap_or(i32::MIN.into()),
        };
        Ok(Value::int(to.wrap(v)))
    }

    /// A pointer moved by bytes.
    #[inline]
    pub(super) fn pointer_add(&mut self, pointer: Value, bytes: Value) -> Value {
        let Value::Int(address, origin) = pointer else { return Value::Undef };
        let (n, moved) = match bytes {
            Value::Int(n, o) if !o.is_none() && origin.is_none() && self.memory.is_pointer(o) => (n, o),
            Value::Int(n, o) if o.is_none() => (n, origin),
            other => (self.observe(other), origin),
        };
        Value::Int(self.prepared.pointer.wrap(address.wrapping_add(n)), moved)
    }

    /// Bytes between two pointers.
    pub(super) fn pointer_diff(&mut self, lhs: Value, rhs: Value, to: Scalar) -> Value {
        if let (Value::Int(a, p), Value::Int(b, q)) = (lhs, rhs)
            && p.object == q.object
        {
            return Value::int(to.wrap(a - b));
        }
        let (a, b) = (self.observe(lhs), self.observe(rhs));
        Value::int(to.wrap(a - b))
    }

    /// Whether a scalar is not 0.
    #[inline]
    pub(super) fn is_true(&mut self, value: Value) -> bool {
        match value {
            Value::Int(v, origin) => {
                if !origin.is_none() && !origin.is_unspecified() && !self.memory.is_pointer(origin) {
                    self.flags.layout_dependent = true;
                }
                v != 0
            }
            Value::Float(x) => !x.is_zero(),
            Value::Undef => {
                self.flags.indeterminate = true;
                false
            }
        }
    }
}

#[inline]
fn order(op: BinaryOp, a: i128, b: i128, s: Scalar) -> bool {
    let ordering = if s.is_u128() { (a as u128).cmp(&(b as u128)) } else { a.cmp(&b) };
    op.holds_between(ordering)
}
