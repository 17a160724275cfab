//! Arithmetic on pointers in bytes (C11 6.5.6p8).

use super::context::Lowerer;
use super::error::{LowerError, Lowered};
use super::fold;
use crate::base::Span;
use crate::ir::{BinaryOp, Check, CheckKind, Expr, ExprKind, StmtKind, UnaryOp};

impl Lowerer<'_> {
    /// Two pointers, or a pointer and a null constant, as operands of one type.
    pub(super) fn unify_pointers(&mut self, a: Expr, b: Expr, span: Span) -> Lowered<(Expr, Expr)> {
        let ty = if self.program.types.is_pointer(a.ty) { a.ty } else { b.ty };
        Ok((self.convert_silently(a, ty, span)?, self.convert_silently(b, ty, span)?))
    }

    /// `ptr` moved by `index` elements, backwards with `negate`. A number of bytes that `ptrdiff_t` does not hold is an error here,
    /// where it would be lost: no object is as large.
    pub(super) fn pointer_plus(
        &mut self,
        ptr: Expr,
        index: Expr,
        negate: bool,
        subject: &str,
        span: Span,
    ) -> Lowered<Expr> {
        let Some(elem) = self.program.types.pointee(ptr.ty) else {
            return LowerError::invalid(span, "pointer arithmetic on what is no pointer");
        };
        if self.program.types.as_int(index.ty).is_none() {
            return LowerError::invalid(span, "an index is no integer");
        }
        let diff = self.program.types.ptrdiff_type();
        let size = self.size_expr(elem, span)?;
        let index = fold::cast(&self.program.types, self.promote(index), diff);
        let size = fold::cast(&self.program.types, size, diff);
        if self.body.is_some() && self.may_leave(&index, &size) {
            let site = self.site(CheckKind::OutOfBounds, subject, span);
            let (lhs, rhs) = (index.clone(), size.clone());
            let check = Check::NoOverflow { site, op: BinaryOp::Mul, lhs, rhs, ty: diff };
            self.emit(StmtKind::Check(Box::new(check)), span)?;
        }
        let types = &self.program.types;
        let bytes =
            if size.as_int() == Some(1) { index } else { fold::binary(types, BinaryOp::Mul, index, size, diff) };
        let bytes = if negate { fold::unary(types, UnaryOp::Neg, bytes) } else { bytes };
        let ty = ptr.ty;
        Ok(fold::ptr_add(types, ptr, bytes, ty))
    }

    /// Can the product of two numbers of one type leave the type, for all that their own types tell?
    fn may_leave(&self, index: &Expr, size: &Expr) -> bool {
        let (low, high) = self.range_of(index);
        let Some((least, greatest)) = self.program.types.as_int(index.ty).map(|t| self.program.types.int_range(t))
        else {
            return false;
        };
        let inside = |product: Option<i128>| product.is_some_and(|p| least <= p && p <= greatest);
        let size = size.as_int().unwrap_or(greatest);
        size != 1 && !(inside(low.checked_mul(size)) && inside(high.checked_mul(size)))
    }

    /// Between which numbers the integer `e` lies, by its type and by those of what it is converted from.
    pub(super) fn range_of(&self, e: &Expr) -> (i128, i128) {
        let types = &self.program.types;
        let whole = |ty| types.as_int(ty).map_or((i128::MIN, i128::MAX), |t| types.int_range(t));
        let all = whole(e.ty);
        let own = match (&e.kind, e.as_int()) {
            (_, Some(value)) => (value, value),
            (ExprKind::Cast(from), _) if types.as_int(from.ty).is_some() => self.range_of(from),
            (ExprKind::Binary(BinaryOp::And, _, mask), _) => match mask.as_int() {
                Some(mask) if mask >= 0 => (0, mask),
                _ => all,
            },
            _ => all,
        };
        if all.0 <= own.0 && own.1 <= all.1 { own } else { all }
    }
}
