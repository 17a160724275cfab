//! Types of terms. Every variable has one type per rule, the most specific of the columns it stands in;
//! constants and results of functors fit every subtype of their base type.
use super::ast::*;
use super::error::TypeError;
use super::resolve::{Kind, Scope, TypeId};
use super::text::Span;
use std::collections::BTreeMap;

/// What is known of a term's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// A value of a declared column.
    Typed(TypeId),
    /// A constant or a result: fits every type of this kind.
    Loose(Kind),
    /// A numeric constant: fits `number` and `unsigned`.
    Literal,
    Nothing,
}

/// The types of a rule's variables, with the place that told.
pub type Variables = BTreeMap<String, (Known, Span)>;

/// Checks all rules of a program.
pub fn check(program: &Program, scope: &Scope) -> Vec<TypeError> {
    let mut errors = Vec::new();
    for rule in &program.rules {
        for head in &rule.heads {
            if let Some(relation) = scope.relation_named(&head.relation.text).map(|at| &scope.relations[at])
                && relation.input
            {
                let declared = program.relations[relation.declared].name.span;
                let (name, span) = (head.relation.text.clone(), head.relation.span);
                errors.push(TypeError::DerivedInput { name, span, declared });
            }
        }
        let mut inference = Inference { program, scope, errors: Vec::new(), conflicts: true };
        let variables = inference.variables(&rule.body, &Variables::new());
        inference.check_literals(&rule.body, &variables);
        for head in &rule.heads {
            inference.check_atom(head, &variables, true);
        }
        errors.append(&mut inference.errors);
    }
    errors
}

/// The types of the variables of a body within an outer body's; mistakes are left to [`check`].
pub fn infer(program: &Program, scope: &Scope, body: &[Literal], outer: &Variables) -> Variables {
    Inference { program, scope, errors: Vec::new(), conflicts: false }.variables(body, outer)
}

/// The kind of a term under known variable types; numeric constants alone are `number`.
pub fn kind_of(program: &Program, scope: &Scope, term: &Term, variables: &Variables) -> Kind {
    let mut inference = Inference { program, scope, errors: Vec::new(), conflicts: false };
    let known = inference.known(term, variables);
    inference.kind(known)
}

struct Inference<'a> {
    program: &'a Program,
    scope: &'a Scope,
    errors: Vec<TypeError>,
    /// Report variables of two types?
    conflicts: bool,
}

