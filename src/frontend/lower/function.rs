//! Function definitions (C11 6.9.1).

use super::body::Body;
use super::context::Lowerer;
use super::error::{LowerError, Lowered};
use super::scope::Symbol;
use crate::base::{Diagnostic, Span};
use crate::ir::{
    ConstantBytes, Expr, ExprKind, FnType, FuncId, Linkage, Place, Program, StaticValue, StmtKind, Storage, Terminator,
    Type, TypeId, VarId,
};
use lang_c::ast;
use lang_c::span::Node;
use rustc_hash::FxHashSet;

/// A parameter of a definition.
struct Parameter {
    name: String,
    /// As declared.
    ty: TypeId,
    /// As passed: promoted for old-style definitions.
    passed: TypeId,
    constant: ConstantBytes,
    span: Span,
}

impl Lowerer<'_> {
    /// Lowers a definition. A body that is not C marks the function as failed and costs that function alone.
    pub(super) fn function_definition(
        &mut self,
        d: &Node<ast::FunctionDefinition>,
        failed: Option<&str>,
    ) -> Lowered<()> {
        let span = self.span(d.node.declarator.span);
        let specifiers = self.declaration_specifiers(&d.node.specifiers, span)?;
        let declared = self.declarator(specifiers.base, &d.node.declarator)?;
        let (Some(name), Some(mut fn_ty)) = (declared.name, self.fn_type(declared.ty)) else {
            return LowerError::invalid(span, "a body behind what is no function");
        };
        let is_extern = matches!(specifiers.storage, Some(ast::StorageClassSpecifier::Extern));
        let is_static = matches!(specifiers.storage, Some(ast::StorageClassSpecifier::Static));
        // An inline definition is this unit's alone (C11 6.7.4p7).
        let linkage =
            if is_static || (specifiers.inline && !is_extern) { Linkage::Internal } else { Linkage::External };
        let attributes = declared.attributes;
        if is_extern && specifiers.inline && (specifiers.gnu_inline || attributes.gnu_inline) {
            // Only a hint for inlining: the function's definition is elsewhere.
            let f = self.declare_function(&name, declared.ty, Linkage::External, span);
            self.function_spellings.insert(f, declared.spelling);
            return Ok(());
        }
        let old_style = old_style_names(&d.node.declarator.node);
        let mut ty = declared.ty;
        if old_style.is_none() {
            // `int f() {}` takes no arguments but is no prototype.
            ty = self.program.types.intern(Type::Function(fn_ty.clone()));
        }
        let f = self.declare_function(&name, ty, linkage, span);
        self.function_spellings.insert(f, declared.spelling);
        self.program.functions[f].noreturn |= specifiers.noreturn;
        self.note_hooks(f, specifiers.hooks.or(attributes.hooks));
        if self.overridden.contains(&name) && linkage == Linkage::External {
            return Ok(());
        }
        if self.program.functions[f].has_body() {
            let other = self.program.functions[f].span;
            self.program.diagnostics.push(
                Diagnostic::error(span, format!("`{name}` is defined twice"))
                    .with_note(other, "first defined here")
                    .with_help("the first definition is used"),
            );
            return Ok(());
        }
        self.program.functions[f].span = span;
        if let Some(reason) = failed {
            self.program.functions[f].failed = Some(reason.to_owned());
            return Ok(());
        }
        let marks = self.marks();
        let result = self.lower_body(f, &mut fn_ty, d, old_style);
        match result {
            Ok(()) => self.settle_type(f, ty),
            Err(error) => self.abandon(f, marks, &error),
        }
        Ok(())
    }

    /// Where an earlier declaration disagrees with the definition, of type `ty`, the definition is right.
    fn settle_type(&mut self, f: FuncId, ty: TypeId) {
        let function = &self.program.functions[f];
        let (Some(declared), Some(defined)) = (self.fn_type(function.ty), self.fn_type(ty)) else { return };
        let params: Vec<TypeId> = function.params.iter().map(|v| self.program.variables[*v].ty).collect();
        let agree = declared.result == defined.result && params == declared.params;
        if declared.prototyped && !agree {
            // Lengths of arrays that earlier parameters give are known in the body alone.
            let ty =
                if defined.prototyped { Type::Function(FnType { params, ..defined }) } else { Type::Function(defined) };
            self.program.functions[f].ty = self.program.types.intern(ty);
        }
    }

    fn marks(&self) -> [usize; 4] {
        let p = &self.program;
        [p.sites.len(), p.inputs.len(), p.calls.len(), p.allocs.len()]
    }

    /// Drops what a failed body has made and records the reason.
    fn abandon(&mut self, f: FuncId, marks: [usize; 4], error: &LowerError) {
        self.body = None;
        self.enclosing = None;
        self.scopes.stack.truncate(1);
        let p = &mut self.program;
        p.sites.truncate(marks[0]);
        p.inputs.truncate(marks[1]);
        p.calls.truncate(marks[2]);
        p.allocs.truncate(marks[3]);
        let function = &mut p.functions[f];
        function.failed = Some(error.to_string());
        function.params.clear();
        let message = format!("function `{}` is not analysed: {error}", function.name);
        p.diagnostics.push(Diagnostic::warning(error.span(), message));
    }

    /// Makes the parameters of `main` inputs (C11 5.1.2.2.1): `argc` alone a number from 0, with `argv` the program's arguments.
    fn bind_program_arguments(&mut self, f: FuncId, params: &[VarId]) -> Lowered<()> {
        let function = &self.program.functions[f];
        if function.name != "main" || function.linkage != Linkage::External {
            return Ok(());
        }
        let span = function.span;
        let of = |v: VarId| Place::var(v, self.program.variables[v].ty);
        let places: Vec<Place> = params.iter().map(|v| of(*v)).collect();
        let is_int = |p: &Place| self.program.types.as_int(p.ty).is_some();
        let is_pointer = |p: &Place| self.program.types.is_pointer(p.ty);
        let statement = match &places[..] {
            [argc] if is_int(argc) => {
                let kind = self.program.types.as_int(argc.ty).expect("the guard has seen an integer");
                let range = (Expr::int(0, argc.ty), Expr::int(self.program.types.int_range(kind).1, argc.ty));
                let (dest, range) = (argc.clone(), Some(range));
                StmtKind::Input { input: self.input("argc", span), dest, range }
            }
            [argc, argv, rest @ ..] if is_int(argc) && is_pointer(argv) && rest.iter().all(is_pointer) => {
                let (argc, argv, envp) = (argc.clone(), argv.clone(), rest.first().cloned());
                StmtKind::ProgramArgs { input: self.input("arguments of main", span), argc, argv, envp }
            }
            _ => return Ok(()),
        };
        self.emit(statement, span)
    }

    fn lower_body(
        &mut self,
        f: FuncId,
        fn_ty: &mut FnType,
        d: &Node<ast::FunctionDefinition>,
        old_style: Option<Vec<String>>,
    ) -> Lowered<()> {
        let end = self.span(lang_c::span::Span::span(d.span.end.saturating_sub(1), d.span.end));
        self.body = Some(Body::new(f, fn_ty.result));
        self.scopes.enter();
        let params = match old_style {
            Some(names) => {
                let parameters = self.old_style_parameters(&names, d)?;
                self.declare_parameters(f, parameters)?
            }
            None => {
                self.in_parameters = true;
                let declared = self.prototype_parameters(f, &d.node.declarator.node);
                self.in_parameters = false;
                declared?
            }
        };
        let ast::Statement::Compound(items) = &d.node.statement.node else {
            return LowerError::invalid(end, "a function's body is a block");
        };
        self.bind_program_arguments(f, &params)?;
        self.block_items(items)?;
        self.run_cleanups(&self.cleanups_from(1), end)?;
        if self.program.functions[f].name == "main" && fn_ty.result != self.program.types.void() {
            // Falling off the end of main returns 0 (C11 5.1.2.2.3).
            let zero = self.zero_of(fn_ty.result);
            self.terminate(Terminator::Return(Some(zero)), end)?;
        }
        self.settle_cleanups();
        self.scopes.leave();
        let body = self.body.take().expect("set above");
        let locals = body.locals.clone();
        let (blocks, numbers) = body.finish(end)?;
        for v in self.program.variables.iter_mut().filter(|v| v.storage == Storage::Static(f)) {
            for i in &mut v.init {
                if let StaticValue::LabelAddr(_, b) = &mut i.value {
                    *b = numbers[b];
                }
            }
        }
        let function = &mut self.program.functions[f];
        function.blocks = blocks;
        function.params.clone_from(&params);
        function.locals = locals.into_iter().filter(|v| !params.contains(v)).collect();
        Ok(())
    }

    /// Declares the parameters one by one, so that a later one's type may name an earlier one.
    fn prototype_parameters(&mut self, f: FuncId, d: &ast::Declarator) -> Lowered<Vec<VarId>> {
        let Some(function) = function_declarator(d) else { return Ok(Vec::new()) };
        let mut params = Vec::new();
        for p in &function.parameters {
            let span = self.span(p.span);
            let base = self.declaration_specifiers(&p.node.specifiers, span)?.base;
            let declared = match &p.node.declarator {
                Some(d) => self.declarator(base, d)?,
                None => super::types::Declared::unnamed(base),
            };
            if declared.ty == self.program.types.void() && function.parameters.len() == 1 {
                break;
            }
            let (ty, constant) = self.parameter(&declared, span)?;
            let name = declared.name.unwrap_or_default();
            params.extend(self.declare_parameters_from(
                f,
                params.len(),
                vec![Parameter { name, ty, passed: ty, constant, span }],
            )?);
        }
        Ok(params)
    }

    /// The type of a parameter and what is constant of it: of an array that is declared there is only a pointer.
    fn parameter(&mut self, declared: &super::types::Declared, span: Span) -> Lowered<(TypeId, ConstantBytes)> {
        let ty = self.adjust_parameter(declared.ty);
        let constant =
            if ty == declared.ty { self.constant_bytes(declared.qualified(), span)? } else { ConstantBytes::None };
        Ok((ty, constant))
    }

    fn declare_parameters(&mut self, f: FuncId, parameters: Vec<Parameter>) -> Lowered<Vec<VarId>> {
        self.declare_parameters_from(f, 0, parameters)
    }

    fn declare_parameters_from(&mut self, f: FuncId, first: usize, parameters: Vec<Parameter>) -> Lowered<Vec<VarId>> {
        let mut out = Vec::new();
        for (i, p) in parameters.into_iter().enumerate() {
            let number = (first + i) as u32;
            let name = if p.name.is_empty() { format!("<parameter {number}>") } else { p.name.clone() };
            let var = self.local(name, p.passed, |_| Storage::Param(f, number), p.span)?;
            out.push(var);
            if p.passed == p.ty {
                self.program.variables[var].constant = p.constant;
                self.scopes.declare(&p.name, Symbol::Variable(var));
                continue;
            }
            // Passed promoted, used as declared.
            let narrow = self.local(p.name.clone(), p.ty, Storage::Local, p.span)?;
            let value = super::fold::cast(&self.program.types, Expr::load(Place::var(var, p.passed)), p.ty);
            self.emit(StmtKind::Assign { place: Place::var(narrow, p.ty), value }, p.span)?;
            self.program.variables[narrow].constant = p.constant;
            self.scopes.declare(&p.name, Symbol::Variable(narrow));
        }
        Ok(out)
    }

    fn old_style_parameters(&mut self, names: &[String], d: &Node<ast::FunctionDefinition>) -> Lowered<Vec<Parameter>> {
        let span = self.span(d.node.declarator.span);
        let int = self.int_type();
        let mut out: Vec<Parameter> = names
            .iter()
            .map(|n| Parameter { name: n.clone(), ty: int, passed: int, constant: ConstantBytes::None, span })
            .collect();
        for declaration in &d.node.declarations {
            let span = self.span(declaration.span);
            let specifiers = self.declaration_specifiers(&declaration.node.specifiers, span)?;
            for declarator in &declaration.node.declarators {
                let declared = self.declarator(specifiers.base, &declarator.node.declarator)?;
                let (ty, constant) = self.parameter(&declared, span)?;
                let passed = self.promote_argument(Expr { kind: ExprKind::Int(0), ty }).ty;
                match out.iter_mut().find(|p| Some(&p.name) == declared.name.as_ref()) {
                    Some(p) => {
                        p.ty = ty;
                        p.constant = constant;
                        p.passed = passed;
                    }
                    None => return LowerError::invalid(span, "a declaration of what is no parameter"),
                }
            }
        }
        Ok(out)
    }
}

