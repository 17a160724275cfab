//! Checked rules in the form executors work on: relations and variables by number, one head a rule, aggregates
//! over a single relation, record patterns apart from atoms.
pub use super::ast::{AggregateKind, Comparison, Functor, Storage, TextTest};
use super::text::Span;

/// What a value is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    Symbol,
    Number,
    Unsigned,
    /// Index into [`Program::records`].
    Record(usize),
}

#[derive(Clone, Debug)]
pub struct Record {
    pub name: String,
    pub fields: Vec<Kind>,
}

/// Index into [`Program::relations`].
pub type RelationId = usize;
/// Index into [`Rule::variables`].
pub type VariableId = usize;

#[derive(Clone, Debug)]
pub struct Relation {
    pub name: String,
    pub kinds: Vec<Kind>,
    pub storage: Storage,
    pub input: bool,
    pub output: bool,
}

#[derive(Clone, Debug)]
pub struct Program {
    pub relations: Vec<Relation>,
    pub records: Vec<Record>,
    pub rules: Vec<Rule>,
    /// Relations in order of evaluation: what a stratum needs from outside it comes before it.
    pub strata: Vec<Vec<RelationId>>,
}

impl Program {
    /// By relation: is it wanted, or needed to derive one that is? A relation that is `known` needs nothing.
    pub fn needed(&self, wanted: &[RelationId], known: impl Fn(&Relation) -> bool) -> Vec<bool> {
        let mut needed = vec![false; self.relations.len()];
        let mut waiting = wanted.to_vec();
        while let Some(relation) = waiting.pop() {
            if std::mem::replace(&mut needed[relation], true) || known(&self.relations[relation]) {
                continue;
            }
            let rules = self.rules.iter().filter(|rule| rule.head == relation);
            waiting.extend(rules.flat_map(|rule| &rule.body).filter_map(Literal::relation));
        }
        needed
    }
}

#[derive(Clone, Debug)]
pub struct Rule {
    pub head: RelationId,
    pub arguments: Vec<Expression>,
    /// In the order written.
    pub body: Vec<Literal>,
    pub variables: Vec<Variable>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Variable {
    /// As written; made up for variables that lowering introduced.
    pub name: String,
    pub kind: Kind,
}

/// What a column or field must be.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    Any,
    /// Binds the variable, or compares with it if it is bound.
    Variable(VariableId),
    /// Equals the constant.
    Value(Expression),
}

#[derive(Clone, Debug)]
pub enum Literal {
    Match {
        relation: RelationId,
        arguments: Vec<Pattern>,
    },
    Absent {
        relation: RelationId,
        arguments: Vec<Pattern>,
    },
    /// Of numbers, or (equal or not equal) of any kind. Equality binds a side that is an unbound variable.
    Compare {
        op: Comparison,
        left: Expression,
        right: Expression,
        kind: Kind,
    },
    Test {
        test: TextTest,
        negated: bool,
        part: Expression,
        whole: Expression,
    },
    /// `variable = [fields]`: takes the record apart, or builds it.
    Record {
        variable: VariableId,
        record: usize,
        fields: Vec<Pattern>,
    },
    /// `variable = kind value : { relation(arguments) }`: patterns are bound groups or [`Pattern::Any`]; `column` holds the value.
    Aggregate {
        variable: VariableId,
        kind: AggregateKind,
        relation: RelationId,
        arguments: Vec<Pattern>,
        column: Option<usize>,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    Variable(VariableId),
    /// Of kind number or unsigned.
    Number(i64, Kind),
    Symbol(String),
    /// The functor's operands and result; `kind` is that of the operands (number or unsigned for arithmetic).
    Apply {
        functor: Functor,
        operands: Vec<Expression>,
        kind: Kind,
    },
    Record {
        record: usize,
        fields: Vec<Expression>,
    },
}

impl Expression {
    /// Calls `visit` for every variable in it.
    pub fn variables(&self, visit: &mut dyn FnMut(VariableId)) {
        match self {
            Expression::Variable(variable) => visit(*variable),
            Expression::Number(..) | Expression::Symbol(_) => {}
            Expression::Apply { operands, .. } => operands.iter().for_each(|operand| operand.variables(visit)),
            Expression::Record { fields, .. } => fields.iter().for_each(|field| field.variables(visit)),
        }
    }
}

impl Pattern {
    /// Calls `visit` for every variable in it.
    pub fn variables(&self, visit: &mut dyn FnMut(VariableId)) {
        match self {
            Pattern::Any => {}
            Pattern::Variable(variable) => visit(*variable),
            Pattern::Value(expression) => expression.variables(visit),
        }
    }
}

impl Literal {
    /// The relation that it looks at.
    pub fn relation(&self) -> Option<RelationId> {
        match self {
            Literal::Match { relation, .. }
            | Literal::Absent { relation, .. }
            | Literal::Aggregate { relation, .. } => Some(*relation),
            Literal::Compare { .. } | Literal::Test { .. } | Literal::Record { .. } => None,
        }
    }

