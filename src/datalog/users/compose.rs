//! Users' files and queries, with everything that is built in, as one checked program.
use super::declare::declare_heads;
use super::private::make_private;
use crate::datalog::language::ast::{Executor, Name, Program, Term, TermKind};
use crate::datalog::language::error::{Diagnostic, LoadError, Severity, TypeError};
use crate::datalog::language::load::{Loader, check_loaded, load};
use crate::datalog::language::resolve::Scope;
use crate::datalog::language::text::Span;
use crate::datalog::language::{binding, core, lower};
use crate::datalog::programs::FILES;
use crate::datalog::source::{Rejected, built_in};
use std::collections::BTreeSet;

/// Where rules come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceKind {
    /// A file: relations are declared, findings (`find_...`) and candidates (`candidate_...`) need not be.
    File,
    /// A query: rules whose relations need no declaration, or the body of one alone.
    Query,
}

/// A text of rules.
#[derive(Clone, Debug)]
pub struct Source {
    /// For messages; for a file, its path, which includes are relative to.
    pub name: String,
    pub text: String,
    pub kind: SourceKind,
}

/// How the names of relations begin that are results: findings, and candidates for invariants.
const RESULTS: [&str; 2] = ["find_", "candidate_"];

/// The relation of a query that is the body of a rule alone.
pub const ANSWER: &str = "answer";

/// A program of built-in and users' rules, ready to run.
pub struct Composed {
    pub ast: Program,
    pub scope: Scope,
    pub program: core::Program,
    /// Warnings, all in the users' texts.
    pub warnings: Vec<Diagnostic>,
}

/// Puts `sources` on top of the built-in declarations and rules. `read` gives the text of files that are included.
pub fn compose(
    sources: &[Source],
    read: &mut dyn FnMut(&str) -> Result<String, String>,
) -> Result<Composed, Box<Rejected>> {
    let mut texts: Vec<Source> = sources.to_vec();
    let mut bare = BTreeSet::new();
    for source in texts.iter_mut().filter(|source| source.kind == SourceKind::Query) {
        if complete(source) {
            bare.insert(source.name.clone());
        }
    }
    let root: String =
        FILES.iter().map(|file| file.path).chain(texts.iter().map(|s| s.name.as_str())).map(include).collect();
    let mut loader = Layers { sources: &texts, read };
    let (mut ast, mut diagnostics) = load("<all>", &root, &mut loader);
    name_answers(&mut ast, &bare);
    make_private(&mut ast);
    let queries: BTreeSet<&str> =
        texts.iter().filter(|s| s.kind == SourceKind::Query).map(|s| s.name.as_str()).collect();
    let may_declare = |program: &Program, name: &Name| {
        let file = file_of(program, name.span);
        let is_result = RESULTS.iter().any(|prefix| name.text.starts_with(prefix));
        !is_built_in(file) && (is_result || queries.contains(file))
    };
    declare_heads(&mut ast, &may_declare);
    diagnostics.extend(derived_built_ins(&ast));
    diagnostics.extend(never_compiled(&ast));
    let diagnostics = without_consequences(&ast, check_loaded(&ast, diagnostics), &may_declare);
    if diagnostics.iter().any(|diagnostic| diagnostic.severity() == Severity::Error) {
        return Err(Box::new(Rejected { program: ast, diagnostics }));
    }
    let (scope, _) = Scope::of(&ast);
    let program = lower::lower(&ast);
    Ok(Composed { ast, scope, program, warnings: diagnostics })
}

