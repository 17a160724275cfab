//! `setjmp` and `longjmp` as plain control flow (C11 7.13).
//!
//! Every `setjmp` gives its activation a number that no other has, keeps it in the buffer and in a local of its own. `longjmp` notes the number and
//! the value as *pending* and returns; behind every call that may jump, its caller looks: what is pending for one of its own `setjmp`s goes on
//! there, anything else returns further. So all engines see jumps as branches and returns.
//!
//! What an automatic variable holds that is not volatile and may have changed in between is left open (7.13.2.1p3): where it is assigned on some way
//! from the `setjmp` to a call that may jump, or its address is taken.
//!
//! The numbers stand for the environment that C leaves abstract. Not seen: objects of inner scopes that a jump leaves live on (H41).

use super::body::Body;
use super::context::Lowerer;
use super::error::Lowered;
use super::library_body::taken_functions;
use super::spelling;
use crate::base::Span;
use crate::ir::program::{ENTRY, Linkage};
use crate::ir::{
    BinaryOp, Block, BlockId, Callee, Check, CheckKind, CheckSite, Expr, ExprKind, FnType, FuncId, LibFn, Place,
    PlaceBase, Stmt, StmtKind, Storage, Terminator, Type, TypeId, VarId,
};
use lang_c::ast::TypeQualifier;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// The name of the record that GNU's `jmp_buf` is an array of.
const BUFFER: &str = "__jmp_buf_tag";

/// What is known of jumps, over all units.
#[derive(Debug, Default)]
pub(super) struct Jumps {
    state: Option<Pending>,
    landings: Vec<Landing>,
    volatile: FxHashSet<VarId>,
}

/// The library's variables, and the function that sets them.
#[derive(Clone, Copy, Debug)]
struct Pending {
    /// Of `size_t`: how many numbers have been given, and the one that is jumped to, 0 for none.
    given: VarId,
    number: VarId,
    /// Of `int`: what `setjmp` gives.
    value: VarId,
    jump: FuncId,
}

/// Where a `setjmp` gives its result.
#[derive(Debug)]
struct Landing {
    function: FuncId,
    /// The local with the activation's number, which only the block in front of the landing sets.
    number: VarId,
    result: VarId,
    span: Span,
}

/// Variables that may have changed between a `setjmp` and a jump to it.
#[derive(Debug, Default)]
struct LeftOpen {
    /// Those whose address is taken, and those that are assigned.
    addressed: Vec<VarId>,
    assigned: Vec<VarId>,
}

