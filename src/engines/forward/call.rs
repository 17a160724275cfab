//! Calls: into the callee with the caller's state, by a summary from an equal state, with nothing but arguments and results going in and
//! out, or by forgetting what it may change.

use super::analyzer::{Activation, Analyzer, Calls, Flow, Summary};
use super::arguments::Argument;
use super::bases::Base;
use super::differences::{Cell, Copied};
use super::execute::{is_aggregate, is_indirect};
use super::extent::{Extent, Target};
use super::lists::{Lists, Source};
use super::object::{Life, Object};
use super::paths::Node;
use super::shape::{Kind, Shape};
use super::state::State;
use super::texts::{Holder, Pointer};
use crate::domains::{BaseId, Int, Pointers, Value};
use crate::ir::{CallId, Callee, Expr, ExprKind, FuncId, Place, Type, TypeId, VarId, Variable};
use crate::memory;
use crate::verdict::Reason;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// What rules of strategy say of a call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Entered {
    Followed,
    Joined,
    /// It stands for its effects.
    Never,
}

impl Analyzer<'_, '_> {
    /// A call statement. False when no callee returns.
    pub(super) fn call(
        &mut self,
        flow: &mut Flow,
        call: CallId,
        dest: Option<&Place>,
        callee: &Callee,
        args: &[Expr],
    ) -> bool {
        let arguments: Vec<Argument> = args.iter().map(|a| self.argument(flow, a)).collect();
        let (functions, unknown) = match callee {
            Callee::Direct(f) => (vec![*f], false),
            Callee::Indirect(e) => {
                let value = self.view(flow).eval(e);
                if value.pointers.is_any() || value.undefined {
                    (self.memory.callees(call).to_vec(), self.memory.calls_unknown(call))
                } else {
                    // A function whose type does not fit is not entered: the call's own check ends executions there.
                    let callees = self.memory.callees(call);
                    let fits = |f: &FuncId| callees.binary_search(f).is_ok();
                    (value.pointers.functions().iter().copied().filter(fits).collect(), false)
                }
            }
        };
        // Where the result goes is settled before the call: the address travels with the state.
        let depth = self.stack.len() as u32;
        let parked = self.base(Base::Destination(depth));
        let word = Shape { size: self.program.types.pointer_size() as u8, kind: Kind::Unsigned };
        if let Some(place) = dest.filter(|p| is_indirect(p)) {
            let address = self.view(flow).address(place);
            let object = Object::of_elements(Int::constant(i128::from(word.size)), word, Value::pointers(address));
            flow.state.set(parked, Arc::new(object));
        }
        let scan = self.scan_of(flow, &functions, args);
        let mut after: Option<State> = None;
        let most = self.memory.strategy().callees(call).unwrap_or(self.options.callees);
        let entered = match most {
            0 => Entered::Never,
            most if functions.len() > most => Entered::Joined,
            _ => Entered::Followed,
        };
        for f in functions {
            if let Some(state) = self.call_function(flow.state.clone(), call, f, &arguments, dest, entered) {
                after = Some(after.map_or(state.clone(), |a| a.join(&state, &self.bases)));
            }
        }
        if unknown {
            let mut side = flow.clone();
            self.unknown_call(&mut side, call, "code that a pointer leads to");
            let result = Value { undefined: true, ..self.unknown_result(dest) };
            self.set_result(&mut side.state, result, dest.map(|d| d.ty));
            after = Some(after.map_or(side.state.clone(), |a| a.join(&side.state, &self.bases)));
        }
        let Some(state) = after else { return false };
        flow.state = state;
        if let Some(place) = dest {
            let address = if is_indirect(place) {
                flow.state.object(&self.bases, parked).map_or(Pointers::any(), |o| o.read(0, word).pointers)
            } else {
                self.view(flow).address(place)
            };
            self.deliver(flow, place, &address);
        }
        flow.state.forget(parked);
        flow.state.settle(Cell::Result, None);
        let result = self.base(Base::Result);
        flow.state.forget(result);
        scan.is_none_or(|scan| self.learn_scan(flow, scan))
    }

