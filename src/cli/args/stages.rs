//! The options of `link` and `merge`: what stands before and behind the shards of a check.

use super::shared::InputArgs;
use crate::pipeline::parallel::cores;
use clap::Args;
use std::path::PathBuf;

/// Makes one file of a program's units, for any command to work on.
#[derive(Debug, Args)]
#[command(after_help = "\
A unit's file (`cellog facts --format unit`) is what the preprocessor made of it, so the machine that analyses needs none of
the headers. Linking reads all units as one program and says what is wrong with it; commands take the file where they
take C files. A check can then be done in parts, each on a machine of its own:

  cellog facts --format unit -o main.unit main.c -- -Iinclude
  cellog facts --format unit -o list.unit list.c -- -Iinclude
  cellog link -o program.unit main.unit list.unit
  cellog check --shard 1/2 --format json -o 1.json program.unit
  cellog check --shard 2/2 --format json -o 2.json program.unit
  cellog merge -o report.json 1.json 2.json")]
pub struct LinkArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// The program's file
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Threads [default: as many as there are cores]
    #[arg(long, value_name = "N", default_value_t = cores(), hide_default_value = true)]
    pub jobs: usize,
}

/// Makes one report of those of all shards.
#[derive(Debug, Args)]
#[command(after_help = "\
The report is the one that a run without `--shard` would have written. Parts that are missing, there twice, or of another
program or other options are refused. Exit status: as that of `check`.")]
pub struct MergeArgs {
    /// What `check --shard I/N --format json` wrote, for every I
    #[arg(value_name = "REPORTS", required = true)]
    pub reports: Vec<PathBuf>,
    /// Write the report to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}
