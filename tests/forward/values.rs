//! What is known of variables, however much of the analysis came to its end.

use crate::program::load;
use cellog::engines::forward::{Options, analyze};
use cellog::memory::Memory;
use std::collections::BTreeSet;

/// A program of so many statements, with a call before and behind them.
fn source(statements: usize) -> String {
    let halve = |name: &str| format!("static int {name}(int d) {{ if (d > 3) return d / 2; return d; }}\n");
    let body = "    x = (x + 1) & 7;\n".repeat(statements);
    let main = format!("int main(void) {{\n    int x = early(10);\n{body}    return x + late(10);\n}}\n");
    [halve("early"), halve("late"), main].concat()
}

/// Whether the analysis did not come to its end, and the functions of which values are known.
fn analysed(statements: usize, steps: u64, joined_steps: u64) -> (bool, BTreeSet<String>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("a.c");
    std::fs::write(&file, source(statements)).expect("a file");
    let program = load(std::slice::from_ref(&file), &[]);
    let main = program.function_named("main").expect("there is a main");
    let options = Options { steps, joined_steps, keep_invariants: true, ..Options::default() };
    let result = analyze(&program, &Memory::of(&program), main, &options);
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
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("a.c");
        std::fs::write(&file, doubled(levels)).expect("a file");
        let program = load(std::slice::from_ref(&file), &[]);
        let main = program.function_named("main").expect("there is a main");
        let result = analyze(&program, &Memory::of(&program), main, &Options::default());
        let tried: Vec<String> = result.attempts.iter().map(ToString::to_string).collect();
        assert!(result.incomplete.is_none() && tried.len() == 1, "{levels}: {tried:?}");
    }
}
