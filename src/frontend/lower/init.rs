//! Initializers: brace lists with designators and elision flattened to scalars at offsets (C11 6.7.9).

use super::access::LValue;
use super::context::Lowerer;
use super::error::{LowerError, Lowered};
use super::expr::string_bytes;
use super::{fold, literal};
use crate::base::Span;
use crate::ir::{
    BitRange, ConstantBytes, Expr, ExprKind, Initializer, IntKind, LibFn, Place, StaticValue, StmtKind, Type, TypeId,
    VarId,
};
use lang_c::ast::{self, Expression};
use lang_c::span::Node;

type Item = Node<ast::InitializerListItem>;

/// One initialized scalar, record or string.
pub(super) struct Part<'n> {
    offset: u64,
    /// The subobject's C type; for strings the array's.
    ty: TypeId,
    bits: Option<BitRange>,
    value: PartValue<'n>,
}

enum PartValue<'n> {
    Expression(&'n Node<Expression>),
    String(literal::Encoding, Vec<u32>),
    /// Bytes that C leaves open; the part's type is an array of them.
    Open,
}

/// The flattened parts of an initializer, and how many elements an array of unknown length gets.
pub(super) struct Flattened<'n> {
    pub parts: Vec<Part<'n>>,
    pub length: u64,
}

/// More parts than this are refused: `[0 ... 1000000000] = 1`.
const PART_LIMIT: usize = 4_000_000;

