//! `cellog link`: the units of a program in one file.

use super::args::LinkArgs;
use super::base::every_check;
use super::exit::{CliError, ExitStatus};
use super::input::{load_units, read_input, tell_about_input};
use super::measure::lowered_functions;
use super::output::tell;
use super::progress::Progress;
use super::unit_file::Content;
use std::collections::BTreeSet;
use std::time::Duration;

/// Seconds that the preprocessor may take for a unit.
const UNIT_LIMIT: Duration = Duration::from_secs(60);

/// Runs `link`.
pub fn link(args: &LinkArgs) -> Result<ExitStatus, CliError> {
    let progress = Progress::new(false);
    let read = read_input(&args.input, args.jobs, UNIT_LIMIT, &|stage| progress.stage(stage))?;
    let mut seen = BTreeSet::new();
    if let Some(twice) = read.units.iter().find(|unit| !seen.insert((&unit.file, &unit.text))) {
        return Err(CliError::Usage(format!("{} is there twice", twice.file)));
    }
    if !read.unread.is_empty() {
        let reasons: Vec<&str> = read.unread.iter().map(|(_, reason)| reason.as_str()).collect();
        return Err(CliError::Usage(format!("nothing is linked:\n{}", reasons.join("\n"))));
    }
    let content = Content::new(args.input.arch.name(), read.units.clone(), read.folders.clone());
    let loaded = load_units(read, &args.input, every_check(), args.jobs, &|stage| progress.stage(stage))?;
    drop(progress);
    tell_about_input(&loaded.said(), false);
    content.write(&args.output)?;
    let (lowered, all) = lowered_functions(&loaded.program);
    tell(&format!("{}: {} units, {lowered} of {all} functions understood", args.output.display(), loaded.files.len()));
    Ok(ExitStatus::Clean)
}