    /// Writes what the callee returned.
    fn deliver(&mut self, flow: &mut Flow, place: &Place, address: &Pointers) {
        let result = self.base(Base::Result);
        let Some(object) = flow.state.object(&self.bases, result).cloned() else {
            return self.store_unknown_at(flow, place, address);
        };
        match Shape::of(&self.program.types, place.ty) {
            Some(shape) => {
                let value = object.read(0, shape);
                let value = if value.is_bottom() { shape.anything() } else { value };
                let text = flow.state.text(held_pointer(result), &value);
                let node = flow.state.paths().held_in(result).next().map(|(_, node)| node.clone());
                let cell = self.view(flow).holder_at(place, address);
                let filled = self.view(flow).filled_by_result(place, address, &value);
                let held = Holder::of(result, 0, shape);
                let to = cell.filter(|cell| !self.bases.is_block(cell.base));
                let listed = to.zip(held).map(|(to, from)| flow.state.listed_copy(&self.bases, to, Source::Cell(from)));
                self.store_at(flow, place, address, value.clone());
                if let Some(listed) = listed {
                    flow.state.lists_mut().add(listed);
                }
                flow.state.note_filled(filled);
                // What is read in another shape than it was given is another number.
                let same = object.cells().next().is_some_and(|(_, c)| c.shape == shape);
                flow.state.settle(Cell::Result, cell.filter(|_| same));
                if let (Some(cell), Some(held)) = (cell.filter(|_| same), held) {
                    flow.state.implications_mut().copy(held, cell);
                }
                if let Some((cell, node)) = cell.zip(node) {
                    flow.state.paths_mut().note(cell, self.after_write(node, place, address));
                }
                self.note_written(flow, cell, &value, text);
            }
            None => {
                let len = self.program.types.size_of(place.ty).unwrap_or(0);
                let to = self.target_at(place, address.clone());
                self.copy(flow, &to, &Pointers::to(result, Int::constant(0)), Int::constant(i128::from(len)));
                self.open_padding(flow, &to, place.ty);
            }
        }
    }

    fn unknown_result(&self, dest: Option<&Place>) -> Value {
        let Some(dest) = dest else { return Shape::BYTE.anything() };
        let (types, view) = (&self.program.types, Shape::of(&self.program.types, dest.ty));
        let narrow = types.as_int(dest.ty).is_some() && types.size_of(dest.ty) < Some(types.pointer_size());
        match view {
            // Assumption D18.
            Some(shape) if narrow => shape.top(),
            shape => shape.map_or(Shape::BYTE.anything(), Shape::anything),
        }
    }

    fn set_result(&mut self, state: &mut State, value: Value, ty: Option<TypeId>) {
        let base = self.base(Base::Result);
        let types = &self.program.types;
        let size = Int::constant(i128::from(ty.and_then(|t| types.size_of(t)).unwrap_or(1)));
        let object = match ty.and_then(|t| Shape::of(types, t)) {
            Some(shape) => {
                let mut object = Object::new(size, Value::indeterminate());
                object.write(0, shape, value);
                object
            }
            None => Object::new(size, Value { undefined: value.undefined, ..Shape::BYTE.anything() }),
        };
        state.set(base, Arc::new(object));
    }

    /// Return: the result travels in a base of its own.
    pub(super) fn leave(&mut self, flow: &mut Flow, value: Option<&Expr>) {
        let f = self.current().function;
        let ty = match self.program.types.get(self.program.functions[f].ty) {
            Type::Function(t) => t.result,
            _ => self.program.types.void(),
        };
        let Some(value) = value else {
            if ty != self.program.types.void() {
                let size = self.program.types.size_of(ty).unwrap_or(1);
                let base = self.base(Base::Result);
                let object = Object::new(Int::constant(i128::from(size)), Value::indeterminate());
                flow.state.set(base, Arc::new(object));
            }
            return;
        };
        match &value.kind {
            ExprKind::Load(place) if is_aggregate(&self.program.types, value.ty) => {
                let from = self.view(flow).address(place);
                let (base, size) = (self.base(Base::Result), self.program.types.size_of(value.ty).unwrap_or(0));
                let len = Int::constant(i128::from(size));
                flow.state.set(base, Arc::new(Object::new(len, Value::indeterminate())));
                self.copy(flow, &Target::of(Pointers::to(base, Int::constant(0))), &from, len);
            }
            _ => {
                let result = self.view(flow).eval(value);
                let text = self.text_copied(flow, value, &result);
                let copied = self.view(flow).copied_terms(value);
                flow.state.note_copied(Cell::Result, &copied);
                let node = self.view(flow).node(value).map(Node::without_indices);
                let source = if let ExprKind::Load(place) = &value.kind { Some(&**place) } else { None };
                let carried = self.carried(flow, value, &result, source);
                let (shape, from) = (Shape::of(&self.program.types, value.ty), self.view(flow).source(value));
                self.set_result(&mut flow.state, result.clone(), Some(value.ty));
                if let Some(cell) = shape.and_then(|shape| Holder::of(self.base(Base::Result), 0, shape)) {
                    flow.state.note_carried(&self.bases, cell, &carried);
                    let listed = flow.state.listed_copy(&self.bases, cell, from);
                    flow.state.lists_mut().add(listed);
                }
                if self.calls.pass_no_state() {
                    self.note_result(flow, &result, node);
                }
                if let Some(text) = text {
                    let base = self.base(Base::Result);
                    flow.state.note_text(held_pointer(base), &result, text);
                }
            }
        }
    }

