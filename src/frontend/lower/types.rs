//! Types from specifiers and declarators (C11 6.7.2, 6.7.6).

use super::attributes::Attributes;
use super::context::Lowerer;
use super::error::{LowerError, Lowered};
use super::hooks::Hooks;
use super::scope::{Symbol, Tag};
use super::spelling::{self, Spelling};
use super::symbols::LinkName;
use crate::base::Span;
use crate::ir::{BinaryOp, CheckKind, Expr, ExprKind, FloatKind, FnType, IntKind, StmtKind, Type, TypeId};
use lang_c::ast;
use lang_c::span::Node;

/// A type, and whether objects declared with it are `const`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Qualified {
    pub ty: TypeId,
    pub is_const: bool,
    /// Where a `typedef` has given the type an alignment of its own.
    pub align: Option<u64>,
    pub spelling: Spelling,
}

impl Qualified {
    /// A type without `const`.
    pub fn plain(ty: TypeId) -> Qualified {
        Qualified { ty, is_const: false, align: None, spelling: Spelling::default() }
    }
}

/// What declaration specifiers say.
#[derive(Clone, Debug)]
pub(super) struct Specifiers {
    pub base: Qualified,
    pub storage: Option<ast::StorageClassSpecifier>,
    pub inline: bool,
    pub noreturn: bool,
    pub gnu_inline: bool,
    pub align: Option<u64>,
    pub packed: bool,
    pub hooks: Hooks,
    pub link_name: Option<LinkName>,
}

/// A declarator's name and type.
pub(super) struct Declared {
    pub name: Option<String>,
    pub ty: TypeId,
    /// Whether the object itself, not what it points to, is `const`.
    pub is_const: bool,
    /// Of its type, where a `typedef` says so.
    pub align: Option<u64>,
    pub spelling: Spelling,
    /// Those behind the declarator.
    pub attributes: Attributes,
}

impl Declared {
    /// What specifiers without a declarator declare.
    pub fn unnamed(base: Qualified) -> Declared {
        let Qualified { ty, is_const, align, spelling } = base;
        Declared { name: None, ty, is_const, align, spelling, attributes: Attributes::default() }
    }
    pub fn qualified(&self) -> Qualified {
        Qualified { ty: self.ty, is_const: self.is_const, align: self.align, spelling: self.spelling }
    }
}

/// Words of the basic type specifiers, counted.
#[derive(Default)]
struct Words {
    signed: bool,
    unsigned: bool,
    short: bool,
    long: u32,
    char_: bool,
    int: bool,
    float: bool,
    double: bool,
    any: bool,
    const_: bool,
    atomic: bool,
    complex: bool,
    align: Option<u64>,
    spelling: Spelling,
    complete: Option<TypeId>,
}

impl Words {
    /// A name of a type is met.
    fn name(&mut self, named: Qualified) {
        self.complete = Some(named.ty);
        self.const_ |= named.is_const;
        self.align = named.align;
        self.spelling = named.spelling.qualified(self.spelling.own);
    }
}

