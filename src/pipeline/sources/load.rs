//! Files or a build folder to a linked program.

use super::contracts::read_contracts;
use super::named::{Sources, model_name};
use super::unit_file::{Content, read_units};
use crate::base::{Diagnostic, SourceMap};
use crate::frontend::compile_commands::{all_compile_commands, compile_commands};
use crate::frontend::lower::{LowerOptions, defines_main, lower};
use crate::frontend::parse::{ParsedUnit, parse_units};
use crate::frontend::preprocess::{
    PreprocessError, PreprocessOptions, PreprocessedUnit, UnitSource, preprocess_units, unit_flags,
};
use crate::ir::{Contracts, DataModel, Program};
use crate::pipeline::cache::key::KeyMaker;
use crate::pipeline::error::Error;
use crate::verdict::replay::Unit;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// What the preprocessor may take for a unit where a command has no limits.
pub const UNIT_LIMIT: Duration = Duration::from_secs(60);

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

/// The units that the user names.
pub fn units(sources: &Sources) -> Result<Vec<UnitSource>, Error> {
    match &sources.build_dir {
        Some(dir) => {
            let mut chosen: Vec<UnitSource> = Vec::new();
            // What is named chooses for itself.
            let target = sources.target.as_deref();
            let read = if sources.files.is_empty() { compile_commands } else { all_compile_commands };
            let units = read(dir, target).map_err(|e| Error::Usage(e.to_string()))?;
            if sources.files.is_empty() {
                return Ok(units);
            }
            let known: Vec<(PathBuf, UnitSource)> = units.into_iter().map(|unit| (real(&unit.path()), unit)).collect();
            for name in &sources.files {
                let wanted = real(Path::new(name));
                match known.iter().find(|(path, _)| *path == wanted) {
                    Some((_, unit)) => chosen.push(unit.clone()),
                    None => chosen.push(with_neighbours_flags(name, &known)),
                }
            }
            Ok(chosen)
        }
        None => Ok(sources.files.iter().map(UnitSource::new).collect()),
    }
}

/// The files of a program as the system's compiler takes them.
pub fn units_to_compile(sources: &Sources, loaded: &Loaded) -> Result<Vec<Unit>, Error> {
    let all = units(sources)?;
    let read = all.into_iter().filter(|u| loaded.files.contains(&u.file));
    let mut flags = sources.flags.clone();
    flags.extend((sources.model == DataModel::Ilp32).then(|| "-m32".to_owned()));
    Ok(read.map(|u| Unit { flags: unit_flags(&u, &flags), file: u.file, directory: u.directory }).collect())
}

/// The one name of the file that is called `name` in the current folder or one of `folders`.
pub fn path_in(folders: &[PathBuf], name: &str) -> Option<PathBuf> {
    let name = Path::new(name);
    let here = std::env::current_dir().ok().map(|folder| folder.join(name));
    let found = here.into_iter().chain(folders.iter().map(|folder| folder.join(name))).find(|path| path.is_file())?;
    // `.` and `..` must not make two names of one file.
    std::fs::canonicalize(found).ok()
}

/// A file that the database lacks, with the flags of one that it has.
fn with_neighbours_flags(name: &str, known: &[(PathBuf, UnitSource)]) -> UnitSource {
    let units: Vec<UnitSource> = known.iter().map(|(_, unit)| unit.clone()).collect();
    let flags = |unit: &UnitSource| UnitSource { file: real(Path::new(name)).display().to_string(), ..unit.clone() };
    neighbour(Path::new(name), &units).map_or_else(|| UnitSource::new(name), flags)
}

/// The unit whose flags a file gets that has none: of those that share most of its path the first.
pub fn neighbour<'u>(file: &Path, units: &'u [UnitSource]) -> Option<&'u UnitSource> {
    let wanted = real(file);
    let common = |unit: &&UnitSource| {
        real(&unit.path()).components().zip(wanted.components()).take_while(|(a, b)| a == b).count()
    };
    units.iter().rev().max_by_key(common)
}

/// A file's one name; its own when it is not there.
pub fn real(file: &Path) -> PathBuf {
    file.canonicalize().unwrap_or_else(|_| file.to_owned())
}

/// Units as the preprocessor gives them.
#[derive(Debug, Default)]
pub struct ReadUnits {
    pub units: Vec<PreprocessedUnit>,
    /// Units that could not be read, and why.
    pub unread: Vec<(String, String)>,
    /// Folders that names in the units may be relative to, sorted.
    pub folders: Vec<PathBuf>,
    /// What the user says of functions that the units do not define.
    pub contracts: Arc<Contracts>,
}

