//! What statements do to a state.

use super::automaton::{ContextId, NodeId};
use super::encoder::{Encoder, InputTerm};
use super::log::{Log, Origin};
use super::state::{Object, State};
use super::value::{BASE_BITS, Shape, Value, number_pointer};
use crate::concrete::InputPlace;
use crate::ir::{AllocId, AllocKind, CallId, Callee, ConstantBytes, Expr, ExprKind, InputId, Place, StmtKind};
use crate::smt::{self, Sort, Term};

impl Encoder<'_, '_> {
    /// Runs the statements of a node.
    pub fn run_node(&mut self, state: &mut State, node: NodeId) {
        let (automaton, program) = (self.automaton, self.program);
        let n = &automaton.nodes[node];
        let block = &program.functions[n.function].blocks[n.block];
        for (number, stmt) in block.stmts.iter().enumerate().take(n.to).skip(n.from) {
            (self.at, self.place) = (stmt.span, (node, number));
            self.statement(state, n.context, node, &stmt.kind);
        }
        self.place = (node, n.to);
        if n.to == block.stmts.len() {
            self.at = block.span;
        }
    }

    fn statement(&mut self, state: &mut State, context: ContextId, node: NodeId, stmt: &StmtKind) {
        match stmt {
            StmtKind::Check(check) => self.check(state, context, node, check),
            StmtKind::Assign { place, value } => self.assign(state, context, place, value),
            StmtKind::Assume { cond } => {
                let holds = self.truth(state, context, cond);
                self.assume(state, holds);
            }
            StmtKind::Call { call, dest, .. } if self.is_open() => {
                self.call_outside(state, context, *call, dest.as_ref());
            }
            StmtKind::Call { call, dest, callee, .. } => {
                self.unknown_call(state, context, *call, dest.as_ref(), callee);
            }
            StmtKind::Lib { function, dest, args } => self.library(state, context, *function, dest.as_ref(), args),
            StmtKind::Input { input, dest, range } => {
                self.scalar_input(state, context, *input, dest, range.as_ref());
            }
            StmtKind::InputBytes { input, ptr, len } => self.input_bytes(state, context, *input, ptr, len),
            StmtKind::Alloc { alloc, dest, size, zeroed, fails } => {
                self.allocate(state, context, *alloc, dest, size, *zeroed, *fails);
            }
            StmtKind::Realloc { dest, .. } | StmtKind::VaArg { dest, .. } if self.is_open() => {
                self.store_anything(state, context, Some(dest));
            }
            StmtKind::VaStart { .. } | StmtKind::VaCopy { .. } if self.is_open() => {}
            StmtKind::Realloc { dest, ptr, size, fails, .. } => {
                self.reallocate(state, context, dest, (ptr, size), *fails);
            }
            StmtKind::Free { ptr } => self.free(state, context, ptr),
            StmtKind::StorageLive(v) => {
                let cell = self.cell(context, *v);
                if self.is_object(*v) {
                    self.end_life(state, context, *v);
                    self.renew(state, cell);
                } else {
                    std::rc::Rc::make_mut(&mut state.scalars).remove(&cell);
                }
            }
            StmtKind::StorageDead(v) => {
                if self.is_object(*v) {
                    self.end_life(state, context, *v);
                }
            }
            StmtKind::VaStart { .. } | StmtKind::VaArg { .. } | StmtKind::VaCopy { .. } => {
                self.give_up(state, "variable arguments");
            }
            StmtKind::VaEnd { .. } => {}
            StmtKind::LibraryCall { name, .. } => self.affect_blocks(state, name),
            StmtKind::ProgramArgs { input, argc, argv, envp } => {
                let strings: Vec<&Place> = std::iter::once(argv).chain(envp).collect();
                self.program_arguments(state, context, *input, argc, &strings);
            }
            StmtKind::Unsupported { what, .. } => self.give_up(state, what.clone()),
        }
    }

    fn assign(&mut self, state: &mut State, context: ContextId, place: &Place, value: &Expr) {
        if self.shape(place.ty).is_none() {
            return match &value.kind {
                ExprKind::Load(source) => self.copy(state, context, source, place),
                _ => self.give_up(state, "an aggregate that is no load"),
            };
        }
        let value = self.eval(state, context, value);
        self.store(state, context, place, value);
    }

    /// The object that a variable is at present is one no longer.
    pub(super) fn end_life(&mut self, state: &mut State, context: ContextId, v: crate::ir::VarId) {
        let cell = self.cell(context, v);
        let Some(base) = state.homes.get(&cell).copied() else { return };
        for id in self.candidates(base).objects {
            let here = self.is_object_number(base, id);
            let other = self.pool.not(here);
            let Some(live) = state.object(id).map(|o| o.live) else { continue };
            let live = self.pool.and(&[live, other]);
            state.update(id, |o| o.live = live);
        }
    }

    /// A call of a function without a body. See: assumption D4.
    fn unknown_call(
        &mut self,
        state: &mut State,
        context: ContextId,
        call: CallId,
        dest: Option<&Place>,
        callee: &Callee,
    ) {
        let Callee::Direct(f) = callee else { return self.give_up(state, "a call through a pointer") };
        let function = &self.program.functions[*f];
        if let Some(reason) = &function.failed {
            let name = &function.name;
            return self.give_up(state, format!("function '{name}' could not be lowered: {reason}"));
        }
        if self
            .automaton
            .memory
            .calls_back(call)
            .is_none_or(|back| back.iter().any(|f| self.program.functions[*f].has_body()))
        {
            return self.give_up(state, format!("function '{}' has no body and may call others", function.name));
        }
        self.affect_blocks(state, &function.name);
        self.forget_written(state, &self.automaton.memory.written_by_call(call));
        self.store_anything(state, context, dest);
    }

