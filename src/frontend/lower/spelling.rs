//! What the name of a type says and its representation does not keep: the qualifiers of what pointers lead to, and which
//! enumeration it is. `_Generic` and `__builtin_types_compatible_p` tell types apart by them (C11 6.7.3p10, 6.7.2.2p4).

use super::composite::{Records, composite};
use super::context::Lowerer;
use super::error::{LowerError, Lowered};
use super::scope::Symbol;
use crate::base::Span;
use crate::ir::{Expr, Type, TypeId};
use lang_c::ast::{self, Expression};
use lang_c::span::Node;

/// An enumeration that is not known.
const SOME_ENUMERATION: u32 = u32::MAX;
/// Bits of the qualifiers of one type.
const WIDTH: u32 = 4;

/// The rest of a type's name.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Spelling {
    /// Qualifiers of the type itself, a bit each.
    pub own: u8,
    /// Those of what it points to, [`WIDTH`] bits a pointer, nearest first.
    behind: u32,
    /// The number of the enumeration that it is, or leads to; 0 for none.
    pub enumeration: u32,
    /// There is more to it.
    vague: bool,
}

impl Spelling {
    /// Of a pointer with these qualifiers to the type.
    pub fn pointed_to(self, own: u8) -> Spelling {
        let vague = self.vague || self.behind >> (32 - WIDTH) != 0;
        Spelling { own, behind: self.behind << WIDTH | u32::from(self.own), vague, ..self }
    }
    /// Of what a pointer of the type leads to.
    fn target(self) -> Spelling {
        Spelling { own: (self.behind & ((1 << WIDTH) - 1)) as u8, behind: self.behind >> WIDTH, ..self }
    }
    /// With more qualifiers of its own.
    pub fn qualified(self, own: u8) -> Spelling {
        Spelling { own: self.own | own, ..self }
    }
    /// Of a function with this result, and with parameters of which some have more to their names.
    pub fn result(self, parameters: bool) -> Spelling {
        Spelling { own: 0, behind: 0, enumeration: 0, vague: parameters || self.says_more() }
    }
    /// Whether the name says what the representation does not, but for the type's own qualifiers.
    pub fn says_more(self) -> bool {
        self.vague || self.behind != 0 || self.enumeration != 0
    }
    /// Whether two types are compatible that are represented alike; None where that is not known.
    fn agrees(self, other: Spelling) -> Option<bool> {
        let (a, b) = (self.enumeration, other.enumeration);
        let one_enumeration = if a == 0 || b == 0 {
            Some(true)
        } else if a == SOME_ENUMERATION || b == SOME_ENUMERATION {
            None
        } else {
            Some(a == b)
        };
        if self.vague || other.vague { None } else { one_enumeration.map(|same| same && self.behind == other.behind) }
    }
}

/// The bit of a qualifier.
pub(super) fn bit(q: &ast::TypeQualifier) -> u8 {
    match q {
        ast::TypeQualifier::Const => 1,
        ast::TypeQualifier::Volatile => 2,
        ast::TypeQualifier::Restrict => 4,
        ast::TypeQualifier::Atomic => 8,
        _ => 0,
    }
}