fn include(path: &str) -> String {
    format!(".include \"{}\"\n", path.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Makes a rule of a query that is the body of one, and says so.
fn complete(source: &mut Source) -> bool {
    let text = source.text.trim();
    // Where a bracket is missing, the mistake is told at the end of what was typed.
    let stop = if text.ends_with('.') || is_open(text) { "" } else { "." };
    let bare = !text.contains(":-") && !text.starts_with('.');
    source.text = if bare { format!("{ANSWER}() :- {text}{stop}\n") } else { format!("{text}{stop}\n") };
    bare
}

/// Whether a bracket of `text` is not closed.
fn is_open(text: &str) -> bool {
    let outside = text.split('"').step_by(2);
    let depth = |bracket: char| match bracket {
        '(' | '[' | '{' => 1,
        ')' | ']' | '}' => -1,
        _ => 0,
    };
    outside.flat_map(str::chars).map(depth).sum::<i32>() > 0
}

/// Gives the rules made by [`complete`] their columns: the variables of the body, in the order they are met.
fn name_answers(program: &mut Program, bare: &BTreeSet<String>) {
    let files: Vec<bool> = program.texts.files.iter().map(|file| bare.contains(&file.name)).collect();
    for rule in program.rules.iter_mut().filter(|rule| files[rule.span.file as usize]) {
        let bound = binding::outer_variables(&[], &rule.body);
        let mut seen = BTreeSet::new();
        let mut arguments = Vec::new();
        for term in rule.body.iter().flat_map(|literal| literal.terms()) {
            term.walk(&mut |term: &Term| {
                if let TermKind::Variable(name) = &term.kind
                    && bound.contains(name)
                    && seen.insert(name.clone())
                {
                    arguments.push(term.clone());
                }
            });
        }
        if let Some(head) = rule.heads.first_mut() {
            head.arguments = arguments;
        }
    }
}

/// Relations that could not be declared for a mistake in the rules for them are not reported beside that mistake.
fn without_consequences(
    program: &Program,
    diagnostics: Vec<Diagnostic>,
    may_declare: &dyn Fn(&Program, &Name) -> bool,
) -> Vec<Diagnostic> {
    let heads: BTreeSet<&str> = program
        .rules
        .iter()
        .flat_map(|rule| &rule.heads)
        .filter(|head| may_declare(program, &head.relation))
        .map(|head| head.relation.text.as_str())
        .collect();
    let follows = |diagnostic: &Diagnostic| matches!(diagnostic, Diagnostic::Type(TypeError::UnknownRelation { name, .. }) if heads.contains(name.as_str()));
    let is_error = |diagnostic: &Diagnostic| diagnostic.severity() == Severity::Error;
    let explained = diagnostics.iter().any(|diagnostic| is_error(diagnostic) && !follows(diagnostic));
    diagnostics.into_iter().filter(|diagnostic| !(explained && follows(diagnostic))).collect()
}

/// Rules of users for relations that are built in: those mean the same for everyone.
fn derived_built_ins(program: &Program) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for head in program.rules.iter().filter(|r| !is_built_in(file_of(program, r.span))).flat_map(|r| &r.heads) {
        let Name { text: name, span } = head.relation.clone();
        let declared = program.relations.iter().find(|decl| decl.name.text == name).map(|decl| decl.name.span);
        let input = program.inputs.iter().any(|input| input.text == name);
        if let Some(declared) = declared.filter(|d| is_built_in(file_of(program, *d)) && !input) {
            found.push(TypeError::DerivedBuiltIn { name, span, declared }.into());
        }
    }
    found
}

/// Pragmas of users that ask for what only built-in programs have.
fn never_compiled(program: &Program) -> impl Iterator<Item = Diagnostic> {
    let asked = program.executors.iter().filter(|(executor, _)| *executor == Executor::Ascent);
    let users = asked.filter(|(_, span)| !is_built_in(file_of(program, *span)));
    users.map(|(_, span)| LoadError::NotCompiled { span: *span }.into())
}

/// The file a span lies in, as includes resolved it.
pub fn file_of(program: &Program, span: Span) -> &str {
    program.texts.files.get(span.file as usize).map_or("", |file| file.name.as_str())
}

/// Was the file of this name compiled in?
pub fn is_built_in(file: &str) -> bool {
    FILES.iter().any(|known| known.path == file)
}

/// The sources, then what is built in, then files.
struct Layers<'a> {
    sources: &'a [Source],
    read: &'a mut dyn FnMut(&str) -> Result<String, String>,
}

impl Loader for Layers<'_> {
    fn canonical(&self, path: &str) -> String {
        let from_root = ["facts/", "rules/"].iter().filter_map(|root| Some(&path[path.rfind(root)?..]));
        from_root.into_iter().find(|path| is_built_in(path)).unwrap_or(path).to_owned()
    }

    fn read(&mut self, path: &str) -> Result<String, String> {
        if let Some(source) = self.sources.iter().find(|source| source.name == path) {
            return Ok(source.text.clone());
        }
        built_in(path).or_else(|_| (self.read)(path))
    }
}
