//! The naive evaluation of the syntax tree: what rules mean, with no index, interning, lowering or difference.
//! The oracle of every other executor, for small fact sets.
//!
//! A body's solutions are found by trying every tuple for every positive atom, then solving equalities, then
//! testing what is left. A stratum's rules are applied until nothing is new.
use super::evaluate::functor::compile as compile_pattern;
use super::language::ast::*;
use super::language::binding;
use super::language::resolve::{Kind, Scope, TypeId};
use super::language::strata;
use super::language::types::{self, Variables};
use super::value::{Facts, Value};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

/// All relations of a checked program over the given inputs.
pub fn evaluate(program: &Program, inputs: &Facts) -> Facts {
    evaluate_within(program, inputs, u64::MAX).expect("nothing looks at so many tuples")
}

/// The same; None if bodies have to be held against more than so many tuples.
pub fn evaluate_within(program: &Program, inputs: &Facts, tuples: u64) -> Option<Facts> {
    let (scope, _) = Scope::of(program);
    let mut naive = Naive { program, scope, facts: Facts::new(), order: RefCell::default(), left: Cell::new(tuples) };
    for relation in &naive.scope.relations {
        let tuples = inputs.get(&relation.name).filter(|_| relation.input).cloned().unwrap_or_default();
        naive.facts.insert(relation.name.clone(), tuples);
    }
    for stratum in strata::order(program) {
        let names: BTreeSet<&str> =
            stratum.iter().map(|relation| program.relations[*relation].name.text.as_str()).collect();
        while naive.apply_rules(&names) {}
    }
    (naive.left.get() > 0).then_some(naive.facts)
}

type Bindings = BTreeMap<String, Value>;

/// Equations that wait for variables: a term and the value it must have.
type Waiting<'t> = Vec<(&'t Term, Kind, Value)>;

/// A body's rule: what its variables are.
struct Context {
    types: Variables,
    /// The variables that occur outside aggregates.
    outside: BTreeSet<String>,
}

struct Naive<'a> {
    program: &'a Program,
    scope: Scope,
    facts: Facts,
    /// Symbols in the order `ord` met them.
    order: RefCell<Vec<String>>,
    /// Tuples that may still be looked at.
    left: Cell<u64>,
}

