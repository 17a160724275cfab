//! Expressions as multiples of terms, and what bounds say of them: of sums, differences and comparisons, and of the bytes behind pointers.

use super::super::evaluate::View;
use super::super::targets::one_object;
use super::distances::Distances;
use super::terms::{Cell, Linear, Term};
use crate::domains::congruence::Congruence;
use crate::domains::difference::Range;
use crate::domains::{BaseId, Int, IntType, Multiple, arithmetic};
use crate::ir::{BinaryOp, Expr, ExprKind, Place, PlaceBase};

/// Numbers above which it is asked what objects have room for: no object has so many elements, unless they are bytes.
const LARGE: i128 = 1 << 61;
/// So many numbers may stand between one and the object that has room for so many.
const STEPS: u32 = 2;

/// A pointer: the bytes behind where it starts, and how far it is moved from there.
pub(super) struct Reach<'e> {
    pub(super) room: Linear,
    /// What is added, if it is no constant.
    pub(super) moved: Option<&'e Expr>,
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
    pub fn term_of(&self, e: &Expr) -> Option<Linear> {
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
            ExprKind::PtrDiff(a, b) => {
                // So much more is behind one than behind another, of which it is one number.
                let from_end = |(x, y): (Linear, Linear)| {
                    let rest = self.state.only(self.bases, y.of)?.checked_add(y.plus)?;
                    x.moved(rest.checked_neg()?)
                };
                (self.bytes_apart(a, b).and_then(from_end), whole()?)
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
    pub(super) fn reach<'e>(&self, e: &'e Expr) -> Option<Reach<'e>> {
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

    /// What lies behind the second of two pointers to bytes of one object, and behind the first: `a - b` is what the one is more than the other.
    pub(super) fn bytes_apart(&self, a: &Expr, b: &Expr) -> Option<(Linear, Linear)> {
        let types = &self.program.types;
        let is_bytes = types.pointee(a.ty).and_then(|t| types.size_of(t)) == Some(1);
        let fits = is_bytes && one_object(&self.eval_alone(a), &self.eval_alone(b), self.bases);
        self.seen(b).zip(self.seen(a)).filter(|_| fits)
    }

    /// A number, or the bytes behind a pointer, as a multiple of a term.
    pub(super) fn seen(&self, e: &Expr) -> Option<Linear> {
        if !self.program.types.is_pointer(e.ty) {
            return self.linear(e);
        }
        self.reach(e).filter(|r| r.moved.is_none()).map(|r| r.room)
    }

    /// What bounds and cells say of how far terms are apart, to be asked many times. `times`: what terms will be taken.
    pub(super) fn distances<const N: usize>(&self, times: [i64; N]) -> Distances<'_, impl Fn(Multiple<Term>) -> Range> {
        Distances { within: self.state.within(self.bases, times), sums: self.state.sums() }
    }

    /// How far `a` is above `b` at most.
    pub fn distance(&self, a: Linear, b: Linear) -> Option<i128> {
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

    /// Of the numbers of `all`, those that bounds leave of `x - y`; all where none is left, since no execution is here then.
    pub(super) fn apart(&self, x: Linear, y: Linear, all: Int) -> Int {
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

    /// The numbers of `all` that may stand at a place for what bounds say of the objects that have room for so many.
    pub fn fitting(&self, place: &Place, all: Int) -> Int {
        if all.hi() < LARGE || self.state.bounds().is_empty() {
            return all;
        }
        let term = self.holder(place).map(|holder| Term::Number(Cell::Held(holder)));
        let most = term.and_then(|term| self.most_with_room(term, STEPS));
        most.and_then(|most| all.clamp(all.lo(), most)).unwrap_or(all)
    }

    /// The greatest number that a term may be for bounds by sizes of objects, so many bounds away.
    fn most_with_room(&self, term: Term, steps: u32) -> Option<i128> {
        let above = self.state.bounds().iter().filter(|(a, ..)| a.term == term);
        let most = above.filter_map(|(a, b, bound)| {
            let most = match b.term {
                Term::Room(_) => self.state.most(self.bases, b)?,
                Term::Number(_) if steps > 0 => {
                    self.most_with_room(b.term, steps - 1)?.checked_mul(i128::from(b.times))?
                }
                _ => return None,
            };
            Some(most.checked_add(bound)?.div_euclid(i128::from(a.times)))
        });
        most.min()
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
    pub(super) fn ends_with_null(&self, ptr: &Expr) -> bool {
        let address = self.eval_alone(ptr).pointers;
        address.targets().iter().all(|(base, _)| self.state.object(self.bases, *base).is_some_and(|o| o.zeros.last))
    }

    /// The bytes behind `ptr` that are there where a place is a pointer of a list and has another one behind it.
    pub(super) fn two_of_list(&self, ptr: &Expr, place: &Place) -> Option<i128> {
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
