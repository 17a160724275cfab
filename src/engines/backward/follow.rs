//! Following a run statement by statement.

use super::shadow::{Cell, Shadow};
use super::steer::Turn;
use super::trail::{Activation, Awaited, Passed, Trail, WIDE};
use crate::concrete::{InputPlace, InputRecord, InputValue, Machine, ObjectId, Observer, Pointer, Spot};
use crate::domains::IntType;
use crate::ir::program::ENTRY;
use crate::ir::{BinaryOp, BlockId, Callee, Expr, ExprKind, FuncId, Place, Stmt, StmtKind, Terminator, VarId};

/// Cases of a `switch` that are forks.
const CASES: usize = 64;
/// The largest block that the interpreter gives out.
const LARGEST: i128 = 1 << 40;

impl Observer for Trail<'_> {
    fn enter_block(&mut self, function: FuncId, block: BlockId, machine: &Machine<'_>) {
        self.last = Some((function, block));
        if self.is_over() || block != ENTRY || machine.depth() <= self.activations.len() {
            return;
        }
        self.shadows.forget_registers(machine.first_register());
        let (passed, activation) = match self.pending.take() {
            Some((passed, activation)) => (passed, activation),
            None => (Vec::new(), Activation::default()),
        };
        let first = self.activations.is_empty();
        self.activations.push(activation);
        let params = machine.program().functions[function].params.clone();
        if first {
            let taken = self.take_inputs(machine, 0);
            for (record, shadow) in taken {
                let InputPlace::Parameter(_, number) = record.place else {
                    self.take_given(machine, &record);
                    continue;
                };
                let param = params[number as usize];
                self.bind(machine, param, Passed::Scalar(shadow, machine.program().variables[param].ty));
            }
            return;
        }
        for (param, passed) in params.iter().zip(passed) {
            self.bind(machine, *param, passed);
        }
    }

    fn before_statement<'p>(&mut self, stmt: &'p Stmt, machine: &mut Machine<'p>) {
        if self.is_over() {
            return;
        }
        self.awaited = Awaited { inputs: machine.inputs_so_far().len(), ..Awaited::default() };
        self.statement(&stmt.kind, machine);
        self.watch_size();
    }

    fn after_statement<'p>(&mut self, stmt: &'p Stmt, machine: &mut Machine<'p>) {
        if self.is_over() {
            return;
        }
        match &stmt.kind {
            StmtKind::Input { .. } => {
                let taken = self.take_inputs(machine, self.awaited.inputs);
                let shadow = taken.into_iter().next().and_then(|(_, s)| s);
                self.put(machine, &stmt.kind, shadow);
            }
            StmtKind::InputBytes { ptr, .. } => self.take_bytes(machine, ptr),
            StmtKind::Alloc { dest, .. } | StmtKind::Realloc { dest, .. } => {
                self.take_inputs(machine, self.awaited.inputs);
                self.put(machine, &stmt.kind, None);
                self.allocated(machine, dest);
            }
            StmtKind::ProgramArgs { .. } => {
                self.take_inputs(machine, self.awaited.inputs);
            }
            StmtKind::Lib { .. } => {
                let shadow = self.awaited.shadow.take();
                self.put(machine, &stmt.kind, shadow);
            }
            // What an object that no unit defines holds is no input that a person gives.
            StmtKind::Call { .. } => {}
            _ if machine.inputs_so_far().len() > self.awaited.inputs => self.lose("content of an unknown object"),
            _ => {}
        }
    }

    fn before_terminator<'p>(&mut self, terminator: &'p Terminator, machine: &mut Machine<'p>) {
        if self.is_over() {
            return;
        }
        match terminator {
            Terminator::Branch { cond, then_to, else_to } => {
                let before = self.conditions.len();
                self.branch(machine, cond);
                if self.open.is_some()
                    && let Some(taken) = machine.peek(cond).and_then(|v| v.as_int())
                {
                    let other = if taken != 0 { *else_to } else { *then_to };
                    self.edge(machine, other, before, Turn::Not(self.conditions.len()));
                }
            }
            Terminator::Switch { value, cases, .. } => match self.expr(machine, value) {
                Some(Shadow::Int(t)) => {
                    let number = self.terms.value(t);
                    if self.open.is_some() {
                        let before = self.conditions.len();
                        for case in cases.iter().take(CASES).filter(|case| !(case.low..=case.high).contains(&number)) {
                            let is_case = self.terms.with_number(BinaryOp::Eq, t, case.low);
                            self.edge(machine, case.target, before, Turn::Holds(is_case));
                        }
                    }
                    match cases.iter().find(|c| (c.low..=c.high).contains(&number)) {
                        Some(case) => self.decide_range(t, case.low, case.high),
                        None => cases.iter().for_each(|c| self.decide_range(t, c.low, c.high)),
                    }
                }
                other => self.fix_any(other),
            },
            Terminator::IndirectGoto { target, .. } => {
                let shadow = self.expr(machine, target);
                self.fix_any(shadow);
            }
            Terminator::Return(value) => self.leave(machine, value.as_ref()),
            Terminator::Goto(_) | Terminator::Exit(_) | Terminator::Unreachable => {}
        }
        self.watch_size();
    }
}

