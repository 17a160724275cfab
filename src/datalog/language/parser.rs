//! Tokens to syntax trees, by recursive descent with bounded depth. After an error it goes on with the next clause.
use super::ast::*;
use super::error::{Diagnostic, ParseError, closest};
use super::lexer::{Token, TokenKind, lex};
use super::text::Span;

/// No term, aggregate or parenthesis nests deeper, so that no later recursion over a tree can exhaust the stack.
pub const DEEPEST: usize = 64;

/// A clause of a file, in order.
#[derive(Clone, Debug)]
pub enum Clause {
    Type(TypeDecl),
    Relation(RelationDecl),
    Input(Vec<Name>),
    Output(Vec<Name>),
    /// What runs the program; stands in front of an output.
    Executor(Executor, Span),
    Include(Name),
    Once,
    Rule(Rule),
}

/// Parses one file. What could not be parsed is left out and reported.
pub fn parse(file: u32, text: &str) -> (Vec<Clause>, Vec<Diagnostic>) {
    let (tokens, errors) = lex(file, text);
    let mut parser = Parser { tokens, at: 0, errors: errors.into_iter().map(Diagnostic::from).collect() };
    let mut clauses = Vec::new();
    let mut executor = None;
    while parser.peek().kind != TokenKind::End {
        if let Some((chosen, span)) = parser.pragmas() {
            match executor.replace(chosen) {
                None => clauses.push(Clause::Executor(chosen, span)),
                Some(_) => parser.errors.push(ParseError::SecondExecutor { span }.into()),
            }
        }
        match parser.clause() {
            Ok(clause) => clauses.push(clause),
            Err(error) => {
                parser.errors.push(error.into());
                parser.recover();
            }
        }
    }
    (clauses, parser.errors)
}

type Parsed<T> = Result<T, ParseError>;

/// A term and the height of its tree.
struct Tall {
    term: Term,
    height: usize,
}

/// Binary operators by precedence, loosest first; all associate to the left.
const LEVELS: [&[(&str, Functor)]; 6] = [
    &[("bor", Functor::BitOr)],
    &[("bxor", Functor::BitXor)],
    &[("band", Functor::BitAnd)],
    &[("bshl", Functor::ShiftLeft), ("bshr", Functor::ShiftRight)],
    &[("+", Functor::Add), ("-", Functor::Subtract)],
    &[("*", Functor::Multiply), ("/", Functor::Divide), ("%", Functor::Remainder)],
];

/// Functors written as calls, with the least and largest number of arguments.
const CALLS: [(&str, Functor, usize, usize, &str); 8] = [
    ("min", Functor::Min, 2, 2, "two"),
    ("max", Functor::Max, 2, 2, "two"),
    ("cat", Functor::Cat, 2, 64, "two to 64"),
    ("strlen", Functor::Strlen, 1, 1, "one"),
    ("substr", Functor::Substr, 3, 3, "three"),
    ("to_string", Functor::ToString, 1, 1, "one"),
    ("to_number", Functor::ToNumber, 1, 1, "one"),
    ("ord", Functor::Ord, 1, 1, "one"),
];

const OPERATOR_WORDS: [&str; 6] = ["bor", "bxor", "band", "bshl", "bshr", "bnot"];

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    errors: Vec<Diagnostic>,
}

