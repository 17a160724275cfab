//! The numbers that bounds of differences are about, and how far bounds and cells together say that one is above another.
//!
//! A term is what a cell holds, seen as a number: the number itself, the bytes from a pointer to the end of its object, or the
//! characters before the zero that it points to. A pointer to no object counts as one with as many bytes behind it as are needed,
//! unless bounds say otherwise: what they say then is what was asked for when no block could be made.

use super::bases::Bases;
use super::state::State;
use super::texts::Holder;
use crate::domains::{BaseId, Differences, Int, Multiple, Value, difference};

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
}

pub type Bounds = Differences<Term>;

impl difference::Term for Term {
    const ZERO: Term = Term::Zero;
    fn is_counted(self) -> bool {
        matches!(self, Term::Number(_))
    }
}

impl Term {
    pub fn cell(self) -> Option<Cell> {
        match self {
            Term::Zero => None,
            Term::Number(cell) | Term::Room(cell) | Term::Length(cell, _) => Some(cell),
        }
    }
    /// Whether it may change when bytes of `[lo, hi)` in `base` do.
    pub fn uses(self, base: BaseId, lo: i64, hi: i64) -> bool {
        if matches!(self, Term::Length(_, target) if target == base) {
            return true;
        }
        match self.cell() {
            Some(Cell::Held(h)) => h.base == base && h.at < hi && lo < h.at.saturating_add(i64::from(h.size)),
            _ => false,
        }
    }
    /// Whether it is about the content of an object, or its place, that `which` chooses.
    pub fn is_about(self, which: impl Fn(BaseId) -> bool) -> bool {
        let cell = match self.cell() {
            Some(Cell::Held(h)) => which(h.base),
            Some(Cell::Byte(base, _)) => which(base),
            _ => false,
        };
        cell || matches!(self, Term::Length(_, target) if which(target))
    }
    /// The same of another cell.
    pub fn of(self, cell: Cell) -> Term {
        match self {
            Term::Zero => Term::Zero,
            Term::Number(_) => Term::Number(cell),
            Term::Room(_) => Term::Room(cell),
            Term::Length(_, target) => Term::Length(cell, target),
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
        self.bounds().bound_within(a, b, |m| self.term_range(bases, m).unwrap_or_default())
    }

    /// The greatest number that a term may be for what cells say.
    pub(super) fn most(&self, bases: &Bases, term: Multiple<Term>) -> Option<i128> {
        self.term_range(bases, term)?.1
    }

    /// What cells alone say of `a - b`; for terms that no bound is about.
    pub fn implied_difference(&self, bases: &Bases, (a, b): &(Multiple<Term>, Multiple<Term>)) -> Option<i128> {
        /// More than objects have bytes.
        const PLENTY: i128 = 1 << 70;
        let free = |term| self.points_nowhere(bases, term) && !self.bounds().mentions(term);
        if free(b.term) {
            return Some(if free(a.term) { 0 } else { -PLENTY });
        }
        let (hi, lo) = (self.term_range(bases, *a)?.1?, self.term_range(bases, *b)?.0?);
        hi.checked_sub(lo)
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
        let mut bounds = std::mem::take(self.bounds_mut());
        bounds.forget(gone, |m| {
            let Term::Number(Cell::Held(holder)) = m.term else { return None };
            let number = self.own(holder).filter(|v| v.pointers.is_none() && !v.undefined)?.int?;
            let times = i128::from(m.times);
            number.lo().checked_mul(times).zip(number.hi().checked_mul(times))
        });
        *self.bounds_mut() = bounds;
    }

    /// What a cell holds that the state itself mentions.
    fn own(&self, holder: Holder) -> Option<Value> {
        Some(self.own_object(holder.base)?.read(holder.at, holder.shape()))
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
    fn term_range(&self, bases: &Bases, m: Multiple<Term>) -> Option<(Option<i128>, Option<i128>)> {
        let (lo, hi) = match m.term {
            Term::Zero => (Some(0), Some(0)),
            Term::Length(..) => (Some(0), None),
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
            let term = Multiple::one(one.term.of(cell));
            if let Some(bound) = one.most {
                self.bounds_mut().note(term, one.of, bound);
            }
            if let Some(bound) = one.least.and_then(i128::checked_neg) {
                self.bounds_mut().note(one.of, term, bound);
            }
        }
    }

    /// Lets what is known of one cell be about another.
    pub fn rename_cell(&mut self, from: Cell, to: Cell) {
        self.bounds_mut().rename(|term| if term.cell() == Some(from) { term.of(to) } else { term });
    }

    /// Forgets the arguments of a call that has returned.
    pub fn forget_given(&mut self) {
        self.forget_terms(|term| matches!(term.cell(), Some(Cell::Given(_))));
    }

    /// A value on its way has come to a cell, or to none.
    pub fn settle(&mut self, from: Cell, to: Option<Holder>) {
        if let Some(to) = to {
            self.rename_cell(from, Cell::Held(to));
        }
        self.forget_terms(|term| term.cell() == Some(from));
    }
}
