//! The numbers that bounds of differences are about, and how far bounds and cells together say that one is above another.
//!
//! A term is what a cell holds, seen as a number: the number itself, the bytes from a pointer to the end of its object, or the
//! characters before the zero that it points to; or the sum of two such numbers. A pointer to no object counts as one with as many bytes behind it as are needed,
//! unless bounds say otherwise: what they say then is what was asked for when no block could be made.

use super::bases::Bases;
use super::state::State;
use super::texts::Holder;
use crate::domains::difference::Alone;
use crate::domains::{BaseId, Differences, Int, Multiple, Value, difference};

/// So many sums bounds are about, at most.
const SUMS: usize = 8;

/// Where a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cell {
    Held(Holder),
    /// The address of a byte of an object.
    Byte(BaseId, i64),
    /// A value on its way into a cell.
    New,
    /// What a function returns.
    Result,
    /// What a parameter of the function under way was when it was entered, by number.
    Argument(u32),
    /// An argument of a call that has returned.
    Given(u32),
}

/// A number that bounds are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Term {
    Zero,
    /// The number in a cell.
    Number(Cell),
    /// Bytes from where a pointer points to the end of the object there.
    Room(Cell),
    /// Characters from where a pointer points, into this object, to the first zero there.
    Length(Cell, BaseId),
    /// What two parts add up to; the lesser one stands first. Sums come after all others.
    Sum(Part, Part),
}

/// What sums are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    Number(Cell),
    Room(Cell),
    Length(Cell, BaseId),
}

pub type Bounds = Differences<Term>;

impl difference::Term for Term {
    const ZERO: Term = Term::Zero;
    fn is_counted(self) -> bool {
        matches!(self, Term::Number(_))
    }
}

impl Term {
    /// The sum of two terms that are parts.
    pub fn sum(a: Term, b: Term) -> Option<Term> {
        let (a, b) = a.part().zip(b.part())?;
        (a != b).then(|| Term::Sum(a.min(b), a.max(b)))
    }
    fn part(self) -> Option<Part> {
        match self {
            Term::Number(cell) => Some(Part::Number(cell)),
            Term::Room(cell) => Some(Part::Room(cell)),
            Term::Length(cell, target) => Some(Part::Length(cell, target)),
            Term::Zero | Term::Sum(..) => None,
        }
    }
    pub fn is_sum(self) -> bool {
        matches!(self, Term::Sum(..))
    }
    /// Whether it is about a cell that `which` chooses.
    pub fn has(self, which: impl Fn(Cell) -> bool) -> bool {
        match self {
            Term::Zero => false,
            Term::Number(cell) | Term::Room(cell) | Term::Length(cell, _) => which(cell),
            Term::Sum(a, b) => which(a.cell()) || which(b.cell()),
        }
    }
    /// Whether it is about the length of a string in an object that `which` chooses.
    fn has_length_in(self, which: impl Fn(BaseId) -> bool) -> bool {
        match self {
            Term::Length(_, target) => which(target),
            Term::Sum(a, b) => [a, b].into_iter().any(|part| matches!(part, Part::Length(_, target) if which(target))),
            _ => false,
        }
    }
    /// Whether it may change when bytes of `[lo, hi)` in `base` do.
    pub fn uses(self, base: BaseId, lo: i64, hi: i64) -> bool {
        let lies_there = |h: Holder| h.base == base && h.at < hi && lo < h.at.saturating_add(i64::from(h.size));
        self.has_length_in(|target| target == base) || self.has(|cell| matches!(cell, Cell::Held(h) if lies_there(h)))
    }
    /// Whether it is about the content of an object, or its place, that `which` chooses.
    pub fn is_about(self, which: impl Fn(BaseId) -> bool) -> bool {
        let which = &which;
        let there = |cell| match cell {
            Cell::Held(h) => which(h.base),
            Cell::Byte(base, _) => which(base),
            _ => false,
        };
        self.has(there) || self.has_length_in(which)
    }
    /// The same with another cell in the place of `from`.
    pub fn renamed(self, from: Cell, to: Cell) -> Term {
        self.with_cells(|cell| if cell == from { to } else { cell })
    }
    /// The same with other cells.
    fn with_cells(self, other: impl Fn(Cell) -> Cell) -> Term {
        match self {
            Term::Zero => Term::Zero,
            Term::Number(cell) => Term::Number(other(cell)),
            Term::Sum(a, b) => {
                let (a, b) = (a.with_cell(&other), b.with_cell(&other));
                Term::Sum(a.min(b), a.max(b))
            }
            Term::Room(cell) => Term::Room(other(cell)),
            Term::Length(cell, target) => Term::Length(other(cell), target),
        }
    }
}

