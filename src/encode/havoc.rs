//! Forgetting what a loop writes: the state at a loop's head after any number of iterations.
//!
//! Scalars that no iteration writes keep their values. A pointer whose new values all come from pointers known at the head
//! stays a pointer to their objects, at any offset. Writes through other pointers forget the content of every object.

use super::automaton::{ContextId, EdgeKind, NodeId};
use super::calls::root;
use super::encoder::Encoder;
use super::log::{Log, Origin};
use super::state::{Cell, Object, State};
use super::value::{Shape, Value, choose};
use crate::ir::{CallId, Callee, ConstantBytes, Expr, ExprKind, Place, PlaceBase, StmtKind, VarId};
use crate::memory::{Base, Written};
use crate::smt::Term;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Where a new value comes from.
#[derive(Clone, Copy, Debug)]
enum Source<'p> {
    Expr(ContextId, &'p Expr),
    Unknown,
}

/// What the iterations of a loop write.
#[derive(Clone, Debug, Default)]
pub struct Writes<'p> {
    scalars: BTreeMap<Cell, Vec<Source<'p>>>,
    /// Variables that are objects and are written by name.
    objects: BTreeSet<Cell>,
    /// Variables that are objects and whose lives begin or end.
    lives: BTreeSet<Cell>,
    /// Pointers written through.
    through: Vec<(ContextId, &'p Expr)>,
    freed: bool,
    allocated: bool,
    /// Variables that are objects and are written in any activation.
    locals: BTreeSet<VarId>,
    /// Objects that are no variables are written: blocks, and what the relations name and the state does not.
    nameless: bool,
    /// Whatever has its address taken is written.
    escaped: bool,
}

impl Writes<'_> {
    /// The scalars that are written.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.scalars.keys().copied()
    }
}

