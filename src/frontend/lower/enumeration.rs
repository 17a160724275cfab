//! Enumerated types (C11 6.7.2.2; C23 6.7.3.3 for `enum e : type`): an enumeration is its integer type.

use super::attributes::Attributes;
use super::context::Lowerer;
use super::error::{LowerError, Lowered};
use super::scope::{Symbol, Tag};
use crate::ir::types::Record;
use crate::ir::{IntKind, Type, TypeId};
use lang_c::ast::{self, ExternalDeclaration};
use lang_c::span::Node;

impl Lowerer<'_> {
    /// The type that an enum specifier names, declaring or defining it, and the enumeration's number.
    pub(super) fn enum_type(&mut self, e: &Node<ast::EnumType>) -> Lowered<(TypeId, u32)> {
        let span = self.span(e.span);
        let tag = e.node.identifier.as_ref().map(|i| i.node.name.as_str());
        let attributes = self.attributes_of(e.span)?;
        if e.node.enumerators.is_empty() {
            return match (tag, attributes.underlying) {
                (Some(tag), Some(ty)) => {
                    let number = self.enumeration_number(tag);
                    self.scopes.innermost().tags.insert(tag.to_owned(), Tag::Enum(ty, number));
                    Ok((ty, number))
                }
                (Some(tag), None) => self.named_enum(tag),
                (None, _) => LowerError::invalid(span, "an enumeration without a name and constants"),
            };
        }
        let ty = match attributes.underlying {
            Some(ty) => self.enumerators_of(e, ty)?,
            None => self.enumerators(e, &attributes)?,
        };
        if attributes.align.is_some_and(|align| align != self.program.types.align_of(ty)) || attributes.has_mode {
            return LowerError::unsupported(span, "an enumeration with an alignment or mode of its own");
        }
        let number = self.enumeration_number(tag.unwrap_or(""));
        if let Some(tag) = tag {
            self.scopes.innermost().tags.insert(tag.to_owned(), Tag::Enum(ty, number));
        }
        Ok((ty, number))
    }

    /// The number that the scope's enumeration of this tag has already, or a new one.
    fn enumeration_number(&mut self, tag: &str) -> u32 {
        if let Some(Tag::Enum(_, number)) = self.scopes.innermost().tags.get(tag) {
            return *number;
        }
        self.anonymous += 1;
        self.anonymous
    }

    /// `enum tag` without constants: what was declared, or is further on in the file (GNU C); else a type without a size.
    fn named_enum(&mut self, tag: &str) -> Lowered<(TypeId, u32)> {
        if let Some(Tag::Enum(ty, number)) = self.scopes.lookup_tag(tag) {
            return Ok((ty, number));
        }
        let unit = self.unit;
        let here = self.declaration;
        for declaration in &unit.declarations {
            let Some(later) = defined_enum(&declaration.node.node, tag) else { continue };
            self.declaration = Some(declaration);
            self.scopes.enter();
            let ty = self.enum_type(later);
            self.scopes.leave();
            self.declaration = here;
            let (ty, number) = ty?;
            self.scopes.stack[0].tags.insert(tag.to_owned(), Tag::Enum(ty, number));
            return Ok((ty, number));
        }
        let name = format!("(enum {tag})");
        let id = self.program.types.records.push(Record { name, is_union: false, is_accessed: false, layout: None });
        Ok((self.program.types.intern(Type::Record(id)), 0))
    }

    /// Declares the constants of an enumeration of type `ty`, which are of that type too.
    fn enumerators_of(&mut self, e: &Node<ast::EnumType>, ty: TypeId) -> Lowered<TypeId> {
        let Some(kind) = self.program.types.as_int(ty) else {
            return LowerError::invalid(self.span(e.span), "the type of an enumeration is no integer type");
        };
        let (low, high) = self.program.types.int_range(kind);
        let mut next = 0i128;
        for item in &e.node.enumerators {
            if let Some(expression) = &item.node.expression {
                next = self.constant_int(expression)?;
            }
            if next < low || next > high {
                let span = self.span(item.span);
                return LowerError::invalid(span, "the constant does not fit the type of its enumeration");
            }
            self.scopes.declare(&item.node.identifier.node.name, Symbol::Constant(next, ty));
            next = next.saturating_add(1);
        }
        Ok(ty)
    }

    /// Declares the constants of an enumeration that names no type, and chooses its type.
    fn enumerators(&mut self, e: &Node<ast::EnumType>, attributes: &Attributes) -> Lowered<TypeId> {
        let mut next = 0i128;
        let (mut low, mut high) = (0i128, 0i128);
        let mut values = Vec::new();
        for item in &e.node.enumerators {
            if let Some(expression) = &item.node.expression {
                next = self.constant_int(expression)?;
            }
            let name = item.node.identifier.node.name.clone();
            // Later enumerators may use it; its type is settled below when it does not fit `int`.
            self.scopes.declare(&name, Symbol::Constant(next, self.enumerator_type(next, next)));
            values.push((name, next));
            low = low.min(next);
            high = high.max(next);
            next = next.saturating_add(1);
        }
        let (int_low, int_high) = self.program.types.int_range(IntKind::Int);
        if low < int_low || high > int_high {
            let kind = self.enum_kind(low, high, false);
            let ty = self.program.types.int(kind);
            for (name, value) in values {
                self.scopes.declare(&name, Symbol::Constant(value, ty));
            }
        }
        Ok(self.program.types.int(self.enum_kind(low, high, attributes.packed)))
    }

    /// The integer type of an enumeration with constants from `low` to `high`; `packed`: the smallest.
    fn enum_kind(&self, low: i128, high: i128, packed: bool) -> IntKind {
        use IntKind::*;
        let types = &self.program.types;
        let holds = |k: &IntKind| types.int_range(*k).0 <= low && high <= types.int_range(*k).1;
        let kinds: &[IntKind] = match (packed, low < 0) {
            (true, true) => &[SChar, Short, Int, Long, LongLong],
            (true, false) => &[UChar, UShort, UInt, ULong, ULongLong],
            (false, true) => &[Int, Long, LongLong],
            (false, false) => &[UInt, ULong, ULongLong],
        };
        kinds.iter().copied().find(holds).unwrap_or(if low < 0 { LongLong } else { ULongLong })
    }

    /// `int` where both values fit, else the first wider type that holds them.
    fn enumerator_type(&self, low: i128, high: i128) -> TypeId {
        use IntKind::*;
        let types = &self.program.types;
        let fits = |k: &IntKind| types.int_range(*k).0 <= low && high <= types.int_range(*k).1;
        types.int([Int, UInt, Long, ULong, LongLong, ULongLong].into_iter().find(fits).unwrap_or(LongLong))
    }

    /// The attributes of the record or enumeration whose specifier is at `range`.
    pub(super) fn attributes_of(&mut self, range: lang_c::span::Span) -> Lowered<Attributes> {
        let mut out = Attributes::default();
        let (unit, span) = (self.unit, self.span(range));
        if let Some(declaration) = self.declaration {
            for a in unit.record_attributes(declaration, range) {
                self.attribute(a, span, &mut out)?;
            }
        }
        Ok(out)
    }
}

/// The specifier with constants of the enumeration that a declaration at file scope defines, if it has that tag.
fn defined_enum<'d>(d: &'d ExternalDeclaration, tag: &str) -> Option<&'d Node<ast::EnumType>> {
    let ExternalDeclaration::Declaration(d) = d else { return None };
    d.node.specifiers.iter().find_map(|s| match &s.node {
        ast::DeclarationSpecifier::TypeSpecifier(t) => match &t.node {
            ast::TypeSpecifier::Enum(e)
                if !e.node.enumerators.is_empty() && e.node.identifier.as_ref().is_some_and(|i| i.node.name == tag) =>
            {
                Some(e)
            }
            _ => None,
        },
        _ => None,
    })
}
