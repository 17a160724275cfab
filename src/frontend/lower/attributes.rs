//! The attributes of the GNU compiler that change what a declaration means.

use super::context::Lowerer;
use super::error::{LowerError, Lowered};
use super::hooks::{Hooks, LAST};
use super::symbols::LinkName;
use crate::base::Span;
use crate::ir::{IntKind, TypeId};
use lang_c::ast;
use lang_c::span::Node;

/// The attributes that change meaning.
#[derive(Clone, Debug, Default)]
pub(super) struct Attributes {
    pub packed: bool,
    pub noreturn: bool,
    /// `extern inline` bodies that no call may use (GNU C89 rules).
    pub gnu_inline: bool,
    pub align: Option<u64>,
    /// The greatest alignment of members that `#pragma pack` allows.
    pub pack: Option<u64>,
    pub mode: Option<IntKind>,
    pub has_mode: bool,
    /// Bytes of a vector, and where that is said.
    pub vector: Option<(u64, Span)>,
    /// The type that an enumeration names as its own.
    pub underlying: Option<TypeId>,
    pub hooks: Hooks,
    pub link_name: Option<LinkName>,
}

impl Lowerer<'_> {
    /// The attributes that change meaning, out of all.
    pub(super) fn attributes(&mut self, extensions: &[Node<ast::Extension>]) -> Lowered<Attributes> {
        let mut out = Attributes::default();
        for e in extensions {
            match &e.node {
                ast::Extension::Attribute(a) => self.attribute(a, self.span(e.span), &mut out)?,
                ast::Extension::AsmLabel(label) => out.link_name = Some(LinkName::of_label(&label.node)),
                ast::Extension::AvailabilityAttribute(_) => {}
            }
        }
        Ok(out)
    }

    pub(super) fn attribute(&mut self, a: &ast::Attribute, span: Span, out: &mut Attributes) -> Lowered<()> {
        match a.name.node.trim_matches('_') {
            "packed" => out.packed = true,
            "noreturn" => out.noreturn = true,
            "gnu_inline" => out.gnu_inline = true,
            "aligned" => {
                let align = match a.arguments.first() {
                    Some(e) => self.constant_align(e)?,
                    None => 16,
                };
                out.align = out.align.max(Some(align));
            }
            "pragma_pack" => {
                if let Some(e) = a.arguments.first() {
                    out.pack = Some(self.constant_align(e)?);
                }
            }
            "mode" => {
                if let Some(ast::Expression::Identifier(i)) = a.arguments.first().map(|e| &e.node) {
                    out.has_mode = true;
                    out.mode = machine_mode(i.node.name.trim_matches('_'));
                    if out.mode.is_none() {
                        return LowerError::unsupported(span, "machine mode of no integer");
                    }
                }
            }
            "cellog_underlying" => {
                if let Some(ast::Expression::SizeOfTy(t)) = a.arguments.first().map(|e| &e.node) {
                    out.underlying = Some(self.type_name(&t.node.0)?.ty);
                }
            }
            "ms_struct" => return LowerError::unsupported(span, "layout of another compiler"),
            "address_space" => return LowerError::unsupported(span, "address space"),
            "vector_size" => {
                let Some(e) = a.arguments.first() else {
                    return LowerError::invalid(span, "`vector_size` needs a number of bytes");
                };
                let bytes = u64::try_from(self.constant_int(e)?).unwrap_or(0);
                out.vector = Some((bytes, span));
            }
            "ext_vector_type" => return LowerError::unsupported(span, "vector type"),
            "scalar_storage_order" => return LowerError::unsupported(span, "storage order of a record"),
            "constructor" => out.hooks.constructor = Some(self.priority(a)?),
            "destructor" => out.hooks.destructor = Some(self.priority(a)?),
            "cleanup" => match self.named_function(a) {
                Some(f) => out.hooks.cleanup = Some(f),
                None => return LowerError::invalid(span, "`cleanup` needs the name of a function"),
            },
            "alias" => out.link_name = LinkName::text(a).map(LinkName::Alias),
            "weakref" => out.link_name = LinkName::text(a).map(LinkName::Reference).or(out.link_name.take()),
            "ifunc" => out.link_name = Some(LinkName::Chosen),
            _ => {}
        }
        Ok(())
    }

    /// The priority of a constructor or destructor.
    fn priority(&mut self, a: &ast::Attribute) -> Lowered<u32> {
        match a.arguments.first() {
            Some(e) => Ok(u32::try_from(self.constant_int(e)?).unwrap_or(LAST)),
            None => Ok(LAST),
        }
    }

    pub(super) fn constant_align(&mut self, e: &Node<ast::Expression>) -> Lowered<u64> {
        let span = self.span(e.span);
        match u64::try_from(self.constant_int(e)?) {
            Ok(0) => Ok(1),
            Ok(n) if n.is_power_of_two() && n <= 1 << 28 => Ok(n),
            _ => LowerError::invalid(span, "an alignment is a power of two"),
        }
    }
}

/// The signed integer type of a GNU machine mode.
fn machine_mode(name: &str) -> Option<IntKind> {
    Some(match name {
        "QI" | "byte" => IntKind::SChar,
        "HI" => IntKind::Short,
        "SI" => IntKind::Int,
        "DI" => IntKind::LongLong,
        "TI" => IntKind::Int128,
        "word" | "pointer" => IntKind::Long,
        _ => return None,
    })
}
