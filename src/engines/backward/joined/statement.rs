//! Statements backwards.
//!
//! See: 000, Algorithm 2.

use super::engine::{Joined, STRIDE, relax};
use super::resolve::{Resolved, Target};
use crate::concrete::InputPlace;
use crate::domains::cell::{Cell, CellExpr, CellState, CellType};
use crate::domains::cell_set::CellStates;
use crate::domains::{BaseId, Int, IntType, Pointers, Value};
use crate::ir::padding::padding;
use crate::ir::{BinaryOp, BitRange, Expr, ExprKind, InputId, Place, Stmt, StmtKind};

impl Joined<'_> {
    /// States from which the statement leads into `post` alone, or errs at a target.
    pub(super) fn before(&mut self, stmt: &Stmt, post: &CellStates) -> CellStates {
        match &stmt.kind {
            StmtKind::Check(check) => self.check(check, post),
            StmtKind::Call { call, dest, callee, args } => self.call(*call, dest.as_ref(), callee, args, post),
            _ if post.is_none() => CellStates::none(),
            StmtKind::Assume { cond } => self.condition(cond, true, post),
            StmtKind::Assign { place, value } => self.assign(place, value, post),
            StmtKind::Lib { function, dest, args } => self.library(*function, dest.as_ref(), args, post),
            StmtKind::Input { input, dest, range } => self.input(*input, dest, range.as_ref(), post),
            StmtKind::InputBytes { input, ptr, len } => self.input_bytes(*input, ptr, len, post),
            StmtKind::Alloc { alloc, dest, size, zeroed, fails } => {
                self.alloc(*alloc, dest, size, *zeroed, *fails, post)
            }
            StmtKind::Free { ptr } => self.free(ptr, post),
            StmtKind::StorageLive(v) => {
                let base = self.variable(*v);
                post.map(|part| part.with_life(base, 1)?.without(base))
            }
            StmtKind::StorageDead(v) => {
                let base = self.variable(*v);
                post.map(|part| part.with_life(base, 0))
            }
            StmtKind::VaEnd { .. } | StmtKind::LibraryCall { .. } => post.clone(),
            StmtKind::VaStart { list } | StmtKind::VaCopy { dest: list, .. } => self.spoil(list, post),
            StmtKind::VaArg { list, dest } => {
                let post = self.havoc(dest, post);
                self.spoil(list, &post)
            }
            StmtKind::ProgramArgs { argc, argv, envp, .. } => {
                let places = [Some(argc), Some(argv), envp.as_ref()].into_iter().flatten();
                places.fold(post.clone(), |post, place| self.havoc(place, &post))
            }
            StmtKind::Realloc { alloc, dest, ptr, size, fails } => self.realloc(*alloc, dest, ptr, size, *fails, post),
            StmtKind::Unsupported { .. } => CellStates::none(),
        }
    }

    fn assign(&mut self, place: &Place, value: &Expr, post: &CellStates) -> CellStates {
        let Some(ty) = self.cell_type(place.ty) else {
            return match &value.kind {
                ExprKind::Load(source) if !self.program.types.is_scalar(place.ty) => self.copy(place, source, post),
                _ => self.havoc(place, post),
            };
        };
        if !self.is_touched(place, post) {
            return post.clone();
        }
        let values = self.expr(value);
        match place.bits {
            Some(bits) => self.write_field(place, ty, bits, &values, post),
            None => self.write(place, ty, &values, post),
        }
    }

    /// Whether writing to the place may change anything that a state speaks of.
    pub(super) fn is_touched(&self, place: &Place, post: &CellStates) -> bool {
        let bytes = self.program.types.size_of(place.ty).unwrap_or(u64::MAX / 2);
        let var = place.as_var().map(|v| Pointers::to(self.variable(v), Int::constant(place.offset.into())));
        let address = var.as_ref().or_else(|| self.forward.noted.address(place));
        post.parts().iter().any(|part| part.cells.keys().any(|cell| Joined::may_touch(address, cell, bytes)))
    }

    /// A cell gets one of several values.
    pub(super) fn write(&mut self, place: &Place, ty: CellType, values: &[Resolved], post: &CellStates) -> CellStates {
        let Some(targets) = self.targets(place) else { return CellStates::none() };
        let mut all = CellStates::none();
        for target in &targets {
            for value in values {
                all.lower_join(self.write_one(target, ty, value, post));
            }
        }
        all
    }

    /// Bits of a unit get one of several values; the unit's other bits stay.
    fn write_field(
        &mut self,
        place: &Place,
        ty: CellType,
        bits: BitRange,
        values: &[Resolved],
        post: &CellStates,
    ) -> CellStates {
        let unit = ty.bytes();
        let (Some(targets), true, CellType::Int { .. }) = (self.targets(place), bits.unit_bytes(unit) == unit, ty)
        else {
            return self.untouched(place, post);
        };
        let mut all = CellStates::none();
        for target in &targets {
            let cell = Cell { base: target.base, offset: target.offset, ty };
            for value in values {
                let e = deposited(cell, bits, value.e.clone());
                all.lower_join(self.write_one(target, ty, &Resolved { e, ..value.clone() }, post));
            }
        }
        all
    }

    /// Algorithm 2, of one target and one value: the assignment backwards, then the pointers filtered.
    pub(super) fn write_one(
        &mut self,
        target: &Target,
        ty: CellType,
        value: &Resolved,
        post: &CellStates,
    ) -> CellStates {
        let cell = Cell { base: target.base, offset: target.offset, ty };
        let weak = self.forward.bases.is_summary_base(target.base);
        let known: Vec<(Cell, Value)> = value.known.iter().chain(&target.known).cloned().collect();
        let goals: Vec<(CellExpr, Value)> = value.when.iter().chain(&target.when).cloned().collect();
        let mut all = CellStates::none();
        for part in post.parts() {
            if !self.tick() {
                break;
            }
            let Some(mut before) = part.backward_assign(cell, &value.e, &known) else { continue };
            if weak {
                // The others of its blocks keep what they hold.
                let Some(both) = before.lower_meet(part) else { continue };
                before = both;
            }
            if let Some(mut state) = self.satisfy(&before, &known, &goals) {
                let mut old = part.clone();
                if !weak {
                    old.cells.remove(&cell);
                }
                relax(&mut state, &known, &old);
                all.add(state);
            }
        }
        all
    }

    /// The place gets anything.
    pub(super) fn havoc(&mut self, place: &Place, post: &CellStates) -> CellStates {
        if self.is_touched(place, post) { self.untouched(place, post) } else { post.clone() }
    }
    /// The parts that say nothing of where the place may be.
    fn untouched(&self, place: &Place, post: &CellStates) -> CellStates {
        post.map(|part| (!self.is_touched(place, &CellStates::of([part.clone()]))).then(|| part.clone()))
    }
    /// Whatever a pointer points to gets anything.
    pub(super) fn spoil(&self, pointer: &Expr, post: &CellStates) -> CellStates {
        let Some(value) = self.forward.noted.value(pointer) else { return CellStates::none() };
        let spoiled = |cell: &Cell| {
            Joined::is_content(cell) && (value.pointers.is_any() || value.pointers.offset(cell.base).is_some())
        };
        post.map(|part| (!part.cells.keys().any(spoiled)).then(|| part.clone()))
    }

    // Copies of aggregates.

    /// An aggregate is copied.
    fn copy(&mut self, place: &Place, source: &Place, post: &CellStates) -> CellStates {
        if !self.is_touched(place, post) {
            return post.clone();
        }
        let bytes = self.program.types.size_of(place.ty).unwrap_or(0);
        match (self.targets(place).as_deref(), self.targets(source).as_deref()) {
            (Some([to]), Some([from])) if !self.forward.bases.is_summary_base(to.base) => {
                let gaps = padding(&self.program.types, place.ty);
                // What padding is after a copy depends on no state before.
                let is_open = |cell: &Cell| {
                    gaps.iter().any(|gap| {
                        let (first, len) = gap.extent();
                        let start = to.offset + first;
                        cell.base == to.base && cell.offset < start + len && start < cell.offset + cell.ty.bytes()
                    })
                };
                post.map(|part| {
                    let copied = part.copied((to.base, to.offset), (from.base, from.offset), bytes)?;
                    (!part.cells.keys().any(is_open)).then_some(copied)
                })
            }
            _ => self.untouched(place, post),
        }
    }

    // Inputs.

    /// The next value of an input place, once the later ones are moved on.
    pub(super) fn next_input(&mut self, input: InputId, post: &CellStates) -> (BaseId, CellStates) {
        let base = self.input_base(InputPlace::Site(input));
        let moved = post.map(|part| {
            let later = |cell: &Cell| Cell { offset: cell.offset + STRIDE, ..*cell };
            let cells = part.cells.iter();
            Some(CellState::of(cells.map(|(c, v)| (if c.base == base { later(c) } else { *c }, v.clone()))))
        });
        (base, moved)
    }

    fn input(&mut self, input: InputId, dest: &Place, range: Option<&(Expr, Expr)>, post: &CellStates) -> CellStates {
        let (base, moved) = self.next_input(input, post);
        let Some(ty @ CellType::Int { .. }) = self.cell_type(dest.ty) else { return self.havoc(dest, &moved) };
        if dest.bits.is_some() || self.program.inputs[input].approximate {
            return self.havoc(dest, &moved);
        }
        let bounds = |e: &Expr| self.forward.noted.value(e).and_then(Value::plain).and_then(Int::as_constant);
        let asked = match range {
            Some((low, high)) => match (bounds(low), bounds(high)) {
                (Some(low), Some(high)) if low <= high => Some(Int::range(low, high)),
                _ => return self.havoc(dest, &moved),
            },
            None => None,
        };
        let cell = Cell { base, offset: 0, ty };
        let known = asked.map(|i| (cell, Value::int(i))).into_iter().collect();
        let value = Resolved { e: CellExpr::Cell(cell), when: Vec::new(), known };
        self.write(dest, ty, &[value], &moved)
    }

    fn input_bytes(&mut self, input: InputId, ptr: &Expr, len: &Expr, post: &CellStates) -> CellStates {
        let (base, moved) = self.next_input(input, post);
        let len_fits = self.forward.noted.value(len).and_then(Value::plain).is_some_and(|n| n.hi() < STRIDE as i128);
        let exact = len_fits && !self.program.inputs[input].approximate;
        if exact { self.take_bytes(ptr, base, len, &moved) } else { self.spoil(ptr, &moved) }
    }

    // Conditions.

    /// States of `post` at which the condition has this truth.
    pub(super) fn condition(&mut self, cond: &Expr, truth: bool, post: &CellStates) -> CellStates {
        let mut all = CellStates::none();
        for way in self.expr(cond) {
            for (e, goal) in goals(&way.e, truth) {
                let mut wanted = way.when.clone();
                wanted.push((e, goal));
                for part in post.parts() {
                    if let Some(state) = self.satisfy(part, &way.known, &wanted) {
                        all.add(state);
                    }
                }
            }
        }
        all
    }
}

