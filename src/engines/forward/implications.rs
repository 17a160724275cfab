//! What the value of one cell says of another: where the result is 1, `*out` has been written.
//!
//! Where ways join on which a cell, the flag, has no value in common, it tells the ways apart afterwards: what a cell held on one of them
//! and not on the other is noted as an implication, and a test of the flag brings it back. It ends with the next write to either cell. That a
//! block lives where a constructor's result is not NULL is one, too.
//!
//! See: Mauborgne, Rival, "Trace Partitioning in Abstract Interpretation Based Static Analyzers", for what this does by facts.

use super::bases::{Base, Bases};
use super::object::Object;
use super::state::State;
use super::texts::Holder;
use crate::domains::{BaseId, Value};
use std::sync::Arc;

/// So many implications a state has at most, and so many cells of one object are looked at, and so many flags at one join.
const MOST: usize = 48;
const CELLS: usize = 16;
const FLAGS: usize = 4;
/// So many bytes an object has at most that a flag stands in.
const FLAG_SIZE: i128 = 8;
/// Joins of states that differ in more objects note nothing new.
const CHANGED: usize = 64;

/// Where what stands in `flag` is among `when`, `then` is so. No value names targets.
#[derive(Clone, Debug, PartialEq)]
pub struct Implication {
    pub flag: Holder,
    pub when: Value,
    pub then: Said,
}

/// What is said.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// What stands in a cell is among these.
    Holds(Holder, Value),
    /// A block lives.
    Lives(BaseId),
    /// A block does not exist: nothing has been allocated there yet.
    IsNone(BaseId),
}

impl Said {
    /// What it is about, if it is about a cell.
    fn cell(&self) -> Option<Holder> {
        match self {
            Said::Holds(cell, _) => Some(*cell),
            Said::Lives(_) | Said::IsNone(_) => None,
        }
    }
    fn base(&self) -> BaseId {
        match self {
            Said::Holds(cell, _) => cell.base,
            Said::Lives(base) | Said::IsNone(base) => *base,
        }
    }
}

/// Implications, each of which holds. Copies share them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Implications(Option<Arc<Vec<Implication>>>);

impl Implications {
    pub fn iter(&self) -> impl Iterator<Item = &Implication> {
        self.0.iter().flat_map(|all| all.iter())
    }
    fn of(all: Vec<Implication>) -> Implications {
        Implications((!all.is_empty()).then(|| Arc::new(all)))
    }
    fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |all| all.len())
    }
    fn keep(&mut self, keep: impl Fn(&Implication) -> bool) {
        if !self.iter().all(&keep) {
            *self = Implications::of(self.iter().filter(|i| keep(i)).cloned().collect());
        }
    }
    /// Keeps those about bases that `keep` chooses.
    pub fn retain(&mut self, keep: impl Fn(BaseId) -> bool) {
        self.keep(|i| keep(i.flag.base) && keep(i.then.base()));
    }
    /// After bytes of `[lo, hi)` in `base` may have been written.
    pub fn overwrite(&mut self, base: BaseId, lo: i64, hi: i64) {
        let stays = |c: Holder| c.base != base || c.at >= hi || c.at.saturating_add(i64::from(c.size)) <= lo;
        self.keep(|i| stays(i.flag) && i.then.cell().is_none_or(stays));
    }
    /// After a flag was copied from one cell to another.
    pub fn copy(&mut self, from: Holder, to: Holder) {
        let same = |i: &&Implication| i.flag == from && i.then.cell() != Some(to);
        let copies: Vec<Implication> =
            self.iter().filter(same).map(|i| Implication { flag: to, ..i.clone() }).collect();
        self.add(copies);
    }
    /// Notes these.
    pub fn add(&mut self, more: Vec<Implication>) {
        let room = MOST.saturating_sub(self.len());
        if !more.is_empty() && room > 0 {
            *self = Implications::of(self.iter().cloned().chain(more.into_iter().take(room)).collect());
        }
    }
}

impl State {
    /// Whether an implication is seen to hold.
    pub(super) fn entails(&self, bases: &Bases, one: &Implication) -> bool {
        let apart = || self.held(bases, one.flag).is_some_and(|value| are_apart(&value, &one.when));
        self.implications().iter().any(|own| own == one) || self.says(bases, &one.then) || apart()
    }

    /// Whether this is seen to be so. There is nothing wrong to be said of a block that does not exist.
    fn says(&self, bases: &Bases, said: &Said) -> bool {
        match (self.known(bases, said.base()), said) {
            (None, said) => bases.is_block(said.base()),
            (Some(object), Said::Holds(cell, value)) => bases.unnamed(&object.read(cell.at, cell.shape())).leq(value),
            (Some(object), Said::Lives(_)) => !object.life.may_be_dead,
            (Some(_), Said::IsNone(_)) => false,
        }
    }

