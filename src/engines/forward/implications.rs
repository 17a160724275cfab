//! What the value of one cell says of another: where the result is 1, `*out` has been written.
//!
//! Where ways join and one of them alone has some values of a cell, the flag, these tell the ways apart afterwards: what a cell held on that
//! way and not on the other is noted as an implication, and a test of the flag brings it back. It ends with the next write to either cell. That a
//! block lives where a constructor's result is not NULL is one, too; so is what holds where a condition does that was put into a variable,
//! and which cells are one number where a mark stands: `count` is 0 as long as `last` is -1.
//!
//! See: Mauborgne, Rival, "Trace Partitioning in Abstract Interpretation Based Static Analyzers", for what this does by facts.

use super::analyzer::{Analyzer, Flow};
use super::bases::{Base, Bases};
use super::object::Object;
use super::state::State;
use super::texts::{Holder, Pointer, Text};
use crate::domains::{BaseId, Int, Value};
use crate::ir::{Expr, ExprKind, Place};
use std::sync::Arc;

/// So many implications a state has at most.
const MOST: usize = 48;
/// So many cells of one object are looked at.
const CELLS: usize = 16;
/// So many flags are looked at, and so many noted of each kind, at one join.
const LOOKED_AT: usize = 32;
const FLAGS: usize = 4;
/// So many bytes an object has at most that a flag stands in, and one in which a number is a flag.
const FLAG_SIZE: i128 = 64;
const WORD: i128 = 8;
/// Joins of states that differ in more objects note nothing new.
const CHANGED: usize = 64;

/// Where what stands in `flag` is among `when`, `then` is so. No value names objects that pointers lead to.
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
    /// A pointer, where it points to an object, stands inside a string.
    Inside(Pointer, BaseId, Text),
}

impl Said {
    /// What it is about, if it is about a cell.
    fn cell(&self) -> Option<Holder> {
        match self {
            Said::Holds(cell, _) => Some(*cell),
            Said::Lives(_) | Said::IsNone(_) | Said::Inside(..) => None,
        }
    }
    fn base(&self) -> BaseId {
        match self {
            Said::Holds(cell, _) => cell.base,
            Said::Lives(base) | Said::IsNone(base) | Said::Inside(_, base, _) => *base,
        }
    }
    /// Whether where this is so the other is, too.
    fn includes(&self, other: &Said) -> bool {
        match (self, other) {
            (Said::Holds(cell, value), Said::Holds(of, among)) => cell == of && value.leq(among),
            _ => self == other,
        }
    }
    /// Whether it is about nothing but bases that `keep` chooses.
    fn is_about(&self, keep: impl Fn(BaseId) -> bool) -> bool {
        let pointer = |pointer: &Pointer| pointer.cells().all(|cell| keep(cell.base));
        keep(self.base()) && !matches!(self, Said::Inside(p, ..) if !pointer(p))
    }
    /// Whether it holds still when bytes of `[lo, hi)` in `base` have been written.
    fn outlasts(&self, base: BaseId, lo: i64, hi: i64) -> bool {
        match self {
            Said::Holds(cell, _) => !cell.meets(base, lo, hi),
            Said::Inside(pointer, target, _) => {
                *target != base && !pointer.cells().any(|cell| cell.meets(base, lo, hi))
            }
            Said::Lives(_) | Said::IsNone(_) => true,
        }
    }
}

/// What is so in one of two states and not in the other.
struct Gain {
    said: Said,
    side: Side,
    kind: Kind,
}

/// What is gained, and so which flags tell of it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// All of them.
    Any,
    /// A number beside 0: pointers and marks.
    Count,
    /// One number: marks.
    Constant,
}

/// Of two states that are compared, the one in which something is so.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Side {
    Here,
    There,
}

/// Implications, each of which holds, in any order. Copies share them.
#[derive(Clone, Debug, Default)]
pub struct Implications(Option<Arc<Vec<Implication>>>);

