//! What evaluating an expression may change, so that what was read before it is kept only where it has to be.

use super::context::Lowerer;
use super::operators::compound;
use super::scope::Symbol;
use crate::ir::{ExprKind, Place, PlaceBase};
use lang_c::ast::{BinaryOperator as B, Expression, UnaryOperator as U};
use lang_c::span::Node;

/// The side effects of an expression (C11 5.1.2.3p2).
pub(super) enum Effects<'e> {
    /// These variables get new values, and nothing else does.
    Variables(Vec<&'e str>),
    /// Any memory may change: a call, a write through a pointer, a statement expression.
    Any,
}

impl<'e> Effects<'e> {
    /// Those of evaluating `e`.
    pub fn of(e: &'e Node<Expression>) -> Effects<'e> {
        match &e.node {
            Expression::Call(_)
            | Expression::Statement(_)
            | Expression::VaArg(_)
            | Expression::CompoundLiteral(_)
            | Expression::GenericSelection(_) => Effects::Any,
            Expression::BinaryOperator(b) => {
                let is_write = b.node.operator.node == B::Assign || compound(&b.node.operator.node).is_some();
                let left = if is_write { Effects::of_write(&b.node.lhs) } else { Effects::of(&b.node.lhs) };
                left.and(Effects::of(&b.node.rhs))
            }
            Expression::UnaryOperator(u) => match u.node.operator.node {
                U::PreIncrement | U::PreDecrement | U::PostIncrement | U::PostDecrement => {
                    Effects::of_write(&u.node.operand)
                }
                _ => Effects::of(&u.node.operand),
            },
            Expression::Member(m) => Effects::of(&m.node.expression),
            Expression::Cast(c) => Effects::of(&c.node.expression),
            Expression::Conditional(c) => {
                let sides = Effects::of(&c.node.then_expression).and(Effects::of(&c.node.else_expression));
                Effects::of(&c.node.condition).and(sides)
            }
            Expression::Comma(parts) => parts.iter().map(Effects::of).fold(Effects::none(), Effects::and),
            _ => Effects::none(),
        }
    }

    fn none() -> Effects<'e> {
        Effects::Variables(Vec::new())
    }

    fn of_write(to: &'e Node<Expression>) -> Effects<'e> {
        match &to.node {
            Expression::Identifier(name) => Effects::Variables(vec![&name.node.name]),
            _ => Effects::Any,
        }
    }

    fn and(self, other: Effects<'e>) -> Effects<'e> {
        match (self, other) {
            (Effects::Variables(a), Effects::Variables(b)) => Effects::Variables([a, b].concat()),
            _ => Effects::Any,
        }
    }

    /// Whether nothing changes.
    pub fn is_none(&self) -> bool {
        matches!(self, Effects::Variables(names) if names.is_empty())
    }
}

impl Lowerer<'_> {
    /// Whether a place may be another one after these effects: its address is read from memory, or from a variable that changes.
    pub(super) fn may_move(&self, place: &Place, effects: &Effects) -> bool {
        let (PlaceBase::Deref(pointer), false) = (&place.base, effects.is_none()) else { return false };
        let Effects::Variables(names) = effects else { return true };
        let changes = |variable| names.iter().any(|name| self.scopes.lookup(name) == Some(Symbol::Variable(variable)));
        let mut moves = false;
        pointer.walk(&mut |e| {
            if let ExprKind::Load(from) = &e.kind {
                moves |= match from.base {
                    PlaceBase::Var(variable) => changes(variable),
                    PlaceBase::Deref(_) => true,
                };
            }
        });
        moves
    }
}
