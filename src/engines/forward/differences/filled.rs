//! Elements that were set, up to a count: `while (...) a[n++] = x;`, and then `for (i = 0; i < n; i++) ... a[i] ...`.
//!
//! What an array holds behind its last element that was written is indeterminate, so that a read of any element may be one of an indeterminate value, as far as
//! the array's content says. How many elements stand in front of that is a number like others, of which bounds say how far it is above counters.
//!
//! See: Gopan, Reps, Sagiv, "A Framework for Numeric Analysis of Array Operations", Sect. 2, for what is to be shown of a loop that fills an array. We keep the part that
//! is set as one term among those of bounds instead of parts of the array.

use super::super::bases::Bases;
use super::super::evaluate::View;
use super::super::shape::{Kind, Shape};
use super::super::state::State;
use super::super::targets::objects;
use super::terms::{Cell, Copied, Element, Linear, Term};
use crate::domains::{BaseId, Int, Multiple, Pointers, Value};
use crate::ir::{Expr, ExprKind, Place, PlaceBase, Program, StmtKind, Storage, Type, VarId};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Arrays behind a pointer that may lead to more objects than this are not followed.
const FEW: usize = 4;

/// Bytes behind the start of an array: where the array starts, for each object in which it may lie, and how many bytes from there the first one is.
pub(super) struct Run {
    pub(super) starts: Vec<(BaseId, Vec<Cell>)>,
    pub(super) from: Linear,
}

/// Temporaries of which addresses are made to which the program writes, or which it keeps: `t = n; n = t + 1; a[t] = x` or `p = &a[t]`.
pub fn index_variables(program: &Program) -> FxHashSet<VarId> {
    let stmts = program.functions.iter().flat_map(|f| f.blocks.iter().flat_map(|b| &b.stmts));
    let addresses = stmts.flat_map(|s| match &s.kind {
        StmtKind::Assign { place, value } => {
            [place.pointer(), Some(value).filter(|value| program.types.is_pointer(value.ty))]
        }
        StmtKind::Input { dest: place, .. } => [place.pointer(), None],
        _ => [None, None],
    });
    let mut all = FxHashSet::default();
    for pointer in addresses.flatten() {
        pointer.walk(&mut |e| {
            let read = if let ExprKind::Load(place) = &e.kind { place.as_var() } else { None };
            all.extend(read.filter(|v| matches!(program.variables[*v].storage, Storage::Temp(_))));
        });
    }
    all
}

/// More elements that are set from now on: so many, as many as this is at least.
#[derive(Debug)]
pub struct Filled(Vec<(Term, Linear)>);

impl Filled {
    /// That nothing is known.
    pub fn none() -> Filled {
        Filled(Vec::new())
    }
    pub(super) fn of(all: Vec<(Term, Linear)>) -> Filled {
        Filled(all)
    }
    /// Keeps what is known by terms that `keep` chooses.
    pub(super) fn retain(&mut self, keep: impl Fn(Term) -> bool) {
        self.0.retain(|(term, least)| keep(*term) && keep(least.of.term));
    }
    /// And this.
    pub fn add(&mut self, more: Filled) {
        self.0.extend(more.0);
    }
}

impl Run {
    /// Whether an array starts there that starts at a cell and lies in an object; of several objects, which one the cell itself tells.
    pub(super) fn starts_with(&self, target: BaseId, start: Cell) -> bool {
        let is_told = self.starts.len() == 1 || matches!(start, Cell::Held(_));
        is_told && self.starts.iter().any(|(base, cells)| *base == target && cells.contains(&start))
    }

    /// The number of the element whose bytes these are, so many of them; None where they are not those of one.
    fn element(&self, element: Element, size: i64) -> Option<Linear> {
        let Linear { of, plus } = self.from;
        let (k, at) = (plus.div_euclid(element.period.into()), plus.rem_euclid(element.period.into()));
        let (first, last) = (i128::from(element.at), i128::from(element.at + element.size));
        let is_inside = first <= at && at + i128::from(size) <= last;
        if !is_inside || !self.from.is_constant() && of.times != element.period {
            return None;
        }
        Some(Linear { of: if self.from.is_constant() { of } else { Multiple::one(of.term) }, plus: k })
    }