/// Preprocesses the units that the user names, and reads those that have been preprocessed before (see `unit_file`). An error
/// when none can be read.
pub fn read_input(
    sources: &Sources,
    jobs: usize,
    time_limit: Duration,
    stage: &dyn Fn(&str),
) -> Result<ReadUnits, Error> {
    let named = units(sources)?;
    let contracts = read_contracts(&sources.contracts)?;
    let mut preprocessing = PreprocessOptions::new(sources.model);
    preprocessing.flags.clone_from(&sources.flags);
    preprocessing.edited.clone_from(&sources.edited);
    preprocessing.time_limit = time_limit.min(preprocessing.time_limit);
    stage("preprocessing");
    let kept: Vec<Option<Content>> = named
        .iter()
        .map(|unit| read_units(Path::new(&unit.file), model_name(sources.model)))
        .collect::<Result<_, _>>()?;
    let of_source = |(unit, kept): (&UnitSource, &Option<Content>)| kept.is_none().then(|| unit.clone());
    let sources: Vec<UnitSource> = named.iter().zip(&kept).filter_map(of_source).collect();
    let mut texts = preprocess_units(&sources, &preprocessing, jobs).into_iter();
    let mut read = ReadUnits { contracts, ..ReadUnits::default() };
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
        return Err(if all_empty { Error::Nothing(text) } else { Error::Usage(text) });
    }
    Ok(read)
}

/// Reads, parses, lowers and links. An error when no unit can be read.
pub fn load(
    sources: &Sources,
    options: LowerOptions,
    jobs: usize,
    time_limit: Duration,
    stage: &dyn Fn(&str),
) -> Result<Loaded, Error> {
    let read = read_input(sources, jobs, time_limit, stage)?;
    load_units(read, sources, options, jobs, stage)
}

/// The current folder with a slash at its end; empty when it has no name that could be shortened.
pub fn current_folder() -> String {
    let folder = std::env::current_dir().ok().and_then(|folder| folder.to_str().map(str::to_owned));
    folder.filter(|name| name != "/").map_or_else(String::new, |name| name + "/")
}

/// The options with what the user asks for of every command.
fn asked(options: LowerOptions, sources: &Sources, contracts: &Arc<Contracts>) -> LowerOptions {
    LowerOptions {
        unwritten_inputs: options.unwritten_inputs || sources.unwritten_inputs,
        left_shifts_defined: sources.left_shifts_defined,
        allocation_succeeds: sources.allocation_succeeds.unwrap_or(options.allocation_succeeds),
        contracts: Arc::clone(contracts),
        ..options
    }
}

/// All that the program of these units is made from; None if keys cannot be made.
pub fn content_asked(read: &ReadUnits, sources: &Sources, options: LowerOptions) -> Option<KeyMaker> {
    content(read, sources, &asked(options, sources, &read.contracts))
}

fn content(read: &ReadUnits, sources: &Sources, options: &LowerOptions) -> Option<KeyMaker> {
    let mut content = KeyMaker::new()?;
    content.add(&(model_name(sources.model), options, &read.unread, current_folder()));
    read.units.iter().for_each(|unit| content.add(&(&unit.file, &unit.text)));
    Some(content)
}

/// Parses, lowers and links units, which are one program: an error where several have a `main`.
pub fn load_units(
    read: ReadUnits,
    sources: &Sources,
    options: LowerOptions,
    jobs: usize,
    stage: &dyn Fn(&str),
) -> Result<Loaded, Error> {
    let options = asked(options, sources, &read.contracts);
    let content = content(&read, sources, &options);
    let ReadUnits { units, unread, folders, .. } = read;
    stage("parsing");
    let mut map = SourceMap::inside(&current_folder());
    let parsed = parse_units(&units, jobs, &mut map);
    drop(units);
    one_main(&parsed, sources)?;
    stage("lowering");
    let program = lower(&parsed, sources.model, map, options);
    let files = parsed.into_iter().map(|u| u.file).collect();
    Ok(Loaded { program, files, unread, folders, content })
}

/// An error where the units are of several programs: merged, each would hide the others' code.
fn one_main(units: &[ParsedUnit], sources: &Sources) -> Result<(), Error> {
    let files: Vec<&str> = units.iter().filter(|unit| defines_main(unit)).map(|unit| unit.file.as_str()).collect();
    if files.len() < 2 {
        return Ok(());
    }
    let advice = match (&sources.build_dir, &sources.target) {
        (Some(_), None) => "choose one with --target, or name its files instead of the build folder",
        _ => "name the files of one of them",
    };
    let list = files.join("\n  ");
    Err(Error::Usage(format!(
        "these files define `main` each, so that they are of several programs; {advice}:\n  {list}"
    )))
}