impl Naive<'_> {
    /// Applies every rule for these relations once; was anything new?
    fn apply_rules(&mut self, names: &BTreeSet<&str>) -> bool {
        let program = self.program;
        let mut new = Vec::new();
        for rule in &program.rules {
            let types = types::infer(program, &self.scope, &rule.body, &Variables::new());
            let context = Context { types, outside: binding::outer_variables(&rule.heads, &rule.body) };
            for head in rule.heads.iter().filter(|head| names.contains(head.relation.text.as_str())) {
                for bindings in self.solve(&rule.body, &context) {
                    let kinds = self.kinds(&head.relation.text);
                    let tuple: Option<Vec<Value>> = head
                        .arguments
                        .iter()
                        .zip(kinds)
                        .map(|(term, kind)| self.value(term, kind, &bindings, &context))
                        .collect();
                    new.extend(tuple.map(|tuple| (head.relation.text.clone(), tuple)));
                }
            }
        }
        new.into_iter().fold(false, |changed, (name, tuple)| {
            self.facts.get_mut(&name).is_some_and(|relation| relation.insert(tuple)) || changed
        })
    }

    fn kinds(&self, relation: &str) -> Vec<Kind> {
        let at = self.scope.relation_named(relation).expect("checked rules name declared relations");
        self.scope.relations[at].columns.iter().map(|id| self.scope.kind(*id)).collect()
    }

    /// Every way to satisfy a body.
    fn solve(&self, body: &[Literal], context: &Context) -> Vec<Bindings> {
        let mut partial: Vec<(Bindings, Waiting<'_>)> = vec![(Bindings::new(), Vec::new())];
        for atom in self.ordered_atoms(body) {
            let kinds = self.kinds(&atom.relation.text);
            let mut next = Vec::new();
            for (bindings, waiting) in &partial {
                for tuple in &self.facts[&atom.relation.text] {
                    self.left.set(self.left.get().saturating_sub(1));
                    if self.left.get() == 0 {
                        return Vec::new();
                    }
                    let differs = |(term, value): (&Term, &Value)| match &term.kind {
                        TermKind::Variable(name) => bindings.get(name).is_some_and(|bound| bound != value),
                        _ => false,
                    };
                    if atom.arguments.iter().zip(tuple).any(differs) {
                        continue;
                    }
                    let (mut bindings, mut waiting) = (bindings.clone(), waiting.clone());
                    let matched = atom
                        .arguments
                        .iter()
                        .zip(tuple)
                        .zip(&kinds)
                        .all(|((term, value), kind)| self.matches(term, *kind, value, &mut bindings, &mut waiting));
                    if matched {
                        next.push((bindings, waiting));
                    }
                }
            }
            partial = next;
        }
        partial
            .into_iter()
            .filter_map(|(bindings, waiting)| self.solve_equations(body, bindings, waiting, context))
            .filter(|bindings| body.iter().all(|literal| self.holds(literal, bindings, context)))
            .collect()
    }

    /// The positive atoms of a body, those with few tuples and with variables of earlier ones first. Any order gives
    /// the same solutions; this one gives them sooner.
    fn ordered_atoms<'t>(&self, body: &'t [Literal]) -> Vec<&'t Atom> {
        let mut atoms: Vec<&Atom> = body
            .iter()
            .filter_map(|literal| if let Literal::Positive(atom) = literal { Some(atom) } else { None })
            .collect();
        let mut ordered = Vec::new();
        let mut met: BTreeSet<String> = BTreeSet::new();
        let variables = |atom: &Atom| binding::outer_variables(std::slice::from_ref(atom), &[]);
        while !atoms.is_empty() {
            let cost = |atom: &Atom| (variables(atom).is_disjoint(&met), self.facts[&atom.relation.text].len());
            // An empty relation settles the body at once.
            let empty = atoms.iter().position(|atom| self.facts[&atom.relation.text].is_empty());
            let next = empty.or_else(|| (0..atoms.len()).min_by_key(|at| cost(atoms[*at])));
            let atom = atoms.remove(next.expect("there are atoms left"));
            met.extend(variables(atom));
            ordered.push(atom);
        }
        ordered
    }

    /// Does the value fit the pattern? Binds its variables; computed terms wait.
    fn matches<'t>(
        &self,
        term: &'t Term,
        kind: Kind,
        value: &Value,
        bindings: &mut Bindings,
        waiting: &mut Waiting<'t>,
    ) -> bool {
        match (&term.kind, value) {
            (TermKind::Wildcard, _) => true,
            (TermKind::Variable(name), _) => bindings.entry(name.clone()).or_insert_with(|| value.clone()) == value,
            (TermKind::Record(terms), Value::Record(fields)) => terms
                .iter()
                .zip(fields)
                .zip(self.field_kinds(kind))
                .all(|((term, field), kind)| self.matches(term, kind, field, bindings, waiting)),
            _ => {
                waiting.push((term, kind, value.clone()));
                true
            }
        }
    }

    fn field_kinds(&self, kind: Kind) -> Vec<Kind> {
        let Kind::Record(TypeId(id)) = kind else { return Vec::new() };
        self.scope.types[id].fields.iter().map(|(_, field)| self.scope.kind(*field)).collect()
    }

    /// Solves the body's equalities and what waits, in whatever order values become known.
    fn solve_equations<'t>(
        &self,
        body: &'t [Literal],
        mut bindings: Bindings,
        mut waiting: Waiting<'t>,
        context: &Context,
    ) -> Option<Bindings> {
        let mut equalities: Vec<(&Term, &Term)> = body
            .iter()
            .filter_map(|literal| match literal {
                Literal::Compare { op: Comparison::Equal, left, right } => Some((left, right)),
                _ => None,
            })
            .collect();
        loop {
            let before = (equalities.len(), waiting.len());
            let mut later = Vec::new();
            for (left, right) in std::mem::take(&mut equalities) {
                let kind = self.common_kind(left, right, context);
                let known = [(left, right), (right, left)]
                    .into_iter()
                    .find(|(value, _)| self.is_known(value, &bindings, context));
                let Some((value, pattern)) = known else {
                    later.push((left, right));
                    continue;
                };
                let value = self.value(value, kind, &bindings, context)?;
                if !self.matches(pattern, kind, &value, &mut bindings, &mut waiting) {
                    return None;
                }
            }
            equalities = later;
            let mut later = Vec::new();
            for (term, kind, value) in std::mem::take(&mut waiting) {
                if !self.is_known(term, &bindings, context) {
                    later.push((term, kind, value));
                } else if self.value(term, kind, &bindings, context)? != value {
                    return None;
                }
            }
            waiting = later;
            if (equalities.len(), waiting.len()) == before {
                assert!(before == (0, 0), "checked rules bind every variable");
                return Some(bindings);
            }
        }
    }

    /// The kind both sides of a comparison have; constants take the other's.
    fn common_kind(&self, left: &Term, right: &Term, context: &Context) -> Kind {
        let constant = matches!(left.kind, TermKind::Number(_) | TermKind::Record(_));
        types::kind_of(self.program, &self.scope, if constant { right } else { left }, &context.types)
    }

    fn is_known(&self, term: &Term, bindings: &Bindings, context: &Context) -> bool {
        let mut known = true;
        term.walk(&mut |term| match &term.kind {
            TermKind::Variable(name) => known &= bindings.contains_key(name),
            TermKind::Wildcard => known = false,
            TermKind::Aggregate(aggregate) => {
                let groups = binding::bound_variables(&aggregate.body);
                known &= groups.intersection(&context.outside).all(|name| bindings.contains_key(name));
            }
            _ => {}
        });
        known
    }

    /// Tests that bind nothing.
    fn holds(&self, literal: &Literal, bindings: &Bindings, context: &Context) -> bool {
        match literal {
            Literal::Positive(_) | Literal::Compare { op: Comparison::Equal, .. } => true,
            Literal::Negative(atom) => {
                let kinds = self.kinds(&atom.relation.text);
                let mut wanted = Vec::new();
                for (term, kind) in atom.arguments.iter().zip(kinds) {
                    if matches!(term.kind, TermKind::Wildcard) {
                        wanted.push(None);
                        continue;
                    }
                    let Some(value) = self.value(term, kind, bindings, context) else { return false };
                    wanted.push(Some(value));
                }
                let same = |tuple: &Vec<Value>| {
                    tuple
                        .iter()
                        .zip(&wanted)
                        .all(|(value, wanted)| wanted.as_ref().is_none_or(|wanted| wanted == value))
                };
                !self.facts[&atom.relation.text].iter().any(same)
            }
            Literal::Compare { op, left, right } => {
                let kind = self.common_kind(left, right, context);
                let left = self.value(left, kind, bindings, context);
                let right = self.value(right, kind, bindings, context);
                left.zip(right).is_some_and(|(left, right)| op.holds(left.cmp(&right)))
            }
            Literal::Test { test, negated, arguments: [part, whole], .. } => {
                let part = self.value(part, Kind::Symbol, bindings, context);
                let whole = self.value(whole, Kind::Symbol, bindings, context);
                let (Some(Value::Symbol(part)), Some(Value::Symbol(whole))) = (part, whole) else { return false };
                let holds = match test {
                    TextTest::Contains => whole.contains(&part),
                    TextTest::Match => match compile_pattern(&part) {
                        Ok(pattern) => pattern.is_match(&whole),
                        Err(_) => return false,
                    },
                };
                holds != *negated
            }
        }
    }

    /// The value of a term whose variables are bound, if it has one.
    fn value(&self, term: &Term, kind: Kind, bindings: &Bindings, context: &Context) -> Option<Value> {
        let unsigned = kind == Kind::Unsigned;
        match &term.kind {
            TermKind::Variable(name) => bindings.get(name).cloned(),
            TermKind::Wildcard => None,
            TermKind::Number(value) => Some(Value::Number(*value)),
            TermKind::Symbol(text) => Some(Value::Symbol(text.clone())),
            TermKind::Cast(inner, _) => self.value(inner, kind, bindings, context),
            TermKind::Record(terms) => {
                let kinds = self.field_kinds(kind);
                let fields: Option<Vec<Value>> =
                    terms.iter().zip(kinds).map(|(term, kind)| self.value(term, kind, bindings, context)).collect();
                fields.map(Value::Record)
            }
            TermKind::Aggregate(aggregate) => self.aggregate(aggregate, bindings, context),
            TermKind::Apply(functor, terms) => {
                let kinds = match functor {
                    Functor::Cat | Functor::Strlen | Functor::ToNumber | Functor::Ord => {
                        vec![Kind::Symbol; terms.len()]
                    }
                    Functor::Substr => vec![Kind::Symbol, Kind::Number, Kind::Number],
                    Functor::ToString => vec![types::kind_of(self.program, &self.scope, &terms[0], &context.types)],
                    _ => vec![if unsigned { kind } else { Kind::Number }; terms.len()],
                };
                let values: Option<Vec<Value>> =
                    terms.iter().zip(kinds).map(|(term, kind)| self.value(term, kind, bindings, context)).collect();
                self.apply(*functor, &values?, unsigned)
            }
        }
    }

    fn apply(&self, functor: Functor, values: &[Value], unsigned: bool) -> Option<Value> {
        match (functor, values) {
            (Functor::Cat, _) => Some(Value::Symbol(values.iter().map(Value::to_string).collect())),
            (Functor::Strlen, [Value::Symbol(text)]) => Some(Value::Number(i64::try_from(text.len()).ok()?)),
            (Functor::Substr, [Value::Symbol(text), Value::Number(from), Value::Number(length)]) => {
                let characters: Vec<char> = text.chars().collect();
                let inside = |at: i64| at >= *from && at - from < *length && *from >= 0 && *length >= 0;
                Some(Value::Symbol((0i64..).zip(characters).filter(|(at, _)| inside(*at)).map(|(_, c)| c).collect()))
            }
            (Functor::ToString, [value]) => Some(Value::Symbol(value.to_string())),
            (Functor::ToNumber, [Value::Symbol(text)]) => text.parse().ok().map(Value::Number),
            (Functor::Ord, [Value::Symbol(text)]) => {
                let mut order = self.order.borrow_mut();
                let at = order.iter().position(|known| known == text).unwrap_or_else(|| {
                    order.push(text.clone());
                    order.len() - 1
                });
                Some(Value::Number(i64::try_from(at).ok()?))
            }
            (_, [Value::Number(value)]) => {
                let result = if functor == Functor::BitNot { !i128::from(*value) } else { -i128::from(*value) };
                Some(Value::Number(wrap(result, unsigned)))
            }
            (_, [Value::Number(left), Value::Number(right)]) => {
                Some(Value::Number(wrap(arithmetic(functor, (*left).into(), (*right).into(), unsigned)?, unsigned)))
            }
            _ => None,
        }
    }

    fn aggregate(&self, aggregate: &Aggregate, outer: &Bindings, context: &Context) -> Option<Value> {
        let ranged = matches!(aggregate.kind, AggregateKind::Count | AggregateKind::Sum);
        let mut body = aggregate.body.clone();
        if ranged {
            body.iter_mut().enumerate().for_each(|(at, literal)| name_wildcards(literal, at));
        }
        let types = types::infer(self.program, &self.scope, &body, &context.types);
        let inner = Context { types, outside: BTreeSet::new() };
        let mut solutions = self.solve(&body, &inner);
        solutions.retain(|bindings| {
            bindings.iter().all(|(name, value)| !context.outside.contains(name) || outer.get(name) == Some(value))
        });
        let distinct: BTreeSet<Bindings> = solutions.into_iter().collect();
        let Some(term) = &aggregate.value else {
            return Some(Value::Number(i64::try_from(distinct.len()).ok()?));
        };
        let kind = types::kind_of(self.program, &self.scope, term, &inner.types);
        let values: Vec<i64> = distinct
            .iter()
            .filter_map(|bindings| match self.value(term, kind, bindings, &inner) {
                Some(Value::Number(value)) => Some(value),
                _ => None,
            })
            .collect();
        match aggregate.kind {
            AggregateKind::Min => values.into_iter().min(),
            AggregateKind::Max => values.into_iter().max(),
            _ => Some(wrap(values.into_iter().map(i128::from).sum(), kind == Kind::Unsigned)),
        }
        .map(Value::Number)
    }
}

