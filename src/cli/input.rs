//! Files or a build folder to a linked program.

use super::args::{Arch, InputArgs};
use super::cache::key::KeyMaker;
use super::exit::CliError;
use super::output::tell;
use crate::base::{Severity, SourceMap};
use crate::frontend::compile_commands::compile_commands;
use crate::frontend::lower::{LowerOptions, lower};
use crate::frontend::parse::parse_units;
use crate::frontend::preprocess::{PreprocessError, PreprocessOptions, UnitSource, preprocess_units};
use crate::ir::{CheckKind, DataModel, Program};
use crate::report::{Excerpts, render_diagnostic};
use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Duration;

/// Diagnostics told unless all are wanted.
const MOST_TOLD: usize = 20;

/// A program and what could not be read of it.
#[derive(Debug)]
pub struct Loaded {
    pub program: Program,
    /// The units that the program was made of, as the user or the compilation database names them.
    pub files: Vec<String>,
    /// Units that could not be read, and why.
    pub unread: Vec<(String, String)>,
    /// Folders that names in the program may be relative to.
    pub folders: Vec<PathBuf>,
    /// All that the program was made from, for keys of results; None if none can be made.
    pub content: Option<KeyMaker>,
}

impl Arch {
    /// The data model it stands for.
    pub fn model(self) -> DataModel {
        match self {
            Arch::Lp64 => DataModel::Lp64,
            Arch::Ilp32 => DataModel::Ilp32,
        }
    }
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Arch::Lp64 => "lp64",
            Arch::Ilp32 => "ilp32",
        }
    }
}

/// What the checks that are off by default need from lowering.
pub fn lower_options(checks: &BTreeSet<CheckKind>) -> LowerOptions {
    LowerOptions {
        unsigned_overflow: checks.contains(&CheckKind::UnsignedOverflow),
        conversion: checks.contains(&CheckKind::Conversion),
        error_label: checks.contains(&CheckKind::UnreachCall),
    }
}

/// The units that the user names.
pub fn units(input: &InputArgs) -> Result<Vec<UnitSource>, CliError> {
    match &input.build_dir {
        Some(dir) => {
            let units = compile_commands(dir).map_err(|e| CliError::Usage(e.to_string()))?;
            Ok(units)
        }
        None => Ok(input.files.iter().map(UnitSource::new).collect()),
    }
}

/// Reads, parses, lowers and links. An error when no unit can be read.
pub fn load(
    input: &InputArgs,
    options: LowerOptions,
    jobs: usize,
    time_limit: Duration,
    stage: &dyn Fn(&str),
) -> Result<Loaded, CliError> {
    let units = units(input)?;
    let mut preprocessing = PreprocessOptions::new(input.arch.model());
    preprocessing.flags.clone_from(&input.cpp_flags);
    preprocessing.time_limit = time_limit.min(preprocessing.time_limit);
    stage("preprocessing");
    let texts = preprocess_units(&units, &preprocessing, jobs);
    let mut read = Vec::new();
    let mut unread = Vec::new();
    let mut all_empty = true;
    for (unit, text) in units.iter().zip(texts) {
        match text {
            Ok(text) => read.push(text),
            Err(error) => {
                all_empty &= matches!(error, PreprocessError::Empty { .. });
                let advice = error.advice().map(|a| format!("\n  help: {a}")).unwrap_or_default();
                unread.push((unit.file.clone(), format!("{error}{advice}")));
            }
        }
    }
    if read.is_empty() {
        let reasons: Vec<String> = unread.into_iter().map(|(_, reason)| reason).collect();
        let text = reasons.join("\n");
        return Err(if all_empty { CliError::Nothing(text) } else { CliError::Usage(text) });
    }
    let mut content = KeyMaker::new();
    if let Some(content) = &mut content {
        content.add(&(input.arch.name(), options, &unread));
        read.iter().for_each(|unit| content.add(&(&unit.file, &unit.text)));
    }
    stage("parsing");
    let mut sources = SourceMap::default();
    let parsed = parse_units(&read, jobs, &mut sources);
    drop(read);
    stage("lowering");
    let program = lower(&parsed, input.arch.model(), sources, options);
    let mut folders: Vec<PathBuf> = units.iter().filter_map(|u| u.directory.clone()).collect();
    folders.sort();
    folders.dedup();
    let files = parsed.into_iter().map(|u| u.file).collect();
    Ok(Loaded { program, files, unread, folders, content })
}

/// The diagnostics that a user must see even when much is well: errors first, each once.
pub fn loud_diagnostics(program: &Program, all: bool) -> Vec<&crate::base::Diagnostic> {
    let mut list: Vec<_> = program.diagnostics.iter().filter(|d| all || d.severity == Severity::Error).collect();
    list.sort_by_key(|d| d.severity);
    list.dedup();
    list
}

/// Says what the front end has to say: unread files, errors, and warnings when all are wanted.
pub fn tell_about_input(loaded: &Loaded, all: bool) {
    for (_, reason) in &loaded.unread {
        tell(&format!("error: {reason}"));
    }
    let mut excerpts = Excerpts::new(loaded.folders.clone());
    let colour = std::io::stderr().is_terminal();
    let diagnostics = loud_diagnostics(&loaded.program, all);
    for diagnostic in diagnostics.iter().take(if all { usize::MAX } else { MOST_TOLD }) {
        tell(&render_diagnostic(diagnostic, &loaded.program.sources, &mut excerpts, colour));
    }
    if !all && diagnostics.len() > MOST_TOLD {
        tell(&format!("... and {} more", diagnostics.len() - MOST_TOLD));
    }
}
