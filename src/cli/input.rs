//! Files or a build folder to a linked program.

use super::args::{Allocation, Arch, InputArgs};
use super::cache::key::KeyMaker;
use super::exit::CliError;
use super::output::tell;
use super::unit_file::{Content, read_units};
use crate::base::{Diagnostic, Severity, SourceMap};
use crate::frontend::compile_commands::compile_commands;
use crate::frontend::lower::{ErrorLabel, LowerOptions, defines_main, lower};
use crate::frontend::parse::{ParsedUnit, parse_units};
use crate::frontend::preprocess::{PreprocessError, PreprocessOptions, PreprocessedUnit, UnitSource, preprocess_units};
use crate::ir::{CheckKind, DataModel, Program};
use crate::report::{Excerpts, render_diagnostic};
use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
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

/// What a user is told about the input.
#[derive(Debug)]
pub struct Said<'a> {
    pub unread: &'a [(String, String)],
    pub folders: &'a [PathBuf],
    pub diagnostics: &'a [Diagnostic],
    pub sources: &'a SourceMap,
}

impl Loaded {
    /// What its user is told.
    pub fn said(&self) -> Said<'_> {
        let Program { diagnostics, sources, .. } = &self.program;
        Said { unread: &self.unread, folders: &self.folders, diagnostics, sources }
    }
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
        error_label: if checks.contains(&CheckKind::UnreachCall) { ErrorLabel::InTasks } else { ErrorLabel::Nowhere },
        error_functions_run: !checks.contains(&CheckKind::UnreachCall),
        ..LowerOptions::default()
    }
}

/// The units that the user names.
pub fn units(input: &InputArgs) -> Result<Vec<UnitSource>, CliError> {
    match &input.build_dir {
        Some(dir) => {
            let units = compile_commands(dir, input.target.as_deref()).map_err(|e| CliError::Usage(e.to_string()))?;
            Ok(units)
        }
        None => Ok(input.files.iter().map(UnitSource::new).collect()),
    }
}

/// Units as the preprocessor gives them.
#[derive(Debug, Default)]
pub struct ReadUnits {
    pub units: Vec<PreprocessedUnit>,
    /// Units that could not be read, and why.
    pub unread: Vec<(String, String)>,
    /// Folders that names in the units may be relative to, sorted.
    pub folders: Vec<PathBuf>,
}

/// Preprocesses the units that the user names, and reads those that have been preprocessed before (see `unit_file`). An error
/// when none can be read.
pub fn read_input(
    input: &InputArgs,
    jobs: usize,
    time_limit: Duration,
    stage: &dyn Fn(&str),
) -> Result<ReadUnits, CliError> {
    let named = units(input)?;
    let mut preprocessing = PreprocessOptions::new(input.arch.model());
    preprocessing.flags.clone_from(&input.cpp_flags);
    preprocessing.time_limit = time_limit.min(preprocessing.time_limit);
    stage("preprocessing");
    let kept: Vec<Option<Content>> =
        named.iter().map(|unit| read_units(Path::new(&unit.file), input.arch.name())).collect::<Result<_, _>>()?;
    let of_source = |(unit, kept): (&UnitSource, &Option<Content>)| kept.is_none().then(|| unit.clone());
    let sources: Vec<UnitSource> = named.iter().zip(&kept).filter_map(of_source).collect();
    let mut texts = preprocess_units(&sources, &preprocessing, jobs).into_iter();
    let mut read = ReadUnits::default();
    let mut all_empty = true;
    for (unit, kept) in named.iter().zip(kept) {
        if let Some(kept) = kept {
            read.folders.extend(kept.folders.iter().cloned());
            read.units.extend(kept.units());
            continue;
        }
        match texts.next().expect("every source has a text or an error") {
            Ok(text) => read.units.push(text),
            Err(error) => {
                all_empty &= matches!(error, PreprocessError::Empty { .. });
                let advice = error.advice().map(|a| format!("\n  help: {a}")).unwrap_or_default();
                read.unread.push((unit.file.clone(), format!("{error}{advice}")));
            }
        }
        read.folders.extend(unit.directory.clone());
    }
    read.folders.sort();
    read.folders.dedup();
    if read.units.is_empty() {
        let reasons: Vec<String> = read.unread.into_iter().map(|(_, reason)| reason).collect();
        let text = reasons.join("\n");
        return Err(if all_empty { CliError::Nothing(text) } else { CliError::Usage(text) });
    }
    Ok(read)
}

