//! What can be wrong with rules: one enum per stage, each variant with its place, and the
//! [`Diagnostic`] they become.
use super::text::Span;
use thiserror::Error;

/// Found by the lexer.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum LexError {
    #[error("unexpected character `{}`", .character.escape_debug())]
    UnexpectedCharacter { character: char, span: Span },
    #[error("this string has no closing quote on its line")]
    UnterminatedString { span: Span },
    #[error("this comment is never closed")]
    UnterminatedComment { span: Span },
    #[error("the number does not fit in 64 bits signed")]
    NumberOutOfRange { span: Span },
    #[error("a number needs digits of its base")]
    MalformedNumber { span: Span },
    #[error("floating-point numbers are not part of the language")]
    Float { span: Span },
    #[error("unknown escape `\\{}`; known are \\n \\t \\r \\\\ \\\"", .character.escape_debug())]
    UnknownEscape { character: char, span: Span },
    #[error(
        "unknown pragma; known are `//@ store: set`, `//@ executor: propagation, REASON` and `//@ executor: ascent, REASON`"
    )]
    UnknownPragma { span: Span },
    #[error("the file is larger than {limit} bytes")]
    FileTooLarge { limit: usize, span: Span },
}

/// Found by the parser.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ParseError {
    #[error("expected {expected}, found {found}")]
    Expected { expected: String, found: String, span: Span },
    #[error("nested more than {limit} deep")]
    TooDeep { limit: usize, span: Span },
    #[error("directive `.{name}` is not in the subset; known are .type .decl .input .output .include .once")]
    UnknownDirective { name: String, span: Span },
    #[error("{construct} is not in the subset: {instead}")]
    Unsupported { construct: &'static str, instead: &'static str, span: Span },
    #[error("unknown functor `{name}`{}", did_you_mean(.suggestion))]
    UnknownFunctor { name: String, suggestion: Option<String>, span: Span },
    #[error("`{name}` takes {expected} arguments, found {found}")]
    FunctorArity { name: &'static str, expected: &'static str, found: usize, span: Span },
    #[error("`//@ {name}` must stand directly above a .{place}")]
    StrayPragma { name: &'static str, place: &'static str, span: Span },
    #[error("a file says once which executor runs it")]
    SecondExecutor { span: Span },
}

/// Found while following includes.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum LoadError {
    #[error("cannot read `{path}`: {reason}")]
    Unreadable { path: String, reason: String, span: Span },
    #[error("include cycle: {cycle}")]
    Cycle { cycle: String, span: Span },
    #[error("includes are nested more than {limit} deep")]
    TooDeep { limit: usize, span: Span },
    #[error("more than {limit} files are included")]
    TooMany { limit: usize, span: Span },
    #[error("rules of yours are run by propagation, whatever they say: only built-in programs are compiled")]
    NotCompiled { span: Span },
}

