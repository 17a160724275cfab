//! [`Memory`]: what the memory relations say of a program, from the best layer that has an answer.

use super::effects::Effects;
use super::ids::Ids;
use super::location::Base;
use super::points_to::{Changes, PointsTo};
use super::run::RuleRun;
use super::strategy::Strategy;
use crate::datalog::programs::{column, effects, memory, strategy};
use crate::datalog::{Limits, RunError};
use crate::facts::emit::{Emitted, Names, emit};
use crate::facts::{FactStore, row};
use crate::ir::{AllocId, CallId, Expr, FuncId, Program, VarId};
use std::sync::Arc;

/// What a call may write.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// These objects,
    pub bases: Vec<Base>,
    /// all whose address is taken, and the heap,
    pub through: bool,
    /// all that code outside of the program reaches.
    pub outside: bool,
}

impl Written {
    fn add(&mut self, other: Written) {
        self.bases.extend(other.bases);
        self.bases.sort_unstable();
        self.bases.dedup();
        self.through |= other.through;
        self.outside |= other.outside;
    }
}

/// The memory relations of one program. Built once, then only read.
///
/// There are two layers. [`Effects`] is by text and types, and always there. [`PointsTo`] is by sets of targets, and asked where its
/// rules end within their limits and the program hides no addresses from them. Every answer is an upper bound, so that one that comes from the lower layer is right, too.
#[derive(Debug)]
pub struct Memory {
    facts: FactStore,
    ids: Arc<Ids>,
    effects: Effects,
    pub(super) points_to: Result<PointsTo, RunError>,
    runs: Vec<RuleRun>,
    strategy: Strategy,
}

/// What a program is looked at with, besides its text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Setting<'a> {
    /// Where execution begins, called by unknown code; none: in `main`. Without a `main`, too, unknown code may call every function that
    /// can be named elsewhere.
    pub entries: &'a [FuncId],
    /// What the profile bounds by what, for the rules of strategy (`profile_bound`).
    pub bounds: &'a [(&'static str, usize)],
}

impl Memory {
    /// The relations of a small program, whatever they take.
    pub fn of(program: &Program) -> Memory {
        Memory::build(program, &Setting::default(), &Limits::default())
    }

    /// States `program` as facts and runs the rules of both layers on them, and those of strategy. `limits` are those of points-to.
    pub fn build(program: &Program, setting: &Setting<'_>, limits: &Limits) -> Memory {
        let mut emitted = emit(program);
        let Setting { entries, bounds } = setting;
        let rows =
            entries.iter().map(|f| row::EntryFunction { function: column::Function(emitted.names.function(*f)) });
        emitted.facts.entry_function.extend(rows);
        for (what, most) in *bounds {
            let (what, most) = (emitted.facts.symbols.intern(what), i64::try_from(*most).unwrap_or(i64::MAX));
            emitted.facts.profile_bound.push(row::ProfileBound { what, most });
        }
        let (by_type, first) = RuleRun::of(|| effects::run(&emitted.facts, &Limits::default()));
        let by_type = by_type.expect("without limits, rules end");
        let (by_targets, second) = RuleRun::of(|| memory::run(&emitted.facts, limits));
        let (strategy, third) = RuleRun::of(|| strategy::run(&emitted.facts, &Limits::default()));
        let strategy = strategy.expect("without limits, rules end");
        let mut memory = Memory::new(program, emitted, by_type, by_targets, vec![first, second, third]);
        memory.strategy = Strategy::new(program, &memory.ids, &strategy);
        memory
    }

    /// The view of what the rules made of `emitted`, the facts of `program`.
    pub fn new(
        program: &Program,
        emitted: Emitted,
        by_type: effects::Results,
        by_targets: Result<memory::Results, RunError>,
        runs: Vec<RuleRun>,
    ) -> Memory {
        let Emitted { facts, names, values } = emitted;
        let ids = Arc::new(Ids::of(program, names, values));
        Memory {
            effects: Effects::new(program, &ids, by_type),
            points_to: by_targets.map(|results| PointsTo::new(program, &ids, &facts, results)),
            runs,
            facts,
            ids,
            strategy: Strategy::default(),
        }
    }

