//! Figures about the tool itself, for the measuring scripts. Hidden: no promise to users.

use super::args::MeasureCommand;
use super::exit::ExitStatus;
use super::loaded::{load_quietly, lowered_functions};
use super::output::{tell, write_report};
use crate::pipeline::parallel::map_parallel;
use crate::pipeline::sources::Loaded;
use crate::pipeline::{Error, Sources};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Runs one of the measurements.
pub fn measure(command: &MeasureCommand) -> Result<ExitStatus, Error> {
    match command {
        MeasureCommand::Lower { list, jobs } => lower_list(list, *jobs),
        MeasureCommand::Run { input, fuel } => super::interpret::interpret(input, *fuel),
        MeasureCommand::Contain { input, runs } => super::containment::contain(input, *runs),
        MeasureCommand::PointsTo { input, rules } => super::points_to::points_to(input, rules.as_deref()),
    }
}

/// `name<TAB>lowered<TAB>all<TAB>what is missing;...` for every case of the list, in its order.
fn lower_list(list: &Path, jobs: usize) -> Result<ExitStatus, Error> {
    let text = std::fs::read_to_string(list).map_err(|e| Error::Usage(format!("{}: {e}", list.display())))?;
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
    let sources = Sources { build_dir, flags: words(flags), ..Sources::of_files(files) };
    match load_quietly(&sources) {
        Err(error) => format!("{name}\t0\t0\t{}", one_line(&error.to_string())),
        Ok(loaded) => {
            let (lowered, all) = lowered_functions(&loaded.program);
            let missing: Vec<String> = missing(&loaded).into_iter().map(|m| one_line(&m)).collect();
            format!("{name}\t{lowered}\t{all}\t{}", missing.join(";"))
        }
    }
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
