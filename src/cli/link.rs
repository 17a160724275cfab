//! `cellog link`: the units of a program in one file.

use super::args::LinkArgs;
use super::exit::ExitStatus;
use super::loaded::lowered_functions;
use super::output::tell;
use super::progress::Progress;
use crate::pipeline::sources::load::{UNIT_LIMIT, load_units, read_input};
use crate::pipeline::sources::lowering::every_check;
use crate::pipeline::sources::named::model_name;
use crate::pipeline::sources::unit_file::Content;
use crate::pipeline::{Error, Listener};
use std::collections::BTreeSet;

/// Runs `link`.
pub fn link(args: &LinkArgs) -> Result<ExitStatus, Error> {
    let (progress, sources) = (Progress::new(false, false), args.input.sources());
    let read = read_input(&sources, args.jobs, UNIT_LIMIT, &|stage| progress.stage(stage))?;
    let mut seen = BTreeSet::new();
    if let Some(twice) = read.units.iter().find(|unit| !seen.insert((&unit.file, &unit.text))) {
        return Err(Error::Usage(format!("{} is there twice", twice.file)));
    }
    if !read.unread.is_empty() {
        let reasons: Vec<&str> = read.unread.iter().map(|(_, reason)| reason.as_str()).collect();
        return Err(Error::Usage(format!("nothing is linked:\n{}", reasons.join("\n"))));
    }
    let content = Content::new(model_name(sources.model), read.units.clone(), read.folders.clone());
    let loaded = load_units(read, &sources, every_check(), args.jobs, &|stage| progress.stage(stage))?;
    progress.done();
    progress.input(&loaded.said(), false);
    content.write(&args.output)?;
    let (lowered, all) = lowered_functions(&loaded.program);
    tell(&format!("{}: {} units, {lowered} of {all} functions understood", args.output.display(), loaded.files.len()));
    Ok(ExitStatus::Clean)
}