    /// Notes what is known of a pointer that is returned, of which nothing has a name any more.
    fn note_result(&mut self, flow: &mut Flow, value: &Value, node: Option<Node>) {
        let base = self.base(Base::Result);
        let node = flow.state.implied_node(&self.bases, value).or(node);
        let cell = Holder { base, at: 0, size: self.program.types.pointer_size() as u8, signed: false };
        if let Some(node) = node.filter(|_| !value.pointers.is_none()) {
            flow.state.paths_mut().note(cell, node);
        }
    }

    /// The states after a call of `f`, with the result in its base.
    fn call_function(
        &mut self,
        state: State,
        call: CallId,
        f: FuncId,
        args: &[Argument],
        dest: Option<&Place>,
        entered: Entered,
    ) -> Option<State> {
        let function = &self.program.functions[f];
        if !function.has_body() {
            let mut flow = Flow::new(state);
            if let Some(reason) = &function.failed {
                let by = format!("may be called by {}, which was not understood: {reason}", function.name);
                self.give_up(f, &Reason::Unsupported(by), Some(call));
                flow.state.spoil_program(&self.bases);
            } else {
                self.unknown_call(&mut flow, call, &function.name);
            }
            let result = self.unknown_result(dest);
            self.set_result(&mut flow.state, result, dest.map(|d| d.ty));
            return (!function.noreturn).then_some(flow.state);
        }
        if self.calls == Calls::Skipped || entered == Entered::Never {
            self.give_up(f, &Reason::Unsupported("called where rules of strategy follow no call".into()), Some(call));
            let mut flow = Flow::new(state);
            let (written, freed) = self.functions.changes(f);
            flow.state.spoil_extent(&self.bases, written, freed);
            let result = self.unknown_result(dest);
            let result = Value { undefined: true, ..result };
            self.set_result(&mut flow.state, result, dest.map(|d| d.ty));
            return Some(flow.state);
        }
        let recursive = self.stack.iter().any(|a| a.function == f);
        let joined =
            recursive || entered == Entered::Joined || self.stack.len() >= self.options.depth || self.is_joined(f);
        if joined && self.shares() {
            return self.call_sharing(state, call, f, args);
        }
        if joined && self.calls.pass_no_state() {
            return self.call_apart(state, call, f, args);
        }
        let reached = self.reached_by_call(&state, f, args);
        // States of several calls come together in summaries: variables of another run may be there with none under way here, for pointers to
        // them or for what they point to.
        let owner = |b: &BaseId| self.program.variables.get(VarId(b.0)).and_then(Variable::owner);
        let joined = joined || self.memory.is_recursive(f) && reached.iter().any(|b| owner(b) == Some(f));
        let mut before = state.part(reached);
        if joined {
            self.without_earlier_runs(&mut before, f);
        }
        let mut entry = before.clone();
        let copied: Vec<&[Copied]> = args.iter().map(Argument::copied).collect();
        *entry.bounds_mut() = self.bounds_of_entry(&state, &before, &copied);
        self.bind(&mut entry, f, args);
        // Joined calls are of other runs too, whose variables go by the same names.
        let follows = !joined && !self.shares();
        if follows {
            *entry.lists_mut() = self.lists_given(&state, &before, f, args);
            entry.frames = state.frames.with(f);
        }
        let mut after = if joined {
            self.open_pointers_to_earlier_runs(&mut entry, f);
            self.enter_context(self.context(f, call), entry)?
        } else {
            self.enter(f, Some(call), entry)?
        };
        let mut state = state;
        if joined {
            self.age_blocks_of_earlier_runs(&mut state, f);
        }
        self.note_given(&mut state, &mut after, &copied);
        let (written, freed) = self.functions.changes(f);
        let touched = self.functions.touched(&self.bases, f);
        let bases = &self.bases;
        let may_be_new = |b: BaseId| !matches!(bases.get(b), Base::Variable(_)) || bases.implicit(b).is_some();
        let made = |b| matches!(bases.get(b), Base::Heap { alloc, .. } if touched.allocs.contains(&alloc));
        // Variables of one run of a function are not those of another, and neither is the last block of an allocation that goes on.
        let runs_once = !self.memory.is_recursive(f);
        let unwritten = |b: BaseId| {
            let is_same = match bases.get(b) {
                Base::Variable(_) => runs_once || owner(&b).is_none(),
                Base::Heap { .. } => !made(b) && !freed.has(bases, b),
                _ => false,
            };
            is_same && !written.has(bases, b)
        };
        let told = if self.shares() { self.told_within(&before, &after) } else { Vec::new() };
        told.iter().for_each(|block| state.note_pointers_to(bases, *block));
        let mut all = state.rejoin(bases, &before, &after, may_be_new, unwritten);
        all.change_behind(&self.bases, &written, &freed);
        all.retain_held(|base| !made(base));
        all.adopt_living(&self.bases, &after, |b| before.mentions(b));
        all.adopt_implications(&after, |b| before.mentions(b) || (!state.mentions(b) && may_be_new(b)));
        all.forget_given();
        if follows {
            let changed = |b: BaseId| made(b) || written.has(&self.bases, b);
            *all.lists_mut() = state.lists_back(&self.bases, &after, |base| before.mentions(base), (changed, &freed));
        }
        if self.shares() {
            for block in told {
                let older = self.older(block);
                self.call_older(&mut all, block, older);
            }
            self.suffer_hidden(&mut all, &before, f);
        }
        Some(all)
    }

