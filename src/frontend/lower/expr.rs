//! Expressions: lvalues and rvalues of the AST as places and pure IR expressions (C11 6.5).

use super::access::LValue;
use super::context::Lowerer;
use super::error::{LowerError, Lowered};
use super::scope::Symbol;
use super::subscript::Use;
use super::types::Qualified;
use super::{fold, literal};
use crate::base::Span;
use crate::ir::{ConstantBytes, Expr, ExprKind, FloatKind, Place, Storage, Type, TypeId, VarId, Variable};
use lang_c::ast::{self, Expression};
use lang_c::span::Node;

/// Arrays that every function has, with its name (C11 6.4.2.2, and GNU C's).
const NAMES_OF_FUNCTION: [&str; 3] = ["__func__", "__FUNCTION__", PRETTY];
const PRETTY: &str = "__PRETTY_FUNCTION__";

impl Lowerer<'_> {
    /// The value of an expression, with its side effects emitted before; arrays and functions decay.
    pub(super) fn rvalue(&mut self, e: &Node<Expression>) -> Lowered<Expr> {
        self.value(e, true)
    }

    /// The same; `wanted` is false when nobody uses the value.
    pub(super) fn value(&mut self, e: &Node<Expression>, wanted: bool) -> Lowered<Expr> {
        let span = self.span(e.span);
        match &e.node {
            Expression::Identifier(i) => self.identifier(&i.node.name, span),
            Expression::Constant(c) => self.constant(&c.node, span),
            Expression::StringLiteral(_) | Expression::Member(_) | Expression::CompoundLiteral(_) => {
                let l = self.lvalue(e)?;
                self.load(l, span)
            }
            Expression::GenericSelection(g) => {
                let chosen = self.generic(&g.node, span)?;
                self.value(chosen, wanted)
            }
            Expression::Call(c) => self.call(&c.node, wanted, span),
            Expression::SizeOfTy(t) => {
                let ty = self.type_name(&t.node.0)?.ty;
                self.size_expr(ty, span)
            }
            Expression::SizeOfVal(v) => {
                let ty = self.type_of(&v.node.0)?;
                self.size_expr(ty, span)
            }
            Expression::AlignOf(t) => {
                let named = self.type_of_alignment(&t.node.0, span)?;
                Ok(self.size_const(self.alignment(named)))
            }
            Expression::UnaryOperator(u) => self.unary(&u.node, wanted, span),
            Expression::Cast(c) => self.cast(&c.node, span),
            Expression::BinaryOperator(b) => self.binary(&b.node, wanted, span),
            Expression::Conditional(c) => self.conditional(&c.node, wanted, span),
            Expression::Comma(parts) => {
                let (last, rest) = parts.split_last().expect("a comma expression has operands");
                for part in rest {
                    self.value(part, false)?;
                }
                self.value(last, wanted)
            }
            Expression::OffsetOf(o) => self.offset_of(&o.node, span),
            Expression::VaArg(v) => self.va_arg(&v.node, span),
            Expression::Statement(s) => self.statement_expression(s, wanted),
        }
    }

    /// The value of an expression that is only stored elsewhere.
    pub(super) fn copied_value(&mut self, e: &Node<Expression>) -> Lowered<Expr> {
        let designates = match &e.node {
            Expression::Member(_) => true,
            Expression::UnaryOperator(u) => matches!(u.node.operator.node, ast::UnaryOperator::Indirection),
            Expression::BinaryOperator(b) => matches!(b.node.operator.node, ast::BinaryOperator::Index),
            _ => false,
        };
        if !designates {
            return self.rvalue(e);
        }
        let l = self.lvalue(e)?;
        let span = self.span(e.span);
        self.load_for(l, true, span)
    }

    fn identifier(&mut self, name: &str, span: Span) -> Lowered<Expr> {
        match self.scopes.lookup(name) {
            Some(Symbol::Variable(_)) => {
                let l = self.variable(name, span)?;
                self.load(l, span)
            }
            Some(Symbol::Vla(var, ty)) => {
                let Type::Vla(elem, _) = *self.program.types.get(ty) else {
                    unreachable!("a VLA symbol has a VLA type")
                };
                let pointer = self.program.types.pointer(elem);
                Ok(Expr::load(Place::var(var, pointer)))
            }
            Some(Symbol::Function(f)) => {
                let address = self.function_address(f);
                Ok(match self.absent.contains(name) {
                    true => self.perhaps_absent(name, address.ty, span),
                    false => address,
                })
            }
            Some(Symbol::Constant(v, ty)) => Ok(Expr::int(v, ty)),
            Some(Symbol::Typedef(_)) => LowerError::invalid(span, format!("`{name}` is a type")),
            Some(Symbol::Unknown) => LowerError::invalid(span, format!("the declaration of `{name}` was left out")),
            None => match name {
                name if NAMES_OF_FUNCTION.contains(&name) => {
                    let l = self.lvalue_of_name(name, span)?;
                    self.load(l, span)
                }
                _ => LowerError::invalid(span, format!("`{name}` is not declared")),
            },
        }
    }

    fn variable(&mut self, name: &str, span: Span) -> Lowered<LValue> {
        let Some(Symbol::Variable(v)) = self.scopes.lookup(name) else {
            return LowerError::invalid(span, format!("`{name}` is not a variable"));
        };
        let ty = self.type_of_variable(v);
        Ok(LValue { place: Place::var(v, ty), ty, subject: name.to_owned(), rest: Vec::new(), elements: None })
    }

    fn lvalue_of_name(&mut self, name: &str, span: Span) -> Lowered<LValue> {
        match self.scopes.lookup(name) {
            Some(Symbol::Variable(_)) => self.variable(name, span),
            Some(Symbol::Vla(var, ty)) => {
                let Type::Vla(elem, _) = *self.program.types.get(ty) else {
                    unreachable!("a VLA symbol has a VLA type")
                };
                let pointer = self.program.types.pointer(elem);
                Ok(self.deref(Expr::load(Place::var(var, pointer)), ty, name.to_owned()))
            }
            None if NAMES_OF_FUNCTION.contains(&name) => {
                let id = (!self.is_outside()).then(|| self.function());
                if let Some(v) = id.and_then(|id| self.names.get(&id)) {
                    return Ok(self.literal(*v));
                }
                let text = match id {
                    Some(id) => &*self.program.functions[id].name,
                    // As compilers have it outside of functions.
                    None if name == PRETTY => "top level",
                    None => "",
                };
                let units = text.bytes().map(u32::from).collect();
                let v = self.new_literal(literal::Encoding::Narrow, units, span);
                if let Some(id) = id {
                    self.names.insert(id, v);
                }
                Ok(self.literal(v))
            }
            _ => LowerError::invalid(span, format!("`{name}` is no object")),
        }
    }

    fn constant(&mut self, c: &ast::Constant, span: Span) -> Lowered<Expr> {
        let types = &self.program.types;
        match c {
            ast::Constant::Integer(i) => match literal::integer(types, i) {
                Some((v, kind)) if i.suffix.imaginary => {
                    let value = Expr::int(v, types.int(kind));
                    self.imaginary(value, span)
                }
                Some((v, kind)) => Ok(Expr::int(v, types.int(kind))),
                None => LowerError::invalid(span, "the constant fits no integer type"),
            },
            ast::Constant::Float(f) => match literal::float(f) {
                Some(v) if f.suffix.imaginary => {
                    let value = Expr { kind: ExprKind::Float(v), ty: types.float(v.kind()) };
                    self.imaginary(value, span)
                }
                Some(v) => Ok(Expr { kind: ExprKind::Float(v), ty: types.float(v.kind()) }),
                None => LowerError::invalid(span, "not a floating constant"),
            },
            ast::Constant::Character(text) => match literal::character(text) {
                Some((literal::Encoding::Narrow, v)) => Ok(Expr::int(v, self.int_type())),
                Some((encoding, v)) => Ok(Expr::int(v, types.int(encoding.element()))),
                None => LowerError::invalid(span, "not a character constant"),
            },
        }
    }

    /// What an expression designates.
    pub(super) fn lvalue(&mut self, e: &Node<Expression>) -> Lowered<LValue> {
        self.lvalue_used(e, Use::Value)
    }

    /// The same, where it is known what becomes of it.
    pub(super) fn lvalue_used(&mut self, e: &Node<Expression>, used: Use) -> Lowered<LValue> {
        let span = self.span(e.span);
        match &e.node {
            Expression::Identifier(i) => self.lvalue_of_name(&i.node.name, span),
            Expression::StringLiteral(s) => match literal::string(&s.node) {
                Some((encoding, units)) => Ok(self.string_variable(encoding, units, span)),
                None => LowerError::invalid(span, "not a string literal"),
            },
            Expression::Member(m) => self.member(&m.node, span),
            Expression::CompoundLiteral(c) => self.compound_literal(&c.node, span),
            Expression::GenericSelection(g) => {
                let chosen = self.generic(&g.node, span)?;
                self.lvalue(chosen)
            }
            Expression::UnaryOperator(u) if matches!(u.node.operator.node, ast::UnaryOperator::Indirection) => {
                let subject = self.text(e);
                let ptr = self.rvalue(&u.node.operand)?;
                match self.program.types.pointee(ptr.ty) {
                    Some(ty) => Ok(self.deref(ptr, ty, subject)),
                    None => LowerError::invalid(span, "`*` of what is no pointer"),
                }
            }
            Expression::BinaryOperator(b) if matches!(b.node.operator.node, ast::BinaryOperator::Index) => {
                let subject = self.text(e);
                self.element(&b.node, used, subject, span)
            }
            Expression::Call(c) if super::call::part_of(&c.node).is_some() => {
                let which = super::call::part_of(&c.node).expect("asked in the guard");
                self.part_lvalue(&c.node.arguments[0], which, span)
            }
            // Structs by value: a member of a call's, an assignment's or a choice's result.
            _ => {
                let subject = self.text(e);
                let value = self.rvalue(e)?;
                match value.kind {
                    ExprKind::Load(place) if !self.program.types.is_scalar(value.ty) => {
                        Ok(LValue { place: *place, ty: value.ty, subject, rest: Vec::new(), elements: None })
                    }
                    _ => LowerError::invalid(span, "not an lvalue"),
                }
            }
        }
    }

    fn member(&mut self, m: &ast::MemberExpression, span: Span) -> Lowered<LValue> {
        let name = &m.identifier.node.name;
        let base = match m.operator.node {
            ast::MemberOperator::Direct => self.lvalue(&m.expression)?,
            ast::MemberOperator::Indirect => {
                let ptr = self.rvalue(&m.expression)?;
                let Some(ty) = self.program.types.pointee(ptr.ty) else {
                    return LowerError::invalid(span, "`->` on what is no pointer");
                };
                let subject = self.text(&m.expression);
                self.deref(ptr, ty, subject)
            }
        };
        let operator = if matches!(m.operator.node, ast::MemberOperator::Direct) { "." } else { "->" };
        // What starts with a `*` binds less than the member's operator.
        let subject = match base.subject.starts_with('*') {
            true => format!("({}){operator}{name}", base.subject),
            false => format!("{}{operator}{name}", base.subject),
        };
        let mut l = self.field(base, name, span)?;
        l.subject = subject;
        Ok(l)
    }

    /// The member `name` of a record lvalue; looks into anonymous members.
    pub(super) fn field(&mut self, base: LValue, name: &str, span: Span) -> Lowered<LValue> {
        let Some((offset, field)) = self.find_field(base.ty, name) else {
            let ty = self.program.types.describe(base.ty);
            return LowerError::invalid(span, format!("`{ty}` has no member `{name}`"));
        };
        self.note_access(base.ty, name);
        let mut place = self.shifted(&base.place, offset, field.ty);
        place.bits = field.bits;
        if field.bits.is_some() && self.program.types.as_int(field.ty) == Some(crate::ir::IntKind::Bool) {
            place.ty = self.program.types.int(crate::ir::IntKind::UChar);
        }
        let from_base = |offset: u64| (offset as i64).wrapping_sub(place.offset.wrapping_sub(base.place.offset));
        let outer = base
            .rest
            .iter()
            .map(|(distance, len)| (distance.wrapping_sub(place.offset.wrapping_sub(base.place.offset)), *len));
        let inner = self.rest_of_unions(base.ty, name).into_iter().map(|(offset, len)| (from_base(offset), len));
        let rest = outer.chain(inner).collect();
        let elements = self.elements_of(base.ty, offset, field.ty);
        Ok(LValue { place, ty: field.ty, subject: base.subject, rest, elements })
    }

    /// What a store to the member leaves open of the unions that it is directly a member of (C11 6.2.6.1p7): offset from the
    /// record's start, and length.
    pub(super) fn rest_of_unions(&self, record: TypeId, name: &str) -> Vec<(u64, u64)> {
        let (mut found, mut ty, mut at) = (Vec::new(), record, 0);
        while let Some(layout) = self.program.types.layout(ty) {
            let here = |f: &&crate::ir::types::Field| match &f.name {
                Some(n) => n == name,
                None => f.bits.is_none() && self.find_field(f.ty, name).is_some(),
            };
            let Some(field) = layout.fields.iter().find(here) else { break };
            found.extend(self.rest_of_union(ty, field).map(|(offset, len)| (at + offset, len)));
            if field.name.is_some() {
                break;
            }
            (ty, at) = (field.ty, at + field.offset);
        }
        found
    }

    /// What a store to a member leaves open of the record, if that is a union: the bytes behind the member.
    pub(super) fn rest_of_union(&self, record: TypeId, field: &crate::ir::types::Field) -> Option<(u64, u64)> {
        let Type::Record(r) = *self.program.types.get(record) else { return None };
        let size = self.program.types.size_of(record)?;
        let end = match field.bits {
            Some(bits) => bits.end_bytes(),
            None => self.program.types.size_of(field.ty)?,
        };
        let end = field.offset + end;
        (self.program.types.records[r].is_union && end < size).then_some((end, size - end))
    }

    /// Byte offset from the record's start and the field called `name`.
    pub(super) fn find_field(&self, record: TypeId, name: &str) -> Option<(u64, crate::ir::types::Field)> {
        let layout = self.program.types.layout(record)?;
        for f in &layout.fields {
            match &f.name {
                Some(n) if n == name => return Some((f.offset, f.clone())),
                None if f.bits.is_none() => {
                    if let Some((inner, field)) = self.find_field(f.ty, name) {
                        return Some((f.offset + inner, field));
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// Notes that the text names the member `name` of `record`, and the anonymous members that it is in.
    fn note_access(&mut self, record: TypeId, name: &str) {
        let Type::Record(r) = *self.program.types.get(record) else { return };
        self.program.types.records[r].is_accessed = true;
        let fields = self.program.types.layout(record).map_or(&[][..], |layout| &layout.fields);
        let member = self.position(record, name).and_then(|i| fields.get(usize::try_from(i).ok()?));
        if let Some(anonymous) = member.filter(|f| f.name.is_none()).map(|f| f.ty) {
            self.note_access(anonymous, name);
        }
    }

    /// The array of a string literal.
    pub(super) fn string_variable(&mut self, encoding: literal::Encoding, units: Vec<u32>, span: Span) -> LValue {
        let v = self.new_literal(encoding, units, span);
        self.literal(v)
    }

    fn literal(&self, v: VarId) -> LValue {
        let ty = self.program.variables[v].ty;
        let subject = "string literal".to_owned();
        LValue { place: Place::var(v, ty), ty, subject, rest: Vec::new(), elements: None }
    }

    /// A variable for a literal: each has its own, though C leaves open which share their bytes (C11 6.4.5p7).
    fn new_literal(&mut self, encoding: literal::Encoding, units: Vec<u32>, span: Span) -> VarId {
        let types = &mut self.program.types;
        let elem = types.int(encoding.element());
        let len = units.len() as u64 + 1;
        let ty = types.array(elem, Some(len));
        let bytes = string_bytes(encoding, &units, len);
        let size = bytes.len() as u64;
        self.program.variables.push(Variable {
            name: format!("\"{}\"", printable(&units)),
            ty,
            storage: Storage::Literal,
            span,
            size,
            constant: ConstantBytes::All,
            defined: true,
            system: false,
            init: vec![crate::ir::Initializer {
                offset: 0,
                ty,
                bits: None,
                value: crate::ir::StaticValue::Bytes(bytes),
            }],
            address_taken: true,
        })
    }

    fn cast(&mut self, c: &ast::CastExpression, span: Span) -> Lowered<Expr> {
        let ty = self.type_name(&c.type_name)?.ty;
        if ty == self.program.types.void() {
            self.value(&c.expression, false)?;
            return Ok(Expr { kind: ExprKind::Int(0), ty });
        }
        let e = self.rvalue(&c.expression)?;
        if let Some(value) = self.convert_complex(&e, ty, span)? {
            return Ok(value);
        }
        if let Type::Record(_) = self.program.types.get(ty) {
            if e.ty == ty {
                return Ok(e);
            }
            return self.cast_to_union(e, ty, span);
        }
        self.convert_explicitly(e, ty, span)
    }

    /// GNU: `(union u) member`.
    fn cast_to_union(&mut self, e: Expr, ty: TypeId, span: Span) -> Lowered<Expr> {
        let temp = self.temp(ty, span)?;
        let place = Place::var(temp, e.ty);
        self.emit(crate::ir::StmtKind::Assign { place, value: e }, span)?;
        Ok(Expr::load(Place::var(temp, ty)))
    }

    fn offset_of(&mut self, o: &ast::OffsetOfExpression, span: Span) -> Lowered<Expr> {
        let ty = self.type_name(&o.type_name)?.ty;
        // Offsets are those of the members of an object at address 0.
        let pointer = self.program.types.pointer(ty);
        let base = self.deref(Expr::int(0, pointer), ty, String::new());
        let mut l = self.field(base, &o.designator.node.base.node.name, span)?;
        for m in &o.designator.node.members {
            l = match &m.node {
                ast::OffsetMember::Member(i) => self.field(l, &i.node.name, span)?,
                ast::OffsetMember::Index(e) => {
                    let Type::Array(elem, _) = *self.program.types.get(l.ty) else {
                        return LowerError::invalid(span, "an index into what is no array");
                    };
                    let ptr = self.address(&l.place, elem);
                    let index = self.rvalue(e)?;
                    let ptr = self.pointer_plus(ptr, index, false, "", span)?;
                    self.deref(ptr, elem, String::new())
                }
                ast::OffsetMember::IndirectMember(_) => return LowerError::unsupported(span, "`->` in offsetof"),
            };
        }
        let ty = l.ty;
        let address = self.address(&l.place, ty);
        Ok(fold::cast(&self.program.types, address, self.size_type()))
    }

    /// The type of an expression, which is not evaluated; arrays do not decay.
    pub(super) fn type_of(&mut self, e: &Node<Expression>) -> Lowered<TypeId> {
        self.discarded(|s| match &e.node {
            Expression::Identifier(i) => match s.scopes.lookup(&i.node.name) {
                Some(Symbol::Function(f)) => Ok(s.type_of_function(f)),
                Some(Symbol::Vla(_, ty)) => Ok(ty),
                Some(Symbol::Variable(v)) => Ok(s.type_of_variable(v)),
                None if NAMES_OF_FUNCTION.contains(&i.node.name.as_str()) => Ok(s.lvalue(e)?.ty),
                _ => Ok(s.rvalue(e)?.ty),
            },
            Expression::StringLiteral(_) | Expression::Member(_) | Expression::CompoundLiteral(_) => {
                Ok(s.lvalue(e)?.ty)
            }
            Expression::UnaryOperator(u) if matches!(u.node.operator.node, ast::UnaryOperator::Indirection) => {
                Ok(s.lvalue(e)?.ty)
            }
            Expression::BinaryOperator(b) if matches!(b.node.operator.node, ast::BinaryOperator::Index) => {
                Ok(s.lvalue(e)?.ty)
            }
            Expression::UnaryOperator(u) if matches!(u.node.operator.node, ast::UnaryOperator::Address) => {
                let inner = s.type_of(&u.node.operand)?;
                Ok(s.program.types.pointer(inner))
            }
            Expression::Comma(parts) => s.type_of_last(parts),
            _ => Ok(s.rvalue(e)?.ty),
        })
    }

    fn type_of_last(&mut self, parts: &[Node<Expression>]) -> Lowered<TypeId> {
        let last = parts.last().expect("a comma expression has operands");
        Ok(self.rvalue(last)?.ty)
    }

    /// `sizeof` a type: a constant, or the value kept for a variable-length array.
    pub(super) fn size_expr(&mut self, ty: TypeId, span: Span) -> Lowered<Expr> {
        if let Some(var) = self.vla_sizes.get(&ty) {
            return Ok(Expr::load(Place::var(*var, self.size_type())));
        }
        let n = self.size_of(ty, span)?;
        Ok(self.size_const(n))
    }

    /// The type that a type name whose alignment is asked for means: one that has a size, or an array of such.
    pub(super) fn type_of_alignment(&mut self, name: &Node<ast::TypeName>, span: Span) -> Lowered<Qualified> {
        let named = self.type_name(name)?;
        let mut elem = named.ty;
        while let Type::Array(inner, _) | Type::Vla(inner, _) = *self.program.types.get(elem) {
            elem = inner;
        }
        self.size_of(elem, span)?;
        Ok(named)
    }

    /// A type's alignment as GNU C's `__alignof__` tells it: that of a variable. On i386 numbers of 8 bytes are
    /// aligned to 8 but for members.
    pub(super) fn preferred_alignment(&self, ty: TypeId) -> u64 {
        let types = &self.program.types;
        match *types.get(ty) {
            Type::Array(element, _) | Type::Vla(element, _) => self.preferred_alignment(element),
            Type::Int(kind) => types.int_size(kind),
            Type::Float(FloatKind::Double) => 8,
            _ => self.part_of_complex(ty).map_or_else(|| types.align_of(ty), |part| self.preferred_alignment(part)),
        }
    }

    /// GNU C's alignment of what an expression designates.
    pub(super) fn alignment_of(&mut self, e: &Node<Expression>, span: Span) -> Lowered<Expr> {
        if let Expression::Member(_) = &e.node {
            return LowerError::unsupported(span, "the alignment of a member");
        }
        let ty = self.type_of(e)?;
        let declared = match &e.node {
            Expression::Identifier(i) => match self.scopes.lookup(&i.node.name) {
                Some(Symbol::Variable(v)) => self.alignments.get(&v).copied(),
                _ => None,
            },
            _ if self.realigned.contains(&ty) => {
                return LowerError::unsupported(span, "the alignment of what may be of a type aligned by `typedef`");
            }
            _ => None,
        };
        Ok(self.size_const(declared.unwrap_or_else(|| self.preferred_alignment(ty))))
    }

    /// A constant expression's value.
    pub(super) fn constant_expr(&mut self, e: &Node<Expression>) -> Lowered<Expr> {
        self.without_body(|s| s.rvalue(e))
    }
    /// An integer constant expression's value.
    pub(super) fn constant_int(&mut self, e: &Node<Expression>) -> Lowered<i128> {
        let span = self.span(e.span);
        self.constant_expr(e)?.as_int().ok_or(LowerError::NotConstant { span })
    }

    /// A short C spelling of an expression, for messages.
    pub(super) fn text(&self, e: &Node<Expression>) -> String {
        super::text::expression(e)
    }

    /// An lvalue for a scratch object of type `ty`.
    pub(super) fn temp_lvalue(&mut self, ty: TypeId, span: Span) -> Lowered<LValue> {
        let v = self.temp(ty, span)?;
        Ok(LValue { place: Place::var(v, ty), ty, subject: String::new(), rest: Vec::new(), elements: None })
    }
}

/// The bytes of `len` elements: the units, then zeros.
pub(super) fn string_bytes(encoding: literal::Encoding, units: &[u32], len: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    for i in 0..len as usize {
        let unit = units.get(i).copied().unwrap_or(0);
        bytes.extend_from_slice(&unit.to_le_bytes()[..encoding.size() as usize]);
    }
    bytes
}

fn printable(units: &[u32]) -> String {
    let text: String = units.iter().take(40).map(|u| char::from_u32(*u).unwrap_or('?')).collect();
    text.escape_default().to_string()
}
