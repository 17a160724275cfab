//! Preprocessed text to lang-c syntax trees, one external declaration at a time.
//!
//! lang-c parses whole translation units and keeps its table of type names to itself. So each declaration is parsed as a unit of
//! its own, behind `typedef int NAME;` for the type names that it uses: one that cannot be parsed costs no other, and
//! lang-c's memory is bounded by the longest declaration.

use super::attributes::PackState;
use super::left_out::{LeftOut, declared_names};
use super::lines::LineMap;
use super::literals::text_of;
use super::nesting::too_deep;
use super::parallel::{self, STACK_BYTES};
use super::preprocess::PreprocessedUnit;
use super::sanitize::{MAX_PIECES, Piece, RecordAttributes, is_type_keyword, sanitize};
use super::split::{Chunk, split};
use super::tokens::{Token, TokenKind, Tokens, tokenize};
use crate::base::{Diagnostic, Severity, SourceMap, Span};
use lang_c::ast::{
    Attribute, Declaration, DeclarationSpecifier, Declarator, DeclaratorKind, Extension, ExternalDeclaration,
    StorageClassSpecifier,
};
use lang_c::driver::{Config, Flavor, parse_preprocessed};
use lang_c::span::{Node, Span as Range};
use rustc_hash::FxHashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A unit's external declarations in order, as far as they could be parsed.
#[derive(Debug)]
pub struct ParsedUnit {
    /// As the user named it.
    pub file: String,
    pub declarations: Vec<ParsedDeclaration>,
    /// Those that could not, in order.
    pub left_out: Vec<LeftOut>,
    /// What could not be parsed, and why.
    pub diagnostics: Vec<Diagnostic>,
    pub lines: LineMap,
}

/// One external declaration.
#[derive(Debug)]
pub struct ParsedDeclaration {
    pub node: Node<ExternalDeclaration>,
    /// Set when the function's body could not be parsed: the reason. `node` is then the function's definition with an
    /// empty body, good for its declaration alone.
    pub failed_body: Option<String>,
    /// Bytes of the parsed text and of the preprocessed text where tokens begin, in order.
    origins: Vec<(u32, u32)>,
    /// Attributes by the byte of the keyword (`struct`, ...) in the preprocessed text, in order.
    records: Vec<(u32, Vec<Attribute>)>,
}

impl ParsedDeclaration {
    /// The byte of the preprocessed text that byte `at` of the parsed text stands for.
    fn origin(&self, at: usize) -> u32 {
        let behind = self.origins.partition_point(|&(rendered, _)| rendered as usize <= at);
        self.origins.get(behind.saturating_sub(1)).map_or(0, |&(_, origin)| origin)
    }
}

impl ParsedUnit {
    /// Where the node of `decl` with `range` begins in the source.
    pub fn span(&self, decl: &ParsedDeclaration, range: Range) -> Span {
        if range.is_none() { Span::NONE } else { self.lines.span(decl.origin(range.start)) }
    }
    /// The attributes (`packed`, `aligned`, ...) that stand before or behind the body of the struct, union or enum specifier of
    /// `decl` whose node (`TypeSpecifier`, `StructType` or `EnumType`) has `range`. lang-c keeps none of them.
    /// Names have no underscores around them. `pragma_pack(N)` stands for a `#pragma pack` in force.
    pub fn record_attributes<'a>(&'a self, decl: &'a ParsedDeclaration, range: Range) -> &'a [Attribute] {
        let keyword = decl.origin(range.start);
        match decl.records.binary_search_by_key(&keyword, |(k, _)| *k) {
            Ok(at) => &decl.records[at].1,
            Err(_) => &[],
        }
    }
}

/// Runs `work` on a stack that holds any recursion over the syntax trees of this module.
pub fn with_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
        match worker.expect("a thread can be started").join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// Parses the units with up to `jobs` threads; results in the units' order.