    /// The states after a call into which nothing goes but its arguments, and out of which nothing comes but its result.
    fn call_apart(&mut self, mut state: State, call: CallId, f: FuncId, args: &[Argument]) -> Option<State> {
        let mut entry = self.any_state();
        let given: Vec<Argument> = args.iter().map(|arg| self.unnamed(&state, arg)).collect();
        let copied: Vec<&[Copied]> = given.iter().map(Argument::copied).collect();
        *entry.bounds_mut() = self.bounds_of_entry(&state, &State::default(), &copied);
        self.bind(&mut entry, f, &given);
        *state.lists_mut() = Lists::default();
        let after = self.enter_context(self.context(f, call), entry)?;
        let (written, freed) = self.functions.changes(f);
        state.spoil_extent(&self.bases, written, freed);
        self.take_result(&mut state, &after);
        Some(state)
    }

    /// The states after a call into which its arguments go, and what others may know of memory.
    fn call_sharing(&mut self, mut state: State, call: CallId, f: FuncId, args: &[Argument]) -> Option<State> {
        let given: Vec<Argument> = args.iter().map(|arg| self.handed(&state, arg)).collect();
        *state.lists_mut() = Lists::default();
        let mut before = self.within_reach(&state, f, args);
        if self.age_told(&mut state, &before) {
            before = self.within_reach(&state, f, &given);
        }
        self.share(&before, &state);
        let copied: Vec<&[Copied]> = given.iter().map(Argument::copied).collect();
        let mut entry = State::default();
        *entry.bounds_mut() = self.bounds_of_entry(&state, &State::default(), &copied);
        self.bind(&mut entry, f, &given);
        let after = self.enter_context(self.context(f, call), entry)?;
        self.take_shared(&mut state, &before, f);
        self.take_result(&mut state, &after);
        Some(state)
    }

    /// Puts what a call returned with into `state`, and no more of it.
    fn take_result(&mut self, state: &mut State, after: &State) {
        let base = self.base(Base::Result);
        state.forget(base);
        if let Some(result) = after.own_object(base) {
            state.set(base, result.clone());
            for (cell, node) in after.paths().held_in(base) {
                state.paths_mut().note(cell, node.clone());
            }
        }
    }

