//! How far bounds and cells of a state together say that one term is above another, and how bounds change with cells.

use super::super::bases::{Base, Bases};
use super::super::state::State;
use super::super::targets::only_object;
use super::super::texts::Holder;
use super::terms::{Cell, Copied, Part, Term};
use crate::domains::difference::{Alone, Range, Within};
use crate::domains::{Int, Multiple, Value};

impl State {
    /// How far `a` is above `b` at most: by bounds, by what cells hold, or by one after the other.
    pub fn difference(&self, bases: &Bases, a: Multiple<Term>, b: Multiple<Term>) -> Option<i128> {
        self.within(bases, [a.times, b.times]).bound(a, b)
    }

    /// What bounds and cells say of how far terms are apart. `times`: what terms will be taken.
    pub(super) fn within<'s, const N: usize>(
        &'s self,
        bases: &'s Bases,
        times: [i64; N],
    ) -> Within<'s, Term, impl Fn(Multiple<Term>) -> Range> {
        self.bounds().within(&times, |m| self.term_range(bases, m).unwrap_or_default())
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
        let is_free = self.points_nowhere(bases, m.term) && !self.bounds().mentions(m.term);
        match is_free || self.leads_elsewhere(bases, m.term) {
            true => Alone::Free,
            false => Alone::Within(self.term_range(bases, m).unwrap_or_default()),
        }
    }

    /// Whether one of two terms is one number here, and another or several in `next`. It happens once to a term in a chain of wider states.
    pub fn leaves_a_constant(&self, next: &State, bases: &Bases, (a, b): &(Multiple<Term>, Multiple<Term>)) -> bool {
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

    /// What a cell holds that the state itself mentions.
    fn own(&self, holder: Holder) -> Option<Value> {
        Some(self.own_object(holder.base)?.read(holder.at, holder.shape()))
    }

    /// The number that is all that it holds.
    pub(super) fn own_number(&self, holder: Holder) -> Option<Int> {
        self.own(holder).filter(|v| v.pointers.is_none() && !v.undefined)?.int
    }

    pub fn held(&self, bases: &Bases, holder: Holder) -> Option<Value> {
        Some(self.known(bases, holder.base)?.read(holder.at, holder.shape()))
    }

    /// What is in a cell that has a place: one of an object, or what a function is about to return.
    pub(super) fn value_in(&self, bases: &Bases, cell: Cell) -> Option<Value> {
        match cell {
            Cell::Held(holder) => self.held(bases, holder),
            Cell::Result => {
                let (at, returned) = self.own_object(bases.find(Base::Result)?)?.cells().next()?;
                (at == 0).then(|| returned.value.clone())
            }
            Cell::Byte(..) | Cell::New | Cell::Argument(_) | Cell::Given(_) => None,
        }
    }

    /// Whether the term is the bytes behind a pointer to no object.
    fn points_nowhere(&self, bases: &Bases, term: Term) -> bool {
        let Term::Room(cell) = term else { return false };
        self.value_in(bases, cell)
            .is_some_and(|v| v.pointers.is_none() && !v.undefined && v.int.and_then(Int::as_constant) == Some(0))
    }

    /// Least and greatest, as far as cells say.
    pub(super) fn term_range(&self, bases: &Bases, m: Multiple<Term>) -> Option<(Option<i128>, Option<i128>)> {
        let (lo, hi) = match m.term {
            Term::Zero => (Some(0), Some(0)),
            Term::Length(..) | Term::Filled(..) => (Some(0), None),
            Term::Sum(a, b) => {
                let of = |part: Part| self.term_range(bases, Multiple::one(part.term()));
                let ((a, b), (c, d)) = of(a).zip(of(b))?;
                let both = |x: Option<i128>, y: Option<i128>| x.zip(y).and_then(|(x, y)| x.checked_add(y));
                (both(a, c), both(b, d))
            }
            Term::Number(cell) => {
                let value = self.value_in(bases, cell).filter(|v| v.pointers.is_none() && !v.undefined)?;
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
            Term::Offset(Cell::Held(holder), target) => {
                let (_, offset) = only_object(&self.held(bases, holder)?).filter(|(base, _)| *base == target)?;
                (Some(offset.lo()), Some(offset.hi()))
            }
            Term::Room(_) | Term::Offset(..) => return None,
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