impl PartialEq for Implications {
    fn eq(&self, other: &Implications) -> bool {
        self.is_same(other) || (self.len() == other.len() && self.iter().all(|one| other.has(one)))
    }
}

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
    /// Whether they are seen at once to be the same.
    pub fn is_same(&self, other: &Implications) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (a, b) => a.is_none() && b.is_none(),
        }
    }
    fn has(&self, one: &Implication) -> bool {
        self.iter().any(|own| own == one)
    }
    fn keep(&mut self, keep: impl Fn(&Implication) -> bool) {
        if !self.iter().all(&keep) {
            *self = Implications::of(self.iter().filter(|i| keep(i)).cloned().collect());
        }
    }
    /// Keeps those about bases that `keep` chooses.
    pub fn retain(&mut self, keep: impl Fn(BaseId) -> bool) {
        self.keep(|i| keep(i.flag.base) && i.then.is_about(&keep));
    }
    /// After bytes of `[lo, hi)` in `base` may have been written.
    pub fn overwrite(&mut self, base: BaseId, lo: i64, hi: i64) {
        self.keep(|i| !i.flag.meets(base, lo, hi) && i.then.outlasts(base, lo, hi));
    }
    /// After pointers in bytes of `[lo, hi)` in `base` got other names for what they lead to.
    pub fn end_texts(&mut self, base: BaseId, lo: i64, hi: i64) {
        self.keep(|i| !matches!(&i.then, Said::Inside(p, ..) if p.cells().any(|cell| cell.meets(base, lo, hi))));
    }
    /// After a flag was copied from one cell to another, of which nothing is said any more.
    pub fn copy(&mut self, from: Holder, to: Holder) {
        let told = self.iter().filter(|i| i.flag == from);
        let copies: Vec<Implication> = told.map(|i| Implication { flag: to, ..i.clone() }).collect();
        self.add(copies);
    }
    /// Flags, and values that they do not have since something else than they say stands in `cell`: `value`.
    pub fn refuted(&self, cell: Holder, value: &Value) -> Vec<(Holder, Value)> {
        let is_other = |one: &&Implication| {
            matches!(&one.then, Said::Holds(of, then) if *of == cell && are_apart(value, then)) && one.flag != cell
        };
        self.iter().filter(is_other).map(|one| (one.flag, one.when.clone())).collect()
    }
    /// Notes these, as far as there is room.
    pub fn add(&mut self, mut more: Vec<Implication>) {
        let room = MOST.saturating_sub(self.len());
        more.retain(|one| !self.has(one));
        if !more.is_empty() && room > 0 {
            *self = Implications::of(self.iter().cloned().chain(more.into_iter().take(room)).collect());
        }
    }
}

/// Makes one of implications that say the same where a flag is one number or one of those that follow it.
fn merge_neighbours(all: &mut Vec<Implication>) {
    let numbers = |one: &Implication| one.when.int_alone().filter(|i| *i == Int::range(i.lo(), i.hi()));
    let mut i = 0;
    while i < all.len() {
        let below = numbers(&all[i]);
        let follows = |one: &Implication| {
            let above = numbers(one).zip(below).filter(|(above, below)| below.hi().checked_add(1) == Some(above.lo()));
            above.filter(|_| one.flag == all[i].flag && one.then == all[i].then)
        };
        match all.iter().enumerate().find_map(|(j, one)| Some((j, follows(one)?))) {
            Some((j, (above, below))) => {
                all[i].when = Value::int(Int::range(below.lo(), above.hi()));
                all.remove(j);
                i -= usize::from(j < i);
            }
            None => i += 1,
        }
    }
}

impl State {
    /// Whether an implication is seen to hold.
    pub(super) fn entails(&self, bases: &Bases, one: &Implication) -> bool {
        let held = self.held(bases, one.flag);
        let apart = || held.as_ref().is_some_and(|value| are_apart(value, &one.when));
        // For those of its values that the flag has here.
        let in_part = || {
            let set = held.as_ref().filter(|value| !value.undefined);
            let when = set.map(|value| bases.unnamed(value).meet(&one.when));
            when.is_some_and(|when| {
                let mut own = self.implications().iter();
                own.any(|own| own.flag == one.flag && own.then.includes(&one.then) && when.leq(&own.when))
            })
        };
        apart() || self.says(bases, &one.then) || self.implications().has(one) || in_part()
    }

