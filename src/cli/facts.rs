//! `cellog facts`: the program as relations, or as the intermediate representation.

use super::args::{FactsArgs, FactsFormat};
use super::base::{Wanted, analysed_facts, every_check};
use super::exit::{CliError, ExitStatus};
use super::input::{load, read_input, tell_about_input};
use super::output::{tell, write_report};
use super::progress::Progress;
use super::unit_file::Content;
use crate::facts::{FactError, FactStore, emit, write_csv, write_souffle, write_sqlite};
use crate::ir::print::print_program;
use std::path::Path;
use std::time::Duration;

/// Seconds that the preprocessor may take for a unit.
const UNIT_LIMIT: Duration = Duration::from_secs(60);

/// Runs `facts`.
pub fn facts(args: &FactsArgs) -> Result<ExitStatus, CliError> {
    if let (FactsFormat::Unit, Some(path)) = (args.format, &args.output) {
        return write_units(args, path);
    }
    if let (true, Some(folder)) = (args.results, &args.output) {
        let (facts, whole) = analysed_facts(&args.input, &args.limits, &args.cache, &args.entry, Wanted::ALL)?;
        write(&facts, args.format, folder)?;
        return Ok(if whole { ExitStatus::Clean } else { ExitStatus::Usage });
    }
    let progress = Progress::new(false);
    let loaded = load(&args.input, every_check(), args.limits.jobs, UNIT_LIMIT, &|stage| progress.stage(stage))?;
    drop(progress);
    tell_about_input(&loaded.said(), false);
    if args.dump_ir {
        write_report(&print_program(&loaded.program), None)?;
    }
    if let Some(folder) = &args.output {
        write(&emit(&loaded.program).facts, args.format, folder)?;
    }
    Ok(if loaded.unread.is_empty() { ExitStatus::Clean } else { ExitStatus::Usage })
}

/// Writes the units that can be read as a file for `link`.
fn write_units(args: &FactsArgs, path: &Path) -> Result<ExitStatus, CliError> {
    if args.results {
        return Err(CliError::Usage(
            "units have no results: leave out `--results`, or choose another format".to_owned(),
        ));
    }
    let progress = Progress::new(false);
    let read = read_input(&args.input, args.limits.jobs, UNIT_LIMIT, &|stage| progress.stage(stage))?;
    drop(progress);
    read.unread.iter().for_each(|(_, reason)| tell(&format!("error: {reason}")));
    let whole = read.unread.is_empty();
    Content::new(args.input.arch.name(), read.units, read.folders).write(path)?;
    Ok(if whole { ExitStatus::Clean } else { ExitStatus::Usage })
}

fn write(facts: &FactStore, format: FactsFormat, folder: &Path) -> Result<(), CliError> {
    let written = match format {
        FactsFormat::Csv => write_csv(facts, folder),
        FactsFormat::Souffle => write_souffle(facts, folder),
        FactsFormat::Sqlite => write_sqlite(facts, folder),
        // Units have no facts yet.
        FactsFormat::Unit => Ok(()),
    };
    written.map_err(|error| match error {
        FactError::File { path, source } => CliError::Write { path: path.display().to_string(), error: source },
        other => CliError::Internal(other.to_string()),
    })
}