/// Sets `address_taken` and drops the ends of lifetimes that no pointer can outlive.
pub(super) fn note_addresses(program: &mut Program) {
    let mut taken: FxHashSet<VarId> = FxHashSet::default();
    for f in program.functions.iter_mut() {
        for block in f.blocks.iter_mut() {
            super::visit::expressions_mut(block, &mut |e| {
                if let ExprKind::AddrOf(v, _) = e.kind {
                    taken.insert(v);
                }
            });
        }
    }
    for v in program.variables.iter() {
        for i in &v.init {
            if let StaticValue::AddrOf(target, _) = i.value {
                taken.insert(target);
            }
        }
    }
    for v in &taken {
        program.variables[*v].address_taken = true;
    }
    for f in program.functions.iter_mut() {
        for block in f.blocks.iter_mut() {
            block.stmts.retain(|s| !matches!(s.kind, StmtKind::StorageDead(v) if !taken.contains(&v)));
        }
    }
}

/// The function declarator nearest to the name.
fn function_declarator(d: &ast::Declarator) -> Option<&ast::FunctionDeclarator> {
    if let ast::DeclaratorKind::Declarator(inner) = &d.kind.node
        && let Some(f) = function_declarator(&inner.node)
    {
        return Some(f);
    }
    d.derived.iter().find_map(|p| match &p.node {
        ast::DerivedDeclarator::Function(f) => Some(&f.node),
        _ => None,
    })
}

