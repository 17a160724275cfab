//! Preprocessed text to lang-c syntax trees, one external declaration at a time.

use super::preprocess::PreprocessedUnit;
use crate::base::{Diagnostic, SourceMap, Span};
use lang_c::ast::{Attribute, ExternalDeclaration};
use lang_c::span::{Node, Span as Range};

/// A unit's external declarations in order, as far as they could be parsed.
#[derive(Debug)]
pub struct ParsedUnit {
    /// As the user named it.
    pub file: String,
    pub declarations: Vec<ParsedDeclaration>,
    /// What could not be parsed, and why.
    pub diagnostics: Vec<Diagnostic>,
}

/// One external declaration.
#[derive(Debug)]
pub struct ParsedDeclaration {
    pub node: Node<ExternalDeclaration>,
    /// Set when the function's body could not be parsed: the reason. `node` is then the function's definition with an
    /// empty body, good for its declaration alone.
    pub failed_body: Option<String>,
}

impl ParsedUnit {
    /// Where the node of `decl` with `range` begins in the source.
    pub fn span(&self, _decl: &ParsedDeclaration, _range: Range) -> Span {
        Span::NONE
    }
    /// The attributes (`packed`, `aligned`, ...) that stand before or behind the body of the struct, union or enum specifier of
    /// `decl` whose node (`TypeSpecifier`, `StructType` or `EnumType`) has `range`. lang-c keeps none of them.
    /// Names have no underscores around them.
    pub fn record_attributes(&self, _decl: &ParsedDeclaration, _range: Range) -> &[Attribute] {
        &[]
    }
}

/// Parses the units with up to `jobs` threads; results in the units' order.
pub fn parse_units(_units: &[PreprocessedUnit], _jobs: usize, _sources: &mut SourceMap) -> Vec<ParsedUnit> {
    Vec::new()
}