    /// The part of a state that a call of `f` may read or change: what `f` and its callees name, what pointers reach from
    /// there and from the arguments, the blocks that it may allocate more of, and what points to the last one of these,
    /// which may become one of the older ones. Code that is not here may find functions to call back in anything that it
    /// reaches.
    fn within_reach(&mut self, state: &State, f: FuncId, args: &[Argument]) -> State {
        state.part(self.reached_by_call(state, f, args))
    }

    /// The objects of that part, sorted, and those that pointers lead to of which the state says nothing.
    fn reached_by_call(&mut self, state: &State, f: FuncId, args: &[Argument]) -> Vec<BaseId> {
        let touched = self.functions.touched(&self.bases, f);
        let bases = &self.bases;
        let mut found: FxHashSet<BaseId> = touched.statics.iter().copied().collect();
        let mut work: Vec<BaseId> = touched.statics.clone();
        let visit = |v: &Value, found: &mut FxHashSet<BaseId>, work: &mut Vec<BaseId>| {
            work.extend(v.pointers.targets().iter().map(|t| t.0).filter(|&b| found.insert(b)));
        };
        for arg in args {
            match arg {
                Argument::Scalar(scalar) => visit(&scalar.value, &mut found, &mut work),
                Argument::Aggregate(Some(record)) => {
                    record.object.values().for_each(|v| visit(v, &mut found, &mut work));
                }
                Argument::Aggregate(None) => {}
            }
        }
        let blocks = touched.allocs.iter().flat_map(|&a| bases.blocks_of(a)).copied();
        let blocks: Vec<BaseId> = blocks.filter(|&b| state.mentions(b)).collect();
        work.extend(blocks.iter().copied().filter(|&b| found.insert(b)));
        let recent: Vec<BaseId> = blocks.into_iter().filter(|&b| bases.is_last_block(b)).collect();
        while let Some(base) = work.pop() {
            match state.known(bases, base) {
                Some(object) if state.mentions(base) => work.extend(object.targets().filter(|&b| found.insert(b))),
                _ => work.extend(bases.targets_of_constant(base).iter().copied().filter(|&b| found.insert(b))),
            }
        }
        if touched.calls_unknown || !recent.is_empty() {
            state.each(|b, o| {
                let moves = recent.iter().any(|&r| o.leads_to(r));
                if moves || (touched.calls_unknown && o.leads_to_functions() && bases.is_reachable(b)) {
                    found.insert(b);
                }
            });
        }
        if self.shares() {
            self.add_those_of_told_blocks(state, &mut found);
        }
        let mut kept: Vec<BaseId> = found.into_iter().collect();
        kept.sort_unstable();
        kept
    }

    /// Analyses `f` from a state with its parameters set, or reuses a summary.
    pub(super) fn enter(&mut self, f: FuncId, call: Option<CallId>, entry: State) -> Option<State> {
        // A large program gets one summary per function once this much has been done.
        const MANY: u64 = 200_000;
        let most = self.memory.strategy().contexts(f).unwrap_or(self.options.contexts);
        // What short functions do does not depend on who came first.
        let apart = self.calls.are_joined() || self.is_short(f);
        let contexts = if self.steps < MANY || apart { most } else { 1 };
        let recording = self.recording;
        let by = call.filter(|_| self.names_blocks_by_call(f));
        let known = self.summaries.entry(f).or_default();
        let mut entry = entry;
        let mut slot = known.iter().position(|s| s.call == by && s.entry.same(&entry));
        let is_full = |known: &[Summary]| known.iter().filter(|s| s.call == by).count() >= contexts;
        let last = known.iter().rposition(|s| s.call == by).filter(|_| is_full(known) && !apart);
        if slot.is_none()
            && let Some(last) = last
        {
            // All further entries share one summary, which only grows.
            let shared = &known[last];
            if !entry.leq(&shared.entry, &self.bases) {
                let shared = shared.entry.clone();
                // Widening stops at what matters here, and where control comes from.
                let functions = self.stack.iter().map(|a| a.function).chain([f]).collect();
                let (joined, stops) = (shared.join(&entry, &self.bases), self.all_thresholds(functions));
                entry = shared.widen(&joined, &self.bases, &stops);
                let known = self.summaries.entry(f).or_default();
                known.remove(last);
            } else {
                slot = Some(last);
                entry = shared.entry.clone();
            }
        }
        if let Some(i) = slot {
            let summary = &self.summaries[&f][i];
            if summary.recorded || !recording {
                let exit = summary.exit.clone();
                self.bases.reads.add(&summary.reads);
                self.use_summary(f);
                return exit;
            }
        }
        let growth = self.contexts.growth();
        let outer_reads = self.bases.reads.take();
        self.stack.push(Activation { function: f, call });
        let exit = self.run(f, entry.clone()).map(|exit| self.end_frame(f, &entry, exit));
        self.stack.pop();
        let reads = self.bases.reads.take();
        [&outer_reads, &reads].into_iter().for_each(|reads| self.bases.reads.add(reads));
        if self.aborted.is_none() && !self.has_grown_below(f, growth) {
            let known = self.summaries.entry(f).or_default();
            let summary = Summary { call: by, entry, exit: exit.clone(), recorded: recording, reads };
            let is_same = |known: &Summary| known.call == by && known.entry.same(&summary.entry);
            match slot.filter(|&i| i < known.len() && is_same(&known[i])) {
                Some(i) => known[i] = summary,
                None if apart && is_full(known) => {}
                None => known.push(summary),
            }
        }
        exit
    }

