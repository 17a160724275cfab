//! The fact sets of `facts/cases` through the rules, without C: each folder's `expected.txt` lists what is derived.

use crate::datalog::programs::{assertions, memory};
use crate::datalog::{Limits, SetRelation};
use crate::facts::{Extent, FactStore, read_csv};
use expect_test::expect_file;
use std::fmt::Write;
use std::path::{Path, PathBuf};

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("facts/cases");
    let entries = std::fs::read_dir(&folder).expect("the folder is there");
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    paths.sort();
    paths
}

/// The main relations of a run, a sorted line per tuple.
fn derived(facts: &FactStore) -> String {
    let results = memory::run(facts, &Limits::default()).expect("the rules run");
    let location = |l| {
        let l = results.records.location(l);
        format!("[{}, {}, {}]", facts.symbols.resolve(l.base.0), l.offset.0, l.stride.0)
    };
    let mut lines = Vec::new();
    lines.extend(results.points_to.iter().map(|(v, l)| format!("points_to({:3}, {})", v.0, location(l))));
    lines.extend(results.stored.iter().map(|(a, l)| format!("stored({}, {})", location(a), location(l))));
    lines.extend(
        results
            .call_edge
            .iter()
            .map(|r| format!("call_edge({}, {})", facts.symbols.resolve(r.call.0), facts.symbols.resolve(r.callee.0))),
    );
    lines.sort();
    let mut text = String::new();
    for line in lines {
        let _ = writeln!(text, "{line}");
    }
    text
}

#[test]
fn fact_sets_derive_what_they_are_committed_with() {
    let cases = cases();
    assert!(cases.len() >= 4);
    for case in cases {
        let facts = read_csv(&case, Extent::Part).expect("the case is well-formed");
        expect_file![case.join("expected.txt")].assert_eq(&derived(&facts));
    }
}

#[test]
fn assertions_hold_on_every_fact_set() {
    for case in cases() {
        let facts = read_csv(&case, Extent::Part).expect("the case is well-formed");
        assert_eq!(broken_assertions(&facts), [""; 0], "{}", case.display());
    }
}

/// The assertions that do not hold, by name.
pub fn broken_assertions(facts: &FactStore) -> Vec<&'static str> {
    let program = assertions::program();
    let database = crate::datalog::evaluate(program, facts, &Limits::default()).expect("the rules run");
    let names = crate::datalog::programs::catalog().iter().map(|r| r.name).filter(|n| n.starts_with("assert_"));
    names.filter(|n| database.relation(n).expect("an output of the program").count() > 0).collect()
}

#[test]
fn relations_stored_as_sets_never_hold_an_empty_set() {
    for case in cases() {
        let facts = read_csv(&case, Extent::Part).expect("the case is well-formed");
        let results = memory::run(&facts, &Limits::default()).expect("the rules run");
        assert!(no_empty_set(&results.points_to) && no_empty_set(&results.stored));
    }
}

fn no_empty_set<K: crate::datalog::results::Key, E: crate::facts::Column>(relation: &SetRelation<K, E>) -> bool {
    relation.sets().all(|(_, set)| !set.is_empty())
}
