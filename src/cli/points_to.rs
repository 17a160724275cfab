//! `cellog measure points-to`: the time from source to the memory relations, and how large they are.

use super::args::{InputArgs, default_jobs};
use super::exit::{CliError, ExitStatus};
use super::input::load;
use super::measure::UNIT_LIMIT;
use super::output::write_report;
use crate::datalog::Limits;
use crate::frontend::lower::LowerOptions;
use crate::memory::Memory;
use std::time::Instant;

/// Loads the program, runs the memory rules and prints seconds and sizes.
pub fn points_to(input: &InputArgs) -> Result<ExitStatus, CliError> {
    let start = Instant::now();
    let loaded = load(input, LowerOptions::default(), default_jobs(), UNIT_LIMIT, &|_| ())?;
    let lowered = start.elapsed();
    let memory = Memory::build(&loaded.program, &Limits::default()).map_err(|e| CliError::Internal(e.to_string()))?;
    let all = start.elapsed();
    let s = memory.statistics();
    let text = format!(
        "functions {}\nsource to IR {:.2} s\nIR to relations {:.2} s\nall {:.2} s\nbases {}\npointers {}\npoints_to {}\n\
         mean targets {:.1}\nlocations {}\nstored {}\ncall_edges {}\n",
        loaded.program.functions.iter().filter(|f| f.has_body()).count(),
        lowered.as_secs_f64(),
        (all - lowered).as_secs_f64(),
        all.as_secs_f64(),
        s.bases,
        s.pointers,
        s.points_to,
        s.mean_targets(),
        s.locations,
        s.stored,
        s.call_edges,
    );
    write_report(&text, None)?;
    Ok(ExitStatus::Clean)
}
