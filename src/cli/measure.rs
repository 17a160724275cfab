//! Figures about the tool itself, for the measuring scripts. Hidden: no promise to users.

use super::args::{Arch, InputArgs, LeftShift, default_jobs, jobs};
use super::base::every_check;
use super::exit::{CliError, ExitStatus};
use super::input::{Loaded, load};
use super::output::{tell, write_report};
use super::parallel::map_parallel;
use crate::ir::Program;
use clap::Subcommand;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Seconds that the preprocessor may take for a unit.
pub const UNIT_LIMIT: Duration = Duration::from_secs(60);

/// The measurements.
#[derive(Debug, Subcommand)]
pub enum MeasureCommand {
    /// Lowers every case of a list and prints how much of each was understood.
    Lower {
        /// Lines of `name<TAB>files<TAB>flags`, files and flags separated by blanks
        list: PathBuf,
        /// Threads
        #[arg(long, default_value_t = default_jobs(), value_parser = jobs)]
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

/// Runs one of the measurements.
pub fn measure(command: &MeasureCommand) -> Result<ExitStatus, CliError> {
    match command {
        MeasureCommand::Lower { list, jobs } => lower_list(list, *jobs),
        MeasureCommand::Run { input, fuel } => super::interpret::interpret(input, *fuel),
        MeasureCommand::Contain { input, runs } => super::containment::contain(input, *runs),
        MeasureCommand::PointsTo { input, rules } => super::points_to::points_to(input, rules.as_deref()),
    }
}

/// Loads the program that a measurement works on, all sites on.
pub fn load_quietly(input: &InputArgs) -> Result<Loaded, CliError> {
    load(input, every_check(), 1, UNIT_LIMIT, &|_| ())
}

/// `name<TAB>lowered<TAB>all<TAB>what is missing;...` for every case of the list, in its order.
fn lower_list(list: &Path, jobs: usize) -> Result<ExitStatus, CliError> {
    let text = std::fs::read_to_string(list).map_err(|e| CliError::Usage(format!("{}: {e}", list.display())))?;
    let lines: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).collect();
    let rows = map_parallel(&lines, jobs, |line| lower_case(line));
    let complete = rows.iter().filter(|r| r.ends_with('\t')).count();
    write_report(&(rows.join("\n") + "\n"), None)?;
    tell(&format!("{complete} of {} cases lowered whole", rows.len()));
    Ok(ExitStatus::Clean)
}

fn lower_case(line: &str) -> String {
    let mut columns = line.split('\t');
    let (name, files, flags) =
        (columns.next().unwrap_or(""), columns.next().unwrap_or(""), columns.next().unwrap_or(""));
    let words = |s: &str| s.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    // A folder stands for the units of its compile_commands.json.
    let build_dir = Some(PathBuf::from(files)).filter(|d| d.is_dir());
    let files = if build_dir.is_some() { Vec::new() } else { words(files) };
    let input = InputArgs {
        files,
        build_dir,
        target: None,
        arch: Arch::Lp64,
        unwritten_inputs: false,
        allocation: None,
        left_shift: LeftShift::Undefined,
        cpp_flags: words(flags),
    };
    match load_quietly(&input) {
        Err(error) => format!("{name}\t0\t0\t{}", one_line(&error.to_string())),
        Ok(loaded) => {
            let (lowered, all) = lowered_functions(&loaded.program);
            let missing: Vec<String> = missing(&loaded).into_iter().map(|m| one_line(&m)).collect();
            format!("{name}\t{lowered}\t{all}\t{}", missing.join(";"))
        }
    }
}

/// Functions whose body was lowered, and functions with a body in the source.
pub fn lowered_functions(program: &Program) -> (usize, usize) {
    let lowered = program.functions.iter().filter(|f| f.has_body() && f.failed.is_none() && !f.library).count();
    let failed = program.functions.iter().filter(|f| f.failed.is_some()).count();
    (lowered, lowered + failed)
}

/// Everything of the input that did not make it into the program whole.
fn missing(loaded: &Loaded) -> BTreeSet<String> {
    let program = &loaded.program;
    let mut missing = BTreeSet::new();
    missing.extend(loaded.unread.iter().map(|(file, reason)| format!("{file}: {reason}")));
    for f in program.functions.iter() {
        if let Some(reason) = &f.failed {
            missing.insert(format!("{}: {} at {}", f.name, reason, program.sources.describe(f.span)));
        }
    }
    for u in &program.unsupported {
        let function = u.function.as_deref().unwrap_or("file scope");
        missing.insert(format!("{function}: {} at {}", u.construct, program.sources.describe(u.span)));
    }
    for d in program.diagnostics.iter().filter(|d| d.severity == crate::base::Severity::Error) {
        missing.insert(format!("{} at {}", d.message, program.sources.describe(d.span)));
    }
    missing
}

fn one_line(text: &str) -> String {
    text.replace(['\t', '\n', ';'], " ")
}
