//! Statements over a state. Each returns false when no execution goes on.

use super::analyzer::{Analyzer, Flow};
use super::bases::Base;
use super::object::{Life, Object};
use super::shape::{Kind, Shape, insert_bits};
use super::state::renamed;
use super::zeros::Zeros;
use crate::domains::{BaseId, Int, Pointers, Value};
use crate::ir::{
    AllocId, BlockId, Case, Check, Expr, ExprKind, IntKind, Place, PlaceBase, Stmt, StmtKind, Storage, Type, TypeId,
    VarId,
};
use std::sync::Arc;
use std::time::Instant;

impl Analyzer<'_, '_> {
    /// Executes one statement.
    pub(super) fn execute(&mut self, flow: &mut Flow, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::Check(check) => self.judge(flow, check),
            StmtKind::Assume { cond } => self.refiner(flow).assume(cond, true),
            kind => {
                let keeps = self.keeps_determinate(flow, kind);
                let goes_on = self.change(flow, kind);
                if !keeps {
                    flow.determinate.clear();
                }
                self.follow_copies(flow, kind);
                goes_on
            }
        }
    }

    /// Judges a check; what goes on are the executions that pass, or all where the failure is to be gone past.
    fn judge(&mut self, flow: &mut Flow, check: &Check) -> bool {
        let recording = self.recording;
        let started = Instant::now();
        let goes_past = check.sites().any(|site| self.options.past.contains(&site));
        let before = goes_past.then(|| flow.state.clone());
        let judged = self.refiner(flow).judge(check, recording);
        if recording {
            judged.sites.into_iter().for_each(|j| self.verdicts.record(j));
        }
        if let Some(site) = check.sites().last() {
            *self.judging.entry(self.program.sites[site].kind).or_default() += started.elapsed();
        }
        if let Some(state) = before {
            flow.state = state;
            return true;
        }
        if let Check::Initialized { place, .. } = check {
            flow.determinate.push(place.clone());
        }
        judged.goes_on
    }

    /// Whether a statement leaves alone the places judged determinate: it writes a temporary that they do not use.
    fn keeps_determinate(&self, flow: &Flow, kind: &StmtKind) -> bool {
        let (StmtKind::Assign { place, .. } | StmtKind::Input { dest: place, .. }) = kind else { return false };
        let Some(v) = place.as_var() else { return false };
        matches!(self.program.variables[v].storage, Storage::Temp(_)) && !flow.determinate.iter().any(|p| uses(p, v))
    }

    /// Forgets the copies that a statement may end, and notes the one that it makes.
    fn follow_copies(&self, flow: &mut Flow, kind: &StmtKind) {
        let written = match kind {
            StmtKind::Assign { place, .. }
            | StmtKind::Input { dest: place, .. }
            | StmtKind::Alloc { dest: place, .. } => place.as_var(),
            StmtKind::StorageLive(v) => Some(*v),
            _ => None,
        };
        match written {
            Some(v) => {
                let pointed = self.bases.is_reachable(self.bases.variable(v));
                let ended = |p: &Place| uses(p, v) || (pointed && is_indirect(p));
                flow.copies.retain(|(a, b)| !ended(a) && !ended(b));
            }
            None => flow.copies.clear(),
        }
        if let StmtKind::Assign { place, value } = kind
            && let Some(source) = self.copied(place, value)
            && !place.as_var().is_some_and(|v| uses(source, v))
        {
            flow.copies.push((place.clone(), source.clone()));
        }
    }

    /// The variable whose value `value` is, unchanged, when it is written to `place`.
    fn copied<'e>(&self, place: &Place, value: &'e Expr) -> Option<&'e Place> {
        let types = &self.program.types;
        // A conversion to `_Bool` changes values of its own shape.
        let shape = |ty: TypeId| Shape::of(types, ty).filter(|_| types.as_int(ty) != Some(IntKind::Bool));
        match &value.kind {
            ExprKind::Cast(from) if shape(from.ty) == shape(value.ty) => self.copied(place, from),
            ExprKind::Load(source) => {
                let plain = source.as_var().is_some() && source.bits.is_none() && place.bits.is_none();
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
                let target = view.eval(ptr).pointers;
                let len = view.numbers(&view.eval(len), view.address_type());
                self.set_bytes(flow, &target, len, &Value::int(Int::range(0, 255)));
            }
            StmtKind::Alloc { alloc, dest, size, zeroed, fails } => {
                let view = self.view(flow);
                let address = view.address(dest);
                let size = view.numbers(&view.eval(size), view.address_type());
                let fill = if *zeroed { Value::constant(0) } else { Value::indeterminate() };
                self.allocate(flow, *alloc, dest, address, size, Object::new(size, fill), fails.is_some());
            }
            StmtKind::Realloc { alloc, dest, ptr, size, .. } => self.reallocate(flow, *alloc, dest, ptr, size),
            StmtKind::Free { ptr } => {
                let value = self.view(flow).eval(ptr);
                self.free(flow, &value, false);
            }
            StmtKind::StorageLive(v) => self.storage_live(flow, *v),
            StmtKind::StorageDead(v) => {
                let base = self.bases.variable(*v);
                flow.state.update(&self.bases, base, |o| o.life = Life::DEAD);
            }
            StmtKind::VaStart { list } | StmtKind::VaCopy { dest: list, .. } => {
                let target = self.view(flow).eval(list).pointers;
                self.spoil(flow, &target, &Shape::BYTE.anything());
            }
            StmtKind::VaArg { dest, .. } => self.store_argument(flow, dest),
            StmtKind::VaEnd { .. } | StmtKind::LibraryCall { .. } => {}
            StmtKind::ProgramArgs { argc, argv, envp, .. } => self.program_arguments(flow, argc, argv, envp.as_ref()),
            StmtKind::Unsupported { what, dest } => {
                self.give_up_callbacks(what);
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
        self.store_at(flow, place, &address, value);
    }

    /// Writes a scalar value to a place whose address has been evaluated before.
    pub(super) fn store_at(&mut self, flow: &mut Flow, place: &Place, address: &Pointers, value: Value) {
        let Some(shape) = Shape::of_place(&self.program.types, place) else {
            return self.spoil(flow, address, &Shape::BYTE.anything());
        };
        let value = match place.bits {
            Some(bits) => {
                let unit = flow.state.read(&self.bases, address, shape);
                insert_bits(&unit, shape, bits, &value)
            }
            None => value,
        };
        flow.state.write(&self.bases, address, shape, &value);
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
        let address = self.view(flow).address(place);
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
                self.set_bytes(flow, address, Int::constant(i128::from(len)), &Shape::BYTE.anything());
            }
        }
    }

    fn assign(&mut self, flow: &mut Flow, place: &Place, value: &Expr) {
        if let ExprKind::Load(source) = &value.kind
            && Shape::of(&self.program.types, place.ty).is_none()
        {
            let view = self.view(flow);
            let (to, from) = (view.address(place), view.address(source));
            let len = self.program.types.size_of(place.ty).unwrap_or(0);
            return self.copy(flow, &to, &from, Int::constant(i128::from(len)));
        }
        let new = self.view(flow).eval(value);
        self.store(flow, place, new);
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
        self.store(flow, dest, Value::int(bounds.unwrap_or(t.top())));
    }

    /// Every byte that `target` points to gets any bytes of `value` too, wherever in the object.
    pub(super) fn spoil(&mut self, flow: &mut Flow, target: &Pointers, value: &Value) {
        if target.is_any() {
            flow.state.spoil_reachable(&self.bases, value);
        }
        for &(base, _) in target.targets() {
            flow.state.update(&self.bases, base, |o| o.spoil(value));
        }
    }

    /// `len` bytes from `target` on get the byte value `value`, each for itself.
    pub(super) fn set_bytes(&mut self, flow: &mut Flow, target: &Pointers, len: Int, value: &Value) {
        if len.hi() <= 0 {
            return;
        }
        if target.is_any() {
            flow.state.spoil_reachable(&self.bases, value);
        }
        let alone = target.targets().len() == 1 && !target.is_any();
        for &(base, offset) in target.targets() {
            let Some(object) = flow.state.object(&self.bases, base) else { continue };
            let Some(end) = offset.hi().checked_add(len.hi()) else { continue };
            let (lo, hi) = (offset.lo().max(0) as i64, end.min(object.size.hi()).clamp(0, i128::from(i64::MAX)) as i64);
            // What is written for sure: from the last start to the first end.
            let sure_end = offset.lo().saturating_add(len.lo().max(0)).clamp(0, i128::from(hi)) as i64;
            let sure_start = offset.hi().clamp(0, i128::from(i64::MAX)) as i64;
            let strong = alone && !self.bases.is_summary(base);
            flow.state.update(&self.bases, base, |o| {
                if strong && sure_start < sure_end {
                    if lo < sure_start {
                        o.spoil_range(lo, sure_start, value);
                    }
                    if sure_end < hi {
                        o.spoil_range(sure_end, hi, value);
                    }
                    o.set_range(sure_start, sure_end, value);
                } else if lo < hi {
                    o.spoil_range(lo, hi, value);
                }
                // The first byte is written wherever the target is.
                if strong && len.lo() > 0 && value.as_constant() == Some(0) && offset.lo() >= 0 {
                    let last = offset.hi().min(i128::from(i64::MAX)) as i64;
                    o.zeros.place(lo, last);
                }
            });
        }
    }

    /// Copies `len` bytes, as if through a buffer.
    pub(super) fn copy(&mut self, flow: &mut Flow, to: &Pointers, from: &Pointers, len: Int) {
        if len.hi() <= 0 {
            return;
        }
        let exact_len = len.as_constant().and_then(|n| i64::try_from(n).ok());
        let inside = |flow: &Flow, a: &Self, p: &Pointers| -> Vec<(BaseId, Int)> {
            let least = len.lo().clamp(0, i128::from(i64::MAX)) as i64;
            let clip = |&(b, o): &(BaseId, Int)| Some((b, flow.state.inside(&a.bases, b, o, least)?));
            p.targets().iter().filter_map(clip).collect()
        };
        let (to_targets, from_targets) = (inside(flow, self, to), inside(flow, self, from));
        let sources: Option<Vec<(Arc<Object>, i64)>> = from_targets
            .iter()
            .map(|&(b, o)| Some((flow.state.object(&self.bases, b)?.clone(), o.as_constant()? as i64)))
            .collect();
        let known = !from.is_any() && !to.is_any() && to_targets.iter().all(|t| t.1.as_constant().is_some());
        if let (Some(n), Some(sources), true) = (exact_len, sources, known) {
            let alone = to_targets.len() == 1;
            for (base, offset) in to_targets {
                let at = offset.lo() as i64;
                let strong = alone && !self.bases.is_summary(base);
                flow.state.update(&self.bases, base, |o| {
                    let old = o.clone();
                    let mut all: Option<Object> = (!strong).then(|| old.clone());
                    for (source, skip) in &sources {
                        let mut new = old.clone();
                        new.copy_range(at, source, *skip, n);
                        all = Some(all.map_or(new.clone(), |all| all.join(&new)));
                    }
                    if let Some(all) = all {
                        *o = all;
                    }
                });
            }
            return;
        }
        // Any bytes of the sources come anywhere into the range.
        let mut byte =
            if from.is_any() { Value { undefined: true, ..Shape::BYTE.anything() } } else { Value::bottom() };
        for (b, o) in from_targets {
            if let Some(object) = flow.state.object(&self.bases, b) {
                let end = o.hi().saturating_add(len.hi()).min(object.size.hi()).clamp(0, i128::from(i64::MAX)) as i64;
                byte = byte.join(&object.any_byte_in(o.lo() as i64, end));
            }
        }
        if byte.is_bottom() {
            byte = Shape::BYTE.anything();
        }
        self.set_bytes(flow, to, len, &byte);
    }

    /// A new block at a site: the block that was the last one so far becomes one of the older ones.
    #[expect(clippy::too_many_arguments, reason = "an allocation is described by this much")]
    fn allocate(
        &mut self,
        flow: &mut Flow,
        alloc: AllocId,
        dest: &Place,
        address: Pointers,
        size: Int,
        object: Object,
        may_fail: bool,
    ) {
        let call = self.current().call;
        let recent = self.base(Base::Heap { alloc, call, recent: true });
        let older = self.base(Base::Heap { alloc, call, recent: false });
        let to = move |b: BaseId| (b == recent).then_some(older);
        let mut object = object;
        let mut address = address;
        if let Some(last) = flow.state.object(&self.bases, recent).cloned() {
            let joined = match flow.state.object(&self.bases, older) {
                Some(all) => all.join(&last),
                None => Object::clone(&last),
            };
            flow.state.set(older, Arc::new(joined));
            flow.state.forget(recent);
            flow.state.rename(&super::state::State::default(), &to);
            address = renamed(&address, &to);
            object.map_values(|v| v.pointers = renamed(&v.pointers, &to));
        }
        flow.state.set(recent, Arc::new(object));
        let largest = self.view(flow).offset_type().bounds().hi;
        let fails = may_fail || size.hi() > largest;
        let value = Value {
            int: fails.then(|| Int::constant(0)),
            pointers: Pointers::to(recent, Int::constant(0)),
            ..Value::bottom()
        };
        self.store_at(flow, dest, &address, value);
    }

    fn reallocate(&mut self, flow: &mut Flow, alloc: AllocId, dest: &Place, ptr: &Expr, size: &Expr) {
        let view = self.view(flow);
        let address = view.address(dest);
        let old = view.eval(ptr);
        let size = view.numbers(&view.eval(size), view.address_type());
        let blank = Object::new(size, Value::indeterminate());
        let mut content: Option<Object> = old.int.map(|_| blank.clone());
        if old.pointers.is_any() || old.undefined {
            content = Some(Object::new(size, Value { undefined: true, ..Shape::BYTE.anything() }));
        }
        for &(base, _) in old.pointers.targets() {
            let Some(source) = flow.state.object(&self.bases, base) else { continue };
            let copied = source.size.as_constant().zip(size.as_constant()).map(|(a, b)| a.min(b));
            let new = match copied {
                Some(n) if n < 4096 => {
                    let mut new = blank.clone();
                    if n > 0 {
                        new.copy_range(0, source, 0, n as i64);
                    }
                    new
                }
                _ => {
                    let mut kept = Object::clone(source);
                    (kept.size, kept.life, kept.zeros) = (size, Life::LIVE, Zeros::default());
                    kept.join(&blank)
                }
            };
            content = Some(content.map_or(new.clone(), |all| all.join(&new)));
        }
        let content = content.unwrap_or(blank);
        self.free(flow, &old, true);
        self.allocate(flow, alloc, dest, address, size, content, true);
    }

    /// Ends the lifetime of blocks. `maybe`: or not.
    fn free(&mut self, flow: &mut Flow, value: &Value, maybe: bool) {
        if value.pointers.is_any() {
            flow.state.may_free_anything(&self.bases);
        }
        let alone = value.pointers.targets().len() == 1 && value.int.is_none() && !value.pointers.is_any();
        for &(base, _) in value.pointers.targets() {
            if !matches!(self.bases.get(base), Base::Heap { .. }) {
                continue;
            }
            let strong = alone && !maybe && !self.bases.is_summary(base);
            flow.state.update(&self.bases, base, |o| {
                o.life = if strong { Life::DEAD } else { Life { may_be_dead: true, ..o.life } };
            });
        }
    }

    /// A new lifetime: pointers from one that has ended do not point to the variable any more. One that has not ended
    /// goes on: control jumped back within the block (C11 6.2.4p6).
    fn storage_live(&mut self, flow: &mut Flow, v: VarId) {
        let (base, gone) = (self.bases.variable(v), self.bases.gone(v));
        let life = flow.state.object(&self.bases, base).map_or(Life::DEAD, |o| o.life);
        if self.bases.is_reachable(base) && flow.state.mentions(base) && life.may_be_dead {
            if life.may_live {
                flow.state.spread(base, gone);
            } else {
                flow.state.rename(&super::state::State::default(), &|b| (b == base).then_some(gone));
            }
        }
        let size = Int::constant(i128::from(self.program.variables[v].size));
        flow.state.set(base, Arc::new(Object::new(size, Value::indeterminate())));
    }

    fn program_arguments(&mut self, flow: &mut Flow, argc: &Place, argv: &Place, envp: Option<&Place>) {
        let most = self.view(flow).int_type(argc.ty).map_or(i128::from(i32::MAX), |t| t.bounds().hi);
        self.store(flow, argc, Value::int(Int::range(0, most)));
        for (i, place) in [Some(argv), envp].into_iter().enumerate() {
            let Some(place) = place else { continue };
            let (strings, text) = (self.base(Base::Strings(i as u8)), self.base(Base::Text(i as u8)));
            let width = self.program.types.pointer_size();
            let far = i128::from(i64::MAX);
            let mut string = Object::new(Int::range(1, far), Value::int(Int::range(0, 255)));
            string.zeros = Zeros::LAST;
            flow.state.set(text, Arc::new(string));
            let element = Value {
                int: Some(Int::constant(0)),
                pointers: Pointers::to(text, Int::constant(0)),
                ..Value::bottom()
            };
            let shape = Shape { size: width as u8, kind: Kind::Unsigned };
            let array = Object::of_elements(Int::range(i128::from(width), far), shape, element);
            flow.state.set(strings, Arc::new(array));
            self.store(flow, place, Value::pointers(Pointers::to(strings, Int::constant(0))));
        }
    }

    /// The targets of a `switch` with the states that go there.
    pub(super) fn switch(
        &self,
        flow: &Flow,
        value: &Expr,
        cases: &[Case],
        default: BlockId,
    ) -> Vec<(BlockId, super::state::State)> {
        let mut all = Vec::new();
        let view = self.view(flow);
        let Some(t) = view.int_type(value.ty) else {
            return cases.iter().map(|c| c.target).chain([default]).map(|b| (b, flow.state.clone())).collect();
        };
        let numbers = view.numbers(&view.eval(value), t);
        for case in cases {
            if let Some(part) = numbers.clamp(case.low, case.high) {
                let mut side = flow.clone();
                if self.refiner(&mut side).restrict_number(value, part) {
                    all.push((case.target, side.state));
                }
            }
        }
        // Cases at the ends of the range are cut off, as long as there are any.
        let (mut rest, mut sorted) = (Some(numbers), cases.iter().map(|c| (c.low, c.high)).collect::<Vec<_>>());
        sorted.sort_unstable();
        for &(low, high) in sorted.iter().chain(sorted.iter().rev()) {
            rest = rest.and_then(|r| match (r.lo() >= low && r.lo() <= high, r.hi() >= low && r.hi() <= high) {
                (true, true) => None,
                (true, false) => r.clamp(high + 1, r.hi()),
                (false, true) => r.clamp(r.lo(), low - 1),
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