/// Gives every `_` of a positive atom a name of its own, so that it counts.
fn name_wildcards(literal: &mut Literal, salt: usize) {
    fn name(term: &mut Term, path: &str) {
        match &mut term.kind {
            TermKind::Wildcard => term.kind = TermKind::Variable(format!("any {path}")),
            TermKind::Record(terms) => {
                terms.iter_mut().enumerate().for_each(|(at, term)| name(term, &format!("{path}.{at}")));
            }
            _ => {}
        }
    }
    if let Literal::Positive(atom) = literal {
        atom.arguments.iter_mut().enumerate().for_each(|(at, term)| name(term, &format!("{salt}.{at}")));
    }
}

fn arithmetic(functor: Functor, left: i128, right: i128, unsigned: bool) -> Option<i128> {
    let count = right & if unsigned { 31 } else { 63 };
    Some(match functor {
        Functor::Add => left + right,
        Functor::Subtract => left - right,
        Functor::Multiply => left.wrapping_mul(right),
        Functor::Divide => left.checked_div(right)?,
        Functor::Remainder => left.checked_rem(right)?,
        Functor::BitAnd => left & right,
        Functor::BitOr => left | right,
        Functor::BitXor => left ^ right,
        Functor::ShiftLeft => left.wrapping_shl(u32::try_from(count).ok()?),
        Functor::ShiftRight => left >> count,
        Functor::Min => left.min(right),
        Functor::Max => left.max(right),
        _ => return None,
    })
}

/// Keeps the low 32 bits without, or the low 64 bits with sign.
#[expect(clippy::cast_possible_truncation, reason = "wrapping is what is meant")]
fn wrap(value: i128, unsigned: bool) -> i64 {
    if unsigned { i64::from(value as u32) } else { value as i64 }
}
