//! Initializers: brace lists with designators and elision flattened to scalars at offsets (C11 6.7.9).

use super::access::LValue;
use super::context::Lowerer;
use super::error::{LowerError, Lowered};
use super::{fold, literal};
use crate::base::Span;
use crate::ir::{BitRange, ConstantBytes, Expr, ExprKind, IntKind, LibFn, Place, StmtKind, Type, TypeId, VarId};
use lang_c::ast::{self, Expression};
use lang_c::span::Node;

type Item = Node<ast::InitializerListItem>;

/// One initialized scalar, record or string.
pub(super) struct Part<'n> {
    pub offset: u64,
    /// The subobject's C type; for strings the array's.
    pub ty: TypeId,
    pub bits: Option<BitRange>,
    pub value: PartValue<'n>,
}

pub(super) enum PartValue<'n> {
    Expression(&'n Node<Expression>),
    String(literal::Encoding, Vec<u32>),
    /// Bytes that C leaves open; the part's type is an array of them.
    Open,
    /// What parts before this one said counts no more: another initializer of the same subobject follows.
    Zero,
    /// The parts that follow are of this member of a union.
    Member(u64),
}

/// The flattened parts of an initializer, and how many elements an array of unknown length gets.
pub(super) struct Flattened<'n> {
    pub parts: Vec<Part<'n>>,
    pub length: u64,
}

/// A member that an initializer is for.
#[derive(Clone, Copy)]
struct Subobject {
    ty: TypeId,
    /// Bytes from the object's start.
    at: u64,
    bits: Option<BitRange>,
    /// Whether it, or what it is part of, may have been initialized before.
    again: bool,
}

/// Where one is in a list.
#[derive(Clone, Copy)]
pub(super) struct Items<'n> {
    items: &'n [Item],
    next: usize,
    /// The item whose designators have led to where one is.
    entered: Option<usize>,
}

impl<'n> Items<'n> {
    /// At the start.
    pub(super) fn of(items: &'n [Item]) -> Items<'n> {
        Items { items, next: 0, entered: None }
    }
    fn peek(&self) -> Option<&'n Item> {
        self.items.get(self.next)
    }
    /// The next item's designators that are still to be followed.
    fn designation(&self) -> &'n [Node<ast::Designator>] {
        let item = self.peek().filter(|_| self.entered != Some(self.next));
        item.map_or(&[], |item| &item.node.designation)
    }
    /// The next item without those behind it.
    fn only_next(self) -> Items<'n> {
        Items { items: &self.items[..self.items.len().min(self.next + 1)], ..self }
    }
}