    /// Calls `visit` for every variable in it, once per occurrence.
    pub fn variables(&self, visit: &mut dyn FnMut(VariableId)) {
        match self {
            Literal::Match { arguments, .. } | Literal::Absent { arguments, .. } => {
                arguments.iter().for_each(|pattern| pattern.variables(visit));
            }
            Literal::Compare { left, right, .. } | Literal::Test { part: left, whole: right, .. } => {
                left.variables(visit);
                right.variables(visit);
            }
            Literal::Record { variable, fields, .. } => {
                visit(*variable);
                fields.iter().for_each(|pattern| pattern.variables(visit));
            }
            Literal::Aggregate { variable, arguments, .. } => {
                visit(*variable);
                arguments.iter().for_each(|pattern| pattern.variables(visit));
            }
        }
    }
}

impl Rule {
    /// If the rule only passes on sets, the literal they come from: the head is stored as sets, its last argument
    /// is a variable that occurs nowhere else but last in one positive atom that is stored as sets.
    pub fn passes_set_of(&self, program: &Program) -> Option<usize> {
        if program.relations[self.head].storage != Storage::Set {
            return None;
        }
        let Some((Expression::Variable(element), keys)) = self.arguments.split_last() else { return None };
        let mut elsewhere = 0;
        keys.iter().for_each(|key| key.variables(&mut |variable| elsewhere += usize::from(variable == *element)));
        let mut source = None;
        for (at, literal) in self.body.iter().enumerate() {
            literal.variables(&mut |variable| elsewhere += usize::from(variable == *element));
            if let Literal::Match { relation, arguments } = literal
                && program.relations[*relation].storage == Storage::Set
                && arguments.last() == Some(&Pattern::Variable(*element))
            {
                source = Some(at);
            }
        }
        source.filter(|_| elsewhere == 1)
    }

    /// By variable: is it bound if the literal `skip` is left out?
    pub fn bound_without(&self, skip: usize) -> Vec<bool> {
        let mut bound = vec![false; self.variables.len()];
        loop {
            let before = bound.clone();
            for (at, literal) in self.body.iter().enumerate() {
                if at != skip {
                    literal.bind(&mut bound);
                }
            }
            if bound == before {
                return bound;
            }
        }
    }
}

impl Literal {
    /// Marks what becomes known from this literal when the marked variables are.
    pub fn bind(&self, bound: &mut [bool]) {
        let known = |expression: &Expression, bound: &[bool]| {
            let mut all = true;
            expression.variables(&mut |variable| all &= bound[variable]);
            all
        };
        match self {
            Literal::Match { arguments, .. } => {
                arguments.iter().for_each(|argument| argument.variables(&mut |variable| bound[variable] = true));
            }
            Literal::Compare { op: Comparison::Equal, left, right, .. } => {
                for (side, other) in [(left, right), (right, left)] {
                    if let Expression::Variable(variable) = side
                        && known(other, bound)
                    {
                        bound[*variable] = true;
                    }
                }
            }
            Literal::Record { variable, fields, .. } => {
                let whole = fields.iter().all(|field| {
                    let mut all = *field != Pattern::Any;
                    field.variables(&mut |variable| all &= bound[variable]);
                    all
                });
                if bound[*variable] || whole {
                    bound[*variable] = true;
                    fields.iter().for_each(|field| field.variables(&mut |variable| bound[variable] = true));
                }
            }
            Literal::Aggregate { variable, arguments, .. } => {
                let mut all = true;
                arguments.iter().for_each(|argument| argument.variables(&mut |variable| all &= bound[variable]));
                if all {
                    bound[*variable] = true;
                }
            }
            Literal::Absent { .. } | Literal::Compare { .. } | Literal::Test { .. } => {}
        }
    }
}
