//! Set elements where bytes are written as a whole, or come to another place: what stays set, and what is set then.

use super::super::evaluate::View;
use super::super::extent::Target;
use super::super::refine::Refiner;
use super::super::shape::Shape;
use super::filled::Filled;
use super::terms::{Cell, Element, Linear, Term};
use crate::domains::{BaseId, Int, Multiple};
use crate::ir::{Expr, Place, TypeId};

/// So many members of a record that is copied are looked at.
const MEMBERS: usize = 16;

/// Elements of a block that moves to another place: of each part, so many are set there that have room.
pub struct Moved(Vec<(Element, Linear)>);

impl View<'_> {
    /// What is known of set elements that stays so where at most `len` bytes are written, all of them determinate where it `sets` them.
    pub fn stays_filled(&self, to: &Target, len: Int, sets: bool) -> Filled {
        self.stays(to, len, |term, _| sets || self.is_beside(term, to, len))
    }

    /// What is known of set elements, but of those that may be changed where at most `len` bytes are written.
    fn stays(&self, to: &Target, len: Int, stays: impl Fn(Term, Element) -> bool) -> Filled {
        if self.state.filled().is_empty() || to.is_any() {
            return Filled::none();
        }
        let is_there = |target: BaseId| to.targets().iter().any(|(base, _)| *base == target);
        let is_written = |term: Term| is_written(to, len, term);
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

    /// The same where a record is copied to a place, and what the elements are that its members set.
    pub fn filled_by_record(&self, to: &Target, place: &Place, source: &Place) -> Filled {
        let Some(size) = self.program.types.size_of(place.ty) else { return Filled::none() };
        let member = |of: &Place, (at, ty): (i64, TypeId)| Place { offset: of.offset + at, ty, ..of.clone() };
        let mut members = Vec::new();
        self.members(place.ty, 0, &mut members);
        let set: Vec<(Place, Filled)> = members
            .into_iter()
            .map(|m| (member(place, m), self.load(&member(source, m))))
            .filter(|(_, value)| !value.undefined)
            .map(|(place, value)| {
                let filled = self.filled_by(&place, &value);
                (place, filled)
            })
            .collect();
        let len = Int::constant(size.into());
        let is_one = |element: Element| self.lies_in_one(place, size as i64, element);
        let is_set = |term: Term, element: Element| {
            is_one(element) && set.iter().any(|(place, _)| self.is_part(place, term, element))
        };
        let mut all = self.stays(to, len, is_set);
        set.into_iter().for_each(|(_, filled)| all.add(filled));
        all.retain(|term| !is_written(to, len, term) && !matches!(term, Term::Filled(.., element) if !is_one(element)));
        all
    }

    /// The scalar members of a record, by where they lie, as far as they are few.
    fn members(&self, ty: TypeId, at: i64, all: &mut Vec<(i64, TypeId)>) {
        let Some(layout) = self.program.types.layout(ty) else { return };
        for field in &layout.fields {
            let at = at + field.offset as i64;
            if Shape::of(&self.program.types, field.ty).is_none() {
                self.members(field.ty, at, all);
            } else if field.bits.is_none() && all.len() < MEMBERS {
                all.push((at, field.ty));
            }
        }
    }

    /// What is known of set elements of the block that a pointer starts, for one of `size` bytes in its place.
    pub fn moved_elements(&self, pointer: &Expr, size: &Expr) -> Moved {
        let mut all = Vec::new();
        if let Some(starts) = self.starts_of(pointer).filter(|_| !self.state.filled().is_empty()) {
            let elements = starts.iter().flat_map(|(base, cells)| self.known(*base, cells)).map(|(_, element)| element);
            let mut elements: Vec<Element> = elements.collect();
            elements.sort_unstable();
            elements.dedup();
            for element in elements {
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
        let mut below: Vec<Multiple<Term>> =
            bounds.filter(|(a, b, _)| is_count(a.term, b.term)).map(|(a, ..)| a).collect();
        below.sort_unstable();
        below.dedup();
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
        let bytes = count.times(element.period.into());
        let Some(bytes) = bytes else { return false };
        let most = self.state.most(self.bases, bytes.of).and_then(|most| most.checked_add(bytes.plus));
        let least = self.numbers(&self.eval(size), self.address_type()).lo();
        most.is_some_and(|most| most <= least)
            || self.linear(size).and_then(|size| self.distance(bytes, size)).is_some_and(|over| over <= 0)
    }
}

/// Whether a number, or where an array starts, may be another after at most `len` bytes have been written.
fn is_written(to: &Target, len: Int, term: Term) -> bool {
    let near = |n: i128| n.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
    let mut written = to.targets().iter();
    written.any(|&(base, at)| term.uses(base, near(at.lo()), near(at.hi().saturating_add(len.hi())), true))
}

impl Refiner<'_> {
    /// Of the elements of a block that is resized, those that are set afterwards. Where there was no block, none was.
    pub fn resized_elements(&mut self, pointer: &Expr, size: &Expr) -> Moved {
        let mut moved = self.view().moved_elements(pointer, size);
        if !moved.0.is_empty() && self.assume(pointer, false) {
            let view = self.view();
            moved.0.retain(|(_, count)| {
                let most = view.state.most(view.bases, count.of).and_then(|most| most.checked_add(count.plus));
                most.is_some_and(|most| most <= 0)
            });
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
