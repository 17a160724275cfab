//! The state of lowering: the program so far, the names in scope, the body being built, and how they are extended.

use super::body::Body;
use super::error::{LowerError, Lowered};
use super::fold;
use super::hooks::AroundMain;
use super::link::{Externals, Views};
use super::scope::Scopes;
use super::spelling::Spelling;
use crate::base::{Diagnostic, Span};
use crate::frontend::parse::{ParsedDeclaration, ParsedUnit};
use crate::ir::program::{CallSite, Excluded, InputSite, Unsupported};
use crate::ir::{
    AllocId, AllocKind, AllocSite, BinaryOp, BlockId, CallId, CheckKind, CheckSite, ConstantBytes, Contracts, Expr,
    FuncId, InputId, IntKind, Place, Program, SiteId, StmtKind, Storage, Terminator, TypeId, VarId, Variable,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// What lowering is asked to emit beyond the standard sites.
#[derive(Clone, Debug, Default, Hash)]
pub struct LowerOptions {
    /// Sites for wrapping unsigned arithmetic.
    pub unsigned_overflow: bool,
    /// Sites for implicit conversions that change a value.
    pub conversion: bool,
    /// Where a label `ERROR` is an `unreach-call` site.
    pub error_label: ErrorLabel,
    /// Variables that nothing initializes, and fresh blocks, hold inputs, so that reading them is no error: assumption D15
    /// for `check`. `verify`, whose encoding and runs take it for granted (`concrete::Limits::unwritten`), never asks for it.
    pub unwritten_inputs: bool,
    /// Nobody asks for calls of error functions: those that have a body run it.
    pub error_functions_run: bool,
    /// `malloc` and its kin never give NULL, unless for more bytes than an object can have.
    pub allocation_succeeds: bool,
    /// Sites for indices into arrays that are parts of objects. Who asks for other errors only has none: the checks end executions.
    pub index_bounds: bool,
    /// `<<` of signed values is defined: no `shift-overflow` sites.
    pub left_shifts_defined: bool,
    /// What functions do whose text the program does not have.
    pub contracts: Arc<Contracts>,
}

/// In which programs a label `ERROR` is an `unreach-call` site.
#[derive(Clone, Copy, Debug, Default, Hash, PartialEq, Eq)]
pub enum ErrorLabel {
    /// It is a label like any other.
    #[default]
    Nowhere,
    /// In those that use a verifier's functions.
    InTasks,
    /// It is what the user asks about.
    Everywhere,
}

/// Lowers the units of a program, one after the other, into one [`Program`].
pub(crate) struct Lowerer<'a> {
    pub(crate) program: Program,
    pub(crate) options: LowerOptions,
    pub(super) externals: Externals,
    pub(super) views: Views,
    /// What this unit defines weakly and another defines otherwise.
    pub(super) overridden: FxHashSet<String>,
    /// Weak names that no unit defines: what they stand for may be nowhere.
    pub(super) absent: FxHashSet<String>,
    /// Functions of external linkage that some unit defines: their calls are no library calls.
    pub(super) defined: FxHashSet<String>,
    pub(super) unit: &'a ParsedUnit,
    /// The unit is the model of a library function: nothing in it is judged.
    pub(super) is_model: bool,
    pub(super) declaration: Option<&'a ParsedDeclaration>,
    pub(super) scopes: Scopes,
    pub(super) body: Option<Body>,
    /// The body around a static local's initializer while that is lowered as a constant.
    pub(super) enclosing: Option<Body>,
    /// Locals declared without an initializer, or with one that a jump passes over: their reads get `uninit-read` sites.
    pub(super) uninitialized: FxHashSet<VarId>,
    /// What the names of variables' types say beyond the types.
    pub(super) spellings: FxHashMap<VarId, Spelling>,
    /// The same of functions.
    pub(super) function_spellings: FxHashMap<FuncId, Spelling>,
    /// Of variables with an alignment that is not their type's.
    pub(super) alignments: FxHashMap<VarId, u64>,
    /// Types of elements and of what pointers lead to that a `typedef` has aligned otherwise somewhere.
    pub(super) realigned: FxHashSet<TypeId>,
    /// Bytes of a variable-length array type, by type.
    pub(super) vla_sizes: FxHashMap<TypeId, VarId>,
    /// The arrays that `__func__` names.
    pub(super) names: FxHashMap<FuncId, VarId>,
    /// What the library keeps from call to call, by name and type.
    pub(crate) kept: FxHashMap<(String, TypeId), VarId>,
    /// What runs before and after `main`.
    pub(super) around: AroundMain,
    pub(super) anonymous: u32,
    /// Set while the parameters of a definition are declared.
    pub(super) in_parameters: bool,
    /// Set while operands are lowered only for their type.
    pub(super) discarding: u32,
    /// Whether that stands outside of all functions.
    pub(super) discarding_outside: bool,
}

