//! Elements of arrays, `a[i]`: what they designate, and the check of the index where the array is part of a larger object.

use super::access::LValue;
use super::context::Lowerer;
use super::error::{LowerError, Lowered};
use super::fold;
use crate::base::Span;
use crate::ir::types::Field;
use crate::ir::{BinaryOp, CheckKind, Expr, ExprKind, IntKind, Type, TypeId};
use lang_c::ast::{self, Expression};
use lang_c::span::Node;

/// The elements of an array that may go on to the end of its object.
const ANY_NUMBER: u64 = u64::MAX;

/// What becomes of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// Its value is used or replaced; that of an array is its address.
    Value,
    /// Something in it is accessed.
    Part,
    /// Its address is taken: it may be the one behind the last.
    Address,
}

impl Lowerer<'_> {
    /// What `b`, an operand and an index, designates.
    pub(super) fn element(
        &mut self,
        b: &ast::BinaryOperatorExpression,
        used: Use,
        subject: String,
        span: Span,
    ) -> Lowered<LValue> {
        let (a, length) = self.array(&b.lhs, used)?;
        let (a, length) = match self.array_of_vector(&a, &subject) {
            Some(array) => {
                let count = array.elements.filter(|_| self.options.index_bounds);
                (self.load(array, span)?, count)
            }
            None => (a, length),
        };
        let i = self.rvalue(&b.rhs)?;
        let (ptr, index) = if self.program.types.is_pointer(a.ty) { (a, i) } else { (i, a) };
        let Some(ty) = self.program.types.pointee(ptr.ty) else {
            return LowerError::invalid(span, "an index into what is no array");
        };
        let is_array = matches!(self.program.types.get(ty), Type::Array(..) | Type::Vla(..));
        let index = match length {
            Some(length) => {
                let behind = used == Use::Address || (used == Use::Value && is_array);
                self.check_index(index, length - u64::from(!behind), &subject, span)?
            }
            None => index,
        };
        let ptr = self.pointer_plus(ptr, index, false, &subject, span)?;
        Ok(self.deref(ptr, ty, subject))
    }

    /// The first operand's value. Where it is an array in a record or in another array, or what a pointer to arrays points to: also how
    /// many elements it has.
    fn array(&mut self, e: &Node<Expression>, used: Use) -> Lowered<(Expr, Option<u64>)> {
        let span = self.span(e.span);
        let (l, elements) = match &e.node {
            Expression::Member(_) => {
                let l = self.lvalue(e)?;
                let elements = l.elements;
                (l, elements)
            }
            Expression::UnaryOperator(u) if matches!(u.node.operator.node, ast::UnaryOperator::Indirection) => {
                let l = self.lvalue(e)?;
                let elements = self.length(l.ty);
                (l, elements)
            }
            Expression::BinaryOperator(b) if matches!(b.node.operator.node, ast::BinaryOperator::Index) => {
                let subject = self.text(e);
                let used = if used == Use::Address { used } else { Use::Part };
                let l = self.element(&b.node, used, subject, span)?;
                let elements = self.length(l.ty);
                (l, elements)
            }
            _ => return Ok((self.rvalue(e)?, None)),
        };
        Ok((self.load(l, span)?, elements.filter(|_| self.options.index_bounds)))
    }

    /// How many elements an array has, two at least.
    fn length(&self, ty: TypeId) -> Option<u64> {
        match self.program.types.get(ty) {
            Type::Array(_, length) => length.filter(|n| *n > 1),
            _ => None,
        }
    }

    /// How many elements the member of type `ty` at `offset` of a record has, if it is an array. What comes last may go on to the end of a block,
    /// whatever its length: as many as there are numbers.
    pub(super) fn elements_of(&self, record: TypeId, offset: u64, ty: TypeId) -> Option<u64> {
        let types = &self.program.types;
        let length = self.length(ty)?;
        let end = offset + types.size_of(ty)?;
        let behind = |f: &Field| f.offset >= end || types.size_of(f.ty).is_some_and(|size| f.offset + size > end);
        let is_last = !types.layout(record)?.fields.iter().any(behind);
        Some(if is_last { ANY_NUMBER } else { length })
    }

    /// Emits the check that an index is at least 0 and, where that is an end, at most `most`; returns the index, evaluated once where that says more.
    fn check_index(&mut self, index: Expr, most: u64, subject: &str, span: Span) -> Lowered<Expr> {
        let (low, high) = self.range_of(&index);
        let has_end = most < ANY_NUMBER - 1;
        let is_inside = low >= 0 && (!has_end || high <= i128::from(most));
        if is_inside || self.body.is_none() || self.program.types.as_int(index.ty).is_none() {
            return Ok(index);
        }
        // What the check says of an index is kept where it is a variable.
        let index = if is_variable(&index) { index } else { self.hold(index, span)? };
        let types = &self.program.types;
        let [signed, unsigned] = [IntKind::LongLong, IntKind::ULongLong].map(|kind| types.int(kind));
        let number = fold::cast(types, self.promote(index.clone()), signed);
        let inside = if has_end {
            let most = Expr::int(i128::from(most), unsigned);
            fold::binary(types, BinaryOp::Le, fold::cast(types, number, unsigned), most, self.int_type())
        } else {
            fold::binary(types, BinaryOp::Ge, number, Expr::int(0, signed), self.int_type())
        };
        self.check_holds(CheckKind::IndexBound, inside, subject, span)?;
        Ok(index)
    }
}

/// Whether `e` is what a variable holds, converted perhaps.
fn is_variable(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Load(place) => place.as_var().is_some(),
        ExprKind::Cast(a) => is_variable(a),
        _ => false,
    }
}

#[cfg(test)]
#[path = "subscript_tests.rs"]
mod tests;
