//! Relations that a built-in check or template has for itself: all but its `find_...` and `candidate_...`. They are called
//! `leak.unfreed_at`, as no relation of a user's can be, so that users' names never clash with them.
use crate::datalog::language::ast::{Atom, Literal, Program, Rule, Term, TermKind};
use crate::datalog::programs::{self, FILES};
use crate::datalog::users::compose::is_built_in;
use crate::facts::{RelationInfo, catalog};
use std::collections::BTreeMap;

/// Where the built-in checks and templates stand, and how the names begin of what they have for everyone.
const PLACES: [(&str, &str); 2] = [("rules/checks/", "find_"), ("rules/templates/", "candidate_")];

/// The names of all built-in relations, as users' programs have them.
pub fn built_in_names() -> impl Iterator<Item = String> {
    let derived = programs::catalog().iter().map(|relation| private_name(relation).unwrap_or(relation.name.to_owned()));
    catalog().iter().map(|relation| relation.name.to_owned()).chain(derived)
}

/// The name in users' programs of a relation that a check or a template has for itself.
fn private_name(relation: &RelationInfo) -> Option<String> {
    let is_private = |(folder, prefix): &(&str, &str)| {
        let file = format!("{folder}{}.dl", relation.group);
        !relation.name.starts_with(prefix) && FILES.iter().any(|known| known.path == file)
    };
    PLACES.iter().any(is_private).then(|| format!("{}.{}", relation.group, relation.name))
}

/// Gives such relations their private names, in the built-in rules.
pub fn make_private(program: &mut Program) {
    let names: BTreeMap<&str, String> =
        programs::catalog().iter().filter_map(|relation| Some((relation.name, private_name(relation)?))).collect();
    let rename = |name: &mut String| {
        if let Some(private) = names.get(name.as_str()) {
            name.clone_from(private);
        }
    };
    let built_in: Vec<bool> = program.texts.files.iter().map(|file| is_built_in(&file.name)).collect();
    for decl in program.relations.iter_mut().filter(|decl| built_in[decl.name.span.file as usize]) {
        rename(&mut decl.name.text);
    }
    for rule in program.rules.iter_mut().filter(|rule| built_in[rule.span.file as usize]) {
        for_each_atom(rule, &mut |atom| rename(&mut atom.relation.text));
    }
}

fn for_each_atom(rule: &mut Rule, visit: &mut dyn FnMut(&mut Atom)) {
    for head in &mut rule.heads {
        visit(head);
        head.arguments.iter_mut().for_each(|term| in_term(term, visit));
    }
    rule.body.iter_mut().for_each(|literal| in_literal(literal, visit));
}

fn in_literal(literal: &mut Literal, visit: &mut dyn FnMut(&mut Atom)) {
    match literal {
        Literal::Positive(atom) | Literal::Negative(atom) => {
            visit(atom);
            atom.arguments.iter_mut().for_each(|term| in_term(term, visit));
        }
        Literal::Compare { left, right, .. } => {
            in_term(left, visit);
            in_term(right, visit);
        }
        Literal::Test { arguments, .. } => arguments.iter_mut().for_each(|term| in_term(term, visit)),
    }
}

fn in_term(term: &mut Term, visit: &mut dyn FnMut(&mut Atom)) {
    match &mut term.kind {
        TermKind::Apply(_, terms) | TermKind::Record(terms) => {
            terms.iter_mut().for_each(|term| in_term(term, visit));
        }
        TermKind::Cast(term, _) => in_term(term, visit),
        TermKind::Aggregate(aggregate) => {
            aggregate.value.iter_mut().for_each(|term| in_term(term, visit));
            aggregate.body.iter_mut().for_each(|literal| in_literal(literal, visit));
        }
        TermKind::Variable(_) | TermKind::Wildcard | TermKind::Number(_) | TermKind::Symbol(_) => {}
    }
}
