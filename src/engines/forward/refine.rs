//! Backward refinement: a state restricted to executions in which an expression has given values.
//!
//! Each function returns false when no execution is left, and leaves as it is what it cannot restrict.

use super::bases::Bases;
use super::derived::Derived;
use super::evaluate::{View, shift};
use super::extent::Extents;
use super::implications::{Said, without};
use super::shape::Shape;
use super::state::State;
use super::targets::only_object;
use super::texts::Holder;
use crate::domains::{BaseId, Int, IntType, Pointers, Value, arithmetic, compare};
use crate::ir::{BinaryOp, Expr, ExprKind, Place, Program, Type, UnaryOp};

/// So many cells say what they do of others after one restriction.
const FOLLOWED: usize = 16;

/// A state that is being restricted.
pub struct Refiner<'a> {
    pub program: &'a Program,
    pub bases: &'a Bases,
    pub state: &'a mut State,
    pub determinate: &'a [Place],
    pub copies: &'a [(Place, Place)],
    pub derived: &'a [Derived],
    pub extents: &'a Extents<'a>,
}

impl Refiner<'_> {
    /// The state so far.
    pub fn view(&self) -> View<'_> {
        View {
            program: self.program,
            bases: self.bases,
            state: self.state,
            determinate: self.determinate,
            alone: false,
        }
    }

    /// Only executions in which `cond`, a scalar, is not 0 (`holds`) or is 0.
    pub fn assume(&mut self, cond: &Expr, holds: bool) -> bool {
        let view = self.view();
        let truth = view.truth(&view.operand(cond), cond.ty);
        if !(if holds { truth.may_hold } else { truth.may_fail }) {
            return false;
        }
        match &cond.kind {
            ExprKind::Binary(op, a, b) if op.is_comparison() => {
                if let Type::Float(_) = self.program.types.get(a.ty) {
                    self.compare_floats(*op, a, b, holds)
                } else if holds {
                    self.compare(*op, a, b)
                } else if self.view().int_type(a.ty).is_some() {
                    self.compare(op.negate().expect("the operator is a comparison"), a, b)
                } else {
                    true
                }
            }
            ExprKind::Cast(a) if self.keeps_truth(a, cond) => self.assume(a, holds),
            ExprKind::Unary(UnaryOp::Neg, a) if self.view().int_type(a.ty).is_some() => self.assume(a, holds),
            _ => {
                let zero = Expr::int(0, cond.ty);
                if self.view().int_type(cond.ty).is_none() {
                    return true;
                }
                self.compare(if holds { BinaryOp::Ne } else { BinaryOp::Eq }, cond, &zero)
            }
        }
    }

    /// Whether a conversion is 0 exactly when its operand is.
    fn keeps_truth(&self, from: &Expr, to: &Expr) -> bool {
        match (self.view().int_type(from.ty), self.view().int_type(to.ty)) {
            (Some(s), Some(t)) => t.boolean || t.bits >= s.bits,
            _ => false,
        }
    }

    /// Only executions with `a op b`, a comparison.
    pub fn compare(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> bool {
        self.note_stops(op, a, b);
        let view = self.view();
        let Some(t) = view.int_type(a.ty) else { return true };
        if t.bits >= 128 && !t.signed {
            return true;
        }
        let (x, y) = (view.operand(a), view.operand(b));
        if x.undefined || y.undefined {
            return true;
        }
        if x.pointers.is_none() && y.pointers.is_none() {
            let op = view.sharpened(op, a, b);
            let (x, y) = (view.numbers(&x, t), view.numbers(&y, t));
            let Some((p, q)) = compare::filter(op, x, y) else { return false };
            let zero = Int::constant(0);
            if compare::filter(op, zero, y).is_none() {
                self.learn_character(a);
            }
            if compare::filter(op, x, zero).is_none() {
                self.learn_character(b);
            }
            let left = self.restrict_integers(a, p) && self.restrict_integers(b, q);
            self.learn_order(op, a, b);
            self.learn_difference(op, a, b);
            return left;
        }
        let left = self.compare_pointers(op, (a, &x), (b, &y));
        self.learn_order(op, a, b);
        if op == BinaryOp::Ne && y.as_constant() == Some(0) {
            self.learn_element(a);
        }
        left
    }

    fn compare_pointers(&mut self, op: BinaryOp, (a, x): (&Expr, &Value), (b, y): (&Expr, &Value)) -> bool {
        let null = |v: &Value| v.as_constant() == Some(0);
        match op {
            BinaryOp::Eq if null(y) || null(x) => {
                // An address outside its object may be 0 when numbers wrap: only plain ones are excluded.
                let (e, v) = if null(y) { (a, x) } else { (b, y) };
                let view = self.view();
                let odd = v.pointers.filter_targets(|base, offset| {
                    let single = Value::pointers(Pointers::to(base, offset));
                    view.compare(BinaryOp::Eq, &single, &Value::constant(0), e.ty).may_hold.then_some(offset)
                });
                if !odd.targets().is_empty() || v.pointers.is_any() {
                    return true;
                }
                v.int.is_some_and(|i| i.contains(0)) && self.restrict(e, &Value::constant(0))
            }
            BinaryOp::Ne if null(y) || null(x) => {
                let (e, v) = if null(y) { (a, x) } else { (b, y) };
                let int = v.int.and_then(|i| i.except(0));
                let rest = Value { int, ..v.clone() };
                !rest.is_bottom() && self.restrict(e, &rest)
            }
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                let ([(p, i)], [(q, j)]) = (x.pointers.targets(), y.pointers.targets()) else { return true };
                let plain = |v: &Value| v.int.is_none() && v.pointers.functions().is_empty() && !v.pointers.is_any();
                if p != q || self.bases.is_summary(*p) || !plain(x) || !plain(y) {
                    return true;
                }
                let Some((i, j)) = compare::filter(op, *i, *j) else { return false };
                self.restrict(a, &Value::pointers(Pointers::to(*p, i)))
                    && self.restrict(b, &Value::pointers(Pointers::to(*q, j)))
            }
            _ => true,
        }
    }

    /// Only executions in which the number `e` is in `to`; nothing is known of indeterminate ones and of addresses.
    pub fn restrict_number(&mut self, e: &Expr, to: Int) -> bool {
        let value = self.view().operand(e);
        value.undefined || !value.pointers.is_none() || self.restrict_integers(e, to)
    }

    /// The same of a number that is not indeterminate; pieces of addresses that it may be stay what they are.
    fn restrict_integers(&mut self, e: &Expr, to: Int) -> bool {
        let pointers = self.view().eval(e).pointers;
        self.restrict(e, &Value { pointers, ..Value::int(to) })
    }

    /// Only executions in which `e` has a value in `to`: all others have been ruled out.
    pub fn restrict(&mut self, e: &Expr, to: &Value) -> bool {
        match &e.kind {
            ExprKind::Load(place) => self.restrict_copies(place, to),
            ExprKind::Cast(a) => self.restrict_cast(a, e, to),
            ExprKind::Binary(op, a, b) => self.restrict_sum(*op, a, b, e, to),
            ExprKind::PtrAdd(p, n) => self.restrict_moved(p, n, to),
            _ => true,
        }
    }

    /// A place and all that hold the same value.
    fn restrict_copies(&mut self, place: &Place, to: &Value) -> bool {
        let places = copies_of(self.copies, place);
        places.iter().all(|p| self.restrict_place(p, to)) && self.restrict_origins(&places, to)
    }

    fn restrict_place(&mut self, place: &Place, to: &Value) -> bool {
        if place.bits.is_some() {
            return true;
        }
        let (Some(shape), view) = (Shape::of_place(&self.program.types, place), self.view()) else { return true };
        let address = view.address(place);
        let &[(base, offset)] = address.targets() else { return self.restrict_content(place, to) };
        let at = offset.as_constant().filter(|_| !address.is_any() && !self.bases.is_summary(base));
        let Some(at) = at else { return self.restrict_content(place, to) };
        let Some(object) = self.state.object(self.bases, base) else { return true };
        let at = at as i64;
        if at < 0 || i128::from(at + shape.len()) > object.size.lo() {
            return true;
        }
        let old = view.received(object.read(at, shape), place.ty, shape);
        // What is read as a number of this type: the cell's encoding may be wider only for `_Bool`.
        let new = old.meet(to);
        if new.is_bottom() {
            return false;
        }
        if new == old {
            return true;
        }
        let is_null_gone = excludes_null(&old, &new);
        self.narrow_cell(base, at, shape, new);
        let Some(cell) = Holder::of(base, at, shape) else { return true };
        (!is_null_gone || self.learn_counts(cell)) && self.follow(cell)
    }

    /// Lets a place hold no more than `new`. False, and nothing changed, where it is several cells or a part of one.
    pub(super) fn narrow_cell(&mut self, base: BaseId, at: i64, shape: Shape, new: Value) -> bool {
        let Some(object) = self.state.object(self.bases, base) else { return false };
        // A read that is put together from several cells says less than they do.
        let cell = object.cells().any(|(o, c)| o == at && c.shape.size == shape.size);
        let blank = object.cells().all(|(o, c)| o >= at + shape.len() || o + c.shape.len() <= at);
        if cell || blank {
            let zeros = object.zeros;
            self.state.learn(self.bases, base, |o| {
                o.write(at, shape, new);
                o.zeros = zeros;
            });
        }
        cell || blank
    }

    /// Brings back what a cell that has been restricted says of others, and these of others again. Where a flag's values would make the cell hold something else
    /// than it does, the flag does not have those. False if no execution is left.
    ///
    /// What is known of a block is known for the case that it was allocated. So a contradiction there means no more than that it was not, and tells nothing of
    /// other cells, unless the block is known to exist: the cell that was read lies in it, or a pointer leads to it and nowhere else.
    fn follow(&mut self, flag: Holder) -> bool {
        let (mut flags, mut there) = (vec![flag], vec![flag.base]);
        for _ in 0..FOLLOWED {
            let Some(flag) = flags.pop() else { return true };
            let Some(value) = self.state.held(self.bases, flag) else { continue };
            there.extend(only_object(&value).map(|(base, _)| base));
            let exists = |base: BaseId| !self.bases.is_block(base) || there.contains(&base);
            let value = self.bases.unnamed(&value);
            for (other, when) in self.state.implications().refuted(flag, &value) {
                let Some(old) = self.state.held(self.bases, other).filter(|_| exists(other.base)) else { continue };
                let Some(new) = without(&old, &when) else { continue };
                let is_null_gone = excludes_null(&old, &new);
                if self.narrow_cell(other.base, other.at, other.shape(), new) {
                    if is_null_gone && !self.learn_counts(other) {
                        return false;
                    }
                    flags.push(other);
                }
            }
            let said = self.state.implications().iter().filter(|i| i.flag == flag && value.leq(&i.when));
            let said: Vec<Said> = said.map(|i| i.then.clone()).collect();
            for said in said {
                let (cell, then) = match said {
                    Said::Holds(cell, then) => (cell, then),
                    Said::Lives(base) => {
                        if self.state.object(self.bases, base).is_some_and(|o| !o.life.may_live) {
                            if exists(base) {
                                return false;
                            }
                        } else {
                            self.state.learn(self.bases, base, |o| o.life.may_be_dead = false);
                        }
                        continue;
                    }
                    Said::IsNone(base) => {
                        self.state.forget(base);
                        continue;
                    }
                    Said::Inside(pointer, target, text) => {
                        let known = self.state.text_in(pointer, target);
                        if known.is_none_or(|known| known.ahead < text.ahead) {
                            self.state.note_one_text(pointer, target, text);
                        }
                        continue;
                    }
                };
                let Some(old) = self.state.held(self.bases, cell) else { continue };
                let new = old.meet(&then);
                if new.is_bottom() {
                    if exists(cell.base) {
                        return false;
                    }
                } else if new != old && self.narrow_cell(cell.base, cell.at, cell.shape(), new) && exists(cell.base) {
                    flags.push(cell);
                }
            }
        }
        true
    }

    fn restrict_cast(&mut self, a: &Expr, e: &Expr, to: &Value) -> bool {
        let view = self.view();
        let (Some(s), Some(t)) = (view.int_type(a.ty), view.int_type(e.ty)) else {
            return match (self.program.types.get(e.ty), to.float) {
                (Type::Float(kind), Some(among)) => self.restrict_converted(a, *kind, among),
                _ => true,
            };
        };
        let pointer = |e: &Expr| view.program.types.is_pointer(e.ty);
        if view.bases.returns_addresses && pointer(e) && !pointer(a) {
            return true;
        }
        let value = view.eval(a);
        if t.boolean {
            return match to.int.filter(|_| to.pointers.is_none()).and_then(Int::as_constant) {
                Some(0) => self.assume(a, false),
                Some(1) => self.assume(a, true),
                _ => true,
            };
        }
        let fits = |v: Int, t: IntType| v.interval().leq(t.bounds());
        match value.int {
            None if t.bits >= s.bits => self.restrict(a, to),
            Some(v) if fits(v, t) && (value.pointers.is_none() || t.bits >= s.bits) => self.restrict(a, to),
            // A conversion that is not the identity can be undone number by number when it is one to one.
            Some(_) if t.bits == s.bits && (value.pointers.is_none() && to.pointers.is_none() || view.was_short(a)) => {
                let back = to.int.map(|i| s.wrap(i));
                self.restrict(a, &Value { int: back, ..to.clone() })
            }
            _ => true,
        }
    }

    /// Sums, differences and products with a constant that do not wrap.
    fn restrict_sum(&mut self, op: BinaryOp, a: &Expr, b: &Expr, e: &Expr, to: &Value) -> bool {
        let view = self.view();
        let Some(t) = view.int_type(e.ty) else { return true };
        if op.is_comparison() {
            return match to.int.filter(|_| to.pointers.is_none()).and_then(Int::as_constant) {
                Some(0) => self.assume(e, false),
                Some(1) => self.assume(e, true),
                _ => true,
            };
        }
        let (x, y) = (view.eval(a), view.eval(b));
        let plain = |v: &Value| v.pointers.is_none() && !v.undefined;
        let (Some(i), Some(j), Some(r)) = (x.int, y.int, to.int) else { return true };
        if !plain(&x) || !plain(&y) || !to.pointers.is_none() {
            return true;
        }
        let exact = match op {
            BinaryOp::Add => arithmetic::add(i, j),
            BinaryOp::Sub => arithmetic::sub(i, j),
            BinaryOp::Mul => arithmetic::mul(i, j),
            _ => None,
        };
        if t.passed_exactly(exact).is_none() {
            return true;
        }
        let back = match op {
            BinaryOp::Add => (arithmetic::sub(r, j), arithmetic::sub(r, i)),
            BinaryOp::Sub => (arithmetic::add(r, j), arithmetic::sub(i, r)),
            _ => (factor(r, j), factor(r, i)),
        };
        let mut go = |e: &Expr, v: Option<Int>| v.is_none_or(|v| self.restrict(e, &Value::int(v)));
        go(a, back.0) && go(b, back.1)
    }

    fn restrict_moved(&mut self, p: &Expr, n: &Expr, to: &Value) -> bool {
        let view = self.view();
        let (pointer, by) = (view.eval(p), view.eval(n));
        let number = view.numbers(&by, view.offset_type());
        if let Some(c) = number.as_constant() {
            let Some(back) = c.checked_neg().map(Int::constant) else { return true };
            let address = view.address_type();
            let int = to.int.map(|i| address.wrap_result(arithmetic::add(i, back)));
            let pointers = to.pointers.clone().map_offsets(|o| shift(o, back));
            return self.restrict(p, &Value { int, pointers, ..to.clone() });
        }
        if to.pointers.is_any_object(false) && pointer.pointers.is_any() && to.int.is_none() && !to.undefined {
            // The object is that of the pointer which is moved.
            return self.restrict(p, &Value::pointers(to.pointers.only_unknown()));
        }
        if pointer.int.is_some() && to.int.is_none() {
            // NULL, wherever it is moved, points into no object.
            return self.restrict(p, &Value { int: None, ..pointer });
        }
        let alone = pointer.int.is_none() && !pointer.undefined && !pointer.pointers.is_any();
        let ([(b, from)], [(c, moved)]) = (pointer.pointers.targets(), to.pointers.targets()) else { return true };
        if !alone || b != c || to.int.is_some() || to.pointers.is_any() || !pointer.pointers.functions().is_empty() {
            return true;
        }
        match arithmetic::sub(*moved, *from) {
            Some(d) if by.pointers.is_none() && !by.undefined => self.restrict(n, &Value::int(d)),
            _ => true,
        }
    }
}

/// A place and all that hold the same value, by what was copied to what.
pub fn copies_of<'e>(copies: &'e [(Place, Place)], place: &'e Place) -> Vec<&'e Place> {
    let mut same = vec![place];
    let mut next = 0;
    while next < same.len() {
        let p = same[next];
        next += 1;
        for (a, b) in copies {
            let other = if a == p { b } else { a };
            if (a == p || b == p) && !same.contains(&other) {
                same.push(other);
            }
        }
    }
    same
}

/// Numbers `x` with `x * k` in `product` for the constant `k`.
fn factor(product: Int, k: Int) -> Option<Int> {
    let k = k.as_constant().filter(|&k| k > 0)?;
    let lo = product.lo().div_euclid(k) + i128::from(product.lo().rem_euclid(k) != 0);
    let hi = product.hi().div_euclid(k);
    (lo <= hi).then(|| Int::range(lo, hi))
}

/// Whether what may have been NULL or an address is an address now.
fn excludes_null(old: &Value, new: &Value) -> bool {
    !new.pointers.is_none() && old.int.is_some() && new.int.is_none()
}
