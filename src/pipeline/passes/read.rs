//! From the files that the user names to a program.

use super::ground::{Ground, Next};
use super::recall::recall_report;
use crate::pipeline::error::Error;
use crate::pipeline::sources::entry::find_start;
use crate::pipeline::sources::load::{load_units, read_input};
use crate::pipeline::sources::lowering::{every_check, lower_options};
use std::sync::Arc;
use std::time::Instant;

/// Preprocesses the units. Where an earlier run's report is of the same text and serves, that is all.
pub fn read_units(ground: &Ground) -> Result<Next, Error> {
    let Ground { request, clock, .. } = ground;
    let started = Instant::now();
    let read = read_input(&request.sources, request.jobs, clock.left(), &|stage| clock.enter(stage))?;
    let recalled = recall_report(ground, &read);
    ground.results().times.add("reading", started.elapsed());
    *ground.units.lock().expect("no holder panics") = read;
    Ok(if recalled { Next::End } else { Next::Go })
}

/// Parses, lowers and links them, and finds where executions start.
pub fn lower_units(ground: &Ground) -> Result<Next, Error> {
    let Ground { request, clock, .. } = ground;
    // With rules the sites are those of every check, numbered as in queries.
    let options = if request.values { every_check() } else { lower_options(&request.checks) };
    let started = Instant::now();
    let read = std::mem::take(&mut *ground.units.lock().expect("no holder panics"));
    let loaded = load_units(read, &request.sources, options, request.jobs, &|stage| clock.enter(stage))?;
    let loaded = ground.loaded.get_or_init(|| Arc::new(loaded));
    {
        let mut results = ground.results();
        results.loaded = Some(Arc::clone(loaded));
        results.times.add("reading", started.elapsed());
    }
    let start = find_start(&loaded.program, &request.entry)?;
    ground.results().start = Some(ground.start.get_or_init(|| start).clone());
    Ok(Next::Go)
}