/// Reads, parses, lowers and links. An error when no unit can be read.
pub fn load(
    input: &InputArgs,
    options: LowerOptions,
    jobs: usize,
    time_limit: Duration,
    stage: &dyn Fn(&str),
) -> Result<Loaded, CliError> {
    let read = read_input(input, jobs, time_limit, stage)?;
    load_units(read, input, options, jobs, stage)
}

/// The current folder with a slash at its end; empty when it has no name that could be shortened.
pub fn current_folder() -> String {
    let folder = std::env::current_dir().ok().and_then(|folder| folder.to_str().map(str::to_owned));
    folder.filter(|name| name != "/").map_or_else(String::new, |name| name + "/")
}

/// The options with what the user asks for of every command.
fn asked(options: LowerOptions, input: &InputArgs) -> LowerOptions {
    LowerOptions {
        unwritten_inputs: options.unwritten_inputs || input.unwritten_inputs,
        left_shifts_defined: input.left_shift == super::args::LeftShift::Defined,
        allocation_succeeds: input.allocation.map_or(options.allocation_succeeds, |a| a == Allocation::Succeeds),
        ..options
    }
}

/// All that the program of these units is made from; None if keys cannot be made.
pub fn content(read: &ReadUnits, input: &InputArgs, options: LowerOptions) -> Option<KeyMaker> {
    let mut content = KeyMaker::new()?;
    content.add(&(input.arch.name(), asked(options, input), &read.unread, current_folder()));
    read.units.iter().for_each(|unit| content.add(&(&unit.file, &unit.text)));
    Some(content)
}

/// Parses, lowers and links units, which are one program: an error where several have a `main`.
pub fn load_units(
    read: ReadUnits,
    input: &InputArgs,
    options: LowerOptions,
    jobs: usize,
    stage: &dyn Fn(&str),
) -> Result<Loaded, CliError> {
    let options = asked(options, input);
    let content = content(&read, input, options);
    let ReadUnits { units, unread, folders } = read;
    stage("parsing");
    let mut sources = SourceMap::inside(&current_folder());
    let parsed = parse_units(&units, jobs, &mut sources);
    drop(units);
    one_main(&parsed, input)?;
    stage("lowering");
    let program = lower(&parsed, input.arch.model(), sources, options);
    let files = parsed.into_iter().map(|u| u.file).collect();
    Ok(Loaded { program, files, unread, folders, content })
}

/// An error where the units are of several programs: merged, each would hide the others' code.
fn one_main(units: &[ParsedUnit], input: &InputArgs) -> Result<(), CliError> {
    let files: Vec<&str> = units.iter().filter(|unit| defines_main(unit)).map(|unit| unit.file.as_str()).collect();
    if files.len() < 2 {
        return Ok(());
    }
    let advice = match (&input.build_dir, &input.target) {
        (Some(_), None) => "choose one with --target, or name its files instead of the build folder",
        _ => "name the files of one of them",
    };
    let list = files.join("\n  ");
    Err(CliError::Usage(format!(
        "these files define `main` each, so that they are of several programs; {advice}:\n  {list}"
    )))
}

/// The diagnostics that a user must see even when much is well: errors first, each once.
pub fn loud_diagnostics(diagnostics: &[Diagnostic], all: bool) -> Vec<&Diagnostic> {
    let mut list: Vec<_> = diagnostics.iter().filter(|d| all || d.severity == Severity::Error).collect();
    list.sort_by_key(|d| d.severity);
    list.dedup();
    list
}

/// Says what the front end has to say: unread files, errors, and warnings when all are wanted.
pub fn tell_about_input(said: &Said<'_>, all: bool) {
    for (_, reason) in said.unread {
        tell(&format!("error: {reason}"));
    }
    let mut excerpts = Excerpts::new(said.folders.to_vec());
    let colour = std::io::stderr().is_terminal();
    let diagnostics = loud_diagnostics(said.diagnostics, all);
    for diagnostic in diagnostics.iter().take(if all { usize::MAX } else { MOST_TOLD }) {
        tell(&render_diagnostic(diagnostic, said.sources, &mut excerpts, colour));
    }
    if !all && diagnostics.len() > MOST_TOLD {
        tell(&format!("... and {} more", diagnostics.len() - MOST_TOLD));
    }
}