/// What a unit holds once some of its bits are those of a number: what is below, the number, what is above.
fn deposited(unit: Cell, bits: BitRange, number: CellExpr) -> CellExpr {
    let (CellType::Int { bytes, .. }, Some(ty)) = (unit.ty, unit.ty.int()) else { return CellExpr::Any(unit.ty) };
    let all = IntType::unsigned(u32::from(bytes) * 8);
    let old = || CellExpr::Convert(Box::new(CellExpr::Cell(unit)), all);
    let times = |e, shift: u32| CellExpr::with_number(BinaryOp::Mul, e, 1 << shift, all);
    let (first, end) = (u32::from(bits.offset), u32::from(bits.offset) + u32::from(bits.width));
    let field = CellExpr::Convert(Box::new(number), IntType::unsigned(u32::from(bits.width.max(1))));
    let mut sum = times(CellExpr::Convert(Box::new(field), all), first);
    let plus = |a, b| CellExpr::Binary(BinaryOp::Add, Box::new(a), Box::new(b), all);
    if first > 0 {
        sum = plus(sum, CellExpr::Convert(Box::new(CellExpr::Convert(Box::new(old()), IntType::unsigned(first))), all));
    }
    if end < all.bits {
        sum = plus(sum, times(CellExpr::with_number(BinaryOp::Shr, old(), end.into(), all), end));
    }
    CellExpr::Convert(Box::new(sum), ty)
}