impl<'a> Lowerer<'a> {
    /// The position of an AST node of the current declaration.
    pub(super) fn span(&self, span: lang_c::span::Span) -> Span {
        self.declaration.map_or(Span::NONE, |d| self.unit.span(d, span))
    }
    pub(super) fn body(&mut self, span: Span) -> Lowered<&mut Body> {
        self.body.as_mut().ok_or(LowerError::NotConstant { span })
    }
    /// Appends a statement; an error where only constants are allowed.
    pub(crate) fn emit(&mut self, kind: StmtKind, span: Span) -> Lowered<()> {
        let judged = !self.is_model || !matches!(kind, StmtKind::Check(_));
        let body = self.body(span)?;
        if judged {
            body.push(kind, span);
        }
        Ok(())
    }
    /// Whether no function is being lowered.
    pub(super) fn is_outside(&self) -> bool {
        self.discarding_outside || (self.body.is_none() && self.enclosing.is_none())
    }
    /// The function being lowered; outside of functions some function or none.
    pub(crate) fn function(&self) -> FuncId {
        self.body.as_ref().or(self.enclosing.as_ref()).map_or(FuncId(0), |b| b.function)
    }
    /// A new temporary.
    pub(crate) fn temp(&mut self, ty: TypeId, span: Span) -> Lowered<VarId> {
        let body = self.body(span)?;
        body.temps += 1;
        let name = format!("${}", body.temps);
        self.local(name, ty, Storage::Temp, span)
    }
    /// A new automatic variable of the current function.
    pub(super) fn local(
        &mut self,
        name: String,
        ty: TypeId,
        storage: impl FnOnce(FuncId) -> Storage,
        span: Span,
    ) -> Lowered<VarId> {
        let function = self.body(span)?.function;
        let Some(size) = self.program.types.size_of(ty) else {
            return LowerError::invalid(
                span,
                format!("`{name}` has incomplete type `{}`", self.program.types.describe(ty)),
            );
        };
        let variable = Variable {
            name,
            ty,
            storage: storage(function),
            span,
            size,
            constant: ConstantBytes::None,
            defined: true,
            system: false,
            init: Vec::new(),
            address_taken: false,
        };
        let var = self.program.variables.push(variable);
        self.body(span)?.locals.push(var);
        Ok(var)
    }
    /// Evaluates `e` now and keeps its value in a temporary; constants stay as they are.
    pub(crate) fn hold(&mut self, e: Expr, span: Span) -> Lowered<Expr> {
        use crate::ir::ExprKind::*;
        if matches!(e.kind, Int(_) | Float(_) | AddrOf(..) | FuncAddr(_)) || self.is_temp_load(&e) {
            return Ok(e);
        }
        let place = Place::var(self.temp(e.ty, span)?, e.ty);
        self.emit(StmtKind::Assign { place: place.clone(), value: e }, span)?;
        Ok(Expr::load(place))
    }
    fn is_temp_load(&self, e: &Expr) -> bool {
        let crate::ir::ExprKind::Load(place) = &e.kind else { return false };
        place.as_var().is_some_and(|v| matches!(self.program.variables[v].storage, Storage::Temp(_)))
    }
    /// A new check site.
    pub(crate) fn site(&mut self, kind: CheckKind, subject: impl Into<String>, span: Span) -> SiteId {
        let function = self.function();
        self.program.sites.push(CheckSite { kind, function, span, subject: subject.into() })
    }
    /// A new input site called `name`.
    pub(crate) fn input(&mut self, name: impl Into<String>, span: Span) -> InputId {
        let function = self.function();
        let excluded = Excluded::default();
        self.program.inputs.push(InputSite { name: name.into(), function, span, approximate: false, excluded })
    }
    /// A new input site for what the environment does not choose freely.
    pub(crate) fn approximate_input(&mut self, name: impl Into<String>, span: Span) -> InputId {
        let input = self.input(name, span);
        self.program.inputs[input].approximate = true;
        input
    }
    /// A new call site.
    pub(crate) fn call_site(&mut self, span: Span) -> CallId {
        let function = self.function();
        self.program.calls.push(CallSite { function, span })
    }
    /// A new allocation site.
    pub(crate) fn alloc_site(&mut self, name: impl Into<String>, kind: AllocKind, span: Span) -> AllocId {
        let function = self.function();
        self.program.allocs.push(AllocSite { name: name.into(), kind, function, span })
    }
    /// Ends the current block; what follows is unreachable.
    pub(crate) fn terminate(&mut self, terminator: Terminator, span: Span) -> Lowered<()> {
        self.body(span)?.terminate(terminator, span);
        Ok(())
    }
    /// Records a construct that could not be lowered.
    pub(super) fn note_unsupported(&mut self, construct: &str, span: Span) {
        if self.discarding > 0 {
            return;
        }
        let function = self.body.as_ref().map(|b| self.program.functions[b.function].name.clone());
        self.program.unsupported.push(Unsupported { construct: construct.to_owned(), function, span });
    }
    /// Emits a statement for what the IR cannot express, and records it; `dest` then holds anything.
    pub(crate) fn emit_unsupported(&mut self, what: &str, dest: Option<Place>, span: Span) -> Lowered<()> {
        self.note_unsupported(what, span);
        self.emit(StmtKind::Unsupported { what: what.to_owned(), dest }, span)
    }
    pub(crate) fn warn(&mut self, span: Span, message: impl Into<String>) {
        if self.discarding == 0 {
            self.program.diagnostics.push(Diagnostic::warning(span, message));
        }
    }

