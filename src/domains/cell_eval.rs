//! The values that expressions over cells may have: never fewer than there are.

use super::arithmetic::{self, Quotient};
use super::cell::{CellExpr, CellState};
use super::compare::{self, Truth};
use super::int::Int;
use super::int_type::IntType;
use super::pointer::{BaseId, Pointers};
use super::value::Value;
use super::{bitwise, pointer};
use crate::ir::BinaryOp;

impl CellState {
    /// The values of an expression, or more.
    pub fn eval(&self, e: &CellExpr) -> Value {
        match e {
            CellExpr::Range(i) => Value::int(*i),
            CellExpr::Cell(c) => self.cells.get(c).cloned().unwrap_or_else(|| c.ty.top()),
            CellExpr::Address(base, offset) => Value::pointers(Pointers::to(*base, Int::constant(*offset))),
            CellExpr::Null => Value::constant(0),
            CellExpr::Function(f) => Value::pointers(Pointers::function(*f)),
            CellExpr::Any(ty) => ty.top(),
            CellExpr::Convert(a, ty) => convert(&self.eval(a), *ty),
            CellExpr::Binary(op, a, b, ty) => binary(*op, &self.eval(a), &self.eval(b), *ty),
            CellExpr::Move(p, n) => moved(&self.eval(p), &self.eval(n)),
            CellExpr::Offset(p, base) => offset(&self.eval(p), *base),
        }
    }
}

impl Value {
    /// The numbers of a value that is nothing else.
    pub fn plain(&self) -> Option<Int> {
        let alone = self.float.is_none() && self.pointers.is_none() && !self.undefined;
        self.int.filter(|_| alone)
    }
    /// The base and the offsets of a value that is a pointer to one base and nothing else.
    pub fn only_target(&self) -> Option<(BaseId, Int)> {
        let alone = self.int.is_none() && self.float.is_none() && !self.undefined && !self.pointers.is_any();
        match self.pointers.targets() {
            [target] if alone && self.pointers.functions().is_empty() => Some(*target),
            _ => None,
        }
    }
}

fn convert(a: &Value, ty: IntType) -> Value {
    if a.is_bottom() {
        return Value::bottom();
    }
    match a.plain() {
        Some(i) => Value::int(ty.wrap(i)),
        // An address is not 0.
        None if ty.boolean && a.float.is_none() && !a.undefined && !a.pointers.is_any() => match a.int {
            None => Value::constant(1),
            Some(i) => Value::int(ty.wrap(i).join(Int::constant(1))),
        },
        None if ty.bits >= pointer::BITS && a.float.is_none() && !a.undefined => {
            Value { int: a.int.map(|i| ty.wrap(i)), ..a.clone() }
        }
        None => Value::int(ty.top()),
    }
}

fn binary(op: BinaryOp, a: &Value, b: &Value, ty: IntType) -> Value {
    if a.is_bottom() || b.is_bottom() {
        return Value::bottom();
    }
    if let (Some(x), Some(y)) = (a.plain(), b.plain()) {
        return Value { int: compute(op, x, y, ty), ..Value::default() };
    }
    if op.is_comparison() {
        return Value { int: outcomes(op, a, b).as_int(), ..Value::default() };
    }
    match (op, a.only_target(), b.only_target()) {
        (BinaryOp::Sub, Some((p, x)), Some((q, y))) if p == q => Value::int(ty.wrap_result(arithmetic::sub(x, y))),
        _ => Value::int(ty.top()),
    }
}

/// Comparisons of what are not only numbers. Pointers that are ordered are to one object.
fn outcomes(op: BinaryOp, a: &Value, b: &Value) -> Truth {
    if let (Some((p, x)), Some((q, y))) = (a.only_target(), b.only_target())
        && p == q
    {
        return compare::truth(op, x, y);
    }
    let apart = !may_be_equal(a, b);
    match op {
        BinaryOp::Eq if apart => Truth { may_hold: false, may_fail: true },
        BinaryOp::Ne if apart => Truth { may_hold: true, may_fail: false },
        _ => Truth::ANY,
    }
}

fn may_be_equal(a: &Value, b: &Value) -> bool {
    let wild = |v: &Value| v.float.is_some() || v.undefined || v.pointers.is_any();
    if wild(a) || wild(b) {
        return true;
    }
    // A number other than 0 may be an address.
    let number = |v: &Value, w: &Value| v.int.is_some_and(|i| i.as_constant() != Some(0)) && !w.pointers.is_none();
    let numbers = a.int.zip(b.int).is_some_and(|(x, y)| x.meet(y).is_some());
    numbers || number(a, b) || number(b, a) || !a.pointers.meet(&b.pointers).is_none()
}

fn moved(p: &Value, n: &Value) -> Value {
    if p.is_bottom() || n.is_bottom() {
        return Value::bottom();
    }
    let wide = IntType::unsigned(pointer::BITS);
    let Some(by) = n.plain() else {
        return Value { int: Some(wide.top()), pointers: Pointers::any(), ..Value::default() };
    };
    let int = p.int.map(|i| wide.wrap_result(arithmetic::add(i, by)));
    let move_one = |o: Int| arithmetic::add(o, by).unwrap_or(Int::TOP);
    Value { int, pointers: p.pointers.clone().map_offsets(move_one), ..p.clone() }
}

fn offset(p: &Value, base: BaseId) -> Value {
    match p.pointers.offset(base) {
        _ if p.pointers.is_any() || p.undefined => Value::int(IntType::signed(pointer::BITS).top()),
        Some(offset) => Value::int(offset),
        None => Value::bottom(),
    }
}

fn compute(op: BinaryOp, a: Int, b: Int, ty: IntType) -> Option<Int> {
    let quotient = |q| match q {
        Quotient::Some(v) => Some(ty.wrap(v)),
        Quotient::Undefined => None,
        Quotient::Any => Some(ty.top()),
    };
    Some(match op {
        BinaryOp::Add => ty.wrap_result(arithmetic::add(a, b)),
        BinaryOp::Sub => ty.wrap_result(arithmetic::sub(a, b)),
        BinaryOp::Mul => ty.wrap_result(arithmetic::mul(a, b)),
        BinaryOp::Div => return quotient(arithmetic::div(a, b)),
        BinaryOp::Rem => return quotient(arithmetic::rem(a, b)),
        BinaryOp::And => ty.wrap(bitwise::and(a, b)),
        BinaryOp::Or => ty.wrap(bitwise::or(a, b)),
        BinaryOp::Xor => ty.wrap(bitwise::xor(a, b)),
        BinaryOp::Shl => ty.wrap_result(bitwise::shl(a, b)),
        BinaryOp::Shr => ty.wrap(bitwise::shr(a, b)),
        op => return compare::truth(op, a, b).as_int(),
    })
}
