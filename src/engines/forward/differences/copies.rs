//! What is known of values on their way: of what is copied, computed, read and allocated.

use super::super::evaluate::View;
use super::super::targets::objects;
use super::expressions::Reach;
use super::terms::{Cell, Copied, Linear, Term};
use crate::domains::{Int, Multiple, arithmetic};
use crate::ir::{BinaryOp, Expr, ExprKind, Place};

impl View<'_> {
    /// What is known of a value that is about to be copied: of the number, or of the bytes and characters behind the pointer.
    pub fn copied_terms(&self, e: &Expr) -> Vec<Copied> {
        if !self.program.types.is_pointer(e.ty) {
            return match self.linear(e) {
                Some(linear) if linear.is_constant() => Vec::new(),
                Some(linear) => {
                    let parts = if linear.of.term.is_sum() { self.sum_terms(e) } else { Vec::new() };
                    let all = [Copied::equal(Term::Number(Cell::New), linear)].into_iter();
                    all.chain(self.above_one(linear)).chain(parts).collect()
                }
                None => {
                    let sums = self.sum_terms(e).into_iter().chain(self.rest_terms(e));
                    sums.chain(self.middle_terms(e)).collect()
                }
            };
        }
        let Some(reach) = self.reach(e) else { return Vec::new() };
        let room = Term::Room(Cell::New);
        let Some(n) = reach.moved else {
            let text = self.program.types.pointee(e.ty).and_then(|t| self.program.types.size_of(t)) == Some(1);
            let lengths = self.length_terms(&reach).into_iter().filter(|l| text || self.state.bounds().mentions(*l));
            let new = |term: Term| term.with_cells(|_| Cell::New);
            let lengths = lengths.map(|term| Copied::equal(new(term), Linear::term(term)));
            let filled = match reach.room {
                Linear { of: Multiple { term: Term::Room(cell), .. }, plus: 0 } => {
                    let terms = self.filled_terms(cell).into_iter();
                    terms.map(|term| Copied::equal(new(term), Linear::term(term))).collect()
                }
                _ => self.filled_ahead(e),
            };
            let first = [Copied::equal(room, reach.room)].into_iter();
            return first.chain(lengths).chain(filled).chain(self.offset_terms(e)).collect();
        };
        let by = self.numbers(&self.eval_alone(n), self.offset_type());
        let (least, most) = (reach.room.plus.checked_sub(by.hi()), reach.room.plus.checked_sub(by.lo()));
        let mut all = vec![Copied { term: room, of: reach.room.of, least, most }];
        all.extend(self.moved_room(reach.room, n));
        all.extend(self.filled_ahead(e));
        all.extend(self.offset_terms(e));
        // What is left where it is known that so much is there.
        let over = self.linear(n).and_then(|n| self.distance(n, reach.room));
        if let Some(least) = over.and_then(i128::checked_neg) {
            all.push(Copied { term: room, of: Multiple::one(Term::Zero), least: Some(least), most: None });
        }
        all
    }

    /// How far twice a number that is not below 0, and that bounds are about, is above the number itself: of larger multiples nothing asks
    /// for it, and it costs rounds of loops.
    fn above_one(&self, linear: Linear) -> Option<Copied> {
        if linear.of.times != 2 || !self.state.bounds().mentions(linear.of.term) {
            return None;
        }
        let one = Multiple::one(linear.of.term);
        let below = self.state.difference(self.bases, Multiple::one(Term::Zero), one)?;
        let least = below.checked_neg().filter(|least| *least >= 0)?.checked_add(linear.plus)?;
        Some(Copied { term: Term::Number(Cell::New), of: one, least: Some(least), most: None })
    }

    /// What is known of a sum or difference of two numbers that does not wrap: how far it is from either.
    fn sum_terms(&self, e: &Expr) -> Vec<Copied> {
        let term = Term::Number(Cell::New);
        let (op, a, b, t) = match (&e.kind, self.int_type(e.ty)) {
            (ExprKind::Cast(a), Some(t)) => {
                let from = self.int_type(a.ty).filter(|_| !t.boolean && !self.program.types.is_pointer(a.ty));
                let fits = from.is_some_and(|from| self.numbers(&self.eval(a), from).interval().leq(t.bounds()));
                return if fits { self.sum_terms(a) } else { Vec::new() };
            }
            (ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b), Some(t)) => (*op, a, b, t),
            _ => return Vec::new(),
        };
        let number = |e: &Expr| Some(self.eval(e)).filter(|v| v.pointers.is_none() && !v.undefined).and_then(|v| v.int);
        let Some((x, y)) = number(a).zip(number(b)) else { return Vec::new() };
        let exact = match op {
            BinaryOp::Add => arithmetic::add(x, y),
            _ => self.subtracted(a, b, arithmetic::sub(x, y)),
        };
        if t.passed_exactly(exact).is_none() {
            return Vec::new();
        }
        let from = |one: &Expr, more: Int, back: bool| {
            let linear = self.linear(one).filter(|l| !l.is_constant())?;
            let (lo, hi) = if back {
                (more.hi().checked_neg(), more.lo().checked_neg())
            } else {
                (Some(more.lo()), Some(more.hi()))
            };
            let plus = |n: Option<i128>| n.and_then(|n| n.checked_add(linear.plus));
            Some(Copied { term, of: linear.of, least: plus(lo), most: plus(hi) })
        };
        let first = from(a, y, op == BinaryOp::Sub);
        let second = if op == BinaryOp::Add { from(b, x, false) } else { None };
        first.into_iter().chain(second).collect()
    }

    /// What is known of an input between two numbers.
    pub fn input_terms(&self, range: Option<&(Expr, Expr)>) -> Vec<Copied> {
        let linear = |e: &Expr| {
            let term = self.linear(e).filter(|l| !l.is_constant());
            term.map(|l| Copied::equal(Term::Number(Cell::New), l)).or_else(|| self.rest_terms(e))
        };
        let Some((low, high)) = range else { return Vec::new() };
        let low = linear(low).map(|low| Copied { most: None, ..low });
        let high = linear(high).map(|high| Copied { least: None, ..high });
        low.into_iter().chain(high).collect()
    }

    /// What is known of the address of a new block of `size` bytes.
    pub fn block_terms(&self, size: &Expr) -> Vec<Copied> {
        let room = Term::Room(Cell::New);
        let Some(whole) = self.term_of(size) else { return Vec::new() };
        let parts = if whole.of.term.is_sum() { self.sum_terms(size) } else { Vec::new() };
        let parts = parts.into_iter().map(|part| Copied { term: room, ..part });
        [Copied::equal(room, whole)].into_iter().chain(parts).collect()
    }

    /// What is known of the address of an array of so many elements as the number at a place, and one more.
    pub fn elements_terms(&self, count: &Place, width: u64) -> Option<Copied> {
        let count = Term::Number(Cell::Held(self.holder(count)?));
        let width = width as i64;
        let all = Linear { of: Multiple { term: count, times: width }, plus: width.into() };
        Some(Copied::equal(Term::Room(Cell::New), all))
    }

    /// The number of characters in the string that a pointer starts.
    pub fn length_of(&self, e: &Expr) -> Option<Term> {
        self.length_terms(&self.reach(e)?)
    }

    pub(super) fn length_terms(&self, reach: &Reach<'_>) -> Option<Term> {
        let Term::Room(cell) = reach.room.of.term else { return None };
        if reach.moved.is_some() || reach.room.plus != 0 {
            return None;
        }
        match cell {
            Cell::Held(holder) => {
                let value = self.state.held(self.bases, holder)?;
                let &[(target, _)] = objects(&value)? else { return None };
                Some(Term::Length(cell, target))
            }
            Cell::Byte(base, _) => Some(Term::Length(cell, base)),
            _ => None,
        }
    }
}
