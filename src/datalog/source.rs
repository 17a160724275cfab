//! From text to a program that can run.
use super::language::ast::Program;
use super::language::{Diagnostic, Loader, Severity, check, core, lower};
use super::programs::FILES;

/// Parses and checks `text`, read from `name`, and what it includes through `loader`. All that is wrong with it
/// is in the diagnostics; `render` shows them. The program may be run if none of them is an error.
pub fn check_source(name: &str, text: &str, loader: &mut dyn Loader) -> (Program, Vec<Diagnostic>) {
    check(name, text, loader)
}

/// Why a program cannot run: what of it could be read, and what is wrong with it.
#[derive(Debug)]
pub struct Rejected {
    pub program: Program,
    pub diagnostics: Vec<Diagnostic>,
}

/// A checked program made ready to run, unless there is an error among its diagnostics.
pub fn compile(name: &str, text: &str, loader: &mut dyn Loader) -> Result<core::Program, Box<Rejected>> {
    let (program, diagnostics) = check_source(name, text, loader);
    if diagnostics.iter().any(|diagnostic| diagnostic.severity() == Severity::Error) {
        return Err(Box::new(Rejected { program, diagnostics }));
    }
    Ok(lower::lower(&program))
}

/// Finds the rule files that were compiled in, by their paths from the project's root.
pub fn built_in(path: &str) -> Result<String, String> {
    let file = FILES.iter().find(|file| file.path == path);
    file.map(|file| file.text.to_owned()).ok_or_else(|| "there is no such built-in rule file".to_owned())
}

/// The compiled-in program of a path; the build has checked it.
pub fn built_in_program(path: &str) -> core::Program {
    let text = built_in(path).expect("the build lists the program's file");
    compile(path, &text, &mut built_in).expect("the build has checked the program")
}
