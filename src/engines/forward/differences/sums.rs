//! Sums of two terms: `len + n <= cap`, and what is left where one number is taken from another.

use super::super::evaluate::View;
use super::super::refine::Refiner;
use super::super::state::State;
use super::expressions::Reach;
use super::terms::{Cell, Copied, Linear, Term};
use crate::domains::{Int, Multiple, arithmetic};
use crate::ir::{BinaryOp, Expr, ExprKind};

/// So many sums bounds are about, at most.
const SUMS: usize = 8;

impl View<'_> {
    /// The sums `a + b` that bounds leave of `all`.
    pub fn added(&self, a: &Expr, b: &Expr, all: Option<Int>) -> Option<Int> {
        let all = self.in_the_middle(a, b, all);
        if !self.state.has_sums() {
            return all;
        }
        let sum = self.linear(a).zip(self.linear(b)).and_then(|(x, y)| x.plus(y)).filter(|sum| sum.of.term.is_sum());
        sum.map_or(all, |sum| Some(self.apart(sum, Linear::constant(0), all.unwrap_or(Int::TOP))))
    }

    /// `e` as a number from which a term is taken, where nothing wraps on the way: what is left of room, say.
    pub(super) fn rest(&self, e: &Expr) -> Option<(Linear, Linear)> {
        let t = self.int_type(e.ty).filter(|t| !t.boolean && !self.program.types.is_pointer(e.ty))?;
        match &e.kind {
            ExprKind::Cast(a) => {
                let from = self.int_type(a.ty).filter(|_| !self.program.types.is_pointer(a.ty))?;
                let fits = self.numbers(&self.eval(a), from).interval().leq(t.bounds());
                self.rest(a).filter(|_| fits)
            }
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), a, b) => {
                let (x, y) = (self.numbers(&self.eval(a), t), self.numbers(&self.eval(b), t));
                let exact = match op {
                    BinaryOp::Add => arithmetic::add(x, y),
                    BinaryOp::Mul => arithmetic::mul(x, y),
                    _ => self.subtracted(a, b, arithmetic::sub(x, y)),
                };
                t.passed_exactly(exact)?;
                let times = |(c, v): (Linear, Linear), k: i128| Some((c.times(k)?, v.times(k)?));
                match (op, x.as_constant(), y.as_constant()) {
                    (BinaryOp::Add, _, Some(by)) => self.rest(a).and_then(|(c, v)| Some((c.moved(by)?, v))),
                    (BinaryOp::Add, Some(by), _) => self.rest(b).and_then(|(c, v)| Some((c.moved(by)?, v))),
                    (BinaryOp::Mul, _, Some(by)) => self.rest(a).and_then(|rest| times(rest, by)),
                    (BinaryOp::Mul, Some(by), _) => self.rest(b).and_then(|rest| times(rest, by)),
                    (BinaryOp::Add | BinaryOp::Mul, ..) => None,
                    (_, _, Some(by)) => self.rest(a).and_then(|(c, v)| Some((c.moved(by.checked_neg()?)?, v))),
                    _ => self.linear(a).zip(self.linear(b).filter(|v| !v.is_constant())),
                }
            }
            ExprKind::PtrDiff(a, b) => self.bytes_apart(a, b),
            _ => None,
        }
    }

    /// Whether what a pointer is moved by and so many bytes make no more than is there.
    pub(super) fn is_filled_at_most(&self, reach: &Reach<'_>, size: &Expr) -> bool {
        let moved = match reach.moved {
            Some(n) => self.linear(n),
            None => Some(Linear::constant(0)),
        };
        let Some(moved) = moved else { return false };
        let fits = |over: Option<i128>| over.is_some_and(|over| over <= 0);
        if let Some((whole, taken)) = self.rest(size) {
            let distances = self.distances([1, moved.of.times, taken.of.times, whole.of.times]);
            let over = distances.between(moved, taken).zip(distances.between(whole, reach.room));
            return fits(over.and_then(|(a, b)| a.checked_add(b)));
        }
        let sum = self.linear(size).and_then(|size| moved.plus(size)).filter(|sum| sum.of.term.is_sum());
        fits(sum.and_then(|sum| self.distance(sum, reach.room)))
    }

    /// What is known of a pointer that is moved by `n`: with that, it has as much behind it as before.
    pub(super) fn moved_room(&self, room: Linear, n: &Expr) -> Option<Copied> {
        let sum = Linear::term(Term::Room(Cell::New)).plus(self.linear(n)?).filter(|sum| sum.of.term.is_sum())?;
        let whole =
            self.state.only(self.bases, room.of).map_or(Some(room), |all| Linear::constant(all).moved(room.plus))?;
        Some(Copied::equal(sum.of.term, whole.moved(sum.plus.checked_neg()?)?))
    }

    /// What is known of a number that is left when another one is taken from a third: both make that.
    pub(super) fn rest_terms(&self, e: &Expr) -> Option<Copied> {
        let (whole, taken) = self.rest(e)?;
        let sum = Linear::term(Term::Number(Cell::New)).plus(taken)?;
        Some(Copied::equal(sum.of.term, whole.moved(sum.plus.checked_neg()?)?))
    }
}