    /// Whether all implications of another state are seen to hold.
    pub(super) fn entails_all(&self, bases: &Bases, other: &Implications) -> bool {
        self.implications().is_same(other) || other.iter().all(|one| self.entails(bases, one))
    }

    /// Whether this is seen to be so. Anything is true of a block that does not exist.
    fn says(&self, bases: &Bases, said: &Said) -> bool {
        if let Said::Inside(pointer, target, text) = said {
            return self.text_in(*pointer, *target).is_some_and(|known| known.common(*text) == *text);
        }
        match (self.known(bases, said.base()), said) {
            (None, said) => bases.is_block(said.base()),
            (Some(object), Said::Holds(cell, value)) => bases.unnamed(&object.read(cell.at, cell.shape())).leq(value),
            (Some(object), Said::Lives(_)) => !object.life.may_be_dead,
            (Some(_), Said::IsNone(_) | Said::Inside(..)) => false,
        }
    }

    /// What a cell holds where what stands in `flag` is among `when`.
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

    /// The implication made so weak that the other state entails it too, while it still says more than both objects. `thresholds`: such that
    /// chains end.
    fn weakened(
        &self,
        other: &State,
        bases: &Bases,
        one: &Implication,
        thresholds: Option<&[i128]>,
    ) -> Option<Implication> {
        if other.entails(bases, one) {
            return Some(one.clone());
        }
        let Said::Holds(cell, ours) = &one.then else { return None };
        let theirs = other.told(bases, one.flag, &one.when, *cell)?;
        let both = match thresholds {
            None => ours.join(&theirs),
            Some(thresholds) => ours.widen(&ours.join(&theirs), thresholds, cell.shape().bounds()),
        };
        let held = self.held(bases, *cell)?.join(&other.held(bases, *cell)?);
        let says_more = bases.marks.has(one.flag, &one.when) && !held.leq(&both);
        let gains = is_gain(&both, &held) || is_count(&both, &held) || says_more;
        gains.then(|| Implication { then: Said::Holds(*cell, both), ..one.clone() })
    }

    /// The implications that hold in both states. What one of the states says of the objects of `differing`, those in which they differ,
    /// and the other does not is noted, too.
    pub(super) fn implications_of_both(&self, other: &State, bases: &Bases, differing: &[BaseId]) -> Implications {
        let (ours, theirs) = (self.implications(), other.implications());
        let mut all: Vec<Implication> = ours.iter().filter_map(|i| self.weakened(other, bases, i, None)).collect();
        for one in theirs.iter().filter(|i| !ours.has(i)) {
            let more = other.weakened(self, bases, one, None).filter(|one| !all.contains(one));
            all.extend(more);
        }
        if differing.len() <= CHANGED {
            self.note_differences(other, bases, differing, &mut all);
        }
        merge_neighbours(&mut all);
        all.truncate(MOST);
        Implications::of(all)
    }

    /// Those of this state that hold in `next` too, or weaker ones, such that chains end. All or none, but for what marks tell: where one
    /// goes the next round may cost another, and rounds are few.
    pub(super) fn widened_implications(&self, next: &State, bases: &Bases, thresholds: &[i128]) -> Implications {
        let ours = self.implications();
        if next.entails_all(bases, ours) {
            return ours.clone();
        }
        // Only where the other state shows them by itself; without thresholds all the way, such that chains end.
        let weaker = |one: &Implication| {
            self.weakened(next, bases, one, Some(thresholds)).filter(|weaker| next.entails(bases, weaker))
        };
        let of_mark = |one: &Implication| bases.marks.has(one.flag, &one.when);
        let wider = ours.iter().map(|one| (one, weaker(one))).filter(|(one, weaker)| weaker.is_some() || !of_mark(one));
        let wider: Option<Vec<Implication>> = wider.map(|(_, weaker)| weaker).collect();
        wider.map_or_else(Implications::default, Implications::of)
    }