/// What an expression has to be, as alternatives, to be a truth.
pub(super) fn goals(e: &CellExpr, truth: bool) -> Vec<(CellExpr, Value)> {
    let one = |e: CellExpr| (e, Value::constant(1));
    match e {
        CellExpr::Binary(op, a, b, ty) if op.is_comparison() => {
            // The truth of a truth.
            if let (BinaryOp::Ne | BinaryOp::Eq, CellExpr::Range(n)) = (op, &**b)
                && n.as_constant() == Some(0)
                && is_truth(a)
            {
                return goals(a, truth == (*op == BinaryOp::Ne));
            }
            let op = if truth { *op } else { op.negate().expect("a comparison") };
            let with = |op| CellExpr::Binary(op, a.clone(), b.clone(), *ty);
            let mut all = vec![one(with(op))];
            if op == BinaryOp::Ne {
                all.extend([one(with(BinaryOp::Lt)), one(with(BinaryOp::Gt))]);
            }
            all
        }
        CellExpr::Convert(a, _) if is_truth(a) => goals(a, truth),
        _ => {
            let zero = Box::new(CellExpr::Range(Int::constant(0)));
            let ty = IntType::signed(32);
            goals(&CellExpr::Binary(BinaryOp::Ne, Box::new(e.clone()), zero, ty), truth)
        }
    }
}

fn is_truth(e: &CellExpr) -> bool {
    match e {
        CellExpr::Binary(op, ..) => op.is_comparison(),
        CellExpr::Convert(a, _) => is_truth(a),
        _ => false,
    }
}