    /// The facts of the program.
    pub fn facts(&self) -> &FactStore {
        &self.facts
    }
    /// How they name what the IR numbers.
    pub fn names(&self) -> &Names {
        &self.ids.names
    }
    /// The layer by sets of targets, if its rules have ended and the program hides no addresses from them.
    pub fn points_to(&self) -> Option<&PointsTo> {
        self.points_to.as_ref().ok().filter(|points_to| points_to.hidden_by().is_none())
    }
    /// Whether bytes that are read may be those of an address that went out of the program before; true where the rules that tell have not ended.
    pub fn returns_addresses(&self) -> bool {
        self.points_to.as_ref().map_or(true, PointsTo::returns_addresses)
    }
    /// Whether numbers may be converted to pointers that lead somewhere; true where the rules that tell have not ended.
    pub fn makes_pointers_of_numbers(&self) -> bool {
        self.points_to.as_ref().map_or(true, |points_to| points_to.hidden_by().is_some())
    }
    /// Why the layer by sets of targets is not asked although it is there.
    pub fn hidden_by(&self) -> Option<String> {
        self.points_to.as_ref().ok()?.hidden_by()
    }
    /// The rule programs that have run, in their order.
    pub fn runs(&self) -> &[RuleRun] {
        &self.runs
    }

    /// How calls, functions and loops are to be analysed.
    pub fn strategy(&self) -> &Strategy {
        &self.strategy
    }
    /// Puts what users' rules say on top of that.
    pub fn override_strategy(&mut self, users: Strategy) {
        self.strategy.override_by(users);
    }

