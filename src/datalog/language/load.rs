//! A file with everything it includes, and the whole front half in one call.
use super::ast::Program;
use super::error::{Diagnostic, LoadError, Severity};
use super::parser::{Clause, parse};
use super::text::Span;
use super::{binding, resolve, strata, types};
use std::collections::BTreeSet;

/// Includes nested deeper are refused.
const DEEPEST_INCLUDE: usize = 32;
/// More files than this are refused.
const MOST_FILES: usize = 4096;

/// Where included files come from: paths as [`join`] makes them, to their text or the reason there is none.
pub trait Loader {
    fn read(&mut self, path: &str) -> Result<String, String>;

    /// The path under which a file is known that may be reached by several.
    fn canonical(&self, path: &str) -> String {
        path.to_owned()
    }
}

impl<F: FnMut(&str) -> Result<String, String>> Loader for F {
    fn read(&mut self, path: &str) -> Result<String, String> {
        self(path)
    }
}

/// Parses `text`, read from `name`, and what it includes. Checks nothing yet.
pub fn load(name: &str, text: &str, loader: &mut dyn Loader) -> (Program, Vec<Diagnostic>) {
    let mut loading =
        Loading { program: Program::default(), errors: Vec::new(), stack: Vec::new(), seen: Vec::new(), loader };
    loading.file(&normal(name), text);
    (loading.program, loading.errors)
}

/// [`load`]s and runs every check. The program may be executed only if no diagnostic is an error.
pub fn check(name: &str, text: &str, loader: &mut dyn Loader) -> (Program, Vec<Diagnostic>) {
    let (program, diagnostics) = load(name, text, loader);
    let diagnostics = check_loaded(&program, diagnostics);
    (program, diagnostics)
}

/// Runs every check on what [`load`] gave, with the `diagnostics` it gave.
pub fn check_loaded(program: &Program, mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let (scope, errors) = resolve::Scope::of(program);
    diagnostics.extend(errors.into_iter().map(Diagnostic::from));
    diagnostics.extend(types::check(program, &scope).into_iter().map(Diagnostic::from));
    diagnostics.extend(binding::check(program).into_iter().map(Diagnostic::from));
    diagnostics.extend(strata::check(program).into_iter().map(Diagnostic::from));
    // A variable that is in error anyway needs no warning too.
    let wrong: BTreeSet<Span> = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity() == Severity::Error)
        .map(Diagnostic::span)
        .collect();
    diagnostics.retain(|diagnostic| diagnostic.severity() == Severity::Error || !wrong.contains(&diagnostic.span()));
    diagnostics.sort_by_key(|diagnostic| (diagnostic.span(), diagnostic.severity(), diagnostic.to_string()));
    diagnostics.dedup();
    diagnostics
}

/// `path` as seen from the file `from`: relative to its folder, `.` and `..` taken out.
pub fn join(from: &str, path: &str) -> String {
    if path.starts_with('/') {
        return normal(path);
    }
    match from.rfind('/') {
        Some(at) => normal(&format!("{}/{path}", &from[..at])),
        None => normal(path),
    }
}

/// `path` with `.` and `..` taken out.
pub fn normal(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    format!("{}{}", if path.starts_with('/') { "/" } else { "" }, parts.join("/"))
}

struct Loading<'a> {
    program: Program,
    errors: Vec<Diagnostic>,
    /// The files being read, outermost first.
    stack: Vec<String>,
    seen: Vec<String>,
    loader: &'a mut dyn Loader,
}

impl Loading<'_> {
    fn file(&mut self, name: &str, text: &str) {
        self.stack.push(name.to_owned());
        self.seen.push(name.to_owned());
        let file = self.program.texts.add(name, text);
        let (clauses, errors) = parse(file, text);
        self.errors.extend(errors);
        for clause in clauses {
            match clause {
                Clause::Type(decl) => self.program.types.push(decl),
                Clause::Relation(decl) => self.program.relations.push(decl),
                Clause::Input(names) => self.program.inputs.extend(names),
                Clause::Output(names) => self.program.outputs.extend(names),
                Clause::Executor(executor, span) => self.program.executors.push((executor, span)),
                Clause::Rule(rule) => self.program.rules.push(rule),
                Clause::Once => {}
                Clause::Include(path) => {
                    if let Err(error) = self.include(name, &path.text, path.span) {
                        self.errors.push(error.into());
                    }
                }
            }
        }
        self.stack.pop();
    }

    fn include(&mut self, from: &str, path: &str, span: Span) -> Result<(), LoadError> {
        let path = self.loader.canonical(&join(from, path));
        if let Some(at) = self.stack.iter().position(|open| *open == path) {
            let mut cycle = self.stack[at..].to_vec();
            cycle.push(path);
            return Err(LoadError::Cycle { cycle: cycle.join(" -> "), span });
        }
        if self.seen.contains(&path) {
            return Ok(());
        }
        if self.stack.len() >= DEEPEST_INCLUDE {
            return Err(LoadError::TooDeep { limit: DEEPEST_INCLUDE, span });
        }
        if self.seen.len() >= MOST_FILES {
            return Err(LoadError::TooMany { limit: MOST_FILES, span });
        }
        match self.loader.read(&path) {
            Ok(text) => {
                self.file(&path, &text);
                Ok(())
            }
            Err(reason) => {
                self.seen.push(path.clone());
                Err(LoadError::Unreadable { path, reason, span })
            }
        }
    }
}
