//! Conversions (C11 6.3): promotions, the usual arithmetic conversions, assignment conversions and their check sites.

use super::context::Lowerer;
use super::error::{LowerError, Lowered};
use super::fold;
use crate::base::Span;
use crate::ir::{BinaryOp, Check, CheckKind, Expr, ExprKind, IntKind, Real, StmtKind, Type, TypeId};

impl Lowerer<'_> {
    /// Conversion of a scalar without a cast in the source.
    pub(crate) fn convert(&mut self, e: Expr, to: TypeId, span: Span) -> Lowered<Expr> {
        self.convert_with(e, to, true, span)
    }
    /// Conversion by a cast: the value may change without a site (floats out of range still err).
    pub(super) fn convert_explicitly(&mut self, e: Expr, to: TypeId, span: Span) -> Lowered<Expr> {
        self.convert_with(e, to, false, span)
    }
    /// Conversion that gets no site at all.
    pub(super) fn convert_silently(&mut self, e: Expr, to: TypeId, span: Span) -> Lowered<Expr> {
        self.check_convertible(&e, to, span)?;
        Ok(fold::cast(&self.program.types, e, to))
    }

    fn check_convertible(&self, e: &Expr, to: TypeId, span: Span) -> Lowered<()> {
        let types = &self.program.types;
        let (from, target) = (types.get(e.ty), types.get(to));
        let bad = !types.is_scalar(to)
            || !types.is_scalar(e.ty)
            || matches!((from, target), (Type::Float(_), Type::Pointer(_)) | (Type::Pointer(_), Type::Float(_)));
        if bad && e.ty != to {
            return LowerError::invalid(
                span,
                format!("cannot convert `{}` to `{}`", types.describe(e.ty), types.describe(to)),
            );
        }
        Ok(())
    }

    fn convert_with(&mut self, e: Expr, to: TypeId, implicit: bool, span: Span) -> Lowered<Expr> {
        if e.ty == to {
            return Ok(e);
        }
        if let Some(value) = self.convert_complex(&e, to, span)? {
            return Ok(value);
        }
        self.check_convertible(&e, to, span)?;
        let types = &self.program.types;
        let kind = match (types.get(e.ty), types.get(to)) {
            (_, Type::Int(IntKind::Bool)) => None,
            (Type::Float(_), Type::Int(_)) => Some(CheckKind::FloatConversion),
            // What a constant becomes is plain from the text.
            (Type::Int(from), Type::Int(into)) if implicit && self.options.conversion && e.as_int().is_none() => {
                let ((a, b), (c, d)) = (types.int_range(*from), types.int_range(*into));
                (a < c || b > d).then_some(CheckKind::Conversion)
            }
            _ => None,
        };
        if let Some(kind) = kind
            && self.body.is_some()
            && !self.fits_by_value(&e, to)
        {
            let subject = format!("conversion to {}", self.program.types.describe(to));
            let site = self.site(kind, subject, span);
            let check = Check::Fits { site, value: e.clone(), to, bits: None };
            self.emit(StmtKind::Check(Box::new(check)), span)?;
        }
        Ok(fold::cast(&self.program.types, e, to))
    }

    /// Whether a constant plainly fits.
    fn fits_by_value(&self, e: &Expr, to: TypeId) -> bool {
        let Some(kind) = self.program.types.as_int(to) else { return true };
        let (low, high) = self.program.types.int_range(kind);
        match e.kind {
            ExprKind::Int(v) => low <= v && v <= high,
            ExprKind::Float(v) => v.to_int().is_some_and(|v| low <= v && v <= high),
            _ => false,
        }
    }

    /// Integer promotion (C11 6.3.1.1p2). Bit-fields of fewer bits than `int` are promoted by the caller's width.
    pub(crate) fn promote(&self, e: Expr) -> Expr {
        match self.program.types.as_int(e.ty) {
            Some(k) if k.rank() < IntKind::Int.rank() || self.is_narrow_bit_field(&e) => {
                fold::cast(&self.program.types, e, self.int_type())
            }
            _ => e,
        }
    }
    fn is_narrow_bit_field(&self, e: &Expr) -> bool {
        let ExprKind::Load(place) = &e.kind else { return false };
        let Some(kind) = self.program.types.as_int(e.ty) else { return false };
        place.bits.is_some_and(|b| b.width < 32 || (b.width == 32 && kind.signed()))
    }

    /// The default argument promotions (C11 6.5.2.2p6).
    pub(crate) fn promote_argument(&self, e: Expr) -> Expr {
        match self.program.types.get(e.ty) {
            Type::Float(crate::ir::FloatKind::Float) => {
                fold::cast(&self.program.types, e, self.program.types.float(crate::ir::FloatKind::Double))
            }
            _ => self.promote(e),
        }
    }

    /// The usual arithmetic conversions (C11 6.3.1.8).
    pub(crate) fn usual(&mut self, a: Expr, b: Expr, span: Span) -> Lowered<(Expr, Expr)> {
        let ty = self.common_type(&a, &b, span)?;
        // Promotion first: a bit-field's value is an `int` before it meets the other operand.
        let (a, b) = if matches!(self.program.types.get(ty), Type::Int(_)) {
            (self.promote(a), self.promote(b))
        } else {
            (a, b)
        };
        Ok((self.convert(a, ty, span)?, self.convert(b, ty, span)?))
    }

    fn common_type(&self, a: &Expr, b: &Expr, span: Span) -> Lowered<TypeId> {
        let types = &self.program.types;
        match (types.get(a.ty), types.get(b.ty)) {
            (Type::Float(x), Type::Float(y)) => Ok(types.float(*x.max(y))),
            (Type::Float(x), Type::Int(_)) | (Type::Int(_), Type::Float(x)) => Ok(types.float(*x)),
            (Type::Int(_), Type::Int(_)) => {
                let promoted = |e: &Expr| {
                    let k = types.as_int(e.ty).expect("matched as an integer");
                    if k.rank() < IntKind::Int.rank() || self.is_narrow_bit_field(e) { IntKind::Int } else { k }
                };
                Ok(types.int(self.common_int(promoted(a), promoted(b))))
            }
            _ => LowerError::invalid(
                span,
                format!("operands of types `{}` and `{}`", types.describe(a.ty), types.describe(b.ty)),
            ),
        }
    }

    fn common_int(&self, a: IntKind, b: IntKind) -> IntKind {
        if a.signed() == b.signed() {
            return if a.rank() >= b.rank() { a } else { b };
        }
        let (signed, unsigned) = if a.signed() { (a, b) } else { (b, a) };
        let types = &self.program.types;
        if unsigned.rank() >= signed.rank() {
            unsigned
        } else if types.int_size(signed) > types.int_size(unsigned) {
            signed
        } else {
            signed.to_unsigned()
        }
    }

    /// A scalar as an `int` truth value 0 or 1.
    pub(super) fn truth(&mut self, e: Expr, span: Span) -> Lowered<Expr> {
        if let ExprKind::Binary(op, ..) = e.kind
            && op.is_comparison()
        {
            return Ok(e);
        }
        self.compare_zero(BinaryOp::Ne, e, span)
    }
    /// `e == 0` or `e != 0`.
    pub(super) fn compare_zero(&mut self, op: BinaryOp, e: Expr, span: Span) -> Lowered<Expr> {
        if let Some(value) = self.complex_is_zero(op, &e, span)? {
            return Ok(value);
        }
        let types = &self.program.types;
        let zero = match types.get(e.ty) {
            Type::Float(kind) => Expr { kind: ExprKind::Float(Real::zero(*kind)), ty: e.ty },
            Type::Int(_) | Type::Pointer(_) => Expr::int(0, e.ty),
            _ => return LowerError::invalid(span, format!("`{}` is no truth value", types.describe(e.ty))),
        };
        if let ExprKind::Binary(inner, ..) = e.kind
            && inner.is_comparison()
            && let ExprKind::Binary(inner, a, b) = e.kind.clone()
        {
            let float = matches!(types.get(a.ty), Type::Float(_));
            if op == BinaryOp::Ne {
                return Ok(e);
            }
            if let (false, Some(negated)) = (float, inner.negate()) {
                return Ok(Expr::binary(negated, *a, *b, e.ty));
            }
        }
        Ok(fold::binary(types, op, e, zero, self.int_type()))
    }

    /// Conversion as if by assignment: scalars convert, records stay.
    pub(crate) fn convert_assigned(&mut self, e: Expr, to: TypeId, span: Span) -> Lowered<Expr> {
        if let Some(value) = self.convert_complex(&e, to, span)? {
            return Ok(value);
        }
        let types = &self.program.types;
        if e.ty != to && matches!((types.get(e.ty), types.get(to)), (Type::Record(_), Type::Record(_))) {
            // Records of two units, or a transparent union's member.
            if types.describe(e.ty) == types.describe(to) || types.size_of(e.ty) == types.size_of(to) {
                return Ok(Expr { ty: to, kind: retype_load(e.kind, to) });
            }
        }
        if e.ty == to { Ok(e) } else { self.convert(e, to, span) }
    }
}

fn retype_load(kind: ExprKind, ty: TypeId) -> ExprKind {
    match kind {
        ExprKind::Load(mut place) => {
            place.ty = ty;
            ExprKind::Load(place)
        }
        other => other,
    }
}
