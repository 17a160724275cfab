//! Layout of structs, unions and bit-fields (System V ABI; `packed` and `aligned` as GNU C).

use super::attributes::Attributes;
use super::context::Lowerer;
use super::error::{LowerError, Lowered};
use super::scope::Tag;
use super::types::Qualified;
use crate::base::Span;
use crate::ir::types::{Field, Layout, Record};
use crate::ir::{BitRange, IntKind, RecordId, Type, TypeId, TypeTable};
use lang_c::ast;
use lang_c::span::Node;

/// A member before layout.
struct Member {
    name: Option<String>,
    ty: TypeId,
    is_const: bool,
    width: Option<u8>,
    /// From `_Alignas` or `aligned`.
    align: Option<u64>,
    /// Of its type, where a `typedef` says so.
    type_align: Option<u64>,
    packed: bool,
}

impl Lowerer<'_> {
    /// The type of a record that stands for a type without a tag: of this name, with members at these offsets, so large and aligned so.
    pub(super) fn record_of(&mut self, name: String, members: &[(&str, TypeId, u64)], size: u64, align: u64) -> TypeId {
        let types = &mut self.program.types;
        let first = members.first().map(|member| member.1);
        let is_it = |record: &Record| {
            let has = record.layout.as_ref().and_then(|layout| Some(layout.fields.first()?.ty));
            record.name == name && has == first
        };
        let known = types.records.iter_enumerated().find(|(_, record)| is_it(record)).map(|(id, _)| id);
        let id = known.unwrap_or_else(|| {
            let field = |&(name, ty, offset): &(&str, TypeId, u64)| Field {
                name: Some(name.to_owned()),
                ty,
                offset,
                bits: None,
                is_const: false,
            };
            let fields: Vec<Field> = members.iter().map(field).collect();
            let constant = types.constant_members(&fields, size, false);
            let layout = Layout { fields, size, align, is_open: false, constant };
            types.records.push(Record { name, is_union: false, is_accessed: true, layout: Some(layout) })
        });
        types.intern(Type::Record(id))
    }

    /// The type that a struct or union specifier names, declaring or defining it.
    pub(super) fn record_type(&mut self, s: &Node<ast::StructType>) -> Lowered<TypeId> {
        let span = self.span(s.span);
        let is_union = matches!(s.node.kind.node, ast::StructKind::Union);
        let tag = s.node.identifier.as_ref().map(|i| i.node.name.as_str());
        let id = match (tag, &s.node.declarations) {
            (Some(tag), None) => match self.scopes.lookup_tag(tag) {
                Some(Tag::Record(_, ty)) => return Ok(ty),
                _ => self.new_record(Some(tag), is_union, span),
            },
            (Some(tag), Some(_)) => match self.scopes.innermost().tags.get(tag) {
                Some(Tag::Record(id, _)) => *id,
                _ => self.new_record(Some(tag), is_union, span),
            },
            (None, _) => self.new_record(None, is_union, span),
        };
        let ty = self.program.types.intern(Type::Record(id));
        if let Some(declarations) = &s.node.declarations {
            if self.program.types.records[id].layout.is_some() {
                return LowerError::invalid(span, format!("`{}` is defined twice", self.program.types.describe(ty)));
            }
            let members = self.members(declarations)?;
            let attributes = self.attributes_of(s.span)?;
            let layout = lay_out(&self.program.types, members, is_union, &attributes);
            match layout {
                Some(layout) => self.program.types.records[id].layout = Some(layout),
                None => return LowerError::invalid(span, "a member has incomplete type"),
            }
        }
        Ok(ty)
    }

    /// `struct tag;`: a tag of its own in this scope, whatever an outer one has (C11 6.7.2.3p7).
    pub(super) fn declare_tag(&mut self, s: &Node<ast::StructType>) {
        let (Some(tag), None) = (&s.node.identifier, &s.node.declarations) else { return };
        let tag = tag.node.name.as_str();
        if !matches!(self.scopes.innermost().tags.get(tag), Some(Tag::Record(..))) {
            let is_union = matches!(s.node.kind.node, ast::StructKind::Union);
            let span = self.span(s.span);
            self.new_record(Some(tag), is_union, span);
        }
    }

    fn new_record(&mut self, tag: Option<&str>, is_union: bool, span: Span) -> RecordId {
        let name = match tag {
            Some(t) => t.to_owned(),
            None => {
                // Without the folder: units of one program may name a header by different paths.
                let place = self.program.sources.describe(span);
                format!("<anonymous at {}>", place.rsplit('/').next().unwrap_or(&place))
            }
        };
        let id = self.program.types.records.push(Record { name, is_union, is_accessed: false, layout: None });
        let ty = self.program.types.intern(Type::Record(id));
        if let Some(t) = tag {
            self.scopes.innermost().tags.insert(t.to_owned(), Tag::Record(id, ty));
        }
        id
    }

    fn members(&mut self, declarations: &[Node<ast::StructDeclaration>]) -> Lowered<Vec<Member>> {
        let mut members = Vec::new();
        for d in declarations {
            let ast::StructDeclaration::Field(field) = &d.node else { continue };
            let specifiers = self.specifier_qualifiers(&field.node.specifiers, self.span(field.span))?;
            let base = specifiers.base;
            if field.node.declarators.is_empty() {
                // An anonymous struct or union; anything else declares nothing.
                if matches!(self.program.types.get(base.ty), Type::Record(_)) {
                    let Qualified { ty, is_const, align: type_align, .. } = base;
                    let align = specifiers.align;
                    members.push(Member { name: None, ty, is_const, width: None, align, type_align, packed: false });
                }
                continue;
            }
            for sd in &field.node.declarators {
                let span = self.span(sd.span);
                let Qualified { mut ty, mut is_const, align: mut type_align, .. } = base;
                let (mut name, mut align, mut packed) = (None, specifiers.align, specifiers.packed);
                if let Some(declarator) = &sd.node.declarator {
                    let d = self.declarator(base, declarator)?;
                    name = d.name;
                    (ty, is_const, type_align) = (d.ty, d.is_const, d.align);
                    align = align.max(d.attributes.align);
                    packed |= d.attributes.packed;
                }
                if matches!(self.program.types.get(ty), Type::Function(_) | Type::Vla(..)) {
                    return LowerError::invalid(span, "a member has function or variable-length type");
                }
                let width = match &sd.node.bit_width {
                    Some(e) => Some(self.bit_width(e, ty)?),
                    None => None,
                };
                if width.is_some() && type_align.is_some() {
                    return LowerError::unsupported(span, "a bit-field of a type with an alignment of its own");
                }
                members.push(Member { name, ty, is_const, width, align, type_align, packed });
            }
        }
        Ok(members)
    }

    fn bit_width(&mut self, e: &Node<ast::Expression>, ty: TypeId) -> Lowered<u8> {
        let span = self.span(e.span);
        let width = self.constant_int(e)?;
        let Some(kind) = self.program.types.as_int(ty) else {
            return LowerError::invalid(span, "a bit-field needs an integer type");
        };
        let most = if kind == IntKind::Bool { 1 } else { self.program.types.int_bits(kind) };
        match u8::try_from(width) {
            Ok(w) if u32::from(w) <= most => Ok(w),
            _ => LowerError::invalid(span, format!("a bit-field of {width} bits does not fit its type")),
        }
    }
}

