//! Files that hold nothing but facts of relations that a schema declares.
use super::ast::{Program, TermKind};
use super::error::{Diagnostic, GroundError, Severity};
use super::load::{Loader, check_loaded, load};
use super::text::Span;

/// What stands in a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Constant {
    Number(i64),
    Symbol(String),
}

/// A fact, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    pub relation: String,
    /// As many as the relation has columns, of its columns' types.
    pub arguments: Vec<Constant>,
    pub span: Span,
}

/// The facts in the files with these `names`, whose texts `files` gives, and what they include. `schema`: the name of the file that
/// declares their relations, or includes those that do. All that is wrong is in the diagnostics; there are no facts where one of them is
/// an error.
pub fn read_facts(schema: &str, names: &[String], files: &mut dyn Loader) -> (Vec<Fact>, Program, Vec<Diagnostic>) {
    let include = |name: &str| format!(".include \"{}\"\n", name.replace('\\', "\\\\").replace('"', "\\\""));
    let (declared, _) = load("<schema>", &include(schema), files);
    let root: String = std::iter::once(schema).chain(names.iter().map(String::as_str)).map(include).collect();
    let (mut program, mut diagnostics) = load("<facts>", &root, files);
    // The schema calls its relations inputs, which no rule may derive.
    program.inputs.clear();
    let name_of = |span: Span| &program.texts.files[span.file as usize].name;
    let is_users = |span: Span| !declared.texts.files.iter().any(|file| file.name == *name_of(span));
    let stated = program.relations.iter().map(|r| r.name.span).chain(program.types.iter().map(|t| t.name.span));
    diagnostics.extend(stated.filter(|span| is_users(*span)).map(|span| GroundError::Declaration { span }.into()));
    let mut facts = Vec::new();
    for rule in &program.rules {
        if !rule.body.is_empty() {
            diagnostics.push(GroundError::Rule { span: rule.span }.into());
            continue;
        }
        for head in &rule.heads {
            let constants = head.arguments.iter().map(|term| match &term.kind {
                TermKind::Number(value) => Ok(Constant::Number(*value)),
                TermKind::Symbol(text) => Ok(Constant::Symbol(text.clone())),
                // The language's own checks speak of these.
                TermKind::Variable(_) | TermKind::Wildcard => Err(None),
                _ => Err(Some(GroundError::NotConstant { span: term.span })),
            });
            match constants.collect::<Result<_, _>>() {
                Ok(arguments) => facts.push(Fact { relation: head.relation.text.clone(), arguments, span: head.span }),
                Err(error) => diagnostics.extend(error.map(Diagnostic::from)),
            }
        }
    }
    let diagnostics = check_loaded(&program, diagnostics);
    if diagnostics.iter().any(|diagnostic| diagnostic.severity() == Severity::Error) {
        facts.clear();
    }
    (facts, program, diagnostics)
}