impl Lowerer<'_> {
    /// `setjmp(buffer)` where the buffer's first bytes may be written.
    pub(crate) fn set_jump(&mut self, buffer: Expr, span: Span) -> Lowered<Expr> {
        let state = self.pending_jump()?;
        let (size, int) = (self.size_type(), self.int_type());
        let given = Place::var(state.given, size);
        let next = self.folded(BinaryOp::Add, Expr::load(given.clone()), Expr::int(1, size), size);
        let next = self.hold(next, span)?;
        self.emit(StmtKind::Assign { place: given, value: next.clone() }, span)?;
        let kept = Place::deref(self.number_in(buffer), size);
        self.emit(StmtKind::Assign { place: kept, value: next.clone() }, span)?;
        let (number, result) = (self.temp(size, span)?, self.temp(int, span)?);
        self.emit(StmtKind::Assign { place: Place::var(result, int), value: Expr::int(0, int) }, span)?;
        self.emit(StmtKind::Assign { place: Place::var(number, size), value: next }, span)?;
        let body = self.body(span)?;
        let (function, landing) = (body.function, body.new_block());
        body.fall_into(landing, span);
        let volatile = spelling::bit(&TypeQualifier::Volatile);
        let spelled = self.spellings.iter().filter(|(_, s)| s.own & volatile != 0).map(|(v, _)| *v);
        let spelled: Vec<VarId> = spelled.collect();
        if self.discarding > 0 {
            return Ok(Expr::load(Place::var(result, int)));
        }
        let jumps = &mut self.around.jumps;
        jumps.volatile.extend(spelled);
        jumps.landings.push(Landing { function, number, result, span });
        Ok(Expr::load(Place::var(result, int)))
    }

    /// `longjmp(buffer, value)` where the buffer's first bytes may be read.
    pub(crate) fn long_jump(&mut self, buffer: Expr, value: Expr, span: Span) -> Lowered<()> {
        let state = self.pending_jump()?;
        let (size, int) = (self.size_type(), self.int_type());
        let kept = self.number_in(buffer);
        let number = self.hold(Expr::load(Place::deref(kept, size)), span)?;
        let is_set = self.folded(BinaryOp::Ne, number.clone(), Expr::int(0, size), int);
        self.check_holds(CheckKind::NullDeref, is_set, "longjmp(...) to where no `setjmp` has been", span)?;
        // 0 would tell that nobody has jumped.
        let is_zero = self.folded(BinaryOp::Eq, value.clone(), Expr::int(0, int), int);
        let value = self.folded(BinaryOp::Add, value, is_zero, int);
        self.call_function(state.jump, vec![number, value], span)?;
        self.terminate(Terminator::Unreachable, span)
    }

    fn number_in(&mut self, buffer: Expr) -> Expr {
        let pointer = self.program.types.pointer(self.size_type());
        super::fold::cast(&self.program.types, buffer, pointer)
    }

    fn pending_jump(&mut self) -> Lowered<Pending> {
        if let Some(state) = self.around.jumps.state {
            return Ok(state);
        }
        let (size, int, void) = (self.size_type(), self.int_type(), self.program.types.void());
        let given = self.hidden_static("<activations that setjmp has numbered>", size);
        let number = self.hidden_static("<the activation that is jumped to>", size);
        let value = self.hidden_static("<the value that setjmp gives there>", int);
        let ty = FnType { result: void, params: vec![size, int], variadic: false, prototyped: true };
        let ty = self.program.types.intern(Type::Function(ty));
        let jump = self.new_function("<jump>", ty, Linkage::Internal, Span::NONE);
        let outer = self.body.replace(Body::new(jump, void));
        let mut params = Vec::new();
        for (i, (ty, to)) in [(size, number), (int, value)].into_iter().enumerate() {
            let param = self.local(format!("argument {}", i + 1), ty, |f| Storage::Param(f, i as u32), Span::NONE)?;
            params.push(param);
            let value = Expr::load(Place::var(param, ty));
            self.emit(StmtKind::Assign { place: Place::var(to, ty), value }, Span::NONE)?;
        }
        self.terminate(Terminator::Return(None), Span::NONE)?;
        self.give_body(jump, params, Span::NONE)?;
        self.body = outer;
        let state = Pending { given, number, value, jump };
        self.around.jumps.state = Some(state);
        Ok(state)
    }

    /// Makes jumps the control flow that they are; to be called when all functions have their bodies.
    pub(super) fn weave_jumps(&mut self) {
        let jumps = std::mem::take(&mut self.around.jumps);
        let Some(state) = jumps.state else { return };
        let taken = taken_functions(&mut self.program);
        let jumping = self.jumping_functions(state.jump, &taken);
        let indirect = taken.iter().any(|f| jumping.contains(f));
        for f in &jumping {
            self.program.functions[*f].noreturn = false;
        }
        if indirect {
            self.refuse_jumps_out_of_sorts();
        }
        for f in self.program.functions.indices().collect::<Vec<_>>() {
            let may_jump = |stmt: &Stmt| may_jump(stmt, &jumping, indirect);
            let calls = self.program.functions[f].blocks.iter().any(|b| b.stmts.iter().any(may_jump));
            if calls && f != state.jump {
                let landings: Vec<&Landing> = jumps.landings.iter().filter(|l| l.function == f).collect();
                self.weave_into(f, state, &landings, &jumps.volatile, &may_jump);
            }
        }
    }

    /// The functions that may return because somebody has jumped.
    fn jumping_functions(&self, jump: FuncId, taken: &BTreeSet<FuncId>) -> FxHashSet<FuncId> {
        let mut jumping = FxHashSet::from_iter([jump]);
        loop {
            let indirect = taken.iter().any(|f| jumping.contains(f));
            let functions = self.program.functions.iter_enumerated();
            let calls = |blocks: &crate::base::IndexVec<BlockId, Block>| {
                blocks.iter().any(|b| b.stmts.iter().any(|s| may_jump(s, &jumping, indirect)))
            };
            let new: Vec<FuncId> = functions
                .filter(|(f, function)| !jumping.contains(f) && calls(&function.blocks))
                .map(|(f, _)| f)
                .collect();
            if new.is_empty() {
                return jumping;
            }
            jumping.extend(new);
        }
    }

    /// A comparison that jumps out of a sort is not followed.
    fn refuse_jumps_out_of_sorts(&mut self) {
        for function in self.program.functions.iter_mut() {
            for block in function.blocks.iter_mut() {
                let sorts = |s: &Stmt| matches!(s.kind, StmtKind::Lib { function: LibFn::Sort, .. });
                if let Some(at) = block.stmts.iter().position(sorts) {
                    let span = block.stmts[at].span;
                    let what = "a sort whose comparison may call `longjmp`".to_owned();
                    block.stmts.insert(at, Stmt { kind: StmtKind::Unsupported { what, dest: None }, span });
                }
            }
        }
    }

    fn weave_into(
        &mut self,
        f: FuncId,
        state: Pending,
        landings: &[&Landing],
        volatile: &FxHashSet<VarId>,
        may_jump: &dyn Fn(&Stmt) -> bool,
    ) {
        let (size, int) = (self.size_type(), self.int_type());
        let pending = Expr::load(Place::var(state.number, size));
        // What is left open must be known before the new ways are there.
        let open: Vec<LeftOpen> = landings.iter().map(|l| self.left_open(f, l.number, volatile, may_jump)).collect();
        let targets: Vec<Option<BlockId>> = landings.iter().map(|l| self.landing_of(f, l.number)).collect();
        let targets: Vec<Option<BlockId>> = targets
            .into_iter()
            .zip(landings.iter().zip(&open))
            .map(|(target, (landing, open))| Some(self.through_changes(f, landing, &open.assigned, target?)))
            .collect();
        let span = self.program.functions[f].span;
        let unanswered = self.unanswered(f, span);
        let mut otherwise = self.program.functions[f].blocks.push(unanswered);
        for ((landing, open), target) in landings.iter().zip(open).zip(targets) {
            let Some(target) = target else { continue };
            let mut stmts = vec![
                StmtKind::Assign { place: Place::var(state.number, size), value: Expr::int(0, size) },
                StmtKind::Assign {
                    place: Place::var(landing.result, int),
                    value: Expr::load(Place::var(state.value, int)),
                },
            ];
            stmts.extend(open.addressed.into_iter().map(|v| self.unsettled(v)));
            let stmts = stmts.into_iter().map(|kind| Stmt { kind, span: landing.span }).collect();
            let blocks = &mut self.program.functions[f].blocks;
            let lands =
                blocks.push(Block { stmts, terminator: Terminator::Goto(target), span: landing.span, keyword: None });
            let own = Expr::load(Place::var(landing.number, size));
            let cond = Expr::binary(BinaryOp::Eq, own, pending.clone(), int);
            let terminator = Terminator::Branch { cond, then_to: lands, else_to: otherwise };
            otherwise = blocks.push(Block { stmts: Vec::new(), terminator, span: landing.span, keyword: None });
            let none = StmtKind::Assign { place: Place::var(landing.number, size), value: Expr::int(0, size) };
            blocks[ENTRY].stmts.insert(0, Stmt { kind: none, span: landing.span });
        }
        let jumped = Expr::binary(BinaryOp::Ne, pending, Expr::int(0, size), int);
        let blocks = &mut self.program.functions[f].blocks;
        let mut b = 0;
        while b < blocks.len() {
            let here = BlockId(b as u32);
            b += 1;
            let Some(at) = blocks[here].stmts.iter().position(may_jump) else { continue };
            let block = &mut blocks[here];
            let (stmts, span) = (block.stmts.split_off(at + 1), block.span);
            let terminator = std::mem::replace(&mut block.terminator, Terminator::Unreachable);
            let rest = blocks.push(Block { stmts, terminator, span, keyword: None });
            blocks[here].terminator = Terminator::Branch { cond: jumped.clone(), then_to: otherwise, else_to: rest };
        }
    }

    /// All bytes of the variable that hold something get values that C leaves open.
    fn unsettled(&self, v: VarId) -> StmtKind {
        let ptr = Expr { kind: ExprKind::AddrOf(v, 0), ty: self.program.types.void_ptr() };
        let args = vec![ptr, self.size_const(self.program.variables[v].size)];
        StmtKind::Lib { function: LibFn::Unsettle, dest: None, args }
    }

    /// Blocks that leave open which of the variables have been assigned since the `setjmp`, and go on to `target`; the first of them.
    fn through_changes(&mut self, f: FuncId, landing: &Landing, assigned: &[VarId], target: BlockId) -> BlockId {
        let (int, span) = (self.int_type(), landing.span);
        let mut next = target;
        for v in assigned {
            let variable = &self.program.variables[landing.result];
            let flag = crate::ir::Variable {
                name: format!("{} changed", self.program.variables[*v].name),
                ..variable.clone()
            };
            let flag = self.program.variables.push(flag);
            self.program.functions[f].locals.push(flag);
            let set = |value| Stmt {
                kind: StmtKind::Assign { place: Place::var(flag, int), value: Expr::int(value, int) },
                span,
            };
            for block in self.program.functions[f].blocks.iter_mut() {
                let mut at = 0;
                while at < block.stmts.len() {
                    at += 1;
                    if block.stmts[at - 1].kind.dest().and_then(variable_of) == Some(*v) {
                        block.stmts.insert(at, set(1));
                        at += 1;
                    }
                }
                if sets(block, landing.number) {
                    block.stmts.insert(block.stmts.len() - 1, set(0));
                }
            }
            let unsettled = self.unsettled(*v);
            let blocks = &mut self.program.functions[f].blocks;
            blocks[ENTRY].stmts.insert(0, set(0));
            let mut add = |stmts, terminator| blocks.push(Block { stmts, terminator, span, keyword: None });
            let open = add(vec![Stmt { kind: unsettled, span }], Terminator::Goto(next));
            let cond = Expr::load(Place::var(flag, int));
            next = add(Vec::new(), Terminator::Branch { cond, then_to: open, else_to: next });
        }
        next
    }

    /// What a function does with a jump to none of its own landings: it returns; nobody is left where `main` has none.
    fn unanswered(&mut self, f: FuncId, span: Span) -> Block {
        if self.program.functions[f].name != "main" {
            let terminator = Terminator::Return(self.nothing_of(f));
            return Block { stmts: Vec::new(), terminator, span, keyword: None };
        }
        let subject = "longjmp(...) to a function that has returned".to_owned();
        let site = CheckSite { kind: CheckKind::UseAfterFree, function: f, span, subject };
        let site = self.program.sites.push(site);
        let kind = StmtKind::Check(Box::new(Check::Holds { site, cond: self.int_const(0) }));
        Block { stmts: vec![Stmt { kind, span }], terminator: Terminator::Unreachable, span, keyword: None }
    }

    /// The result of a function that returns for a jump, which nobody uses: a record that nothing was written to, or none.
    fn nothing_of(&mut self, f: FuncId) -> Option<Expr> {
        let ty = self.fn_type(self.program.functions[f].ty)?.result;
        let (Type::Record(_), size) = (self.program.types.get(ty), self.program.types.size_of(ty)?) else {
            return None;
        };
        let variable = crate::ir::Variable {
            name: "<nothing>".to_owned(),
            ty,
            storage: Storage::Temp(f),
            span: Span::NONE,
            size,
            constant: crate::ir::ConstantBytes::None,
            defined: true,
            system: false,
            init: Vec::new(),
            address_taken: false,
        };
        let v = self.program.variables.push(variable);
        self.program.functions[f].locals.push(v);
        Some(Expr::load(Place::var(v, ty)))
    }

    /// Where a `setjmp` goes on: behind the block that sets its number.
    fn landing_of(&self, f: FuncId, number: VarId) -> Option<BlockId> {
        let block = self.program.functions[f].blocks.iter().find(|b| sets(b, number))?;
        match block.terminator {
            Terminator::Goto(landing) => Some(landing),
            _ => None,
        }
    }

    /// The variables that may have changed since the `setjmp` when somebody jumps to it.
    fn left_open(
        &self,
        f: FuncId,
        number: VarId,
        volatile: &FxHashSet<VarId>,
        may_jump: &dyn Fn(&Stmt) -> bool,
    ) -> LeftOpen {
        let function = &self.program.functions[f];
        let blocks = &function.blocks;
        let Some(landing) = self.landing_of(f, number) else { return LeftOpen::default() };
        // From the landing on, up to where the buffer is set anew.
        let mut behind = FxHashSet::default();
        let mut left = vec![landing];
        while let Some(b) = left.pop() {
            if behind.insert(b) && !sets(&blocks[b], number) {
                left.extend(blocks[b].terminator.successors());
            }
        }
        // Blocks from whose beginning such a way leads to a call that may jump.
        let mut before: FxHashSet<BlockId> =
            behind.iter().copied().filter(|b| blocks[*b].stmts.iter().any(may_jump)).collect();
        loop {
            let leads = |b: &&BlockId| {
                !before.contains(*b)
                    && !sets(&blocks[**b], number)
                    && blocks[**b].terminator.successors().into_iter().any(|next| before.contains(&next))
            };
            let new: Vec<BlockId> = behind.iter().filter(leads).copied().collect();
            if new.is_empty() {
                break;
            }
            before.extend(new);
        }
        let mut changed = FxHashSet::default();
        for b in &before {
            for stmt in &blocks[*b].stmts {
                changed.extend(stmt.kind.dest().and_then(variable_of));
            }
        }
        let mut taken = FxHashSet::default();
        for block in blocks.iter() {
            for_each_address(block, &mut |v| {
                taken.insert(v);
            });
        }
        let own = function.locals.iter().chain(&function.params);
        let is_left = |v: &&VarId| {
            let variable = &self.program.variables[**v];
            let automatic = matches!(variable.storage, Storage::Local(_) | Storage::Param(..));
            automatic
                && !volatile.contains(*v)
                && !self.is_buffer(variable.ty)
                && (changed.contains(*v) || taken.contains(*v))
        };
        let (addressed, assigned) = own.filter(is_left).copied().partition(|v| taken.contains(v));
        LeftOpen { addressed, assigned }
    }

    /// `setjmp` alone writes what it needs to buffers.
    fn is_buffer(&self, ty: TypeId) -> bool {
        match self.program.types.get(ty) {
            Type::Array(elem, _) => self.is_buffer(*elem),
            Type::Record(r) => self.program.types.records[*r].name == BUFFER,
            _ => false,
        }
    }
}

