//! Static content: what the constant parts of an initializer say of each byte.

use super::context::Lowerer;
use super::error::{LowerError, Lowered};
use super::expr::string_bytes;
use super::init::{Items, Part, PartValue};
use crate::base::Span;
use crate::ir::types::wrap_bits;
use crate::ir::{BinaryOp, Expr, ExprKind, Initializer, IntKind, StaticValue, Type, TypeId, TypeTable};
use lang_c::ast::Expression;
use lang_c::span::Node;
use std::collections::BTreeMap;

/// What a part says.
enum Said {
    Value(Initializer),
    /// Nothing of the bits from the first to the one before the second: what was said before counts no more.
    Nothing(u64, u64),
}

impl Lowerer<'_> {
    /// The static content that constant parts describe.
    pub(super) fn static_content(&mut self, parts: Vec<Part<'_>>) -> Lowered<Vec<Initializer>> {
        let mut out: Vec<Said> = Vec::new();
        for part in parts {
            let whole = |value| Initializer { offset: part.offset, ty: part.ty, bits: None, value };
            match part.value {
                PartValue::Open => out.push(Said::Value(whole(StaticValue::Open))),
                PartValue::Member(_) => {}
                PartValue::Zero => {
                    let size = self.program.types.size_of(part.ty).unwrap_or(0);
                    out.push(Said::Nothing(8 * part.offset, 8 * (part.offset + size)));
                }
                PartValue::String(encoding, units) => {
                    let Type::Array(_, Some(len)) = *self.program.types.get(part.ty) else {
                        unreachable!("string parts have array type")
                    };
                    let value = StaticValue::Bytes(string_bytes(encoding, &units, len));
                    out.push(Said::Value(whole(value)));
                }
                PartValue::Expression(e) => {
                    let span = self.span(e.span);
                    if matches!(self.program.types.get(part.ty), Type::Record(_) | Type::Array(..)) {
                        let content = self.constant_object(e, part.ty)?;
                        let moved = |i: Initializer| Initializer { offset: part.offset + i.offset, ..i };
                        out.extend(content.into_iter().map(|i| Said::Value(moved(i))));
                        continue;
                    }
                    let value = self.constant_expr(e)?;
                    let value = self.constant_converted(value, part.ty, span)?;
                    let value = self.static_value(value, span)?;
                    let mut ty = part.ty;
                    if part.bits.is_some() && self.program.types.as_int(ty) == Some(IntKind::Bool) {
                        ty = self.program.types.int(IntKind::UChar);
                    }
                    out.push(Said::Value(Initializer { offset: part.offset, ty, bits: part.bits, value }));
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
                self.list((ty, 0), &mut Items::of(&c.node.initializer_list), true, &mut parts)?;
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
            // Bytes behind an address, counted in such an integer.
            ExprKind::Binary(op, a, b)
                if self.program.types.size_of(e.ty) == Some(self.program.types.pointer_size()) =>
            {
                let (v, n, by) = match (op, self.static_value(*a, span)?, self.static_value(*b, span)?) {
                    (BinaryOp::Add, StaticValue::AddrOf(v, n), StaticValue::Int(by))
                    | (BinaryOp::Add, StaticValue::Int(by), StaticValue::AddrOf(v, n)) => (v, n, by),
                    (BinaryOp::Sub, StaticValue::AddrOf(v, n), StaticValue::Int(by)) => (v, n, -by),
                    _ => return Err(LowerError::NotConstant { span }),
                };
                let bits = 8 * self.program.types.pointer_size() as u32;
                Ok(StaticValue::AddrOf(v, wrap_bits(i128::from(n) + by, bits, true) as i64))
            }
            _ => Err(LowerError::NotConstant { span }),
        }
    }

    fn function_of_labels(&self) -> crate::ir::FuncId {
        self.enclosing.as_ref().or(self.body.as_ref()).map_or(crate::ir::FuncId(0), |b| b.function)
    }

    /// Later parts replace earlier ones that they overlap (C11 6.7.9p19); of a string, and of what is left open, the rest stays.
    /// Sorted by offset.
    fn without_overridden(&mut self, items: Vec<Said>) -> Vec<Initializer> {
        let byte = self.program.types.int(IntKind::UChar);
        let mut kept: BTreeMap<u64, Initializer> = BTreeMap::new();
        for item in items {
            let (start, end) = match &item {
                Said::Value(value) => extent(&self.program.types, value),
                Said::Nothing(start, end) => (*start, *end),
            };
            let overlapped: Vec<u64> = kept
                .range(..end)
                .rev()
                .map(|(key, k)| (*key, extent(&self.program.types, k)))
                .take_while(|(_, (first, last))| *last > start || *first >= start)
                .filter(|(_, (_, last))| *last > start)
                .map(|(key, _)| key)
                .collect();
            let old: Vec<Initializer> = overlapped.iter().filter_map(|key| kept.remove(key)).collect();
            for old in old {
                let (first, last) = extent(&self.program.types, &old);
                for (from, to) in [(first / 8, start / 8), (end.div_ceil(8), last / 8)] {
                    let value = match &old.value {
                        _ if from >= to => continue,
                        StaticValue::Bytes(bytes) => {
                            let at = |place: u64| (place - old.offset) as usize;
                            StaticValue::Bytes(bytes[at(from)..at(to)].to_vec())
                        }
                        StaticValue::Open => StaticValue::Open,
                        _ => continue,
                    };
                    let ty = self.program.types.array(byte, Some(to - from));
                    kept.insert(8 * from, Initializer { offset: from, ty, bits: None, value });
                }
            }
            if let Said::Value(value) = item {
                kept.insert(start, value);
            }
        }
        kept.into_values().collect()
    }
}

/// The first bit of a part and the one behind its last.
fn extent(types: &TypeTable, part: &Initializer) -> (u64, u64) {
    let start = 8 * part.offset;
    match part.bits {
        Some(b) => (start + u64::from(b.offset), start + u64::from(b.offset) + u64::from(b.width)),
        None => (start, start + 8 * types.size_of(part.ty).unwrap_or(0)),
    }
}
