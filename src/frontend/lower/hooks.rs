//! Functions that run where the source has no call: constructors, destructors and handlers of `atexit` around `main`,
//! cleanups of variables at the end of their scopes.
//!
//! See: GCC manual, "Common Function Attributes", "Common Variable Attributes"; C11 7.22.4.2, 7.22.4.4.

use super::body::Body;
use super::context::Lowerer;
use super::error::Lowered;
use super::fold;
use super::jumps::Jumps;
use super::scope::Symbol;
use super::symbols::{LinkName, Renamed};
use crate::base::Span;
use crate::ir::program::ENTRY;
use crate::ir::{
    BinaryOp, BlockId, Callee, ConstantBytes, Expr, ExprKind, FnType, FuncId, Linkage, Place, Stmt, StmtKind, Storage,
    Terminator, Type, TypeId, VarId, Variable,
};
use lang_c::ast;
use std::collections::BTreeSet;

/// What attributes say about when a function runs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Hooks {
    /// Before `main`, lower numbers first.
    pub constructor: Option<u32>,
    /// After `main`, lower numbers last.
    pub destructor: Option<u32>,
    /// With the variable's address, when its scope is left.
    pub cleanup: Option<FuncId>,
}

impl Hooks {
    pub fn or(self, other: Hooks) -> Hooks {
        Hooks {
            constructor: self.constructor.or(other.constructor),
            destructor: self.destructor.or(other.destructor),
            cleanup: self.cleanup.or(other.cleanup),
        }
    }
}

/// Calls `function` on the address of `variable`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cleanup {
    pub variable: VarId,
    pub function: FuncId,
}

/// What runs before and after `main`, gathered over all units.
#[derive(Debug, Default)]
pub(super) struct AroundMain {
    constructors: Vec<(u32, FuncId)>,
    destructors: Vec<(u32, FuncId)>,
    pub renamed: Vec<Renamed>,
    handlers: Option<Handlers>,
    pub jumps: Jumps,
    /// Names of the library that functions of the program use, of [`USES_MATTER`](crate::frontend::models::USES_MATTER).
    used: BTreeSet<&'static str>,
}

impl AroundMain {
    /// Of a program in whose text nothing has been met.
    pub fn new(used: BTreeSet<&'static str>) -> Self {
        AroundMain { used, ..AroundMain::default() }
    }
}

/// The stack of registered handlers.
#[derive(Clone, Copy, Debug)]
struct Handlers {
    stack: VarId,
    count: VarId,
    /// Of an element.
    pointer: TypeId,
}

/// Handlers that can be registered; C asks for 32.
const MAX_HANDLERS: i128 = 64;

/// Without a priority: after all that have one.
pub(super) const LAST: u32 = u32::MAX;