impl Part {
    fn cell(self) -> Cell {
        match self {
            Part::Number(cell) | Part::Room(cell) | Part::Length(cell, _) => cell,
        }
    }
    pub fn term(self) -> Term {
        match self {
            Part::Number(cell) => Term::Number(cell),
            Part::Room(cell) => Term::Room(cell),
            Part::Length(cell, target) => Term::Length(cell, target),
        }
    }
    fn with_cell(self, other: impl Fn(Cell) -> Cell) -> Part {
        match self {
            Part::Number(cell) => Part::Number(other(cell)),
            Part::Room(cell) => Part::Room(other(cell)),
            Part::Length(cell, target) => Part::Length(other(cell), target),
        }
    }
}

/// A multiple of a term and a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Linear {
    pub of: Multiple<Term>,
    pub plus: i128,
}

impl Linear {
    pub fn constant(plus: i128) -> Linear {
        Linear { of: Multiple::one(Term::Zero), plus }
    }
    pub fn term(term: Term) -> Linear {
        Linear { of: Multiple::one(term), plus: 0 }
    }
    pub fn is_constant(self) -> bool {
        self.of.term == Term::Zero
    }
    pub fn moved(self, by: i128) -> Option<Linear> {
        Some(Linear { plus: self.plus.checked_add(by)?, ..self })
    }
    /// The sum of two, if it is one of a term or of two parts.
    pub fn plus(self, other: Linear) -> Option<Linear> {
        if self.is_constant() || other.is_constant() {
            let (one, more) = if self.is_constant() { (other, self) } else { (self, other) };
            return one.moved(more.plus);
        }
        let single = self.of.times == 1 && other.of.times == 1;
        let sum = Term::sum(self.of.term, other.of.term).filter(|_| single)?;
        Linear::term(sum).moved(self.plus.checked_add(other.plus)?)
    }
    pub fn times(self, k: i128) -> Option<Linear> {
        if self.is_constant() {
            return Some(Linear::constant(self.plus.checked_mul(k)?));
        }
        let k = i64::try_from(k).ok().filter(|k| *k > 0)?;
        let of = Multiple { times: self.of.times.checked_mul(k)?, ..self.of };
        Some(Linear { of, plus: self.plus.checked_mul(k.into())? })
    }
}

/// What is known of a value's term, from another term: bounds of how far it is above that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copied {
    pub term: Term,
    pub of: Multiple<Term>,
    pub least: Option<i128>,
    pub most: Option<i128>,
}

impl Copied {
    pub fn equal(term: Term, linear: Linear) -> Copied {
        Copied { term, of: linear.of, least: Some(linear.plus), most: Some(linear.plus) }
    }
}

impl State {
    /// How far `a` is above `b` at most: by bounds, by what cells hold, or by one after the other.
    pub fn difference(&self, bases: &Bases, a: Multiple<Term>, b: Multiple<Term>) -> Option<i128> {
        self.bounds().within(&[a.times, b.times], |m| self.term_range(bases, m).unwrap_or_default()).bound(a, b)
    }

    /// The one number that a term is for what cells say.
    pub(super) fn only(&self, bases: &Bases, term: Multiple<Term>) -> Option<i128> {
        let (lo, hi) = self.term_range(bases, term)?;
        lo.filter(|_| lo == hi)
    }

    /// The greatest number that a term may be for what cells say.
    pub(super) fn most(&self, bases: &Bases, term: Multiple<Term>) -> Option<i128> {
        self.term_range(bases, term)?.1
    }

    /// What cells alone say of a term.
    pub fn alone(&self, bases: &Bases, m: Multiple<Term>) -> Alone {
        match self.points_nowhere(bases, m.term) && !self.bounds().mentions(m.term) {
            true => Alone::Free,
            false => Alone::Within(self.term_range(bases, m).unwrap_or_default()),
        }
    }

    /// Whether one of two terms is one number here, and another or several in `next`. It happens once to a term in a chain of wider states.
    pub(super) fn leaves_a_constant(
        &self,
        next: &State,
        bases: &Bases,
        (a, b): &(Multiple<Term>, Multiple<Term>),
    ) -> bool {
        [a, b].into_iter().filter(|m| m.term != Term::Zero).any(|m| {
            let here = self.term_range(bases, *m);
            here.is_some_and(|(lo, hi)| lo.is_some() && lo == hi) && next.term_range(bases, *m) != here
        })
    }

    /// After terms may have changed: what they said of others stays, also by the numbers that they were.
    pub fn forget_terms(&mut self, gone: impl Fn(Term) -> bool) {
        self.let_go_of_sums(&gone);
        let mut bounds = std::mem::take(self.bounds_mut());
        bounds.forget(gone, |m| {
            let Term::Number(Cell::Held(holder)) = m.term else { return None };
            let number = self.own_number(holder)?;
            let times = i128::from(m.times);
            number.lo().checked_mul(times).zip(number.hi().checked_mul(times))
        });
        *self.bounds_mut() = bounds;
    }