/// Offsets and extent; None when a member is incomplete (a last flexible array is not).
fn lay_out(types: &TypeTable, members: Vec<Member>, is_union: bool, attributes: &Attributes) -> Option<Layout> {
    // `#pragma pack` caps alignments and lets bit-fields straddle units.
    let limit = attributes.pack.unwrap_or(u64::MAX);
    let mut fields = Vec::new();
    // The next free bit, the record's size in bits, its alignment in bytes.
    let (mut at, mut end, mut record_align) = (0u64, 0u64, 1u64);
    let last = members.len().saturating_sub(1);
    for (i, m) in members.into_iter().enumerate() {
        let packed = attributes.packed || m.packed;
        let size = match (types.size_of(m.ty), types.get(m.ty)) {
            (Some(n), _) => n,
            (None, Type::Array(_, None)) if i == last || is_union => 0,
            _ => return None,
        };
        // To GNU C a pragma says of bit-fields what they align, whether or not they are packed.
        let natural = if packed && (m.width.is_none() || attributes.pack.is_none()) {
            1
        } else {
            m.type_align.unwrap_or(types.align_of(m.ty))
        };
        let member_align = natural.max(m.align.unwrap_or(1)).min(limit);
        let straddles = packed || attributes.pack.is_some();
        if is_union {
            at = 0;
        }
        let (offset, bits) = match m.width {
            None => {
                at = at.checked_next_multiple_of(8 * member_align)?;
                let offset = at / 8;
                at = at.checked_add(size.checked_mul(8)?)?;
                (offset, None)
            }
            Some(0) => {
                // Neither `packed` nor a pragma moves where units of the type begin.
                at = at.checked_next_multiple_of(8 * types.align_of(m.ty).max(m.align.unwrap_or(1)))?;
                end = end.max(at);
                continue;
            }
            Some(width) => {
                let w = u64::from(width);
                if let Some(a) = m.align {
                    at = at.checked_next_multiple_of(8 * a)?;
                }
                // A field may not span more units of its type's alignment than its type does.
                let unit = 8 * member_align;
                if !straddles && (at % unit + w).div_ceil(unit) > (8 * size).div_ceil(unit) {
                    at = at.checked_next_multiple_of(unit)?;
                }
                let start = at;
                at += w;
                let (offset, unit_bytes) = storage_unit(start, w, size, member_align, straddles);
                let range = BitRange { offset: (start - 8 * offset) as u8, width };
                (offset, Some((range, unit_bytes)))
            }
        };
        // Unnamed bit-fields do not raise the alignment.
        if m.name.is_some() || m.width.is_none() {
            record_align = record_align.max(member_align);
        }
        end = end.max(at);
        let ty = match &bits {
            Some((_, bytes)) if *bytes != size => unit_type(types, m.ty, *bytes)?,
            _ => m.ty,
        };
        if m.name.is_some() || bits.is_none() {
            fields.push(Field { name: m.name, ty, offset, bits: bits.map(|b| b.0), is_const: m.is_const });
        }
    }
    let align = record_align.max(attributes.align.unwrap_or(1));
    let size = end.div_ceil(8).checked_next_multiple_of(align)?;
    keep_units_inside(types, &mut fields, size);
    let is_open = fields.last().is_some_and(|f| types.is_open(f.ty));
    let constant = types.constant_members(&fields, size, is_union);
    Some(Layout { fields, size, align, is_open, constant })
}

