//! Range restriction: every variable of a rule gets its values from positive atoms, directly or through equalities.
//!
//! See: S. Abiteboul, R. Hull, V. Vianu, Foundations of Databases, section 5.3 (range-restricted queries).
use super::ast::*;
use super::error::BindingError;
use super::text::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Checks all rules of a program.
pub fn check(program: &Program) -> Vec<BindingError> {
    let mut errors = Vec::new();
    for rule in &program.rules {
        check_rule(rule, &mut errors);
    }
    errors
}

/// The variables of `body` that its positive atoms and equalities bind, aggregates counting as bound terms.
pub fn bound_variables(body: &[Literal]) -> BTreeSet<String> {
    let mut bound = BTreeSet::new();
    for literal in body {
        if let Literal::Positive(atom) = literal {
            atom.arguments.iter().for_each(|term| bind_pattern(term, &mut bound));
        }
    }
    loop {
        let before = bound.len();
        for literal in body {
            if let Literal::Compare { op: Comparison::Equal, left, right } = literal {
                for (pattern, value) in [(left, right), (right, left)] {
                    if is_bound(value, &bound) {
                        bind_pattern(pattern, &mut bound);
                    }
                }
            }
        }
        if bound.len() == before {
            return bound;
        }
    }
}

/// Matching a value against the term binds its variables, also those in records.
fn bind_pattern(term: &Term, bound: &mut BTreeSet<String>) {
    match &term.kind {
        TermKind::Variable(name) => {
            bound.insert(name.clone());
        }
        TermKind::Record(terms) => terms.iter().for_each(|term| bind_pattern(term, bound)),
        _ => {}
    }
}

fn is_bound(term: &Term, bound: &BTreeSet<String>) -> bool {
    let mut all = true;
    term.walk(&mut |term| match &term.kind {
        TermKind::Variable(name) => all &= bound.contains(name),
        TermKind::Wildcard => all = false,
        _ => {}
    });
    all
}

/// The variables of some literals outside any aggregate.
pub fn outer_variables(heads: &[Atom], body: &[Literal]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut visit = |term: &Term| {
        if let TermKind::Variable(name) = &term.kind {
            names.insert(name.clone());
        }
    };
    heads.iter().flat_map(|head| &head.arguments).for_each(|term| term.walk(&mut |term| visit(term)));
    body.iter().flat_map(Literal::terms).for_each(|term| term.walk(&mut |term| visit(term)));
    names
}

/// The aggregates directly in some literals.
pub fn aggregates(body: &[Literal]) -> Vec<&Aggregate> {
    let mut found = Vec::new();
    for term in body.iter().flat_map(Literal::terms) {
        term.walk(&mut |term| {
            if let TermKind::Aggregate(aggregate) = &term.kind {
                found.push(&**aggregate);
            }
        });
    }
    found
}

fn check_rule(rule: &Rule, errors: &mut Vec<BindingError>) {
    let bound = bound_variables(&rule.body);
    let mut reported = BTreeSet::new();
    for term in rule.heads.iter().flat_map(|head| &head.arguments) {
        term.walk(&mut |term| match &term.kind {
            TermKind::Wildcard => errors.push(BindingError::Wildcard { span: term.span }),
            TermKind::Aggregate(_) => errors.push(BindingError::AggregateInHead { span: term.span }),
            TermKind::Variable(name) if !bound.contains(name) && reported.insert(name.clone()) => {
                let (name, span) = (name.clone(), term.span);
                errors.push(if rule.body.is_empty() {
                    BindingError::VariableInFact { name, span }
                } else {
                    BindingError::Unbound { name, span }
                });
            }
            _ => {}
        });
    }
    let unbound = |name: String, span: Span| BindingError::Unbound { name, span };
    check_body(&rule.body, &bound, &mut reported, &unbound, errors);
    let outside = outer_variables(&rule.heads, &rule.body);
    for aggregate in aggregates(&rule.body) {
        check_aggregate(aggregate, &outside, &bound, errors);
    }
    check_singletons(rule, errors);
}

