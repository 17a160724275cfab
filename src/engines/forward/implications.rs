//! What the value of one cell says of another: where the result is 1, `*out` has been written.
//!
//! Where ways join on which a cell, the flag, has no value in common, it tells the ways apart afterwards: what a cell held on one of them
//! and not on the other is noted as an implication, and a test of the flag brings it back. It ends with the next write to either cell. That a
//! block lives where a constructor's result is not NULL is one, too.
//!
//! See: Mauborgne, Rival, "Trace Partitioning in Abstract Interpretation Based Static Analyzers", for what this does by facts.

use super::analyzer::{Analyzer, Flow};
use super::bases::{Base, Bases};
use super::object::Object;
use super::state::State;
use super::texts::Holder;
use crate::domains::{BaseId, Value};
use crate::ir::{Expr, ExprKind};
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

    /// What the state says of a cell where what stands in `flag` is among `when`; nothing determinate is the most that it says.
    fn told(&self, bases: &Bases, flag: Holder, when: &Value, cell: Holder) -> Option<Value> {
        let mut value = bases.unnamed(&self.held(bases, cell)?);
        for one in self.implications().iter().filter(|i| i.flag == flag && when.leq(&i.when)) {
            if let Said::Holds(of, then) = &one.then
                && *of == cell
            {
                value = value.meet(then);
            }
        }
        Some(value)
    }

    /// The implication made so weak that the other state entails it too, while it still says more than both objects.
    fn weakened(&self, other: &State, bases: &Bases, one: &Implication) -> Option<Implication> {
        if other.entails(bases, one) {
            return Some(one.clone());
        }
        let Said::Holds(cell, ours) = &one.then else { return None };
        let theirs = other.told(bases, one.flag, &one.when, *cell)?;
        let both = ours.join(&theirs);
        let held = self.held(bases, *cell)?.join(&other.held(bases, *cell)?);
        is_gain(&both, &held).then(|| Implication { then: Said::Holds(*cell, both), ..one.clone() })
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
        let Some(changed) = changed else {
            // All or nothing: that one goes may cost the next round another, and rounds are few.
            let all = ours.iter().all(|one| other.entails(bases, one));
            return if all { ours.clone() } else { Implications::default() };
        };
        let mut all: Vec<Implication> = ours.iter().filter_map(|i| self.weakened(other, bases, i)).collect();
        for one in theirs.iter().filter(|i| !ours.iter().any(|own| own == *i)) {
            let more = other.weakened(self, bases, one).filter(|one| !all.contains(one));
            all.extend(more);
        }
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

    /// What is so in this state and not in the other (true), or the other way round, in the bases of `changed`.
    fn gains(&self, other: &State, bases: &Bases, changed: &[BaseId]) -> Vec<(Said, bool)> {
        let mut gains: Vec<(Said, bool)> = Vec::new();
        for &base in changed.iter().filter(|base| !bases.is_summary(**base)) {
            if bases.is_block(base) && self.mentions(base) != other.mentions(base) {
                gains.push((Said::IsNone(base), other.mentions(base)));
            }
            let Some((x, y)) = self.known(bases, base).zip(other.known(bases, base)) else { continue };
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
        gains
    }

    /// The cells that have no value in common in both states, and what they hold here and there.
    fn apart<'s>(
        &'s self,
        other: &'s State,
        bases: &'s Bases,
        changed: &'s [BaseId],
    ) -> impl Iterator<Item = (Holder, Value, Value)> + 's {
        let is_flag = |base: BaseId| matches!(bases.get(base), Base::Variable(_) | Base::Result);
        let small = |x: &Object| x.size.as_constant().is_some_and(|size| size <= FLAG_SIZE);
        // Results come last among the bases, and are what is asked most.
        let flags = changed.iter().rev().filter(move |base| !bases.is_summary(**base) && is_flag(**base));
        let both = move |base: &BaseId| Some((*base, self.known(bases, *base)?, other.known(bases, *base)?));
        let objects = flags.filter_map(both).filter(move |(_, x, _)| small(x));
        let cells = objects.flat_map(|(base, x, y)| cells_of(base, x, y).map(move |cell| (cell, x, y)));
        cells.filter_map(|(cell, x, y)| {
            let (a, b) = (x.read(cell.at, cell.shape()), y.read(cell.at, cell.shape()));
            let (a, b) = (bases.unnamed(&a), bases.unnamed(&b));
            are_apart(&a, &b).then_some((cell, a, b))
        })
    }

    fn note_differences(&self, other: &State, bases: &Bases, changed: &[BaseId], all: &mut Vec<Implication>) {
        let gains = self.gains(other, bases, changed);
        if gains.is_empty() {
            return;
        }
        for (flag, a, b) in self.apart(other, bases, changed).take(FLAGS) {
            let more = implications(flag, (&a, &b), &gains).filter(|one| !all.contains(one)).collect::<Vec<_>>();
            all.extend(more);
        }
    }
}

impl Analyzer<'_, '_> {
    /// What is so where a condition holds (true) or where it does not, if that is not known: where it is put into a variable, a test of
    /// this tells.
    pub(super) fn gains_of_condition(&self, flow: &Flow, value: &Expr) -> Vec<(Said, bool)> {
        if !is_condition(value) || self.view(flow).eval(value).as_constant().is_some() {
            return Vec::new();
        }
        let (mut yes, mut no) = (flow.clone(), flow.clone());
        if !self.refiner(&mut yes).assume(value, true) || !self.refiner(&mut no).assume(value, false) {
            return Vec::new();
        }
        let changed = yes.state.differing(&no.state);
        yes.state.gains(&no.state, &self.bases, &changed)
    }

    /// Notes these of the cell in which the condition stands now.
    pub(super) fn note_gains(&self, state: &mut State, flag: Holder, gains: &[(Said, bool)]) {
        let (yes, no) = (Value::constant(1), Value::constant(0));
        state.implications_mut().add(implications(flag, (&yes, &no), gains).collect());
    }
}

/// What a flag that holds one value here and another there says of other objects.
fn implications<'g>(
    flag: Holder,
    (here, there): (&'g Value, &'g Value),
    gains: &'g [(Said, bool)],
) -> impl Iterator<Item = Implication> + 'g {
    gains.iter().filter(move |(then, _)| then.base() != flag.base).map(move |(then, ours)| {
        let when = if *ours { here } else { there };
        Implication { flag, when: when.clone(), then: then.clone() }
    })
}

/// Whether an expression is 1 or 0 as a comparison holds or not.
fn is_condition(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Binary(op, ..) => op.is_comparison(),
        ExprKind::Cast(a) => is_condition(a),
        _ => false,
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
