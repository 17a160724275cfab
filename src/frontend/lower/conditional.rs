//! Conditional evaluation as control flow: `&&`, `||`, `!`, `?:` and conditions of statements (C11 6.5.13-6.5.15).

use super::call::called_name;
use super::context::Lowerer;
use super::error::Lowered;
use super::fold;
use crate::base::Span;
use crate::ir::stmt::ASSERT;
use crate::ir::{BlockId, Check, CheckKind, Expr, ExprKind, Place, StmtKind, Terminator, Type};
use lang_c::ast::{self, BinaryOperator as B, Expression, UnaryOperator as U};
use lang_c::span::Node;

impl Lowerer<'_> {
    /// Goes to `then_to` when `e` is not 0, else to `else_to`; ends the current block.
    pub(super) fn branch(&mut self, e: &Node<Expression>, then_to: BlockId, else_to: BlockId) -> Lowered<()> {
        let span = self.span(e.span);
        match &e.node {
            Expression::BinaryOperator(b) if matches!(b.node.operator.node, B::LogicalAnd | B::LogicalOr) => {
                let middle = self.body(span)?.new_block();
                if matches!(b.node.operator.node, B::LogicalAnd) {
                    self.branch(&b.node.lhs, middle, else_to)?;
                } else {
                    self.branch(&b.node.lhs, then_to, middle)?;
                }
                self.body(span)?.switch_to(middle);
                self.branch(&b.node.rhs, then_to, else_to)
            }
            Expression::UnaryOperator(u) if matches!(u.node.operator.node, U::Negate) => {
                self.branch(&u.node.operand, else_to, then_to)
            }
            Expression::Call(c) if self.is_expect(&c.node) => self.branch(&c.node.arguments[0], then_to, else_to),
            Expression::Comma(parts) => {
                let (last, rest) = parts.split_last().expect("a comma expression has operands");
                for part in rest {
                    self.value(part, false)?;
                }
                self.branch(last, then_to, else_to)
            }
            _ => {
                let cond = self.rvalue(e)?;
                self.branch_on(cond, then_to, else_to, span)
            }
        }
    }

    /// The same for a value.
    pub(super) fn branch_on(&mut self, cond: Expr, then_to: BlockId, else_to: BlockId, span: Span) -> Lowered<()> {
        let cond = self.truth(cond, span)?;
        let terminator = match cond.kind {
            ExprKind::Int(0) => Terminator::Goto(else_to),
            ExprKind::Int(_) => Terminator::Goto(then_to),
            _ => Terminator::Branch { cond, then_to, else_to },
        };
        self.terminate(terminator, span)
    }

    /// `__builtin_expect(e, v)` is `e` where only its truth counts, when `v` is an integer.
    fn is_expect(&self, c: &ast::CallExpression) -> bool {
        matches!(&c.callee.node, Expression::Identifier(i) if i.node.name == "__builtin_expect")
            && c.arguments.len() == 2
    }

    /// Whether evaluating `e` needs branches.
    pub(super) fn has_control_flow(&self, e: &Node<Expression>) -> bool {
        match &e.node {
            Expression::BinaryOperator(b) => matches!(b.node.operator.node, B::LogicalAnd | B::LogicalOr),
            Expression::UnaryOperator(u) if matches!(u.node.operator.node, U::Negate) => {
                self.has_control_flow(&u.node.operand)
            }
            _ => false,
        }
    }

    /// `a && b`, `a || b` as an `int`.
    pub(super) fn logical(&mut self, b: &ast::BinaryOperatorExpression, span: Span) -> Lowered<Expr> {
        let and = matches!(b.operator.node, B::LogicalAnd);
        if self.body.is_none() {
            let lhs = self.rvalue(&b.lhs)?;
            let lhs = self.truth(lhs, span)?;
            return match lhs.as_int() {
                Some(v) if (v != 0) != and => Ok(self.int_const(i32::from(!and))),
                Some(_) => {
                    let rhs = self.rvalue(&b.rhs)?;
                    self.truth(rhs, span)
                }
                None => Err(super::error::LowerError::NotConstant { span }),
            };
        }
        let ty = self.int_type();
        let place = Place::var(self.temp(ty, span)?, ty);
        let body = self.body(span)?;
        let (yes, no, middle, join) = (body.new_block(), body.new_block(), body.new_block(), body.new_block());
        if and {
            self.branch(&b.lhs, middle, no)?
        } else {
            self.branch(&b.lhs, yes, middle)?
        }
        self.body(span)?.switch_to(middle);
        self.branch(&b.rhs, yes, no)?;
        self.settle_boolean(&place, yes, no, join, span)?;
        Ok(Expr::load(place))
    }

    /// The truth of `e`, by branches, in a temporary.
    pub(super) fn boolean_by_branches(&mut self, e: &Node<Expression>, span: Span) -> Lowered<Expr> {
        if self.body.is_none() {
            let value = self.rvalue(e)?;
            return self.truth(value, span);
        }
        let ty = self.int_type();
        let place = Place::var(self.temp(ty, span)?, ty);
        let body = self.body(span)?;
        let (yes, no, join) = (body.new_block(), body.new_block(), body.new_block());
        self.branch(e, yes, no)?;
        self.settle_boolean(&place, yes, no, join, span)?;
        Ok(Expr::load(place))
    }

    fn settle_boolean(&mut self, place: &Place, yes: BlockId, no: BlockId, join: BlockId, span: Span) -> Lowered<()> {
        for (block, value) in [(yes, 1), (no, 0)] {
            let value = self.int_const(value);
            let body = self.body(span)?;
            body.switch_to(block);
            body.push(StmtKind::Assign { place: place.clone(), value }, span);
            body.terminate(Terminator::Goto(join), span);
        }
        self.body(span)?.switch_to(join);
        Ok(())
    }

    /// `c ? a : b`, GNU `c ?: b` too.
    pub(super) fn conditional(&mut self, c: &ast::ConditionalExpression, wanted: bool, span: Span) -> Lowered<Expr> {
        if is_assert_failure(&c.else_expression) {
            return self.assertion(&c.condition, span);
        }
        if called_name(&c.then_expression) == Some("__cellog_condition") {
            return self.condition_or(c, span);
        }
        if self.body.is_none() {
            return self.constant_choice(c, span);
        }
        if self.discarding > 0 {
            // Only the type counts: one visit of each operand keeps nested choices linear.
            let (a, b) = (self.rvalue(&c.then_expression)?, self.rvalue(&c.else_expression)?);
            let ty = self.choice_type(&a, &b, span)?;
            return if ty == self.program.types.void() {
                Ok(Expr { kind: ExprKind::Int(0), ty })
            } else {
                Ok(Expr::load(self.temp_lvalue(ty, span)?.place))
            };
        }
        // The result's type needs both operands' types before either is evaluated.
        let (a, b) = self.discarded(|s| Ok((s.rvalue(&c.then_expression)?, s.rvalue(&c.else_expression)?)))?;
        let ty = self.choice_type(&a, &b, span)?;
        let is_void = ty == self.program.types.void();
        let place = if is_void || !wanted { None } else { Some(Place::var(self.temp(ty, span)?, ty)) };
        let body = self.body(span)?;
        let (yes, no, join) = (body.new_block(), body.new_block(), body.new_block());
        self.branch(&c.condition, yes, no)?;
        for (block, operand) in [(yes, &c.then_expression), (no, &c.else_expression)] {
            self.body(span)?.switch_to(block);
            let value = self.value(operand, place.is_some())?;
            if let Some(place) = &place {
                let value = self.convert_chosen(value, ty, span)?;
                self.emit(StmtKind::Assign { place: place.clone(), value }, span)?;
            }
            self.terminate(Terminator::Goto(join), span)?;
        }
        self.body(span)?.switch_to(join);
        match place {
            Some(place) => Ok(Expr::load(place)),
            None if is_void => Ok(Expr { kind: ExprKind::Int(0), ty }),
            None if self.program.types.is_scalar(ty) => Ok(fold::cast(&self.program.types, self.int_const(0), ty)),
            None => {
                let l = self.temp_lvalue(ty, span)?;
                Ok(Expr::load(l.place))
            }
        }
    }

    /// GNU `c ?: b`: `c`, evaluated once, unless it is 0.
    fn condition_or(&mut self, c: &ast::ConditionalExpression, span: Span) -> Lowered<Expr> {
        let cond = self.rvalue(&c.condition)?;
        if self.body.is_none() {
            let truth = self.truth(cond.clone(), span)?;
            return match truth.as_int() {
                Some(0) => self.rvalue(&c.else_expression),
                Some(_) => Ok(cond),
                None => Err(super::error::LowerError::NotConstant { span }),
            };
        }
        let cond = self.hold(cond, span)?;
        let other = self.type_probe(&c.else_expression)?;
        let ty = self.choice_type(&cond, &other, span)?;
        let place = Place::var(self.temp(ty, span)?, ty);
        let body = self.body(span)?;
        let (yes, no, join) = (body.new_block(), body.new_block(), body.new_block());
        self.branch_on(cond.clone(), yes, no, span)?;
        self.body(span)?.switch_to(yes);
        let value = self.convert_chosen(cond, ty, span)?;
        self.emit(StmtKind::Assign { place: place.clone(), value }, span)?;
        self.terminate(Terminator::Goto(join), span)?;
        self.body(span)?.switch_to(no);
        let value = self.rvalue(&c.else_expression)?;
        let value = self.convert_chosen(value, ty, span)?;
        self.emit(StmtKind::Assign { place: place.clone(), value }, span)?;
        self.terminate(Terminator::Goto(join), span)?;
        self.body(span)?.switch_to(join);
        Ok(Expr::load(place))
    }

    fn convert_chosen(&mut self, value: Expr, ty: crate::ir::TypeId, span: Span) -> Lowered<Expr> {
        match (self.program.types.get(value.ty), self.program.types.get(ty)) {
            (Type::Pointer(_) | Type::Int(_), Type::Pointer(_)) => self.convert_silently(value, ty, span),
            _ => self.convert_assigned(value, ty, span),
        }
    }

    fn constant_choice(&mut self, c: &ast::ConditionalExpression, span: Span) -> Lowered<Expr> {
        let cond = self.rvalue(&c.condition)?;
        let cond = self.truth(cond, span)?;
        let Some(v) = cond.as_int() else { return Err(super::error::LowerError::NotConstant { span }) };
        let (a, b) = (self.type_probe(&c.then_expression), self.type_probe(&c.else_expression));
        let chosen = self.rvalue(if v != 0 { &c.then_expression } else { &c.else_expression })?;
        match (a, b) {
            (Ok(a), Ok(b)) => {
                let ty = self.choice_type(&a, &b, span)?;
                if ty == self.program.types.void() { Ok(chosen) } else { self.convert_chosen(chosen, ty, span) }
            }
            _ => Ok(chosen),
        }
    }

    fn type_probe(&mut self, e: &Node<Expression>) -> Lowered<Expr> {
        self.discarded(|s| s.rvalue(e))
    }

    /// `assert(e)`: judged where it stands, with `e` itself as the condition when it is one expression.
    pub(super) fn assertion(&mut self, e: &Node<Expression>, span: Span) -> Lowered<Expr> {
        let subject = self.text(e);
        let void = self.program.types.void();
        if self.has_control_flow(e) {
            // The check stands where the condition has turned out to be 0, which may be nowhere; here control comes to it.
            self.emit(StmtKind::LibraryCall { name: ASSERT.to_owned(), args: Vec::new() }, span)?;
            let body = self.body(span)?;
            let (yes, no) = (body.new_block(), body.new_block());
            self.branch(e, yes, no)?;
            self.body(span)?.switch_to(no);
            let cond = self.int_const(0);
            self.check_holds(CheckKind::Assertion, cond, &subject, span)?;
            self.terminate(Terminator::Unreachable, span)?;
            self.body(span)?.switch_to(yes);
        } else {
            let cond = self.rvalue(e)?;
            let cond = self.truth(cond, span)?;
            self.check_holds(CheckKind::Assertion, cond, &subject, span)?;
        }
        Ok(Expr { kind: ExprKind::Int(0), ty: void })
    }

    /// Emits the check that `cond` is not 0.
    pub(crate) fn check_holds(&mut self, kind: CheckKind, cond: Expr, subject: &str, span: Span) -> Lowered<()> {
        if cond.as_int().is_some_and(|v| v != 0) {
            return Ok(());
        }
        self.body(span)?;
        let site = self.site(kind, subject, span);
        self.emit(StmtKind::Check(Box::new(Check::Holds { site, cond })), span)
    }
}

/// Whether `e` is a call of the C library's assertion failure.
pub(super) fn is_assert_failure(e: &Node<Expression>) -> bool {
    let call = match &e.node {
        Expression::Call(c) => c,
        Expression::Cast(c) => return is_assert_failure(&c.node.expression),
        _ => return false,
    };
    matches!(&call.node.callee.node, Expression::Identifier(i)
        if matches!(i.node.name.as_str(), "__assert_fail" | "__assert" | "__assert_rtn"))
}