    /// Forgets what `old` says nothing of.
    pub(super) fn keep_implications_of(&mut self, old: &State) {
        let same = |a: &Implication, b: &Implication| {
            a.flag == b.flag && a.when == b.when && a.then.base() == b.then.base() && a.then.cell() == b.then.cell()
        };
        self.implications_mut().keep(|one| old.implications().iter().any(|known| same(one, known)));
    }

    /// Takes over what `after` says of cells in bases that `which` chooses.
    pub(super) fn adopt_implications(&mut self, after: &State, which: impl Fn(BaseId) -> bool) {
        let about = |i: &&Implication| which(i.flag.base) && i.then.is_about(&which);
        let said = after.implications().iter().filter(about).cloned().collect();
        self.implications_mut().add(said);
    }

    /// What is so in one of two states and not in the other, of the bases of `changed`.
    fn gains(&self, other: &State, bases: &Bases, changed: &[BaseId]) -> Vec<Gain> {
        let mut gains: Vec<Gain> = Vec::new();
        let plain = |said: Said, side| Gain { said, side, kind: Kind::Any };
        for &base in changed.iter().filter(|base| !bases.is_summary(**base)) {
            let absent = |state: &State| bases.is_block(base) && !state.mentions(base);
            gains.extend(only(absent(self), absent(other)).map(|side| plain(Said::IsNone(base), side)));
            let Some((x, y)) = self.known(bases, base).zip(other.known(bases, base)) else { continue };
            let lives = |o: &Object| bases.is_block(base) && !o.life.may_be_dead;
            gains.extend(only(lives(x), lives(y)).map(|side| plain(Said::Lives(base), side)));
            for cell in cells_of(base, x, y) {
                let (a, b) = (x.read(cell.at, cell.shape()), y.read(cell.at, cell.shape()));
                for (one, other, side) in [(&a, &b, Side::Here), (&b, &a, Side::There)] {
                    let said = || Said::Holds(cell, bases.unnamed(one));
                    if is_gain(one, other) {
                        gains.push(plain(said(), side));
                    } else if is_count(one, other) || is_zero_alone(one, other) {
                        gains.push(Gain { said: said(), side, kind: Kind::Count });
                    } else if one.as_constant().is_some() && !other.leq(one) {
                        gains.push(Gain { said: said(), side, kind: Kind::Constant });
                    }
                }
            }
        }
        gains
    }

    /// The cells that tell the states apart, and what they hold here alone and there alone.
    fn flags<'s>(
        &'s self,
        other: &'s State,
        bases: &'s Bases,
        changed: &'s [BaseId],
    ) -> impl Iterator<Item = (Holder, Option<Value>, Option<Value>)> + 's {
        let is_flag = |base: BaseId| matches!(bases.get(base), Base::Variable(_) | Base::Result);
        let small = |x: &Object| x.size.as_constant().is_some_and(|size| size <= FLAG_SIZE);
        let flags = changed.iter().rev().filter(move |base| !bases.is_summary(**base) && is_flag(**base));
        let both = move |base: &BaseId| Some((*base, self.known(bases, *base)?, other.known(bases, *base)?));
        let objects = flags.filter_map(both).filter(move |(_, x, _)| small(x));
        let cells = objects.flat_map(|(base, x, y)| cells_of(base, x, y).map(move |cell| (cell, x, y)));
        cells.filter_map(|(cell, x, y)| {
            let (a, b) = (x.read(cell.at, cell.shape()), y.read(cell.at, cell.shape()));
            let (a, b) = (bases.unnamed(&a), bases.unnamed(&b));
            let (here, there) = (alone(&a, &b), alone(&b, &a));
            (here.is_some() || there.is_some()).then_some((cell, here, there))
        })
    }

    fn note_differences(&self, other: &State, bases: &Bases, changed: &[BaseId], all: &mut Vec<Implication>) {
        let gains = self.gains(other, bases, changed);
        if gains.is_empty() {
            return;
        }
        // Whether there is a block says most of other cells; of records it alone counts.
        let is_pointer = |v: &Option<Value>| v.as_ref().is_some_and(|v| !v.pointers.is_none());
        let flags: Vec<_> = self.flags(other, bases, changed).take(LOOKED_AT).collect();
        let (pointers, numbers): (Vec<_>, Vec<_>) =
            flags.into_iter().partition(|(_, a, b)| is_pointer(a) || is_pointer(b));
        let small = |cell: &Holder| self.known(bases, cell.base).is_some_and(|o| o.size.hi() <= WORD);
        let is_mark = |(cell, a, b): &(Holder, Option<Value>, Option<Value>)| {
            [a, b].into_iter().flatten().any(|value| bases.marks.has(*cell, value))
        };
        let numbers = numbers.into_iter().filter(|(cell, ..)| small(cell));
        let (marks, numbers): (Vec<_>, Vec<_>) = numbers.partition(is_mark);
        // Marks tell much of the same; what others tell comes first.
        for (flag, here, there) in [numbers, pointers, marks].into_iter().flat_map(|kind| kind.into_iter().take(FLAGS))
        {
            let more = implications(bases, flag, (here.as_ref(), there.as_ref()), &gains)
                .filter(|one| !all.contains(one))
                .collect::<Vec<_>>();
            all.extend(more);
        }
    }
}

