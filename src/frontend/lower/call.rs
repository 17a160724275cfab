//! Calls: of the program's functions, through pointers, of the compiler's built-ins and of the library.

use super::context::Lowerer;
use super::effects::Effects;
use super::error::{LowerError, Lowered};
use super::fold;
use super::scope::Symbol;
use crate::base::Span;
use crate::frontend::models::{is_another, is_error_function, is_modelled, takes_any_number};
use crate::ir::{
    Callee, Check, CheckKind, Expr, ExprKind, FnType, FuncId, Linkage, Place, StmtKind, Terminator, Type, TypeId,
};
use lang_c::ast::{self, Expression};
use lang_c::span::Node;

impl Lowerer<'_> {
    pub(super) fn call(&mut self, c: &ast::CallExpression, wanted: bool, span: Span) -> Lowered<Expr> {
        if let Some(name) = called_name(&c.callee)
            && !matches!(self.scopes.lookup(name), Some(Symbol::Variable(_) | Symbol::Vla(..)))
        {
            if let Some(result) = self.compiler_builtin(name, c, span)? {
                return Ok(result);
            }
            if let Some(result) = self.library_call(name, c, wanted, span)? {
                return Ok(result);
            }
            if self.scopes.lookup(name).is_none() {
                if name.starts_with("__builtin_") {
                    return LowerError::unsupported(span, format!("{name}, whose type is not known"));
                }
                self.declare_implicitly(name, span);
            }
        }
        let callee = match self.called_by_name(&c.callee) {
            Some(callee) => callee,
            None => self.rvalue(&c.callee)?,
        };
        let Some(fn_ty) = self.program.types.pointee(callee.ty).and_then(|t| self.fn_type(t)) else {
            return LowerError::invalid(span, "a call of what is no function");
        };
        let args = self.arguments(&c.arguments, Some(&fn_ty), span)?;
        let callee = match callee.kind {
            ExprKind::FuncAddr(f) => Callee::Direct(f),
            _ => {
                let callee = self.hold(callee, span)?;
                let null = self.site(CheckKind::NullDeref, format!("{}(...)", self.text(&c.callee)), span);
                self.emit(StmtKind::Check(Box::new(Check::Callable { ptr: callee.clone(), null })), span)?;
                Callee::Indirect(callee)
            }
        };
        self.emit_call(callee, fn_ty.result, args, span)
    }

    /// The function that a name is declared as, or that its call declares.
    pub(crate) fn declared_function(&mut self, name: &str, span: Span) -> FuncId {
        match self.scopes.lookup(name) {
            Some(Symbol::Function(f)) => f,
            _ => self.declare_implicitly(name, span),
        }
    }

    /// `goto *target`.
    fn computed_goto(&mut self, target: Expr, span: Span) -> Lowered<()> {
        let (place, block) = match self.body(span)?.dispatch.clone() {
            Some(known) => known,
            None => {
                let place = Place::var(self.temp(target.ty, span)?, target.ty);
                let block = self.body(span)?.jump_from(Expr::load(place.clone()), span);
                self.body(span)?.dispatch = Some((place.clone(), block));
                (place, block)
            }
        };
        let value =
            if target.ty == place.ty { target } else { Expr { ty: place.ty, kind: ExprKind::Cast(Box::new(target)) } };
        self.emit(StmtKind::Assign { place, value }, span)?;
        self.terminate(Terminator::Goto(block), span)
    }
    /// A call of a function that takes its arguments as they are.
    pub(crate) fn call_function(&mut self, f: FuncId, args: Vec<Expr>, span: Span) -> Lowered<Expr> {
        let result = self.fn_type(self.type_of_function(f)).map_or(self.int_type(), |t| t.result);
        self.emit_call(Callee::Direct(f), result, args, span)
    }

    /// Emits the call; its value in a temporary.
    pub(crate) fn emit_call(&mut self, callee: Callee, result: TypeId, args: Vec<Expr>, span: Span) -> Lowered<Expr> {
        let void = self.program.types.void();
        let dest = if result == void { None } else { Some(Place::var(self.temp(result, span)?, result)) };
        let noreturn = matches!(callee, Callee::Direct(f) if self.program.functions[f].noreturn);
        let call = self.call_site(span);
        self.emit(StmtKind::Call { call, dest: dest.clone(), callee, args }, span)?;
        if noreturn {
            self.terminate(Terminator::Unreachable, span)?;
        }
        Ok(match dest {
            Some(place) => Expr::load(place),
            None => Expr { kind: ExprKind::Int(0), ty: void },
        })
    }

    /// Arguments converted to the parameters' types, or promoted where there are none (C11 6.5.2.2).
    fn arguments(&mut self, nodes: &[Node<Expression>], ty: Option<&FnType>, span: Span) -> Lowered<Vec<Expr>> {
        if let Some(ty) = ty.filter(|t| t.prototyped)
            && (nodes.len() < ty.params.len() || (nodes.len() > ty.params.len() && !ty.variadic))
        {
            let (wants, has) = (ty.params.len(), nodes.len());
            return LowerError::invalid(span, format!("the function takes {wants} arguments, the call has {has}"));
        }
        let mut args = Vec::new();
        for (i, node) in nodes.iter().enumerate() {
            let span = self.span(node.span);
            let value = self.rvalue(node)?;
            let value = match ty.filter(|t| t.prototyped).and_then(|t| t.params.get(i)) {
                Some(param) => self.convert_argument(value, *param, span)?,
                None => self.promote_argument(value),
            };
            let later = nodes[i + 1..].iter().any(|node| !Effects::of(node).is_none());
            args.push(if later && self.program.types.is_scalar(value.ty) { self.hold(value, span)? } else { value });
        }
        Ok(args)
    }

    /// As by assignment; a transparent union takes any of its members.
    fn convert_argument(&mut self, value: Expr, param: TypeId, span: Span) -> Lowered<Expr> {
        let is_union =
            matches!(self.program.types.get(param), Type::Record(r) if self.program.types.records[*r].is_union);
        if is_union && self.program.types.is_scalar(value.ty) {
            let l = self.temp_lvalue(param, span)?;
            let place = Place { ty: value.ty, ..l.place.clone() };
            self.emit(StmtKind::Assign { place, value }, span)?;
            return Ok(Expr::load(l.place));
        }
        self.convert_assigned(value, param, span)
    }

    fn declare_implicitly(&mut self, name: &str, span: Span) -> FuncId {
        let result = self.int_type();
        let ty = FnType { result, params: Vec::new(), variadic: false, prototyped: false };
        let ty = self.program.types.intern(Type::Function(ty));
        if !name.starts_with("__builtin_") {
            self.warn(span, format!("`{name}` is called without a declaration: taken as `int {name}()`"));
        }
        self.declare_by_call(name, ty, span)
    }

    /// A call of a library function that the program does not define, by its model.
    fn library_call(&mut self, name: &str, c: &ast::CallExpression, wanted: bool, span: Span) -> Lowered<Option<Expr>> {
        let known = self.is_library(name) && (is_modelled(name) || self.users_contract(name).is_some());
        if !(known || self.is_judged_call(name)) || self.body.is_none() {
            return Ok(None);
        }
        let declared = match self.scopes.lookup(name) {
            Some(Symbol::Function(f)) => self.fn_type(self.type_of_function(f)),
            _ => None,
        };
        let result = declared.as_ref().map(|t| t.result);
        if self.users_contract(name).is_none() && is_another(&self.program.types, name, c.arguments.len(), result) {
            return Ok(None);
        }
        let args = match declared {
            None if takes_any_number(name) => c.arguments.iter().map(|a| self.rvalue(a)).collect::<Lowered<_>>()?,
            declared => self.arguments(&c.arguments, declared.as_ref(), span)?,
        };
        let texts: Vec<String> = c.arguments.iter().map(|a| self.text(a)).collect();
        let call = crate::frontend::models::LibraryCall { name, args, texts, result, wanted, span };
        self.lower_library_call(call)
    }

    /// Whether a call of `name` is an error by itself: what the function's body does is not asked.
    fn is_judged_call(&self, name: &str) -> bool {
        is_error_function(name) && !self.options.error_functions_run
    }

    /// Whether `name` is a function that no unit defines.
    fn is_library(&self, name: &str) -> bool {
        if self.defined.contains(name) {
            return false;
        }
        match self.scopes.lookup(name) {
            Some(Symbol::Function(f)) => self.program.functions[f].linkage == Linkage::External,
            None => true,
            _ => false,
        }
    }

    /// Built-ins that need their operands' syntax or types, and markers of the sanitizer.
    fn compiler_builtin(&mut self, name: &str, c: &ast::CallExpression, span: Span) -> Lowered<Option<Expr>> {
        let args = &c.arguments;
        let void = Expr { kind: ExprKind::Int(0), ty: self.program.types.void() };
        Ok(Some(match (name, args.len()) {
            ("__builtin_expect", 2) => {
                let ty = self.program.types.int(crate::ir::IntKind::Long);
                let value = self.rvalue(&args[0])?;
                self.value(&args[1], false)?;
                self.convert_silently(value, ty, span)?
            }
            ("__builtin_shufflevector", 3..) => self.shuffled(args, span)?,
            ("__builtin_constant_p", 1) => self.is_constant(&args[0], span)?,
            ("__builtin_choose_expr", 3) => {
                let chosen = if self.constant_int(&args[0])? != 0 { &args[1] } else { &args[2] };
                self.rvalue(chosen)?
            }
            ("__builtin_unreachable", 0) => {
                self.terminate(Terminator::Unreachable, span)?;
                void
            }
            ("__builtin_va_start" | "va_start", 1..) => {
                let list = self.rvalue(&args[0])?;
                self.emit(StmtKind::VaStart { list }, span)?;
                void
            }
            ("__builtin_va_end" | "va_end", 1) => {
                let list = self.rvalue(&args[0])?;
                self.emit(StmtKind::VaEnd { list }, span)?;
                void
            }
            ("__builtin_va_copy" | "va_copy" | "__va_copy", 2) => {
                let dest = self.rvalue(&args[0])?;
                let source = self.rvalue(&args[1])?;
                self.emit(StmtKind::VaCopy { dest, source }, span)?;
                void
            }
            ("__cellog_label_address", 1) => {
                let Some(label) = called_name(&args[0]) else { return LowerError::invalid(span, "`&&` needs a label") };
                let label = label.to_owned();
                self.label_address(&label, span)?
            }
            ("__cellog_types_compatible", 2) => {
                let (Expression::SizeOfTy(a), Expression::SizeOfTy(b)) = (&args[0].node, &args[1].node) else {
                    return LowerError::invalid(span, "`__builtin_types_compatible_p` takes two types");
                };
                self.types_compatible(&a.node.0, &b.node.0, span)?
            }
            ("__cellog_alignment", 1) => self.alignment_of(&args[0], span)?,
            ("__cellog_type_alignment", 1) => {
                let Expression::SizeOfTy(named) = &args[0].node else {
                    return LowerError::invalid(span, "`__alignof__` takes a type or an expression");
                };
                let named = self.type_of_alignment(&named.node.0, span)?;
                self.size_const(named.align.unwrap_or_else(|| self.preferred_alignment(named.ty)))
            }
            ("__cellog_real" | "__cellog_imag", 1) => {
                self.part_value(&args[0], u64::from(name == "__cellog_imag"), span)?
            }
            ("__builtin_complex", 2) => {
                let (re, im) = (self.rvalue(&args[0])?, self.rvalue(&args[1])?);
                let (re, im) = self.usual(re, im, span)?;
                self.complex_of([re, im], span)?
            }
            ("creal" | "crealf" | "creall" | "cimag" | "cimagf" | "cimagl", 1) if self.is_library(name) => {
                let kind = match name {
                    "crealf" | "cimagf" => crate::ir::FloatKind::Float,
                    "creall" | "cimagl" => crate::ir::FloatKind::LongDouble,
                    _ => crate::ir::FloatKind::Double,
                };
                let part = self.part_value(&args[0], u64::from(name.starts_with("cim")), span)?;
                self.convert_silently(part, self.program.types.float(kind), span)?
            }
            ("conj" | "conjf" | "conjl", 1) if self.is_library(name) => {
                let value = self.rvalue(&args[0])?;
                self.complex_unary(crate::ir::UnaryOp::BitNot, &value, span)?.unwrap_or(value)
            }
            ("__cellog_goto", 1) => {
                let target = self.rvalue(&args[0])?;
                if !self.cleanups_from(1).is_empty() {
                    self.emit_unsupported("computed goto among cleanups", None, span)?;
                }
                self.computed_goto(target, span)?;
                void
            }
            ("__cellog_asm", _) => {
                self.assembly(args, span)?;
                self.emit_unsupported("inline assembly", None, span)?;
                void
            }
            ("__cellog_asm_values", _) => {
                self.assembly(args, span)?;
                void
            }
            ("__cellog_barrier", _) => {
                for operand in args {
                    self.value(operand, false)?;
                }
                void
            }
            ("__cellog_asm_goto", _) => {
                return LowerError::invalid(span, "assembly that jumps to labels is not supported");
            }
            _ => return Ok(None),
        }))
    }

    /// Assembly may leave anything in its output operands.
    fn assembly(&mut self, outputs: &[Node<Expression>], span: Span) -> Lowered<()> {
        const WHAT: &str = "inline assembly";
        for output in outputs {
            let place = self.lvalue(output)?.place;
            if !matches!(self.program.types.get(place.ty), Type::Int(_) | Type::Float(_)) {
                self.emit_unsupported(WHAT, Some(place), span)?;
                continue;
            }
            self.note_unsupported(WHAT, span);
            let value = self.approximate_value(WHAT, place.ty, None, span)?;
            self.emit(StmtKind::Assign { place, value }, span)?;
        }
        Ok(())
    }

    fn label_address(&mut self, label: &str, span: Span) -> Lowered<Expr> {
        let ty = self.program.types.void_ptr();
        // Static tables of labels are lowered while the body is set aside.
        let body = match &mut self.body {
            Some(b) => b,
            None => self.enclosing.as_mut().ok_or(LowerError::NotConstant { span })?,
        };
        let block = body.label_address(label, span);
        Ok(Expr { kind: ExprKind::LabelAddr(block), ty })
    }

    pub(super) fn va_arg(&mut self, v: &ast::VaArgExpression, span: Span) -> Lowered<Expr> {
        let list = self.rvalue(&v.va_list)?;
        let ty = self.type_name(&v.type_name)?.ty;
        let dest = self.temp_lvalue(ty, span)?.place;
        self.emit(StmtKind::VaArg { list, dest: dest.clone() }, span)?;
        Ok(Expr::load(dest))
    }

    /// The `int` 0 of type `ty`, for results that nobody computes.
    pub(crate) fn zero_of(&self, ty: TypeId) -> Expr {
        fold::cast(&self.program.types, self.int_const(0), ty)
    }
}

/// The identifier that is called, through parentheses.
pub(super) fn called_name(e: &Node<Expression>) -> Option<&str> {
    match &e.node {
        Expression::Identifier(i) => Some(&i.node.name),
        _ => None,
    }
}

/// Which part a call of a marker for `__real__` (0) or `__imag__` (1) names.
pub(super) fn part_of(c: &ast::CallExpression) -> Option<u64> {
    match (called_name(&c.callee)?, c.arguments.len()) {
        ("__cellog_real", 1) => Some(0),
        ("__cellog_imag", 1) => Some(1),
        _ => None,
    }
}
