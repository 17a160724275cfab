//! What is known of variables, however much of the analysis came to its end.

use crate::program::{load, untimed};
use cellog::engines::forward::{Calls, ForwardResult, Options, analyze};
use cellog::ir::Program;
use cellog::memory::Memory;
use std::collections::BTreeSet;

/// A program of so many statements, with a call before and behind them.
fn source(statements: usize) -> String {
    let halve = |name: &str| format!("static int {name}(int d) {{ if (d > 3) return d / 2; return d; }}\n");
    let body = "    x = (x + 1) & 7;\n".repeat(statements);
    let main = format!("int main(void) {{\n    int x = early(10);\n{body}    return x + late(10);\n}}\n");
    [halve("early"), halve("late"), main].concat()
}

/// A program, analysed as `options` say.
fn result(source: String, options: &Options<'_>) -> (Program, ForwardResult) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("a.c");
    std::fs::write(&file, source).expect("a file");
    let program = load(std::slice::from_ref(&file), &[]);
    let main = program.function_named("main").expect("there is a main");
    let result = analyze(&program, &Memory::of(&program), main, options);
    (program, result)
}

/// Whether the analysis did not come to its end, and the functions of which values are known.
fn analysed(statements: usize, steps: u64, joined_steps: u64) -> (bool, BTreeSet<String>) {
    let options = Options { steps, joined_steps, keep_invariants: true, ..untimed() };
    let (program, result) = result(source(statements), &options);
    let values = result.values_where_decided(&program);
    assert_eq!(result.value_at(&program).is_empty(), values.is_empty());
    (result.incomplete.is_some(), values.iter().map(|v| program.functions[v.function].name.clone()).collect())
}

#[test]
fn values_are_known_whether_calls_are_followed_or_joined() {
    let all: BTreeSet<String> = ["early", "late"].map(str::to_owned).into();
    for (steps, joined_steps) in [(10_000, 0), (300, 10_000), (0, 10_000)] {
        assert_eq!(analysed(400, steps, joined_steps), (false, all.clone()), "{steps}, {joined_steps}");
    }
    assert_eq!(analysed(400, 300, 300), (true, BTreeSet::new()));
}

/// Functions that call each other twice, one behind the other: there are 2^`levels` ways to the last.
fn doubled(levels: usize) -> String {
    let last = "static int f0(int x) { return x & 7; }\n".to_owned();
    let of = |level: usize| format!("static int f{}(int x) {{ return f{level}(x) + f{level}(x + 1); }}\n", level + 1);
    let main = format!("int main(void) {{ return f{levels}(1) < 0; }}\n");
    last + &(0..levels).map(of).collect::<String>() + &main
}

#[test]
fn calls_are_followed_where_many_ways_meet_in_few_states() {
    for levels in [3, 30] {
        let (_, result) = result(doubled(levels), &untimed());
        let first = &result.attempts[0];
        assert!(first.calls == Calls::Followed && first.aborted.is_none(), "{levels}: {first}");
    }
}

#[test]
fn where_calls_are_apart_few_ways_of_calls_are_followed() {
    const MOST: u64 = 20_000;
    for calls in [Calls::Apart, Calls::Shared, Calls::Joined] {
        let (_, result) = result(doubled(30), &Options { calls: Some(calls), ..untimed() });
        assert!(result.incomplete.is_none() && result.steps < MOST, "{calls:?}: {} statements", result.steps);
    }
}

/// A function with one loop inside another, and others one behind the other that call it with numbers that grow.
fn called_again() -> String {
    let line = |k: usize| format!("        if (g[(i + {k}) & 63] > j) g[(j + {k}) & 63] = i + step;\n");
    let loops = "for (int i = 0; i < n; i++) for (int j = i; j < n; j++)";
    let lines: String = (0..40).map(line).collect();
    let work = format!("int g[64];\nstatic void f0(int n, int step) {{\n    {loops} {{\n{lines}    }}\n}}\n");
    let of = |k: usize| format!("static void f{}(int n, int step) {{ f{k}(n, step); f{k}(n, step + 1); }}\n", k + 1);
    let main = "int main(int argc, char **argv) { f6(argc, 1); f6(argc, 2); return 0; }\n";
    work + &(0..6).map(of).collect::<String>() + main
}

#[test]
fn an_analysis_of_more_begins_with_the_invariants_of_less() {
    // Each time from the start, it takes 42,000, 22,000 and 44,000 statements.
    for (calls, most) in [(Calls::Apart, 32_000), (Calls::Shared, 17_000), (Calls::Joined, 34_000)] {
        let (_, result) = result(called_again(), &Options { calls: Some(calls), ..untimed() });
        assert!(result.incomplete.is_none() && result.steps < most, "{calls:?}: {} statements", result.steps);
    }
}
