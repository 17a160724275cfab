//! From checked syntax trees to [`core`](super::core): resolves names and kinds, splits rules with several heads,
//! takes record patterns out of atoms, and gives every aggregate's body a relation of its own.
use super::ast;
use super::binding;
use super::core::*;
use super::resolve::{self, Scope, TypeId};
use super::strata;
use super::types::{self, Variables};
use std::collections::{BTreeMap, BTreeSet};

/// Lowers a program whose checks found no error.
pub fn lower(program: &ast::Program) -> Program {
    let (scope, _) = Scope::of(program);
    let mut record_ids = BTreeMap::new();
    for (at, declared) in scope.types.iter().enumerate() {
        if matches!(declared.kind, resolve::Kind::Record(_)) {
            record_ids.insert(TypeId(at), record_ids.len());
        }
    }
    let mut lowering = Lowering { program, scope: &scope, record_ids, relations: Vec::new(), rules: Vec::new() };
    for relation in &scope.relations {
        let kinds = relation.columns.iter().map(|id| lowering.kind(scope.kind(*id))).collect();
        let resolve::Relation { name, storage, input, output, .. } = relation.clone();
        lowering.relations.push(Relation { name, kinds, storage, input, output });
    }
    for rule in &program.rules {
        for head in &rule.heads {
            lowering.rule(rule, head);
        }
    }
    let records = lowering
        .record_ids
        .keys()
        .map(|id| {
            let declared = &scope.types[id.0];
            let fields = declared.fields.iter().map(|(_, field)| lowering.kind(scope.kind(*field))).collect();
            Record { name: declared.name.clone(), fields }
        })
        .collect();
    let Lowering { relations, rules, .. } = lowering;
    let strata = order(&relations, &rules);
    Program { relations, records, rules, strata }
}

fn order(relations: &[Relation], rules: &[Rule]) -> Vec<Vec<RelationId>> {
    let mut edges = Vec::new();
    for rule in rules {
        edges.extend(rule.body.iter().filter_map(Literal::relation).map(|used| (rule.head, used)));
    }
    strata::components(relations.len(), &edges)
}

struct Lowering<'a> {
    program: &'a ast::Program,
    scope: &'a Scope,
    record_ids: BTreeMap<TypeId, usize>,
    relations: Vec<Relation>,
    rules: Vec<Rule>,
}

/// A body on its way.
struct Body<'a> {
    names: BTreeMap<String, VariableId>,
    variables: Vec<Variable>,
    literals: Vec<Literal>,
    types: &'a Variables,
    /// The variables that occur outside aggregates.
    outside: BTreeSet<String>,
}

