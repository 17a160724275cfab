//! The programs that are compiled by `ascent` against propagation, tuple for tuple, on the facts of C programs: those that
//! `ascent` runs by default, and all with the feature `ascent-rules`. More fact sets: `CELLOG_FACTS` names a file with a
//! folder on each line that `cellog facts -o` wrote; `CELLOG_FACTS_SECONDS` is what `ascent` may take for one program (600).

use cellog::base::SourceMap;
use cellog::datalog::{Executor, Limits, RunError, programs, results::ProgramInfo};
use cellog::facts::{Cell, Extent, FactStore, emit, read_csv};
use cellog::frontend::lower::{LowerOptions, lower};
use cellog::frontend::parse::parse_units;
use cellog::frontend::preprocess::PreprocessedUnit;
use cellog::ir::DataModel;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Relations of fewer tuples are shown when they differ.
const SHOWN: usize = 10_000;
/// So often `ascent` may satisfy rules on the programs of `tests/c`: whole sets are joined again at every change.
const DERIVED: u64 = 30_000;

/// The programs that this build has for `ascent`.
fn compiled() -> impl Iterator<Item = &'static ProgramInfo> {
    programs::PROGRAMS.iter().filter(|info| info.executor == Executor::Ascent || cfg!(feature = "ascent-rules"))
}

/// Compares all relations of a program over `facts`; the tuples, or none where `ascent` came to a limit.
fn compare(info: &ProgramInfo, facts: &FactStore, limits: &Limits) -> Option<usize> {
    let started = Instant::now();
    let theirs = match programs::database(info.path, Executor::Ascent, facts, limits).unwrap() {
        Err(RunError::Derivations { .. } | RunError::Time { .. }) => return None,
        other => other.unwrap(),
    };
    let took = started.elapsed();
    let started = Instant::now();
    let ours = programs::database(info.path, Executor::Propagation, facts, &Limits::default()).unwrap().unwrap();
    let ours_took = started.elapsed();
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
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    eprintln!(
        "{}: {tuples} tuples, ascent {:.1} ms, propagation {:.1} ms",
        info.path,
        milliseconds(took),
        milliseconds(ours_took)
    );
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

/// What engines could have to say of a program's check sites: of each what falls to its number, so that all kinds of evidence meet.
fn state_evidence(facts: &mut FactStore) {
    let said: [(&str, &[&str]); 12] = [
        ("proved_safe", &["forward", "an invariant"]),
        ("proved_safe", &["summary", "a proof"]),
        ("not_reached", &["forward", "no state"]),
        ("errs_on_run", &["backward", "n = 0"]),
        ("errs_in_doubt", &["backward", "an assembler statement"]),
        ("blocked_by", &["forward", "n in 0..9"]),
        ("only_unfollowed", &["forward", "f is recursive"]),
        ("never_passed", &["forward"]),
        ("doubt", &["forward", "null", "close", "`p` in f may be NULL"]),
        ("errs_only_when", &["allocation"]),
        ("open_past_errors", &["forward"]),
        ("errs_past", &["another site"]),
    ];
    let sites: Vec<Cell> = facts.check_site.iter().map(|row| Cell::Symbol(row.site.0)).collect();
    for (at, site) in sites.iter().enumerate() {
        // Each kind alone, and each pair of two.
        for (relation, rest) in [said[at % said.len()], said[at / said.len() % said.len()]] {
            let rest = rest.iter().map(|text| Cell::Symbol(facts.symbols.intern(text)));
            let row: Vec<Cell> = std::iter::once(*site).chain(rest).collect();
            assert!(facts.push(relation, &row), "{relation} has other columns");
        }
    }
    for (most, what) in ["callees", "contexts", "turns"].into_iter().enumerate() {
        let row = [Cell::Symbol(facts.symbols.intern(what)), Cell::Number(most as i64)];
        assert!(facts.push("profile_bound", &row));
    }
}

/// Findings at the sites, and what a project could have decided about them: of each site what falls to its number.
fn state_decisions(facts: &mut FactStore) {
    let sites: Vec<(Cell, Cell)> =
        facts.check_site.iter().map(|row| (Cell::Symbol(row.site.0), Cell::Symbol(row.kind))).collect();
    let name = |facts: &FactStore, text: &str| Cell::Symbol(facts.symbols.intern(text));
    let push = |facts: &mut FactStore, relation: &str, row: &[Cell]| {
        assert!(facts.push(relation, row), "{relation} has other columns");
    };
    let (file, pattern, why) = (name(facts, "a.c"), name(facts, "*.c"), name(facts, "why"));
    for (at, (site, check)) in sites.into_iter().enumerate() {
        let line = Cell::Number(at as i64);
        let verdict = name(facts, ["definite", "possible", "safe"][at % 3]);
        let function = name(facts, ["f", "g"][at % 2]);
        push(facts, "reported_finding", &[site, check, verdict, file, line, function]);
        push(facts, "finding_site", &[site, site]);
        let reason = name(facts, ["", "why"][at % 2]);
        if at % 5 < 3 {
            push(facts, "allowed_by_comment", &[file, line, check, reason]);
        }
        if at % 7 < 4 {
            push(facts, "comment_alone", &[file, line]);
        }
    }
    let (shift, overflow, f) = (name(facts, "shift"), name(facts, "signed-overflow"), name(facts, "f"));
    for (clause, relation, about) in [
        (1, "allow_check", shift),
        (2, "allow_function", f),
        (2, "allow_check", overflow),
        (3, "allow_file", pattern),
        (3, "allow_id", f),
    ] {
        push(facts, "allow_clause", &[Cell::Number(clause), why]);
        push(facts, relation, &[Cell::Number(clause), about]);
    }
    push(facts, "pattern_fits", &[pattern, file]);
}

#[test]
fn c_programs_have_the_same_relations_on_ascent() {
    let limits = Limits { derivations: Some(DERIVED), ..Limits::default() };
    let mut compared: BTreeMap<&str, (usize, usize)> = compiled().map(|info| (info.name, (0, 0))).collect();
    let folders = ["checks", "forward", "points_to", "points_to_at"];
    for path in folders.iter().flat_map(|folder| c_programs(&Path::new("tests/c").join(folder))) {
        // Programs of one text without a preprocessor's lines.
        if std::fs::read_to_string(&path).unwrap().lines().any(|line| line.starts_with('#')) {
            continue;
        }
        let mut facts = facts_of(&path);
        state_evidence(&mut facts);
        state_decisions(&mut facts);
        eprintln!("{}", path.display());
        for info in compiled() {
            let Some(tuples) = compare(info, &facts, &limits) else { continue };
            let (times, all) = compared.entry(info.name).or_default();
            (*times, *all) = (*times + 1, *all + tuples);
        }
    }
    let mut by_default = compiled().filter(|info| info.executor == Executor::Ascent).map(|info| compared[info.name]);
    let enough = by_default.all(|(times, tuples)| times >= 20 && tuples > 0);
    assert!(enough, "too few fact sets or tuples were compared: {compared:?}");
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
        for info in compiled() {
            if compare(info, &facts, &limits).is_none() {
                eprintln!("{}: no end within {seconds} s on ascent", info.path);
            }
        }
    }
}
