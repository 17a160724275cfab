//! Expressions over a state. Their checks have passed, so evaluation is total; what is not known is any number of the type.

use super::bases::{Base, Bases, label_address};
use super::differences::may_be_middle;
use super::shape::{Shape, extract_bits, float_kind, loose};
use super::state::State;
use super::texts::Holder;
use crate::domains::arithmetic::{self, Quotient};
use crate::domains::compare::{self, Truth};
use crate::domains::{BaseId, Float, Int, IntType, Pointers, Value, bitwise};
use crate::ir::{BinaryOp, Expr, ExprKind, Place, PlaceBase, Program, Real, Type, TypeId, UnaryOp};

/// A state and what is needed to read it.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub program: &'a Program,
    pub bases: &'a Bases,
    pub state: &'a State,
    /// Places of this block that are known to hold determinate values.
    pub determinate: &'a [Place],
    /// Values alone are looked at, not what is known of pairs of them.
    pub alone: bool,
}

impl View<'_> {
    /// What [`Self::eval`] gives where nothing is known of pairs of values.
    pub fn eval_alone(&self, e: &Expr) -> Value {
        View { alone: true, ..*self }.eval(e)
    }
    /// The integer type `ty`; pointers are unsigned numbers.
    pub fn int_type(&self, ty: TypeId) -> Option<IntType> {
        let types = &self.program.types;
        match types.get(ty) {
            Type::Int(k) => Some(IntType::of(types, *k)),
            Type::Pointer(_) => Some(self.address_type()),
            _ => None,
        }
    }
    /// The numbers of addresses.
    pub fn address_type(&self) -> IntType {
        IntType::unsigned(self.program.types.pointer_size() as u32 * 8)
    }
    /// Offsets as `ptrdiff_t`.
    pub fn offset_type(&self) -> IntType {
        IntType::signed(self.program.types.pointer_size() as u32 * 8)
    }
    /// The integers of a value of type `ty` for arithmetic: an indeterminate value and a converted pointer may be any. What is shorter
    /// than a pointer holds pieces of one at most, whose numbers are among its integers.
    pub fn numbers(&self, value: &Value, ty: IntType) -> Int {
        match value.int {
            Some(i) if !value.undefined && (value.pointers.is_none() || self.is_short(ty)) => i,
            _ => ty.top(),
        }
    }
    /// Whether a type is shorter than a pointer.
    fn is_short(&self, ty: IntType) -> bool {
        ty.bits < self.address_type().bits
    }
    /// Whether `e` was shorter than a pointer before it was converted: it is a number, with pieces of addresses at most.
    pub fn was_short(&self, e: &Expr) -> bool {
        let is_number = |e: &Expr| self.int_type(e.ty).filter(|_| !self.program.types.is_pointer(e.ty));
        is_number(e).is_some_and(|t| self.is_short(t))
            || matches!(&e.kind, ExprKind::Cast(a) if is_number(a).is_some() && self.was_short(a))
    }
    /// What a number that was shorter than a pointer may be before it was converted to the type of `e`, if it was.
    fn short_numbers(&self, e: &Expr) -> Option<Int> {
        let t = self.int_type(e.ty).filter(|_| self.was_short(e))?;
        match &e.kind {
            ExprKind::Cast(a) if self.was_short(a) => Some(t.wrap(self.short_numbers(a)?)),
            _ => Some(t.top()),
        }
    }
    /// The values of an operand that something is computed from: indeterminate bits of what was short are few.
    fn factor(&self, e: &Expr) -> Value {
        let value = self.operand(e);
        if value.undefined { self.short_numbers(e).map_or(value, Value::int) } else { value }
    }
    /// The values of an operand: what is computed from a piece of an address is a plain number.
    pub fn operand(&self, e: &Expr) -> Value {
        let value = self.eval(e);
        if value.pointers.is_none() || value.undefined || value.int.is_none() || !self.was_short(e) {
            return value;
        }
        Value { pointers: Pointers::none(), ..value }
    }
    /// The values of an operand of a comparison: what an indeterminate one that was short may be, but for `_Bool`, of which not every byte
    /// is a value.
    fn compared(&self, e: &Expr) -> Value {
        let is_bool = self.int_type(e.without_casts().ty).is_some_and(|t| t.boolean);
        if is_bool { self.operand(e) } else { self.factor(e) }
    }
    fn floats(&self, value: &Value) -> Float {
        value.float.filter(|_| !value.undefined).unwrap_or(Float::TOP)
    }

    /// The values of `e`, a scalar. Never empty.
    pub fn eval(&self, e: &Expr) -> Value {
        match &e.kind {
            ExprKind::Int(v) => match self.int_type(e.ty) {
                Some(t) => Value::constant(t.wrap_number(*v)),
                None => Value::float(Float::of(Real::of_int(float_kind(&self.program.types, e.ty), *v, false))),
            },
            ExprKind::Float(v) => Value::float(Float::of(*v)),
            ExprKind::AddrOf(v, offset) => {
                Value::pointers(Pointers::to(self.bases.variable(*v), Int::constant(i128::from(*offset))))
            }
            ExprKind::FuncAddr(f) => Value::pointers(Pointers::function(*f)),
            ExprKind::LabelAddr(_) => label_address(self.program),
            ExprKind::Load(place) => self.load(place),
            ExprKind::Unary(op, a) => self.unary(*op, &self.eval(a), e.ty),
            ExprKind::Binary(op, a, b) if op.is_comparison() => {
                let mut truth = self.compare(*op, &self.compared(a), &self.compared(b), a.ty);
                if !self.alone && truth == Truth::ANY {
                    (truth.may_hold, truth.may_fail) = self.ordered(*op, a, b);
                }
                Value::int(truth.as_int().unwrap_or(Int::range(0, 1)))
            }
            ExprKind::Binary(op, a, b) => {
                let value = self.binary(*op, &self.factor(a), &self.factor(b), e.ty, b.ty);
                match op {
                    BinaryOp::Add | BinaryOp::Sub if !self.alone => self.nearer(value, *op, (a, b), e.ty),
                    _ => value,
                }
            }
            ExprKind::Cast(a) => self.cast(&self.eval(a), a.ty, e.ty),
            ExprKind::PtrAdd(p, n) => self.move_pointer(self.eval(p), &self.factor(n)),
            ExprKind::PtrDiff(a, b) => self.difference(&self.eval(a), &self.eval(b)),
        }
    }

    /// Where a place starts.
    pub fn address(&self, place: &Place) -> Pointers {
        let offset = i128::from(place.offset);
        match &place.base {
            PlaceBase::Var(v) => Pointers::to(self.bases.variable(*v), Int::constant(offset)),
            PlaceBase::Deref(p) => {
                // An indeterminate pointer did not pass the check.
                let mut pointers = self.eval(p).pointers;
                if offset != 0 {
                    pointers = pointers.map_offsets(|o| shift(o, Int::constant(offset)));
                }
                pointers
            }
        }
    }

    /// The value at a scalar place. Bytes of an object that does not live any more are read like others: named
    /// variables are not checked.
    pub fn load(&self, place: &Place) -> Value {
        let Some(shape) = Shape::of_place(&self.program.types, place) else { return Shape::BYTE.anything() };
        let unit = match place.base {
            PlaceBase::Var(v) => match self.state.object(self.bases, self.bases.variable(v)) {
                Some(object) => object.read(place.offset, shape),
                None => shape.anything(),
            },
            PlaceBase::Deref(_) => {
                let unit = self.state.read(self.bases, &self.address(place), shape);
                let known = self.content(place, shape).map(|content| unit.meet(&content));
                known.filter(|both| !both.is_bottom()).unwrap_or(unit)
            }
        };
        let mut value = match place.bits {
            Some(bits) => extract_bits(&unit, shape, bits),
            None => unit,
        };
        let is_set = || self.determinate.contains(place) || self.is_set_character(place) || self.is_filled(place);
        if value.undefined && is_set() {
            value.undefined = false;
        }
        if value.int.and_then(Int::as_constant) == Some(0)
            && !value.pointers.targets().is_empty()
            && (self.is_before_end(place) || self.is_set_in_list(place))
        {
            value.int = None;
        }
        if shape.size == 8 && value.pointers.is_none() {
            value.int = value.int.map(|int| self.fitting(place, int));
        }
        let is_bool = matches!(self.program.types.as_int(place.ty), Some(crate::ir::IntKind::Bool));
        if is_bool && place.bits.is_none() {
            value.int = value.int.map(|i| if i.lo() >= 0 && i.hi() <= 1 { i } else { Int::range(0, 255) });
        }
        let value = self.received(value, place.ty, shape);
        if value.is_bottom() { shape.anything() } else { value }
    }

    /// What a value is as one of type `ty`: a number that becomes a pointer may be an address that went out of the program and has come back.
    pub fn received(&self, held: Value, ty: TypeId, shape: Shape) -> Value {
        let is_number = held.pointers.is_none() && held.int.is_some_and(|n| n.as_constant().is_none());
        let may_be_address = is_number && self.bases.returns_addresses && self.program.types.is_pointer(ty);
        if may_be_address { shape.anything() } else { held }
    }

    /// The cell that a place is, if it is one number or pointer in one cell for sure.
    pub fn holder(&self, place: &Place) -> Option<Holder> {
        self.holder_at(place, &self.address(place))
    }

    /// The same with the address evaluated before.
    pub fn holder_at(&self, place: &Place, address: &Pointers) -> Option<Holder> {
        let shape = Shape::of_place(&self.program.types, place)?;
        let &[(base, offset)] = address.targets() else { return None };
        let at = offset.as_constant().and_then(|at| i64::try_from(at).ok()).filter(|at| *at >= 0)?;
        let alone = !address.is_any() && address.functions().is_empty() && !self.bases.is_summary(base);
        if alone && place.bits.is_none() { Holder::of(base, at, shape) } else { None }
    }

    /// A sum or difference of numbers, as far as it is known from elsewhere.
    fn nearer(&self, value: Value, op: BinaryOp, (a, b): (&Expr, &Expr), ty: TypeId) -> Value {
        let is_plain = || op == BinaryOp::Add && !self.state.has_sums() && !may_be_middle(a, b);
        if self.state.bounds().is_empty() || is_plain() {
            return value;
        }
        let Some(t) = self.int_type(ty).filter(|_| value.pointers.is_none() && !value.undefined) else { return value };
        let (x, y) = (self.numbers(&self.eval(a), t), self.numbers(&self.eval(b), t));
        let (exact, known) = match op {
            BinaryOp::Add => (arithmetic::add(x, y), self.added(a, b, arithmetic::add(x, y))),
            _ => (arithmetic::sub(x, y), self.subtracted(a, b, arithmetic::sub(x, y))),
        };
        match known {
            Some(known) if Some(known) != exact => Value { int: Some(t.passed(Some(known))), ..value },
            _ => value,
        }
    }

    fn unary(&self, op: UnaryOp, a: &Value, ty: TypeId) -> Value {
        match self.int_type(ty) {
            None => Value::float(self.floats(a).negated()),
            Some(t) => {
                let x = self.numbers(a, t);
                Value::int(match op {
                    UnaryOp::Neg => t.passed(arithmetic::neg(x)),
                    UnaryOp::BitNot => t.wrap(bitwise::not(x)),
                })
            }
        }
    }

    fn binary(&self, op: BinaryOp, a: &Value, b: &Value, ty: TypeId, count: TypeId) -> Value {
        let Some(t) = self.int_type(ty) else { return Value::float(self.float_binary(op, a, b, ty)) };
        let x = self.numbers(a, t);
        let y = self.numbers(b, self.int_type(count).unwrap_or(t));
        let int = int_binary(op, x, y, t);
        Value { int: Some(int), pointers: self.moved_as_number(op, a, b, t), ..Value::bottom() }
    }

    /// Pointers that arithmetic on converted pointers may give back: of the operands' bases, anywhere.
    fn moved_as_number(&self, op: BinaryOp, a: &Value, b: &Value, t: IntType) -> Pointers {
        if a.pointers.is_none() && b.pointers.is_none() || self.is_short(t) {
            return Pointers::none();
        }
        match op {
            BinaryOp::Add if b.pointers.is_none() => self.move_pointer(a.clone(), b).pointers,
            BinaryOp::Add if a.pointers.is_none() => self.move_pointer(b.clone(), a).pointers,
            BinaryOp::Sub if b.pointers.is_none() => {
                let back = arithmetic::neg(self.numbers(b, t)).unwrap_or(Int::TOP);
                self.move_pointer(a.clone(), &Value::int(back)).pointers
            }
            _ => a.pointers.join(&b.pointers).in_pieces(),
        }
    }

    fn float_binary(&self, op: BinaryOp, a: &Value, b: &Value, ty: TypeId) -> Float {
        self.rounded(self.floats(a).apply(op, self.floats(b), float_kind(&self.program.types, ty)))
    }

    /// What numbers may be that were rounded to nearest to be `nearest`.
    fn rounded(&self, nearest: Float) -> Float {
        if self.program.rounds_otherwise { Float::TOP } else { nearest }
    }

    /// Conversion of a value of type `from` to `to`.
    pub fn cast(&self, value: &Value, from: TypeId, to: TypeId) -> Value {
        let (source, target) = (self.int_type(from), self.int_type(to));
        match (source, target) {
            (Some(s), Some(t)) => {
                let wide = t.bits >= self.address_type().bits;
                if t.boolean {
                    return Value::int(self.truth(value, from).as_int().unwrap_or(Int::range(0, 1)));
                }
                let mut int = value.int.map(|i| t.wrap(i));
                if !wide && (!value.pointers.is_none() || value.undefined) && s.bits > t.bits {
                    int = Some(t.top());
                }
                // Pieces of an address are no pointers, but copies of them may be put together again.
                let pointers = if wide { value.pointers.clone() } else { loose(&value.pointers) };
                let result = Value { int, pointers, undefined: value.undefined, float: None };
                match Shape::of(&self.program.types, to).filter(|_| !self.program.types.is_pointer(from)) {
                    _ if result.is_bottom() => Value::int(t.top()),
                    Some(shape) => self.received(result, to, shape),
                    None => result,
                }
            }
            (None, Some(t)) if t.boolean => Value::int(self.truth(value, from).as_int().unwrap_or(Int::range(0, 1))),
            (None, Some(t)) => Value::int(self.truncated(value, t)),
            (Some(s), None) => {
                let x = self.numbers(value, s);
                let kind = float_kind(&self.program.types, to);
                // Wide unsigned numbers are not kept in order.
                let ordered = s.bits < 128 || s.signed;
                Value::float(if ordered { self.rounded(Float::of_integers(x.lo(), x.hi(), kind)) } else { Float::TOP })
            }
            (None, None) => Value::float(self.rounded(self.floats(value).to_kind(float_kind(&self.program.types, to)))),
        }
    }

    /// A float's integral part, in `t` by the check that stands before.
    fn truncated(&self, value: &Value, t: IntType) -> Int {
        let float = self.floats(value);
        match float.numbers() {
            Some((lo, hi)) if lo.abs() < 1e30 && hi.abs() < 1e30 => Int::range(lo.trunc() as i128, hi.trunc() as i128)
                .clamp(t.bounds().lo, t.bounds().hi)
                .unwrap_or(t.top()),
            _ => t.top(),
        }
    }

    /// A pointer moved by bytes.
    fn move_pointer(&self, pointer: Value, by: &Value) -> Value {
        let by = self.numbers(by, self.offset_type());
        let address = self.address_type();
        let int = pointer.int.map(|i| address.wrap_result(arithmetic::add(i, by)));
        let pointers = pointer.pointers.map_offsets(|o| shift(o, by));
        Value { int, pointers, undefined: pointer.undefined, float: None }
    }

    fn difference(&self, a: &Value, b: &Value) -> Value {
        let t = self.offset_type();
        let mut all: Option<Int> = None;
        let plain = |v: &Value| !v.undefined && !v.pointers.is_any() && v.pointers.functions().is_empty();
        if !plain(a) || !plain(b) {
            return Value::int(t.top());
        }
        // Pointers into different objects did not pass the check, but literals may be one.
        for &(base, x) in a.pointers.targets() {
            if b.pointers.targets().iter().any(|&(other, _)| other != base && self.may_be_one_object(base, other)) {
                return Value::int(t.top());
            }
            if let Some(y) = b.pointers.offset(base) {
                let d = t.wrap_result(arithmetic::sub(x, y));
                all = Some(all.map_or(d, |all| all.join(d)));
            }
        }
        if let (Some(x), Some(y)) = (a.int, b.int) {
            let d = t.wrap_result(arithmetic::sub(x, y));
            all = Some(all.map_or(d, |all| all.join(d)));
        }
        Value::int(all.unwrap_or(t.top()))
    }

    /// Whether a value of type `ty` may be not 0, and 0.
    pub fn truth(&self, value: &Value, ty: TypeId) -> Truth {
        match self.int_type(ty) {
            Some(_) => self.compare(BinaryOp::Ne, value, &Value::constant(0), ty),
            None => self.compare(BinaryOp::Ne, value, &Value::float(Float::constant(0.0)), ty),
        }
    }

    /// The outcomes of `a op b`, operands of type `ty`.
    pub fn compare(&self, op: BinaryOp, a: &Value, b: &Value, ty: TypeId) -> Truth {
        if a.undefined || b.undefined {
            return Truth::ANY;
        }
        let Some(t) = self.int_type(ty) else {
            let kind = float_kind(&self.program.types, ty);
            let left = |holds| self.floats(a).compared(op, self.floats(b), kind, holds);
            return Truth { may_hold: left(true).is_some(), may_fail: left(false).is_some() };
        };
        if t.bits >= 128 && !t.signed {
            return Truth::ANY;
        }
        if a.pointers.is_none() && b.pointers.is_none() {
            return compare::truth(op, self.numbers(a, t), self.numbers(b, t));
        }
        self.compare_pointers(op, a, b)
    }

    fn compare_pointers(&self, op: BinaryOp, a: &Value, b: &Value) -> Truth {
        if a.pointers.is_any() || b.pointers.is_any() {
            return Truth::ANY;
        }
        let mut all = Truth { may_hold: false, may_fail: false };
        let mut add = |t: Truth| {
            all.may_hold |= t.may_hold;
            all.may_fail |= t.may_fail;
        };
        let unequal = match op {
            BinaryOp::Eq => Truth { may_hold: false, may_fail: true },
            BinaryOp::Ne => Truth { may_hold: true, may_fail: false },
            _ => Truth::ANY,
        };
        for &(x, i) in a.pointers.targets() {
            for &(y, j) in b.pointers.targets() {
                add(match (x == y, self.bases.is_summary(x)) {
                    (true, false) => compare::truth(op, i, j),
                    (true, true) => Truth::ANY,
                    (false, _) if !self.strictly_inside(x, i) || !self.strictly_inside(y, j) => Truth::ANY,
                    (false, _) if self.may_be_one_byte((x, i), (y, j)) => Truth::ANY,
                    (false, _) => unequal,
                });
            }
        }
        for (one, other) in [(a, b), (b, a)] {
            let objects = one.pointers.targets();
            if let Some(n) = other.int {
                let null = n.as_constant() == Some(0);
                for &(x, i) in objects {
                    add(if null && self.inside_or_past(x, i) { unequal } else { Truth::ANY });
                }
                if !one.pointers.functions().is_empty() {
                    add(if null { unequal } else { Truth::ANY });
                }
            }
            if !objects.is_empty() && !other.pointers.functions().is_empty() {
                add(Truth::ANY);
            }
        }
        if let (Some(x), Some(y)) = (a.int, b.int) {
            add(compare::truth(op, x, y));
        }
        for f in a.pointers.functions() {
            for g in b.pointers.functions() {
                add(if f == g { compare::truth(op, Int::constant(0), Int::constant(0)) } else { unequal });
            }
        }
        all
    }

    /// Whether two string literals may share bytes, so that these offsets are of one.
    fn may_be_one_byte(&self, (x, i): (BaseId, Int), (y, j): (BaseId, Int)) -> bool {
        let (Base::Variable(v), Base::Variable(w)) = (self.bases.get(x), self.bases.get(y)) else { return false };
        self.program.may_share_bytes(v, w, i.lo().saturating_sub(j.hi())..=i.hi().saturating_sub(j.lo()))
    }
    /// Whether two bases may be one object, as string literals may that share bytes.
    pub fn may_be_one_object(&self, x: BaseId, y: BaseId) -> bool {
        x == y || self.may_be_one_byte((x, Int::TOP), (y, Int::TOP))
    }
    /// Whether the offset is that of a byte of the object, for sure, and the object lives.
    fn strictly_inside(&self, base: BaseId, offset: Int) -> bool {
        let object = self.state.object(self.bases, base);
        object.is_some_and(|o| offset.lo() >= 0 && offset.hi() < o.size.lo() && !o.life.may_be_dead)
    }
    fn inside_or_past(&self, base: BaseId, offset: Int) -> bool {
        let object = self.state.object(self.bases, base);
        object.is_some_and(|o| offset.lo() >= 0 && offset.hi() <= o.size.lo())
    }
}