    /// Before terms are forgotten: sums with them are also sums with what is the same but for a number, and no less than what stays.
    fn let_go_of_sums(&mut self, gone: &impl Fn(Term) -> bool) {
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
    fn equal(&self, term: Term, gone: &impl Fn(Term) -> bool) -> Option<(Term, i128)> {
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

    /// What a cell holds that the state itself mentions.
    fn own(&self, holder: Holder) -> Option<Value> {
        Some(self.own_object(holder.base)?.read(holder.at, holder.shape()))
    }

    /// The number that is all that it holds.
    fn own_number(&self, holder: Holder) -> Option<Int> {
        self.own(holder).filter(|v| v.pointers.is_none() && !v.undefined)?.int
    }

    pub fn held(&self, bases: &Bases, holder: Holder) -> Option<Value> {
        Some(self.known(bases, holder.base)?.read(holder.at, holder.shape()))
    }

    /// Whether the term is the bytes behind a pointer to no object.
    fn points_nowhere(&self, bases: &Bases, term: Term) -> bool {
        let Term::Room(Cell::Held(holder)) = term else { return false };
        self.held(bases, holder)
            .is_some_and(|v| v.pointers.is_none() && !v.undefined && v.int.and_then(Int::as_constant) == Some(0))
    }

    /// Least and greatest, as far as cells say.
    pub(super) fn term_range(&self, bases: &Bases, m: Multiple<Term>) -> Option<(Option<i128>, Option<i128>)> {
        let (lo, hi) = match m.term {
            Term::Zero => (Some(0), Some(0)),
            Term::Length(..) => (Some(0), None),
            Term::Sum(a, b) => {
                let of = |part: Part| self.term_range(bases, Multiple::one(part.term()));
                let ((a, b), (c, d)) = of(a).zip(of(b))?;
                let both = |x: Option<i128>, y: Option<i128>| x.zip(y).and_then(|(x, y)| x.checked_add(y));
                (both(a, c), both(b, d))
            }
            Term::Number(Cell::Held(holder)) => {
                let value = self.held(bases, holder).filter(|v| v.pointers.is_none() && !v.undefined)?;
                let int = value.int?;
                (Some(int.lo()), Some(int.hi()))
            }
            Term::Room(Cell::Byte(base, at)) => {
                let size = self.object(bases, base)?.size;
                (size.lo().checked_sub(at.into()), size.hi().checked_sub(at.into()))
            }
            Term::Room(Cell::Held(holder)) => {
                let value = self.held(bases, holder).filter(|v| !v.pointers.is_any() && !v.undefined)?;
                // With other numbers than NULL it may be moved from there.
                if value.int.is_some_and(|i| i.as_constant() != Some(0)) || value.pointers.targets().is_empty() {
                    return None;
                }
                let mut all: Option<(i128, i128)> = None;
                for &(base, offset) in value.pointers.targets() {
                    let size = self.object(bases, base)?.size;
                    let (lo, hi) = (size.lo().checked_sub(offset.hi())?, size.hi().checked_sub(offset.lo())?);
                    all = Some(all.map_or((lo, hi), |(a, b)| (a.min(lo), b.max(hi))));
                }
                let (lo, hi) = all?;
                // NULL has as much behind it as is needed, unless bounds say how much.
                if value.int.is_some() && self.bounds().mentions(m.term) {
                    return None;
                }
                (Some(lo), Some(hi).filter(|_| value.int.is_none()))
            }
            _ => return None,
        };
        let times = |n: Option<i128>| n.and_then(|n| n.checked_mul(i128::from(m.times)));
        Some((times(lo), times(hi)))
    }

    /// Notes what is known of a value that is about to be copied, under the name of `cell`.
    pub fn note_copied(&mut self, cell: Cell, copied: &[Copied]) {
        for one in copied {
            let term = Multiple::one(one.term.renamed(Cell::New, cell));
            if let Some(bound) = one.most {
                self.note_bound(term, one.of, bound);
            }
            if let Some(bound) = one.least.and_then(i128::checked_neg) {
                self.note_bound(one.of, term, bound);
            }
        }
    }

    /// Notes that `a - b` is at most `bound`.
    pub fn note_bound(&mut self, a: Multiple<Term>, b: Multiple<Term>, bound: i128) {
        if self.has_place_for(a.term) && self.has_place_for(b.term) {
            self.bounds_mut().note(a, b, bound);
        }
    }

    /// Whether bounds may be about the term: of sums few are kept.
    fn has_place_for(&self, term: Term) -> bool {
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

    /// Lets what is known of one cell be about another.
    pub fn rename_cell(&mut self, from: Cell, to: Cell) {
        self.bounds_mut().rename(|term| term.renamed(from, to));
    }

    /// Forgets the arguments of a call that has returned.
    pub fn forget_given(&mut self) {
        self.forget_terms(|term| term.has(|cell| matches!(cell, Cell::Given(_))));
    }

    /// A value on its way has come to a cell, or to none.
    pub fn settle(&mut self, from: Cell, to: Option<Holder>) {
        if let Some(to) = to {
            self.rename_cell(from, Cell::Held(to));
        }
        self.forget_terms(|term| term.has(|cell| cell == from));
    }
}
