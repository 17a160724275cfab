//! What questions are asked to: the facts of C files, or of a folder written earlier.

use super::args::{BaseArgs, CacheArgs, InputArgs, LimitArgs};
use super::check::analyse;
use super::entry::find_start;
use super::exit::{CliError, ExitStatus};
use super::input::{load, tell_about_input};
use super::output::tell;
use super::plan::Plan;
use super::progress::Progress;
use super::rule_stage::emit_results;
use super::stages::Ended;
use crate::facts::csv::INDEX;
use crate::facts::souffle::DECLARATIONS;
use crate::facts::sqlite::MAGIC;
use crate::facts::{Extent, FactStore, catalog, column, emit, read_csv, read_souffle, read_sqlite, row};
use crate::frontend::lower::LowerOptions;
use crate::ir::CheckKind;
use std::io::Read;
use std::path::Path;
use std::time::Duration;

/// The group of relations that engines write.
pub const RESULTS: &str = "results";

/// The facts that `words` (C files, or one folder) and `args` name; with `results`, those of the engines too.
pub fn load_base(words: &[String], args: &BaseArgs, results: bool) -> Result<FactStore, CliError> {
    if let ([word], None) = (words, &args.build_dir)
        && Path::new(word).is_dir()
    {
        return read_folder(Path::new(word));
    }
    if let [word] = words
        && is_sqlite(Path::new(word))
    {
        return read_sqlite(Path::new(word)).map_err(|error| CliError::Usage(error.to_string()));
    }
    let input = InputArgs {
        files: words.to_vec(),
        build_dir: args.build_dir.clone(),
        arch: args.arch,
        cpp_flags: args.cpp_flags.clone(),
    };
    if input.files.is_empty() && input.build_dir.is_none() {
        return Err(CliError::Usage("C files or a folder of facts are needed".to_owned()));
    }
    if results {
        let entry = args.entry.as_deref().unwrap_or("main");
        return analysed_facts(&input, &args.limits, &args.cache, entry).map(|(facts, _)| facts);
    }
    let progress = Progress::new(false);
    let time = Duration::from_secs_f64(args.limits.time_limit);
    let loaded = load(&input, every_check(), args.limits.jobs, time, &|stage| progress.stage(stage))?;
    drop(progress);
    tell_about_input(&loaded, false);
    let mut emitted = emit(&loaded.program);
    if let Some(entry) = &args.entry {
        for function in find_start(&loaded.program, entry)?.functions() {
            let function = column::Function(emitted.names.function(*function));
            emitted.facts.entry_function.push(row::EntryFunction { function });
        }
    }
    Ok(emitted.facts)
}

/// How facts are made: with every kind of check site.
pub fn every_check() -> LowerOptions {
    LowerOptions { unsigned_overflow: true, conversion: true, error_label: true }
}

/// The facts of a program with what the engines find, and whether all of the input was read.
pub fn analysed_facts(
    input: &InputArgs,
    limits: &LimitArgs,
    cache: &CacheArgs,
    entry: &str,
) -> Result<(FactStore, bool), CliError> {
    let checks = CheckKind::ALL.iter().copied().collect();
    let progress = Progress::new(false);
    let (mut results, ended) = analyse(Plan::new(input, limits, cache, entry, &checks, true), limits, &progress, None);
    drop(progress);
    if let Some(loaded) = &results.loaded {
        tell_about_input(loaded, false);
    }
    if let Some(error) = results.failed.take() {
        return Err(error);
    }
    let (Some(loaded), Some(start)) = (&results.loaded, &results.start) else {
        return Err(match ended {
            Ended::Stopped { .. } => CliError::Nothing(ended.why().unwrap_or_default()),
            _ => CliError::Told(ExitStatus::Internal),
        });
    };
    if let (Ended::Stopped { .. }, Some(why)) = (&ended, ended.why()) {
        tell(&format!("cellog: {why}; the results are what was decided before"));
    }
    Ok((emit_results(&loaded.program, start, &results).facts, loaded.unread.is_empty()))
}

fn is_sqlite(path: &Path) -> bool {
    let mut first = [0; MAGIC.len()];
    std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut first)).is_ok() && first == *MAGIC
}

/// The facts in a folder, as whoever wrote it says.
fn read_folder(folder: &Path) -> Result<FactStore, CliError> {
    let read = if folder.join(INDEX).exists() || !folder.join(DECLARATIONS).exists() {
        read_csv(folder, Extent::Whole)
    } else {
        read_souffle(folder)
    };
    read.map_err(|error| CliError::Usage(error.to_string()))
}

/// Does the relation of this name hold results of engines?
pub fn is_result(relation: &str) -> bool {
    catalog().iter().any(|r| r.name == relation && r.group == RESULTS)
}
