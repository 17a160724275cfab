//! Every state of a run lies inside the invariants, and no run contradicts a verdict.
//!
//! `CELLOG_FORWARD_RUNS` may name more C files, one per line of a file, with `CELLOG_FORWARD_FLAGS` for the preprocessor;
//! `benches/measure` runs generated programs so.

use crate::program::{files, load};
use cellog::concrete::Limits;
use cellog::engines::forward::{Calls, compare, compare_calls, compare_functions};
use cellog::ir::Program;
use cellog::pipeline::parallel::{cores, map_parallel};
use std::path::PathBuf;

/// On plain inputs, and on random ones.
const RUNS: u64 = 12;

fn hold(program: &Program) -> (u64, Vec<String>) {
    let Some(entry) = program.function_named("main") else { return (0, vec!["no main".into()]) };
    let limits = Limits { statements: 300_000, ..Limits::default() };
    let whole = compare(program, entry, RUNS, &limits);
    let alone = compare_functions(program, entry, RUNS, &limits);
    let mut states = whole.states + alone.states;
    let mut problems = whole.problems;
    for (how, calls) in [("joined", Calls::Joined), ("apart", Calls::Apart), ("sharing memory", Calls::Shared)] {
        let found = compare_calls(program, entry, calls, RUNS, &limits);
        states += found.states;
        problems.extend(found.problems.into_iter().map(|p| format!("calls {how}: {p}")));
    }
    problems.extend(alone.problems.into_iter().map(|p| format!("each function for itself: {p}")));
    (states, problems)
}

#[test]
fn runs_stay_inside_the_invariants_and_contradict_no_verdict() {
    let all = ["forward", "shared"].into_iter().flat_map(files);
    let mut groups: Vec<Vec<PathBuf>> = all.map(|f| vec![f]).collect();
    if let Ok(list) = std::env::var("CELLOG_FORWARD_RUNS") {
        groups = std::fs::read_to_string(list).unwrap().lines().map(|l| vec![PathBuf::from(l)]).collect();
    }
    let flags: Vec<String> =
        std::env::var("CELLOG_FORWARD_FLAGS").unwrap_or_default().split_whitespace().map(str::to_owned).collect();
    let (mut problems, mut compared, mut programs) = (Vec::new(), 0, 0);
    let held = map_parallel(&groups, cores(), |group| hold(&load(group, &flags)));
    for (group, (n, found)) in groups.iter().zip(held) {
        compared += n;
        programs += usize::from(n > 0);
        problems.extend(found.into_iter().map(|p| format!("{}: {p}", group[0].display())));
    }
    println!("{compared} states of {programs} programs");
    assert!(compared > 0, "no state was compared");
    assert!(problems.is_empty(), "{} problems\n{}", problems.len(), problems.join("\n"));
}
