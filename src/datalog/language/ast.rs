//! The syntax tree of rules, as written.
use super::text::{Span, Texts};

/// A name and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

/// A file with all it includes: declarations and rules in the order they were read.
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub texts: Texts,
    pub types: Vec<TypeDecl>,
    pub relations: Vec<RelationDecl>,
    pub inputs: Vec<Name>,
    pub outputs: Vec<Name>,
    pub rules: Vec<Rule>,
    /// What runs the program, as each of its files says that does, and where.
    pub executors: Vec<(Executor, Span)>,
}

impl Program {
    /// What the file that was read first says, none that it includes.
    pub fn executor(&self) -> Option<Executor> {
        self.executors.iter().find(|(_, span)| span.file == 0).map(|(executor, _)| *executor)
    }
}

/// What runs a program. Never changes what it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Executor {
    /// The evaluator: it takes programs at run time, and lets sets flow along subset edges.
    Propagation,
    /// Rust that the build makes of the program with `ascent`: set relations are lattices joined in bulk.
    Ascent,
}

impl Executor {
    pub const ALL: [Executor; 2] = [Executor::Propagation, Executor::Ascent];

    /// As pragmas and reports have it.
    pub fn name(self) -> &'static str {
        match self {
            Executor::Propagation => "propagation",
            Executor::Ascent => "ascent",
        }
    }
}

/// `.type name <: parent` or `.type name = [field: Type, ...]`.
#[derive(Clone, Debug)]
pub struct TypeDecl {
    pub name: Name,
    pub body: TypeBody,
    /// The comment above it, a line of text per line.
    pub doc: String,
}

#[derive(Clone, Debug)]
pub enum TypeBody {
    Subtype(Name),
    Record(Vec<Column>),
}

/// A column of a relation or a field of a record.
#[derive(Clone, Debug)]
pub struct Column {
    pub name: Name,
    pub type_name: Name,
}

/// How a relation is kept. Never changes what a program means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Storage {
    /// A row per tuple.
    Rows,
    /// All columns but the last map to a bitmap of the last: `//@ store: set`.
    Set,
}

/// `.decl name(column: Type, ...)`.
#[derive(Clone, Debug)]
pub struct RelationDecl {
    pub name: Name,
    pub columns: Vec<Column>,
    pub storage: Storage,
    pub doc: String,
}

/// `heads :- body.`; a fact has no body.
#[derive(Clone, Debug)]
pub struct Rule {
    pub heads: Vec<Atom>,
    pub body: Vec<Literal>,
    pub span: Span,
}

/// `relation(arguments)`.
#[derive(Clone, Debug)]
pub struct Atom {
    pub relation: Name,
    pub arguments: Vec<Term>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum Literal {
    Positive(Atom),
    Negative(Atom),
    Compare {
        op: Comparison,
        left: Term,
        right: Term,
    },
    /// `contains(part, whole)` or `match(pattern, whole)`.
    Test {
        test: TextTest,
        negated: bool,
        arguments: [Term; 2],
        span: Span,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Comparison {
    /// As written in rules.
    pub fn symbol(self) -> &'static str {
        match self {
            Comparison::Equal => "=",
            Comparison::NotEqual => "!=",
            Comparison::Less => "<",
            Comparison::LessEqual => "<=",
            Comparison::Greater => ">",
            Comparison::GreaterEqual => ">=",
        }
    }

    /// Does an ordering of left against right satisfy it?
    pub fn holds(self, ordering: std::cmp::Ordering) -> bool {
        match self {
            Comparison::Equal => ordering.is_eq(),
            Comparison::NotEqual => ordering.is_ne(),
            Comparison::Less => ordering.is_lt(),
            Comparison::LessEqual => ordering.is_le(),
            Comparison::Greater => ordering.is_gt(),
            Comparison::GreaterEqual => ordering.is_ge(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextTest {
    Contains,
    Match,
}

#[derive(Clone, Debug)]
pub struct Term {
    pub kind: TermKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum TermKind {
    Variable(String),
    /// `_`
    Wildcard,
    Number(i64),
    Symbol(String),
    Apply(Functor, Vec<Term>),
    Record(Vec<Term>),
    /// `as(term, Type)`
    Cast(Box<Term>, Name),
    Aggregate(Box<Aggregate>),
}

/// Everything that makes a value from values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Functor {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    BitAnd,
    BitOr,
    BitXor,
    BitNot,
    ShiftLeft,
    ShiftRight,
    Negate,
    Min,
    Max,
    Cat,
    Strlen,
    Substr,
    ToString,
    ToNumber,
    Ord,
}

impl Functor {
    /// As written in rules.
    pub fn symbol(self) -> &'static str {
        match self {
            Functor::Add => "+",
            Functor::Subtract | Functor::Negate => "-",
            Functor::Multiply => "*",
            Functor::Divide => "/",
            Functor::Remainder => "%",
            Functor::BitAnd => "band",
            Functor::BitOr => "bor",
            Functor::BitXor => "bxor",
            Functor::BitNot => "bnot",
            Functor::ShiftLeft => "bshl",
            Functor::ShiftRight => "bshr",
            Functor::Min => "min",
            Functor::Max => "max",
            Functor::Cat => "cat",
            Functor::Strlen => "strlen",
            Functor::Substr => "substr",
            Functor::ToString => "to_string",
            Functor::ToNumber => "to_number",
            Functor::Ord => "ord",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AggregateKind {
    Count,
    Sum,
    Min,
    Max,
}

impl AggregateKind {
    /// As written in rules.
    pub fn symbol(self) -> &'static str {
        match self {
            AggregateKind::Count => "count",
            AggregateKind::Sum => "sum",
            AggregateKind::Min => "min",
            AggregateKind::Max => "max",
        }
    }
}

/// `kind value : { body }`; `count` has no value.
#[derive(Clone, Debug)]
pub struct Aggregate {
    pub kind: AggregateKind,
    pub value: Option<Term>,
    pub body: Vec<Literal>,
    pub span: Span,
}

impl Term {
    /// Calls `visit` on this term and every term in it, outermost first; does not enter aggregates.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Term)) {
        visit(self);
        match &self.kind {
            TermKind::Apply(_, terms) | TermKind::Record(terms) => terms.iter().for_each(|term| term.walk(visit)),
            TermKind::Cast(term, _) => term.walk(visit),
            TermKind::Variable(_)
            | TermKind::Wildcard
            | TermKind::Number(_)
            | TermKind::Symbol(_)
            | TermKind::Aggregate(_) => {}
        }
    }
}

impl Literal {
    /// The terms directly in it.
    pub fn terms(&self) -> Vec<&Term> {
        match self {
            Literal::Positive(atom) | Literal::Negative(atom) => atom.arguments.iter().collect(),
            Literal::Compare { left, right, .. } => vec![left, right],
            Literal::Test { arguments, .. } => arguments.iter().collect(),
        }
    }
}