impl Lowering<'_> {
    fn kind(&self, kind: resolve::Kind) -> Kind {
        match kind {
            resolve::Kind::Symbol => Kind::Symbol,
            resolve::Kind::Number | resolve::Kind::Unknown => Kind::Number,
            resolve::Kind::Unsigned => Kind::Unsigned,
            resolve::Kind::Record(id) => Kind::Record(self.record_ids[&id]),
        }
    }

    fn rule(&mut self, rule: &ast::Rule, head: &ast::Atom) {
        let types = types::infer(self.program, self.scope, &rule.body, &Variables::new());
        let outside = binding::outer_variables(&rule.heads, &rule.body);
        let mut body =
            Body { names: BTreeMap::new(), variables: Vec::new(), literals: Vec::new(), types: &types, outside };
        for literal in &rule.body {
            self.literal(literal, &mut body);
        }
        let relation = self.relation(head);
        let kinds = self.relations[relation].kinds.clone();
        let arguments =
            head.arguments.iter().zip(kinds).map(|(term, kind)| self.expression(term, kind, &mut body)).collect();
        let Body { variables, literals, .. } = body;
        self.rules.push(Rule { head: relation, arguments, body: literals, variables, span: rule.span });
    }

    fn relation(&self, atom: &ast::Atom) -> RelationId {
        self.scope.relation_named(&atom.relation.text).expect("checked rules name declared relations")
    }

    fn kind_of(&self, term: &ast::Term, body: &Body<'_>) -> Kind {
        self.kind(types::kind_of(self.program, self.scope, term, body.types))
    }

    fn variable(&self, name: &str, body: &mut Body<'_>) -> VariableId {
        if let Some(found) = body.names.get(name) {
            return *found;
        }
        let known = body.types.get(name).map_or(types::Known::Nothing, |(known, _)| *known);
        let kind = match known {
            types::Known::Typed(id) => self.kind(self.scope.kind(id)),
            types::Known::Loose(kind) => self.kind(kind),
            types::Known::Literal | types::Known::Nothing => Kind::Number,
        };
        let id = Self::fresh(name.to_owned(), kind, body);
        body.names.insert(name.to_owned(), id);
        id
    }

    fn fresh(name: String, kind: Kind, body: &mut Body<'_>) -> VariableId {
        body.variables.push(Variable { name, kind });
        body.variables.len() - 1
    }

    fn literal(&mut self, literal: &ast::Literal, body: &mut Body<'_>) {
        match literal {
            ast::Literal::Positive(atom) => {
                let relation = self.relation(atom);
                let (arguments, records) = self.patterns(&atom.arguments, relation, body);
                body.literals.push(Literal::Match { relation, arguments });
                body.literals.extend(records);
            }
            ast::Literal::Negative(atom) => {
                let relation = self.relation(atom);
                let (arguments, records) = self.patterns(&atom.arguments, relation, body);
                body.literals.extend(records);
                body.literals.push(Literal::Absent { relation, arguments });
            }
            ast::Literal::Compare { op, left, right } => self.compare(*op, left, right, body),
            ast::Literal::Test { test, negated, arguments: [part, whole], .. } => {
                let part = self.expression(part, Kind::Symbol, body);
                let whole = self.expression(whole, Kind::Symbol, body);
                body.literals.push(Literal::Test { test: *test, negated: *negated, part, whole });
            }
        }
    }

    fn patterns(
        &mut self,
        terms: &[ast::Term],
        relation: RelationId,
        body: &mut Body<'_>,
    ) -> (Vec<Pattern>, Vec<Literal>) {
        let kinds = self.relations[relation].kinds.clone();
        let mut records = Vec::new();
        let patterns =
            terms.iter().zip(kinds).map(|(term, kind)| self.pattern(term, kind, body, &mut records)).collect();
        (patterns, records)
    }

    /// The pattern a term stands for: a constant or variable. Records and computed terms in it go to `records`, outermost first.
    fn pattern(&mut self, term: &ast::Term, kind: Kind, body: &mut Body<'_>, records: &mut Vec<Literal>) -> Pattern {
        match (&term.kind, kind) {
            (ast::TermKind::Wildcard, _) => Pattern::Any,
            (ast::TermKind::Variable(name), _) => Pattern::Variable(self.variable(name, body)),
            (ast::TermKind::Record(terms), Kind::Record(record)) => {
                let variable = Self::fresh(format!("record_{}", body.variables.len()), kind, body);
                self.open(variable, record, terms, body, records);
                Pattern::Variable(variable)
            }
            (ast::TermKind::Number(_) | ast::TermKind::Symbol(_), _) => {
                Pattern::Value(self.expression(term, kind, body))
            }
            _ => {
                // Computed before the atom if its variables are bound by then, else compared after it.
                let variable = Self::fresh(format!("computed_{}", body.variables.len()), kind, body);
                let right = self.expression(term, kind, body);
                let left = Expression::Variable(variable);
                records.push(Literal::Compare { op: Comparison::Equal, left, right, kind });
                Pattern::Variable(variable)
            }
        }
    }

    fn open(
        &mut self,
        variable: VariableId,
        record: usize,
        terms: &[ast::Term],
        body: &mut Body<'_>,
        records: &mut Vec<Literal>,
    ) {
        let id = *self.record_ids.iter().find(|(_, index)| **index == record).expect("a declared record").0;
        let kinds: Vec<Kind> =
            self.scope.types[id.0].fields.iter().map(|(_, field)| self.kind(self.scope.kind(*field))).collect();
        let mut inner = Vec::new();
        let fields = terms.iter().zip(kinds).map(|(term, kind)| self.pattern(term, kind, body, &mut inner)).collect();
        records.push(Literal::Record { variable, record, fields });
        records.append(&mut inner);
    }

    fn compare(&mut self, op: Comparison, left: &ast::Term, right: &ast::Term, body: &mut Body<'_>) {
        let (l, r) = (self.kind_of(left, body), self.kind_of(right, body));
        let constant = |term: &ast::Term| matches!(term.kind, ast::TermKind::Number(_) | ast::TermKind::Record(_));
        let kind = if constant(left) { r } else { l };
        if op == Comparison::Equal {
            for (pattern, value) in [(left, right), (right, left)] {
                if let (ast::TermKind::Record(terms), Kind::Record(record)) = (&pattern.kind, kind) {
                    let mut records = Vec::new();
                    let variable = match &value.kind {
                        ast::TermKind::Variable(name) => self.variable(name, body),
                        _ => {
                            let fresh = Self::fresh(format!("record_{}", body.variables.len()), kind, body);
                            let value = self.expression(value, kind, body);
                            let left = Expression::Variable(fresh);
                            body.literals.push(Literal::Compare { op, left, right: value, kind });
                            fresh
                        }
                    };
                    self.open(variable, record, terms, body, &mut records);
                    body.literals.extend(records);
                    return;
                }
            }
        }
        let left = self.expression(left, kind, body);
        let right = self.expression(right, kind, body);
        body.literals.push(Literal::Compare { op, left, right, kind });
    }

    /// The value of a term that stands where `kind` is needed.
    fn expression(&mut self, term: &ast::Term, kind: Kind, body: &mut Body<'_>) -> Expression {
        match &term.kind {
            ast::TermKind::Variable(name) => Expression::Variable(self.variable(name, body)),
            ast::TermKind::Number(value) => {
                Expression::Number(*value, if kind == Kind::Unsigned { kind } else { Kind::Number })
            }
            ast::TermKind::Symbol(text) => Expression::Symbol(text.clone()),
            ast::TermKind::Cast(inner, _) => self.expression(inner, kind, body),
            ast::TermKind::Record(terms) => {
                let Kind::Record(record) = kind else { unreachable!("checked records have record types") };
                let id = *self.record_ids.iter().find(|(_, index)| **index == record).expect("a declared record").0;
                let kinds: Vec<Kind> =
                    self.scope.types[id.0].fields.iter().map(|(_, field)| self.kind(self.scope.kind(*field))).collect();
                let fields = terms.iter().zip(kinds).map(|(term, kind)| self.expression(term, kind, body)).collect();
                Expression::Record { record, fields }
            }
            ast::TermKind::Apply(functor, terms) => self.apply(*functor, terms, kind, body),
            ast::TermKind::Aggregate(aggregate) => self.aggregate(aggregate, body),
            ast::TermKind::Wildcard => unreachable!("checked expressions have no `_`"),
        }
    }

    fn apply(&mut self, functor: Functor, terms: &[ast::Term], kind: Kind, body: &mut Body<'_>) -> Expression {
        let kinds: Vec<Kind> = match functor {
            Functor::Cat | Functor::Strlen | Functor::ToNumber | Functor::Ord => vec![Kind::Symbol; terms.len()],
            Functor::Substr => vec![Kind::Symbol, Kind::Number, Kind::Number],
            Functor::ToString => vec![self.kind_of(&terms[0], body)],
            _ => vec![if kind == Kind::Unsigned { kind } else { Kind::Number }; terms.len()],
        };
        let own = kinds[0];
        let operands = terms.iter().zip(kinds).map(|(term, kind)| self.expression(term, kind, body)).collect();
        Expression::Apply { functor, operands, kind: own }
    }

    /// Adds a relation for the aggregate's body, a column per variable, and a literal over it; its result is a fresh variable.
    fn aggregate(&mut self, aggregate: &ast::Aggregate, outer: &mut Body<'_>) -> Expression {
        let inner_types = types::infer(self.program, self.scope, &aggregate.body, outer.types);
        let mut inner = Body {
            names: BTreeMap::new(),
            variables: Vec::new(),
            literals: Vec::new(),
            types: &inner_types,
            outside: BTreeSet::new(),
        };
        let ranged = matches!(aggregate.kind, AggregateKind::Count | AggregateKind::Sum);
        for literal in &aggregate.body {
            let literal = if ranged { name_wildcards(literal, inner.variables.len()) } else { literal.clone() };
            self.literal(&literal, &mut inner);
        }
        let value = aggregate.value.as_ref().map(|term| {
            let kind = self.kind_of(term, &inner);
            (self.expression(term, kind, &mut inner), kind)
        });
        let Body { names, variables, literals, .. } = inner;
        let mut arguments = Vec::new();
        let mut patterns = Vec::new();
        let mut kinds = Vec::new();
        for (name, id) in names {
            let group = outer.outside.contains(&name);
            patterns.push(if group { Pattern::Variable(self.variable(&name, outer)) } else { Pattern::Any });
            arguments.push(Expression::Variable(id));
            kinds.push(variables[id].kind);
        }
        let mut result = Kind::Number;
        let mut column = None;
        if let Some((value, kind)) = value {
            column = Some(arguments.len());
            arguments.push(value);
            patterns.push(Pattern::Any);
            kinds.push(kind);
            result = kind;
        }
        let name = format!("aggregate_{}", self.relations.len());
        let relation = self.relations.len();
        self.relations.push(Relation { name, kinds, storage: Storage::Rows, input: false, output: false });
        self.rules.push(Rule { head: relation, arguments, body: literals, variables, span: aggregate.span });
        let variable = Self::fresh(format!("aggregate_{}", outer.variables.len()), result, outer);
        let kind = aggregate.kind;
        outer.literals.push(Literal::Aggregate { variable, kind, relation, arguments: patterns, column });
        Expression::Variable(variable)
    }
}

/// The literal with every `_` of a positive atom a variable of its own, so that it counts.
fn name_wildcards(literal: &ast::Literal, salt: usize) -> ast::Literal {
    let mut literal = literal.clone();
    if let ast::Literal::Positive(atom) = &mut literal {
        let mut at = 0;
        for term in &mut atom.arguments {
            name_in(term, salt, &mut at);
        }
    }
    literal
}

fn name_in(term: &mut ast::Term, salt: usize, at: &mut usize) {
    match &mut term.kind {
        ast::TermKind::Wildcard => {
            // No written name has a blank in it.
            term.kind = ast::TermKind::Variable(format!("any {salt} {at}"));
            *at += 1;
        }
        ast::TermKind::Record(terms) => terms.iter_mut().for_each(|term| name_in(term, salt, at)),
        _ => {}
    }
}
