//! Loops whose ends are known, twins that differ in one fact, and random small loops against the interpreter.

use super::super::task::{Budget, Property, Task};
use super::{Ends, Summary, summarize};
use crate::base::SourceMap;
use crate::concrete::{InputValue, Limits, Outcome, Prepared, Script};
use crate::frontend::lower::{LowerOptions, lower};
use crate::frontend::parse::parse_units;
use crate::frontend::preprocess::PreprocessedUnit;
use crate::ir::{DataModel, Program};
use proptest::prelude::*;
use proptest::sample::select;
use std::time::Duration;

fn program(source: &str) -> Program {
    let text = format!("int rand(void);\nvoid exit(int);\n{source}").into_bytes();
    let unit = PreprocessedUnit { file: "a.c".into(), text, diagnostics: Vec::new() };
    let mut sources = SourceMap::default();
    let parsed = parse_units(&[unit], 1, &mut sources);
    let program = lower(&parsed, DataModel::Lp64, sources, LowerOptions::default());
    assert!(program.diagnostics.is_empty(), "{:?}", program.diagnostics);
    program
}

fn summary(program: &Program) -> Summary {
    let entry = program.function_named("main").expect("there is a main");
    summarize(&Task { program, entry, property: Property::Termination }, &Budget::of(Duration::from_secs(60)))
}

/// The loops of `main`, in the order of the text: `y`es, `n`o, `u`nknown.
fn ends(body: &str) -> String {
    let summary = summary(&program(&format!("int main(void) {{ int x = rand(), y = rand(); {body} return 0; }}")));
    let letter = |ends: &Ends| match ends {
        Ends::Yes(_) => 'y',
        Ends::No(_) => 'n',
        Ends::Unknown(_) => 'u',
    };
    summary.loops.iter().map(|row| letter(&row.ends)).collect()
}

#[test]
fn loops_that_count_end() {
    assert_eq!(ends("for (int i = 0; i < 10; i++) ;"), "y");
    assert_eq!(ends("if (y > 999) y = 999; while (x < y) x += 1 + rand() % 3;"), "y");
    // From INT_MAX - 1 below INT_MAX it may leap over.
    assert_eq!(ends("while (x < y) x += 1 + rand() % 3;"), "u");
    assert_eq!(ends("for (int i = 0; i < 9; i++)\n for (int j = i; j < 9; j++) x ^= j;"), "yy");
}

#[test]
fn numbers_that_fall_in_turns_of_their_own_are_one_argument() {
    assert_eq!(ends("while (x > 0 && y > 0) { if (rand()) { x--; y = rand(); } else y--; }"), "y");
    assert_eq!(ends("while (x > 0 && y > 0) { if (rand()) { x--; y = rand(); } else { y--; x = rand(); } }"), "u");
}

#[test]
fn numbers_are_those_of_the_machine() {
    // Wraps around below 0, so that the condition always holds.
    assert_eq!(ends("for (unsigned i = 9; i >= 0; i--) ;"), "n");
    assert_eq!(ends("for (int i = 9; i >= 0; i--) ;"), "y");
    // An unsigned char is never 256.
    assert_eq!(ends("for (unsigned char i = 0; i < 256; i++) ;"), "n");
    assert_eq!(ends("for (unsigned char i = 0; i < 255; i++) ;"), "y");
}

#[test]
fn loops_that_stay_where_they_are_do_not_end() {
    assert_eq!(ends("while (x != 7) { if (x > 100) x = 50; else if (x > 10) x++; else x = 3; }"), "n");
    assert_ne!(ends("while (x != 7) { if (x > 100) x = 50; else if (x > 10) x--; else x = 7; }"), "n");
}

#[test]
fn loops_with_a_way_out_that_inputs_may_never_take_are_not_said_to_end() {
    let ends = ends("while (rand() != 5) ;");
    assert_ne!(ends, "y");
}

#[test]
fn a_run_that_leaves_the_program_is_no_endless_run() {
    assert_ne!(ends("while (x == x) { if (y++ == 3) exit(1); }"), "n");
}

#[test]
fn deep_recursion_is_not_followed() {
    let summary = summary(&program("int f(int n) { return n ? f(n - 1) : 0; } int main(void) { return f(rand()); }"));
    assert!(summary.whole.is_err());
}

/// Loops over two small numbers.
fn random_loop() -> impl Strategy<Value = String> {
    let number = || (-3..6i32).boxed();
    let condition = (
        select(vec!["x", "y"]),
        select(vec!["<", ">", "!=", ">="]),
        prop_oneof![number().prop_map(|n| n.to_string()), Just("y".to_owned())],
    )
        .prop_map(|(a, op, b)| format!("{a} {op} {b}"));
    let step = (
        select(vec!["x", "y"]),
        select(vec!["+=", "-=", "=", "^="]),
        prop_oneof![number().prop_map(|n| n.to_string()), Just("x".to_owned()), Just("y".to_owned())],
    )
        .prop_map(|(a, op, b)| format!("{a} {op} {b};"));
    let steps = proptest::collection::vec(step, 1..3).prop_map(|list| list.concat());
    let kind = select(vec!["signed char", "unsigned char"]);
    (kind, condition.clone(), condition, steps.clone(), steps).prop_map(|(kind, holds, test, then, other)| {
        format!("{kind} x = rand(), y = rand(); while ({holds}) {{ if ({test}) {{ {then} }} else {{ {other} }} }}")
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, failure_persistence: None, ..ProptestConfig::default() })]
    /// What is said to end ends on every start that is tried, within as many turns as there are states.
    #[test]
    fn what_is_said_of_random_loops_is_true(text in random_loop(), starts in proptest::collection::vec((0..256i128, 0..256i128), 12)) {
        let program = program(&format!("int main(void) {{ {text} return 0; }}"));
        let said = summary(&program);
        let entry = program.function_named("main").unwrap();
        let prepared = Prepared::new(&program);
        let limits = Limits { statements: 3_000_000, trace: 0, checks: Vec::new(), ..Limits::default() };
        let runs = |inputs: Vec<InputValue>| prepared.run(entry, &mut Script::of(inputs), &limits, &mut ()).outcome;
        for row in &said.loops {
            if let Ends::Yes(measures) = &row.ends {
                for (x, y) in &starts {
                    let outcome = runs(vec![InputValue::Int(*x), InputValue::Int(*y)]);
                    prop_assert!(!matches!(outcome, Outcome::OutOfFuel(_)), "{text}: {measures:?} from {x}, {y}");
                }
            }
        }
        if let Some(run) = &said.endless {
            let outcome = runs(run.inputs.iter().map(|record| record.value.clone()).collect());
            prop_assert!(matches!(outcome, Outcome::OutOfFuel(_)), "{text}: {outcome:?}");
        }
    }
}