/// Found in declarations and in the use of names and types.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum TypeError {
    #[error("type `{name}` is declared twice")]
    DuplicateType { name: String, span: Span, first: Span },
    #[error("relation `{name}` is declared twice")]
    DuplicateRelation { name: String, span: Span, first: Span },
    #[error("`{name}` is the name of a base type")]
    RedeclaredBase { name: String, span: Span },
    #[error("unknown type `{name}`{}", did_you_mean(.suggestion))]
    UnknownType { name: String, suggestion: Option<String>, span: Span },
    #[error("type `{name}` is a subtype of itself")]
    CyclicType { name: String, span: Span },
    #[error("`{name}` is a record; only base types and their subtypes have subtypes")]
    SubtypeOfRecord { name: String, span: Span },
    #[error("column `{name}` is declared twice")]
    DuplicateColumn { name: String, span: Span },
    #[error("relation `{name}` has more than {limit} columns")]
    TooManyColumns { name: String, limit: usize, span: Span },
    #[error(
        "relation `{name}` is stored as sets, so its last column must be a symbol, unsigned or a record, not `{found}`"
    )]
    StoredElement { name: String, found: String, span: Span },
    #[error("relation `{name}` is stored as sets, so it needs at least two columns")]
    StoredArity { name: String, span: Span },
    #[error("unknown relation `{name}`{}", did_you_mean_or_declare(.suggestion))]
    UnknownRelation { name: String, suggestion: Option<String>, span: Span },
    #[error("`{name}` has {expected} columns, found {found} arguments")]
    Arity { name: String, expected: usize, found: usize, span: Span, declared: Span },
    #[error("`{name}` is an input, so no rule may derive it")]
    DerivedInput { name: String, span: Span, declared: Span },
    #[error("`{name}` is a built-in relation, so no rule of yours may derive it; declare one of another name")]
    DerivedBuiltIn { name: String, span: Span, declared: Span },
    #[error("`{variable}` is a `{first_type}` here and a `{second_type}` there")]
    Conflict { variable: String, first_type: String, first: Span, second_type: String, span: Span },
    #[error("expected `{expected}`, found `{found}`")]
    Mismatch { expected: String, found: String, span: Span },
    #[error("`{operator}` needs {needs}, found `{found}`")]
    Operand { operator: String, needs: &'static str, found: String, span: Span },
    #[error("the type of this record is not known here")]
    UntypedRecord { span: Span },
    #[error("record `{name}` has {expected} fields, found {found}")]
    RecordArity { name: String, expected: usize, found: usize, span: Span },
    #[error("the constant {value} does not fit in `{target}`")]
    ConstantRange { value: i64, target: String, span: Span },
}

/// Found in the flow of values through a rule.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum BindingError {
    #[error("`{name}` is not bound by a positive atom of the body")]
    Unbound { name: String, span: Span },
    #[error("`_` has no value here")]
    Wildcard { span: Span },
    #[error("a fact cannot have variables: `{name}`")]
    VariableInFact { name: String, span: Span },
    #[error("`{name}` is not bound inside the aggregate, whose body must bind its own variables")]
    UnboundInAggregate { name: String, span: Span },
    #[error("group variable `{name}` of the aggregate is not bound outside it")]
    UnboundGroup { name: String, span: Span },
    #[error("an aggregate cannot stand in a head; bind it in the body: `n = count : {{ .. }}`")]
    AggregateInHead { span: Span },
    #[error("an aggregate cannot stand inside another aggregate's body; name the inner one by a relation")]
    NestedAggregate { span: Span },
    #[error("`{name}` occurs only once; write `_` if that is meant")]
    Singleton { name: String, span: Span },
}

/// Found when ordering relations.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum StrataError {
    #[error("`{relation}` depends on its own negation: {cycle}")]
    Negation { relation: String, cycle: String, span: Span },
    #[error("`{relation}` depends on an aggregate over itself: {cycle}")]
    Aggregate { relation: String, cycle: String, span: Span },
}

/// Found in files that hold facts alone.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum GroundError {
    #[error("only facts may stand here, without `:-`")]
    Rule { span: Span },
    #[error("only facts may stand here, of relations that are known")]
    Declaration { span: Span },
    #[error("a fact here has numbers and strings as they are, nothing computed")]
    NotConstant { span: Span },
    #[error("{reason}")]
    Unfit { reason: String, span: Span },
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    Error,
    Warning,
}