pub fn parse_units(units: &[PreprocessedUnit], jobs: usize, sources: &mut SourceMap) -> Vec<ParsedUnit> {
    let parsed = parallel::map(units, jobs, parse_unit);
    parsed.into_iter().map(|raw| raw.finish(sources)).collect()
}

/// A parsed unit whose positions are bytes still.
struct RawUnit {
    unit: ParsedUnit,
    messages: Vec<(u32, Diagnostic)>,
}

impl RawUnit {
    fn finish(mut self, sources: &mut SourceMap) -> ParsedUnit {
        self.unit.lines.intern(sources);
        for (offset, mut diagnostic) in self.messages {
            diagnostic.span = self.unit.lines.span(offset);
            self.unit.diagnostics.push(diagnostic);
        }
        self.unit
    }
}

fn parse_unit(unit: &PreprocessedUnit) -> RawUnit {
    let text = text_of(&unit.text);
    let Tokens { tokens, pragmas, lines } = tokenize(&text, &unit.file);
    let mut parser = Parser {
        text: &text,
        tokens: &tokens,
        type_names: ["__cellog_int128", "__cellog_uint128"].map(str::to_owned).into_iter().collect(),
        packing: packing(&pragmas),
        declarations: Vec::new(),
        left_out: Vec::new(),
        messages: Vec::new(),
    };
    for chunk in split(&text, &tokens) {
        parser.parse_chunk(&chunk);
    }
    if tokens.is_empty() {
        let message = "the file holds no declaration";
        parser.messages.push((0, Diagnostic::new(Severity::Warning, Span::NONE, message)));
    }
    let Parser { declarations, left_out, messages, .. } = parser;
    let (file, diagnostics) = (unit.file.clone(), unit.diagnostics.clone());
    RawUnit { unit: ParsedUnit { file, declarations, left_out, diagnostics, lines }, messages }
}

/// The limits of `#pragma pack`, each from a byte on.
fn packing(pragmas: &[(u32, String)]) -> Vec<(u32, u32)> {
    let mut state = PackState::default();
    let limits = pragmas.iter().map(|(offset, text)| {
        state.pragma(text);
        (*offset, state.current())
    });
    limits.collect()
}

struct Parser<'a> {
    text: &'a str,
    tokens: &'a [Token],
    /// Of file scope, so far.
    type_names: FxHashSet<String>,
    packing: Vec<(u32, u32)>,
    declarations: Vec<ParsedDeclaration>,
    left_out: Vec<LeftOut>,
    messages: Vec<(u32, Diagnostic)>,
}

/// Why a declaration could not be parsed, and at which byte of the preprocessed text.
struct Failure {
    origin: u32,
    message: String,
}