    #[allow(clippy::too_many_arguments)] // The fields of the statement.
    fn allocate(
        &mut self,
        state: &mut State,
        context: ContextId,
        alloc: AllocId,
        dest: &Place,
        size: &Expr,
        zeroed: bool,
        fails: Option<InputId>,
    ) {
        let Value::Bits(size) = self.eval(state, context, size) else {
            return self.give_up(state, "an allocation of no number of bytes");
        };
        let size = self.pool.resize(self.pointer_bits(), false, size);
        let kind = self.program.allocs[alloc].kind;
        let failed = self.allocation_fails(state, size, fails);
        let succeeds = self.pool.not(failed);
        let object = Object {
            size,
            live: succeeds,
            heap: kind == AllocKind::Heap,
            owner: (kind == AllocKind::Stack).then_some(context),
            constant: ConstantBytes::None,
            content: Log::new(if zeroed { Origin::Zero } else { Origin::anything() }),
        };
        self.give_block(state, context, dest, object, failed);
    }

    /// Whether an allocation of so many bytes fails. A size above PTRDIFF_MAX does in any case, and asks for no input.
    fn allocation_fails(&mut self, state: &State, size: Term, fails: Option<InputId>) -> Term {
        let too_large = self.pool.bv_sign(size);
        let Some(input) = fails else { return too_large };
        let bit = self.pool.fresh_variable("fails", Sort::Bool);
        let mut asked = state.clone();
        let asks = self.pool.not(too_large);
        self.assume(&mut asked, asks);
        self.consume(&asked, InputPlace::Site(input), InputTerm::Fails(bit));
        self.pool.or(&[too_large, bit])
    }

    /// The address of a new block, or NULL.
    fn give_block(&mut self, state: &mut State, context: ContextId, dest: &Place, object: Object, failed: Term) {
        let base = self.create(state, object);
        let pointer = Value::Pointer { base, offset: self.address(0) };
        let width = self.pointer_bits();
        let null = number_pointer(&mut self.pool, width, 0);
        let shape = Shape::Pointer { width };
        let value = self.either(failed, null, pointer, shape);
        self.store(state, context, dest, value);
    }

    /// A new block with the content of the old one, which ends, unless there is none.
    fn reallocate(
        &mut self,
        state: &mut State,
        context: ContextId,
        dest: &Place,
        (ptr, size): (&Expr, &Expr),
        fails: InputId,
    ) {
        let (ptr, size) = (self.eval(state, context, ptr), self.eval(state, context, size));
        let (Value::Pointer { base, .. }, Value::Bits(size)) = (ptr, size) else {
            return self.give_up(state, "realloc of no pointer, or to no number of bytes");
        };
        let size = self.pool.resize(self.pointer_bits(), false, size);
        let candidates = self.candidates(base);
        self.refuse_others(state, &candidates, base);
        let (nothing, none) = (self.address(0), self.pool.bv(BASE_BITS, 0));
        let (is_zero, is_old) = (self.pool.eq(size, nothing), self.pool.ne(base, none));
        let is_none = self.pool.not(is_old);
        let here = self.path(state);
        let none_here = self.pool.and(&[here, is_none]);
        let ends_only = self.pool.and(&[is_zero, is_old]);
        self.gap(state, ends_only, "realloc to size 0");
        let content = match &candidates.objects[..] {
            [] => Log::new(Origin::anything()),
            [one] if self.is_false(none_here) => match state.object(*one).cloned() {
                Some(old) => self.moved(&old, size),
                None => Log::new(Origin::Noise),
            },
            _ => Log::new(Origin::Noise),
        };
        let failed = self.allocation_fails(state, size, Some(fails));
        let succeeds = self.pool.not(failed);
        for id in candidates.objects {
            let here = self.is_object_number(base, id);
            let moved = self.pool.and(&[here, succeeds]);
            let kept = self.pool.not(moved);
            let Some(live) = state.object(id).map(|o| o.live) else { continue };
            let live = self.pool.and(&[live, kept]);
            state.update(id, |o| o.live = live);
        }
        let constant = ConstantBytes::None;
        let object = Object { size, live: succeeds, heap: true, owner: None, constant, content };
        self.give_block(state, context, dest, object, failed);
    }

    /// The content of a block that moves to one of `size` bytes: what is behind the smaller of both has any value, now and when the block grows again.
    fn moved(&mut self, old: &Object, size: Term) -> Log {
        let grows = self.pool.bv_ule(old.size, size);
        let grows = self.pool.constant(grows) == Some(smt::Value::Bool(true));
        match old.content.origin {
            Origin::Anything(_) if grows => old.content.clone(),
            Origin::Zero if old.size == size => old.content.clone(),
            _ => Log::new(Origin::Noise),
        }
    }

    fn free(&mut self, state: &mut State, context: ContextId, ptr: &Expr) {
        let Value::Pointer { base, .. } = self.eval(state, context, ptr) else {
            return self.give_up(state, "free of no pointer");
        };
        let candidates = self.candidates(base);
        self.refuse_others(state, &candidates, base);
        for id in candidates.objects {
            let here = self.is_object_number(base, id);
            let other = self.pool.not(here);
            let Some(live) = state.object(id).map(|o| o.live) else { continue };
            let live = self.pool.and(&[live, other]);
            state.update(id, |o| o.live = live);
        }
    }
}
