//! Set elements where bytes are written as a whole, or come to another place: what stays set, and what is set then.

use super::super::evaluate::View;
use super::super::extent::Target;
use super::super::refine::Refiner;
use super::super::shape::Shape;
use super::super::texts::Holder;
use super::filled::{Filled, Run, is_written};
use super::terms::{Cell, Element, Linear, Term};
use crate::domains::{BaseId, Int, Multiple};
use crate::ir::{Expr, Place, TypeId};
use std::collections::BTreeSet;

/// So many members of a record that is copied are looked at.
const MEMBERS: usize = 16;

/// Elements of a block that moves to another place: of each part, so many are set there that have room.
pub struct Moved(Vec<(Element, Linear)>);

impl View<'_> {
    /// What is known of set elements that stays so where at most `len` bytes are written, all of them determinate where it `sets` them.
    pub fn stays_filled(&self, to: &Target, len: Int, sets: bool) -> Filled {
        self.stays(to, len, |term, _| sets || self.is_beside(term, to, len))
    }

    /// The same where bytes of an array are moved within it: those of set elements to where the same parts of elements lie.
    pub fn stays_filled_moved(&self, to: &Target, most: Int, (ptr, from, len): (&Expr, &Expr, &Expr)) -> Filled {
        if self.state.filled().is_empty() {
            return Filled::none();
        }
        let (ptr, from, len) = (self.spelled(ptr), self.spelled(from), self.spelled(len));
        let Some((to_run, run)) = self.run_from(ptr).zip(self.run_from(from)) else { return Filled::none() };
        let Some((whole, taken)) = self.rest(len).or(self.linear(len).map(|all| (all, Linear::constant(0)))) else {
            return Filled::none();
        };
        let is_behind = self.distance(Linear::constant(0), run.from).is_some_and(|before| before <= 0);
        let fits = |term: Term, element: Element| {
            let index = |bytes: Linear| bytes.divided(element.period);
            let (start, _, whole, taken) = (index(run.from)?, index(to_run.from)?, index(whole)?, index(taken)?);
            let over = |end: Linear| self.distance(end, Linear::term(term));
            let together = || start.plus(whole)?.moved(taken.plus.checked_neg()?).and_then(over);
            let apart = || self.distance(start, taken)?.checked_add(over(whole)?);
            [together().filter(|_| taken.is_constant()), apart()].into_iter().flatten().min()
        };
        self.stays(to, most, |term, element| {
            let Term::Filled(cell, target, _) = term else { return false };
            let is_in = |run: &Run| run.starts_with(target, cell);
            is_behind && is_in(&run) && is_in(&to_run) && fits(term, element).is_some_and(|over| over <= 0)
        })
    }

    /// The same where elements of `width` bytes each come to lie in another order, `count` of them: where all of them are set, they are afterwards. `len`: their bytes.
    pub fn stays_filled_sorted(&self, to: &Target, len: Int, (start, count, width): (&Expr, &Expr, i128)) -> Filled {
        if self.state.filled().is_empty() {
            return Filled::none();
        }
        let (start, count) = (self.spelled(start), self.spelled(count));
        let Some((run, count)) = self.run_from(start).zip(self.linear(count)) else { return Filled::none() };
        let is_first = run.from.is_constant() && run.from.plus == 0;
        self.stays(to, len, |term, element| {
            let Term::Filled(cell, target, _) = term else { return false };
            let period = i128::from(element.period);
            let all = || count.times(width / period);
            let fits = || all().and_then(|all| self.distance(all, Linear::term(term))).is_some_and(|over| over <= 0);
            is_first && width % period == 0 && run.starts_with(target, cell) && fits()
        })
    }

    /// What is known of set elements, but of those that may be changed where at most `len` bytes are written.
    fn stays(&self, to: &Target, len: Int, stays: impl Fn(Term, Element) -> bool) -> Filled {
        if self.state.filled().is_empty() || to.is_any() {
            return Filled::none();
        }
        let is_there = |target: BaseId| to.targets().iter().any(|(base, _)| *base == target);
        let is_written = |term: Term| is_written(to.targets().iter().copied(), len.hi(), term);
        let mut all = Vec::new();
        for (a, b, bound) in self.state.bounds().iter() {
            let Term::Filled(_, target, element) = b.term else { continue };
            let known = !is_written(a.term) && !is_written(b.term) && !matches!(a.term, Term::Filled(..));
            if known && is_there(target) && stays(b.term, element) {
                all.extend(bound.checked_neg().map(|plus| (b.term, Linear { of: a, plus })));
            }
        }
        Filled::of(all)
    }

    /// Whether bytes are written between the parts of elements, as another member of theirs.
    fn is_beside(&self, term: Term, to: &Target, len: Int) -> bool {
        let Term::Filled(Cell::Byte(base, start), _, element) = term else { return false };
        let period = i128::from(element.period);
        to.targets().iter().filter(|(target, _)| *target == base).all(|(_, at)| {
            let congruence = at.congruence();
            let start = i128::from(start) + i128::from(element.at);
            let Some(first) = at.lo().checked_sub(start).map(|by| by.rem_euclid(period)) else { return false };
            let is_regular =
                at.as_constant().is_some() || congruence.modulus() > 0 && congruence.modulus() % period == 0;
            is_regular && first >= i128::from(element.size) && len.hi() <= period - first
        })
    }

    /// The same where a record is copied to a place, with what its members set; and the cells of members that are determinate then.
    pub fn filled_by_record(&self, to: &Target, place: &Place, source: &Place) -> (Filled, Vec<(Holder, Shape)>) {
        let Some(size) = self.program.types.size_of(place.ty) else { return (Filled::none(), Vec::new()) };
        let member = |of: &Place, (at, ty): (i64, TypeId)| Place { offset: of.offset + at, ty, ..of.clone() };
        let mut members = Vec::new();
        let all_seen = self.members(place.ty, 0, &mut members);
        let count = members.len();
        let set: Vec<(Place, Filled)> = members
            .into_iter()
            .map(|m| (member(place, m), self.load(&member(source, m))))
            .filter(|(_, value)| !value.undefined)
            .map(|(place, value)| {
                let filled = self.filled_by(&place, &value);
                (place, filled)
            })
            .collect();
        // All bytes get values: those of padding do, too.
        let sets = all_seen && set.len() == count;
        let len = Int::constant(size.into());
        let is_written = |term: Term| is_written(to.targets().iter().copied(), size.into(), term);
        let is_one = |element: Element| self.lies_in_one(place, size as i64, element);
        let is_set = |term: Term, element: Element| {
            is_one(element) && (sets || set.iter().any(|(place, _)| self.is_part(place, term, element)))
        };
        let mut all = self.stays(to, len, is_set);
        if sets {
            let runs = self.runs_at(place);
            all.add(Filled::of(
                runs.iter().flat_map(|run| self.elements_set(run, size as i64, None, |_| true)).collect(),
            ));
        }
        let mut cells = Vec::new();
        for (place, filled) in set {
            all.add(filled);
            cells.extend(self.holder(&place).zip(Shape::of_place(&self.program.types, &place)));
        }
        all.retain(|term| !is_written(term) && !matches!(term, Term::Filled(.., element) if !is_one(element)));
        (all, cells)
    }

    /// The scalar members of a record, by where they lie, as far as they are few; whether there is nothing else in it but padding.
    fn members(&self, ty: TypeId, at: i64, all: &mut Vec<(i64, TypeId)>) -> bool {
        let Some(layout) = self.program.types.layout(ty) else { return false };
        // Members of a union lie one on the other, and which one has a value nobody says.
        let (mut whole, mut end) = (true, 0);
        for field in &layout.fields {
            whole &= field.offset >= end;
            end = field.offset + self.program.types.size_of(field.ty).unwrap_or(u64::MAX - field.offset);
            let at = at + field.offset as i64;
            if Shape::of(&self.program.types, field.ty).is_none() {
                whole &= self.members(field.ty, at, all);
            } else if field.bits.is_none() && all.len() < MEMBERS {
                all.push((at, field.ty));
            } else {
                whole = false;
            }
        }
        whole
    }

    /// What is known of set elements of the block that a pointer starts, for one of `size` bytes in its place.
    fn moved_elements(&self, pointer: &Expr, size: &Expr) -> Moved {
        let mut all = Vec::new();
        if let Some(starts) = self.starts_of(pointer).filter(|_| !self.state.filled().is_empty()) {
            let elements = starts.iter().flat_map(|(base, cells)| self.known(*base, cells)).map(|(_, element)| element);
            for element in elements.collect::<BTreeSet<Element>>() {
                let counts = self.counts(&starts, element);
                all.extend(counts.into_iter().filter(|n| self.has_place(*n, element, size)).map(|n| (element, n)));
            }
        }
        Moved(all)
    }

    /// Numbers that so many elements are set as in each of the objects.
    fn counts(&self, starts: &[(BaseId, Vec<Cell>)], element: Element) -> Vec<Linear> {
        let names = |(base, cells): &(BaseId, Vec<Cell>)| -> Vec<Multiple<Term>> {
            cells.iter().map(|cell| Multiple::one(Term::Filled(*cell, *base, element))).collect()
        };
        let is_apart = |term: Term| !term.is_about(|b| starts.iter().any(|(base, _)| *base == b));
        let is_count =
            |a: Term, b: Term| matches!(b, Term::Filled(..)) && !matches!(a, Term::Filled(..)) && is_apart(a);
        let bounds = self.state.bounds().iter();
        let below: BTreeSet<Multiple<Term>> =
            bounds.filter(|(a, b, _)| is_count(a.term, b.term)).map(|(a, ..)| a).collect();
        let least = |of: Multiple<Term>| {
            let of_one = |start| {
                let over = names(start)
                    .into_iter()
                    .filter_map(|filled| self.distance(Linear { of, plus: 0 }, Linear { of: filled, plus: 0 }));
                over.min()
            };
            let over = starts.iter().map(of_one).collect::<Option<Vec<i128>>>()?.into_iter().max()?;
            Some(Linear { of, plus: over.checked_neg()? })
        };
        below.into_iter().filter_map(least).collect()
    }

    /// Whether `size` bytes are enough for so many elements.
    fn has_place(&self, count: Linear, element: Element, size: &Expr) -> bool {
        let Some(bytes) = count.times(element.period.into()) else { return false };
        let least = self.numbers(&self.eval(size), self.address_type()).lo();
        self.most(bytes).is_some_and(|most| most <= least)
            || self.linear(size).and_then(|size| self.distance(bytes, size)).is_some_and(|over| over <= 0)
    }
}

impl Refiner<'_> {
    /// Of the elements of a block that is resized, those that are set afterwards. Where there was no block, none was.
    pub fn resized_elements(&mut self, pointer: &Expr, size: &Expr) -> Moved {
        let mut moved = self.view().moved_elements(pointer, size);
        if !moved.0.is_empty() && self.assume(pointer, false) {
            let view = self.view();
            moved.0.retain(|(_, count)| view.most(*count).is_some_and(|most| most <= 0));
        }
        moved
    }
}

impl Moved {
    /// What that is of the block behind a new pointer, and of that block.
    pub fn filled(&self, block: BaseId) -> Filled {
        let counts = || self.0.iter().filter(|(_, n)| !n.of.term.is_about(|b| b == block));
        let each = |cell: Cell| counts().map(move |(element, n)| (Term::Filled(cell, block, *element), *n));
        Filled::of(each(Cell::New).chain(each(Cell::Byte(block, 0))).collect())
    }
}
