//! Statements over a state. Each returns false when no execution goes on.

use super::analyzer::{Analyzer, Flow};
use super::differences::{Cell, Copied, Term};
use super::evaluate::View;
use super::object::{Life, Object};
use super::paths::{Node, Spot};
use super::shape::{Kind, Shape, insert_bits};
use super::state::State;
use super::texts::Holder;
use crate::domains::{BaseId, Int, Pointers, Value};
use crate::ir::stmt::ASSERT;
use crate::ir::{
    BinaryOp, BlockId, Case, Check, Expr, ExprKind, IntKind, Place, PlaceBase, Stmt, StmtKind, Storage, Type, TypeId,
    VarId,
};
use crate::verdict::Reason;
use std::time::Instant;

impl Analyzer<'_, '_> {
    /// Executes one statement.
    pub(super) fn execute(&mut self, flow: &mut Flow, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::Check(check) => self.judge(flow, check),
            StmtKind::Assume { cond } => self.refiner(flow).assume(cond, true),
            kind => {
                if self.recording && matches!(kind, StmtKind::LibraryCall { name, .. } if name == ASSERT) {
                    self.verdicts.begin_assertion(stmt.span);
                }
                let keeps = self.keeps_determinate(flow, kind);
                let cell = self.assigned_cell(flow, kind);
                if !matches!(kind, StmtKind::Assign { place, .. } if !overwrites(place, flow.allocated.as_ref())) {
                    flow.allocated = None;
                }
                let goes_on = self.change(flow, kind);
                if !keeps {
                    flow.determinate.clear();
                }
                self.follow_copies(flow, kind, cell);
                goes_on
            }
        }
    }

    /// Judges a check; what goes on are the executions that pass, or all where the failure is to be gone past.
    fn judge(&mut self, flow: &mut Flow, check: &Check) -> bool {
        let recording = self.recording;
        let started = Instant::now();
        let goes_past = check.sites().any(|site| self.options.past.contains(&site));
        let is_new = recording && check.sites().any(|site| !self.verdicts.may_fail(site));
        let before = (goes_past || is_new).then(|| flow.state.clone());
        let judged = self.refiner(flow).judge(check, recording);
        let none_passes = judged.sites.last().is_some_and(|last| !last.may_pass);
        if recording {
            for j in judged.sites {
                let is_first = j.may_fail && !self.verdicts.may_fail(j.site);
                let before = before.as_ref().filter(|_| is_first);
                let doubt = before.map(|state| View { state, ..self.view(flow) }.doubt(check, j.site));
                self.verdicts.record(j, self.unfollowed.as_ref(), doubt);
            }
        }
        if let Some(site) = check.sites().last() {
            *self.judging.entry(self.program.sites[site].kind).or_default() += started.elapsed();
        }
        if let Some(state) = before.filter(|_| goes_past) {
            flow.state = state;
            return true;
        }
        if let Check::Initialized { place, .. } = check {
            if judged.goes_on && none_passes {
                self.give_any_number(flow, place);
            }
            flow.determinate.push(place.clone());
        }
        judged.goes_on
    }

    /// What is read though nothing was written there is some number from now on, as in runs that go past the error.
    fn give_any_number(&mut self, flow: &mut Flow, place: &Place) {
        if let Some(shape) = Shape::of_place(&self.program.types, place) {
            self.store(flow, place, shape.top());
        }
    }

    /// Whether a statement leaves alone the places judged determinate: it writes a temporary that they do not use.
    fn keeps_determinate(&self, flow: &Flow, kind: &StmtKind) -> bool {
        let place = match kind {
            StmtKind::Assign { place, .. } | StmtKind::Input { dest: place, .. } => place,
            StmtKind::Lib { function, dest: Some(place), .. } if function.effects().writes.is_none() => place,
            StmtKind::LibraryCall { .. } => return true,
            _ => return false,
        };
        let Some(v) = place.as_var() else { return false };
        matches!(self.program.variables[v].storage, Storage::Temp(_)) && !flow.determinate.iter().any(|p| uses(p, v))
    }

    /// The cell behind a pointer that a statement assigns to.
    fn assigned_cell(&self, flow: &Flow, kind: &StmtKind) -> Option<Holder> {
        match kind {
            StmtKind::Assign { place, .. } if is_indirect(place) => self.view(flow).holder(place),
            _ => None,
        }
    }

    /// Forgets the copies, and what was computed from other numbers, that a statement may end, and notes what it makes. `cell`: what an assignment through a
    /// pointer wrote; after it the same expression may stand for another cell.
    fn follow_copies(&self, flow: &mut Flow, kind: &StmtKind, cell: Option<Holder>) {
        let written = match kind {
            StmtKind::Assign { place, .. }
            | StmtKind::Input { dest: place, .. }
            | StmtKind::Alloc { dest: place, .. } => place.as_var(),
            StmtKind::StorageLive(v) => Some(*v),
            StmtKind::LibraryCall { .. } => return,
            StmtKind::Lib { function, dest, .. } => {
                let writes = function.effects().writes.is_some();
                flow.copies.retain(|(a, b)| !self.may_be_written(writes, dest.as_ref(), [a, b].into_iter()));
                flow.derived.retain(|one| !self.may_be_written(writes, dest.as_ref(), one.places()));
                return self.note_derived(flow, kind);
            }
            _ => None,
        };
        match written {
            Some(v) => {
                let pointed = self.bases.is_reachable(self.bases.variable(v));
                let ended = |p: &Place| uses(p, v) || (pointed && is_indirect(p));
                flow.copies.retain(|(a, b)| !ended(a) && !ended(b));
                flow.derived.retain(|one| !one.places().any(ended));
            }
            None => {
                flow.copies.clear();
                flow.derived.clear();
            }
        }
        let StmtKind::Assign { place, value } = kind else { return };
        let Some(source) = self.copied(place, value) else { return self.note_derived(flow, kind) };
        if !place.as_var().is_some_and(|v| uses(source, v))
            && (!is_indirect(place) || (cell.is_some() && cell == self.view(flow).holder(place)))
        {
            flow.copies.push((place.clone(), source.clone()));
        }
    }

    /// Whether a library function that writes its result to `dest`, and maybe elsewhere, may change what stands at one of these places.
    fn may_be_written<'e>(
        &self,
        elsewhere: bool,
        dest: Option<&Place>,
        mut places: impl Iterator<Item = &'e Place>,
    ) -> bool {
        let result = dest.and_then(Place::as_var);
        let pointed = |v: VarId| self.bases.is_reachable(self.bases.variable(v));
        let elsewhere = elsewhere || dest.is_some() && result.is_none_or(pointed);
        let variable = |p: &Place| match p.base {
            PlaceBase::Var(v) => Some(v),
            PlaceBase::Deref(_) => None,
        };
        places.any(|place| elsewhere && variable(place).is_none_or(pointed) || result.is_some_and(|v| uses(place, v)))
    }

    /// The place whose value `value` is, unchanged, when it is written to `place`.
    fn copied<'e>(&self, place: &Place, value: &'e Expr) -> Option<&'e Place> {
        let types = &self.program.types;
        // A conversion to `_Bool` changes values of its own shape.
        let shape = |ty: TypeId| Shape::of(types, ty).filter(|_| types.as_int(ty) != Some(IntKind::Bool));
        match &value.kind {
            ExprKind::Cast(from) if shape(from.ty) == shape(value.ty) => self.copied(place, from),
            ExprKind::Load(source) => {
                let plain = source.bits.is_none() && place.bits.is_none();
                let scalar = shape(place.ty).is_some() && shape(place.ty) == shape(source.ty);
                (plain && scalar && shape(value.ty) == shape(source.ty)).then_some(source)
            }
            _ => None,
        }
    }

    fn change(&mut self, flow: &mut Flow, kind: &StmtKind) -> bool {
        match kind {
            StmtKind::Assign { place, value } => self.assign(flow, place, value),
            StmtKind::Call { call, dest, callee, args } => return self.call(flow, *call, dest.as_ref(), callee, args),
            StmtKind::Lib { function, dest, args } => self.library(flow, *function, dest.as_ref(), args),
            StmtKind::Input { dest, range, .. } => self.input(flow, dest, range.as_ref()),
            StmtKind::InputBytes { ptr, len, .. } => {
                let view = self.view(flow);
                let target = self.target_of(ptr, view.eval(ptr).pointers);
                let address = view.address_type();
                let count = view.numbers(&view.eval(len), address);
                // A zero at the end of an object stays where what is written ends before it.
                let one_more = Expr::binary(BinaryOp::Add, len.clone(), Expr::int(1, len.ty), len.ty);
                let stays = count.hi() < address.bounds().hi && view.has_room(ptr, &one_more);
                let ends = |base: &BaseId| flow.state.object(&self.bases, *base).is_some_and(|o| o.zeros.last);
                let ended = target.targets().iter().map(|(base, _)| *base).filter(|base| stays && ends(base));
                let ended: Vec<BaseId> = ended.collect();
                let filled = view.filled_bytes(ptr, len);
                self.set_bytes(flow, &target, count, &Value::int(Int::range(0, 255)));
                flow.state.note_filled(filled);
                for base in ended {
                    flow.state.learn(&self.bases, base, |o| o.zeros.last = true);
                }
            }
            StmtKind::Alloc { alloc, dest, size: bytes, zeroed, fails } => {
                let view = self.view(flow);
                let address = view.address(dest);
                let size = view.numbers(&view.eval(bytes), view.address_type());
                let fill = if *zeroed { Value::constant(0) } else { Value::indeterminate() };
                let mut block = Object::new(size, fill);
                block.zeros.last = *zeroed && size.lo() > 0;
                let (cell, copied) = (view.holder_at(dest, &address), view.block_terms(bytes));
                flow.state.note_copied(Cell::New, &copied);
                self.allocate(flow, *alloc, dest, address, size, block, fails.is_some());
                flow.state.settle(Cell::New, cell);
            }
            StmtKind::Realloc { alloc, dest, ptr, size, .. } => {
                let view = self.view(flow);
                let (cell, copied) = (view.holder(dest), view.block_terms(size));
                let moved = self.refiner(&mut flow.clone()).resized_elements(ptr, size);
                flow.state.note_copied(Cell::New, &copied);
                let block = self.reallocate(flow, *alloc, dest, ptr, size);
                flow.state.note_filled(moved.filled(block));
                flow.state.settle(Cell::New, cell);
            }
            StmtKind::Free { ptr } => {
                let value = self.view(flow).eval(ptr);
                self.free(flow, ptr, &value, false);
            }
            StmtKind::StorageLive(v) => self.storage_live(flow, *v),
            StmtKind::StorageDead(v) => {
                let base = self.bases.variable(*v);
                flow.state.end(&self.bases, base, |_| Life::DEAD);
            }
            StmtKind::VaStart { list } | StmtKind::VaCopy { dest: list, .. } => {
                let target = self.target_of(list, self.view(flow).eval(list).pointers);
                self.spoil(flow, &target, &Shape::BYTE.anything());
            }
            StmtKind::VaArg { dest, .. } => self.store_argument(flow, dest),
            StmtKind::VaEnd { .. } | StmtKind::LibraryCall { .. } => {}
            StmtKind::ProgramArgs { argc, argv, envp, .. } => self.program_arguments(flow, argc, argv, envp.as_ref()),
            StmtKind::Unsupported { what, dest } => {
                self.give_up_callbacks(&Reason::Unsupported(what.clone()));
                flow.state.spoil_program(&self.bases);
                if let Some(dest) = dest {
                    self.store_unknown(flow, dest);
                }
            }
            StmtKind::Check(_) | StmtKind::Assume { .. } => {}
        }
        true
    }

    /// Writes a scalar value to a place.
    pub(super) fn store(&mut self, flow: &mut Flow, place: &Place, value: Value) {
        let address = self.view(flow).address(place);
        self.store_along(flow, place, &address, value, None);
    }

    /// The same with the address evaluated, in this state, and what is known of the value if it is a pointer.
    fn store_along(&mut self, flow: &mut Flow, place: &Place, address: &Pointers, value: Value, node: Option<Node>) {
        let view = self.view(flow);
        let spot = if view.holder_at(place, address).is_some() { None } else { view.spot(place) };
        let (kept, filled) = (self.kept_strings(flow, place, &value), view.filled_by(place, &value));
        let ended = view.text_ended(place, address, &value);
        match spot {
            None => self.write(flow, place, address, value, None),
            Some((along, spot)) => {
                self.write(flow, place, address, value.clone(), Some(&spot));
                self.note_content(flow, place, (along, spot), (value, node));
            }
        }
        if let Some(kept) = kept {
            self.note_kept(flow, kept);
        }
        flow.state.note_filled(filled);
        if let Some((base, start)) = ended {
            flow.state.learn(&self.bases, base, |o| o.begin_text(o.zeros.text.map_or(start, |text| text.min(start))));
        }
    }

    /// Writes a scalar value to a place whose address has been evaluated before.
    pub(super) fn store_at(&mut self, flow: &mut Flow, place: &Place, address: &Pointers, value: Value) {
        self.write(flow, place, address, value, None);
    }

    fn write(&mut self, flow: &mut Flow, place: &Place, address: &Pointers, value: Value, spot: Option<&Spot>) {
        let Some(shape) = Shape::of_place(&self.program.types, place) else {
            let target = self.target_at(place, address.clone());
            return self.spoil(flow, &target, &Shape::BYTE.anything());
        };
        let value = match place.bits {
            Some(bits) => {
                let unit = flow.state.read(&self.bases, address, shape);
                insert_bits(&unit, shape, bits, &value)
            }
            None => value,
        };
        let extent = self.target_at(place, address.clone()).extent;
        flow.state.write(&self.bases, address, shape, &value, (extent, spot));
    }

    /// Writes anything to a place.
    pub(super) fn store_unknown(&mut self, flow: &mut Flow, place: &Place) {
        let address = self.view(flow).address(place);
        self.store_unknown_at(flow, place, &address);
    }

    /// Writes one of the arguments behind the named ones. Records are passed with what they hold, set or not.
    fn store_argument(&mut self, flow: &mut Flow, place: &Place) {
        if Shape::of_place(&self.program.types, place).is_some() {
            return self.store_unknown(flow, place);
        }
        let address = self.target(flow, place);
        let len = self.program.types.size_of(place.ty).unwrap_or(0);
        let byte = Value { undefined: true, ..Shape::BYTE.anything() };
        self.set_bytes(flow, &address, Int::constant(i128::from(len)), &byte);
    }

    /// The same with the address evaluated before.
    pub(super) fn store_unknown_at(&mut self, flow: &mut Flow, place: &Place, address: &Pointers) {
        match Shape::of_place(&self.program.types, place) {
            Some(shape) => self.store_at(flow, place, address, shape.anything()),
            None => {
                let len = self.program.types.size_of(place.ty).unwrap_or(0);
                let target = self.target_at(place, address.clone());
                self.set_bytes(flow, &target, Int::constant(i128::from(len)), &Shape::BYTE.anything());
            }
        }
    }

    fn assign(&mut self, flow: &mut Flow, place: &Place, value: &Expr) {
        if let ExprKind::Load(source) = &value.kind
            && Shape::of(&self.program.types, place.ty).is_none()
        {
            let (to, from) = (self.target(flow, place), self.view(flow).address(source));
            let len = self.program.types.size_of(place.ty).unwrap_or(0);
            let (filled, set) = self.view(flow).filled_by_record(&to, place, source);
            self.copy(flow, &to, &from, Int::constant(i128::from(len)));
            for (cell, shape) in set {
                flow.state.learn(&self.bases, cell.base, |object| object.settle(cell.at, shape));
            }
            self.open_padding(flow, &to, place.ty);
            return flow.state.note_filled(filled);
        }
        let view = self.view(flow);
        let (new, address) = (view.eval(value), view.address(place));
        let cell = view.holder_at(place, &address);
        let term = view.term_of(value);
        if let Some((cell, term)) = cell.zip(term) {
            view.copy_stops(cell, term);
        }
        let (text, indexed) = (self.text_copied(flow, value, &new), self.indexed_texts(flow, value));
        let (mut copied, node) = (view.copied_terms(value), view.node(value));
        if copied.is_empty() && place.as_var().is_some_and(|v| self.bases.is_index(v)) {
            // Counters that it was made of may become others.
            copied.extend(term.map(|term| Copied::equal(Term::Number(Cell::New), term)));
        }
        let carried = self.carried(flow, value, &new, self.copied(place, value));
        let node = node.map(|node| self.after_write(node, place, &address));
        let listed = self.listed(flow, place, cell, value, &new);
        flow.state.note_copied(Cell::New, &copied);
        self.store_along(flow, place, &address, new.clone(), node.clone());
        if let Some(listed) = listed {
            flow.state.lists_mut().add(listed);
        }
        flow.state.settle(Cell::New, cell);
        if let Some((cell, node)) = cell.zip(node) {
            flow.state.paths_mut().note(cell, node);
        }
        if let Some(cell) = cell {
            flow.state.note_carried(&self.bases, cell, &carried);
        }
        self.note_written(flow, cell, &new, text);
        self.note_index(flow, cell, indexed);
    }

    fn input(&mut self, flow: &mut Flow, dest: &Place, range: Option<&(Expr, Expr)>) {
        let view = self.view(flow);
        let Some(t) = view.int_type(dest.ty) else {
            return self.store(flow, dest, Shape { size: 8, kind: Kind::Float }.top());
        };
        let bounds = match range {
            Some((low, high)) => {
                let (low, high) = (view.numbers(&view.eval(low), t), view.numbers(&view.eval(high), t));
                (low.lo() <= high.hi()).then(|| Int::range(low.lo(), high.hi()))
            }
            None => None,
        };
        let address = view.address(dest);
        let (cell, copied) = (view.holder_at(dest, &address), view.input_terms(range));
        flow.state.note_copied(Cell::New, &copied);
        self.store_along(flow, dest, &address, Value::int(bounds.unwrap_or(t.top())), None);
        flow.state.settle(Cell::New, cell);
    }

    /// The targets of a `switch` with the states that go there.
    pub(super) fn switch(&self, flow: &Flow, value: &Expr, cases: &[Case], default: BlockId) -> Vec<(BlockId, State)> {
        let mut all = Vec::new();
        let view = self.view(flow);
        let Some(t) = view.int_type(value.ty) else {
            return cases.iter().map(|c| c.target).chain([default]).map(|b| (b, flow.state.clone())).collect();
        };
        let numbers = view.numbers(&view.operand(value), t);
        for case in cases {
            if let Some(part) = numbers.clamp(case.low, case.high) {
                let mut side = flow.clone();
                if self.refiner(&mut side).restrict_number(value, part) {
                    all.push((case.target, side.state));
                }
            }
        }
        // Cases at the ends of the range are cut off, as long as there are any; of those inside, one makes a hole.
        let (mut rest, mut sorted) = (Some(numbers), cases.iter().map(|c| (c.low, c.high)).collect::<Vec<_>>());
        sorted.sort_unstable();
        for &(low, high) in sorted.iter().chain(sorted.iter().rev()) {
            rest = rest.and_then(|r| match (r.lo() >= low && r.lo() <= high, r.hi() >= low && r.hi() <= high) {
                (true, true) => None,
                (true, false) => r.clamp(high + 1, r.hi()),
                (false, true) => r.clamp(r.lo(), low - 1),
                _ if low == high => r.except(low),
                _ => Some(r),
            });
        }
        if let Some(rest) = rest {
            let mut side = flow.clone();
            if self.refiner(&mut side).restrict_number(value, rest) {
                all.push((default, side.state));
            }
        }
        all
    }
}

/// Whether an assignment to `place` may change the variable that holds the last block.
fn overwrites(place: &Place, allocated: Option<&(Place, BaseId)>) -> bool {
    allocated.is_some_and(|(held, _)| place.as_var().is_some() && place.as_var() == held.as_var())
}

/// Whether a type is copied as bytes, not as one scalar.
pub(super) fn is_aggregate(types: &crate::ir::TypeTable, ty: TypeId) -> bool {
    matches!(types.get(ty), Type::Record(_) | Type::Array(..))
}

/// Whether a place is the variable `v`, or its address is computed from it.
fn uses(place: &Place, v: VarId) -> bool {
    let is_var = |p: &Place| matches!(p.base, PlaceBase::Var(w) if w == v);
    let mut found = is_var(place);
    if let Some(e) = place.pointer() {
        e.walk(&mut |e| found |= matches!(&e.kind, ExprKind::Load(q) if is_var(q)));
    }
    found
}

/// Whether a place lies behind a pointer.
pub(super) fn is_indirect(place: &Place) -> bool {
    matches!(place.base, PlaceBase::Deref(_))
}
