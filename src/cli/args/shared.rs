//! Options of several commands: the program, what a run may use, earlier results.

use crate::pipeline::parallel::cores;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// The C program to work on.
#[derive(Clone, Debug, Args)]
pub struct InputArgs {
    /// C files, linked into one program; or folders, of which the C files are found and told apart by program
    #[arg(value_name = "FILES", required_unless_present = "build_dir")]
    pub files: Vec<String>,
    /// Folder with a compile_commands.json: its files and their flags; of FILES beside it, those alone
    #[arg(short = 'p', value_name = "BUILD_DIR")]
    pub build_dir: Option<PathBuf>,
    /// With -p or a folder: the program or library whose units are meant, where there are several
    #[arg(long, value_name = "NAME")]
    pub target: Option<String>,
    /// Data model: sizes of long and pointers
    #[arg(long, value_enum, default_value_t = Arch::Lp64)]
    pub arch: Arch,
    /// Variables and blocks that nothing has written hold inputs: reading them is no error (to `verify` they always do)
    #[arg(long)]
    pub unwritten_inputs: bool,
    /// Whether malloc and its kin can give NULL [default: may-fail, for `verify` succeeds]
    #[arg(long, value_enum, value_name = "OUTCOME")]
    pub allocation: Option<Allocation>,
    /// What `<<` of a negative value, or out of what its signed type holds, means
    #[arg(long, value_enum, value_name = "MEANING", default_value_t = LeftShift::Undefined)]
    pub left_shift: LeftShift,
    /// File that says what functions do whose text is not there (docs/contracts.md); may be repeated
    #[arg(long, value_name = "FILE.dl")]
    pub contracts: Vec<PathBuf>,
    /// Flags for the C preprocessor
    #[arg(last = true, value_name = "CPP FLAGS")]
    pub cpp_flags: Vec<String>,
}

/// What comes of a request for memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Allocation {
    /// Memory, or NULL: an input of the program
    MayFail,
    /// Memory, as the rules of verification competitions have it
    Succeeds,
}

/// What C has to say of signed left shifts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LeftShift {
    /// An error, as C99 to C23 have it
    Undefined,
    /// A shift of the bits, as gcc and clang compile it: no `shift-overflow`
    Defined,
}

/// What a run may use.
#[derive(Clone, Debug, Args)]
pub struct LimitArgs {
    /// Seconds for the whole run; what is not decided then is unknown [default: 60, or what the profile has]
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub time_limit: Option<f64>,
    /// Threads [default: as many as there are cores]
    #[arg(long, value_name = "N", default_value_t = cores(), hide_default_value = true,
          value_parser = jobs)]
    pub jobs: usize,
    /// Megabytes of memory; what is not decided when they are used is unknown [default: no limit]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(64..))]
    pub memory_limit: Option<u64>,
    /// Seed of the random choices; the same seed gives the same report
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}

/// How much is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Statements.
    Counted(u64),
    /// Until the time is over.
    Limit,
}

/// A number of million statements, or `limit`.
pub fn effort(text: &str) -> Result<Effort, String> {
    const MILLION: u64 = 1_000_000;
    match (text, text.parse::<u64>().ok().and_then(|n| n.checked_mul(MILLION))) {
        ("limit", _) => Ok(Effort::Limit),
        (_, Some(statements)) => Ok(Effort::Counted(statements)),
        _ => Err("a number of million statements, or 'limit', is needed".to_owned()),
    }
}

/// Where earlier results are.
#[derive(Clone, Debug, Args)]
pub struct CacheArgs {
    /// Folder of earlier results; what has not changed is not analysed again
    /// [default: $CELLOG_CACHE_DIR, else cellog in the user's cache folder]
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,
    /// Neither look for earlier results nor keep these
    #[arg(long, conflicts_with = "cache")]
    pub no_cache: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Arch {
    /// 64-bit long and pointers
    Lp64,
    /// 32-bit long and pointers
    Ilp32,
}

/// A number of threads.
pub fn jobs(text: &str) -> Result<usize, String> {
    match text.parse::<usize>() {
        Ok(n) if (1..=1024).contains(&n) => Ok(n),
        _ => Err("a number from 1 to 1024 is needed".to_owned()),
    }
}

/// A number of seconds.
pub fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(s) if s > 0.0 && s <= 1e6 => Ok(s),
        _ => Err("a number of seconds above 0 is needed".to_owned()),
    }
}
