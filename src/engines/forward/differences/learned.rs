//! What comparisons, and checks that have passed, say of pairs of terms.

use super::super::evaluate::View;
use super::super::refine::Refiner;
use super::super::targets::one_object;
use super::super::texts::Holder;
use super::terms::{Cell, Linear, Term};
use crate::domains::{Int, Multiple, Value, arithmetic};
use crate::ir::{BinaryOp, Expr, ExprKind, PlaceBase};

impl View<'_> {
    /// `op` of two numbers as what it comes to: of two that differ the one is smaller that is no greater.
    pub fn sharpened(&self, op: BinaryOp, a: &Expr, b: &Expr) -> BinaryOp {
        let pair = (op == BinaryOp::Ne).then(|| self.seen(a).zip(self.seen(b))).flatten();
        match pair {
            Some((x, y)) if self.distance(x, y) == Some(0) => BinaryOp::Lt,
            Some((x, y)) if self.distance(y, x) == Some(0) => BinaryOp::Gt,
            _ => op,
        }
    }
}

impl Refiner<'_> {
    /// Only executions with `a op b` are left, two numbers or two pointers into one object.
    pub fn learn_order(&mut self, op: BinaryOp, a: &Expr, b: &Expr) {
        let view = self.view();
        let pointers = view.program.types.is_pointer(a.ty);
        if pointers && !one_object(&view.eval_alone(a), &view.eval_alone(b), self.bases) {
            return;
        }
        let Some((mut x, mut y)) = view.seen(a).zip(view.seen(b)) else { return self.learn_rest(op, a, b) };
        if !pointers {
            // A number that is known may become another, as a counter does in the next turn; of a literal, the range of the other says as much.
            let of_sum = x.of.term.is_sum() || y.of.term.is_sum();
            if (x.is_constant() || y.is_constant()) && !of_sum {
                let Some(both) = view.term_of(a).zip(view.term_of(b)) else { return };
                (x, y) = both;
            }
            if let Some(more) = y.plus.checked_sub(x.plus) {
                self.bases.compared.note(x.of.term, y.of.term, more);
            }
        }
        // More behind a pointer is less before it.
        let (low, high) = if pointers { (y, x) } else { (x, y) };
        self.note_order(op, low, high);
    }

    /// Only executions with `(u - v) op b` are left, where `a` is that difference, which does not wrap, and `b` one number.
    pub fn learn_difference(&mut self, op: BinaryOp, a: &Expr, b: &Expr) {
        let ExprKind::Binary(BinaryOp::Sub, u, v) = &a.kind else { return };
        let view = self.view();
        let Some(t) = view.int_type(a.ty) else { return };
        let Some((x, y)) = view.linear(u).zip(view.linear(v)) else { return };
        let Some(by) = view.numbers(&view.eval_alone(b), t).as_constant() else { return };
        let all = arithmetic::sub(view.numbers(&view.eval_alone(u), t), view.numbers(&view.eval_alone(v), t));
        let fits = view.subtracted(u, v, all).is_some_and(|all| all.interval().leq(t.bounds()));
        if let Some(y) = y.moved(by).filter(|y| fits && !x.is_constant() && !y.is_constant()) {
            self.note_order(op, x, y);
        }
    }

    /// Of two numbers `low op high` holds.
    pub(super) fn note_order(&mut self, op: BinaryOp, low: Linear, high: Linear) {
        let view = self.view();
        let (first, second): (Option<(Linear, Linear, i128)>, _) = match op {
            BinaryOp::Lt => (Some((low, high, -1)), None),
            BinaryOp::Le => (Some((low, high, 0)), None),
            BinaryOp::Gt => (Some((high, low, -1)), None),
            BinaryOp::Ge => (Some((high, low, 0)), None),
            BinaryOp::Eq => (Some((low, high, 0)), Some((high, low, 0))),
            BinaryOp::Ne => {
                // What the numbers alone show has to be said where bounds go on, too: they last longer.
                let told = |l: Linear| view.state.bounds().mentions(l.of.term);
                let upto = |a, b| {
                    let distance = view.distance(a, b)?;
                    (distance == 0 || distance < 0 && told(a) && told(b)).then_some((a, b, -1))
                };
                (upto(low, high), upto(high, low))
            }
            _ => (None, None),
        };
        let stride = self.stride(low, high);
        for (a, b, bound) in first.into_iter().chain(second) {
            let bound = stride.map_or(bound, |by| bound.div_euclid(by) * by);
            if let Some(bound) = b.plus.checked_sub(a.plus).and_then(|d| d.checked_add(bound)) {
                self.state.note_bound(a.of, b.of, bound);
            }
        }
    }

    /// What every difference of two pointers' places is a multiple of.
    fn stride(&self, a: Linear, b: Linear) -> Option<i128> {
        let offset = |l: Linear| {
            let (at, plus) = match l.of.term {
                Term::Room(Cell::Held(holder)) => {
                    let value = self.state.held(self.bases, holder)?;
                    let &[(_, offset)] = value.pointers.targets() else { return None };
                    (offset, l.plus)
                }
                Term::Room(Cell::Byte(_, at)) => (Int::constant(at.into()), l.plus),
                _ => return None,
            };
            arithmetic::sub(at, Int::constant(plus))
        };
        let difference = arithmetic::sub(offset(a)?, offset(b)?)?.congruence();
        (difference.modulus() > 1 && difference.rem() == 0).then_some(difference.modulus())
    }

    /// `size` bytes from `ptr` on, if any, lie in its object.
    pub fn learn_room(&mut self, ptr: &Expr, size: &Expr) {
        let view = self.view();
        let least = view.numbers(&view.eval_alone(size), view.address_type()).lo();
        if least > 0 {
            let linear = view.linear(size);
            self.learn_bytes(ptr, linear, least);
        }
    }

    /// So many bytes from `ptr` on, at least `least`, lie in its object.
    fn learn_bytes(&mut self, ptr: &Expr, size: Option<Linear>, least: i128) {
        let view = self.view();
        let Some(reach) = view.reach(ptr) else { return };
        if matches!(reach.room.of.term, Term::Room(Cell::Byte(..))) {
            return;
        }
        let total = match reach.moved {
            Some(n) => view.linear(n).and_then(|n| n.moved(least)),
            None => size.or(Some(Linear::constant(least))),
        };
        let filled = reach.moved.and_then(|n| view.linear(n)?.plus(size?));
        for total in total.into_iter().chain(filled) {
            if let Some(bound) = reach.room.plus.checked_sub(total.plus) {
                self.state.note_bound(total.of, reach.room.of, bound);
            }
        }
    }

    /// The pointer in a cell is not NULL: numbers that bounds hold below the bytes behind it are no greater than these allow. False if no
    /// execution is left.
    pub fn learn_counts(&mut self, pointer: Holder) -> bool {
        let room = Multiple::one(Term::Room(Cell::Held(pointer)));
        let Some(bytes) = self.state.most(self.bases, room) else { return true };
        let counts: Vec<(Multiple<Term>, i128)> =
            self.state.bounds().iter().filter(|(_, b, _)| *b == room).map(|(a, _, bound)| (a, bound)).collect();
        for (count, bound) in counts {
            let Term::Number(Cell::Held(holder)) = count.term else { continue };
            let Some(held) = self.state.held(self.bases, holder) else { continue };
            let most = bytes.saturating_add(bound).div_euclid(count.times.into());
            let Some(old) = held.int_alone().filter(|old| old.hi() > most) else { continue };
            let Some(new) = old.clamp(old.lo(), most) else { return false };
            self.narrow_cell(holder.base, holder.at, holder.shape(), Value::int(new));
        }
        true
    }

    /// The pointer `e` is not NULL: where it is one of a list, it is not the last.
    pub fn learn_element(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Cast(a) => self.learn_element(a),
            ExprKind::Load(place) => {
                if let PlaceBase::Deref(ptr) = &place.base
                    && let Some(two) = self.view().two_of_list(ptr, place)
                    && self.view().ends_with_null(ptr)
                {
                    self.learn_bytes(ptr, None, two);
                }
            }
            _ => {}
        }
    }

    /// A string starts at `ptr` and ends in its object.
    pub fn learn_length(&mut self, ptr: &Expr) {
        let view = self.view();
        let Some(reach) = view.reach(ptr) else { return };
        if let Some(length) = view.length_terms(&reach) {
            self.state.bounds_mut().note(Multiple::one(length), reach.room.of, reach.room.plus - 1);
        }
    }
}