impl Lowerer<'_> {
    /// Of the type of an expression as it stands, before arrays decay.
    pub(super) fn spelling_of(&mut self, e: &Node<Expression>) -> Lowered<Spelling> {
        Ok(match &e.node {
            Expression::Identifier(i) => match self.scopes.lookup(&i.node.name) {
                Some(Symbol::Variable(v)) => self.spellings.get(&v).copied().unwrap_or_default(),
                Some(Symbol::Constant(..)) => Spelling::default(),
                Some(Symbol::Function(f)) => self.function_spellings.get(&f).copied().unwrap_or_default(),
                _ => Spelling { vague: true, ..Spelling::default() },
            },
            Expression::Constant(_) | Expression::StringLiteral(_) | Expression::SizeOfTy(_) => Spelling::default(),
            Expression::Cast(c) => Spelling { own: 0, ..self.type_name(&c.node.type_name)?.spelling },
            Expression::UnaryOperator(u) => match u.node.operator.node {
                ast::UnaryOperator::Address => self.spelling_of(&u.node.operand)?.pointed_to(0),
                ast::UnaryOperator::Indirection => self.spelling_of_element(&u.node.operand)?,
                _ => self.vague_spelling(e)?,
            },
            Expression::BinaryOperator(b) if matches!(b.node.operator.node, ast::BinaryOperator::Index) => {
                self.spelling_of_element(&b.node.lhs)?
            }
            _ => self.vague_spelling(e)?,
        })
    }

    fn spelling_of_element(&mut self, base: &Node<Expression>) -> Lowered<Spelling> {
        let spelling = self.spelling_of(base)?;
        let ty = self.type_of(base)?;
        Ok(match self.program.types.get(ty) {
            Type::Array(..) | Type::Vla(..) => spelling,
            Type::Pointer(_) => spelling.target(),
            _ => Spelling { vague: true, ..spelling },
        })
    }

    /// What must be taken for granted of an expression whose type's name is not known.
    fn vague_spelling(&mut self, e: &Node<Expression>) -> Lowered<Spelling> {
        let mut ty = self.type_of(e)?;
        while let Type::Array(elem, _) | Type::Vla(elem, _) = *self.program.types.get(ty) {
            ty = elem;
        }
        Ok(match self.program.types.get(ty) {
            Type::Int(_) => Spelling { enumeration: SOME_ENUMERATION, ..Spelling::default() },
            Type::Float(_) | Type::Void | Type::Record(_) => Spelling::default(),
            _ => Spelling { vague: true, enumeration: SOME_ENUMERATION, ..Spelling::default() },
        })
    }

    /// Whether two types are compatible, qualifiers of their own apart; None where that is not known.
    fn compatible(&mut self, a: (TypeId, Spelling), b: (TypeId, Spelling)) -> Option<bool> {
        match composite(&mut self.program.types, a.0, b.0, Records::OfOneUnit) {
            Some(_) => a.1.agrees(b.1),
            None => Some(false),
        }
    }

    /// `__builtin_types_compatible_p`.
    pub(super) fn types_compatible(
        &mut self,
        a: &Node<ast::TypeName>,
        b: &Node<ast::TypeName>,
        span: Span,
    ) -> Lowered<Expr> {
        let (a, b) = (self.type_name(a)?, self.type_name(b)?);
        match self.compatible((a.ty, a.spelling), (b.ty, b.spelling)) {
            Some(answer) => Ok(self.int_const(i32::from(answer))),
            None => self.either_truth("__builtin_types_compatible_p", span),
        }
    }

    /// 0 or 1, nobody knows which; an error where only a constant will do.
    pub(super) fn either_truth(&mut self, what: &str, span: Span) -> Lowered<Expr> {
        if self.body.is_none() {
            return LowerError::unsupported(span, format!("a constant of `{what}` that is not known"));
        }
        let range = Some((self.int_const(0), self.int_const(1)));
        self.approximate_value(what, self.int_type(), range, span)
    }

    /// The expression that a generic selection chooses (C11 6.5.1.1).
    pub(super) fn generic<'e>(&mut self, g: &'e ast::GenericSelection, span: Span) -> Lowered<&'e Node<Expression>> {
        let ty = self.discarded(|s| Ok(s.rvalue(&g.expression)?.ty))?;
        let mut spelling = self.discarded(|s| s.spelling_of(&g.expression))?;
        let undecayed = self.type_of(&g.expression)?;
        if matches!(self.program.types.get(undecayed), Type::Array(..) | Type::Vla(..)) {
            spelling = spelling.pointed_to(0);
        }
        let mut default = None;
        for a in &g.associations {
            match &a.node {
                ast::GenericAssociation::Type(t) => {
                    let named = self.type_name(&t.node.type_name)?;
                    // A value has no qualifiers of its own.
                    let fits = if named.spelling.own != 0 {
                        Some(false)
                    } else {
                        self.compatible((named.ty, named.spelling), (ty, spelling))
                    };
                    match fits {
                        Some(true) => return Ok(&t.node.expression),
                        Some(false) => {}
                        None => return LowerError::unsupported(span, "_Generic by qualifiers that are not known"),
                    }
                }
                ast::GenericAssociation::Default(e) => default = Some(&**e),
            }
        }
        default.ok_or(LowerError::Invalid { message: "no association of _Generic fits".into(), span })
    }
}