impl Lowerer<'_> {
    /// Flattens `init` of an object of type `ty`.
    pub(super) fn flatten<'n>(&mut self, ty: TypeId, init: &'n Node<ast::Initializer>) -> Lowered<Flattened<'n>> {
        let mut parts = Vec::new();
        let length = self.initialize(ty, 0, &init.node, self.span(init.span), &mut parts)?;
        Ok(Flattened { parts, length })
    }

    /// The type with the length that the initializer gives it, if it has none.
    pub(super) fn completed(&mut self, ty: TypeId, length: u64) -> TypeId {
        match *self.program.types.get(ty) {
            Type::Array(elem, None) => self.program.types.array(elem, Some(length)),
            _ => ty,
        }
    }

    fn initialize<'n>(
        &mut self,
        ty: TypeId,
        at: u64,
        init: &'n ast::Initializer,
        span: Span,
        out: &mut Vec<Part<'n>>,
    ) -> Lowered<u64> {
        match init {
            ast::Initializer::Expression(e) => {
                if let Some(length) = self.string_part(ty, at, e, out)? {
                    return Ok(length);
                }
                out.push(Part { offset: at, ty, bits: None, value: PartValue::Expression(e) });
                Ok(1)
            }
            ast::Initializer::List(items) => {
                if self.program.types.is_scalar(ty) {
                    return match items.first() {
                        Some(i) => self.initialize(ty, at, &i.node.initializer.node, span, out),
                        None => Ok(1),
                    };
                }
                if let [only] = items.as_slice()
                    && only.node.designation.is_empty()
                    && let ast::Initializer::Expression(e) = &only.node.initializer.node
                    && let Some(length) = self.string_part(ty, at, e, out)?
                {
                    return Ok(length);
                }
                let mut next = 0;
                let length = self.list(ty, at, items, &mut next, true, out)?;
                if next < items.len() {
                    self.warn(span, "more initializers than the object has members");
                }
                Ok(length)
            }
        }
    }

    /// A string literal for an array of characters; returns the elements it has with its terminator.
    fn string_part<'n>(
        &mut self,
        ty: TypeId,
        at: u64,
        e: &Node<Expression>,
        out: &mut Vec<Part<'n>>,
    ) -> Lowered<Option<u64>> {
        let Type::Array(elem, len) = *self.program.types.get(ty) else { return Ok(None) };
        let Expression::StringLiteral(s) = &e.node else { return Ok(None) };
        let Some(kind) = self.program.types.as_int(elem) else { return Ok(None) };
        let span = self.span(e.span);
        let Some((encoding, units)) = literal::string(&s.node) else {
            return LowerError::invalid(span, "not a string literal");
        };
        if self.program.types.int_size(kind) != encoding.size() {
            return LowerError::invalid(span, "the string's characters do not have the array's element type");
        }
        let length = units.len() as u64 + 1;
        let kept = len.unwrap_or(length).min(length);
        let ty = self.program.types.array(elem, Some(kept));
        out.push(Part { offset: at, ty, bits: None, value: PartValue::String(encoding, units) });
        Ok(Some(length))
    }

    /// Items from `next` on for the members of `ty` at `at`; `braced`: the list is this object's own. Returns the elements used.
    fn list<'n>(
        &mut self,
        ty: TypeId,
        at: u64,
        items: &'n [Item],
        next: &mut usize,
        braced: bool,
        out: &mut Vec<Part<'n>>,
    ) -> Lowered<u64> {
        let (mut index, mut length) = (0u64, 0u64);
        if !items.is_empty() {
            self.open_gaps(ty, at, out);
        }
        while let Some(item) = items.get(*next) {
            let span = self.span(item.span);
            if out.len() > PART_LIMIT {
                return LowerError::unsupported(span, "initializer of millions of elements");
            }
            if let Some((first, rest)) = item.node.designation.split_first() {
                if !braced {
                    break;
                }
                let (low, high) = self.designated(ty, first, span)?;
                for i in low..=high {
                    let Some((offset, member, bits)) = self.subobject(ty, i) else {
                        return LowerError::invalid(span, "a designator outside the object");
                    };
                    let path = self.anonymous_path(ty, i, first);
                    self.at_designator(member, at + offset, bits, path, rest, &item.node.initializer.node, span, out)?;
                    self.open_rest(ty, at, i, out);
                    if out.len() > PART_LIMIT {
                        return LowerError::unsupported(span, "initializer of millions of elements");
                    }
                }
                index = high + 1;
                *next += 1;
            } else {
                let Some((offset, member, bits)) = self.subobject(ty, index) else { break };
                self.member_item(member, at + offset, bits, items, next, out)?;
                self.open_rest(ty, at, index, out);
                index += 1;
            }
            length = length.max(index);
            if matches!(self.program.types.get(ty), Type::Record(r) if self.program.types.records[*r].is_union)
                && items.get(*next).is_none_or(|i| i.node.designation.is_empty())
            {
                break;
            }
        }
        Ok(length)
    }

    /// The member with this number: byte offset, type, bits.
    fn subobject(&self, ty: TypeId, index: u64) -> Option<(u64, TypeId, Option<BitRange>)> {
        match self.program.types.get(ty) {
            Type::Array(elem, len) => {
                let size = self.program.types.size_of(*elem)?;
                (len.is_none_or(|n| index < n)).then_some((index.checked_mul(size)?, *elem, None))
            }
            Type::Record(_) => {
                let f = self.program.types.layout(ty)?.fields.get(usize::try_from(index).ok()?)?;
                Some((f.offset, f.ty, f.bits))
            }
            _ => None,
        }
    }

    /// First and last member numbers that a designator names.
    fn designated(&mut self, ty: TypeId, d: &Node<ast::Designator>, span: Span) -> Lowered<(u64, u64)> {
        let position = |v: i128| {
            u64::try_from(v).map_err(|_| LowerError::Invalid { message: "a negative designator".into(), span })
        };
        match &d.node {
            ast::Designator::Index(e) => {
                let i = position(self.constant_int(e)?)?;
                Ok((i, i))
            }
            ast::Designator::Range(r) => {
                Ok((position(self.constant_int(&r.node.from)?)?, position(self.constant_int(&r.node.to)?)?))
            }
            ast::Designator::Member(i) => {
                let name = &i.node.name;
                let fields = self.program.types.layout(ty).map(|l| l.fields.as_slice()).unwrap_or_default();
                let found = fields.iter().position(|f| match &f.name {
                    Some(n) => n == name,
                    None => self.find_field(f.ty, name).is_some(),
                });
                match found {
                    Some(i) => Ok((i as u64, i as u64)),
                    None => {
                        let ty = self.program.types.describe(ty);
                        LowerError::invalid(span, format!("`{ty}` has no member `{name}`"))
                    }
                }
            }
        }
    }

    /// The name still to be looked up when a designated member lies in an anonymous record.
    fn anonymous_path<'n>(&self, ty: TypeId, index: u64, d: &'n Node<ast::Designator>) -> Option<&'n str> {
        let ast::Designator::Member(i) = &d.node else { return None };
        let field = self.program.types.layout(ty)?.fields.get(index as usize)?;
        field.name.is_none().then_some(&i.node.name)
    }

    #[allow(clippy::too_many_arguments, reason = "a designator's target is its type, offset, bits and remaining path")]
    fn at_designator<'n>(
        &mut self,
        ty: TypeId,
        at: u64,
        bits: Option<BitRange>,
        path: Option<&str>,
        rest: &'n [Node<ast::Designator>],
        init: &'n ast::Initializer,
        span: Span,
        out: &mut Vec<Part<'n>>,
    ) -> Lowered<()> {
        if let Some(name) = path {
            let Some((offset, field)) = self.find_field(ty, name) else { return Ok(()) };
            self.at_designator(field.ty, at + offset, field.bits, None, rest, init, span, out)?;
            for (offset, len) in self.rest_of_unions(ty, name) {
                self.open_part(at + offset, len, out);
            }
            return Ok(());
        }
        if let Some((first, rest)) = rest.split_first() {
            let (low, high) = self.designated(ty, first, span)?;
            for i in low..=high {
                let Some((offset, member, bits)) = self.subobject(ty, i) else {
                    return LowerError::invalid(span, "a designator outside the object");
                };
                let path = self.anonymous_path(ty, i, first);
                self.at_designator(member, at + offset, bits, path, rest, init, span, out)?;
                self.open_rest(ty, at, i, out);
            }
            return Ok(());
        }
        let first = out.len();
        self.initialize(ty, at, init, span, out)?;
        if let Some(part) = out.get_mut(first) {
            part.bits = part.bits.or(bits);
        }
        Ok(())
    }

    /// The padding between the members of a record that has an initializer of its own.
    fn open_gaps(&mut self, ty: TypeId, at: u64, out: &mut Vec<Part<'_>>) {
        let Some(layout) = self.program.types.layout(ty).filter(|_| !self.is_union(ty)) else { return };
        let (mut end, mut gaps) = (0, Vec::new());
        for field in &layout.fields {
            let size = self.program.types.size_of(field.ty).unwrap_or(0);
            let (first, last) = match field.bits {
                Some(_) if field.name.is_none() => continue,
                // Analyses know bit-fields by their units.
                _ => (field.offset, (field.offset + size).min(layout.size)),
            };
            gaps.push((end, first));
            end = end.max(last);
        }
        gaps.push((end, layout.size));
        for (from, to) in gaps.into_iter().filter(|(from, to)| from < to) {
            self.open_part(at + from, to - from, out);
        }
    }

    /// What the initializer of a union's member leaves open.
    fn open_rest(&mut self, ty: TypeId, at: u64, index: u64, out: &mut Vec<Part<'_>>) {
        let Some(layout) = self.program.types.layout(ty) else { return };
        let Some(field) = layout.fields.get(index as usize) else { return };
        if let Some((offset, len)) = self.rest_of_union(ty, field) {
            self.open_part(at + offset, len, out);
        }
    }

    fn open_part(&mut self, offset: u64, len: u64, out: &mut Vec<Part<'_>>) {
        let byte = self.program.types.int(IntKind::UChar);
        let ty = self.program.types.array(byte, Some(len));
        out.push(Part { offset, ty, bits: None, value: PartValue::Open });
    }

    fn is_union(&self, ty: TypeId) -> bool {
        matches!(self.program.types.get(ty), Type::Record(r) if self.program.types.records[*r].is_union)
    }

    /// The next item, or items, for a member.
    fn member_item<'n>(
        &mut self,
        ty: TypeId,
        at: u64,
        bits: Option<BitRange>,
        items: &'n [Item],
        next: &mut usize,
        out: &mut Vec<Part<'n>>,
    ) -> Lowered<()> {
        let item = &items[*next];
        let span = self.span(item.span);
        let whole = match &item.node.initializer.node {
            ast::Initializer::List(_) => true,
            ast::Initializer::Expression(e) => match self.program.types.get(ty) {
                Type::Record(_) => {
                    // A record's value initializes the whole member, anything else its first member.
                    let scalar = matches!(e.node, Expression::Constant(_) | Expression::StringLiteral(_));
                    // Another unit's declaration of the same record is as good.
                    let name = self.program.types.describe(ty);
                    !scalar && self.type_of(e).is_ok_and(|t| t == ty || self.program.types.describe(t) == name)
                }
                Type::Array(elem, _) => {
                    matches!(e.node, Expression::StringLiteral(_)) && self.program.types.as_int(*elem).is_some()
                }
                _ => true,
            },
        };
        if whole {
            *next += 1;
            let first = out.len();
            self.initialize(ty, at, &item.node.initializer.node, span, out)?;
            if let Some(part) = out.get_mut(first) {
                part.bits = part.bits.or(bits);
            }
            return Ok(());
        }
        let before = *next;
        self.list(ty, at, items, next, false, out)?;
        if *next == before && self.subobject(ty, 0).is_some() {
            return LowerError::invalid(span, "the initializer does not fit the member");
        }
        Ok(())
    }

    /// Emits the initialization of a local.
    pub(super) fn initialize_local(
        &mut self,
        var: VarId,
        parts: Vec<Part<'_>>,
        braced: bool,
        span: Span,
    ) -> Lowered<()> {
        let ty = self.program.variables[var].ty;
        let size = self.program.variables[var].size;
        let covered: u64 = parts
            .iter()
            .filter(|p| p.bits.is_none() && !matches!(p.value, PartValue::Open))
            .map(|p| self.program.types.size_of(p.ty).unwrap_or(0))
            .sum();
        let string = matches!(parts.as_slice(), [Part { value: PartValue::String(..), .. }]);
        if (braced || string) && !self.program.types.is_scalar(ty) && covered != size {
            let void_ptr = self.program.types.void_ptr();
            let ptr = Expr { kind: ExprKind::AddrOf(var, 0), ty: void_ptr };
            let args = vec![ptr, self.int_const(0), self.size_const(size)];
            self.emit(StmtKind::Lib { function: LibFn::MemSet, dest: None, args }, span)?;
        }
        for part in parts {
            let place = Place {
                base: crate::ir::PlaceBase::Var(var),
                offset: part.offset as i64,
                ty: part.ty,
                bits: part.bits,
            };
            match part.value {
                PartValue::Open => {
                    let ptr = self.address(&place, self.program.types.int(IntKind::UChar));
                    let len = self.size_of(part.ty, span)?;
                    self.leave_open(ptr, len, span)?;
                }
                PartValue::Expression(e) => {
                    let span = self.span(e.span);
                    let value = self.copied_value(e)?;
                    let value = self.convert_assigned(value, part.ty, span)?;
                    self.store_part(place, part.ty, value, span)?;
                }
                PartValue::String(encoding, units) => {
                    let source = self.string_variable(encoding, units, span);
                    let value = Expr::load(Place { ty: part.ty, ..source.place });
                    self.emit(StmtKind::Assign { place, value }, span)?;
                }
            }
        }
        Ok(())
    }

    fn store_part(&mut self, mut place: Place, ty: TypeId, value: Expr, span: Span) -> Lowered<()> {
        if place.bits.is_some() && self.program.types.as_int(ty) == Some(IntKind::Bool) {
            place.ty = self.program.types.int(IntKind::UChar);
        }
        // Initialization may write what is `const` afterwards.
        let value = fold::cast(&self.program.types, value, if place.bits.is_some() { place.ty } else { ty });
        self.emit(StmtKind::Assign { place, value }, span)
    }

    /// The static content that constant parts describe.
    pub(super) fn static_content(&mut self, parts: Vec<Part<'_>>) -> Lowered<Vec<Initializer>> {
        let mut out: Vec<Initializer> = Vec::new();
        for part in parts {
            match part.value {
                PartValue::Open => {
                    out.push(Initializer { offset: part.offset, ty: part.ty, bits: None, value: StaticValue::Open });
                }
                PartValue::String(encoding, units) => {
                    let Type::Array(_, Some(len)) = *self.program.types.get(part.ty) else {
                        unreachable!("string parts have array type")
                    };
                    let value = StaticValue::Bytes(string_bytes(encoding, &units, len));
                    out.push(Initializer { offset: part.offset, ty: part.ty, bits: None, value });
                }
                PartValue::Expression(e) => {
                    let span = self.span(e.span);
                    if matches!(self.program.types.get(part.ty), Type::Record(_) | Type::Array(..)) {
                        let content = self.constant_object(e, part.ty)?;
                        out.extend(content.into_iter().map(|i| Initializer { offset: part.offset + i.offset, ..i }));
                        continue;
                    }
                    let value = self.constant_expr(e)?;
                    let value = self.constant_converted(value, part.ty, span)?;
                    let value = self.static_value(value, span)?;
                    let mut ty = part.ty;
                    if part.bits.is_some() && self.program.types.as_int(ty) == Some(IntKind::Bool) {
                        ty = self.program.types.int(IntKind::UChar);
                    }
                    out.push(Initializer { offset: part.offset, ty, bits: part.bits, value });
                }
            }
        }
        Ok(self.without_overridden(out))
    }

    fn constant_converted(&mut self, value: Expr, ty: TypeId, span: Span) -> Lowered<Expr> {
        self.without_body(|s| s.convert_silently(value, ty, span))
    }

    /// A compound literal (or a constant object) as static content of type `ty`.
    fn constant_object(&mut self, e: &Node<Expression>, ty: TypeId) -> Lowered<Vec<Initializer>> {
        let span = self.span(e.span);
        match &e.node {
            Expression::CompoundLiteral(c) => {
                let mut parts = Vec::new();
                let mut next = 0;
                self.list(ty, 0, &c.node.initializer_list, &mut next, true, &mut parts)?;
                self.static_content(parts)
            }
            Expression::Identifier(_) => {
                let l = self.lvalue(e)?;
                match l.place.as_var() {
                    Some(v) if self.program.variables[v].is_constant() => Ok(self.program.variables[v].init.clone()),
                    _ => Err(LowerError::NotConstant { span }),
                }
            }
            _ => Err(LowerError::NotConstant { span }),
        }
    }

    fn static_value(&self, e: Expr, span: Span) -> Lowered<StaticValue> {
        match e.kind {
            ExprKind::Int(v) => Ok(StaticValue::Int(v)),
            ExprKind::Float(v) => Ok(StaticValue::Float(v)),
            ExprKind::AddrOf(v, n) => Ok(StaticValue::AddrOf(v, n)),
            ExprKind::FuncAddr(f) => Ok(StaticValue::FuncAddr(f)),
            ExprKind::LabelAddr(b) => Ok(StaticValue::LabelAddr(self.function_of_labels(), b)),
            // An address kept in an integer of pointer size.
            ExprKind::Cast(inner) if self.program.types.size_of(e.ty) == Some(self.program.types.pointer_size()) => {
                self.static_value(*inner, span)
            }
            _ => Err(LowerError::NotConstant { span }),
        }
    }

    fn function_of_labels(&self) -> crate::ir::FuncId {
        self.enclosing.as_ref().or(self.body.as_ref()).map_or(crate::ir::FuncId(0), |b| b.function)
    }

    /// Later parts replace earlier ones that they overlap (C11 6.7.9p19). Sorted by offset.
    fn without_overridden(&self, items: Vec<Initializer>) -> Vec<Initializer> {
        let types = &self.program.types;
        let bits = |i: &Initializer| -> (u64, u64) {
            let start = 8 * i.offset;
            match i.bits {
                Some(b) => (start + u64::from(b.offset), start + u64::from(b.offset) + u64::from(b.width)),
                None => (start, start + 8 * types.size_of(i.ty).unwrap_or(0)),
            }
        };
        let mut kept: std::collections::BTreeMap<u64, Initializer> = std::collections::BTreeMap::new();
        for item in items {
            let (start, end) = bits(&item);
            let overlapped: Vec<u64> = kept
                .range(..end)
                .rev()
                .take_while(|(_, k)| bits(k).1 > start || bits(k).0 >= start)
                .filter(|(_, k)| bits(k).1 > start)
                .map(|(key, _)| *key)
                .collect();
            for key in overlapped {
                kept.remove(&key);
            }
            kept.insert(start, item);
        }
        kept.into_values().collect()
    }

    /// `(type){ ... }`: a new local each time it is evaluated, or a static object outside functions.
    pub(super) fn compound_literal(&mut self, c: &ast::CompoundLiteral, span: Span) -> Lowered<LValue> {
        let named = self.type_name(&c.type_name)?;
        let (ty, constant) = (named.ty, self.constant_bytes(named, span)?);
        let mut parts = Vec::new();
        let mut next = 0;
        let mut length = 1;
        if self.program.types.is_scalar(ty) {
            if let Some(first) = c.initializer_list.first() {
                self.initialize(ty, 0, &first.node.initializer.node, span, &mut parts)?;
            }
        } else if let [only] = c.initializer_list.as_slice()
            && only.node.designation.is_empty()
            && let ast::Initializer::Expression(e) = &only.node.initializer.node
            && let Some(n) = self.string_part(ty, 0, e, &mut parts)?
        {
            length = n;
        } else {
            length = self.list(ty, 0, &c.initializer_list, &mut next, true, &mut parts)?;
        }
        let ty = self.completed(ty, length);
        self.anonymous += 1;
        let name = format!("<literal {}>", self.anonymous);
        let var = if self.body.is_some() {
            let var = self.local(name, ty, crate::ir::Storage::Local, span)?;
            self.emit(StmtKind::StorageLive(var), span)?;
            self.scopes.innermost().locals.push(var);
            self.program.variables[var].constant = constant;
            self.initialize_local(var, parts, true, span)?;
            var
        } else {
            let var = self.static_object(name, ty, parts, span)?;
            self.program.variables[var].constant = constant;
            var
        };
        Ok(LValue {
            place: Place::var(var, ty),
            ty,
            subject: "compound literal".to_owned(),
            rest: Vec::new(),
            elements: None,
        })
    }

    fn static_object(&mut self, name: String, ty: TypeId, parts: Vec<Part<'_>>, span: Span) -> Lowered<VarId> {
        let size = self.size_of(ty, span)?;
        let init = self.static_content(parts)?;
        let storage = match &self.enclosing {
            Some(b) => crate::ir::Storage::Static(b.function),
            None => crate::ir::Storage::Global(crate::ir::Linkage::Internal),
        };
        Ok(self.program.variables.push(crate::ir::Variable {
            name,
            ty,
            storage,
            span,
            size,
            constant: ConstantBytes::None,
            defined: true,
            init,
            address_taken: false,
        }))
    }
}