fn check_body(
    body: &[Literal],
    bound: &BTreeSet<String>,
    reported: &mut BTreeSet<String>,
    unbound: &dyn Fn(String, Span) -> BindingError,
    errors: &mut Vec<BindingError>,
) {
    for literal in body {
        let atom = matches!(literal, Literal::Positive(_));
        let absent = matches!(literal, Literal::Negative(_));
        let equality = matches!(literal, Literal::Compare { op: Comparison::Equal, .. });
        for term in literal.terms() {
            let record_pattern = equality && matches!(term.kind, TermKind::Record(_));
            // What is absent must be a whole value: `!a(_)` says that no row is there, `!a([x, _])` would need a search.
            let wildcard_fits = atom || record_pattern || absent && matches!(term.kind, TermKind::Wildcard);
            check_wildcards(term, wildcard_fits, errors);
            term.walk(&mut |term| {
                if let TermKind::Variable(name) = &term.kind
                    && !bound.contains(name)
                    && reported.insert(name.clone())
                {
                    errors.push(unbound(name.clone(), term.span));
                }
            });
        }
    }
}

/// `_` may stand as an argument of an atom or a field of a record that is taken apart, not as an operand.
fn check_wildcards(term: &Term, fits: bool, errors: &mut Vec<BindingError>) {
    match &term.kind {
        TermKind::Wildcard if !fits => errors.push(BindingError::Wildcard { span: term.span }),
        TermKind::Record(terms) => terms.iter().for_each(|term| check_wildcards(term, fits, errors)),
        TermKind::Apply(_, terms) => terms.iter().for_each(|term| check_wildcards(term, false, errors)),
        TermKind::Cast(inner, _) => check_wildcards(inner, false, errors),
        _ => {}
    }
}

fn check_aggregate(
    aggregate: &Aggregate,
    outside: &BTreeSet<String>,
    bound_outside: &BTreeSet<String>,
    errors: &mut Vec<BindingError>,
) {
    let inside = bound_variables(&aggregate.body);
    for nested in aggregates(&aggregate.body) {
        errors.push(BindingError::NestedAggregate { span: nested.span });
    }
    let mut reported = BTreeSet::new();
    let unbound = |name: String, span: Span| BindingError::UnboundInAggregate { name, span };
    check_body(&aggregate.body, &inside, &mut reported, &unbound, errors);
    if let Some(value) = &aggregate.value {
        check_wildcards(value, false, errors);
        value.walk(&mut |term| match &term.kind {
            TermKind::Variable(name) if !inside.contains(name) && reported.insert(name.clone()) => {
                errors.push(unbound(name.clone(), term.span));
            }
            TermKind::Aggregate(_) => errors.push(BindingError::NestedAggregate { span: term.span }),
            _ => {}
        });
    }
    for name in inside.intersection(outside) {
        if !bound_outside.contains(name) {
            errors.push(BindingError::UnboundGroup { name: name.clone(), span: aggregate.span });
        }
    }
}

/// A variable that occurs once says nothing; it is mostly a misspelling.
fn check_singletons(rule: &Rule, errors: &mut Vec<BindingError>) {
    let mut seen: BTreeMap<String, (usize, Span)> = BTreeMap::new();
    let mut visit = |term: &Term| {
        if let TermKind::Variable(name) = &term.kind {
            seen.entry(name.clone()).or_insert((0, term.span)).0 += 1;
        }
    };
    rule.heads.iter().flat_map(|head| &head.arguments).for_each(|term| term.walk(&mut |term| visit(term)));
    rule.body.iter().flat_map(Literal::terms).for_each(|term| term.walk(&mut |term| visit(term)));
    for aggregate in aggregates(&rule.body) {
        aggregate.body.iter().flat_map(Literal::terms).for_each(|term| term.walk(&mut |term| visit(term)));
        aggregate.value.iter().for_each(|term| term.walk(&mut |term| visit(term)));
    }
    for (name, (count, span)) in seen {
        if count == 1 && !name.starts_with('_') && !rule.body.is_empty() {
            errors.push(BindingError::Singleton { name, span });
        }
    }
}
