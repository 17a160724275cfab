//! GNU C's vector types: records of one array, whose operators work element by element.
//!
//! Of integers, `+`, `-` and `*` wrap: the compilers' manuals say nothing of overflow, their machines' instructions wrap, and sanitizers judge none.
//! Divisors and the counts of shifts are judged, element by element.
//!
//! See: "Using the GNU Compiler Collection", Sect. 6.54 (Using Vector Instructions through Built-in Functions). Not here: `++`, `--`, `!`, a vector as the
//! condition of `?:`.

use super::access::LValue;
use super::context::Lowerer;
use super::error::{LowerError, Lowered};
use super::fold;
use crate::base::Span;
use crate::ir::{BinaryOp, Check, CheckKind, Expr, ExprKind, IntKind, Place, StmtKind, Type, TypeId, UnaryOp};
use lang_c::ast::Expression;
use lang_c::span::Node;

/// How names of vectors' records begin, which no tag of a program does.
const NAME: &str = "vector of ";
/// The largest vector that is taken apart, in bytes.
const MOST_BYTES: u64 = 1024;

/// The type of a vector's elements, and how many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Elements {
    pub ty: TypeId,
    pub count: u64,
}

impl Lowerer<'_> {
    /// The type of vectors of so many bytes with elements of type `elem`.
    pub(super) fn vector_type(&mut self, elem: TypeId, bytes: u64, span: Span) -> Lowered<TypeId> {
        let types = &mut self.program.types;
        let size = match types.get(elem) {
            Type::Int(kind) if *kind != IntKind::Bool => types.size_of(elem),
            Type::Float(_) => types.size_of(elem),
            _ => None,
        };
        let Some(size) =
            size.filter(|size| bytes > 0 && bytes.is_multiple_of(*size) && (bytes / size).is_power_of_two())
        else {
            return LowerError::invalid(span, "no vector can have this size");
        };
        if bytes > MOST_BYTES {
            return LowerError::unsupported(span, "a vector of this size");
        }
        let count = bytes / size;
        let name = format!("{NAME}{count} {}", types.describe(elem));
        let array = types.array(elem, Some(count));
        Ok(self.record_of(name, &[("elements", array, 0)], bytes, bytes))
    }

    /// The elements of a vector's type; None of all other types.
    pub(super) fn elements_of_vector(&self, ty: TypeId) -> Option<Elements> {
        let types = &self.program.types;
        let Type::Record(id) = *types.get(ty) else { return None };
        let record = &types.records[id];
        let array = record.layout.as_ref().filter(|_| record.name.starts_with(NAME))?.fields[0].ty;
        match *types.get(array) {
            Type::Array(ty, Some(count)) => Some(Elements { ty, count }),
            _ => None,
        }
    }

    /// The array that is in the vector that `e` has as its value.
    pub(super) fn array_of_vector(&self, e: &Expr, subject: &str) -> Option<LValue> {
        let id = self.elements_of_vector(e.ty)?;
        let ExprKind::Load(place) = &e.kind else { return None };
        let ty = self.program.types.layout(e.ty)?.fields[0].ty;
        let place = Place { ty, ..(**place).clone() };
        Some(LValue { place, ty, subject: subject.to_owned(), rest: Vec::new(), elements: Some(id.count) })
    }

    /// `lhs op rhs` where one of them is a vector; None where none is.
    pub(super) fn vector_binary(
        &mut self,
        op: BinaryOp,
        (lhs, rhs): (&Expr, &Expr),
        subject: &str,
        span: Span,
    ) -> Lowered<Option<Expr>> {
        let (a, b) = (self.elements_of_vector(lhs.ty), self.elements_of_vector(rhs.ty));
        let (ty, elements) = match (a, b) {
            (Some(a), Some(b)) if a.count == b.count && self.size_of(a.ty, span)? == self.size_of(b.ty, span)? => {
                (lhs.ty, a)
            }
            (Some(a), None) => (lhs.ty, a),
            (None, Some(b)) => (rhs.ty, b),
            (None, None) => return Ok(None),
            _ => return LowerError::invalid(span, "an operator on vectors of different lengths"),
        };
        let lhs = self.elements_or_scalar(lhs, a, elements, span)?;
        let rhs = self.elements_or_scalar(rhs, b, elements, span)?;
        let given = if op.is_comparison() { self.truth_vector(ty, elements, span)? } else { ty };
        let of_given = self.elements_of_vector(given).expect("a vector's operators give vectors");
        let result = self.temp(given, span)?;
        for i in 0..elements.count {
            let (x, y) = (self.at(&lhs, i)?, self.at(&rhs, i)?);
            let value = self.element_operation(op, x, y, of_given.ty, subject, span)?;
            self.set_element(result, of_given, i, value, span)?;
        }
        Ok(Some(Expr::load(Place::var(result, given))))
    }

    /// `op e` where `e` is a vector; None where it is none. `+` is not asked for.
    pub(super) fn vector_unary(&mut self, op: UnaryOp, e: &Expr, span: Span) -> Lowered<Option<Expr>> {
        let Some(elements) = self.elements_of_vector(e.ty) else { return Ok(None) };
        let operand = self.elements_or_scalar(e, Some(elements), elements, span)?;
        let result = self.temp(e.ty, span)?;
        for i in 0..elements.count {
            let x = self.at(&operand, i)?;
            let types = &self.program.types;
            let value = match (types.get(elements.ty), op) {
                (Type::Int(kind), _) => {
                    let wide = types.int(wide_unsigned(*kind));
                    fold::cast(types, fold::unary(types, op, fold::cast(types, x, wide)), elements.ty)
                }
                (_, UnaryOp::Neg) => fold::unary(types, op, x),
                _ => return LowerError::invalid(span, "an operator of integers on a vector of floating numbers"),
            };
            self.set_element(result, elements, i, value, span)?;
        }
        Ok(Some(Expr::load(Place::var(result, e.ty))))
    }

    /// The elements that the constants behind two vectors name, those of the second counted on from the first's; -1 is any.
    pub(super) fn shuffled(&mut self, args: &[Node<Expression>], span: Span) -> Lowered<Expr> {
        let (first, second) = (self.rvalue(&args[0])?, self.rvalue(&args[1])?);
        let (Some(a), Some(b)) = (self.elements_of_vector(first.ty), self.elements_of_vector(second.ty)) else {
            return LowerError::invalid(span, "a shuffle of what is no vector");
        };
        if a.ty != b.ty {
            return LowerError::invalid(span, "a shuffle of vectors of different elements");
        }
        let size = self.size_of(a.ty, span)?;
        let given = self.vector_type(a.ty, size * (args.len() as u64 - 2), span)?;
        let of_given = self.elements_of_vector(given).expect("a shuffle gives a vector");
        let lhs = self.elements_or_scalar(&first, Some(a), a, span)?;
        let rhs = self.elements_or_scalar(&second, Some(b), b, span)?;
        let result = self.temp(given, span)?;
        for (i, index) in args[2..].iter().enumerate() {
            let value = match u64::try_from(self.constant_int(index)?) {
                Ok(n) if n < a.count => self.at(&lhs, n)?,
                Ok(n) if n < a.count + b.count => self.at(&rhs, n - a.count)?,
                Ok(_) => return LowerError::invalid(span, "a shuffle takes an element that is not there"),
                Err(_) => continue,
            };
            self.set_element(result, of_given, i as u64, value, span)?;
        }
        Ok(Expr::load(Place::var(result, given)))
    }

    /// What an operand's elements are read from: the array of a vector, or a number that stands for each of them.
    fn elements_or_scalar(
        &mut self,
        e: &Expr,
        own: Option<Elements>,
        other: Elements,
        span: Span,
    ) -> Lowered<(Expr, Option<Elements>)> {
        match own {
            // The array is read element by element, from an object that nothing changes meanwhile.
            Some(own) => Ok((self.hold(e.clone(), span)?, Some(own))),
            None => {
                let value = self.convert_silently(e.clone(), other.ty, span)?;
                Ok((self.hold(value, span)?, None))
            }
        }
    }

    fn at(&self, (e, elements): &(Expr, Option<Elements>), i: u64) -> Lowered<Expr> {
        let Some(elements) = elements else { return Ok(e.clone()) };
        let ExprKind::Load(place) = &e.kind else { unreachable!("values of vectors are loads") };
        let size = self.program.types.size_of(elements.ty).unwrap_or(1);
        Ok(Expr::load(self.shifted(place, i * size, elements.ty)))
    }

    fn set_element(
        &mut self,
        result: crate::ir::VarId,
        elements: Elements,
        i: u64,
        value: Expr,
        span: Span,
    ) -> Lowered<()> {
        let size = self.program.types.size_of(elements.ty).unwrap_or(1);
        let place = self.shifted(&Place::var(result, elements.ty), i * size, elements.ty);
        self.emit(StmtKind::Assign { place, value }, span)
    }

    /// The type of what comparisons of such vectors give: signed integers as wide as the elements, 0 or -1.
    fn truth_vector(&mut self, ty: TypeId, elements: Elements, span: Span) -> Lowered<TypeId> {
        let (size, bytes) = (self.size_of(elements.ty, span)?, self.size_of(ty, span)?);
        let kind = match (self.program.types.as_int(elements.ty), size) {
            (Some(kind), _) if kind.signed() && kind != IntKind::Char => kind,
            (_, 1) => IntKind::SChar,
            (_, 2) => IntKind::Short,
            (_, 4) => IntKind::Int,
            (_, 8) => IntKind::LongLong,
            _ => return LowerError::unsupported(span, "a comparison of vectors of such elements"),
        };
        let elem = self.program.types.int(kind);
        self.vector_type(elem, bytes, span)
    }

    /// `x op y` of two elements, as one of type `given`.
    fn element_operation(
        &mut self,
        op: BinaryOp,
        x: Expr,
        y: Expr,
        given: TypeId,
        subject: &str,
        span: Span,
    ) -> Lowered<Expr> {
        let Some(kind) = self.program.types.as_int(x.ty) else {
            if op.is_comparison() {
                let holds = fold::binary(&self.program.types, op, x, y, self.int_type());
                return Ok(self.minus_one_where(holds, given));
            }
            return self.arithmetic(op, x, y, subject, span);
        };
        match op {
            _ if op.is_comparison() => {
                let (x, y) = (self.promote(x), self.promote(y));
                let holds = fold::binary(&self.program.types, op, x, y, self.int_type());
                Ok(self.minus_one_where(holds, given))
            }
            BinaryOp::Div | BinaryOp::Rem => {
                let (x, y) = (self.promote(x), self.promote(y));
                let value = self.arithmetic(op, x, y, subject, span)?;
                self.convert_silently(value, given, span)
            }
            BinaryOp::Shl | BinaryOp::Shr => {
                let width = self.program.types.int_bits(kind);
                let count = self.promote(y);
                if count.as_int().is_none_or(|n| !(0..i128::from(width)).contains(&n)) {
                    let site = self.site(CheckKind::Shift, subject, span);
                    let check = Check::ShiftCount { site, count: count.clone(), width };
                    self.emit(StmtKind::Check(Box::new(check)), span)?;
                }
                let types = &self.program.types;
                let x = if op == BinaryOp::Shl {
                    fold::cast(types, x, types.int(wide_unsigned(kind)))
                } else {
                    self.promote(x)
                };
                let ty = x.ty;
                let value = fold::binary(types, op, x, count, ty);
                Ok(fold::cast(types, value, given))
            }
            _ => {
                let types = &self.program.types;
                let wide = types.int(wide_unsigned(kind));
                let value = fold::binary(types, op, fold::cast(types, x, wide), fold::cast(types, y, wide), wide);
                Ok(fold::cast(types, value, given))
            }
        }
    }

    /// -1 as a `ty` where the truth value holds, else 0.
    fn minus_one_where(&self, holds: Expr, ty: TypeId) -> Expr {
        let types = &self.program.types;
        let negated = fold::binary(types, BinaryOp::Sub, Expr::int(0, holds.ty), holds, self.int_type());
        fold::cast(types, negated, ty)
    }
}

/// An unsigned type that is not promoted and has all the type's bits: arithmetic in it wraps.
fn wide_unsigned(kind: IntKind) -> IntKind {
    if kind.rank() < IntKind::Int.rank() { IntKind::UInt } else { kind.to_unsigned() }
}
