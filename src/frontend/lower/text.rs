//! Short C spellings of expressions for messages and site subjects.

use lang_c::ast::{self, BinaryOperator as B, Expression, UnaryOperator as U};
use lang_c::span::Node;

/// How tightly an expression's operator binds, from loosest to tightest. See: C11 6.5, in the order of its sections.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Any,
    Assignment,
    Conditional,
    LogicalOr,
    LogicalAnd,
    BitwiseOr,
    BitwiseXor,
    BitwiseAnd,
    Equality,
    Relational,
    Shift,
    Additive,
    Multiplicative,
    Unary,
    Postfix,
    Primary,
}

/// Nested operators that are spelled out.
const DEPTH: u32 = 4;

/// Spelling of `e`, shortened where deep.
pub(super) fn expression(e: &Node<Expression>) -> String {
    print(e, DEPTH, Level::Any)
}

/// Spelling of `*e`, `-e` and the like.
pub(super) fn prefixed(operator: &str, operand: &Node<Expression>) -> String {
    prefix(operator, &print(operand, DEPTH, Level::Unary))
}

/// Spelling of `lhs op rhs`, or of `lhs[rhs]`.
pub(super) fn binary(lhs: &Node<Expression>, op: &B, rhs: &Node<Expression>) -> String {
    print_binary(lhs, op, rhs, DEPTH)
}

/// Spelling of `e` where an operand of at least the level `wanted` must stand: in parentheses when it binds less.
fn print(e: &Node<Expression>, depth: u32, wanted: Level) -> String {
    if depth == 0 {
        return "...".to_owned();
    }
    let sub = |e: &Node<Expression>, wanted| print(e, depth - 1, wanted);
    let (level, text) = match &e.node {
        Expression::Identifier(i) => (Level::Primary, i.node.name.clone()),
        Expression::Constant(c) => (Level::Primary, constant(&c.node)),
        Expression::StringLiteral(_) => (Level::Primary, "\"...\"".to_owned()),
        Expression::Member(m) => {
            let op = if matches!(m.node.operator.node, ast::MemberOperator::Direct) { "." } else { "->" };
            let record = sub(&m.node.expression, Level::Postfix);
            (Level::Postfix, format!("{record}{op}{}", m.node.identifier.node.name))
        }
        Expression::Call(c) => {
            let arguments = if c.node.arguments.is_empty() { "" } else { "..." };
            let callee = sub(&c.node.callee, Level::Postfix);
            (Level::Postfix, format!("{}({arguments})", as_written(&callee)))
        }
        Expression::UnaryOperator(u) => match postfix(&u.node.operator.node) {
            Some(op) => (Level::Postfix, format!("{}{op}", sub(&u.node.operand, Level::Postfix))),
            None => (Level::Unary, prefix(unary(&u.node.operator.node), &sub(&u.node.operand, Level::Unary))),
        },
        Expression::Cast(c) => return sub(&c.node.expression, wanted),
        Expression::BinaryOperator(b) => {
            let op = &b.node.operator.node;
            (binding(op), print_binary(&b.node.lhs, op, &b.node.rhs, depth - 1))
        }
        Expression::Conditional(c) => {
            (Level::Conditional, format!("{} ? ... : ...", sub(&c.node.condition, Level::LogicalOr)))
        }
        _ => (Level::Primary, "...".to_owned()),
    };
    if level < wanted { format!("({text})") } else { text }
}

/// GNU C's name for what its rewritten form (`frontend/sanitize.rs`) calls `callee`.
fn as_written(callee: &str) -> &str {
    match callee {
        "__cellog_alignment" | "__cellog_type_alignment" => "__alignof__",
        "__cellog_types_compatible" => "__builtin_types_compatible_p",
        "__cellog_real" => "__real__",
        "__cellog_imag" => "__imag__",
        "__cellog_label_address" => "&&",
        _ => callee,
    }
}

fn print_binary(lhs: &Node<Expression>, op: &B, rhs: &Node<Expression>, depth: u32) -> String {
    // Operators of one level group to the left, assignments to the right.
    let level = binding(op);
    let (left, right) = match level {
        Level::Postfix => (Level::Postfix, Level::Any),
        Level::Assignment => (Level::Unary, Level::Assignment),
        _ => (level, tighter(level)),
    };
    let (lhs, rhs) = (print(lhs, depth, left), print(rhs, depth, right));
    if matches!(op, B::Index) { format!("{lhs}[{rhs}]") } else { format!("{lhs} {} {rhs}", operator(op)) }
}

