//! The options of measurements.

use super::shared::{InputArgs, jobs};
use crate::pipeline::parallel::cores;
use clap::Subcommand;
use std::path::PathBuf;

/// The measurements.
#[derive(Debug, Subcommand)]
pub enum MeasureCommand {
    /// Lowers every case of a list and prints how much of each was understood.
    Lower {
        /// Lines of `name<TAB>files<TAB>flags`, files and flags separated by blanks
        list: PathBuf,
        /// Threads
        #[arg(long, default_value_t = cores(), value_parser = jobs)]
        jobs: usize,
    },
    /// Interprets a program from main.
    Run {
        #[command(flatten)]
        input: InputArgs,
        /// Steps of the interpreter
        #[arg(long, default_value_t = 1 << 34)]
        fuel: u64,
    },
    /// Holds the states of a run against the invariants of the forward analysis.
    Contain {
        #[command(flatten)]
        input: InputArgs,
        /// Runs: the first on plain inputs, the others on random ones
        #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
        runs: u64,
    },
    /// Runs the memory rules on a program and prints seconds, tuples, mean target set and peak memory.
    PointsTo {
        #[command(flatten)]
        input: InputArgs,
        /// Program file to run instead of the built-in rules
        #[arg(long, value_name = "FILE")]
        rules: Option<PathBuf>,
    },
}
