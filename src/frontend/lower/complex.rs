//! Complex numbers (C11 6.2.5p13, Annex G; GNU's integer ones too): records of a real and an imaginary part.
//!
//! Products are those of the parts; where a floating one is no number, though infinities may be meant (G.5.1), and where
//! floating numbers are divided by complex ones, which libraries scale as they like, what comes out is not followed.

use super::access::LValue;
use super::context::Lowerer;
use super::error::{LowerError, Lowered};
use super::fold;
use crate::base::Span;
use crate::ir::{BinaryOp, Expr, ExprKind, Place, Real, StmtKind, Terminator, Type, TypeId, UnaryOp};
use lang_c::ast::Expression;
use lang_c::span::Node;

/// How names of the records begin, which no tag of a program does.
const NAME: &str = "complex ";

impl Lowerer<'_> {
    /// The type of complex numbers with parts of type `part`.
    pub(super) fn complex_type(&mut self, part: TypeId, span: Span) -> Lowered<TypeId> {
        let types = &mut self.program.types;
        if !matches!(types.get(part), Type::Int(_) | Type::Float(_)) {
            return LowerError::invalid(span, "complex numbers of what are no numbers");
        }
        let (size, align) = (types.size_of(part).unwrap_or(1), types.align_of(part));
        let name = format!("{NAME}{}", types.describe(part));
        Ok(self.record_of(name, &[("real", part, 0), ("imaginary", part, size)], 2 * size, align))
    }

    /// The type of a complex type's parts; None of all other types.
    pub(super) fn part_of_complex(&self, ty: TypeId) -> Option<TypeId> {
        let types = &self.program.types;
        let Type::Record(id) = *types.get(ty) else { return None };
        let record = &types.records[id];
        Some(record.layout.as_ref().filter(|_| record.name.starts_with(NAME))?.fields[0].ty)
    }

    /// The real (0) or imaginary (1) part of what an expression designates; of a real number itself, or none.
    pub(super) fn part_lvalue(&mut self, e: &Node<Expression>, which: u64, span: Span) -> Lowered<LValue> {
        let l = self.lvalue(e)?;
        match self.part_of_complex(l.ty) {
            Some(part) => {
                let size = self.size_of(part, span)?;
                let place = self.shifted(&l.place, which * size, part);
                Ok(LValue { place, ty: part, ..l })
            }
            None if which == 0 && self.is_of_numbers(l.ty) => Ok(l),
            None => LowerError::invalid(span, "the imaginary part of what is no complex number"),
        }
    }

    /// The same of its value.
    pub(super) fn part_value(&mut self, e: &Node<Expression>, which: u64, span: Span) -> Lowered<Expr> {
        let value = self.rvalue(e)?;
        match self.parts(&value) {
            Some(parts) => Ok(parts[which as usize].clone()),
            None if !self.is_of_numbers(value.ty) => LowerError::invalid(span, "the part of what is no number"),
            None if which == 0 => Ok(value),
            None => {
                let zero = self.int_const(0);
                self.convert_silently(zero, value.ty, span)
            }
        }
    }

    fn is_of_numbers(&self, ty: TypeId) -> bool {
        matches!(self.program.types.get(ty), Type::Int(_) | Type::Float(_))
    }

    /// The parts of a complex value.
    fn parts(&self, e: &Expr) -> Option<[Expr; 2]> {
        let part = self.part_of_complex(e.ty)?;
        let ExprKind::Load(place) = &e.kind else { return None };
        let size = self.program.types.size_of(part)?;
        Some([0, size].map(|offset| Expr::load(self.shifted(place, offset, part))))
    }

    /// A complex value of these parts.
    pub(super) fn complex_of(&mut self, parts: [Expr; 2], span: Span) -> Lowered<Expr> {
        let part = parts[0].ty;
        let ty = self.complex_type(part, span)?;
        let (result, size) = (self.temp(ty, span)?, self.size_of(part, span)?);
        for (i, value) in parts.into_iter().enumerate() {
            let place = self.shifted(&Place::var(result, part), i as u64 * size, part);
            self.emit(StmtKind::Assign { place, value }, span)?;
        }
        Ok(Expr::load(Place::var(result, ty)))
    }

    /// A number times the imaginary unit.
    pub(super) fn imaginary(&mut self, value: Expr, span: Span) -> Lowered<Expr> {
        let zero = self.zero_number(value.ty);
        self.complex_of([zero, value], span)
    }

    fn zero_number(&self, ty: TypeId) -> Expr {
        match self.program.types.get(ty) {
            Type::Float(kind) => Expr { kind: ExprKind::Float(Real::zero(*kind)), ty },
            _ => Expr::int(0, ty),
        }
    }

    /// The conversion of or to a complex number; None where neither type is one.
    pub(super) fn convert_complex(&mut self, e: &Expr, to: TypeId, span: Span) -> Lowered<Option<Expr>> {
        if e.ty == to {
            return Ok(None);
        }
        match (self.parts(e), self.part_of_complex(to)) {
            (Some([re, im]), Some(part)) => {
                let parts = [self.convert_silently(re, part, span)?, self.convert_silently(im, part, span)?];
                self.complex_of(parts, span).map(Some)
            }
            (None, Some(part)) => {
                let re = self.convert_silently(e.clone(), part, span)?;
                self.complex_of([re, self.zero_number(part)], span).map(Some)
            }
            (Some(_), None) if self.program.types.as_int(to) == Some(crate::ir::IntKind::Bool) => {
                let truth = self.compare_zero(BinaryOp::Ne, e.clone(), span)?;
                self.convert_silently(truth, to, span).map(Some)
            }
            (Some([re, _]), None) => self.convert_explicitly(re, to, span).map(Some),
            (None, None) => Ok(None),
        }
    }

    /// `lhs op rhs` where one of them is complex; None where none is.
    pub(super) fn complex_binary(
        &mut self,
        op: BinaryOp,
        (lhs, rhs): (&Expr, &Expr),
        subject: &str,
        span: Span,
    ) -> Lowered<Option<Expr>> {
        if self.part_of_complex(lhs.ty).is_none() && self.part_of_complex(rhs.ty).is_none() {
            return Ok(None);
        }
        let of = |s: &Self, e: &Expr| match s.parts(e) {
            Some([re, im]) => (re, Some(im)),
            None => (e.clone(), None),
        };
        let ((a, b), (c, d)) = (of(self, lhs), of(self, rhs));
        let (a, c) = self.usual(a, c, span)?;
        let part = a.ty;
        let other = |s: &mut Self, e: Option<Expr>| match e {
            Some(e) => s.convert_silently(e, part, span).and_then(|e| s.hold(e, span)).map(Some),
            None => Ok(None),
        };
        let (b, d) = (other(self, b)?, other(self, d)?);
        let (a, c) = (self.hold(a, span)?, self.hold(c, span)?);
        let zero = self.zero_number(part);
        if matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            let (types, int) = (&self.program.types, self.int_type());
            let (b, d) = (b.unwrap_or(zero.clone()), d.unwrap_or(zero));
            let (real, imaginary) = (fold::binary(types, op, a, c, int), fold::binary(types, op, b, d, int));
            let both = if op == BinaryOp::Eq { BinaryOp::And } else { BinaryOp::Or };
            return Ok(Some(fold::binary(types, both, real, imaginary, int)));
        }
        let mut of_parts = |op: BinaryOp, x: &Expr, y: &Expr| {
            let value = self.arithmetic(op, x.clone(), y.clone(), subject, span)?;
            self.hold(value, span)
        };
        use BinaryOp::{Add, Div, Mul, Sub};
        let parts = match (op, b, d) {
            (Add | Sub, Some(b), Some(d)) => [of_parts(op, &a, &c)?, of_parts(op, &b, &d)?],
            (Add | Sub | Mul | Div, Some(b), None) => {
                let imaginary = if matches!(op, Mul | Div) { of_parts(op, &b, &c)? } else { b };
                [of_parts(op, &a, &c)?, imaginary]
            }
            (Add, None, Some(d)) => [of_parts(op, &a, &c)?, d],
            (Sub, None, Some(d)) => {
                let real = of_parts(op, &a, &c)?;
                [real, self.negated_part(d, subject, span)?]
            }
            (Mul, None, Some(d)) => [of_parts(op, &a, &c)?, of_parts(op, &a, &d)?],
            (Mul, Some(b), Some(d)) => {
                let (ac, bd) = (of_parts(Mul, &a, &c)?, of_parts(Mul, &b, &d)?);
                let (ad, bc) = (of_parts(Mul, &a, &d)?, of_parts(Mul, &b, &c)?);
                let parts = [of_parts(Sub, &ac, &bd)?, of_parts(Add, &ad, &bc)?];
                self.refuse_infinities(&parts, span)?;
                parts
            }
            (Div, _, Some(_)) => return LowerError::unsupported(span, "a division by a complex number"),
            _ => return LowerError::invalid(span, format!("`{}` of complex numbers", op.symbol())),
        };
        self.complex_of(parts, span).map(Some)
    }

    /// A product whose parts are both no numbers may be infinite; it is not followed.
    fn refuse_infinities(&mut self, parts: &[Expr; 2], span: Span) -> Lowered<()> {
        if !matches!(self.program.types.get(parts[0].ty), Type::Float(_)) {
            return Ok(());
        }
        let (types, int) = (&self.program.types, self.int_type());
        let [re, im] = parts.clone().map(|part| fold::binary(types, BinaryOp::Ne, part.clone(), part, int));
        let neither = fold::binary(types, BinaryOp::And, re, im, int);
        let body = self.body(span)?;
        let (odd, usual) = (body.new_block(), body.new_block());
        body.terminate(Terminator::Branch { cond: neither, then_to: odd, else_to: usual }, span);
        body.switch_to(odd);
        self.emit_unsupported("a product of infinite complex numbers", None, span)?;
        self.body(span)?.fall_into(usual, span);
        Ok(())
    }

    /// `-e`, or GNU's conjugate `~e`, where `e` is complex; None where it is not.
    pub(super) fn complex_unary(&mut self, op: UnaryOp, e: &Expr, span: Span) -> Lowered<Option<Expr>> {
        let Some([re, im]) = self.parts(e) else { return Ok(None) };
        let re = if op == UnaryOp::BitNot { re } else { self.negated_part(re, "-", span)? };
        let im = self.negated_part(im, "-", span)?;
        self.complex_of([re, im], span).map(Some)
    }

    fn negated_part(&mut self, part: Expr, subject: &str, span: Span) -> Lowered<Expr> {
        match self.program.types.get(part.ty) {
            Type::Float(_) => Ok(fold::unary(&self.program.types, UnaryOp::Neg, part)),
            _ => self.arithmetic(BinaryOp::Sub, Expr::int(0, part.ty), part, subject, span),
        }
    }

    /// Whether a complex number is (`==`) or is not (`!=`) zero; None where it is not complex.
    pub(super) fn complex_is_zero(&mut self, op: BinaryOp, e: &Expr, span: Span) -> Lowered<Option<Expr>> {
        let Some([re, im]) = self.parts(e) else { return Ok(None) };
        let (re, im) = (self.compare_zero(op, re, span)?, self.compare_zero(op, im, span)?);
        let both = if op == BinaryOp::Eq { BinaryOp::And } else { BinaryOp::Or };
        Ok(Some(fold::binary(&self.program.types, both, re, im, self.int_type())))
    }
}