impl Lowerer<'_> {
    pub(super) fn declaration_specifiers(
        &mut self,
        specifiers: &[Node<ast::DeclarationSpecifier>],
        span: Span,
    ) -> Lowered<Specifiers> {
        let mut out = self.no_specifiers();
        let mut words = Words::default();
        let (mut mode, mut vector) = (None, None);
        for s in specifiers {
            match &s.node {
                ast::DeclarationSpecifier::StorageClass(c) => {
                    if !matches!(c.node, ast::StorageClassSpecifier::ThreadLocal) {
                        out.storage = Some(c.node.clone());
                    }
                }
                ast::DeclarationSpecifier::TypeSpecifier(t) => self.type_specifier(t, &mut words)?,
                ast::DeclarationSpecifier::TypeQualifier(q) => {
                    words.const_ |= matches!(q.node, ast::TypeQualifier::Const);
                    words.spelling.own |= spelling::bit(&q.node);
                    words.atomic |= matches!(q.node, ast::TypeQualifier::Atomic);
                }
                ast::DeclarationSpecifier::Function(f) => match f.node {
                    ast::FunctionSpecifier::Inline => out.inline = true,
                    ast::FunctionSpecifier::Noreturn => out.noreturn = true,
                },
                ast::DeclarationSpecifier::Alignment(a) => {
                    let align = match &a.node {
                        ast::AlignmentSpecifier::Type(t) => {
                            let ty = self.type_name(t)?;
                            self.alignment(ty)
                        }
                        ast::AlignmentSpecifier::Constant(e) => self.constant_align(e)?,
                    };
                    out.align = out.align.max(Some(align));
                }
                ast::DeclarationSpecifier::Extension(es) => {
                    self.extension_specifiers(es, &mut out, (&mut mode, &mut vector))?
                }
            }
        }
        out.base = Qualified {
            is_const: words.const_,
            align: words.align,
            spelling: words.spelling,
            ty: self.combine(words, mode, span)?,
        };
        if let Some((bytes, span)) = vector {
            out.base.ty = self.vector_type(out.base.ty, bytes, span)?;
        }
        Ok(out)
    }

    pub(super) fn specifier_qualifiers(
        &mut self,
        specifiers: &[Node<ast::SpecifierQualifier>],
        span: Span,
    ) -> Lowered<Specifiers> {
        let mut out = self.no_specifiers();
        let mut words = Words::default();
        let (mut mode, mut vector) = (None, None);
        for s in specifiers {
            match &s.node {
                ast::SpecifierQualifier::TypeSpecifier(t) => self.type_specifier(t, &mut words)?,
                ast::SpecifierQualifier::TypeQualifier(q) => {
                    words.const_ |= matches!(q.node, ast::TypeQualifier::Const);
                    words.spelling.own |= spelling::bit(&q.node);
                    words.atomic |= matches!(q.node, ast::TypeQualifier::Atomic);
                }
                ast::SpecifierQualifier::Extension(es) => {
                    self.extension_specifiers(es, &mut out, (&mut mode, &mut vector))?
                }
            }
        }
        out.base = Qualified {
            is_const: words.const_,
            align: words.align,
            spelling: words.spelling,
            ty: self.combine(words, mode, span)?,
        };
        if let Some((bytes, span)) = vector {
            out.base.ty = self.vector_type(out.base.ty, bytes, span)?;
        }
        Ok(out)
    }

    fn no_specifiers(&self) -> Specifiers {
        Specifiers {
            base: Qualified::plain(self.int_type()),
            storage: None,
            inline: false,
            noreturn: false,
            gnu_inline: false,
            align: None,
            packed: false,
            hooks: Hooks::default(),
            link_name: None,
        }
    }

    fn extension_specifiers(
        &mut self,
        extensions: &[Node<ast::Extension>],
        out: &mut Specifiers,
        (mode, vector): (&mut Option<IntKind>, &mut Option<(u64, Span)>),
    ) -> Lowered<()> {
        let a = self.attributes(extensions)?;
        out.noreturn |= a.noreturn;
        out.packed |= a.packed;
        out.gnu_inline |= a.gnu_inline;
        out.align = out.align.max(a.align);
        out.hooks = out.hooks.or(a.hooks);
        out.link_name = a.link_name.or(out.link_name.take());
        *mode = mode.or(a.mode);
        *vector = vector.or(a.vector);
        Ok(())
    }

    fn type_specifier(&mut self, t: &Node<ast::TypeSpecifier>, words: &mut Words) -> Lowered<()> {
        use ast::TypeSpecifier as T;
        let span = self.span(t.span);
        words.any = true;
        match &t.node {
            T::Void => words.complete = Some(self.program.types.void()),
            T::Char => words.char_ = true,
            T::Short => words.short = true,
            T::Int => words.int = true,
            T::Long => words.long += 1,
            T::Float => words.float = true,
            T::Double => words.double = true,
            T::Signed => words.signed = true,
            T::Unsigned => words.unsigned = true,
            T::Bool => words.complete = Some(self.program.types.int(IntKind::Bool)),
            T::Complex => words.complex = true,
            T::Atomic(name) => {
                words.name(self.type_name(name)?);
                words.atomic = true;
            }
            T::Struct(s) => words.complete = Some(self.record_type(s)?),
            T::Enum(e) => {
                words.complete = {
                    let (ty, number) = self.enum_type(e)?;
                    words.spelling.enumeration = number;
                    Some(ty)
                }
            }
            T::TypedefName(i) => words.name(self.typedef(&i.node.name, span)?),
            T::TypeOf(of) => words.name(match &of.node {
                ast::TypeOf::Type(name) => self.type_name(name)?,
                ast::TypeOf::Expression(e) => {
                    let (is_const, spelling) = (self.names_constant(e), self.spelling_of(e)?);
                    Qualified { is_const, spelling, ..Qualified::plain(self.type_of(e)?) }
                }
            }),
            T::TS18661Float(f) => {
                use ast::TS18661FloatFormat::{BinaryExtended, BinaryInterchange};
                let kind = match (&f.format, f.width) {
                    (BinaryInterchange, 32) => FloatKind::Float,
                    (BinaryInterchange, 64) | (BinaryExtended, 32) => FloatKind::Double,
                    (BinaryInterchange, 128) => FloatKind::Float128,
                    (BinaryExtended, 64) => FloatKind::LongDouble,
                    _ => return LowerError::unsupported(span, "floating type of this width"),
                };
                words.complete = Some(self.program.types.float(kind));
            }
        }
        Ok(())
    }

    /// Whether an expression is the name of an object that is `const`: `typeof` keeps that.
    fn names_constant(&self, e: &Node<ast::Expression>) -> bool {
        let ast::Expression::Identifier(i) = &e.node else { return false };
        matches!(self.scopes.lookup(&i.node.name), Some(Symbol::Variable(v)) if self.program.variables[v].is_constant())
    }

    fn typedef(&mut self, name: &str, span: Span) -> Lowered<Qualified> {
        let ty = match self.scopes.lookup(name) {
            Some(Symbol::Typedef(named)) => return Ok(named),
            _ => match name {
                "__builtin_va_list" => Ok(self.va_list_type()),
                "__cellog_int128" => Ok(self.program.types.int(IntKind::Int128)),
                "__cellog_uint128" => Ok(self.program.types.int(IntKind::UInt128)),
                "__cellog_float128" => Ok(self.program.types.float(FloatKind::Float128)),
                _ => LowerError::invalid(span, format!("unknown type `{name}`")),
            },
        };
        ty.map(Qualified::plain)
    }

    /// The alignment of a type as named.
    pub(super) fn alignment(&self, of: Qualified) -> u64 {
        of.align.unwrap_or_else(|| self.program.types.align_of(of.ty))
    }

    fn combine(&mut self, w: Words, mode: Option<IntKind>, span: Span) -> Lowered<TypeId> {
        let (is_atomic, is_complex) = (w.atomic, w.complex);
        let ty = match self.combined(w, mode, span)? {
            part if is_complex => self.complex_type(part, span)?,
            ty => ty,
        };
        // Compilers align those of 1, 2, 4, 8 and 16 bytes to their size; some make others larger.
        let size = self.program.types.size_of(ty).unwrap_or(0);
        if is_atomic && size <= 16 && self.program.types.align_of(ty) != size {
            return LowerError::unsupported(span, "an atomic type that is aligned otherwise than its plain one");
        }
        Ok(ty)
    }

    fn combined(&mut self, w: Words, mode: Option<IntKind>, span: Span) -> Lowered<TypeId> {
        use IntKind::*;
        if let Some(ty) = w.complete {
            return Ok(match (mode, self.program.types.as_int(ty)) {
                (Some(m), Some(k)) => self.program.types.int(if k.signed() { m } else { m.to_unsigned() }),
                // `unsigned __int128` after sanitizing.
                (None, Some(Int128)) if w.unsigned => self.program.types.int(UInt128),
                _ => ty,
            });
        }
        if w.float {
            return Ok(self.program.types.float(FloatKind::Float));
        }
        let alone = !(w.char_ || w.short || w.int || w.signed || w.unsigned);
        if w.double || w.complex && alone {
            let kind = if w.long > 0 { FloatKind::LongDouble } else { FloatKind::Double };
            return Ok(self.program.types.float(kind));
        }
        if !w.any && span == Span::NONE {
            return LowerError::invalid(span, "a type is missing");
        }
        let mut kind = match (w.char_, w.short, w.long) {
            (true, ..) if w.signed => SChar,
            (true, ..) => Char,
            (_, true, _) => Short,
            (_, _, 0) => Int,
            (_, _, 1) => Long,
            _ => LongLong,
        };
        kind = mode.unwrap_or(kind);
        if w.unsigned {
            kind = kind.to_unsigned();
        }
        Ok(self.program.types.int(kind))
    }

    /// `__builtin_va_list`: an array of one record, so that it decays when passed on (System V).
    pub(super) fn va_list_type(&mut self) -> TypeId {
        let tag = match self.scopes.stack[0].tags.get("__va_list_tag") {
            Some(Tag::Record(_, ty)) => *ty,
            _ => {
                let types = &mut self.program.types;
                let void_ptr = types.void_ptr();
                let uint = types.int(IntKind::UInt);
                let field = |name: &str, ty, offset| crate::ir::types::Field {
                    name: Some(name.to_owned()),
                    ty,
                    offset,
                    bits: None,
                    is_const: false,
                };
                let p = types.pointer_size();
                let layout = crate::ir::types::Layout {
                    fields: vec![
                        field("gp_offset", uint, 0),
                        field("fp_offset", uint, 4),
                        field("overflow_arg_area", void_ptr, 8),
                        field("reg_save_area", void_ptr, 8 + p),
                    ],
                    size: 8 + 2 * p,
                    align: p,
                    is_open: false,
                    constant: Ok(Vec::new()),
                };
                let record = crate::ir::types::Record {
                    name: "__va_list_tag".to_owned(),
                    is_union: false,
                    is_accessed: false,
                    layout: Some(layout),
                };
                let id = types.records.push(record);
                let ty = types.intern(Type::Record(id));
                self.scopes.stack[0].tags.insert("__va_list_tag".to_owned(), Tag::Record(id, ty));
                ty
            }
        };
        self.program.types.array(tag, Some(1))
    }

    pub(super) fn type_name(&mut self, t: &Node<ast::TypeName>) -> Lowered<Qualified> {
        let base = self.specifier_qualifiers(&t.node.specifiers, self.span(t.span))?.base;
        match &t.node.declarator {
            Some(d) => Ok(self.declarator(base, d)?.qualified()),
            None => Ok(base),
        }
    }

    /// Applies a declarator to the type that its specifiers give.
    pub(super) fn declarator(&mut self, base: Qualified, d: &Node<ast::Declarator>) -> Lowered<Declared> {
        let Qualified { mut ty, mut is_const, mut align, mut spelling } = base;
        let is_pointer = |p: &&Node<ast::DerivedDeclarator>| {
            matches!(p.node, ast::DerivedDeclarator::Pointer(_) | ast::DerivedDeclarator::Block(_))
        };
        let attributes = self.attributes(&d.node.extensions)?;
        if let (Some(mode), Some(kind)) = (attributes.mode, self.program.types.as_int(ty)) {
            ty = self.program.types.int(if kind.signed() { mode } else { mode.to_unsigned() });
        }
        if let Some((bytes, span)) = attributes.vector {
            ty = self.vector_type(ty, bytes, span)?;
        }
        if align.is_some() && !d.node.derived.is_empty() {
            self.realigned.insert(ty);
        }
        for p in d.node.derived.iter().filter(is_pointer) {
            let ast::DerivedDeclarator::Pointer(qualifiers) = &p.node else {
                return LowerError::unsupported(self.span(p.span), "block pointer");
            };
            ty = self.program.types.pointer(ty);
            align = None;
            let own = qualifiers.iter().map(|q| match &q.node {
                ast::PointerQualifier::TypeQualifier(t) => spelling::bit(&t.node),
                ast::PointerQualifier::Extension(_) => 0,
            });
            spelling = spelling.pointed_to(own.fold(0, |all, one| all | one));
            is_const = spelling.own & spelling::bit(&ast::TypeQualifier::Const) != 0;
        }
        for s in d.node.derived.iter().rev().filter(|p| !is_pointer(p)) {
            let is_array = matches!(s.node, ast::DerivedDeclarator::Array(_));
            is_const &= is_array;
            align = align.filter(|_| is_array);
            ty = match &s.node {
                ast::DerivedDeclarator::Array(a) => self.array_type(ty, &a.node, self.span(s.span))?,
                ast::DerivedDeclarator::Function(f) => {
                    let (ty, parameters) = self.function_type(ty, &f.node)?;
                    spelling = spelling.result(parameters);
                    ty
                }
                ast::DerivedDeclarator::KRFunction(_) => {
                    spelling = spelling.result(false);
                    self.program.types.intern(Type::Function(FnType {
                        result: ty,
                        params: Vec::new(),
                        variadic: false,
                        prototyped: false,
                    }))
                }
                _ => ty,
            };
        }
        match &d.node.kind.node {
            ast::DeclaratorKind::Abstract => Ok(Declared { name: None, ty, is_const, align, spelling, attributes }),
            ast::DeclaratorKind::Identifier(i) => {
                Ok(Declared { name: Some(i.node.name.clone()), ty, is_const, align, spelling, attributes })
            }
            ast::DeclaratorKind::Declarator(inner) => {
                Ok(Declared { attributes, ..self.declarator(Qualified { ty, is_const, align, spelling }, inner)? })
            }
        }
    }

    fn array_type(&mut self, elem: TypeId, a: &ast::ArrayDeclarator, span: Span) -> Lowered<TypeId> {
        let size = match &a.size {
            ast::ArraySize::Unknown | ast::ArraySize::VariableUnknown => None,
            ast::ArraySize::VariableExpression(e) | ast::ArraySize::StaticExpression(e) => Some(e),
        };
        let Some(size) = size else {
            if let Type::Vla(..) = self.program.types.get(elem) {
                return self.new_vla(elem, None, span);
            }
            return Ok(self.program.types.array(elem, None));
        };
        let elem_is_vla = matches!(self.program.types.get(elem), Type::Vla(..));
        let constant = self.constant_expr(size);
        if let (Ok(c), false) = (&constant, elem_is_vla)
            && let ExprKind::Int(n) = c.kind
        {
            return match u64::try_from(n) {
                Ok(n) => {
                    let ty = self.program.types.array(elem, Some(n));
                    match self.program.types.size_of(ty) {
                        Some(bytes) if bytes > i64::MAX as u64 => LowerError::invalid(span, "the array is too large"),
                        _ => Ok(ty),
                    }
                }
                Err(_) => LowerError::invalid(span, "an array has a negative size"),
            };
        }
        if self.body.is_none() {
            // Sizes of parameters of mere declarations are not evaluated.
            return if self.scopes.at_file_level() {
                Err(LowerError::NotConstant { span })
            } else {
                Ok(self.program.types.array(elem, None))
            };
        }
        self.new_vla(elem, Some(size), span)
    }

    /// A new variable-length array type; evaluates its size in bytes now.
    fn new_vla(&mut self, elem: TypeId, count: Option<&Node<ast::Expression>>, span: Span) -> Lowered<TypeId> {
        self.anonymous += 1;
        let ty = self.program.types.intern(Type::Vla(elem, self.anonymous));
        if let Some(count) = count {
            let subject = self.text(count);
            let count = self.rvalue(count)?;
            if self.program.types.as_int(count.ty).is_none() {
                return LowerError::invalid(span, "the length of an array is no integer");
            }
            let count = self.hold(count, span)?;
            let size = self.size_expr(elem, span)?;
            if !self.in_parameters {
                self.check_length(&count, &size, &subject, span)?;
            }
            let count = self.convert_silently(count, self.size_type(), span)?;
            let bytes =
                super::fold::binary(&self.program.types, crate::ir::BinaryOp::Mul, count, size, self.size_type());
            let var = self.temp(self.size_type(), span)?;
            let place = crate::ir::Place::var(var, self.size_type());
            self.emit(crate::ir::StmtKind::Assign { place, value: bytes }, span)?;
            self.vla_sizes.insert(ty, var);
        }
        Ok(ty)
    }

    /// A length is above 0 (6.7.6.2p5). One that makes the array larger than any object is no error of the program's text: the
    /// stack does not run out, by assumption, so that no execution gets past it.
    fn check_length(&mut self, count: &Expr, size: &Expr, subject: &str, span: Span) -> Lowered<()> {
        let zero = Expr::int(0, count.ty);
        let cond = self.folded(BinaryOp::Gt, count.clone(), zero, self.int_type());
        self.check_holds(CheckKind::VlaBound, cond, subject, span)?;
        if size.as_int() == Some(0) {
            return Ok(());
        }
        let ty = self.size_type();
        let most = Expr::int(self.program.types.greatest_size(), ty);
        let most = self.folded(BinaryOp::Div, most, size.clone(), ty);
        let wide = self.program.types.int(IntKind::ULongLong);
        let (count, most) =
            (self.convert_silently(count.clone(), wide, span)?, self.convert_silently(most, wide, span)?);
        let cond = self.folded(BinaryOp::Le, count, most, self.int_type());
        self.emit(StmtKind::Assume { cond }, span)
    }

    /// The type of a function, and whether its parameters' names say more than their types.
    fn function_type(&mut self, result: TypeId, f: &ast::FunctionDeclarator) -> Lowered<(TypeId, bool)> {
        // Lengths in a prototype are not evaluated, wherever it stands (6.7.6.2p5).
        let (params, says_more) = self.without_body(|s| s.parameters(f))?;
        let variadic = matches!(f.ellipsis, ast::Ellipsis::Some);
        let prototyped = !f.parameters.is_empty();
        let ty = self.program.types.intern(Type::Function(FnType { result, params, variadic, prototyped }));
        Ok((ty, says_more))
    }

    /// Adjusted types of the parameters, and whether their names say more; `(void)` is none.
    fn parameters(&mut self, f: &ast::FunctionDeclarator) -> Lowered<(Vec<TypeId>, bool)> {
        self.scopes.enter();
        let result = self.parameters_in_scope(f);
        // Tags and enumerators declared among parameters stay visible in the function's body only.
        self.scopes.leave();
        result
    }

    fn parameters_in_scope(&mut self, f: &ast::FunctionDeclarator) -> Lowered<(Vec<TypeId>, bool)> {
        let (mut types, mut says_more) = (Vec::new(), false);
        for p in &f.parameters {
            let span = self.span(p.span);
            let base = self.declaration_specifiers(&p.node.specifiers, span)?.base;
            let declared = match &p.node.declarator {
                Some(d) => self.declarator(base, d)?,
                None => Declared::unnamed(base),
            };
            if declared.ty == self.program.types.void() && declared.name.is_none() && f.parameters.len() == 1 {
                break;
            }
            let ty = self.adjust_parameter(declared.ty);
            says_more |= declared.spelling.says_more() || ty != declared.ty && declared.spelling.own != 0;
            types.push(ty);
        }
        Ok((types, says_more))
    }

    /// Arrays and functions become pointers (C11 6.7.6.3p7-8).
    pub(super) fn adjust_parameter(&mut self, ty: TypeId) -> TypeId {
        match *self.program.types.get(ty) {
            Type::Array(elem, _) | Type::Vla(elem, _) => self.program.types.pointer(elem),
            Type::Function(_) => self.program.types.pointer(ty),
            _ => ty,
        }
    }
}
