//! What questions are asked to: the facts of C files, or of a folder written earlier.

use super::args::{BaseArgs, CacheArgs, InputArgs, LeftShift, LimitArgs};
use super::check::analyse;
use super::entry::find_start;
use super::exit::{CliError, ExitStatus};
use super::input::{load, tell_about_input};
use super::output::tell;
use super::plan::Plan;
use super::progress::Progress;
use super::rule_stage::emit_results;
use super::stages::Ended;
use super::summarize::loops_from;
use super::verify::verification_from;
use crate::engines::forward::Start;
use crate::engines::results::{state_loops, state_verification};
use crate::facts::csv::INDEX;
use crate::facts::souffle::DECLARATIONS;
use crate::facts::sqlite::MAGIC;
use crate::facts::{Emitted, Extent, FactStore, catalog, column, emit, read_csv, read_souffle, read_sqlite, row};
use crate::frontend::lower::{ErrorLabel, LowerOptions};
use crate::ir::{CheckKind, Program};
use std::io::Read;
use std::path::Path;
use std::time::Duration;

/// The groups of relations that engines write: verdicts and what leads to them, and what is known of loops.
const RESULTS: &str = "results";
const LOOPS: &str = "loops";
const VERIFICATION: &str = "verification";

/// What facts are wanted besides those of the program's text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// What `check` finds.
    pub results: bool,
    /// What `summarize` finds.
    pub loops: bool,
    /// What `verify` finds.
    pub verification: bool,
}

impl Wanted {
    /// Everything.
    pub const ALL: Wanted = Wanted { results: true, loops: true, verification: true };

    /// What is needed for these relations.
    pub fn by<'n>(relations: impl IntoIterator<Item = &'n str>) -> Wanted {
        let mut wanted = Wanted::default();
        for name in relations {
            let group = catalog().iter().find(|r| r.name == name).map(|r| r.group);
            wanted.results |= group == Some(RESULTS);
            wanted.loops |= group == Some(LOOPS);
            wanted.verification |= group == Some(VERIFICATION);
        }
        wanted
    }

    /// Whether this includes all of `other`.
    pub fn covers(self, other: Wanted) -> bool {
        (self.results || !other.results) && (self.loops || !other.loops) && (self.verification || !other.verification)
    }

    /// What either wants.
    pub fn and(self, other: Wanted) -> Wanted {
        Wanted {
            results: self.results || other.results,
            loops: self.loops || other.loops,
            verification: self.verification || other.verification,
        }
    }
}

/// The facts that `words` (C files, or one folder) and `args` name, and those of the engines that are `wanted`.
pub fn load_base(words: &[String], args: &BaseArgs, wanted: Wanted) -> Result<FactStore, CliError> {
    if let ([word], None) = (words, &args.build_dir)
        && Path::new(word).is_dir()
    {
        return read_folder(Path::new(word));
    }
    if let [word] = words
        && is_sqlite(Path::new(word))
    {
        return read_sqlite(Path::new(word)).map_err(|error| CliError::Usage(error.to_string()));
    }
    let input = InputArgs {
        files: words.to_vec(),
        build_dir: args.build_dir.clone(),
        target: args.target.clone(),
        arch: args.arch,
        unwritten_inputs: false,
        allocation: None,
        left_shift: LeftShift::Undefined,
        cpp_flags: args.cpp_flags.clone(),
    };
    if input.files.is_empty() && input.build_dir.is_none() {
        return Err(CliError::Usage("C files or a folder of facts are needed".to_owned()));
    }
    let main = args.entry.as_deref().unwrap_or("main");
    if wanted.results {
        return analysed_facts(&input, &args.limits, &args.cache, main, wanted).map(|(facts, _)| facts);
    }
    let progress = Progress::new(false);
    let time = Duration::from_secs_f64(args.limits.time_limit);
    let loaded = load(&input, every_check(), args.limits.jobs, time, &|stage| progress.stage(stage))?;
    drop(progress);
    tell_about_input(&loaded.said(), false);
    let mut emitted = emit(&loaded.program);
    if let Some(entry) = &args.entry {
        for function in find_start(&loaded.program, entry)?.functions() {
            let function = column::Function(emitted.names.function(*function));
            emitted.facts.entry_function.push(row::EntryFunction { function });
        }
    }
    if wanted.loops || wanted.verification {
        let start = find_start(&loaded.program, main)?;
        add_engines(&loaded.program, &start, wanted, time, &mut emitted)?;
    }
    Ok(emitted.facts)
}

/// Adds what is `wanted` of the program's loops and of its verification to its facts.
pub fn add_engines(
    program: &Program,
    start: &Start,
    wanted: Wanted,
    time: Duration,
    emitted: &mut Emitted,
) -> Result<(), CliError> {
    if !wanted.loops && !wanted.verification {
        return Ok(());
    }
    let Start::Function(entry) = start else {
        tell("cellog: loops and errors are judged from one entry: name it to have what is known of them");
        return Ok(());
    };
    if wanted.loops {
        let summary = loops_from(program, *entry, time)?;
        state_loops(&emitted.names, &summary, &mut emitted.facts);
    }
    if wanted.verification {
        let found = verification_from(program, *entry, time)?;
        state_verification(&emitted.names, &found, &mut emitted.facts);
    }
    Ok(())
}

/// How facts are made: with every kind of check site.
pub fn every_check() -> LowerOptions {
    LowerOptions {
        unsigned_overflow: true,
        conversion: true,
        error_label: ErrorLabel::InTasks,
        ..LowerOptions::default()
    }
}

/// The facts of a program with what `check` finds, and more if it is `wanted`; and whether all of the input was read.
pub fn analysed_facts(
    input: &InputArgs,
    limits: &LimitArgs,
    cache: &CacheArgs,
    entry: &str,
    wanted: Wanted,
) -> Result<(FactStore, bool), CliError> {
    let checks = CheckKind::ALL.iter().copied().collect();
    let progress = Progress::new(false);
    let (mut results, ended) = analyse(Plan::new(input, limits, cache, entry, &checks, true), limits, &progress, None);
    drop(progress);
    if let Some(loaded) = &results.loaded {
        tell_about_input(&loaded.said(), false);
    }
    if let Some(error) = results.failed.take() {
        return Err(error);
    }
    let (Some(loaded), Some(start)) = (&results.loaded, &results.start) else {
        return Err(match ended {
            Ended::Stopped { .. } => CliError::Nothing(ended.why().unwrap_or_default()),
            _ => CliError::Told(ExitStatus::Internal),
        });
    };
    if let (Ended::Stopped { .. }, Some(why)) = (&ended, ended.why()) {
        tell(&format!("cellog: {why}; the results are what was decided before"));
    }
    let mut emitted = emit_results(&loaded.program, start, &results);
    let time = Duration::from_secs_f64(limits.time_limit);
    add_engines(&loaded.program, start, wanted, time, &mut emitted)?;
    Ok((emitted.facts, loaded.unread.is_empty()))
}

fn is_sqlite(path: &Path) -> bool {
    let mut first = [0; MAGIC.len()];
    std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut first)).is_ok() && first == *MAGIC
}

/// The facts in a folder, as whoever wrote it says.
fn read_folder(folder: &Path) -> Result<FactStore, CliError> {
    let read = if folder.join(INDEX).exists() || !folder.join(DECLARATIONS).exists() {
        read_csv(folder, Extent::Whole)
    } else {
        read_souffle(folder)
    };
    read.map_err(|error| CliError::Usage(error.to_string()))
}