/// Any of the stages' errors.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Diagnostic {
    #[error(transparent)]
    Lex(#[from] LexError),
    #[error(transparent)]
    Parse(#[from] ParseError),
    #[error(transparent)]
    Load(#[from] LoadError),
    #[error(transparent)]
    Type(#[from] TypeError),
    #[error(transparent)]
    Binding(#[from] BindingError),
    #[error(transparent)]
    Strata(#[from] StrataError),
    #[error(transparent)]
    Ground(#[from] GroundError),
}

impl Diagnostic {
    /// Warnings do not stop a program from running.
    pub fn severity(&self) -> Severity {
        match self {
            Diagnostic::Binding(BindingError::Singleton { .. }) | Diagnostic::Load(LoadError::NotCompiled { .. }) => {
                Severity::Warning
            }
            _ => Severity::Error,
        }
    }

    /// The place to show.
    pub fn span(&self) -> Span {
        match self {
            Diagnostic::Lex(error) => error.span(),
            Diagnostic::Parse(error) => error.span(),
            Diagnostic::Load(error) => error.span(),
            Diagnostic::Type(error) => error.span(),
            Diagnostic::Binding(error) => error.span(),
            Diagnostic::Strata(error) => error.span(),
            Diagnostic::Ground(error) => error.span(),
        }
    }

    /// A second place that explains the first, with what to say there.
    pub fn related(&self) -> Option<(Span, String)> {
        match self {
            Diagnostic::Type(TypeError::DuplicateType { first, .. } | TypeError::DuplicateRelation { first, .. }) => {
                Some((*first, "first declared here".to_owned()))
            }
            Diagnostic::Type(
                TypeError::Arity { declared, .. }
                | TypeError::DerivedInput { declared, .. }
                | TypeError::DerivedBuiltIn { declared, .. },
            ) => Some((*declared, "declared here".to_owned())),
            Diagnostic::Type(TypeError::Conflict { first, first_type, .. }) => {
                Some((*first, format!("here it is a `{first_type}`")))
            }
            _ => None,
        }
    }
}

macro_rules! spans {
    ($($stage:ident: $($variant:ident)*;)*) => {
        $(impl $stage {
            /// The place to show.
            pub fn span(&self) -> Span {
                match self { $(Self::$variant { span, .. })|* => *span }
            }
        })*
    };
}

spans! {
    LexError: UnexpectedCharacter UnterminatedString UnterminatedComment NumberOutOfRange MalformedNumber Float
        UnknownEscape UnknownPragma FileTooLarge;
    ParseError: Expected TooDeep UnknownDirective Unsupported UnknownFunctor FunctorArity StrayPragma
        SecondExecutor;
    LoadError: Unreadable Cycle TooDeep TooMany NotCompiled;
    TypeError: DuplicateType DuplicateRelation RedeclaredBase UnknownType CyclicType SubtypeOfRecord DuplicateColumn
        TooManyColumns StoredElement StoredArity UnknownRelation Arity DerivedInput DerivedBuiltIn Conflict Mismatch Operand
        UntypedRecord RecordArity ConstantRange;
    BindingError: Unbound Wildcard VariableInFact UnboundInAggregate UnboundGroup AggregateInHead NestedAggregate
        Singleton;
    StrataError: Negation Aggregate;
    GroundError: Rule Declaration NotConstant Unfit;
}

fn did_you_mean(suggestion: &Option<String>) -> String {
    suggestion.as_ref().map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}

fn did_you_mean_or_declare(suggestion: &Option<String>) -> String {
    match suggestion {
        Some(_) => did_you_mean(suggestion),
        None => "; a relation of your own needs a `.decl`".to_owned(),
    }
}

/// The candidate closest to `name`, if it is close enough to be a slip of the pen: at most a third of its
/// letters inserted, deleted or replaced. Ties go to the first in order of name.
///
/// See: V. Levenshtein, Binary codes capable of correcting deletions, insertions, and reversals.
pub fn closest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<String> {
    let limit = (name.chars().count() / 3).clamp(1, 4);
    candidates
        .filter(|candidate| *candidate != name)
        .map(|candidate| (edit_distance(name, candidate, limit), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, candidate)| candidate.to_owned())
}

/// The edit distance of two names, or something above `limit` when their lengths alone exceed it.
fn edit_distance(left: &str, right: &str, limit: usize) -> usize {
    let right: Vec<char> = right.chars().collect();
    let left: Vec<char> = left.chars().collect();
    if left.len().abs_diff(right.len()) > limit {
        return limit + 1;
    }
    let mut previous: Vec<usize> = (0..=right.len()).collect();
    for (row, l) in left.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, r) in right.iter().enumerate() {
            let replaced = previous[column] + usize::from(l != r);
            current.push(replaced.min(previous[column + 1] + 1).min(current[column] + 1));
        }
        previous = current;
    }
    previous[right.len()]
}