impl Parser<'_> {
    fn word(&self, i: usize) -> &str {
        self.tokens[i].text(self.text)
    }

    fn parse_chunk(&mut self, chunk: &Chunk) {
        let range = chunk.tokens.clone();
        if range.len() == 1 && self.word(range.start) == ";" {
            // GNU C allows it.
            return;
        }
        if matches!(self.word(range.start), "asm" | "__asm" | "__asm__") {
            let warning = Diagnostic::warning(Span::NONE, "file-scope assembly is ignored");
            self.messages.push((self.tokens[range.start].start, warning));
            return;
        }
        let failure = match &chunk.problem {
            Some((at, message)) => Failure { origin: self.tokens[*at].start, message: message.clone() },
            None => match self.parse_tokens(range.clone(), chunk.body.is_some(), "") {
                Ok(parsed) => return self.accept(parsed),
                Err(failure) => failure,
            },
        };
        // The head of a function whose body is lost still declares it.
        let head = match chunk.body {
            Some(body) => self.parse_tokens(range.start..body, true, "{ }"),
            None => Err(Failure { origin: 0, message: String::new() }),
        };
        let message = match head {
            Ok(mut parsed) => {
                let reason = format!("cannot parse the body: {}", failure.message);
                for declaration in &mut parsed {
                    declaration.failed_body = Some(reason.clone());
                }
                let name = parsed.iter().find_map(function_name).unwrap_or_default();
                self.accept(parsed);
                format!("cannot parse the body of `{name}`: {}", failure.message)
            }
            Err(_) => {
                self.guess_type_name(chunk);
                self.left_out.push(LeftOut {
                    before: self.declarations.len(),
                    names: declared_names(self.text, self.tokens, chunk),
                    is_definition: chunk.body.is_some(),
                });
                format!("cannot parse this declaration: {}", failure.message)
            }
        };
        let begin = self.tokens[range.start].start;
        let mut diagnostic = Diagnostic::error(Span::NONE, message);
        if begin == failure.origin {
            diagnostic.help = Some("the declaration is left out; all others are analysed".into());
        }
        self.messages.push((failure.origin, diagnostic));
    }

    fn accept(&mut self, parsed: Vec<ParsedDeclaration>) {
        for declaration in parsed {
            if let ExternalDeclaration::Declaration(d) = &declaration.node.node {
                self.type_names.extend(declared_type_names(&d.node));
            }
            self.declarations.push(declaration);
        }
    }

    /// The name that a `typedef` which cannot be parsed most likely declares, so that its uses parse.
    fn guess_type_name(&mut self, chunk: &Chunk) {
        let range = chunk.tokens.clone();
        if self.word(range.start) != "typedef" {
            return;
        }
        let is_name = |i: usize| self.tokens[i].kind == TokenKind::Word && !is_type_keyword(self.word(i));
        let pointer = range.clone().skip(2).find(|&i| self.word(i - 2) == "(" && self.word(i - 1) == "*" && is_name(i));
        let last = || range.clone().rev().find(|&i| is_name(i));
        if let Some(name) = pointer.or_else(last).map(|i| self.word(i).to_owned()) {
            self.type_names.insert(name);
        }
    }

    /// Parses the declaration of these tokens with `tail` behind.
    fn parse_tokens(
        &self,
        range: std::ops::Range<usize>,
        has_body: bool,
        tail: &'static str,
    ) -> Result<Vec<ParsedDeclaration>, Failure> {
        let tokens = &self.tokens[range.clone()];
        let first = tokens.first().map_or(0, |t| t.start);
        let is_type = |word: &str| is_type_keyword(word) || self.type_names.contains(word);
        if let Some((at, message)) = too_deep(self.text, tokens, &is_type) {
            return Err(Failure { origin: tokens[at].start, message });
        }
        let packing = |offset: u32| {
            let behind = self.packing.partition_point(|&(from, _)| from <= offset);
            behind.checked_sub(1).map_or(0, |i| self.packing[i].1)
        };
        let sanitized = sanitize(self.text, tokens, has_body, &is_type, &packing);
        if sanitized.pieces.len() > MAX_PIECES {
            return Err(Failure { origin: first, message: "the declaration is too long".into() });
        }
        if sanitized.pieces.is_empty() {
            return Ok(Vec::new());
        }
        let prefix = self.typedefs(&sanitized.pieces);
        let mut source = prefix.clone();
        let mut origins = vec![(0, first)];
        for piece in &sanitized.pieces {
            origins.push((source.len() as u32, piece.origin));
            source.push_str(&piece.text);
            source.push(' ');
        }
        source.push_str(tail);
        let failure = |offset: usize, text: &str| {
            let rest = text.get(offset..).unwrap_or("").trim_start();
            let offset = text.len() - rest.len();
            let behind = origins.partition_point(|&(rendered, _)| rendered as usize <= offset);
            let origin = origins[behind.saturating_sub(1)].1;
            let token = rest.split(' ').next().unwrap_or("");
            let short: String = token.chars().take(40).collect();
            let message = if short.is_empty() { "it ends too early".into() } else { format!("unexpected `{short}`") };
            Failure { origin, message }
        };
        let nodes = match parse_text(source) {
            Ok(nodes) => nodes,
            Err(ParseFailure::Syntax(error)) => return Err(failure(error.offset, &error.source)),
            Err(ParseFailure::Panic) => {
                return Err(Failure { origin: first, message: "the parser gave up on it".into() });
            }
        };
        let records: Vec<_> = sanitized.records.iter().map(|r| (r.keyword, self.parse_attributes(r))).collect();
        let declarations = nodes.into_iter().skip(usize::from(!prefix.is_empty())).map(|node| ParsedDeclaration {
            node,
            failed_body: None,
            origins: origins.clone(),
            records: records.clone(),
        });
        Ok(declarations.collect())
    }

    /// A `typedef` of the type names among `pieces`, or nothing.
    fn typedefs(&self, pieces: &[Piece]) -> String {
        let mut names: Vec<&str> = pieces
            .iter()
            .filter(|p| p.kind == TokenKind::Word)
            .map(|p| &*p.text)
            .filter(|w| self.type_names.contains(*w))
            .collect();
        names.sort_unstable();
        names.dedup();
        if names.is_empty() { String::new() } else { format!("typedef int {};\n", names.join(",")) }
    }

    fn parse_attributes(&self, record: &RecordAttributes) -> Vec<Attribute> {
        let tokens = tokenize(&record.list, "").tokens;
        let pieces: Vec<Piece> =
            tokens.iter().map(|t| Piece { text: t.text(&record.list).into(), kind: t.kind, origin: 0 }).collect();
        let prefix = self.typedefs(&pieces);
        let source = format!("{prefix}int x __attribute__(({}));", record.list);
        let Ok(nodes) = parse_text(source) else { return Vec::new() };
        let extensions = nodes.into_iter().last().map(|node| match node.node {
            ExternalDeclaration::Declaration(d) => {
                d.node.declarators.into_iter().flat_map(|d| d.node.declarator.node.extensions).collect()
            }
            _ => Vec::new(),
        });
        let attribute = |e: Node<Extension>| match e.node {
            Extension::Attribute(a) => Some(a),
            _ => None,
        };
        extensions.unwrap_or_default().into_iter().filter_map(attribute).collect()
    }
}