/// What a value says of others, to be noted of the cell in which it is put.
pub(super) struct Carried {
    /// The cell that it is a copy of.
    copied: Option<Holder>,
    /// What is so only where it is a condition that holds (here), or only where that does not hold (there).
    gains: Vec<Gain>,
}

impl State {
    /// Notes what the value says that has just been put into a cell, of which nothing is said yet.
    pub(super) fn note_carried(&mut self, bases: &Bases, cell: Holder, carried: &Carried) {
        if let Some(from) = carried.copied {
            self.implications_mut().copy(from, cell);
        }
        let (yes, no) = (Value::constant(1), Value::constant(0));
        let told: Vec<Implication> = implications(bases, cell, (Some(&yes), Some(&no)), &carried.gains).collect();
        self.implications_mut().add(told);
    }
}

impl Analyzer<'_, '_> {
    /// What `value`, which is `now`, says of others. `copied`: the place that it is read from, where it is no more than a copy.
    pub(super) fn carried(&self, flow: &Flow, value: &Expr, now: &Value, copied: Option<&Place>) -> Carried {
        let copied = copied.or_else(|| self.same_number(flow, value)).and_then(|place| self.view(flow).holder(place));
        Carried { copied, gains: self.gains_of_condition(flow, value, now) }
    }

    /// The place of which `e` is the number, converted without being changed.
    fn same_number<'e>(&self, flow: &Flow, e: &'e Expr) -> Option<&'e Place> {
        match &e.kind {
            ExprKind::Load(place) if place.bits.is_none() => Some(place),
            ExprKind::Cast(a) => {
                let view = self.view(flow);
                let (from, to) = (view.int_type(a.ty)?, view.int_type(e.ty)?);
                let value = view.eval(a);
                let fits = !value.undefined && value.pointers.is_none() && !to.boolean;
                let stays = view.numbers(&value, from).interval().leq(to.bounds());
                self.same_number(flow, a).filter(|_| fits && stays)
            }
            _ => None,
        }
    }

    fn gains_of_condition(&self, flow: &Flow, value: &Expr, now: &Value) -> Vec<Gain> {
        if !is_condition(value) || now.as_constant().is_some() {
            return Vec::new();
        }
        let (mut yes, mut no) = (flow.clone(), flow.clone());
        if !self.refiner(&mut yes).assume(value, true) || !self.refiner(&mut no).assume(value, false) {
            return Vec::new();
        }
        let changed = yes.state.differing(&no.state);
        let mut gains = yes.state.gains(&no.state, &self.bases, &changed);
        for (one, other, side) in [(&yes, &no, Side::Here), (&no, &yes, Side::There)] {
            let said = one.state.texts().map(|(pointer, target, text)| Said::Inside(pointer, target, text));
            let more = said.filter(|said| !other.state.says(&self.bases, said));
            gains.extend(more.map(|said| Gain { said, side, kind: Kind::Any }));
        }
        gains
    }
}

