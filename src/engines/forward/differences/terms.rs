//! The numbers that bounds of differences are about.
//!
//! A term is what a cell holds, seen as a number: the number itself, the bytes from a pointer to the end of its object, the
//! characters before the zero that it points to, or the elements there that are set; or the sum of two such numbers. A pointer to no object counts as one with as many
//! bytes behind it as are needed, unless bounds say otherwise: what they say then is what was asked for when no block could be made.

use super::super::texts::Holder;
use crate::domains::{BaseId, Differences, Multiple, difference};

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
    /// Bytes from the start of this object to where a pointer points that leads nowhere else.
    Offset(Cell, BaseId),
    /// How many elements from where a pointer points, if it points into this object, have determinate bytes: those before the first that has others. Of this no bound
    /// says how much it is at most, but that it is no more than what another pointer has that points to the same place.
    Filled(Cell, BaseId, Element),
    /// What two parts add up to; the lesser one stands first. Sums come after all others.
    Sum(Part, Part),
}

/// The bytes of each element of an array that are looked at: so many from one of them on, each so many bytes behind the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Element {
    pub period: i64,
    pub at: i64,
    pub size: i64,
}

impl Element {
    pub const BYTE: Element = Element { period: 1, at: 0, size: 1 };

    /// All of its bytes.
    pub fn whole(self) -> Element {
        Element { at: 0, size: self.period, ..self }
    }
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
    pub(super) fn part(self) -> Option<Part> {
        match self {
            Term::Number(cell) => Some(Part::Number(cell)),
            Term::Room(cell) => Some(Part::Room(cell)),
            Term::Length(cell, target) => Some(Part::Length(cell, target)),
            Term::Zero | Term::Sum(..) | Term::Offset(..) | Term::Filled(..) => None,
        }
    }
    pub fn is_sum(self) -> bool {
        matches!(self, Term::Sum(..))
    }
    /// Whether it is about a cell that `which` chooses.
    pub fn has(self, which: impl Fn(Cell) -> bool) -> bool {
        match self {
            Term::Zero => false,
            Term::Number(cell) | Term::Room(cell) => which(cell),
            Term::Length(cell, _) | Term::Offset(cell, _) | Term::Filled(cell, ..) => which(cell),
            Term::Sum(a, b) => which(a.cell()) || which(b.cell()),
        }
    }
    /// Whether it is about a string, or set elements, in an object that `which` chooses.
    pub fn has_content_in(self, which: impl Fn(BaseId) -> bool) -> bool {
        match self {
            Term::Length(_, target) | Term::Filled(_, target, _) => which(target),
            Term::Sum(a, b) => [a, b].into_iter().any(|part| matches!(part, Part::Length(_, target) if which(target))),
            _ => false,
        }
    }
    /// Whether it is about a cell with bytes of `[lo, hi)` in `base`.
    pub fn reads(self, base: BaseId, lo: i64, hi: i64) -> bool {
        let lies_there = |h: Holder| h.base == base && h.at < hi && lo < h.at.saturating_add(i64::from(h.size));
        self.has(|cell| matches!(cell, Cell::Held(h) if lies_there(h)))
    }
    /// Whether what bounds say of it may end when bytes of `[lo, hi)` in `base` change. `sets`: to determinate ones, so that what was set still is.
    pub fn uses(self, base: BaseId, lo: i64, hi: i64, sets: bool) -> bool {
        let stays = sets && matches!(self, Term::Filled(..));
        !stays && self.has_content_in(|target| target == base) || self.reads(base, lo, hi)
    }
    /// Whether it is about the content of an object, or its place, that `which` chooses.
    pub fn is_about(self, which: impl Fn(BaseId) -> bool) -> bool {
        let which = &which;
        let there = |cell| match cell {
            Cell::Held(h) => which(h.base),
            Cell::Byte(base, _) => which(base),
            _ => false,
        };
        self.has(there) || self.has_content_in(which) || matches!(self, Term::Offset(_, target) if which(target))
    }
    /// The same with another cell in the place of `from`.
    pub fn renamed(self, from: Cell, to: Cell) -> Term {
        self.with_cells(|cell| if cell == from { to } else { cell })
    }
    /// The same with other cells.
    pub(super) fn with_cells(self, other: impl Fn(Cell) -> Cell) -> Term {
        match self {
            Term::Zero => Term::Zero,
            Term::Number(cell) => Term::Number(other(cell)),
            Term::Sum(a, b) => {
                let (a, b) = (a.with_cell(&other), b.with_cell(&other));
                Term::Sum(a.min(b), a.max(b))
            }
            Term::Room(cell) => Term::Room(other(cell)),
            Term::Length(cell, target) => Term::Length(other(cell), target),
            Term::Offset(cell, target) => Term::Offset(other(cell), target),
            Term::Filled(cell, target, element) => Term::Filled(other(cell), target, element),
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
    /// The `k`-th part, if it is one of all numbers.
    pub fn divided(self, k: i64) -> Option<Linear> {
        let of = if self.is_constant() { self.of } else { Multiple { times: self.of.times / k, ..self.of } };
        let linear = Linear { of, plus: self.plus / i128::from(k) };
        (linear.times(k.into()) == Some(self)).then_some(linear)
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