enum ParseFailure {
    Syntax(lang_c::driver::SyntaxError),
    Panic,
}

/// The external declarations of `source`, which is preprocessed and sanitized.
fn parse_text(source: String) -> Result<Vec<Node<ExternalDeclaration>>, ParseFailure> {
    let config = Config { cpp_command: String::new(), cpp_options: Vec::new(), flavor: Flavor::GnuC11 };
    // lang-c indexes and slices without checks in places; its panic must not end the analysis of other declarations.
    match catch_unwind(AssertUnwindSafe(|| parse_preprocessed(&config, source))) {
        Ok(Ok(parse)) => Ok(parse.unit.0),
        Ok(Err(error)) => Err(ParseFailure::Syntax(error)),
        Err(_) => Err(ParseFailure::Panic),
    }
}

/// The names that a `typedef` declares.
fn declared_type_names(declaration: &Declaration) -> Vec<String> {
    let is_typedef = |s: &Node<DeclarationSpecifier>| match &s.node {
        DeclarationSpecifier::StorageClass(c) => c.node == StorageClassSpecifier::Typedef,
        _ => false,
    };
    if !declaration.specifiers.iter().any(is_typedef) {
        return Vec::new();
    }
    declaration.declarators.iter().filter_map(|d| declarator_name(&d.node.declarator.node)).collect()
}

fn declarator_name(declarator: &Declarator) -> Option<String> {
    match &declarator.kind.node {
        DeclaratorKind::Abstract => None,
        DeclaratorKind::Identifier(name) => Some(name.node.name.clone()),
        DeclaratorKind::Declarator(inner) => declarator_name(&inner.node),
    }
}

fn function_name(declaration: &ParsedDeclaration) -> Option<String> {
    match &declaration.node.node {
        ExternalDeclaration::FunctionDefinition(f) => declarator_name(&f.node.declarator.node),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