impl<'p> Encoder<'_, 'p> {
    /// What the loop of `head` writes.
    pub fn loop_writes(&self, head: NodeId) -> Writes<'p> {
        let mut writes = Writes::default();
        for (id, node) in self.automaton.nodes.iter_enumerated() {
            if !self.automaton.order.is_inside(id, head) {
                continue;
            }
            let block = &self.program.functions[node.function].blocks[node.block];
            for stmt in &block.stmts[node.from..node.to] {
                self.note_statement(&mut writes, node.context, &stmt.kind);
            }
            for edge in &node.edges {
                match &edge.kind {
                    EdgeKind::Call { context, args, .. } => {
                        let function = self.automaton.contexts[*context].function;
                        for (param, arg) in self.program.functions[function].params.iter().zip(args.iter()) {
                            let cell = self.cell(*context, *param);
                            self.note_cell(&mut writes, cell, Source::Expr(node.context, arg));
                        }
                    }
                    EdgeKind::Skip { call, dest, .. } => {
                        self.note_called(&mut writes, *call);
                        if let Some(dest) = dest {
                            self.note_place(&mut writes, node.context, dest, Source::Unknown);
                        }
                    }
                    EdgeKind::Return(value, Some(dest)) => {
                        let source = value.map_or(Source::Unknown, |v| Source::Expr(node.context, v));
                        if let Some((caller, ..)) = self.automaton.contexts[node.context].caller {
                            self.note_place(&mut writes, caller, dest, source);
                        }
                    }
                    _ => {}
                }
            }
        }
        writes
    }

    fn note_statement(&self, writes: &mut Writes<'p>, context: ContextId, stmt: &'p StmtKind) {
        match stmt {
            StmtKind::Assign { place, value } => self.note_place(writes, context, place, Source::Expr(context, value)),
            StmtKind::InputBytes { ptr, .. } => writes.through.push((context, ptr)),
            StmtKind::Lib { function, args, .. } => {
                writes.through.extend(function.effects().writes.and_then(|n| args.get(n)).map(|p| (context, p)));
            }
            StmtKind::Free { .. } | StmtKind::Realloc { .. } => writes.freed = true,
            StmtKind::Call { call, callee, .. } => {
                if let Callee::Direct(f) = callee {
                    writes.allocated |= self.program.contracts.allocates_unseen(&self.program.functions[*f].name);
                }
                self.note_called(writes, *call);
            }
            StmtKind::LibraryCall { name, .. } => {
                writes.allocated |= self.program.contracts.allocates_unseen(name);
            }
            StmtKind::StorageLive(v) | StmtKind::StorageDead(v) => {
                let cell = self.cell(context, *v);
                if self.is_object(*v) {
                    writes.lives.insert(cell);
                } else {
                    writes.scalars.entry(cell).or_default();
                }
            }
            _ => {}
        }
        writes.allocated |= matches!(stmt, StmtKind::Alloc { .. } | StmtKind::Realloc { .. });
        if !matches!(stmt, StmtKind::Assign { .. }) {
            for place in stmt.written_places() {
                self.note_place(writes, context, place, Source::Unknown);
            }
        }
    }

    fn note_place(&self, writes: &mut Writes<'p>, context: ContextId, place: &'p Place, source: Source<'p>) {
        match &place.base {
            PlaceBase::Var(v) => {
                let cell = self.cell(context, *v);
                self.note_cell(writes, cell, source);
            }
            PlaceBase::Deref(pointer) => writes.through.push((context, pointer)),
        }
    }

    fn note_cell(&self, writes: &mut Writes<'p>, cell: Cell, source: Source<'p>) {
        if self.is_object(cell.variable) {
            writes.objects.insert(cell);
        } else {
            writes.scalars.entry(cell).or_default().push(source);
        }
    }

    /// The state at a loop's head after any number of iterations from `state`.
    pub fn havoc(&mut self, state: &State, writes: &Writes<'p>) -> State {
        let mut after = state.clone();
        for cell in writes.scalars.keys() {
            self.havoc_scalar(state, &mut after, writes, *cell);
        }
        for cell in &writes.objects {
            if let Some(base) = state.homes.get(cell).copied() {
                self.forget(&mut after, base);
            }
        }
        for cell in &writes.lives {
            if after.homes.contains_key(cell) {
                self.renew(&mut after, *cell);
                let live = self.any_condition("live");
                let base = after.homes[cell];
                for id in self.candidates(base).objects {
                    after.update(id, |o| o.live = live);
                }
            }
        }
        self.havoc_memory(state, &mut after, writes);
        after
    }

    fn named(&mut self, cell: Cell, shape: Shape) -> Value {
        let name = self.program.variables[cell.variable].name.clone();
        self.anything(&name, shape)
    }

    fn havoc_scalar(&mut self, state: &State, after: &mut State, writes: &Writes<'p>, cell: Cell) {
        let Some(old) = state.scalar(cell) else { return };
        let Some(shape) = self.shape(self.program.variables[cell.variable].ty) else { return };
        let mut new = self.named(cell, shape);
        if let (Value::Pointer { .. }, Value::Pointer { offset, .. }) = (old, new) {
            let mut bases = BTreeSet::new();
            if self.bases_of_cell(state, writes, cell, &mut BTreeSet::new(), &mut bases) {
                let mut values = bases.into_iter().map(|base| Value::Pointer { base, offset });
                let mut result = values.next().unwrap_or(new);
                for v in values {
                    let which = self.any_condition("which");
                    result = choose(&mut self.pool, which, v, result).unwrap_or(result);
                }
                new = result;
            }
        }
        after.set_scalar(cell, new);
    }

    /// The objects that the cell's values at the head and in the loop point to; false when some are not known.
    fn bases_of_cell(
        &mut self,
        state: &State,
        writes: &Writes<'p>,
        cell: Cell,
        seen: &mut BTreeSet<Cell>,
        bases: &mut BTreeSet<Term>,
    ) -> bool {
        if !seen.insert(cell) {
            return true;
        }
        match state.scalar(cell) {
            Some(Value::Pointer { base, .. }) => drop(bases.insert(base)),
            Some(Value::Bits(_)) => return false,
            None if !writes.scalars.contains_key(&cell) => return false,
            None => {} // Not alive at the head: its values come from the loop.
        }
        let sources = writes.scalars.get(&cell).cloned().unwrap_or_default();
        sources.iter().all(|source| match source {
            Source::Expr(context, e) => self.bases_of(state, writes, *context, e, seen, bases),
            Source::Unknown => false,
        })
    }

    fn bases_of(
        &mut self,
        state: &State,
        writes: &Writes<'p>,
        context: ContextId,
        e: &'p Expr,
        seen: &mut BTreeSet<Cell>,
        bases: &mut BTreeSet<Term>,
    ) -> bool {
        match &e.kind {
            ExprKind::PtrAdd(p, _) => self.bases_of(state, writes, context, p, seen, bases),
            ExprKind::Cast(a) if self.program.types.is_pointer(a.ty) => {
                self.bases_of(state, writes, context, a, seen, bases)
            }
            ExprKind::AddrOf(v, _) => self.bases_of_home(state, writes, context, *v, bases),
            ExprKind::Int(_) => {
                let none = self.pool.bv(super::value::BASE_BITS, 0);
                bases.insert(none);
                true
            }
            ExprKind::Load(place) => match place.as_var() {
                Some(v) if !self.is_object(v) => {
                    let cell = self.cell(context, v);
                    self.bases_of_cell(state, writes, cell, seen, bases)
                }
                _ => false,
            },
            _ => false,
        }
    }

    fn bases_of_home(
        &mut self,
        state: &State,
        writes: &Writes<'p>,
        context: ContextId,
        v: VarId,
        bases: &mut BTreeSet<Term>,
    ) -> bool {
        let cell = self.cell(context, v);
        match state.homes.get(&cell) {
            Some(base) if !writes.lives.contains(&cell) => {
                bases.insert(*base);
                true
            }
            _ => false,
        }
    }

    fn havoc_memory(&mut self, state: &State, after: &mut State, writes: &Writes<'p>) {
        let mut targets = BTreeSet::new();
        let mut known = !writes.escaped;
        for (context, pointer) in &writes.through {
            // An object that lives inside an iteration only is none at the head.
            if let Some(v) = root(pointer)
                && !state.homes.contains_key(&self.cell(*context, v))
            {
                continue;
            }
            known &= self.bases_of(state, writes, *context, pointer, &mut BTreeSet::new(), &mut targets);
        }
        known &= targets.iter().all(|base| self.candidates(*base).others.is_empty());
        for base in targets {
            self.forget(after, base);
        }
        let written = after.homes.iter().filter(|(cell, _)| writes.locals.contains(&cell.variable));
        let written: Vec<Term> = written.map(|(_, base)| *base).collect();
        written.into_iter().for_each(|base| self.forget(after, base));
        if writes.nameless {
            self.forget_nameless(after);
        }
        if !known {
            self.forget_escaped(after);
        }
        if writes.freed {
            let heap: Vec<_> = after.objects.iter().filter(|(_, o)| o.heap).map(|(id, o)| (*id, o.live)).collect();
            for (id, live) in heap {
                let still = self.any_condition("live");
                let live = self.pool.and(&[live, still]);
                after.update(id, |o| o.live = live);
            }
        }
        if writes.allocated {
            // Blocks of earlier iterations: nobody knows them, but they may be alive.
            let object = Object {
                size: self.address(0),
                live: self.any_condition("live"),
                heap: true,
                owner: None,
                constant: ConstantBytes::None,
                content: Log::new(Origin::Noise),
            };
            self.create(after, object);
        }
    }

    fn forget(&mut self, after: &mut State, base: Term) {
        for id in self.candidates(base).objects {
            after.update(id, |o| o.content = Log::new(Origin::anything()));
        }
    }

    /// Forgets what pointers may reach: all but variables whose addresses are never taken.
    pub(super) fn forget_escaped(&mut self, after: &mut State) {
        let mut kept = BTreeSet::new();
        for (cell, base) in after.homes.iter() {
            if !self.program.variables[cell.variable].address_taken {
                kept.extend(self.candidates(*base).objects);
            }
        }
        let objects = Rc::make_mut(&mut after.objects);
        for (id, object) in objects.iter_mut() {
            if !object.constant.is_all() && !kept.contains(id) {
                Rc::make_mut(object).content = Log::new(Origin::anything());
            }
        }
    }

    /// Forgets what objects hold that are no variables.
    fn forget_nameless(&mut self, after: &mut State) {
        let homes = after.homes.values().flat_map(|base| self.candidates(*base).objects);
        let named: BTreeSet<_> = homes.collect();
        for (id, object) in Rc::make_mut(&mut after.objects).iter_mut() {
            if !object.constant.is_all() && !named.contains(id) {
                Rc::make_mut(object).content = Log::new(Origin::anything());
            }
        }
    }

    /// What a call may write gets any value.
    pub(super) fn forget_written(&mut self, state: &mut State, written: &Written) {
        let mut writes = Writes::default();
        self.note_written(&mut writes, written);
        *state = self.havoc(state, &writes);
    }

    fn note_called(&self, writes: &mut Writes<'p>, call: CallId) {
        self.note_written(writes, &self.automaton.memory.written_by_call(call));
    }

    fn note_written(&self, writes: &mut Writes<'p>, written: &Written) {
        written.bases.iter().for_each(|base| self.note_base(writes, *base));
        writes.escaped |= written.through;
        if written.outside {
            self.note_outside(writes);
        }
    }

    fn note_base(&self, writes: &mut Writes<'p>, base: Base) {
        match base {
            Base::Variable(v) if self.program.variables[v].is_constant() => {}
            Base::Variable(v) if self.program.variables[v].is_static() => {
                self.note_cell(writes, self.cell(super::automaton::ROOT, v), Source::Unknown);
            }
            // Of any activation. What is no object no pointer reaches.
            Base::Variable(v) if self.is_object(v) => drop(writes.locals.insert(v)),
            Base::Variable(_) | Base::Function(_) => {}
            Base::Block(_)
            | Base::BlockOfCall(..)
            | Base::VariadicArguments(_)
            | Base::Arguments
            | Base::ArgumentStrings
            | Base::Environment
            | Base::EnvironmentStrings
            | Base::Outside => writes.nameless = true,
        }
    }

    /// Any code may run: all static variables and all that pointers reach, unless the relations know better.
    fn note_outside(&self, writes: &mut Writes<'p>) {
        if let Some(reached) = self.automaton.memory.outside_reached() {
            return reached.iter().for_each(|base| self.note_base(writes, *base));
        }
        for (v, variable) in self.program.variables.iter_enumerated() {
            if variable.is_static() && !variable.is_constant() {
                self.note_cell(writes, self.cell(super::automaton::ROOT, v), Source::Unknown);
            }
        }
        writes.escaped = true;
    }
}
