//! Compiles the schema (`facts/*.dl`) and the programs in `rules/` to Rust. Contents:
//!
//! * [`language`]: the rule language, shared with the library.
//! * [`names`]: from names in rules to names in Rust.
//! * [`schema`]: column types, rows, the fact store and the catalogue.
//! * [`ascent`]: programs as `ascent` macros.
//! * [`programs`]: the same for what rules declare, and a module per program.
//! * [`contracts`]: what `facts/contracts/` says of library functions, as a table.
use std::path::{Path, PathBuf};

#[path = "rules/ascent.rs"]
mod ascent;
#[path = "rules/contracts.rs"]
mod contracts;
#[path = "../src/datalog/language/mod.rs"]
#[allow(dead_code, unused_imports, reason = "the library uses more of the language than the generator does")]
mod language;
#[path = "rules/names.rs"]
mod names;
#[path = "rules/programs.rs"]
mod programs;
#[path = "rules/schema.rs"]
mod schema;

use language::{Diagnostic, Severity, ast::Program, text::Texts};

/// Writes `schema.rs`, `contracts.rs` and `programs.rs` to the build's output folder. Mistakes in rule files end the build with their places.
pub fn compile() {
    for folder in ["facts", "rules", "build", "src/datalog/language"] {
        println!("cargo::rerun-if-changed={folder}");
    }
    let out = PathBuf::from(std::env::var("OUT_DIR").expect("cargo sets OUT_DIR for build scripts"));
    let facts = rule_files(Path::new("facts"));
    let rules = rule_files(Path::new("rules"));
    write(&out.join("schema.rs"), &schema::generate(&read_all("facts", &facts)));
    write(&out.join("contracts.rs"), &contracts::generate());
    let mut programs = Vec::new();
    for path in &rules {
        let text = read_file(path).unwrap_or_default();
        if programs::is_program(&text) {
            let program = read(path, &text);
            let Some(executor) = program.executor() else {
                println!(
                    "cargo::error={path}: a program names its executor: `//@ executor: NAME, REASON` above `.output`"
                );
                std::process::exit(1);
            };
            programs.push(programs::ProgramFile { path: path.clone(), program, executor });
        }
    }
    warn_of_unused(&rules, &programs);
    let all = read_all("rules", &rules);
    let files: Vec<String> = facts.into_iter().chain(rules).collect();
    write(&out.join("programs.rs"), &programs::generate(&all, &programs, &files));
}

/// All files of a folder as one program.
fn read_all(name: &str, files: &[String]) -> Program {
    let includes: String = files.iter().map(|path| format!(".include \"{path}\"\n")).collect();
    read(name, &includes)
}

/// Says which rule files no program includes.
fn warn_of_unused(rules: &[String], programs: &[programs::ProgramFile]) {
    for path in rules {
        let used = |file: &programs::ProgramFile| file.program.texts.files.iter().any(|text| text.name == *path);
        if !programs.iter().any(used) {
            println!("cargo::warning={path}: no program includes this file");
        }
    }
}

/// Loads and checks one program; ends the build if that fails.
fn read(name: &str, text: &str) -> Program {
    let (program, diagnostics) = language::check(name, text, &mut read_file);
    report(&program.texts, &diagnostics);
    program
}

fn read_file(path: &str) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| error.to_string())
}

/// Prints diagnostics as cargo shows them and exits if one is an error.
fn report(texts: &Texts, diagnostics: &[Diagnostic]) {
    let mut failed = false;
    for diagnostic in diagnostics {
        let kind = match diagnostic.severity() {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        failed |= diagnostic.severity() == Severity::Error;
        println!("cargo::{kind}={}: {diagnostic}", texts.place(diagnostic.span()));
        if let Some((span, note)) = diagnostic.related() {
            println!("cargo::{kind}={}: {note}", texts.place(span));
        }
    }
    if failed {
        std::process::exit(1);
    }
}

/// The `.dl` files under a folder, with `/` between components, sorted; the folders `cases` and `contracts` in it hold data and are left out.
fn rule_files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                if !["cases", "contracts"].iter().any(|data| path.ends_with(data)) {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|extension| extension == "dl") {
                found.push(path.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    found.sort();
    found
}

fn write(path: &Path, text: &str) {
    if let Err(error) = std::fs::write(path, text) {
        println!("cargo::error=cannot write {}: {error}", path.display());
        std::process::exit(1);
    }
}