impl Parser {
    fn peek(&self) -> &Token {
        &self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn peek_ahead(&self) -> &TokenKind {
        &self.tokens[(self.at + 1).min(self.tokens.len() - 1)].kind
    }

    fn next(&mut self) -> Token {
        let token = self.peek().clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn previous_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    fn is(&self, punctuation: &str) -> bool {
        matches!(self.peek().kind, TokenKind::Punctuation(found) if found == punctuation)
    }

    fn eat(&mut self, punctuation: &str) -> bool {
        let found = self.is(punctuation);
        if found {
            self.next();
        }
        found
    }

    fn need(&mut self, punctuation: &str) -> Parsed<Span> {
        if self.is(punctuation) { Ok(self.next().span) } else { Err(self.expected(&format!("`{punctuation}`"))) }
    }

    fn expected(&self, expected: &str) -> ParseError {
        let token = self.peek();
        let unsupported = |construct, instead| ParseError::Unsupported { construct, instead, span: token.span };
        let found = match &token.kind {
            TokenKind::Punctuation(";") => return unsupported("disjunction", "write one rule for each case"),
            TokenKind::Punctuation("|") => return unsupported("a union type", "declare a common supertype"),
            TokenKind::Punctuation("@") => return unsupported("a user-defined functor", "derive a relation"),
            TokenKind::Punctuation("$") => return unsupported("an algebraic data type", "use a record or a relation"),
            TokenKind::Punctuation(text) => format!("`{text}`"),
            TokenKind::Identifier(name) => format!("`{name}`"),
            TokenKind::Directive(name) => format!("`.{name}`"),
            TokenKind::Number(value) => format!("`{value}`"),
            TokenKind::Text(_) => "a string".to_owned(),
            TokenKind::End => "the end of the file".to_owned(),
        };
        ParseError::Expected { expected: expected.to_owned(), found, span: token.span }
    }

    /// Skips past the end of the clause that failed.
    fn recover(&mut self) {
        loop {
            match &self.peek().kind {
                TokenKind::End => return,
                TokenKind::Directive(_) => return,
                TokenKind::Punctuation(".") => {
                    self.next();
                    return;
                }
                _ => {
                    self.next();
                }
            }
        }
    }

    fn name(&mut self, what: &str) -> Parsed<Name> {
        match &self.peek().kind {
            TokenKind::Identifier(text) if text != "_" => {
                let text = text.clone();
                Ok(Name { text, span: self.next().span })
            }
            _ => Err(self.expected(what)),
        }
    }

    fn names(&mut self, what: &str) -> Parsed<Vec<Name>> {
        let mut names = vec![self.name(what)?];
        while self.eat(",") {
            names.push(self.name(what)?);
        }
        Ok(names)
    }

    /// Reports pragmas that do not belong above the clause that comes now; gives the executor that one above an output names.
    fn pragmas(&mut self) -> Option<(Executor, Span)> {
        let Token { kind, pragmas, .. } = self.peek().clone();
        let before = |directive: &str| matches!(&kind, TokenKind::Directive(found) if found == directive);
        let mut stray = |name, place, span| self.errors.push(ParseError::StrayPragma { name, place, span }.into());
        if let (Some(span), false) = (pragmas.store_set, before("decl")) {
            stray("store: set", "decl", span);
        }
        if let (Some((_, span)), false) = (pragmas.executor, before("output")) {
            stray("executor", "output", span);
        }
        pragmas.executor.filter(|_| before("output"))
    }

    fn clause(&mut self) -> Parsed<Clause> {
        let first = self.peek().clone();
        let TokenKind::Directive(directive) = &first.kind else { return self.rule().map(Clause::Rule) };
        self.next();
        match directive.as_str() {
            "type" => self.type_decl(first.doc).map(Clause::Type),
            "decl" => {
                let storage = if first.pragmas.store_set.is_some() { Storage::Set } else { Storage::Rows };
                let name = self.name("a relation name")?;
                self.need("(")?;
                let columns = self.columns(")")?;
                Ok(Clause::Relation(RelationDecl { name, columns, storage, doc: first.doc }))
            }
            "input" => self.names("a relation name").map(Clause::Input),
            "output" => self.names("a relation name").map(Clause::Output),
            "once" => Ok(Clause::Once),
            "include" => match &self.peek().kind {
                TokenKind::Text(path) => {
                    let text = path.clone();
                    Ok(Clause::Include(Name { text, span: self.next().span }))
                }
                _ => Err(self.expected("a quoted path")),
            },
            _ => Err(ParseError::UnknownDirective { name: directive.clone(), span: first.span }),
        }
    }

    fn type_decl(&mut self, doc: String) -> Parsed<TypeDecl> {
        let name = self.name("a type name")?;
        let body = if self.eat("<:") {
            TypeBody::Subtype(self.name("a type name")?)
        } else if self.eat("=") {
            if !self.is("[") {
                let unsupported = |construct, instead, span| ParseError::Unsupported { construct, instead, span };
                return Err(match self.peek().kind {
                    TokenKind::Identifier(_) => {
                        unsupported("a type equation", "declare a subtype with `<:`", self.peek().span)
                    }
                    _ => self.expected("`[`"),
                });
            }
            self.next();
            TypeBody::Record(self.columns("]")?)
        } else {
            return Err(self.expected("`<:` or `=`"));
        };
        Ok(TypeDecl { name, body, doc })
    }

    fn columns(&mut self, close: &str) -> Parsed<Vec<Column>> {
        let mut columns = Vec::new();
        if self.eat(close) {
            return Ok(columns);
        }
        loop {
            let name = self.name("a column name")?;
            self.need(":")?;
            columns.push(Column { name, type_name: self.name("a type name")? });
            if self.eat(close) {
                return Ok(columns);
            }
            if !self.eat(",") {
                return Err(self.expected(&format!("`,` or `{close}`")));
            }
        }
    }

    fn rule(&mut self) -> Parsed<Rule> {
        let start = self.peek().span;
        let mut heads = vec![self.atom(0)?];
        while self.eat(",") {
            heads.push(self.atom(0)?);
        }
        let body = if self.eat(":-") { self.body(0)? } else { Vec::new() };
        if !self.is(".") {
            return Err(self.expected(if body.is_empty() { "`:-` or `.`" } else { "`,` or `.`" }));
        }
        self.next();
        Ok(Rule { heads, body, span: start.to(self.previous_span()) })
    }

    fn body(&mut self, depth: usize) -> Parsed<Vec<Literal>> {
        let mut literals = vec![self.literal(depth)?];
        while self.eat(",") {
            literals.push(self.literal(depth)?);
        }
        Ok(literals)
    }

    fn atom(&mut self, depth: usize) -> Parsed<Atom> {
        let relation = self.name("a relation name")?;
        self.need("(")?;
        let arguments = self.arguments(")", depth)?.0;
        let span = relation.span.to(self.previous_span());
        Ok(Atom { relation, arguments, span })
    }

    /// Terms up to the closing bracket, and the height of the tallest.
    fn arguments(&mut self, close: &str, depth: usize) -> Parsed<(Vec<Term>, usize)> {
        let (mut terms, mut height) = (Vec::new(), 0);
        if self.eat(close) {
            return Ok((terms, height));
        }
        loop {
            let tall = self.term(depth)?;
            height = height.max(tall.height);
            terms.push(tall.term);
            if self.eat(close) {
                return Ok((terms, height));
            }
            if !self.eat(",") {
                return Err(self.expected(&format!("`,` or `{close}`")));
            }
        }
    }

    fn literal(&mut self, depth: usize) -> Parsed<Literal> {
        let start = self.peek().span;
        let negated = self.eat("!");
        let called = *self.peek_ahead() == TokenKind::Punctuation("(");
        if let (TokenKind::Identifier(name), true) = (&self.peek().kind, called) {
            let test = match name.as_str() {
                "contains" => Some(("contains", TextTest::Contains)),
                "match" => Some(("match", TextTest::Match)),
                _ => None,
            };
            if let Some((name, test)) = test {
                self.next();
                self.next();
                let terms = self.arguments(")", depth)?.0;
                let span = start.to(self.previous_span());
                let found = terms.len();
                let arguments = <[Term; 2]>::try_from(terms).map_err(|_| ParseError::FunctorArity {
                    name,
                    expected: "two",
                    found,
                    span,
                })?;
                return Ok(Literal::Test { test, negated, arguments, span });
            }
            let functor =
                name == "as" || OPERATOR_WORDS.contains(&name.as_str()) || CALLS.iter().any(|(call, ..)| call == name);
            if !functor {
                let atom = self.atom(depth)?;
                if self.comparison().is_some() {
                    let suggestion = closest(&atom.relation.text, CALLS.iter().map(|(call, ..)| *call));
                    let name = atom.relation.text;
                    return Err(ParseError::UnknownFunctor { name, suggestion, span: atom.relation.span });
                }
                return Ok(if negated { Literal::Negative(atom) } else { Literal::Positive(atom) });
            }
        }
        if negated {
            return Err(self.expected("an atom, `contains` or `match` after `!`"));
        }
        let left = self.term(depth)?.term;
        let Some(op) = self.comparison() else {
            return Err(self.expected("a comparison"));
        };
        self.next();
        Ok(Literal::Compare { op, left, right: self.term(depth)?.term })
    }

    /// The comparison that comes next.
    fn comparison(&self) -> Option<Comparison> {
        let TokenKind::Punctuation(found) = self.peek().kind else { return None };
        [
            Comparison::Equal,
            Comparison::NotEqual,
            Comparison::Less,
            Comparison::LessEqual,
            Comparison::Greater,
            Comparison::GreaterEqual,
        ]
        .into_iter()
        .find(|op| op.symbol() == found)
    }

    fn too_deep(&self) -> ParseError {
        ParseError::TooDeep { limit: DEEPEST, span: self.peek().span }
    }

    fn term(&mut self, depth: usize) -> Parsed<Tall> {
        self.operators(0, depth)
    }

    /// Operators of `LEVELS[level]` and tighter.
    fn operators(&mut self, level: usize, depth: usize) -> Parsed<Tall> {
        let Some(operators) = LEVELS.get(level) else { return self.unary(depth) };
        let mut left = self.operators(level + 1, depth)?;
        loop {
            let word = match &self.peek().kind {
                TokenKind::Punctuation(word) => word,
                TokenKind::Identifier(word) => word.as_str(),
                _ => return Ok(left),
            };
            let Some(&(_, functor)) = operators.iter().find(|(operator, _)| *operator == word) else {
                return Ok(left);
            };
            self.next();
            let right = self.operators(level + 1, depth)?;
            let span = left.term.span.to(right.term.span);
            let height = left.height.max(right.height) + 1;
            if height > DEEPEST {
                return Err(self.too_deep());
            }
            let term = Term { kind: TermKind::Apply(functor, vec![left.term, right.term]), span };
            left = Tall { term, height };
        }
    }

    fn unary(&mut self, depth: usize) -> Parsed<Tall> {
        if depth > DEEPEST {
            return Err(self.too_deep());
        }
        let start = self.peek().span;
        let functor = match &self.peek().kind {
            TokenKind::Punctuation("-") => Functor::Negate,
            TokenKind::Identifier(word) if word == "bnot" => Functor::BitNot,
            _ => return self.primary(depth),
        };
        self.next();
        let inner = self.unary(depth + 1)?;
        let span = start.to(inner.term.span);
        let kind = match (functor, inner.term.kind) {
            (Functor::Negate, TermKind::Number(value)) => TermKind::Number(value.wrapping_neg()),
            (_, kind) => TermKind::Apply(functor, vec![Term { kind, span: inner.term.span }]),
        };
        self.grown(Term { kind, span }, inner.height)
    }

    /// A term over subterms of the given height.
    fn grown(&self, term: Term, below: usize) -> Parsed<Tall> {
        if below + 1 > DEEPEST { Err(self.too_deep()) } else { Ok(Tall { term, height: below + 1 }) }
    }

    fn primary(&mut self, depth: usize) -> Parsed<Tall> {
        let token = self.peek().clone();
        let leaf = |kind| Ok(Tall { term: Term { kind, span: token.span }, height: 1 });
        match token.kind {
            TokenKind::Number(value) => {
                self.next();
                leaf(TermKind::Number(value))
            }
            TokenKind::Text(value) => {
                self.next();
                leaf(TermKind::Symbol(value))
            }
            TokenKind::Punctuation("(") => {
                self.next();
                let inner = self.term(depth + 1)?;
                self.need(")")?;
                Ok(inner)
            }
            TokenKind::Punctuation("[") => {
                self.next();
                let (terms, height) = self.arguments("]", depth + 1)?;
                let span = token.span.to(self.previous_span());
                self.grown(Term { kind: TermKind::Record(terms), span }, height)
            }
            TokenKind::Identifier(ref word) => self.word(word.clone(), token.span, depth),
            _ => Err(self.expected("a term")),
        }
    }

    fn word(&mut self, word: String, span: Span, depth: usize) -> Parsed<Tall> {
        let called = *self.peek_ahead() == TokenKind::Punctuation("(");
        let aggregate = match word.as_str() {
            "count" => Some(AggregateKind::Count),
            "sum" => Some(AggregateKind::Sum),
            "min" if !called => Some(AggregateKind::Min),
            "max" if !called => Some(AggregateKind::Max),
            _ => None,
        };
        if let Some(kind) = aggregate {
            return self.aggregate(kind, depth);
        }
        if OPERATOR_WORDS.contains(&word.as_str()) {
            return Err(self.expected("a term"));
        }
        self.next();
        if !called {
            let kind = if word == "_" { TermKind::Wildcard } else { TermKind::Variable(word) };
            return Ok(Tall { term: Term { kind, span }, height: 1 });
        }
        self.next();
        if word == "as" {
            let inner = self.term(depth + 1)?;
            self.need(",")?;
            let target = self.name("a type name")?;
            self.need(")")?;
            let span = span.to(self.previous_span());
            return self.grown(Term { kind: TermKind::Cast(Box::new(inner.term), target), span }, inner.height);
        }
        let Some(&(name, functor, least, most, expected)) = CALLS.iter().find(|(call, ..)| *call == word) else {
            let suggestion = closest(&word, CALLS.iter().map(|(call, ..)| *call));
            return Err(ParseError::UnknownFunctor { name: word, suggestion, span });
        };
        let (terms, height) = self.arguments(")", depth + 1)?;
        let span = span.to(self.previous_span());
        if !(least..=most).contains(&terms.len()) {
            return Err(ParseError::FunctorArity { name, expected, found: terms.len(), span });
        }
        self.grown(Term { kind: TermKind::Apply(functor, terms), span }, height)
    }

    fn aggregate(&mut self, kind: AggregateKind, depth: usize) -> Parsed<Tall> {
        let start = self.next().span;
        if depth + 1 > DEEPEST {
            return Err(self.too_deep());
        }
        let value = if kind == AggregateKind::Count { None } else { Some(self.term(depth + 1)?.term) };
        self.need(":")?;
        self.need("{")?;
        let body = self.body(depth + 1)?;
        self.need("}")?;
        let span = start.to(self.previous_span());
        let aggregate = Aggregate { kind, value, body, span };
        // Aggregates nest through bodies, whose depth the recursion above bounds.
        Ok(Tall { term: Term { kind: TermKind::Aggregate(Box::new(aggregate)), span }, height: 1 })
    }
}