/// The parameter names of `int f(a, b) int a; char b; {}`.
fn old_style_names(d: &ast::Declarator) -> Option<Vec<String>> {
    if let ast::DeclaratorKind::Declarator(inner) = &d.kind.node
        && let Some(names) = old_style_names(&inner.node)
    {
        return Some(names);
    }
    d.derived.iter().find_map(|p| match &p.node {
        ast::DerivedDeclarator::KRFunction(names) => Some(names.iter().map(|n| n.node.name.clone()).collect()),
        _ => None,
    })
}

/// The name of the function of external linkage that a definition defines.
pub(super) fn defined_name(d: &ast::FunctionDefinition) -> Option<&str> {
    let is_gnu_inline = |es: &[Node<ast::Extension>]| {
        es.iter()
            .any(|e| matches!(&e.node, ast::Extension::Attribute(a) if a.name.node.trim_matches('_') == "gnu_inline"))
    };
    let mut gnu_inline = is_gnu_inline(&d.declarator.node.extensions);
    let mut inline = false;
    let mut is_extern = false;
    for s in &d.specifiers {
        match &s.node {
            ast::DeclarationSpecifier::StorageClass(c) if matches!(c.node, ast::StorageClassSpecifier::Static) => {
                return None;
            }
            ast::DeclarationSpecifier::StorageClass(c) => {
                is_extern |= matches!(c.node, ast::StorageClassSpecifier::Extern)
            }
            ast::DeclarationSpecifier::Function(f) => inline |= matches!(f.node, ast::FunctionSpecifier::Inline),
            ast::DeclarationSpecifier::Extension(es) => gnu_inline |= is_gnu_inline(es),
            _ => {}
        }
    }
    if inline && (!is_extern || gnu_inline) { None } else { declarator_name(&d.declarator.node) }
}

/// The name that a declarator declares.
pub(super) fn declarator_name(d: &ast::Declarator) -> Option<&str> {
    match &d.kind.node {
        ast::DeclaratorKind::Abstract => None,
        ast::DeclaratorKind::Identifier(i) => Some(&i.node.name),
        ast::DeclaratorKind::Declarator(inner) => declarator_name(&inner.node),
    }
}