    /// How many elements are set there after a write to one of the objects: of several, those that do not have the bytes are no fuller, by whatever names.
    fn terms(&self, (base, cells): (BaseId, &[Cell]), element: Element) -> impl Iterator<Item = Term> {
        let is_one = self.starts.len() == 1;
        let named = cells.iter().filter(move |cell| is_one || matches!(cell, Cell::Held(_)));
        named.map(move |cell| Term::Filled(*cell, base, element))
    }

    /// The bytes as a part of each element of the array, if it is known how far one element is from the next.
    fn part(&self, size: i64) -> Option<Element> {
        let period = if self.from.is_constant() { size } else { self.from.of.times };
        let at = i64::try_from(self.from.plus.rem_euclid(period.into())).ok()?;
        let is_first = !self.from.is_constant() || self.from.plus == 0;
        (is_first && at + size <= period).then_some(Element { period, at, size })
    }
}

impl View<'_> {
    /// Where a pointer starts from, and how many bytes further on it points.
    pub(super) fn start(&self, e: &Expr) -> Option<(Cell, Linear)> {
        let pointer = |e: &Expr| self.program.types.is_pointer(e.ty);
        match &e.kind {
            ExprKind::Load(place) if pointer(e) => Some((Cell::Held(self.holder(place)?), Linear::constant(0))),
            ExprKind::AddrOf(v, offset) => Some((Cell::Byte(self.bases.variable(*v), *offset), Linear::constant(0))),
            ExprKind::Cast(a) if pointer(a) && pointer(e) => self.start(a),
            ExprKind::PtrAdd(p, n) => {
                let (cell, from) = self.start(p)?;
                let by = self.term_of(n).or_else(|| self.linear(n))?;
                let from = from.plus(by).filter(|sum| !sum.of.term.is_sum())?;
                Some((cell, from))
            }
            _ => None,
        }
    }

    /// The objects in which an array may lie that starts there, and what else stands for its start.
    fn starts(&self, cell: Cell) -> Option<Vec<(BaseId, Vec<Cell>)>> {
        match cell {
            Cell::Byte(base, _) => (!self.bases.is_summary(base)).then(|| vec![(base, vec![cell])]),
            Cell::Held(holder) => {
                let value = self.state.held(self.bases, holder)?;
                let targets = objects(&value).filter(|targets| targets.len() <= FEW)?;
                let names = |&(base, offset): &(BaseId, Int)| {
                    let at = offset.as_constant().and_then(|at| i64::try_from(at).ok());
                    let own = at.filter(|_| !self.bases.is_summary(base)).map(|at| Cell::Byte(base, at));
                    (base, [Some(cell), own].into_iter().flatten().collect())
                };
                Some(targets.iter().map(names).collect())
            }
            _ => None,
        }
    }

    /// The objects in which an array may lie that a pointer starts, and what else stands for its start.
    pub(super) fn starts_of(&self, pointer: &Expr) -> Option<Vec<(BaseId, Vec<Cell>)>> {
        let (cell, from) = self.start(pointer)?;
        (from == Linear::constant(0)).then(|| self.starts(cell))?
    }

    /// Whether bytes of a place are a part of the elements that a term is about.
    pub(super) fn is_part(&self, place: &Place, term: Term, element: Element) -> bool {
        let Some((run, shape)) = self.run_at(place).zip(Shape::of_place(&self.program.types, place)) else {
            return false;
        };
        let Term::Filled(cell, base, _) = term else { return false };
        let is_of = |(other, cells): &(BaseId, Vec<Cell>)| *other == base && cells.contains(&cell);
        let is_whole = element.size == shape.len() && run.element(element, element.size).is_some();
        is_whole && run.starts.iter().any(is_of)
    }

    /// Whether so many bytes at a place are all of one element, for sure.
    pub(super) fn lies_in_one(&self, place: &Place, size: i64, element: Element) -> bool {
        self.run_at(place).is_some_and(|run| run.element(element.whole(), size).is_some())
    }

    /// The bytes from where a pointer points on.
    pub(super) fn run_from(&self, pointer: &Expr) -> Option<Run> {
        let (cell, from) = self.start(pointer)?;
        Some(Run { starts: self.starts(cell)?, from })
    }

    /// The bytes of a place that may be an element's.
    fn run_at(&self, place: &Place) -> Option<Run> {
        match &place.base {
            PlaceBase::Deref(pointer) => {
                let run = self.run_from(pointer)?;
                let from = run.from.moved(place.offset.into())?;
                Some(Run { from, ..run })
            }
            PlaceBase::Var(v) => {
                let base = self.bases.variable(*v);
                let is_array = matches!(self.program.types.get(self.program.variables[*v].ty), Type::Array(..));
                let is_one = is_array && !self.bases.is_summary(base);
                let starts = vec![(base, vec![Cell::Byte(base, 0)])];
                is_one.then(|| Run { starts, from: Linear::constant(place.offset.into()) })
            }
        }
    }

    /// The same by all that stands for them.
    pub(super) fn runs_at(&self, place: &Place) -> Vec<Run> {
        let moved = |run: Run| Some(Run { from: run.from.moved(place.offset.into())?, ..run });
        let by_offset = place.pointer().map(|pointer| self.runs_by_offset(pointer)).unwrap_or_default();
        self.run_at(place).into_iter().chain(by_offset.into_iter().filter_map(moved)).collect()
    }

    /// How many elements of arrays in `target` are set that start at one of these.
    pub(super) fn known<'s>(&'s self, target: BaseId, cells: &'s [Cell]) -> impl Iterator<Item = (Term, Element)> + 's {
        self.state.filled().iter().filter_map(move |m| match m.term {
            Term::Filled(cell, base, element) if base == target && cells.contains(&cell) => Some((m.term, element)),
            _ => None,
        })
    }

    /// Whether all bytes at a place are determinate for what is known of elements that were set, wherever it is that they are not for what its object holds.
    pub fn is_filled(&self, place: &Place) -> bool {
        if self.state.filled().is_empty() || place.bits.is_some() {
            return false;
        }
        let Some((run, shape)) = self.run_at(place).zip(Shape::of_place(&self.program.types, place)) else {
            return false;
        };
        let address = self.address(place);
        let is_set = |base: BaseId| {
            let offset = address.offset(base).and_then(|at| self.state.inside(self.bases, base, at, shape.len()));
            let Some((object, at)) = self.state.object(self.bases, base).zip(offset) else { return true };
            !object.read_at(at, shape).undefined
        };
        let is_below = |term: Term, element: Element| {
            let ends = match element {
                Element::BYTE => Some(run.from).zip(run.from.moved(i128::from(shape.len()) - 1)),
                _ => run.element(element, shape.len()).map(|k| (k, k)),
            };
            ends.is_some_and(|(first, last)| {
                self.distance(last, Linear::term(term)).is_some_and(|over| over < 0)
                    && self.distance(Linear::constant(0), first).is_some_and(|before| before <= 0)
            })
        };
        !address.is_any()
            && run.starts.iter().all(|(base, cells)| {
                self.known(*base, cells).any(|(term, element)| is_below(term, element)) || is_set(*base)
            })
    }

    /// What a write of `value` to a place adds to the elements that are set: it is the next one, or one of those.
    pub fn filled_by(&self, place: &Place, value: &Value) -> Filled {
        let shape = Shape::of_place(&self.program.types, place).filter(|_| place.bits.is_none());
        let plain = |shape: &Shape| !value.undefined && (shape.kind != Kind::Float || shape.size <= 8);
        let Some(shape) = shape.filter(plain) else { return Filled::none() };
        let (member, mut all) = (self.member(place, shape.len()), Vec::new());
        for run in self.runs_at(place) {
            all.extend(self.elements_set(&run, shape.len(), member, |term| !self.overwrites(place, shape, term)));
        }
        Filled(all)
    }

    /// So many bytes at a place as a member of records of which one is behind a pointer.
    fn member(&self, place: &Place, size: i64) -> Option<Element> {
        let pointee = place.pointer().and_then(|pointer| self.program.types.pointee(pointer.ty))?;
        let period = self.program.types.size_of(pointee).and_then(|n| i64::try_from(n).ok())?;
        (place.offset >= 0 && place.offset + size <= period).then_some(Element { period, at: place.offset, size })
    }

    /// What setting so many bytes adds to the elements that are set, where these bytes are one of them. `member`: the part of a record that the program writes them
    /// as, which is looked at where the pointer moves. `stays`: what the write does not change.
    pub(super) fn elements_set(
        &self,
        run: &Run,
        size: i64,
        member: Option<Element>,
        stays: impl Fn(Term) -> bool,
    ) -> Vec<(Term, Linear)> {
        let mut all = Vec::new();
        for (base, cells) in self.unset(run) {
            let known = self.known(base, cells).map(|(_, element)| element);
            let member = member.filter(|_| cells.iter().any(|cell| self.moves(*cell, base)));
            let elements: BTreeSet<Element> = known.chain(run.part(size)).chain(member).collect();
            // A part of a part is not the next one.
            for element in elements.into_iter().filter(|element| element.size == size || element.period == size) {
                let written = if element.size == size { element } else { element.whole() };
                let index = run.element(written, size).filter(|index| self.is_next(cells, base, element, *index));
                if let Some(next) = index.filter(|index| stays(index.of.term)).and_then(|index| index.moved(1)) {
                    let stay = run.terms((base, cells), element).filter(|term| stays(*term));
                    all.extend(stay.map(|term| (term, next)));
                }
            }
        }
        all
    }

    /// The same of a function's result, which goes to a place whose address was evaluated before the call: as far as that is made of what no call changes.
    pub fn filled_by_result(&self, place: &Place, address: &Pointers, value: &Value) -> Filled {
        let is_own = |e: &Expr| match &e.kind {
            ExprKind::Load(place) => place.as_var().is_some_and(|v| {
                self.program.variables[v].owner().is_some() && !self.bases.is_reachable(self.bases.variable(v))
            }),
            _ => true,
        };
        let mut stays = self.address(place) == *address;
        if let Some(pointer) = place.pointer() {
            pointer.walk(&mut |e| stays &= is_own(e));
        }
        if stays { self.filled_by(place, value) } else { Filled::none() }
    }

    /// The same of bytes that are set one by one, from where a pointer points on: so many of them.
    pub fn filled_bytes(&self, pointer: &Expr, count: &Expr) -> Filled {
        let Some(run) = self.run_from(pointer) else { return Filled::none() };
        let end = self.term_of(count).or_else(|| self.linear(count)).and_then(|count| run.from.plus(count));
        let Some(end) = end.filter(|end| !end.of.term.is_sum() && stays(&run, end.of.term)) else {
            return Filled::none();
        };
        let mut all = Vec::new();
        for (base, cells) in self.unset(&run) {
            if self.is_next(cells, base, Element::BYTE, run.from) {
                let terms = run.terms((base, cells), Element::BYTE).filter(|term| stays(&run, *term));
                all.extend(terms.map(|term| (term, end)));
            }
        }
        Filled(all)
    }

    /// The same of bytes that are set at once: of so many as an element has, of which it is not always the same one.
    pub fn filled_at_once(&self, pointer: &Expr, count: &Expr) -> Filled {
        let Some(size) = self.linear(count).filter(|n| n.is_constant()).and_then(|n| i64::try_from(n.plus).ok()) else {
            return self.filled_bytes(pointer, count);
        };
        let moves = |(base, cells): &(BaseId, Vec<Cell>)| cells.iter().any(|cell| self.moves(*cell, *base));
        let runs = self.run_from(pointer).into_iter().chain(self.runs_by_offset(pointer));
        let runs = runs.filter(|run| size > 1 && (!run.from.is_constant() || run.starts.iter().any(moves)));
        Filled(runs.flat_map(|run| self.elements_set(&run, size, None, |term| stays(&run, term))).collect())
    }

    /// Where the text starts that a zero at a place ends: all bytes from there on are set.
    pub fn text_ended(&self, place: &Place, address: &Pointers, value: &Value) -> Option<(BaseId, i64)> {
        let is_zero = value.as_constant() == Some(0) && self.program.types.size_of(place.ty) == Some(1);
        if !is_zero || place.bits.is_some() || self.state.filled().is_empty() {
            return None;
        }
        let (&[(target, _)], false) = (address.targets(), address.is_any()) else { return None };
        let run = self.run_at(place)?;
        let [(base, cells)] = &run.starts[..] else { return None };
        let start = cells.iter().find_map(|cell| match cell {
            Cell::Byte(_, at) => Some(*at),
            _ => None,
        })?;
        let behind = self.distance(Linear::constant(0), run.from).is_some_and(|before| before <= 0);
        let is_set = |(term, element): (Term, Element)| {
            element == Element::BYTE && self.distance(run.from, Linear::term(term)).is_some_and(|over| over <= 0)
        };
        let ends = *base == target && behind && self.known(target, cells).any(is_set);
        ends.then_some((target, start))
    }

    /// Of the objects in which bytes may lie, those in which some are indeterminate.
    fn unset<'r>(&self, run: &'r Run) -> impl Iterator<Item = (BaseId, &'r [Cell])> {
        run.starts.iter().map(|(base, cells)| (*base, &cells[..])).filter(move |(base, _)| self.has_unset(*base))
    }

    /// Whether some bytes of an object have no value.
    pub(super) fn has_unset(&self, base: BaseId) -> bool {
        self.state.object(self.bases, base).is_some_and(|o| o.fill_values().any(|v| v.undefined))
    }

    /// The greatest that a number may be for what cells say.
    pub(super) fn most(&self, of: Linear) -> Option<i128> {
        self.state.most(self.bases, of.of)?.checked_add(of.plus)
    }

    /// Whether all elements before this one are set.
    fn is_next(&self, cells: &[Cell], base: BaseId, element: Element, index: Linear) -> bool {
        if self.most(index).is_some_and(|most| most <= 0) {
            return true;
        }
        let terms = cells.iter().map(|cell| Term::Filled(*cell, base, element));
        let mut known = terms.filter(|term| self.state.bounds().mentions(*term));
        known.any(|term| self.distance(index, Linear::term(term)).is_some_and(|over| over <= 0))
    }

    /// Whether a write to a place may change the number that an index is made of, or where an array starts.
    fn overwrites(&self, place: &Place, shape: Shape, term: Term) -> bool {
        let address = self.address(place);
        let inside = |&(base, at): &(BaseId, Int)| Some((base, self.state.inside(self.bases, base, at, shape.len())?));
        address.is_any() || is_written(address.targets().iter().filter_map(inside), shape.len().into(), term)
    }

    /// How many elements are set from where a pointer into an array is moved to on, if it is to an element.
    pub(super) fn filled_ahead(&self, pointer: &Expr) -> Vec<Copied> {
        let Some(run) = self.run_from(pointer).filter(|_| !self.state.filled().is_empty()) else { return Vec::new() };
        if self.distance(Linear::constant(0), run.from).is_none_or(|before| before > 0) {
            return Vec::new();
        }
        let mut all = Vec::new();
        for (base, cells) in &run.starts {
            for (term, element) in self.known(*base, cells) {
                let over = run.from.divided(element.period).and_then(|k| self.distance(k, Linear::term(term)));
                if let Some(least) = over.and_then(i128::checked_neg).filter(|least| *least > 0) {
                    let (term, of) = (Term::Filled(Cell::New, *base, element), Multiple::one(Term::Zero));
                    all.push(Copied { term, of, least: Some(least), most: None });
                }
            }
        }
        all
    }

    /// How many elements of the array behind a pointer that is about to be copied are set, by each name of its start. Where it may lead elsewhere,
    /// only its own name counts: what that says is then about nothing, while other names are about elements that are there.
    pub(super) fn filled_terms(&self, pointer: Cell) -> Vec<Term> {
        if self.state.filled().is_empty() {
            return Vec::new();
        }
        let starts = self.leads_to(pointer).and_then(|_| self.starts(pointer)).unwrap_or_default();
        let known = starts.iter().flat_map(|(base, cells)| self.known(*base, cells)).map(|(term, _)| term);
        let of_it = self.state.filled().iter().map(|m| m.term).filter(|term| term.has(|cell| cell == pointer));
        let all: BTreeSet<Term> = known.chain(of_it).collect();
        all.into_iter().collect()
    }
}

