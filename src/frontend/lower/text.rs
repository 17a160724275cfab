//! Short C spellings of expressions for messages and site subjects.

use lang_c::ast::{self, BinaryOperator as B, Expression, UnaryOperator as U};
use lang_c::span::Node;

/// Spelling of `e`, shortened where deep.
pub(super) fn expression(e: &Node<Expression>) -> String {
    print(e, 4)
}

fn print(e: &Node<Expression>, depth: u32) -> String {
    if depth == 0 {
        return "...".to_owned();
    }
    let sub = |e: &Node<Expression>| print(e, depth - 1);
    match &e.node {
        Expression::Identifier(i) => i.node.name.clone(),
        Expression::Constant(c) => constant(&c.node),
        Expression::StringLiteral(_) => "\"...\"".to_owned(),
        Expression::Member(m) => {
            let op = if matches!(m.node.operator.node, ast::MemberOperator::Direct) { "." } else { "->" };
            format!("{}{op}{}", sub(&m.node.expression), m.node.identifier.node.name)
        }
        Expression::Call(c) => {
            format!("{}({})", sub(&c.node.callee), if c.node.arguments.is_empty() { "" } else { "..." })
        }
        Expression::UnaryOperator(u) => {
            let operand = sub(&u.node.operand);
            match u.node.operator.node {
                U::PostIncrement => format!("{operand}++"),
                U::PostDecrement => format!("{operand}--"),
                U::PreIncrement => format!("++{operand}"),
                U::PreDecrement => format!("--{operand}"),
                U::Address => format!("&{operand}"),
                U::Indirection => format!("*{operand}"),
                U::Plus => format!("+{operand}"),
                U::Minus => format!("-{operand}"),
                U::Complement => format!("~{operand}"),
                U::Negate => format!("!{operand}"),
            }
        }
        Expression::Cast(c) => sub(&c.node.expression),
        Expression::BinaryOperator(b) if matches!(b.node.operator.node, B::Index) => {
            format!("{}[{}]", sub(&b.node.lhs), sub(&b.node.rhs))
        }
        Expression::BinaryOperator(b) => {
            format!("{} {} {}", sub(&b.node.lhs), operator(&b.node.operator.node), sub(&b.node.rhs))
        }
        Expression::Conditional(c) => format!("{} ? ... : ...", sub(&c.node.condition)),
        _ => "...".to_owned(),
    }
}

fn constant(c: &ast::Constant) -> String {
    match c {
        ast::Constant::Integer(i) => match i.base {
            ast::IntegerBase::Decimal => i.number.to_string(),
            ast::IntegerBase::Octal => format!("0{}", i.number),
            ast::IntegerBase::Hexadecimal => format!("0x{}", i.number),
            ast::IntegerBase::Binary => format!("0b{}", i.number),
        },
        ast::Constant::Float(f) => f.number.to_string(),
        ast::Constant::Character(c) => c.clone(),
    }
}

/// The C token of a binary operator.
pub(super) fn operator(op: &B) -> &'static str {
    match op {
        B::Index => "[]",
        B::Multiply => "*",
        B::Divide => "/",
        B::Modulo => "%",
        B::Plus => "+",
        B::Minus => "-",
        B::ShiftLeft => "<<",
        B::ShiftRight => ">>",
        B::Less => "<",
        B::Greater => ">",
        B::LessOrEqual => "<=",
        B::GreaterOrEqual => ">=",
        B::Equals => "==",
        B::NotEquals => "!=",
        B::BitwiseAnd => "&",
        B::BitwiseXor => "^",
        B::BitwiseOr => "|",
        B::LogicalAnd => "&&",
        B::LogicalOr => "||",
        B::Assign => "=",
        B::AssignMultiply => "*=",
        B::AssignDivide => "/=",
        B::AssignModulo => "%=",
        B::AssignPlus => "+=",
        B::AssignMinus => "-=",
        B::AssignShiftLeft => "<<=",
        B::AssignShiftRight => ">>=",
        B::AssignBitwiseAnd => "&=",
        B::AssignBitwiseXor => "^=",
        B::AssignBitwiseOr => "|=",
    }
}
