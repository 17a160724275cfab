//! The memory relations held against runs of the interpreter: what a run does lies inside of what they say may happen.
//!
//! Held are the answers that engines ask: the callees of a call, what control comes to from a function, where pointers lead, what every
//! active function may write and free.

use super::search::dictionary::Dictionary;
use super::search::steered::random_inputs;
use crate::concrete::{Defaults, Limits, Machine, ObjectKind, Observer, Pointer, Prepared};
use crate::ir::BlockId;
use crate::ir::program::ENTRY;
use crate::ir::{CallId, Callee, Expr, FuncId, Place, PlaceBase, Program, Stmt, StmtKind};
use crate::memory::{Base, Changes, Memory};
use std::collections::{BTreeMap, BTreeSet};

/// What runs showed of the relations.
#[derive(Debug, Default)]
pub struct Inside {
    /// How many answers were held against what a run did, by the question.
    pub held: BTreeMap<&'static str, u64>,
    /// What runs did that the relations exclude, each once.
    pub outside: BTreeSet<String>,
}

/// Runs the program so many times from `entry`: on plain inputs first, then on random ones.
pub fn hold_relations(program: &Program, memory: &Memory, entry: FuncId, runs: u64, limits: &Limits) -> Inside {
    let (dictionary, prepared) = (Dictionary::of(program), Prepared::new(program));
    let mut watch = Watch { program, memory, called: None, entering: None, found: Inside::default() };
    for seed in 0..runs {
        match seed {
            0 => prepared.run(entry, &mut Defaults, limits, &mut watch),
            _ => prepared.run(entry, &mut random_inputs(&dictionary, seed), limits, &mut watch),
        };
    }
    watch.found
}

struct Watch<'a> {
    program: &'a Program,
    memory: &'a Memory,
    /// The call that is about to run, and the function that it stands in.
    called: Option<(CallId, FuncId)>,
    /// What it calls, until control is there.
    entering: Option<(CallId, FuncId, FuncId)>,
    found: Inside,
}

impl Watch<'_> {
    fn hold(&mut self, question: &'static str, inside: bool, what: impl FnOnce() -> String) {
        *self.found.held.entry(question).or_default() += 1;
        if !inside {
            self.found.outside.insert(format!("{question}: {}", what()));
        }
    }

    fn name(&self, f: FuncId) -> &str {
        &self.program.functions[f].name
    }

    /// The object that a valid pointer leads to, as the relations name objects.
    fn is(&self, kind: &ObjectKind, base: Base) -> bool {
        match (kind, base) {
            (ObjectKind::Variable(v, _), Base::Variable(w)) => *v == w,
            (ObjectKind::Allocated(site, _), Base::Block(alloc) | Base::BlockOfCall(alloc, _)) => *site == alloc,
            (ObjectKind::Arguments, base) => {
                matches!(base, Base::Arguments | Base::ArgumentStrings | Base::Environment | Base::EnvironmentStrings)
            }
            _ => false,
        }
    }

    /// Whether the relations tell such objects apart.
    fn is_told(kind: &ObjectKind) -> bool {
        matches!(kind, ObjectKind::Variable(..) | ObjectKind::Allocated(..) | ObjectKind::Arguments)
    }

    /// Something is written through `pointer`, or to what it leads to is freed.
    fn access<'p>(&mut self, pointer: &'p Expr, frees: bool, machine: &mut Machine<'p>) {
        let Some(value) = machine.peek(pointer) else { return };
        let Pointer::Object { slot, live: true, .. } = machine.pointer(value) else { return };
        let kind = machine.view(slot).kind.clone();
        if !Watch::is_told(&kind) {
            return;
        }
        if let Some(bases) = self.memory.target_bases(self.program, pointer) {
            let inside = bases.iter().any(|base| self.is(&kind, *base));
            let at = machine.call_stack().last();
            self.hold("points-to", inside, || format!("{kind:?} in {:?}, not in {bases:?}", at));
        }
        let active: BTreeSet<FuncId> = machine.call_stack().collect();
        for f in active {
            let Some(Changes { written, freed }) = self.memory.changes(f) else { continue };
            let (question, list) = if frees { ("frees", freed) } else { ("writes", written) };
            let inside = list.iter().any(|base| self.is(&kind, *base));
            let name = self.name(f).to_owned();
            self.hold(question, inside, || format!("{kind:?} by {name}"));
        }
    }

    fn write<'p>(&mut self, place: &'p Place, machine: &mut Machine<'p>) {
        match &place.base {
            PlaceBase::Deref(pointer) => self.access(pointer, false, machine),
            PlaceBase::Var(v) if self.program.variables[*v].is_static() => {
                let active: BTreeSet<FuncId> = machine.call_stack().collect();
                for f in active {
                    let Some(changes) = self.memory.changes(f) else { continue };
                    let inside = changes.written.binary_search(&Base::Variable(*v)).is_ok();
                    let (variable, name) = (self.program.variables[*v].name.clone(), self.name(f).to_owned());
                    self.hold("writes", inside, || format!("{variable} by {name}"));
                }
            }
            PlaceBase::Var(_) => {}
        }
    }

    /// `caller` calls `callee`: control comes there from all that are active.
    fn enter(&mut self, caller: FuncId, callee: FuncId) {
        let (from, to) = (self.name(caller).to_owned(), self.name(callee).to_owned());
        let inside = self.memory.entered_from(caller).binary_search(&callee).is_ok();
        self.hold("enters", inside, || format!("{to} from {from}"));
        let inside = self.memory.reachable_from(caller).binary_search(&callee).is_ok();
        self.hold("comes to", inside, || format!("{to} from {from}"));
    }
}

impl Observer for Watch<'_> {
    fn at_call(&mut self, function: FuncId) {
        // Functions that the library calls have no call of their own.
        self.entering = self.called.take().map(|(call, caller)| (call, caller, function));
    }

    fn enter_block(&mut self, function: FuncId, block: BlockId, _machine: &Machine<'_>) {
        let Some((call, caller, callee)) = self.entering.take() else { return };
        // A call with another signature ends the run.
        if function != callee || block != ENTRY {
            return;
        }
        let inside = self.memory.callees(call).binary_search(&function).is_ok();
        let name = self.name(function).to_owned();
        self.hold("callees", inside, || format!("{name} by {call}"));
        self.enter(caller, function);
    }

    fn before_statement<'p>(&mut self, stmt: &'p Stmt, machine: &mut Machine<'p>) {
        self.called = None;
        for place in stmt.kind.written_places() {
            // What a call returns is written by the caller, when it is back.
            if !matches!(stmt.kind, StmtKind::Call { .. }) {
                self.write(place, machine);
            }
        }
        match &stmt.kind {
            StmtKind::Call { call, callee: Callee::Direct(_) | Callee::Indirect(_), .. } => {
                let caller = machine.call_stack().last();
                self.called = caller.map(|caller| (*call, caller));
            }
            StmtKind::InputBytes { ptr, .. } => self.access(ptr, false, machine),
            StmtKind::Free { ptr } => self.access(ptr, true, machine),
            StmtKind::Lib { function, args, .. } => {
                if let Some(pointer) = function.effects().writes.and_then(|n| args.get(n)) {
                    self.access(pointer, false, machine);
                }
            }
            _ => {}
        }
    }
}