/// `op` before `operand`, kept apart where the two would read as one token.
fn prefix(op: &str, operand: &str) -> String {
    let merges = matches!(op, "-" | "+" | "&") && operand.starts_with(op);
    if merges { format!("{op}({operand})") } else { format!("{op}{operand}") }
}

fn postfix(op: &U) -> Option<&'static str> {
    match op {
        U::PostIncrement => Some("++"),
        U::PostDecrement => Some("--"),
        _ => None,
    }
}

/// The C token of an operator that stands before its operand.
fn unary(op: &U) -> &'static str {
    match op {
        U::PreIncrement | U::PostIncrement => "++",
        U::PreDecrement | U::PostDecrement => "--",
        U::Address => "&",
        U::Indirection => "*",
        U::Plus => "+",
        U::Minus => "-",
        U::Complement => "~",
        U::Negate => "!",
    }
}

fn binding(op: &B) -> Level {
    match op {
        B::Index => Level::Postfix,
        B::Multiply | B::Divide | B::Modulo => Level::Multiplicative,
        B::Plus | B::Minus => Level::Additive,
        B::ShiftLeft | B::ShiftRight => Level::Shift,
        B::Less | B::Greater | B::LessOrEqual | B::GreaterOrEqual => Level::Relational,
        B::Equals | B::NotEquals => Level::Equality,
        B::BitwiseAnd => Level::BitwiseAnd,
        B::BitwiseXor => Level::BitwiseXor,
        B::BitwiseOr => Level::BitwiseOr,
        B::LogicalAnd => Level::LogicalAnd,
        B::LogicalOr => Level::LogicalOr,
        _ => Level::Assignment,
    }
}

fn tighter(level: Level) -> Level {
    match level {
        Level::LogicalOr => Level::LogicalAnd,
        Level::LogicalAnd => Level::BitwiseOr,
        Level::BitwiseOr => Level::BitwiseXor,
        Level::BitwiseXor => Level::BitwiseAnd,
        Level::BitwiseAnd => Level::Equality,
        Level::Equality => Level::Relational,
        Level::Relational => Level::Shift,
        Level::Shift => Level::Additive,
        Level::Additive => Level::Multiplicative,
        Level::Multiplicative => Level::Unary,
        other => other,
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
fn operator(op: &B) -> &'static str {
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

#[cfg(test)]
mod tests {
    use super::*;
    use lang_c::driver::{Config, Flavor};

    /// The spelling of the expression that a statement of a function consists of.
    fn spelled(text: &str) -> String {
        let source = format!("void f(int a, int b, int c, int *p, struct s *q) {{ {text}; }}");
        let config = Config { flavor: Flavor::GnuC11, ..Config::default() };
        let unit = lang_c::driver::parse_preprocessed(&config, source).expect("it parses").unit;
        let ast::ExternalDeclaration::FunctionDefinition(f) = &unit.0[0].node else { panic!("a function") };
        let ast::Statement::Compound(items) = &f.node.statement.node else { panic!("a body") };
        let ast::BlockItem::Statement(statement) = &items[0].node else { panic!("a statement") };
        let ast::Statement::Expression(Some(e)) = &statement.node else { panic!("an expression") };
        expression(e)
    }

    #[test]
    fn parentheses_stand_where_c_needs_them() {
        for text in [
            "100 / (a - 7)",
            "a - 7 - b",
            "a - (7 - b)",
            "(a + b) * c",
            "a + b * c",
            "(a & b) == c",
            "a & b == c",
            "(a || b) && c",
            "*(p + a)",
            "*p++",
            "(*p)++",
            "(p + 1)[a + b]",
            "(*q).x",
            "-(a + b)",
            "-(-a)",
            "!(a == b)",
            "a = b = c",
            "a << (b << c)",
            "&(&p)[1]",
            "(a ? ... : ...) + 1",
        ] {
            assert_eq!(spelled(&text.replace("? ... : ...", "? b : c")), text);
        }
        assert_eq!(spelled("((a)) + (b * c)"), "a + b * c");
    }

    #[test]
    fn deep_expressions_are_shortened() {
        assert_eq!(spelled("a + (b + (c + (a + (b + c))))"), "a + (b + (c + (... + ...)))");
    }
}