/// `offset + by`, as far as offsets go.
pub fn shift(offset: Int, by: Int) -> Int {
    let t = IntType::signed(64);
    match arithmetic::add(offset, by) {
        Some(sum) => t.wrap(sum),
        None => t.top(),
    }
}

/// `x op y` in type `t`.
pub fn int_binary(op: BinaryOp, x: Int, y: Int, t: IntType) -> Int {
    let quotient = |q: Quotient| match q {
        Quotient::Some(i) => t.wrap(i),
        // Without a divisor other than 0 no execution comes here.
        Quotient::Undefined | Quotient::Any => t.top(),
    };
    // 128-bit unsigned numbers are not kept in order.
    let unordered = t.bits >= 128 && !t.signed;
    match op {
        BinaryOp::Add => t.passed(arithmetic::add(x, y)),
        BinaryOp::Sub => t.passed(arithmetic::sub(x, y)),
        BinaryOp::Mul => t.passed(arithmetic::mul(x, y)),
        BinaryOp::Div | BinaryOp::Rem | BinaryOp::Shr if unordered => t.top(),
        BinaryOp::Div => quotient(arithmetic::div(x, y)),
        BinaryOp::Rem => quotient(arithmetic::rem(x, y)),
        BinaryOp::And => t.wrap(bitwise::and(x, y)),
        BinaryOp::Or => t.wrap(bitwise::or(x, y)),
        BinaryOp::Xor => t.wrap(bitwise::xor(x, y)),
        BinaryOp::Shl | BinaryOp::Shr => match y.clamp(0, i128::from(t.bits) - 1) {
            Some(count) if op == BinaryOp::Shl => t.wrap_result(bitwise::shl(x, count)),
            Some(count) => t.wrap(bitwise::shr(x, count)),
            None => t.top(),
        },
        _ => t.top(),
    }
}
