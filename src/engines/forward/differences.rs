//! What is known of pairs of numbers and pointers: how far one is above another, and how much of an object lies behind a pointer.
//! Expressions as multiples of terms, what copies and comparisons say of them, and what follows for checks.
//!
//! See: Miné, "A new numerical abstract domain based on difference-bound matrices", Sect. 3 and 4.

use super::analyzer::{Analyzer, Flow};
use super::bases::Bases;
use super::evaluate::View;
use super::refine::Refiner;
use super::state::State;
use super::sums::Distances;
use super::targets::objects;
use super::terms::{Bounds, Cell, Copied, Linear, Term};
use super::texts::Holder;
use crate::domains::congruence::Congruence;
use crate::domains::difference::Range;
use crate::domains::{BaseId, Int, IntType, Multiple, Value, arithmetic};
use crate::ir::{BinaryOp, Expr, ExprKind, LibFn, Place, PlaceBase};

/// A pointer: the bytes behind where it starts, and how far it is moved from there.
struct Reach<'e> {
    room: Linear,
    /// What is added, if it is no constant.
    moved: Option<&'e Expr>,
}

impl View<'_> {
    /// A number as a multiple of a term, where nothing wraps on the way. What is one number is that number, unless bounds are about the
    /// term, or it is a size in elements: these go on when it becomes another.
    pub fn linear(&self, e: &Expr) -> Option<Linear> {
        let (linear, all) = self.number_seen(e)?;
        let is_told = |l: &Linear| l.of.times > 1 || self.state.bounds().mentions(l.of.term);
        let told = linear.filter(|l| !l.is_constant() && is_told(l));
        told.or(all.as_constant().map(Linear::constant)).or(linear)
    }

    /// The same of a term, also where that is one number.
    fn term_of(&self, e: &Expr) -> Option<Linear> {
        self.number_seen(e)?.0.filter(|l| !l.is_constant())
    }

    /// The same with all numbers that it may be; None for what may be an address or indeterminate.
    fn number_seen(&self, e: &Expr) -> Option<(Option<Linear>, Int)> {
        let plain = |t: &IntType| !self.program.types.is_pointer(e.ty) && (t.signed || t.bits < 128);
        let t = self.int_type(e.ty).filter(plain)?;
        let whole = || self.eval_alone(e).int_alone();
        let (linear, all) = match &e.kind {
            ExprKind::Load(place) => {
                let held = self.holder(place).map(|holder| Linear::term(Term::Number(Cell::Held(holder))));
                (held, whole()?)
            }
            ExprKind::Cast(a) if !t.boolean && self.int_type(a.ty).is_some() => match self.number_seen(a) {
                Some((linear, all)) if all.interval().leq(t.bounds()) => (linear, all),
                _ => (None, whole()?),
            },
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Shl), a, b) => {
                // What is shifted out of its type is no error, and may have been.
                let fits = |all: Int| match op {
                    BinaryOp::Shl => Some(all).filter(|all| all.interval().leq(t.bounds())),
                    _ => t.passed_exactly(Some(all)),
                };
                let both = self.combined(*op, self.number_seen(a)?, self.number_seen(b)?);
                match both.and_then(|(linear, all)| Some((linear, fits(all)?))) {
                    Some(seen) => seen,
                    None => (None, whole()?),
                }
            }
            _ => (None, whole()?),
        };
        Some((linear.or(all.as_constant().map(Linear::constant)), all))
    }

    /// Two numbers combined, where the result does not wrap.
    fn combined(
        &self,
        op: BinaryOp,
        (a, x): (Option<Linear>, Int),
        (b, y): (Option<Linear>, Int),
    ) -> Option<(Option<Linear>, Int)> {
        let of = |one: Option<Linear>, f: &dyn Fn(Linear) -> Option<Linear>| one.and_then(f);
        Some(match (op, x.as_constant(), y.as_constant()) {
            (BinaryOp::Add, Some(by), _) if b.is_some_and(|b| !b.is_constant()) => {
                (of(b, &|b| b.moved(by)), arithmetic::add(x, y)?)
            }
            (BinaryOp::Add, _, Some(by)) => (of(a, &|a| a.moved(by)), arithmetic::add(x, y)?),
            (BinaryOp::Sub, _, Some(by)) => (of(a, &|a| a.moved(by.checked_neg()?)), arithmetic::sub(x, y)?),
            (BinaryOp::Mul, Some(by), _) if b.is_some_and(|b| !b.is_constant()) => {
                (of(b, &|b| b.times(by)), arithmetic::mul(x, y)?)
            }
            (BinaryOp::Mul, _, Some(by)) => (of(a, &|a| a.times(by)), arithmetic::mul(x, y)?),
            (BinaryOp::Shl, _, Some(by @ 0..=32)) => {
                (of(a, &|a| a.times(1 << by)), arithmetic::mul(x, Int::constant(1 << by))?)
            }
            (BinaryOp::Add, ..) => (a.zip(b).and_then(|(a, b)| a.plus(b)), arithmetic::add(x, y)?),
            (BinaryOp::Sub, ..) => (None, arithmetic::sub(x, y)?),
            (BinaryOp::Mul, ..) => (None, arithmetic::mul(x, y)?),
            _ => return None,
        })
    }

    /// The bytes behind a pointer.
    fn reach<'e>(&self, e: &'e Expr) -> Option<Reach<'e>> {
        let pointer = |e: &Expr| self.program.types.is_pointer(e.ty);
        match &e.kind {
            ExprKind::Load(place) if pointer(e) => {
                let room = Linear::term(Term::Room(Cell::Held(self.holder(place)?)));
                Some(Reach { room, moved: None })
            }
            ExprKind::AddrOf(v, offset) => {
                let room = Linear::term(Term::Room(Cell::Byte(self.bases.variable(*v), *offset)));
                Some(Reach { room, moved: None })
            }
            ExprKind::Cast(a) if pointer(a) && pointer(e) => self.reach(a),
            ExprKind::PtrAdd(p, n) => {
                let reach = self.reach(p)?;
                let by = self.numbers(&self.eval_alone(n), self.offset_type());
                match by.as_constant() {
                    Some(by) => Some(Reach { room: reach.room.moved(by.checked_neg()?)?, ..reach }),
                    None if reach.moved.is_none() => Some(Reach { moved: Some(n), ..reach }),
                    None => None,
                }
            }
            _ => None,
        }
    }

    /// A number, or the bytes behind a pointer, as a multiple of a term.
    fn seen(&self, e: &Expr) -> Option<Linear> {
        if !self.program.types.is_pointer(e.ty) {
            return self.linear(e);
        }
        self.reach(e).filter(|r| r.moved.is_none()).map(|r| r.room)
    }

    /// What bounds and cells say of how far terms are apart, to be asked many times. `times`: what terms will be taken.
    fn distances<const N: usize>(&self, times: [i64; N]) -> Distances<'_, impl Fn(Multiple<Term>) -> Range> {
        let range = |m| self.state.term_range(self.bases, m).unwrap_or_default();
        Distances { within: self.state.bounds().within(&times, range), sums: self.state.sums() }
    }

    /// How far `a` is above `b` at most.
    fn distance(&self, a: Linear, b: Linear) -> Option<i128> {
        self.distances([a.of.times, b.of.times]).between(a, b)
    }

    /// The differences `a - b` that bounds leave of `all`.
    pub fn subtracted(&self, a: &Expr, b: &Expr, all: Option<Int>) -> Option<Int> {
        if self.state.bounds().is_empty() {
            return all;
        }
        let Some((x, y)) = self.linear(a).zip(self.linear(b)).filter(|(x, y)| !x.is_constant() && !y.is_constant())
        else {
            return all;
        };
        Some(self.apart(x, y, all.unwrap_or(Int::TOP)))
    }

    /// The sums `a + b` that bounds leave of `all`.
    pub fn added(&self, a: &Expr, b: &Expr, all: Option<Int>) -> Option<Int> {
        if !self.state.has_sums() {
            return all;
        }
        let sum = self.linear(a).zip(self.linear(b)).and_then(|(x, y)| x.plus(y)).filter(|sum| sum.of.term.is_sum());
        sum.map_or(all, |sum| Some(self.apart(sum, Linear::constant(0), all.unwrap_or(Int::TOP))))
    }

    /// `e` as a number from which a term is taken, where nothing wraps on the way: what is left of room, say.
    fn rest(&self, e: &Expr) -> Option<(Linear, Linear)> {
        let t = self.int_type(e.ty).filter(|t| !t.boolean && !self.program.types.is_pointer(e.ty))?;
        match &e.kind {
            ExprKind::Cast(a) => {
                let from = self.int_type(a.ty).filter(|_| !self.program.types.is_pointer(a.ty))?;
                let fits = self.numbers(&self.eval(a), from).interval().leq(t.bounds());
                self.rest(a).filter(|_| fits)
            }
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
                let (x, y) = (self.numbers(&self.eval(a), t), self.numbers(&self.eval(b), t));
                let exact = match op {
                    BinaryOp::Add => arithmetic::add(x, y),
                    _ => self.subtracted(a, b, arithmetic::sub(x, y)),
                };
                t.passed_exactly(exact)?;
                match (op, x.as_constant(), y.as_constant()) {
                    (BinaryOp::Add, _, Some(by)) => self.rest(a).and_then(|(c, v)| Some((c.moved(by)?, v))),
                    (BinaryOp::Add, Some(by), _) => self.rest(b).and_then(|(c, v)| Some((c.moved(by)?, v))),
                    (BinaryOp::Add, ..) => None,
                    (_, _, Some(by)) => self.rest(a).and_then(|(c, v)| Some((c.moved(by.checked_neg()?)?, v))),
                    _ => self.linear(a).zip(self.linear(b).filter(|v| !v.is_constant())),
                }
            }
            // More behind a pointer is less before it.
            ExprKind::PtrDiff(a, b) => {
                let is_bytes =
                    |e: &Expr| self.program.types.pointee(e.ty).and_then(|t| self.program.types.size_of(t)) == Some(1);
                let fits = is_bytes(a) && one_object(&self.eval_alone(a), &self.eval_alone(b), self.bases);
                self.seen(b).zip(self.seen(a)).filter(|_| fits)
            }
            _ => None,
        }
    }

    /// Of the numbers of `all`, those that bounds leave of `x - y`; all where none is left, since no execution is here then.
    fn apart(&self, x: Linear, y: Linear, all: Int) -> Int {
        let distances = self.distances([x.of.times, y.of.times]);
        let (hi, lo) = (distances.between(x, y), distances.between(y, x).and_then(i128::checked_neg));
        let (lo, hi) = (lo.unwrap_or(all.lo()).max(all.lo()), hi.unwrap_or(all.hi()).min(all.hi()));
        if lo > hi { all } else { all.clamp(lo, hi).unwrap_or(all) }
    }

    /// The numbers of `all` that bounds leave of `e`.
    pub fn bounded(&self, e: &Expr, all: Int) -> Int {
        if self.state.bounds().is_empty() {
            return all;
        }
        let term = self.linear(e).filter(|l| !l.is_constant());
        term.map_or(all, |term| self.apart(term, Linear::constant(0), all))
    }

    /// Whether a comparison of numbers may hold, and may fail, for all that bounds say.
    pub fn ordered(&self, op: BinaryOp, a: &Expr, b: &Expr) -> (bool, bool) {
        if self.state.bounds().is_empty() || self.program.types.is_pointer(a.ty) {
            return (true, true);
        }
        let Some(d) = self.subtracted(a, b, None).filter(|d| *d != Int::TOP) else { return (true, true) };
        let zero = Int::constant(0);
        let possible = |op: BinaryOp| crate::domains::compare::filter(op, d, zero).is_some();
        (possible(op), op.negate().is_none_or(possible))
    }

    /// Whether `size` bytes from `ptr` on lie in its object, whose first byte is not behind `ptr`.
    pub fn has_room(&self, ptr: &Expr, size: &Expr) -> bool {
        if self.state.bounds().is_empty() {
            return false;
        }
        let most = self.numbers(&self.eval(size), self.address_type()).hi();
        self.reach(ptr).is_some_and(|reach| {
            self.is_enough(&reach, self.linear(size), most) || self.is_filled_at_most(&reach, size)
        })
    }

    /// Whether what a pointer is moved by and so many bytes make no more than is there.
    fn is_filled_at_most(&self, reach: &Reach<'_>, size: &Expr) -> bool {
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

    /// Whether so many bytes, as a multiple of a term and at most, are there.
    fn is_enough(&self, reach: &Reach<'_>, size: Option<Linear>, most: i128) -> bool {
        let moved = match reach.moved {
            Some(n) => (self.linear(n), self.numbers(&self.eval(n), self.offset_type()).hi()),
            None => (Some(Linear::constant(0)), 0),
        };
        let enough = |one: Option<Linear>, more: i128| {
            let total = one.and_then(|one| one.moved(more));
            total.and_then(|total| self.distance(total, reach.room)).is_some_and(|d| d <= 0)
        };
        enough(size, moved.1) || enough(moved.0, most)
    }

    /// Whether a place is one of a list's pointers, and for sure not its last, which is NULL.
    pub fn is_before_end(&self, place: &Place) -> bool {
        let PlaceBase::Deref(ptr) = &place.base else { return false };
        let Some(two) = self.two_of_list(ptr, place) else { return false };
        let fits = |&(base, offset): &(BaseId, Int)| {
            let size = self.state.object(self.bases, base).map_or(0, |o| o.size.lo());
            offset.hi().checked_add(two).is_some_and(|end| end <= size)
        };
        let address = self.address(place);
        address.targets().iter().all(fits)
            || self.reach(ptr).is_some_and(|reach| self.is_enough(&reach, Some(Linear::constant(two)), two))
    }

    /// Whether the last pointer of each list that `ptr` points into is NULL.
    fn ends_with_null(&self, ptr: &Expr) -> bool {
        let address = self.eval_alone(ptr).pointers;
        address.targets().iter().all(|(base, _)| self.state.object(self.bases, *base).is_some_and(|o| o.zeros.last))
    }

    /// The bytes behind `ptr` that are there where a place is a pointer of a list and has another one behind it.
    fn two_of_list(&self, ptr: &Expr, place: &Place) -> Option<i128> {
        let width = self.program.types.pointer_size();
        let address = self.eval_alone(ptr).pointers;
        let aligned = |offset: Int| {
            let start = arithmetic::add(offset, Int::constant(place.offset.into()));
            start.is_some_and(|at| at.congruence().leq(Congruence::new(width.into(), 0)))
        };
        let list = |&(base, offset): &(BaseId, Int)| {
            aligned(offset) && self.state.object(self.bases, base).is_some_and(|o| o.zeros.ends_list)
        };
        let all = !address.is_any() && !address.targets().is_empty() && address.targets().iter().all(list);
        let pointer = place.bits.is_none() && self.program.types.is_pointer(place.ty);
        (all && pointer).then_some(i128::from(place.offset) + 2 * i128::from(width))
    }
}

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
                None => self.sum_terms(e).into_iter().chain(self.rest_terms(e)).collect(),
            };
        }
        let Some(reach) = self.reach(e) else { return Vec::new() };
        let room = Term::Room(Cell::New);
        let Some(n) = reach.moved else {
            let text = self.program.types.pointee(e.ty).and_then(|t| self.program.types.size_of(t)) == Some(1);
            let lengths = self.length_terms(&reach).into_iter().filter(|l| text || self.state.bounds().mentions(*l));
            let new =
                |term: Term| if let Term::Length(_, target) = term { Term::Length(Cell::New, target) } else { term };
            let lengths = lengths.map(|term| Copied::equal(new(term), Linear::term(term)));
            return [Copied::equal(room, reach.room)].into_iter().chain(lengths).collect();
        };
        let by = self.numbers(&self.eval_alone(n), self.offset_type());
        let (least, most) = (reach.room.plus.checked_sub(by.hi()), reach.room.plus.checked_sub(by.lo()));
        let mut all = vec![Copied { term: room, of: reach.room.of, least, most }];
        all.extend(self.moved_room(reach.room, n));
        // What is left where it is known that so much is there.
        let over = self.linear(n).and_then(|n| self.distance(n, reach.room));
        if let Some(least) = over.and_then(i128::checked_neg) {
            all.push(Copied { term: room, of: Multiple::one(Term::Zero), least: Some(least), most: None });
        }
        all
    }

    /// What is known of a pointer that is moved by `n`: with that, it has as much behind it as before.
    fn moved_room(&self, room: Linear, n: &Expr) -> Option<Copied> {
        let sum = Linear::term(Term::Room(Cell::New)).plus(self.linear(n)?).filter(|sum| sum.of.term.is_sum())?;
        let whole =
            self.state.only(self.bases, room.of).map_or(Some(room), |all| Linear::constant(all).moved(room.plus))?;
        Some(Copied::equal(sum.of.term, whole.moved(sum.plus.checked_neg()?)?))
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

    /// What is known of a number that is left when another one is taken from a third: both make that.
    fn rest_terms(&self, e: &Expr) -> Option<Copied> {
        let (whole, taken) = self.rest(e)?;
        let sum = Linear::term(Term::Number(Cell::New)).plus(taken)?;
        Some(Copied::equal(sum.of.term, whole.moved(sum.plus.checked_neg()?)?))
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
    pub fn length_of(&self, e: &Expr) -> Option<Copied> {
        let length = self.length_terms(&self.reach(e)?)?;
        Some(Copied::equal(Term::Number(Cell::New), Linear::term(length)))
    }

    fn length_terms(&self, reach: &Reach<'_>) -> Option<Term> {
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

impl Analyzer<'_, '_> {
    /// What a caller knows of pairs of numbers that the callee sees, its arguments among them.
    pub(super) fn bounds_of_entry(&self, caller: &State, part: &State, args: &[&[Copied]]) -> Bounds {
        let mut whole = caller.clone();
        whole.forget_terms(|term| term.has(|cell| matches!(cell, Cell::Argument(_))));
        for (i, copied) in (0..).zip(args) {
            whole.note_copied(Cell::Argument(i), copied);
        }
        let outside = |term: Term| term.is_about(|base| !part.mentions(base));
        whole.forget_terms(outside);
        whole.bounds().clone()
    }

    /// A parameter is what its argument was.
    pub(super) fn bind_bounds(&self, state: &mut State, i: u32, holder: Holder, pointer: bool) {
        let (given, cell) = (Cell::Argument(i), Cell::Held(holder));
        let term = if pointer { Term::Room(given) } else { Term::Number(given) };
        state.rename_cell(given, cell);
        state.bounds_mut().note_equal(Multiple::one(term), Multiple::one(term.renamed(given, cell)), 0);
    }

    /// The caller's state behind a call: what the callee says of its arguments is said of what they were made of.
    pub(super) fn note_given(&self, caller: &mut State, after: &mut State, args: &[&[Copied]]) {
        for (i, copied) in (0..).zip(args) {
            after.rename_cell(Cell::Argument(i), Cell::Given(i));
            caller.note_copied(Cell::Given(i), copied);
        }
    }

    /// Where a whole string is copied: its length there and here.
    pub(super) fn length_copied(&self, flow: &Flow, function: LibFn, args: &[Expr]) -> Option<(Term, Term)> {
        let (LibFn::MemCopy, [to, from, size, _]) = (function, args) else { return None };
        let view = self.view(flow);
        let (to, from) = (view.length_terms(&view.reach(to)?)?, view.length_terms(&view.reach(from)?)?);
        let (size, length) = (view.linear(size)?, Linear::term(from));
        let whole = view.distance(size, length)? <= 1 && view.distance(length, size)? <= -1;
        // What is written is neither the string that is copied nor one of the pointers.
        let Term::Length(_, written) = to else { return None };
        let held = |term: Term| term.has(|cell| matches!(cell, Cell::Held(h) if h.base == written));
        let apart = !from.is_about(|base| base == written) && !held(to);
        (whole && apart).then_some((to, from))
    }

    /// Notes the length of a string that was just copied, and of it behind other pointers to the same place.
    pub(super) fn note_length(&self, flow: &mut Flow, to: Term, from: Term) {
        let Term::Length(cell, target) = to else { return };
        let room = Multiple::one(Term::Room(cell));
        let bounds = flow.state.bounds();
        let equal = |other: Multiple<Term>| bounds.kept(room, other) == Some(0) && bounds.kept(other, room) == Some(0);
        let leads_there = |cell: Cell| {
            let Cell::Held(holder) = cell else { return false };
            let held = flow.state.held(&self.bases, holder);
            held.is_some_and(|v| matches!(objects(&v), Some(&[(base, _)]) if base == target))
        };
        let is_one = !self.bases.is_summary(target);
        let mut all = vec![cell];
        all.extend(bounds.iter().filter_map(|(a, ..)| match a.term {
            Term::Room(cell) if is_one && equal(a) && leads_there(cell) => Some(cell),
            _ => None,
        }));
        for cell in all {
            let here = Multiple::one(Term::Length(cell, target));
            flow.state.bounds_mut().note_equal(here, Multiple::one(from), 0);
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
            // Two numbers that are known may both become others; of one alone, the range of the other says as much.
            if x.is_constant() && y.is_constant() {
                let Some(both) = view.term_of(a).zip(view.term_of(b)) else { return };
                (x, y) = both;
            } else if [(x, y), (y, x)].iter().any(|(one, other)| one.is_constant() && !other.of.term.is_sum()) {
                return;
            }
            self.bases.compared.note(x.of.term, y.of.term);
        }
        // More behind a pointer is less before it.
        let (low, high) = if pointers { (y, x) } else { (x, y) };
        self.note_order(op, low, high);
    }

    /// Only executions with `a op b` are left, where one is what is left when a number is taken from another: put together, they are held
    /// against that.
    fn learn_rest(&mut self, op: BinaryOp, a: &Expr, b: &Expr) {
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
    fn note_order(&mut self, op: BinaryOp, low: Linear, high: Linear) {
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

/// Whether two pointers point into one object for sure.
fn one_object(a: &Value, b: &Value, bases: &Bases) -> bool {
    let plain =
        |v: &Value| v.int.is_none() && !v.undefined && !v.pointers.is_any() && v.pointers.functions().is_empty();
    match (a.pointers.targets(), b.pointers.targets()) {
        ([(x, _)], [(y, _)]) => x == y && !bases.is_summary(*x) && plain(a) && plain(b),
        _ => false,
    }
}
