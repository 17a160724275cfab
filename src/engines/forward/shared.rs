//! Memory that joined calls share: what each object may hold whenever a function is called or returns.
//!
//! A function is entered with its arguments and with what the objects may hold at any call of any function that reaches them; behind a
//! call, what the callee may change is what the objects may hold at any time. Inside a function, and at its calls of short ones, states
//! know more. An object is told to others at calls of functions that reach it, and where a function returns: what is made ready before has
//! never held anything else.
//!
//! See: Seidl, Vene, Müller-Olm, "Global invariants for analyzing multithreaded applications" (side effects to what is not told apart by
//! control flow).

use super::analyzer::{Analyzer, Calls};
use super::bases::Base;
use super::extent::Extent;
use super::object::{Life, Object};
use super::reads::Asked;
use super::state::State;
use super::stops::CellStops;
use crate::domains::{BaseId, Pointers, Value};
use crate::ir::{AllocId, AllocKind, FuncId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Times that an object grows by joins before it is widened, and before nothing but its pointers is kept.
const DELAY: usize = 6;
const LATE: usize = 24;

/// What objects may hold.
#[derive(Default)]
pub struct Shared {
    /// Older blocks of an allocation stand for the last one too.
    pub state: State,
    /// The variables among them that functions own.
    variables: Vec<BaseId>,
    /// What was told of an object last, as its teller had it.
    told: FxHashMap<BaseId, Arc<Object>>,
    /// How often each object grew.
    times: FxHashMap<BaseId, usize>,
    /// What grew, in order.
    pub grown: Vec<Growth>,
}

/// What grew.
#[derive(Clone, Copy)]
pub enum Growth {
    /// What an object may hold.
    Content(BaseId),
    /// What is known of an object besides.
    Object(BaseId),
    /// What comes over objects of which nobody knows.
    Damage,
}

impl Growth {
    /// Whether it may matter to an analysis that asked for these. Where it does all the same, the round that judges finds it out.
    pub fn matters_to(self, asked: &FxHashSet<Asked>) -> bool {
        match self {
            Growth::Content(base) => asked.contains(&Asked::Content(base)),
            Growth::Object(base) => asked.contains(&Asked::Content(base)) || asked.contains(&Asked::Outside(base)),
            Growth::Damage => asked.contains(&Asked::Damage),
        }
    }
}

impl Analyzer<'_, '_> {
    /// Whether joined calls share memory where control is.
    pub(super) fn shares(&self) -> bool {
        self.calls == Calls::Shared && !self.anywhere
    }

    /// The state that `f` begins with when arguments and what is known of them are as in `given`.
    pub(super) fn shared_entry(&mut self, f: FuncId, given: &State) -> State {
        let mut ground = self.shared.state.clone();
        let mut gone: Vec<BaseId> = Vec::new();
        for base in self.shared.variables.clone() {
            let Base::Variable(v) = self.bases.get(base) else { continue };
            // Its own are made when it is entered; those of functions that do not lead here have ended.
            let owner = self.program.variables[v].owner();
            gone.extend(
                owner.is_some_and(|owner| owner == f || !self.reached_from(owner).contains(&f)).then_some(base),
            );
        }
        gone.into_iter().for_each(|base| ground.forget(base));
        let mut entry = given.upon(&ground);
        let freed = self.functions.freed_before(f);
        self.revive(&mut entry, &[freed]);
        entry
    }

    /// Blocks of the heap live in `state` that are not among what may have been freed before it.
    fn revive(&self, state: &mut State, freed: &[Extent]) {
        let mut living: Vec<BaseId> = Vec::new();
        state.each(|b, o| {
            let is_heap = |alloc: AllocId| self.program.allocs[alloc].kind == AllocKind::Heap;
            let on_heap = matches!(self.bases.get(b), Base::Heap { alloc, .. } if is_heap(alloc));
            if on_heap && o.life.may_be_dead && !freed.iter().any(|extent| extent.has(&self.bases, b)) {
                living.push(b);
            }
        });
        for b in living {
            state.learn(&self.bases, b, |o| o.life = Life::LIVE);
        }
    }

    /// Tells others what the objects of `part` hold, and what has come over objects in `state`.
    pub(super) fn share(&mut self, part: &State, state: &State) {
        if let Some(damaged) = self.shared.state.take_damage(&self.bases, state) {
            self.note_growth(Growth::Damage);
            self.shared.grown.extend(damaged.into_iter().map(Growth::Object));
        }
        let mut told: Vec<(BaseId, Arc<Object>)> = Vec::new();
        let shared = &self.shared.state;
        part.each(|b, o| {
            let same = shared.own_object(b).is_some_and(|own| Arc::ptr_eq(own, o));
            told.extend((!same).then(|| (b, o.clone())));
        });
        for (base, object) in told {
            self.share_object(base, object);
        }
    }

    fn share_object(&mut self, base: BaseId, object: Arc<Object>) {
        let has_name = match self.bases.get(base) {
            Base::Variable(v) => !self.bases.is_constant(base) && !self.may_be_several(v),
            Base::Heap { .. } | Base::Strings(_) | Base::Text(_) => true,
            Base::Gone(_) | Base::Result | Base::Destination(_) => false,
        };
        let is_told = self.shared.told.get(&base).is_some_and(|told| Arc::ptr_eq(told, &object));
        if !has_name || is_told {
            return;
        }
        self.shared.told.insert(base, object.clone());
        let target = self.older(base);
        let new = self.as_seen_elsewhere(object);
        let held = self.shared.state.own_object(target).cloned();
        // What does not exist yet has been missed by whoever asked for it.
        let (size, life) = (new.size, new.life);
        let same_outside = held.as_ref().is_none_or(|old| old.size == size && old.life == life);
        let grown = match held {
            None => {
                let is_owned =
                    matches!(self.bases.get(target), Base::Variable(v) if !self.program.variables[v].is_static());
                self.shared.variables.extend(is_owned.then_some(target));
                // What has come over objects of which nobody knows comes over this one, too.
                let mut alone = State::default();
                alone.set(target, new);
                alone.suffer_as(&self.bases, &self.shared.state, &|_| true);
                alone.own_object(target).cloned().expect("it has just been set")
            }
            Some(old) if new.leq(&old) => return,
            Some(old) => {
                let times = self.shared.times.entry(target).or_default();
                *times += 1;
                match *times {
                    0..DELAY => Arc::new(old.join(&new)),
                    DELAY..LATE => Arc::new(old.widen(&old.join(&new), &[], &CellStops::default())),
                    _ => Arc::new(old.join(&new).collapsed(&old)),
                }
            }
        };
        self.shared.state.set(target, grown);
        self.note_growth(if same_outside { Growth::Content(target) } else { Growth::Object(target) });
    }

    fn note_growth(&mut self, growth: Growth) {
        self.shared.grown.push(growth);
        self.contexts.starts_again();
        self.drop_summaries_of_sharers(growth);
    }

    /// Whether a variable may be that of several activations.
    fn may_be_several(&self, v: VarId) -> bool {
        self.program.variables[v].owner().is_some_and(|owner| self.memory.is_recursive(owner))
    }

    /// What stands for `base` in memory that is shared.
    pub(super) fn older(&mut self, base: BaseId) -> BaseId {
        match self.bases.get(base) {
            Base::Heap { alloc, call, recent: true } => self.base(Base::Heap { alloc, call, recent: false }),
            _ => base,
        }
    }

    /// An object with the names that others have for what it points to.
    pub(super) fn as_seen_elsewhere(&mut self, object: Arc<Object>) -> Arc<Object> {
        let targets: Vec<BaseId> = object.targets().collect();
        if !targets.iter().any(|b| self.has_other_name(*b)) {
            return object;
        }
        let mut new = Object::clone(&object);
        let renamed = self.other_names(targets);
        new.map_values(|v| v.pointers = renamed(&v.pointers));
        Arc::new(new)
    }

    fn has_other_name(&self, base: BaseId) -> bool {
        match self.bases.get(base) {
            Base::Heap { recent, .. } => recent,
            Base::Variable(v) => self.may_be_several(v),
            Base::Gone(_) | Base::Strings(_) | Base::Text(_) | Base::Result | Base::Destination(_) => false,
        }
    }

    /// Puts the names that others have in the place of these.
    fn other_names(&mut self, targets: Vec<BaseId>) -> impl Fn(&Pointers) -> Pointers + use<> {
        let mut names: FxHashMap<BaseId, Option<BaseId>> = FxHashMap::default();
        for base in targets {
            if self.has_other_name(base) {
                let older = self.older(base);
                names.insert(base, Some(older).filter(|older| *older != base));
            }
        }
        move |pointers: &Pointers| {
            let mut all = pointers.clone();
            for (base, _) in pointers.targets() {
                match names.get(base) {
                    None => {}
                    Some(None) => return Pointers::any(),
                    Some(Some(name)) => all = all.rename(*base, *name),
                }
            }
            all
        }
    }

    /// A value that is handed over.
    pub(super) fn handed_over(&mut self, value: &Value) -> Value {
        let renamed = self.other_names(value.pointers.targets().iter().map(|t| t.0).collect());
        Value { pointers: renamed(&value.pointers), ..value.clone() }
    }

    /// The last blocks of allocations in `part` are told to others: from now on they are among the older ones in `state`, too, by which others
    /// call them. Whether there was one.
    pub(super) fn age_told(&mut self, state: &mut State, part: &State) -> bool {
        let mut told: Vec<BaseId> = Vec::new();
        part.each(|b, _| told.extend(self.bases.is_last_block(b).then_some(b)));
        for &block in &told {
            let older = self.older(block);
            let Some(last) = state.own_object(block).cloned() else { continue };
            state.note_pointers_to(&self.bases, block);
            let all = state.own_object(older).cloned().map_or(last.clone(), |all| Arc::new(all.join(&last)));
            state.set(older, all);
            self.call_older(state, block, older);
        }
        !told.is_empty()
    }

    /// Gives a block the name that others have for it.
    pub(super) fn call_older(&self, state: &mut State, block: BaseId, older: BaseId) {
        state.forget(block);
        state.rename(&State::default(), &|b| (b == block).then_some(older));
    }

    /// Adds to what a call reaches what changes where it tells others of blocks: older ones of the same allocation, and what points to the last
    /// one, which gets another name; and so on, where that is the last block of an allocation itself.
    pub(super) fn add_those_of_told_blocks(&self, state: &State, found: &mut FxHashSet<BaseId>) {
        let mut done: FxHashSet<BaseId> = FxHashSet::default();
        loop {
            let is_new = |b: &BaseId| self.bases.is_last_block(*b) && !done.contains(b);
            let told: Vec<BaseId> = found.iter().copied().filter(is_new).collect();
            if told.is_empty() {
                return;
            }
            let older = |b: &BaseId| match self.bases.get(*b) {
                Base::Heap { alloc, call, .. } => self.bases.find(Base::Heap { alloc, call, recent: false }),
                _ => None,
            };
            found.extend(told.iter().filter_map(older).filter(|b| state.mentions(*b)));
            state.each(|b, o| found.extend(told.iter().any(|t| o.leads_to(*t)).then_some(b)));
            done.extend(told);
        }
    }

    /// The last blocks of allocations that were told to others in a call that was followed, whatever way it took: they have no other
    /// name left.
    pub(super) fn told_within(&self, before: &State, after: &State) -> Vec<BaseId> {
        let mut told: Vec<BaseId> = Vec::new();
        before.each(|b, _| told.extend((self.bases.is_last_block(b) && !after.mentions(b)).then_some(b)));
        told
    }

    /// What a call of `f` has made of `state`, whose part `before` it could reach.
    pub(super) fn take_shared(&mut self, state: &mut State, before: &State, f: FuncId) {
        let changes = self.functions.changes(f);
        state.change_behind(&self.bases, &changes.0, &changes.1);
        let mut reached: Vec<BaseId> = Vec::new();
        // What was not in reach is no more than damaged: what others may know of it is of another caller.
        before.each(|b, _| reached.extend(self.is_among(&changes, b).then_some(b)));
        for base in reached {
            let Some(told) = self.shared.state.own_object(base).cloned() else { continue };
            let frees = changes.1.has(&self.bases, base);
            let new = match state.own_object(base).cloned() {
                // Blocks that nobody has been told of are as they were.
                Some(old) if self.bases.is_summary(base) => Arc::new(old.join(&told)),
                // What a call does not free lives as it did.
                Some(old) if !frees && old.life != told.life => {
                    Arc::new(Object { life: old.life, ..Object::clone(&told) })
                }
                _ => told,
            };
            // What was known beside it ends even where it looks the same.
            state.set(base, new);
        }
        for base in state.differing(&self.shared.state) {
            if self.bases.is_block(base)
                && !state.mentions(base)
                && let Some(told) = self.shared.state.own_object(base).cloned()
            {
                state.set(base, told);
            }
        }
        let caller = self.current().function;
        let freed = [self.functions.freed_before(caller), self.functions.changes(caller).1];
        self.revive(state, &freed);
        self.suffer_hidden(state, before, f);
    }

    /// Whether a base is among what is written or freed.
    fn is_among(&self, (written, freed): &(Extent, Extent), base: BaseId) -> bool {
        written.has(&self.bases, base) || self.bases.is_block(base) && freed.has(&self.bases, base)
    }

    /// Lets come over those objects of `state` that a call of `f` could not reach by name, but may change, what came over objects of which nobody
    /// knows.
    pub(super) fn suffer_hidden(&mut self, state: &mut State, before: &State, f: FuncId) {
        let (changes, bases) = (self.functions.changes(f), &self.bases);
        let nameless = |b: BaseId| matches!(bases.get(b), Base::Variable(v) if self.may_be_several(v));
        let hidden = |b: BaseId| (!before.mentions(b) || nameless(b)) && self.is_among(&changes, b);
        if !bases.reads.has(Asked::Damage) && state.mentions_any(hidden) {
            bases.reads.note(Asked::Damage);
        }
        state.suffer_as(bases, &self.shared.state, &hidden);
    }

    /// After an analysis of `f` that ends in `exit`: tells others, and keeps what is returned.
    pub(super) fn share_exit(&mut self, f: FuncId, exit: &State) -> State {
        self.share(exit, exit);
        let (mut result, base) = (self.result_part(f, exit), self.base(Base::Result));
        if let Some(object) = result.own_object(base).cloned() {
            let nodes = exit.pointers_known(&self.bases, base, |pointers| !pointers.targets().is_empty());
            let new = self.as_seen_elsewhere(object.clone());
            if !Arc::ptr_eq(&object, &new) {
                result.set(base, new);
            }
            for (cell, node) in nodes {
                result.paths_mut().note(cell, node.without_indices());
            }
        }
        result
    }

    /// What a function that runs at times that nobody knows may do to objects.
    pub(super) fn share_changes(&mut self, f: FuncId) {
        let (written, freed) = self.functions.changes(f);
        let mut state = State::default();
        state.spoil_extent(&self.bases, written, freed);
        self.share(&State::default(), &state);
    }
}
