//! Bodies for library functions that are called through their address (`free` as a destructor, `strcmp` for `qsort`).
//!
//! A direct call of such a function becomes its model where it stands. For other calls the same model, on parameters,
//! is the function's body.

use super::body::Body;
use super::context::Lowerer;
use super::error::{LowerError, Lowered};
use super::visit::expressions_mut;
use crate::base::Span;
use crate::frontend::models::{LibraryCall, has_text, is_another, is_error_function, is_modelled};
use crate::ir::{
    Callee, Check, CheckKind, CheckSite, Expr, ExprKind, FnType, FuncId, Linkage, Place, Program, StaticValue, Stmt,
    StmtKind, Storage, Terminator, VarId,
};
use std::collections::BTreeSet;

impl Lowerer<'_> {
    /// Makes the bodies; to be called when all units are lowered.
    pub(super) fn make_library_bodies(&mut self) {
        for f in addressed_functions(&mut self.program) {
            let function = &self.program.functions[f];
            let name = function.name.as_str();
            let judged = is_error_function(name) && !self.options.error_functions_run;
            if judged && function.has_body() {
                self.forbid_entry(f);
                continue;
            }
            let contract = self.users_contract(name);
            let known = function.linkage == Linkage::External
                && match (&contract, self.fn_type(function.ty)) {
                    (Some(contract), ty) => ty.is_some_and(|ty| self.is_described(contract, &ty)),
                    (None, Some(ty)) => {
                        let another = is_another(&self.program.types, name, ty.params.len(), Some(ty.result));
                        is_modelled(name) && !has_text(name) && !another
                    }
                    (None, None) => false,
                };
            if function.has_body() || function.failed.is_some() || self.defined.contains(&function.name) || !known {
                continue;
            }
            let takes_these = |t: &FnType| (t.prototyped && !t.variadic) || judged;
            let Some(ty) = self.fn_type(function.ty).filter(takes_these) else { continue };
            let p = &self.program;
            let marks = (p.sites.len(), p.inputs.len(), p.calls.len(), p.allocs.len());
            if self.library_body(f, &ty).is_err() {
                // The function stays without a body: calls of it are as of an unknown one.
                self.body = None;
                let p = &mut self.program;
                p.sites.truncate(marks.0);
                p.inputs.truncate(marks.1);
                p.calls.truncate(marks.2);
                p.allocs.truncate(marks.3);
            }
        }
    }

    /// Whoever comes to the function errs: calls through pointers, of aliases, and those that the source does not show.
    fn forbid_entry(&mut self, f: FuncId) {
        let (span, subject) = (self.program.functions[f].span, self.program.functions[f].name.clone());
        let site = self.program.sites.push(CheckSite { kind: CheckKind::UnreachCall, function: f, span, subject });
        let kind = StmtKind::Check(Box::new(Check::Holds { site, cond: self.int_const(0) }));
        let blocks = &mut self.program.functions[f].blocks;
        if let Some(entry) = blocks.iter_mut().next() {
            entry.stmts.insert(0, Stmt { kind, span });
        }
    }

    fn library_body(&mut self, f: FuncId, ty: &FnType) -> Lowered<()> {
        let span = self.program.functions[f].span;
        let name = self.program.functions[f].name.clone();
        self.body = Some(Body::new(f, ty.result));
        let (mut params, mut args, mut texts) = (Vec::new(), Vec::new(), Vec::new());
        for (i, param) in ty.params.iter().enumerate() {
            let text = format!("argument {}", i + 1);
            let v = self.local(text.clone(), *param, |f| Storage::Param(f, i as u32), span)?;
            params.push(v);
            args.push(Expr::load(Place::var(v, *param)));
            texts.push(text);
        }
        let call = LibraryCall { name: &name, args, texts, result: Some(ty.result), wanted: true, span };
        let Some(value) = self.lower_library_call(call)? else {
            return LowerError::invalid(span, format!("`{name}` is another function here"));
        };
        let result = match ty.result == self.program.types.void() {
            false => Some(self.convert_assigned(value, ty.result, span)?),
            true => None,
        };
        self.terminate(Terminator::Return(result), span)?;
        self.give_body(f, params, span)
    }

    /// Makes the body in progress that of `f`, a function of no source text.
    pub(super) fn give_body(&mut self, f: FuncId, params: Vec<VarId>, span: Span) -> Lowered<()> {
        let body = self.body.take().expect("begun by the caller");
        let locals = body.locals.clone();
        let (blocks, _) = body.finish(span)?;
        let function = &mut self.program.functions[f];
        function.blocks = blocks;
        function.locals = locals.into_iter().filter(|v| !params.contains(v)).collect();
        function.params = params;
        function.library = true;
        Ok(())
    }
}

/// Functions that are called other than by a call lowered to a model.
pub(super) fn addressed_functions(program: &mut Program) -> BTreeSet<FuncId> {
    let mut found = taken_functions(program);
    for stmt in program.functions.iter().flat_map(|f| f.blocks.iter()).flat_map(|block| &block.stmts) {
        if let StmtKind::Call { callee: Callee::Direct(f), .. } = stmt.kind {
            found.insert(f);
        }
    }
    found
}

/// Functions whose address is taken.
pub(super) fn taken_functions(program: &mut Program) -> BTreeSet<FuncId> {
    let mut found = BTreeSet::new();
    for block in program.functions.iter_mut().flat_map(|f| f.blocks.iter_mut()) {
        expressions_mut(block, &mut |e| {
            if let ExprKind::FuncAddr(f) = e.kind {
                found.insert(f);
            }
        });
    }
    for i in program.variables.iter().flat_map(|v| &v.init) {
        if let StaticValue::FuncAddr(f) = i.value {
            found.insert(f);
        }
    }
    found
}