/// The variable that the place is in.
fn variable_of(place: &Place) -> Option<VarId> {
    match place.base {
        PlaceBase::Var(v) => Some(v),
        PlaceBase::Deref(_) => None,
    }
}

/// Calls `f` on the variables whose addresses the block's statements take.
fn for_each_address(block: &Block, f: &mut impl FnMut(VarId)) {
    let exprs = block.stmts.iter().flat_map(|stmt| stmt.kind.exprs()).chain(block.terminator.expr());
    for e in exprs {
        e.walk(&mut |e| {
            if let ExprKind::AddrOf(v, _) = e.kind {
                f(v);
            }
        });
    }
}

/// Whether somebody may have jumped when the statement has run.
fn may_jump(stmt: &Stmt, jumping: &FxHashSet<FuncId>, indirect: bool) -> bool {
    match &stmt.kind {
        StmtKind::Call { callee: Callee::Direct(f), .. } => jumping.contains(f),
        StmtKind::Call { callee: Callee::Indirect(_), .. } => indirect,
        _ => false,
    }
}

/// Whether the block ends by setting the number, a temporary of one `setjmp`.
fn sets(block: &Block, number: VarId) -> bool {
    let last = block.stmts.last().map(|s| &s.kind);
    matches!(last, Some(StmtKind::Assign { place, .. }) if place.as_var() == Some(number))
}
