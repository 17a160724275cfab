//! `__builtin_constant_p`: what a compiler knows without looking at the program around. What it may find out by optimizing, which
//! gcc does or not by its options, is 0 or 1.

use super::context::Lowerer;
use super::error::Lowered;
use crate::base::Span;
use crate::ir::{Expr, ExprKind};
use lang_c::ast::{self, Expression};
use lang_c::span::Node;

impl Lowerer<'_> {
    /// The value of `__builtin_constant_p(e)`.
    pub(super) fn is_constant(&mut self, e: &Node<Expression>, span: Span) -> Lowered<Expr> {
        if is_literal(e) || self.is_number(e) {
            return Ok(self.int_const(1));
        }
        // Where a constant must stand, the compiler decides at once.
        if self.body.is_none() || changes_something(e) {
            return Ok(self.int_const(0));
        }
        self.either_truth("__builtin_constant_p", span)
    }

    /// Whether it is a constant number, with nothing in it but constants.
    fn is_number(&mut self, e: &Node<Expression>) -> bool {
        let value = self.constant_expr(e);
        !matches!(e.node, Expression::Comma(_))
            && value.is_ok_and(|v| matches!(v.kind, ExprKind::Int(_) | ExprKind::Float(_)))
    }
}

/// Whether evaluating it stores something.
fn changes_something(e: &Node<Expression>) -> bool {
    use ast::{BinaryOperator as B, UnaryOperator as U};
    match &e.node {
        Expression::UnaryOperator(u) => {
            matches!(u.node.operator.node, U::PreIncrement | U::PreDecrement | U::PostIncrement | U::PostDecrement)
                || changes_something(&u.node.operand)
        }
        Expression::BinaryOperator(b) => {
            matches!(b.node.operator.node, B::Assign | B::AssignPlus | B::AssignMinus)
                || changes_something(&b.node.lhs)
                || changes_something(&b.node.rhs)
        }
        _ => false,
    }
}

/// A string literal.
fn is_literal(e: &Node<Expression>) -> bool {
    matches!(e.node, Expression::StringLiteral(_))
}