/// Whether bytes that are written there leave a number as it is, and where elements start.
fn stays(run: &Run, term: Term) -> bool {
    let is_written = |base: BaseId| run.starts.iter().any(|(start, _)| *start == base);
    match term {
        Term::Filled(Cell::Held(holder), ..) => !is_written(holder.base),
        Term::Filled(..) => true,
        number => !number.is_about(is_written),
    }
}

/// Whether a number, or where an array starts, may be another after at most so many bytes have been written at each of these places.
pub(super) fn is_written(places: impl IntoIterator<Item = (BaseId, Int)>, len: i128, term: Term) -> bool {
    let near = |n: i128| n.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
    let mut places = places.into_iter();
    places.any(|(base, at)| term.uses(base, near(at.lo()), near(at.hi().saturating_add(len)), true))
}

impl State {
    /// All terms on elements that are set, sorted.
    pub(super) fn filled(&self) -> &[Multiple<Term>] {
        let terms = self.bounds().terms();
        let is_before = |m: &Multiple<Term>| !m.term.is_sum() && !matches!(m.term, Term::Filled(..));
        let first = terms.partition_point(is_before);
        let end = terms.partition_point(|m| !m.term.is_sum());
        &terms[first..end]
    }

    /// Forgets what is known of set elements by numbers that are so small that it says nothing.
    pub fn forget_idle_counts(&mut self, bases: &Bases) {
        if self.filled().is_empty() {
            return;
        }
        let mut bounds = self.bounds().clone();
        bounds.retain_bounds(|a, b, bound| {
            let is_idle = || self.most(bases, a).is_some_and(|most| most <= bound);
            bound <= 0 || !matches!(b.term, Term::Filled(..)) || !is_idle()
        });
        *self.bounds_mut() = bounds;
    }

