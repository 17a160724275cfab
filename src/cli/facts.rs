//! `cellog facts`: the program as relations, or as the intermediate representation.

use super::args::{FactsArgs, FactsFormat};
use super::exit::ExitStatus;
use super::output::{tell, write_report};
use super::progress::Progress;
use crate::facts::{FactError, FactStore, emit, write_csv, write_souffle, write_sqlite};
use crate::ir::print::print_program;
use crate::pipeline::fact_base::analysed_facts;
use crate::pipeline::rules::facts::Wanted;
use crate::pipeline::sources::load;
use crate::pipeline::sources::load::{UNIT_LIMIT, read_input};
use crate::pipeline::sources::lowering::every_check;
use crate::pipeline::sources::named::model_name;
use crate::pipeline::sources::unit_file::Content;
use crate::pipeline::standing::config::Config;
use crate::pipeline::{Error, Listener, Request};
use std::path::Path;
use std::sync::Arc;

/// Runs `facts`.
pub fn facts(args: &FactsArgs) -> Result<ExitStatus, Error> {
    if let (FactsFormat::Unit, Some(path)) = (args.format, &args.output) {
        return write_units(args, path);
    }
    if let (true, Some(folder)) = (args.results, &args.output) {
        let request = Request {
            config: Config::load()?,
            entry: args.entry.clone(),
            ..args.limits.request(
                args.input.program(&args.entry, args.limits.jobs)?,
                args.limits.default_profile(),
                &args.cache,
            )
        };
        let (facts, whole) = analysed_facts(request, Wanted::ALL, Arc::new(Progress::new(false, false)))?;
        write(&facts, args.format, folder)?;
        return Ok(if whole { ExitStatus::Clean } else { ExitStatus::Usage });
    }
    let sources = args.input.program(&args.entry, args.limits.jobs)?;
    let progress = Progress::new(false, false);
    let loaded = load(&sources, every_check(), args.limits.jobs, UNIT_LIMIT, &|stage| progress.stage(stage))?;
    progress.done();
    progress.input(&loaded.said(), false);
    if args.dump_ir {
        write_report(&print_program(&loaded.program), None)?;
    }
    if let Some(folder) = &args.output {
        write(&emit(&loaded.program).facts, args.format, folder)?;
    }
    Ok(if loaded.unread.is_empty() { ExitStatus::Clean } else { ExitStatus::Usage })
}

/// Writes the units that can be read as a file for `link`.
fn write_units(args: &FactsArgs, path: &Path) -> Result<ExitStatus, Error> {
    if args.results {
        return Err(Error::Usage("units have no results: leave out `--results`, or choose another format".to_owned()));
    }
    let (progress, sources) = (Progress::new(false, false), args.input.sources());
    let read = read_input(&sources, args.limits.jobs, UNIT_LIMIT, &|stage| progress.stage(stage))?;
    drop(progress);
    read.unread.iter().for_each(|(_, reason)| tell(&format!("error: {reason}")));
    let whole = read.unread.is_empty();
    Content::new(model_name(sources.model), read.units, read.folders).write(path)?;
    Ok(if whole { ExitStatus::Clean } else { ExitStatus::Usage })
}

fn write(facts: &FactStore, format: FactsFormat, folder: &Path) -> Result<(), Error> {
    let written = match format {
        FactsFormat::Csv => write_csv(facts, folder),
        FactsFormat::Souffle => write_souffle(facts, folder),
        FactsFormat::Sqlite => write_sqlite(facts, folder),
        // Units have no facts yet.
        FactsFormat::Unit => Ok(()),
    };
    written.map_err(|error| match error {
        FactError::File { path, source } => Error::Write { path: path.display().to_string(), error: source },
        other => Error::Internal(other.to_string()),
    })
}
