//! Declarations for relations that rules derive and nobody declares: queries and findings need none. A column gets the
//! type of what the rules put there, and the name of the variable.
use crate::datalog::language::ast::*;
use crate::datalog::language::resolve::{Kind, Scope, TypeId};
use crate::datalog::language::types::{self, Known, Variables};
use std::collections::BTreeSet;

/// Declares the undeclared relations of heads for which `may` says so. What no type can be found for stays undeclared.
pub fn declare_heads(program: &mut Program, may: &dyn Fn(&Program, &Name) -> bool) {
    loop {
        let (scope, _) = Scope::of(program);
        let Some(declaration) = undeclared(program, &scope, may).into_iter().find_map(|n| infer(program, &scope, &n))
        else {
            return;
        };
        program.relations.push(declaration);
    }
}

/// The names of such relations, where they occur first.
fn undeclared(program: &Program, scope: &Scope, may: &dyn Fn(&Program, &Name) -> bool) -> Vec<Name> {
    let mut seen = BTreeSet::new();
    let heads = program.rules.iter().flat_map(|rule| &rule.heads).map(|head| &head.relation);
    let new = heads.filter(|name| scope.relation_named(&name.text).is_none() && may(program, name));
    new.filter(|name| seen.insert(name.text.clone())).cloned().collect()
}

/// A declaration that fits all rules for `name`, if each column's type is known from one of them.
fn infer(program: &Program, scope: &Scope, name: &Name) -> Option<RelationDecl> {
    let pairs = program.rules.iter().flat_map(|rule| rule.heads.iter().map(move |head| (rule, head)));
    let heads: Vec<(&Rule, &Atom)> = pairs.filter(|(_, head)| head.relation.text == name.text).collect();
    let arity = heads.first()?.1.arguments.len();
    let mut found: Vec<Option<TypeId>> = vec![None; arity];
    for (rule, head) in &heads {
        let variables = types::infer(program, scope, &rule.body, &Variables::new());
        for (column, term) in found.iter_mut().zip(&head.arguments) {
            *column = upper(scope, *column, type_of(program, scope, term, &variables));
        }
    }
    let mut columns: Vec<Column> = Vec::new();
    for (at, (term, id)) in heads[0].1.arguments.iter().zip(&found).enumerate() {
        let type_name = Name { text: scope.types[(*id)?.0].name.clone(), span: term.span };
        let own = match &term.kind {
            TermKind::Variable(name) => name.clone(),
            _ => format!("column{}", at + 1),
        };
        let taken = columns.iter().any(|column: &Column| column.name.text == own);
        let text = if taken { format!("{own}_{}", at + 1) } else { own };
        columns.push(Column { name: Name { text, span: term.span }, type_name });
    }
    Some(RelationDecl { name: name.clone(), columns, storage: Storage::Rows, doc: String::new() })
}

/// The declared or base type of a term; None if nothing is known of it.
fn type_of(program: &Program, scope: &Scope, term: &Term, variables: &Variables) -> Option<TypeId> {
    match &term.kind {
        TermKind::Variable(name) => match variables.get(name)?.0 {
            Known::Typed(id) => (id != TypeId::UNKNOWN).then_some(id),
            Known::Loose(kind) => of_kind(kind),
            Known::Literal => Some(TypeId::NUMBER),
            Known::Nothing => None,
        },
        TermKind::Cast(_, target) => scope.type_named(&target.text),
        _ => of_kind(types::kind_of(program, scope, term, variables)),
    }
}

fn of_kind(kind: Kind) -> Option<TypeId> {
    match kind {
        Kind::Symbol => Some(TypeId::SYMBOL),
        Kind::Number => Some(TypeId::NUMBER),
        Kind::Unsigned => Some(TypeId::UNSIGNED),
        Kind::Record(id) => Some(id),
        Kind::Unknown => None,
    }
}

/// The closest type that both are subtypes of; the first if there is none, for the checks to complain of.
fn upper(scope: &Scope, left: Option<TypeId>, right: Option<TypeId>) -> Option<TypeId> {
    let (Some(a), Some(b)) = (left, right) else { return left.or(right) };
    let above = std::iter::successors(Some(a), |id| scope.types[id.0].parent);
    Some(above.into_iter().find(|id| scope.is_subtype(b, *id)).unwrap_or(a))
}