    /// Notes that more elements are set.
    pub fn note_filled(&mut self, filled: Filled) {
        for (term, least) in filled.0 {
            if let Some(bound) = least.plus.checked_neg() {
                self.note_bound(least.of, Multiple::one(term), bound);
            }
        }
    }

    /// Whether a bound is about set elements of an object to which the pointer leads in `next` only. It happens once to a term in a chain of wider states.
    pub fn leads_further(&self, next: &State, bases: &Bases, (_, b): &(Multiple<Term>, Multiple<Term>)) -> bool {
        self.leads_elsewhere(bases, b.term) && !next.leads_elsewhere(bases, b.term)
    }

    /// Whether the pointer in a cell does not lead to the object that a term on set elements is about, or there is no such block: of no element is more said then.
    pub(super) fn leads_elsewhere(&self, bases: &Bases, term: Term) -> bool {
        let Term::Filled(cell, target, _) = term else { return false };
        if bases.is_block(target) && self.known(bases, target).is_none() {
            return true;
        }
        let is_null = |v: &Value| v.int.is_none_or(|i| i.as_constant() == Some(0)) && v.float.is_none();
        self.value_in(bases, cell)
            .is_some_and(|v| !v.undefined && !v.pointers.is_any() && is_null(&v) && v.pointers.offset(target).is_none())
    }
}