    /// Runs `lower` for its result alone: statements, sites, inputs, temporaries it makes are dropped.
    pub(super) fn discarded<T>(&mut self, lower: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        let function = self.function();
        let discarding_outside = self.discarding_outside;
        self.discarding_outside = self.is_outside();
        let scratch = Body::new(function, self.program.types.void());
        let saved = self.body.replace(scratch);
        let p = &self.program;
        let marks = (p.sites.len(), p.inputs.len(), p.calls.len(), p.allocs.len(), p.variables.len());
        let depth = self.scopes.stack.len();
        self.discarding += 1;
        let result = lower(self);
        self.discarding -= 1;
        self.discarding_outside = discarding_outside;
        self.scopes.stack.truncate(depth);
        self.body = saved;
        let p = &mut self.program;
        p.sites.truncate(marks.0);
        p.inputs.truncate(marks.1);
        p.calls.truncate(marks.2);
        p.allocs.truncate(marks.3);
        p.variables.truncate(marks.4);
        self.names.retain(|_, v| (v.0 as usize) < marks.4);
        self.kept.retain(|_, v| (v.0 as usize) < marks.4);
        self.uninitialized.retain(|v| (v.0 as usize) < marks.4);
        self.alignments.retain(|v, _| (v.0 as usize) < marks.4);
        self.spellings.retain(|v, _| (v.0 as usize) < marks.4);
        self.vla_sizes.retain(|_, v| (v.0 as usize) < marks.4);
        result
    }

    /// Runs `lower` where only constants are allowed.
    pub(super) fn without_body<T>(&mut self, lower: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        let Some(body) = self.body.take() else { return lower(self) };
        let outer = self.enclosing.replace(body);
        let result = lower(self);
        self.body = std::mem::replace(&mut self.enclosing, outer);
        result
    }

    // What the models of library functions build with.
    /// `a op b` of type `ty`, folded where constant.
    pub(crate) fn folded(&self, op: BinaryOp, a: Expr, b: Expr, ty: TypeId) -> Expr {
        fold::binary(&self.program.types, op, a, b, ty)
    }
    /// `ptr` moved by `bytes`, of type `ty`.
    pub(crate) fn moved(&self, ptr: Expr, bytes: Expr, ty: TypeId) -> Expr {
        fold::ptr_add(&self.program.types, ptr, bytes, ty)
    }
    /// A count as another integer type that holds it.
    pub(crate) fn convert_counted(&mut self, e: Expr, ty: TypeId, span: Span) -> Lowered<Expr> {
        self.convert_silently(e, ty, span)
    }
    /// A new block.
    pub(crate) fn open_block(&mut self, span: Span) -> Lowered<BlockId> {
        Ok(self.body(span)?.new_block())
    }
    /// Goes on in `block`, after a `terminate`.
    pub(crate) fn go_on_in(&mut self, block: BlockId, span: Span) -> Lowered<()> {
        self.body(span)?.switch_to(block);
        Ok(())
    }

    // The types asked for all the time.
    pub(crate) fn int_type(&self) -> TypeId {
        self.program.types.int(IntKind::Int)
    }
    pub(crate) fn size_type(&self) -> TypeId {
        self.program.types.size_type()
    }
    pub(crate) fn size_const(&self, n: u64) -> Expr {
        Expr::int(i128::from(n), self.size_type())
    }
    pub(crate) fn int_const(&self, n: i32) -> Expr {
        Expr::int(i128::from(n), self.int_type())
    }
    /// Bytes of a complete type.
    pub(crate) fn size_of(&self, ty: TypeId, span: Span) -> Lowered<u64> {
        match self.program.types.size_of(ty) {
            Some(n) => Ok(n),
            None => LowerError::invalid(span, format!("incomplete type `{}`", self.program.types.describe(ty))),
        }
    }
}