    /// The activation's variables end: pointers to them point to nothing that lives.
    pub(super) fn end_frame(&mut self, f: FuncId, entry: &State, mut exit: State) -> State {
        let info = self.info(f);
        for &v in &info.locals {
            let base = self.bases.variable(v);
            exit.forget(base);
        }
        if !info.pointed.is_empty() {
            let bases = &self.bases;
            exit.paths_mut().end(&|extent| info.pointed.iter().any(|b| extent.has(bases, *b)));
            let gone = |b: BaseId| info.pointed.contains(&b).then(|| bases.gone(VarId(b.0)));
            // Shared memory has pointers to variables of earlier runs.
            let none = State::default();
            exit.rename(if self.shares() { &none } else { entry }, &gone);
        }
        if !info.stack_allocs.is_empty() {
            let ended: Vec<BaseId> = self
                .bases
                .iter()
                .filter(|(_, b)| matches!(b, Base::Heap { alloc, .. } if info.stack_allocs.contains(alloc)))
                .map(|(i, _)| i)
                .collect();
            exit.paths_mut().end(&|extent| ended.iter().any(|b| extent.has(&self.bases, *b)));
            exit.end_lists(&self.bases, |base| ended.contains(&base));
            // Blocks of earlier runs go on.
            let earlier = ended.iter().any(|base| entry.mentions(*base));
            for base in ended {
                exit.update(&self.bases, base, |o| {
                    o.life = if earlier { Life { may_be_dead: true, ..o.life } } else { Life::DEAD };
                });
            }
        }
        exit
    }

    /// A function that is not here: it may change all that it can reach, and call back the functions it can reach.
    fn unknown_call(&mut self, flow: &mut Flow, call: CallId, name: &str) {
        // What it was given earlier, by another such call perhaps, it may still have.
        let reached = self.memory.calls_back(call).unwrap_or(self.memory.taken()).to_vec();
        let (outside, behind) = match self.memory.changed_outside(call) {
            // What it has made itself, too.
            Some(bases) => (Extent::of(bases.clone()), Extent::of(bases.into_iter().chain([memory::Base::Outside]))),
            None => (Extent::Reachable, Extent::Anything),
        };
        flow.state.change_behind(&self.bases, &behind, &behind);
        if reached.is_empty() {
            flow.state.spoil_where(&self.bases, outside, &Shape::BYTE.anything());
            return;
        }
        let (mut written, mut freed) = (outside.clone(), outside);
        let reason = Reason::Unsupported(format!("may be called back by {name}"));
        for f in reached {
            self.give_up(f, &reason, Some(call));
            let (more, gone) = self.functions.changes(f);
            (written, freed) = (written.join(&more), freed.join(&gone));
        }
        flow.state.spoil_extent(&self.bases, written, freed);
    }
}

/// The pointer at the start of a base: a parameter, or a result.
pub(super) fn held_pointer(base: BaseId) -> Pointer {
    Pointer::held(Holder { base, at: 0, size: 8, signed: false })
}