impl<'a> Inference<'a> {
    fn clone_quiet(&self) -> Inference<'a> {
        Inference { program: self.program, scope: self.scope, errors: Vec::new(), conflicts: false }
    }

    fn kind(&self, known: Known) -> Kind {
        match known {
            Known::Typed(id) => self.scope.kind(id),
            Known::Loose(kind) => kind,
            Known::Literal => Kind::Number,
            Known::Nothing => Kind::Unknown,
        }
    }

    fn show(&self, known: Known) -> String {
        match known {
            Known::Typed(id) => self.scope.types[id.0].name.clone(),
            Known::Loose(Kind::Symbol) => "symbol".to_owned(),
            Known::Loose(Kind::Unsigned) => "unsigned".to_owned(),
            Known::Loose(Kind::Record(id)) => self.scope.types[id.0].name.clone(),
            Known::Loose(Kind::Number) | Known::Literal => "number".to_owned(),
            Known::Loose(Kind::Unknown) | Known::Nothing => "?".to_owned(),
        }
    }

    /// The more specific of two, if they can be one value's.
    fn meet(&self, left: Known, right: Known) -> Option<Known> {
        match (left, right) {
            (Known::Nothing, known) | (known, Known::Nothing) => Some(known),
            (Known::Typed(l), Known::Typed(r)) => {
                if self.scope.is_subtype(l, r) {
                    Some(left)
                } else {
                    self.scope.is_subtype(r, l).then_some(right)
                }
            }
            (Known::Typed(_), loose) => self.loose_fits(loose, self.kind(left)).then_some(left),
            (loose, Known::Typed(_)) => self.loose_fits(loose, self.kind(right)).then_some(right),
            (Known::Literal, other) => self.loose_fits(left, self.kind(other)).then_some(other),
            (other, Known::Literal) => self.loose_fits(right, self.kind(other)).then_some(other),
            (Known::Loose(l), Known::Loose(r)) => (l == r || r == Kind::Unknown).then_some(left),
        }
    }

    fn loose_fits(&self, loose: Known, kind: Kind) -> bool {
        match loose {
            Known::Literal => matches!(kind, Kind::Number | Kind::Unsigned | Kind::Unknown),
            Known::Loose(own) => own == kind || kind == Kind::Unknown || own == Kind::Unknown,
            Known::Typed(_) | Known::Nothing => true,
        }
    }

    /// May a value of `found` stand where `expected` is declared?
    fn fits(&self, found: Known, expected: TypeId) -> bool {
        match found {
            Known::Typed(id) => self.scope.is_subtype(id, expected),
            Known::Nothing => true,
            loose => self.loose_fits(loose, self.scope.kind(expected)),
        }
    }

    /// The types of all variables that positive atoms and equalities of `body` tell of.
    fn variables(&mut self, body: &[Literal], outer: &Variables) -> Variables {
        let mut variables = outer.clone();
        for literal in body {
            if let Literal::Positive(atom) = literal
                && let Some(relation) = self.scope.relation_named(&atom.relation.text)
            {
                let scope = self.scope;
                for (term, id) in atom.arguments.iter().zip(&scope.relations[relation].columns) {
                    self.learn(term, Known::Typed(*id), &mut variables);
                }
            }
        }
        // Each round passes types through one more equality.
        let conflicts = std::mem::replace(&mut self.conflicts, false);
        for _ in 0..body.len().min(64) {
            let before: Vec<Known> = variables.values().map(|(known, _)| *known).collect();
            self.equalities(body, &mut variables);
            if variables.values().map(|(known, _)| *known).eq(before) {
                break;
            }
        }
        self.conflicts = conflicts;
        self.equalities(body, &mut variables);
        variables
    }

    fn equalities(&mut self, body: &[Literal], variables: &mut Variables) {
        for literal in body {
            if let Literal::Compare { op: Comparison::Equal, left, right } = literal {
                let mut quiet = self.clone_quiet();
                let (l, r) = (quiet.known(left, variables), quiet.known(right, variables));
                self.learn(left, r, variables);
                self.learn(right, l, variables);
            }
        }
    }

    /// `term` takes a value of type `known`.
    fn learn(&mut self, term: &Term, known: Known, variables: &mut Variables) {
        match &term.kind {
            TermKind::Variable(name) => {
                let Some((before, first)) = variables.get(name).copied() else {
                    if known != Known::Nothing {
                        variables.insert(name.clone(), (known, term.span));
                    }
                    return;
                };
                match self.meet(before, known) {
                    Some(met) if met != before => {
                        variables.insert(name.clone(), (met, term.span));
                    }
                    Some(_) => {}
                    None if self.conflicts => self.errors.push(TypeError::Conflict {
                        variable: name.clone(),
                        first_type: self.show(before),
                        first,
                        second_type: self.show(known),
                        span: term.span,
                    }),
                    None => {}
                }
            }
            TermKind::Record(terms) => {
                if let Kind::Record(id) = self.kind(known) {
                    let scope = self.scope;
                    for (term, (_, field)) in terms.iter().zip(&scope.types[id.0].fields) {
                        self.learn(term, Known::Typed(*field), variables);
                    }
                }
            }
            _ => {}
        }
    }

    /// The type of a term, checking it on the way.
    fn known(&mut self, term: &Term, variables: &Variables) -> Known {
        match &term.kind {
            TermKind::Variable(name) => variables.get(name).map_or(Known::Nothing, |(known, _)| *known),
            TermKind::Wildcard | TermKind::Record(_) => Known::Nothing,
            TermKind::Number(_) => Known::Literal,
            TermKind::Symbol(_) => Known::Loose(Kind::Symbol),
            TermKind::Cast(inner, target) => {
                let mut errors = Vec::new();
                let id = self.scope.resolve_type(target, &mut errors);
                self.errors.append(&mut errors);
                let found = self.known(inner, variables);
                let (from, to) = (self.kind(found), self.scope.kind(id));
                let literal = found == Known::Literal && to == Kind::Unsigned;
                if from != to && from != Kind::Unknown && to != Kind::Unknown && !literal {
                    let (expected, found) = (target.text.clone(), self.show(found));
                    self.errors.push(TypeError::Mismatch { expected, found, span: term.span });
                }
                Known::Typed(id)
            }
            TermKind::Aggregate(aggregate) => self.aggregate(aggregate, variables),
            TermKind::Apply(functor, terms) => self.apply(*functor, terms, variables),
        }
    }

    fn aggregate(&mut self, aggregate: &Aggregate, outer: &Variables) -> Known {
        let variables = self.variables(&aggregate.body, outer);
        self.check_literals(&aggregate.body, &variables);
        let Some(value) = &aggregate.value else { return Known::Loose(Kind::Number) };
        let known = self.known(value, &variables);
        self.numeric(aggregate.kind.symbol(), value, known);
        match self.kind(known) {
            // The least and greatest are values of the column itself.
            _ if matches!(aggregate.kind, AggregateKind::Min | AggregateKind::Max) => known,
            kind => Known::Loose(kind),
        }
    }

    fn numeric(&mut self, operator: &str, term: &Term, known: Known) {
        if !matches!(self.kind(known), Kind::Number | Kind::Unsigned | Kind::Unknown) {
            let (operator, found) = (operator.to_owned(), self.show(known));
            self.errors.push(TypeError::Operand { operator, needs: "numbers", found, span: term.span });
        }
    }

    fn apply(&mut self, functor: Functor, terms: &[Term], variables: &Variables) -> Known {
        let known: Vec<Known> = terms.iter().map(|term| self.known(term, variables)).collect();
        let text = |inference: &mut Self, at: usize| {
            if !matches!(inference.kind(known[at]), Kind::Symbol | Kind::Unknown) {
                let (operator, found) = (functor.symbol().to_owned(), inference.show(known[at]));
                inference.errors.push(TypeError::Operand { operator, needs: "symbols", found, span: terms[at].span });
            }
        };
        match functor {
            Functor::Cat => {
                (0..terms.len()).for_each(|at| text(self, at));
                Known::Loose(Kind::Symbol)
            }
            Functor::Strlen | Functor::ToNumber => {
                text(self, 0);
                Known::Loose(Kind::Number)
            }
            Functor::Substr => {
                text(self, 0);
                for at in [1, 2] {
                    if !self.fits(known[at], TypeId::NUMBER) {
                        let (expected, found) = ("number".to_owned(), self.show(known[at]));
                        self.errors.push(TypeError::Mismatch { expected, found, span: terms[at].span });
                    }
                }
                Known::Loose(Kind::Symbol)
            }
            Functor::ToString => {
                self.numeric(functor.symbol(), &terms[0], known[0]);
                Known::Loose(Kind::Symbol)
            }
            Functor::Ord => {
                text(self, 0);
                Known::Loose(Kind::Number)
            }
            _ => {
                let mut result = Known::Literal;
                for (term, known) in terms.iter().zip(&known) {
                    self.numeric(functor.symbol(), term, *known);
                    let base = match self.kind(*known) {
                        _ if *known == Known::Literal => Known::Literal,
                        kind @ (Kind::Number | Kind::Unsigned) => Known::Loose(kind),
                        _ => Known::Nothing,
                    };
                    match self.meet(result, base) {
                        Some(met) => result = met,
                        None => {
                            let (expected, found) = (self.show(result), self.show(*known));
                            self.errors.push(TypeError::Mismatch { expected, found, span: term.span });
                        }
                    }
                }
                result
            }
        }
    }

    fn check_literals(&mut self, body: &[Literal], variables: &Variables) {
        for literal in body {
            match literal {
                Literal::Positive(atom) | Literal::Negative(atom) => self.check_atom(atom, variables, false),
                Literal::Compare { op, left, right } => self.compare(*op, left, right, variables),
                Literal::Test { test, arguments, .. } => {
                    for term in arguments {
                        let known = self.known(term, variables);
                        if !matches!(self.kind(known), Kind::Symbol | Kind::Unknown) {
                            let operator = match test {
                                TextTest::Contains => "contains",
                                TextTest::Match => "match",
                            };
                            let (operator, found) = (operator.to_owned(), self.show(known));
                            self.errors.push(TypeError::Operand { operator, needs: "symbols", found, span: term.span });
                        }
                    }
                }
            }
        }
    }

    fn compare(&mut self, op: Comparison, left: &Term, right: &Term, variables: &Variables) {
        let (l, r) = (self.known(left, variables), self.known(right, variables));
        for (record, other) in [(left, r), (right, l)] {
            if matches!(record.kind, TermKind::Record(_)) {
                match self.kind(other) {
                    Kind::Record(id) => self.check_term(record, id, variables, false),
                    Kind::Unknown if other == Known::Nothing => {
                        self.errors.push(TypeError::UntypedRecord { span: record.span });
                    }
                    Kind::Unknown => {}
                    _ => {
                        let (expected, found) = (self.show(other), "a record".to_owned());
                        self.errors.push(TypeError::Mismatch { expected, found, span: record.span });
                    }
                }
            }
        }
        // Variables of two types are reported where types are inferred, except in tests that bind nothing.
        if self.meet(l, r).is_none() {
            let learned =
                op == Comparison::Equal && [left, right].iter().any(|term| matches!(term.kind, TermKind::Variable(_)));
            if !learned {
                let (expected, found) = (self.show(l), self.show(r));
                self.errors.push(TypeError::Mismatch { expected, found, span: right.span });
            }
        }
        if !matches!(op, Comparison::Equal | Comparison::NotEqual) {
            for (term, known) in [(left, l), (right, r)] {
                self.numeric(op.symbol(), term, known);
            }
        }
    }

    fn check_atom(&mut self, atom: &Atom, variables: &Variables, head: bool) {
        let (program, scope) = (self.program, self.scope);
        let Some(relation) = scope.resolve_relation(&atom.relation, &mut self.errors) else { return };
        if relation.columns.len() != atom.arguments.len() {
            self.errors.push(TypeError::Arity {
                name: relation.name.clone(),
                expected: relation.columns.len(),
                found: atom.arguments.len(),
                span: atom.span,
                declared: program.relations[relation.declared].name.span,
            });
        }
        for (term, id) in atom.arguments.iter().zip(&relation.columns) {
            self.check_term(term, *id, variables, head);
        }
    }

    /// `term` stands in a column of type `expected`: in a head it must be of that type, in a body it may also be of a supertype.
    fn check_term(&mut self, term: &Term, expected: TypeId, variables: &Variables, head: bool) {
        match &term.kind {
            TermKind::Wildcard => {}
            TermKind::Record(terms) => {
                let scope = self.scope;
                let Kind::Record(id) = scope.kind(expected) else {
                    if scope.kind(expected) != Kind::Unknown {
                        let (expected, found) = (scope.types[expected.0].name.clone(), "a record".to_owned());
                        self.errors.push(TypeError::Mismatch { expected, found, span: term.span });
                    }
                    return;
                };
                let record = &scope.types[id.0];
                if record.fields.len() != terms.len() {
                    self.errors.push(TypeError::RecordArity {
                        name: record.name.clone(),
                        expected: record.fields.len(),
                        found: terms.len(),
                        span: term.span,
                    });
                }
                for (term, (_, field)) in terms.iter().zip(&record.fields) {
                    self.check_term(term, *field, variables, head);
                }
            }
            TermKind::Number(value)
                if self.scope.kind(expected) == Kind::Unsigned && u32::try_from(*value).is_err() =>
            {
                let target = self.scope.types[expected.0].name.clone();
                self.errors.push(TypeError::ConstantRange { value: *value, target, span: term.span });
            }
            _ => {
                let found = self.known(term, variables);
                let related = !head && self.meet(found, Known::Typed(expected)).is_some();
                if !related && !self.fits(found, expected) && !self.was_told(term) {
                    let expected = self.scope.types[expected.0].name.clone();
                    let found = self.show(found);
                    self.errors.push(TypeError::Mismatch { expected, found, span: term.span });
                }
            }
        }
    }

    /// Was a conflict of this variable at this very place reported while inferring?
    fn was_told(&self, term: &Term) -> bool {
        self.errors.iter().any(|error| matches!(error, TypeError::Conflict { span, .. } if *span == term.span))
    }
}