/// What a flag says of other objects that holds some values here alone and others there alone.
fn implications<'g>(
    bases: &'g Bases,
    flag: Holder,
    (here, there): (Option<&'g Value>, Option<&'g Value>),
    gains: &'g [Gain],
) -> impl Iterator<Item = Implication> + 'g {
    let is_pointer = [here, there].into_iter().flatten().any(|value| !value.pointers.is_none());
    let told = gains.iter().filter(move |gain| gain.said.cell() != Some(flag));
    told.filter_map(move |gain| {
        let when = if gain.side == Side::Here { here } else { there }?;
        let tells = match gain.kind {
            Kind::Any => true,
            Kind::Count => is_pointer || bases.marks.has(flag, when),
            Kind::Constant => bases.marks.has(flag, when),
        };
        tells.then(|| Implication { flag, when: when.clone(), then: gain.said.clone() })
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

/// The side on which alone something is so, if it is so on one of them.
fn only(here: bool, there: bool) -> Option<Side> {
    match (here, there) {
        (true, false) => Some(Side::Here),
        (false, true) => Some(Side::There),
        _ => None,
    }
}

/// The cells of numbers and pointers that two contents of an object have, as one of them or both see them; of large objects the first.
fn cells_of<'o>(base: BaseId, x: &'o Object, y: &'o Object) -> impl Iterator<Item = Holder> + 'o {
    let holders = move |o: &'o Object| o.cells().filter_map(move |(at, c)| Holder::of(base, at, c.shape));
    let shape_in_x = |cell: &Holder| x.cell_at(cell.at).map(|c| c.shape);
    holders(x).take(CELLS).chain(holders(y).filter(move |cell| shape_in_x(cell) != Some(cell.shape())).take(CELLS))
}

/// Values in `a` that are not in `b`, if they can be told.
fn alone(a: &Value, b: &Value) -> Option<Value> {
    if b.undefined || !a.may_be_defined() {
        return None;
    }
    let a = a.clone().defined();
    if are_apart(&a, b) {
        return Some(a);
    }
    if let (Some(x), Some(y)) = (a.int_alone(), b.int_alone()) {
        let below = y.lo().checked_sub(1).and_then(|hi| x.clamp(x.lo(), hi));
        let above = y.hi().checked_add(1).and_then(|lo| x.clamp(lo, x.hi()));
        // Where a hole has no room, the number stays.
        let but_one = || y.as_constant().and_then(|n| x.except(n).filter(|rest| !rest.contains(n)));
        let rest = if below.is_some() && above.is_some() { but_one() } else { below.or(above) };
        return rest.map(Value::int);
    }
    let pointers = b.as_constant() == Some(0) && !a.pointers.is_none();
    pointers.then(|| Value::pointers(a.pointers))
}

/// The values of `all` but `gone`, where that says less: of an address or NULL the address, of numbers all to one side.
pub(super) fn without(all: &Value, gone: &Value) -> Option<Value> {
    if all.undefined || all.float.is_some() {
        return None;
    }
    if gone.as_constant() == Some(0) && all.int.and_then(Int::as_constant) == Some(0) && !all.pointers.is_none() {
        return Some(Value::pointers(all.pointers.clone()));
    }
    let (x, y) = all.int_alone().zip(gone.int_alone())?;
    let rest = match (y.lo() <= x.lo(), x.hi() <= y.hi()) {
        (true, false) => x.clamp(y.hi().checked_add(1)?, x.hi()),
        (false, true) => x.clamp(x.lo(), y.lo().checked_sub(1)?),
        _ => None,
    };
    rest.filter(|rest| *rest != x && y == Int::range(y.lo(), y.hi())).map(Value::int)
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

/// Whether `a` is a number other than 0, and `b` may be 0: as many elements as a block has room for, where there is one.
fn is_count(a: &Value, b: &Value) -> bool {
    a.int_alone().zip(b.int_alone()).is_some_and(|(a, b)| !a.contains(0) && b.contains(0))
}

/// Whether `a` is 0 and `b` another number: how many elements there are before there is a block for them, and afterwards.
fn is_zero_alone(a: &Value, b: &Value) -> bool {
    a.as_constant() == Some(0) && b.int_alone().is_some_and(|b| !b.contains(0))
}
