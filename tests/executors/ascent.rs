//! The built-in programs on `ascent` against propagation, tuple for tuple, on the facts of C programs. More fact sets:
//! `CELLOG_FACTS` names a file with a folder on each line that `cellog facts -o` wrote; `CELLOG_FACTS_SECONDS` is what
//! `ascent` may take for one program of rules (600).

use cellog::base::SourceMap;
use cellog::datalog::{Executor, Limits, RunError, programs, results::ProgramInfo};
use cellog::facts::{Extent, FactStore, emit, read_csv};
use cellog::frontend::lower::{LowerOptions, lower};
use cellog::frontend::parse::parse_units;
use cellog::frontend::preprocess::PreprocessedUnit;
use cellog::ir::DataModel;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Relations of fewer tuples are shown when they differ.
const SHOWN: usize = 10_000;
/// So often `ascent` may satisfy rules on the programs of `tests/c`: whole sets are joined again at every change.
const DERIVED: u64 = 30_000;

/// Compares all relations of a program over `facts`; the tuples, or none where `ascent` came to a limit.
fn compare(info: &ProgramInfo, facts: &FactStore, limits: &Limits) -> Option<usize> {
    let started = Instant::now();
    let theirs = match programs::database(info.path, Executor::Ascent, facts, limits).unwrap() {
        Err(RunError::Derivations { .. } | RunError::Time { .. }) => return None,
        other => other.unwrap(),
    };
    let took = started.elapsed();
    let ours = programs::database(info.path, Executor::Propagation, facts, &Limits::default()).unwrap().unwrap();
    let mut tuples = 0;
    for name in info.outputs {
        let (found, expected) = (theirs.relation(name).unwrap(), ours.relation(name).unwrap());
        assert_eq!(found.count(), expected.count(), "{}: tuples of {name}", info.path);
        if expected.count() < SHOWN {
            assert_eq!(found.values(), expected.values(), "{}: {name}", info.path);
        }
        assert_eq!(found.fingerprint(), expected.fingerprint(), "{}: {name} differs", info.path);
        tuples += expected.count();
    }
    eprintln!("{}: {tuples} tuples, ascent {:.1} s", info.path, took.as_secs_f64());
    Some(tuples)
}

fn c_programs(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|e| e == "c")).collect();
    found.sort();
    found
}

fn facts_of(path: &Path) -> FactStore {
    let text = std::fs::read(path).unwrap();
    let unit = PreprocessedUnit { file: path.display().to_string(), text, diagnostics: Vec::new() };
    let mut sources = SourceMap::default();
    let parsed = parse_units(&[unit], 1, &mut sources);
    emit(&lower(&parsed, DataModel::Lp64, sources, LowerOptions::default())).facts
}

#[test]
fn c_programs_have_the_same_relations_on_ascent() {
    let limits = Limits { derivations: Some(DERIVED), ..Limits::default() };
    let mut compared = 0;
    for path in ["points_to", "points_to_at"].iter().flat_map(|group| c_programs(&Path::new("tests/c").join(group))) {
        // Programs of one text without a preprocessor's lines.
        if std::fs::read_to_string(&path).unwrap().lines().any(|line| line.starts_with('#')) {
            continue;
        }
        let facts = facts_of(&path);
        eprintln!("{}", path.display());
        compared += programs::PROGRAMS.iter().filter_map(|info| compare(info, &facts, &limits)).count();
    }
    assert!(compared >= 20, "only {compared} were compared");
}

#[test]
fn given_fact_sets_have_the_same_relations_on_ascent() {
    let Ok(list) = std::env::var("CELLOG_FACTS") else { return };
    let seconds =
        std::env::var("CELLOG_FACTS_SECONDS").map_or(600, |s| s.parse().expect("CELLOG_FACTS_SECONDS is a number"));
    let limits = Limits { time: Some(Duration::from_secs(seconds)), ..Limits::default() };
    for folder in std::fs::read_to_string(&list).expect("CELLOG_FACTS names a file").lines() {
        let facts = read_csv(Path::new(folder), Extent::Whole).unwrap();
        eprintln!("{folder}");
        for info in programs::PROGRAMS {
            if compare(info, &facts, &limits).is_none() {
                eprintln!("{}: no end within {seconds} s on ascent", info.path);
            }
        }
    }
}