/// Whether a member may have been initialized by a list that has been at the first `length` members.
fn is_again(index: u64, length: u64, is_union: bool) -> bool {
    index < length || is_union && length > 0
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
                let mut items = Items::of(items);
                let length = self.list((ty, at), &mut items, true, out)?;
                if items.peek().is_some() {
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

    /// Items for the members of `ty` at `at`; `braced`: the list is this object's own. Returns the elements used.
    pub(super) fn list<'n>(
        &mut self,
        (ty, at): (TypeId, u64),
        items: &mut Items<'n>,
        braced: bool,
        out: &mut Vec<Part<'n>>,
    ) -> Lowered<u64> {
        if items.peek().is_some() {
            self.open_gaps(ty, at, out);
        }
        let object = Subobject { ty, at, bits: None, again: false };
        self.list_from(object, 0, items, braced, out)
    }

    /// The same from the member with this number on.
    fn list_from<'n>(
        &mut self,
        object: Subobject,
        mut index: u64,
        items: &mut Items<'n>,
        braced: bool,
        out: &mut Vec<Part<'n>>,
    ) -> Lowered<u64> {
        let Subobject { ty, at, .. } = object;
        let mut length = index;
        let is_union = self.is_union(ty);
        while let Some(item) = items.peek() {
            if out.len() > PART_LIMIT {
                return LowerError::unsupported(self.span(item.span), "initializer of millions of elements");
            }
            let designation = items.designation();
            if !designation.is_empty() {
                if !braced {
                    break;
                }
                index = self.designated_items((object, length), None, designation, items, out)?;
            } else {
                let Some((offset, member, bits)) = self.subobject(ty, index) else { break };
                let again = object.again || is_again(index, length, is_union);
                self.choose_member(ty, at, index, again, out);
                let to = Subobject { ty: member, at: at + offset, bits, again };
                self.member_item(to, items, out)?;
                self.open_rest(ty, at, index, out);
                index += 1;
            }
            length = length.max(index);
            if is_union && items.designation().is_empty() {
                break;
            }
        }
        Ok(length)
    }

    /// The next item, which has these designators, or the `name` of a member of anonymous records; and those behind it that the aggregates within `object` to which they
    /// lead still have room for (C11 6.7.9p17). Members before number `length` may have been initialized. Returns the number of the member behind the one they lead to.
    fn designated_items<'n>(
        &mut self,
        (object, length): (Subobject, u64),
        name: Option<&'n str>,
        designation: &'n [Node<ast::Designator>],
        items: &mut Items<'n>,
        out: &mut Vec<Part<'n>>,
    ) -> Lowered<u64> {
        let Subobject { ty, at, .. } = object;
        let item = items.peek().expect("a designated item is next");
        let span = self.span(item.span);
        let (low, high, path, rest) = match (name, designation.split_first()) {
            (Some(name), _) => {
                let Some(i) = self.position(ty, name) else { return self.no_member(ty, name, span) };
                (i, i, self.anonymous(ty, i).then_some(name), designation)
            }
            (None, Some((first, rest))) => {
                let (low, high) = self.designated(ty, first, span)?;
                let name = match &first.node {
                    ast::Designator::Member(i) => Some(i.node.name.as_str()),
                    _ => None,
                };
                (low, high, name.filter(|_| self.anonymous(ty, low)), rest)
            }
            (None, None) => return LowerError::invalid(span, "a designator is missing"),
        };
        let start = *items;
        let mut i = low;
        while i <= high {
            let before = out.len();
            let Some((offset, member, bits)) = self.subobject(ty, i) else {
                return LowerError::invalid(span, "a designator outside the object");
            };
            let again = object.again || is_again(i, length, self.is_union(ty));
            self.choose_member(ty, at, i, again, out);
            let to = Subobject { ty: member, at: at + offset, bits, again };
            // What stands behind the item goes on behind the last member of a range.
            *items = if i < high { start.only_next() } else { start };
            if path.is_none() && rest.is_empty() {
                items.entered = Some(items.next);
                self.member_item(to, items, out)?;
            } else {
                let next = self.designated_items((to, 0), path, rest, items, out)?;
                if !self.is_union(member) {
                    self.list_from(to, next, items, false, out)?;
                }
            }
            self.open_rest(ty, at, i, out);
            if out.len() > PART_LIMIT {
                return LowerError::unsupported(span, "initializer of millions of elements");
            }
            // Where one has no parts, those like it have none either: all members up to `length`, and all behind.
            let alike = if i < length { length.min(high) } else { high };
            i = if out.len() == before { alike.max(i + 1) } else { i + 1 };
        }
        Ok(high + 1)
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
                let first = position(self.constant_int(&r.node.from)?)?;
                let last = position(self.constant_int(&r.node.to)?)?;
                if last < first {
                    return LowerError::invalid(span, "a range of designators that ends before it begins");
                }
                Ok((first, last))
            }
            ast::Designator::Member(i) => {
                let name = &i.node.name;
                match self.position(ty, name) {
                    Some(i) => Ok((i, i)),
                    None => self.no_member(ty, name, span),
                }
            }
        }
    }

    /// The number of the member with this name, or of the anonymous one that has it.
    pub(super) fn position(&self, ty: TypeId, name: &str) -> Option<u64> {
        let fields = self.program.types.layout(ty).map(|l| l.fields.as_slice()).unwrap_or_default();
        let found = fields.iter().position(|f| match &f.name {
            Some(n) => n == name,
            None => self.find_field(f.ty, name).is_some(),
        });
        Some(found? as u64)
    }

    /// Whether the member with this number is an anonymous record.
    fn anonymous(&self, ty: TypeId, index: u64) -> bool {
        let layout = self.program.types.layout(ty);
        layout.and_then(|layout| layout.fields.get(index as usize)).is_some_and(|field| field.name.is_none())
    }

    fn no_member<T>(&self, ty: TypeId, name: &str, span: Span) -> Lowered<T> {
        LowerError::invalid(span, format!("`{}` has no member `{name}`", self.program.types.describe(ty)))
    }

    /// A member's own initializer, which replaces all that was said of the member before.
    fn initialize_member<'n>(
        &mut self,
        to: Subobject,
        init: &'n ast::Initializer,
        span: Span,
        out: &mut Vec<Part<'n>>,
    ) -> Lowered<()> {
        if to.again && !self.program.types.is_scalar(to.ty) {
            self.zero_part(to.ty, to.at, out);
        }
        let first = out.len();
        self.initialize(to.ty, to.at, init, span, out)?;
        if let Some(part) = out.get_mut(first) {
            part.bits = part.bits.or(to.bits);
        }
        Ok(())
    }

    /// Parts of a union's member follow. Those of another member, if there may be some, count no more.
    fn choose_member(&mut self, ty: TypeId, at: u64, index: u64, again: bool, out: &mut Vec<Part<'_>>) {
        if !self.is_union(ty) {
            return;
        }
        let chosen = |part: &Part<'_>| match part.value {
            PartValue::Member(i) if part.offset == at && part.ty == ty => Some(i),
            _ => None,
        };
        let before = again.then(|| out.iter().rev().find_map(chosen)).flatten();
        if before.is_some_and(|before| before != index) {
            self.zero_part(ty, at, out);
        }
        out.push(Part { offset: at, ty, bits: None, value: PartValue::Member(index) });
    }

    fn zero_part(&mut self, ty: TypeId, offset: u64, out: &mut Vec<Part<'_>>) {
        out.push(Part { offset, ty, bits: None, value: PartValue::Zero });
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
    fn member_item<'n>(&mut self, to: Subobject, items: &mut Items<'n>, out: &mut Vec<Part<'n>>) -> Lowered<()> {
        let Subobject { ty, at, .. } = to;
        let Some(item) = items.peek() else { return Ok(()) };
        let span = self.span(item.span);
        let whole = match &item.node.initializer.node {
            ast::Initializer::List(_) => true,
            ast::Initializer::Expression(_) if self.part_of_complex(ty).is_some() => true,
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
                        || matches!(e.node, Expression::CompoundLiteral(_)) && self.type_of(e).is_ok_and(|t| t == ty)
                }
                _ => true,
            },
        };
        if whole {
            items.next += 1;
            return self.initialize_member(to, &item.node.initializer.node, span, out);
        }
        let before = items.next;
        self.list((ty, at), items, false, out)?;
        if items.next == before && self.subobject(ty, 0).is_some() {
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
        let covered = self.covered(&parts);
        let string = matches!(parts.as_slice(), [Part { value: PartValue::String(..), .. }]);
        if (braced || string) && !self.program.types.is_scalar(ty) && covered != size {
            self.emit_zeros(var, 0, size, span)?;
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
                PartValue::Member(_) => {}
                PartValue::Zero => {
                    let size = self.program.types.size_of(part.ty).unwrap_or(0);
                    self.emit_zeros(var, place.offset, size, span)?;
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

    fn emit_zeros(&mut self, var: VarId, offset: i64, size: u64, span: Span) -> Lowered<()> {
        let ptr = Expr { kind: ExprKind::AddrOf(var, offset), ty: self.program.types.void_ptr() };
        let args = vec![ptr, self.int_const(0), self.size_const(size)];
        self.emit(StmtKind::Lib { function: LibFn::MemSet, dest: None, args }, span)
    }

    /// How many bytes the parts write, those once that several write.
    fn covered(&self, parts: &[Part<'_>]) -> u64 {
        let written = parts
            .iter()
            .filter(|p| p.bits.is_none() && matches!(p.value, PartValue::Expression(_) | PartValue::String(..)));
        let extent = |p: &Part<'_>| (p.offset, p.offset + self.program.types.size_of(p.ty).unwrap_or(0));
        let mut extents: Vec<(u64, u64)> = written.map(extent).collect();
        extents.sort_unstable();
        let count = |(bytes, seen): (u64, u64), (from, to): (u64, u64)| {
            (bytes + to.saturating_sub(from.max(seen)), to.max(seen))
        };
        extents.into_iter().fold((0, 0), count).0
    }

    fn store_part(&mut self, mut place: Place, ty: TypeId, value: Expr, span: Span) -> Lowered<()> {
        if place.bits.is_some() && self.program.types.as_int(ty) == Some(IntKind::Bool) {
            place.ty = self.program.types.int(IntKind::UChar);
        }
        // Initialization may write what is `const` afterwards.
        let value = fold::cast(&self.program.types, value, if place.bits.is_some() { place.ty } else { ty });
        self.emit(StmtKind::Assign { place, value }, span)
    }

    /// `(type){ ... }`: a new local each time it is evaluated, or a static object outside functions.
    pub(super) fn compound_literal(&mut self, c: &ast::CompoundLiteral, span: Span) -> Lowered<LValue> {
        let named = self.type_name(&c.type_name)?;
        let (ty, constant) = (named.ty, self.constant_bytes(named, span)?);
        let mut parts = Vec::new();
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
            length = self.list((ty, 0), &mut Items::of(&c.initializer_list), true, &mut parts)?;
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
            system: false,
            init,
            address_taken: false,
        }))
    }
}