/// Moves storage units that would end behind the record towards its start, or takes smaller ones. Where the field needs
/// 3 bytes of 3, say, its unit stays too long ([`BitRange::unit_bytes`]).
fn keep_units_inside(types: &TypeTable, fields: &mut [Field], size: u64) {
    for f in fields {
        let Some(bits) = f.bits else { continue };
        if f.offset + types.size_of(f.ty).unwrap_or(0) <= size {
            continue;
        }
        let start = 8 * f.offset + u64::from(bits.offset);
        let unit = [8, 4, 2, 1].into_iter().filter(|bytes| *bytes <= size).find_map(|bytes| {
            let offset = (start / 8).min(size - bytes);
            let inside = start - 8 * offset + u64::from(bits.width) <= 8 * bytes;
            inside.then(|| unit_type(types, f.ty, bytes).map(|ty| (offset, ty))).flatten()
        });
        if let Some((offset, ty)) = unit {
            f.offset = offset;
            f.ty = ty;
            f.bits = Some(BitRange { offset: (start - 8 * offset) as u8, ..bits });
        }
    }
}

/// Byte offset and bytes of the unit that holds `width` bits from bit `start` on: the declared type's unit, or in packed
/// records, where bits may straddle it, the smallest one.
fn storage_unit(start: u64, width: u64, size: u64, align: u64, packed: bool) -> (u64, u64) {
    let offset = start / (8 * align) * align;
    if !packed && start + width <= 8 * (offset + size) {
        return (offset, size);
    }
    let offset = start / 8;
    let bytes = (start + width - 8 * offset).div_ceil(8).next_power_of_two();
    (offset, bytes)
}

/// The integer type of `bytes` bytes with the signedness of `ty`.
fn unit_type(types: &TypeTable, ty: TypeId, bytes: u64) -> Option<TypeId> {
    use IntKind::*;
    let signed = types.as_int(ty)?.signed();
    let kind = match bytes {
        1 => SChar,
        2 => Short,
        4 => Int,
        8 => LongLong,
        16 => Int128,
        _ => return None,
    };
    Some(types.int(if signed { kind } else { kind.to_unsigned() }))
}