impl Refiner<'_> {
    /// Only executions with `a op b` are left, where one is what is left when a number is taken from another: put together, they are held
    /// against that.
    pub(super) fn learn_rest(&mut self, op: BinaryOp, a: &Expr, b: &Expr) {
        let view = self.view();
        let whole = |one: &Expr, rest: &Expr| {
            let ((whole, taken), one) = view.rest(rest).zip(view.linear(one))?;
            one.plus(taken).filter(|sum| sum.of.term.is_sum() || !whole.is_constant()).map(|sum| (sum, whole))
        };
        let (right, left) = (whole(a, b), whole(b, a));
        if let Some((low, high)) = right.or(left.map(|(sum, whole)| (whole, sum))) {
            self.note_order(op, low, high);
        }
    }
}

impl State {
    /// Before terms are forgotten: sums with them are also sums with what is the same but for a number, and no less than what stays.
    pub(super) fn let_go_of_sums(&mut self, gone: &impl Fn(Term) -> bool) {
        if !self.has_sums() {
            return;
        }
        let sums: Vec<Multiple<Term>> = self.sums().iter().copied().filter(|m| m.times == 1 && gone(m.term)).collect();
        for whole in sums {
            let Term::Sum(a, b) = whole.term else { continue };
            let (a, b) = (a.term(), b.term());
            let stays = |term| if gone(term) { self.equal(term, gone) } else { Some((term, 0)) };
            if let Some(((a, i), (b, j))) = stays(a).zip(stays(b))
                && let Some((other, more)) = Term::sum(a, b).zip(i.checked_add(j))
                && let Some(less) = more.checked_neg()
            {
                self.note_bound(Multiple::one(other), whole, less);
                self.note_bound(whole, Multiple::one(other), more);
            }
            for (part, rest) in [(a, b), (b, a)] {
                if gone(part) && !gone(rest) {
                    let below = self.bounds().iter().filter(|(_, above, _)| *above == Multiple::one(part));
                    let stay = below.filter(|(below, ..)| below.times == 1 && !gone(below.term));
                    let sums = stay.filter_map(|(below, _, bound)| Some((Term::sum(below.term, rest)?, bound)));
                    for (lower, bound) in sums.collect::<Vec<_>>() {
                        self.note_bound(Multiple::one(lower), whole, bound);
                    }
                }
                if let Some(least) = self.own_least(rest).filter(|least| *least >= 0 && !gone(part)) {
                    self.note_bound(Multiple::one(part), whole, -least);
                }
            }
        }
    }

    /// The least that a term may be for what the state itself mentions.
    fn own_least(&self, term: Term) -> Option<i128> {
        match term {
            Term::Number(Cell::Held(holder)) => self.own_number(holder).map(Int::lo),
            Term::Length(..) => Some(0),
            _ => None,
        }
    }

    /// A term that is not gone, and how far the other is above it at all times, by bounds that are kept.
    pub(super) fn equal(&self, term: Term, gone: &impl Fn(Term) -> bool) -> Option<(Term, i128)> {
        let mut seen = vec![(term, 0)];
        let mut next = 0;
        while let Some(&(term, above)) = seen.get(next) {
            next += 1;
            let term = Multiple::one(term);
            for (a, b, bound) in self.bounds().iter() {
                let is_new = a == term && b.times == 1 && b.term.part().is_some() && seen.iter().all(|s| s.0 != b.term);
                if is_new && self.bounds().kept(b, a) == bound.checked_neg() {
                    let found = (b.term, bound.checked_add(above)?);
                    if !gone(b.term) {
                        return Some(found);
                    }
                    seen.push(found);
                }
            }
        }
        None
    }

    /// Whether bounds may be about the term: of sums few are kept.
    pub(super) fn has_place_for(&self, term: Term) -> bool {
        !term.is_sum() || self.bounds().mentions(term) || self.sums().len() < SUMS
    }

    /// All sums that bounds are about, sorted.
    pub fn sums(&self) -> &[Multiple<Term>] {
        let terms = self.bounds().terms();
        &terms[terms.partition_point(|m| !m.term.is_sum())..]
    }

    /// Whether bounds are about sums.
    pub fn has_sums(&self) -> bool {
        self.bounds().terms().last().is_some_and(|m| m.term.is_sum())
    }
}