    /// The functions whose address the program takes, sorted.
    pub fn taken(&self) -> &[FuncId] {
        self.effects.taken()
    }
    /// The functions that the library may call at any time after they were handed over, sorted.
    pub fn called_later(&self) -> &[FuncId] {
        self.effects.called_later()
    }
    /// The index of the next argument, where `function` is `getopt` or one of its kin and leaves it between 1 and the number of arguments.
    pub fn option_index(&self, function: FuncId) -> Option<VarId> {
        self.effects.option_index(function)
    }
    /// The functions that a call may call, with or without a body, sorted.
    pub fn callees(&self, call: CallId) -> &[FuncId] {
        match self.points_to() {
            Some(points_to) => points_to.callees(call),
            None => self.effects.callees(call),
        }
    }
    /// Whether the call may call code that nothing is known of, besides those that [`Memory::callees`] names.
    pub fn calls_unknown(&self, call: CallId) -> bool {
        match self.points_to() {
            Some(points_to) => points_to.calls_unknown(call),
            None => self.effects.calls_unknown(call),
        }
    }
    /// The functions that control may be in next after `function`: those that it calls, and those that code outside of the program
    /// calls back from it; sorted.
    pub fn entered_from(&self, function: FuncId) -> &[FuncId] {
        match self.points_to() {
            Some(points_to) => points_to.entered_from(function),
            None => self.effects.entered_from(function),
        }
    }
    /// Whether a call of `function` may lead to another one before it returns.
    pub fn is_recursive(&self, function: FuncId) -> bool {
        match self.points_to() {
            Some(points_to) => points_to.is_recursive(function),
            None => self.effects.is_recursive(function),
        }
    }
    /// Whether all that `function` returns was allocated in the same activation, by `alloc` among others.
    pub fn wraps(&self, function: FuncId, alloc: AllocId) -> bool {
        self.points_to().is_some_and(|points_to| points_to.wraps(function, alloc))
    }
    /// The functions that control may come to from `function` before it leaves it, itself included; sorted.
    pub fn reachable_from(&self, function: FuncId) -> Vec<FuncId> {
        match self.points_to() {
            Some(points_to) => {
                let mut all = points_to.reachable_from(function);
                if let Err(at) = all.binary_search(&function) {
                    all.insert(at, function);
                }
                all
            }
            None => self.effects.reachable_from(function),
        }
    }
    /// The static variables that `function` and what it may come to name, and those that constants among them hold the
    /// addresses of; sorted.
    pub fn named(&self, function: FuncId) -> Vec<VarId> {
        self.effects.named(function)
    }
    /// The allocation sites of `function` and what it may come to, sorted.
    pub fn allocs(&self, function: FuncId) -> Vec<AllocId> {
        self.effects.allocs(function)
    }
    /// Whether `function` may come to code that is not in the program.
    pub fn leaves_program(&self, function: FuncId) -> bool {
        self.effects.leaves_program(function)
    }
    /// Whether some function may write the static variable by its name.
    pub fn sets_somewhere(&self, v: VarId) -> bool {
        self.effects.sets_somewhere(v)
    }
    /// What `function` and what it calls may write.
    pub fn written_by(&self, function: FuncId) -> Written {
        match self.changes(function) {
            Some(changes) => Written { bases: changes.written.clone(), ..Written::default() },
            None => Written {
                bases: self.effects.set(function).into_iter().map(Base::Variable).collect(),
                through: self.effects.writes_through(function),
                outside: self.effects.leaves_program(function) || self.points_to().is_some(),
            },
        }
    }
    /// Whether `function` or what it calls may free a block of the heap, as far as types say.
    pub fn releases(&self, function: FuncId) -> bool {
        self.effects.releases(function) || self.effects.leaves_program(function)
    }
    /// What a call may write.
    pub fn written_by_call(&self, call: CallId) -> Written {
        let mut all = self.written_outside(call);
        for callee in self.callees(call) {
            all.add(self.written_by(*callee));
        }
        for callee in self.calls_back(call).filter(|_| self.calls_unknown(call)).into_iter().flatten() {
            all.add(self.written_by(*callee));
        }
        all
    }
    /// What code outside of the program may write while a call runs, the program's own functions apart.
    fn written_outside(&self, call: CallId) -> Written {
        match self.changed_outside(call) {
            Some(bases) => Written { bases, ..Written::default() },
            None => Written { outside: self.calls_unknown(call), ..Written::default() },
        }
    }
    /// The objects that code outside of the program may reach; None where nobody knows.
    pub fn outside_reached(&self) -> Option<Vec<Base>> {
        Some(self.points_to()?.outside_reached())
    }
    /// The objects that a pointer of the program's text points into where it is valid; None where nobody knows.
    pub fn target_bases(&self, program: &Program, pointer: &Expr) -> Option<Arc<[Base]>> {
        self.points_to()?.target_bases(program, pointer)
    }
    /// The functions that code outside of the program may call while `call` runs, sorted; None where nobody knows.
    pub fn calls_back(&self, call: CallId) -> Option<&[FuncId]> {
        let points_to = self.points_to()?;
        Some(if points_to.calls_unknown(call) { points_to.outside_calls() } else { points_to.callees(call) })
    }
    /// The objects that code outside of the program may change while `call` runs, the program's own functions apart; None where
    /// nobody knows.
    pub fn changed_outside(&self, call: CallId) -> Option<Vec<Base>> {
        Some(self.points_to()?.changed_outside(call))
    }
    /// The objects that `function` and what it calls may change; None where nobody knows.
    pub fn changes(&self, function: FuncId) -> Option<&Changes> {
        self.points_to()?.changes(function)
    }
    /// The objects of which a block may have been freed before `function` begins, sorted; None where nobody knows.
    pub fn freed_before(&self, function: FuncId) -> Option<Vec<Base>> {
        self.points_to()?.freed_before(function)
    }
}
