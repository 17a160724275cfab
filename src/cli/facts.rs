//! `cellog facts`: the program as relations, or as the intermediate representation.

use super::args::{FactsArgs, FactsFormat};
use super::exit::{CliError, ExitStatus};
use super::input::{load, tell_about_input};
use super::output::write_report;
use super::progress::Progress;
use crate::facts::{FactError, emit, write_csv, write_souffle};
use crate::frontend::lower::LowerOptions;
use crate::ir::print::print_program;
use std::time::Duration;

/// Seconds that the preprocessor may take for a unit.
const UNIT_LIMIT: Duration = Duration::from_secs(60);

/// Runs `facts`.
pub fn facts(args: &FactsArgs) -> Result<ExitStatus, CliError> {
    let progress = Progress::new(false);
    let options = LowerOptions { unsigned_overflow: true, conversion: true, error_label: true };
    let jobs = super::args::default_jobs();
    let loaded = load(&args.input, options, jobs, UNIT_LIMIT, &|stage| progress.stage(stage))?;
    drop(progress);
    tell_about_input(&loaded, false);
    if args.dump_ir {
        write_report(&print_program(&loaded.program), None)?;
    }
    if let Some(folder) = &args.output {
        let facts = emit(&loaded.program).facts;
        let written = match args.format {
            FactsFormat::Csv => write_csv(&facts, folder),
            FactsFormat::Souffle => write_souffle(&facts, folder),
        };
        written.map_err(|error| match error {
            FactError::File { path, source } => CliError::Write { path: path.display().to_string(), error: source },
            other => CliError::Internal(other.to_string()),
        })?;
    }
    Ok(if loaded.unread.is_empty() { ExitStatus::Clean } else { ExitStatus::Usage })
}