impl Lowerer<'_> {
    /// Whether some function of the program uses what the library calls `name`, one of
    /// [`USES_MATTER`](crate::frontend::models::USES_MATTER).
    pub(crate) fn is_used(&self, name: &str) -> bool {
        self.around.used.contains(name)
    }

    /// The function that an attribute's first argument names, as an identifier or as text.
    pub(super) fn named_function(&self, a: &ast::Attribute) -> Option<FuncId> {
        match self.scopes.lookup(&LinkName::text(a)?) {
            Some(Symbol::Function(f)) => Some(f),
            _ => None,
        }
    }

    pub(super) fn note_hooks(&mut self, f: FuncId, hooks: Hooks) {
        let around = &mut self.around;
        if let Some(priority) = hooks.constructor
            && !around.constructors.iter().any(|(_, known)| *known == f)
        {
            around.constructors.push((priority, f));
        }
        if let Some(priority) = hooks.destructor
            && !around.destructors.iter().any(|(_, known)| *known == f)
        {
            around.destructors.push((priority, f));
        }
    }

    /// The cleanups of the scopes from `depth` on, the newest first.
    pub(super) fn cleanups_from(&self, depth: usize) -> Vec<Cleanup> {
        let scopes = self.scopes.stack.get(depth..).unwrap_or_default();
        scopes.iter().rev().flat_map(|s| s.cleanups.iter().rev().copied()).collect()
    }

    pub(super) fn run_cleanups(&mut self, cleanups: &[Cleanup], span: Span) -> Lowered<()> {
        for cleanup in cleanups {
            let call = self.cleanup_call(cleanup, span);
            self.emit(call, span)?;
        }
        Ok(())
    }

    fn cleanup_call(&mut self, cleanup: &Cleanup, span: Span) -> StmtKind {
        let ty = self.program.variables[cleanup.variable].ty;
        let pointer = self.program.types.intern(Type::Pointer(ty));
        let address = Expr { kind: ExprKind::AddrOf(cleanup.variable, 0), ty: pointer };
        let wanted = self.fn_type(self.program.functions[cleanup.function].ty);
        let param = wanted.and_then(|t| t.params.first().copied()).unwrap_or(pointer);
        let args = vec![fold::cast(&self.program.types, address, param)];
        StmtKind::Call { call: self.call_site(span), dest: None, callee: Callee::Direct(cleanup.function), args }
    }

    /// Adds the cleanups of the variables that the body's `goto`s leave; to be called before the body is finished.
    pub(super) fn settle_cleanups(&mut self) {
        let left = self.body.as_ref().map_or_else(Vec::new, Body::cleanups_of_gotos);
        for (from, cleanup, span) in left {
            let call = self.cleanup_call(&cleanup, span);
            if let Some(body) = &mut self.body {
                body.append_to(from, call, span);
            }
        }
    }

    /// `atexit(handler)`: registers it and gives 0, or 1 if there are too many.
    pub(crate) fn register_handler(&mut self, handler: Expr, span: Span) -> Lowered<Expr> {
        let handlers = self.handlers();
        let int = self.int_type();
        let count = Place::var(handlers.count, int);
        let before = self.hold(Expr::load(count.clone()), span)?;
        // The place behind the last is written when the stack is full, and never run.
        let place = self.handler_place(handlers, before.clone());
        let value = fold::cast(&self.program.types, handler, handlers.pointer);
        self.emit(StmtKind::Assign { place, value }, span)?;
        let fits = Expr::binary(BinaryOp::Lt, before.clone(), Expr::int(MAX_HANDLERS, int), int);
        let after = Expr::binary(BinaryOp::Add, before, fits.clone(), int);
        self.emit(StmtKind::Assign { place: count, value: after }, span)?;
        Ok(Expr::binary(BinaryOp::Eq, fits, Expr::int(0, int), int))
    }

    /// The element `index`, an `int`, of the stack.
    fn handler_place(&self, handlers: Handlers, index: Expr) -> Place {
        let types = &self.program.types;
        let bytes = types.ptrdiff_type();
        let size = Expr::int(i128::from(types.pointer_size()), bytes);
        let offset = Expr::binary(BinaryOp::Mul, index.cast(bytes), size, bytes);
        let base = Expr { kind: ExprKind::AddrOf(handlers.stack, 0), ty: types.void_ptr() };
        Place::deref(fold::ptr_add(types, base, offset, types.void_ptr()), handlers.pointer)
    }

    fn handlers(&mut self) -> Handlers {
        if let Some(handlers) = self.around.handlers {
            return handlers;
        }
        let void = self.program.types.void();
        let handler = FnType { result: void, params: Vec::new(), variadic: false, prototyped: true };
        let handler = self.program.types.intern(Type::Function(handler));
        let pointer = self.program.types.intern(Type::Pointer(handler));
        let stack = self.program.types.array(pointer, Some(MAX_HANDLERS as u64 + 1));
        let int = self.int_type();
        let made = Handlers {
            stack: self.hidden_static("<handlers of atexit>", stack),
            count: self.hidden_static("<number of handlers of atexit>", int),
            pointer,
        };
        self.around.handlers = Some(made);
        made
    }

    /// A variable of the library's, zero at first.
    pub(super) fn hidden_static(&mut self, name: &str, ty: TypeId) -> VarId {
        let size = self.program.types.size_of(ty).unwrap_or(0);
        self.program.variables.push(Variable {
            name: name.to_owned(),
            ty,
            storage: Storage::Global(Linkage::Internal),
            span: Span::NONE,
            size,
            constant: ConstantBytes::None,
            defined: true,
            system: false,
            init: Vec::new(),
            address_taken: false,
        })
    }

    /// Makes what runs around `main` part of it; to be called when all units are lowered.
    pub(super) fn weave_hooks(&mut self) -> Lowered<()> {
        let mut around = std::mem::take(&mut self.around);
        around.constructors.sort_by_key(|(priority, _)| *priority);
        around.destructors.sort_by_key(|(priority, _)| *priority);
        let Some(main) = self.program.function_named("main") else { return Ok(()) };
        self.around.handlers = around.handlers;
        let span = self.program.functions[main].span;
        let prologue = self.straight_line(main, |l| {
            for (_, f) in &around.destructors {
                let handler = Expr { kind: ExprKind::FuncAddr(*f), ty: l.program.types.void_ptr() };
                l.register_handler(handler, span)?;
            }
            for (_, f) in &around.constructors {
                let (call, callee) = (l.call_site(span), Callee::Direct(*f));
                l.emit(StmtKind::Call { call, dest: None, callee, args: Vec::new() }, span)?;
            }
            Ok(())
        })?;
        self.program.functions[main].blocks[ENTRY].stmts.splice(0..0, prologue);
        match self.around.handlers {
            Some(handlers) => self.run_handlers_at_exits(main, handlers),
            None => Ok(()),
        }
    }

    /// The statements that `make` emits, for `f`, whose temporaries become `f`'s.
    fn straight_line(&mut self, f: FuncId, make: impl FnOnce(&mut Self) -> Lowered<()>) -> Lowered<Vec<Stmt>> {
        self.body = Some(Body::new(f, self.program.types.void()));
        make(self)?;
        let body = self.body.take().expect("set above");
        self.program.functions[f].locals.extend_from_slice(&body.locals);
        let (mut blocks, _) = body.finish(Span::NONE)?;
        Ok(std::mem::take(&mut blocks[ENTRY].stmts))
    }

    /// Calls the handlers where `main` returns and where `exit` is called.
    fn run_handlers_at_exits(&mut self, main: FuncId, handlers: Handlers) -> Lowered<()> {
        let runner = self.handler_runner(handlers, self.program.functions[main].span)?;
        let functions: Vec<FuncId> = self.program.functions.indices().filter(|f| *f != runner).collect();
        for f in functions {
            let ends: Vec<BlockId> = self.program.functions[f].blocks.indices().collect();
            for b in ends {
                let block = &self.program.functions[f].blocks[b];
                let ended = match &block.terminator {
                    Terminator::Return(value) if f == main => value.clone(),
                    Terminator::Exit(Some(status)) if calls_exit(&block.stmts) => Some(status.clone()),
                    _ => continue,
                };
                self.call_before_end(f, b, runner, ended)?;
            }
        }
        Ok(())
    }

    /// Calls `runner` at the end of block `b`, behind the evaluation of the `value` that the block ends with.
    fn call_before_end(&mut self, f: FuncId, b: BlockId, runner: FuncId, value: Option<Expr>) -> Lowered<()> {
        let span = self.program.functions[f].blocks[b].span;
        let mut held = None;
        let stmts = self.straight_line(f, |l| {
            held = value.map(|v| l.hold(v, span)).transpose()?;
            let (call, callee) = (l.call_site(span), Callee::Direct(runner));
            l.emit(StmtKind::Call { call, dest: None, callee, args: Vec::new() }, span)
        })?;
        let block = &mut self.program.functions[f].blocks[b];
        block.stmts.extend(stmts);
        match &mut block.terminator {
            Terminator::Return(value) | Terminator::Exit(value) => *value = held,
            _ => {}
        }
        Ok(())
    }

    /// The function that takes handlers off the stack and calls them until none is left.
    fn handler_runner(&mut self, handlers: Handlers, span: Span) -> Lowered<FuncId> {
        let Type::Pointer(ty) = *self.program.types.get(handlers.pointer) else { unreachable!("made as a pointer") };
        let f = self.new_function("<run handlers of atexit>", ty, Linkage::Internal, span);
        let (int, void) = (self.int_type(), self.program.types.void());
        let count = Place::var(handlers.count, int);
        self.body = Some(Body::new(f, void));
        let body = self.body(span)?;
        let (head, run, end) = (body.new_block(), body.new_block(), body.new_block());
        body.fall_into(head, span);
        let some = Expr::binary(BinaryOp::Gt, Expr::load(count.clone()), Expr::int(0, int), int);
        body.terminate(Terminator::Branch { cond: some, then_to: run, else_to: end }, span);
        body.switch_to(run);
        let last = Expr::binary(BinaryOp::Sub, Expr::load(count.clone()), Expr::int(1, int), int);
        let last = self.hold(last, span)?;
        self.emit(StmtKind::Assign { place: count, value: last.clone() }, span)?;
        let handler = Expr::load(self.handler_place(handlers, last));
        self.emit_call(Callee::Indirect(handler), void, Vec::new(), span)?;
        self.terminate(Terminator::Goto(head), span)?;
        self.body(span)?.switch_to(end);
        self.terminate(Terminator::Return(None), span)?;
        self.give_body(f, Vec::new(), span)?;
        Ok(f)
    }
}

/// Whether the block ends by a call of `exit`, which runs the handlers; `_exit` and the like do not.
fn calls_exit(stmts: &[Stmt]) -> bool {
    let last = stmts.iter().rev().find_map(|s| match &s.kind {
        StmtKind::LibraryCall { name, .. } => Some(name.as_str()),
        _ => None,
    });
    last == Some("exit")
}