impl Trail<'_> {
    fn statement<'p>(&mut self, stmt: &'p StmtKind, machine: &mut Machine<'p>) {
        match stmt {
            StmtKind::Check(check) => self.check(machine, check),
            StmtKind::Assign { place, value } => self.assign(machine, place, value),
            StmtKind::Assume { cond } => self.branch(machine, cond),
            StmtKind::Call { dest, callee, args, .. } => self.call(machine, dest.as_ref(), callee, args),
            StmtKind::Lib { function, dest, args } => {
                self.expect(machine, dest.as_ref());
                self.awaited.shadow = self.library(machine, *function, args);
            }
            StmtKind::Input { dest, range, .. } => {
                for e in range.iter().flat_map(|(low, high)| [low, high]) {
                    let shadow = self.expr(machine, e);
                    self.fix_any(shadow);
                }
                self.expect(machine, Some(dest));
            }
            StmtKind::InputBytes { ptr, len, .. } => {
                for e in [ptr, len] {
                    let shadow = self.expr(machine, e);
                    self.fix_any(shadow);
                }
            }
            StmtKind::Alloc { dest, size, .. } => {
                self.expect(machine, Some(dest));
                match self.expr(machine, size) {
                    Some(Shadow::Int(t)) => {
                        self.decide_against(BinaryOp::Le, t, LARGEST);
                        self.awaited.size = Some(t);
                    }
                    other => self.fix_any(other),
                }
            }
            StmtKind::Realloc { dest, ptr, size, .. } => self.reallocate(machine, dest, ptr, size),
            StmtKind::Free { ptr } => {
                let shadow = self.expr(machine, ptr);
                self.fix_any(shadow);
            }
            StmtKind::StorageLive(var) => match machine.spot_of(*var) {
                spot @ Spot::Register(_) => self.shadows.write(self.terms, spot, 0, None),
                Spot::Memory { object, .. } => self.shadows.clear(self.terms, object, 0, u64::MAX),
            },
            StmtKind::StorageDead(_) => {}
            StmtKind::VaStart { list } | StmtKind::VaCopy { dest: list, .. } => self.overwrite(machine, list, 24),
            StmtKind::VaArg { list, dest } => {
                self.overwrite(machine, list, 24);
                self.expect(machine, Some(dest));
                self.put(machine, stmt, None);
            }
            StmtKind::VaEnd { .. } | StmtKind::LibraryCall { .. } => {}
            StmtKind::ProgramArgs { argc, argv, envp, .. } => {
                for place in [Some(argc), Some(argv), envp.as_ref()].into_iter().flatten() {
                    if let Some(spot) = self.spot(machine, place) {
                        let size = self.size(machine, place.ty);
                        self.shadows.write(self.terms, spot, size, None);
                    }
                }
            }
            StmtKind::Unsupported { what, .. } => self.lose(what.clone()),
        }
    }

    /// A statement will write here.
    fn expect<'p>(&mut self, machine: &mut Machine<'p>, dest: Option<&'p Place>) {
        let Some(place) = dest else { return };
        let size = self.size(machine, place.ty);
        if let Some(spot) = self.spot(machine, place) {
            if place.bits.is_some() {
                self.fix_bytes(spot, size);
            }
            self.awaited.dest = Some((spot, size));
        }
    }

    /// What was expected has been written.
    fn put(&mut self, machine: &Machine<'_>, stmt: &StmtKind, shadow: Option<Shadow>) {
        let (Some((spot, size)), Some(place)) = (self.awaited.dest.take(), stmt.dest()) else { return };
        let shadow = match place.bits {
            // Part of a unit.
            Some(_) => {
                self.fix_any(shadow);
                None
            }
            None => self.as_type(machine, shadow, place.ty),
        };
        self.shadows.write(self.terms, spot, size, shadow);
    }

    /// All bytes from a place on are what they are in the run.
    pub fn fix_bytes(&mut self, spot: Spot, size: u64) {
        if let Spot::Memory { object, at } = spot {
            for (_, cell) in self.shadows.overlapping(object, at, at.saturating_add(size)) {
                self.fix(&cell.shadow);
            }
        }
    }

    /// Bytes that a pointer points to no longer depend on inputs.
    fn overwrite<'p>(&mut self, machine: &mut Machine<'p>, pointer: &'p Expr, size: u64) {
        if let Some((slot, at)) = self.target_of(machine, pointer) {
            self.shadows.clear(self.terms, machine.object_id(slot), at, at.saturating_add(size));
        }
    }

    fn assign<'p>(&mut self, machine: &mut Machine<'p>, place: &'p Place, value: &'p Expr) {
        if self.is_aggregate(machine, place.ty) {
            let ExprKind::Load(source) = &value.kind else { return self.lose("an aggregate that is no load") };
            let cells = self.aggregate(machine, source);
            let size = self.size(machine, place.ty);
            if let Some(spot) = self.spot(machine, place) {
                self.place_cells(spot, size, cells);
            }
            return;
        }
        let shadow = self.expr(machine, value);
        let shadow = match shadow {
            Some(_) => {
                let concrete = machine.peek(value);
                self.agree(shadow, concrete)
            }
            None => None,
        };
        let size = self.size(machine, place.ty);
        let Some(spot) = self.spot(machine, place) else { return };
        if place.bits.is_some() {
            self.fix_any(shadow);
            self.fix_bytes(spot, size);
            return;
        }
        self.shadows.write(self.terms, spot, size, shadow);
    }

    /// The cells of an aggregate, from its first byte on.
    fn aggregate<'p>(&mut self, machine: &mut Machine<'p>, source: &'p Place) -> Vec<(u64, Cell)> {
        let size = self.size(machine, source.ty);
        match self.spot(machine, source) {
            Some(Spot::Memory { object, at }) => {
                let cells = self.shadows.copy(self.terms, object, at, at + size);
                cells.into_iter().map(|(start, cell)| (start - at, cell)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn place_cells(&mut self, spot: Spot, size: u64, cells: Vec<(u64, Cell)>) {
        let Spot::Memory { object, at } = spot else { return };
        self.shadows.clear(self.terms, object, at, at + size);
        for (start, cell) in cells {
            self.shadows.insert(object, at + start, cell);
        }
    }

    fn call<'p>(&mut self, machine: &mut Machine<'p>, dest: Option<&'p Place>, callee: &'p Callee, args: &'p [Expr]) {
        let activation =
            Activation { dest: dest.and_then(|place| self.spot(machine, place).map(|spot| (spot, place.ty))) };
        if dest.is_some_and(|d| d.bits.is_some()) {
            return self.lose("a result in a bit-field");
        }
        let named = match callee {
            Callee::Direct(f) => machine.program().functions[*f].params.len(),
            Callee::Indirect(e) => {
                let shadow = self.expr(machine, e);
                self.fix_any(shadow);
                match machine.peek(e).map(|v| machine.pointer(v)) {
                    Some(Pointer::Function(f)) => machine.program().functions[f].params.len(),
                    _ => return,
                }
            }
        };
        let mut passed = Vec::new();
        for (i, arg) in args.iter().enumerate() {
            let value = self.passed(machine, arg);
            match value {
                Passed::Scalar(shadow, _) if i >= named => self.fix_any(shadow),
                Passed::Bytes(cells) if i >= named => cells.iter().for_each(|(_, c)| self.fix(&c.shadow)),
                value => passed.push(value),
            }
        }
        self.pending = Some((passed, activation));
    }

    fn passed<'p>(&mut self, machine: &mut Machine<'p>, e: &'p Expr) -> Passed {
        if self.is_aggregate(machine, e.ty) {
            return match &e.kind {
                ExprKind::Load(source) => Passed::Bytes(self.aggregate(machine, source)),
                _ => Passed::Bytes(Vec::new()),
            };
        }
        Passed::Scalar(self.expr(machine, e), e.ty)
    }

    fn bind(&mut self, machine: &Machine<'_>, param: VarId, passed: Passed) {
        let ty = machine.program().variables[param].ty;
        self.receive(machine, machine.spot_of(param), ty, passed);
    }

    /// A passed value arrives.
    fn receive(&mut self, machine: &Machine<'_>, spot: Spot, ty: crate::ir::TypeId, passed: Passed) {
        let size = self.size(machine, ty);
        match passed {
            Passed::Scalar(shadow, _) => {
                let shadow = self.as_type(machine, shadow, ty);
                self.shadows.write(self.terms, spot, size, shadow);
            }
            Passed::Bytes(cells) => self.place_cells(spot, size, cells),
        }
    }

    fn leave<'p>(&mut self, machine: &mut Machine<'p>, value: Option<&'p Expr>) {
        let passed = value.map(|e| self.passed(machine, e));
        if let (Some(Activation { dest: Some((spot, ty)) }), true) = (self.activations.pop(), machine.depth() > 1) {
            let passed = passed.unwrap_or(Passed::Scalar(None, ty));
            self.receive(machine, spot, ty, passed);
        }
    }

    fn take_bytes<'p>(&mut self, machine: &mut Machine<'p>, ptr: &'p Expr) {
        let from = self.awaited.inputs;
        let Some((record, _)) = self.take_inputs(machine, from).into_iter().next() else { return };
        let Some((slot, at)) = self.target_of(machine, ptr) else { return self.lose("input bytes to no object") };
        self.put_bytes(machine.object_id(slot), at, &record);
    }

    /// The bytes of an object that the caller of the entry function gives.
    fn take_given(&mut self, machine: &Machine<'_>, record: &InputRecord) {
        let given = machine.given_objects().iter().find(|(place, _)| *place == record.place);
        if let Some((_, slot)) = given {
            self.put_bytes(machine.object_id(*slot), 0, record);
        }
    }

    /// An object's bytes from `at` on are those of an input.
    fn put_bytes(&mut self, object: ObjectId, at: u64, record: &InputRecord) {
        let InputValue::Bytes(bytes) = &record.value else { return };
        self.shadows.clear(self.terms, object, at, at + bytes.len() as u64);
        let ty = IntType::unsigned(8);
        for (i, byte) in bytes.iter().enumerate() {
            let term = self.input(record.place, record.occurrence, Some(i as u32), ty, (0, 255), i128::from(*byte));
            let Some(term) = term else { return };
            self.shadows.insert(object, at + i as u64, Cell { size: 1, shadow: Shadow::Int(term) });
            self.watch_size();
            if self.lost.is_some() {
                return;
            }
        }
    }

    fn reallocate<'p>(&mut self, machine: &mut Machine<'p>, dest: &'p Place, ptr: &'p Expr, size: &'p Expr) {
        let shadow = self.expr(machine, size);
        self.fix_any(shadow);
        let length = machine.peek(size).and_then(super::expression::plain_number).unwrap_or(0);
        if let Some((slot, 0)) = self.target_of(machine, ptr) {
            let object = machine.object_id(slot);
            if let Some(old) = self.shadows.sizes.get(&object).copied() {
                self.fix(&Shadow::Int(old));
            }
            let length = u64::try_from(length).unwrap_or(0);
            self.awaited.moved = self.shadows.copy(self.terms, object, 0, length);
        }
        self.expect(machine, Some(dest));
    }

    /// A new block is where the pointer at `dest` points.
    fn allocated<'p>(&mut self, machine: &mut Machine<'p>, dest: &'p Place) {
        let (size, moved) = (self.awaited.size.take(), std::mem::take(&mut self.awaited.moved));
        if size.is_none() && moved.is_empty() {
            return;
        }
        let pointer = match machine.peek_place(dest) {
            Some(value) => machine.pointer(value),
            None => return self.lose("a new block that is not found"),
        };
        let Pointer::Object { slot, offset: 0, .. } = pointer else { return };
        let object = machine.object_id(slot);
        if let Some(size) = size {
            let wide = self.terms.convert(size, WIDE);
            self.shadows.sizes.insert(object, wide);
        }
        moved.into_iter().for_each(|(at, cell)| self.shadows.insert(object, at, cell));
    }
}