    /// The implications that hold in both states; without widening also what one of them says and the other does not of the objects in
    /// which they differ.
    pub(super) fn implications_of_both(
        &self,
        other: &State,
        bases: &Bases,
        changed: Option<&[BaseId]>,
    ) -> Implications {
        let (ours, theirs) = (self.implications(), other.implications());
        let mut all: Vec<Implication> = ours.iter().filter(|i| other.entails(bases, i)).cloned().collect();
        let Some(changed) = changed else { return Implications::of(all) };
        let more = theirs.iter().filter(|i| !all.contains(i) && self.entails(bases, i)).cloned().collect::<Vec<_>>();
        all.extend(more);
        if changed.len() <= CHANGED {
            self.note_differences(other, bases, changed, &mut all);
        }
        all.truncate(MOST);
        Implications::of(all)
    }

    /// Takes over what `after` says of cells in bases that `which` chooses.
    pub(super) fn adopt_implications(&mut self, after: &State, which: impl Fn(BaseId) -> bool) {
        let about = |i: &&Implication| which(i.flag.base) && which(i.then.base());
        let said = after.implications().iter().filter(about).cloned().collect();
        self.implications_mut().add(said);
    }

    fn note_differences(&self, other: &State, bases: &Bases, changed: &[BaseId], all: &mut Vec<Implication>) {
        let both = |base: BaseId| Some((base, self.known(bases, base)?, other.known(bases, base)?));
        let single = |base: &BaseId| !bases.is_summary(*base);
        let objects: Vec<_> = changed.iter().copied().filter(single).filter_map(both).collect();
        // What is said, and whether it is so here or in the other state.
        let mut gains: Vec<(Said, bool)> = Vec::new();
        for &base in changed.iter().filter(|base| bases.is_block(**base) && single(base)) {
            let (here, there) = (self.mentions(base), other.mentions(base));
            gains.extend((here != there).then_some((Said::IsNone(base), there)));
        }
        for &(base, x, y) in &objects {
            if bases.is_block(base) && x.life.may_be_dead != y.life.may_be_dead {
                gains.push((Said::Lives(base), y.life.may_be_dead));
            }
            for cell in cells_of(base, x, y) {
                let (a, b) = (x.read(cell.at, cell.shape()), y.read(cell.at, cell.shape()));
                let said = |value: &Value| Said::Holds(cell, bases.unnamed(value));
                gains.extend(is_gain(&a, &b).then(|| (said(&a), true)));
                gains.extend(is_gain(&b, &a).then(|| (said(&b), false)));
            }
        }
        if gains.is_empty() {
            return;
        }
        let is_flag = |base| matches!(bases.get(base), Base::Variable(_) | Base::Result);
        let small = |x: &Object| x.size.as_constant().is_some_and(|size| size <= FLAG_SIZE);
        // Results come last among the bases, and are what is asked most.
        let flags = objects.iter().rev().filter(|(base, x, _)| is_flag(*base) && small(x));
        let flags = flags.flat_map(|&(base, x, y)| cells_of(base, x, y).map(move |cell| (cell, x, y)));
        let apart = flags.filter_map(|(cell, x, y)| {
            let (a, b) = (x.read(cell.at, cell.shape()), y.read(cell.at, cell.shape()));
            let (a, b) = (bases.unnamed(&a), bases.unnamed(&b));
            are_apart(&a, &b).then_some((cell, a, b))
        });
        for (flag, a, b) in apart.take(FLAGS) {
            for (then, ours) in gains.iter().filter(|(then, _)| then.base() != flag.base) {
                let when = if *ours { a.clone() } else { b.clone() };
                let one = Implication { flag, when, then: then.clone() };
                if !all.contains(&one) {
                    all.push(one);
                }
            }
        }
    }
}

/// The cells of numbers and pointers in either of two contents of an object.
fn cells_of<'o>(base: BaseId, x: &'o Object, y: &'o Object) -> impl Iterator<Item = Holder> + 'o {
    let holders = move |o: &'o Object| o.cells().take(CELLS).filter_map(move |(at, c)| Holder::of(base, at, c.shape));
    holders(x)
        .chain(holders(y).filter(move |cell| !x.cells().any(|(at, c)| Holder::of(base, at, c.shape) == Some(*cell))))
}

/// Whether two determinate values are different for sure.
fn are_apart(a: &Value, b: &Value) -> bool {
    !a.undefined && !b.undefined && a.meet(b).is_bottom()
}

/// Whether `a` is worth keeping beside `b`: it is determinate, or no NULL.
fn is_gain(a: &Value, b: &Value) -> bool {
    let may_be_null = |v: &Value| v.int.is_some_and(|i| i.contains(0));
    let pointer = !a.pointers.is_none() && !may_be_null(a) && may_be_null(b);
    a.may_be_defined() && !a.undefined && (b.undefined || pointer)
}
