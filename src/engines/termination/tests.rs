//! Loops whose ends are known, twins that differ in one fact, and random small loops against the interpreter.

use super::super::task::{Budget, Property, Task};
use super::{Doubt, Ends, LoopRow, Summary, Wanted, summarize};
use crate::base::SourceMap;
use crate::concrete::{InputValue, Limits, Outcome, Prepared, Script};
use crate::frontend::lower::{LowerOptions, lower};
use crate::frontend::parse::parse_units;
use crate::frontend::preprocess::PreprocessedUnit;
use crate::ir::{CheckKind, DataModel, Program};
use crate::memory::Memory;
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
    summary_of(program, Property::Termination, Wanted::Summaries)
}

fn summary_of(program: &Program, property: Property, wanted: Wanted) -> Summary {
    let entry = program.function_named("main").expect("there is a main");
    summarize(&Task::new(program, &Memory::of(program), entry, property), wanted, &Budget::of(Duration::from_secs(60)))
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
fn numbers_that_come_closer_meet() {
    assert_eq!(ends("while (x != 0) { if (x > 0) x--; else x++; }"), "y");
    assert_ne!(ends("while (x != 0) { if (x > 0) x -= 2; else x++; if (x == 0) x = 1; }"), "y");
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
fn turns_behind_overflows_count_only_where_they_are_meant_to() {
    let whole = |property: Property, body: &str| {
        let text = format!("int main(void) {{ int x = rand(), y = rand(); {body} return 0; }}");
        let program = program(&text);
        let summary = summary_of(&program, property, Wanted::Ends);
        summary.whole.is_ok() && summary.loops.iter().all(LoopRow::is_ranked)
    };
    // Endless on machines that wrap around, where x is the largest number.
    let leap = "while (x >= y + 1) y = y + 1;";
    assert!(!whole(Property::Termination, leap));
    assert!(whole(Property::TerminationOrOverflow, leap));
    assert!(!whole(Property::TerminationOrOverflow, "unsigned u = x; while (u >= 0) u = u + 1;"));
    assert!(!whole(Property::TerminationOrOverflow, "while (x >= y + 1) y = y ^ 1;"));
    assert!(!whole(Property::TerminationOrOverflow, "while (x > 0) { y = y + 1; if (y > 9) y = 0; }"));
}

#[test]
fn loops_that_stay_where_they_are_do_not_end() {
    assert_eq!(ends("while (x != 7) { if (x > 100) x = 50; else if (x > 10) x++; else x = 3; }"), "n");
    assert_ne!(ends("while (x != 7) { if (x > 100) x = 50; else if (x > 10) x--; else x = 7; }"), "n");
}

#[test]
fn runs_that_repeat_themselves_are_looked_at_before_long_ones() {
    assert_eq!(ends("y = 7 - y; if (y < 1) while (x >= 0) x -= y;"), "n");
    assert_eq!(ends("y = 7 - y; if (y < 0) while (x >= 0) x -= y;"), "u");
}

#[test]
fn accesses_are_right_where_a_window_of_turns_shows_it() {
    let string = |ends: &str| {
        let text = "int main(void) { int n = rand(); if (n < 1) n = 1; char *b = __builtin_alloca(n);";
        let program = program(&format!("{text} {ends} char *p = b; while (*p) p++; return 0; }}"));
        summary_of(&program, Property::Termination, Wanted::Ends).whole
    };
    assert_eq!(string("b[n - 1] = 0;"), Ok(()));
    // Nothing is known to keep the walk before the middle, though it does.
    assert_eq!(string("b[n / 2] = 0;"), Err(Doubt::AccessMayErr));
    assert_eq!(string(""), Err(Doubt::AccessMayErr));
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

/// Ends of the loops in a whole program, in the order of the text.
fn ends_of(source: &str) -> (String, bool) {
    let summary = summary(&program(source));
    let letter = |ends: &Ends| match ends {
        Ends::Yes(_) => 'y',
        Ends::No(_) => 'n',
        Ends::Unknown(_) => 'u',
    };
    (summary.loops.iter().map(|row| letter(&row.ends)).collect(), summary.whole.is_ok())
}

#[test]
fn calls_that_are_not_followed_write_what_they_may() {
    let with = |written: &str| {
        let f = format!("void f(int k) {{ if (k > 0) f(k - 1); {written} }}");
        ends_of(&format!(
            "int m, n, *p = &m; {f} int main(void) {{ n = rand(); while (n > 0) {{ n--; f(rand() & 1); }} return 0; }}"
        ))
        .0
    };
    assert_eq!(with("m++;"), "y");
    assert_ne!(with("n++;"), "y");
    assert_eq!(with("*p = 5;"), "y");
    let through = "int m, n, *p = &n; void f(int k) { if (k > 0) f(k - 1); *p = 5; }
        int main(void) { n = rand(); while (n > 0) { n--; f(rand() & 1); } return 0; }";
    assert_ne!(ends_of(through).0, "y");
}

#[test]
fn pointers_from_outside_may_be_to_the_same_object() {
    let walk = |body: &str| {
        let g = format!("void g(int *p, int *q, int n) {{ {body} }}");
        let main = "int main(void) { int a = rand(), b = 0; g(&a, rand() ? &a : &b, a); return 0; }";
        ends_of(&format!("{g} {main}")).0
    };
    assert_ne!(walk("while (*p > 0) { *p = *p - 1; *q = *q + 1; }"), "y");
    assert_eq!(walk("while (n > 0) { n = n - 1; *q = *q ^ 1; }"), "y");
}

#[test]
fn a_walk_to_the_end_of_a_string_ends_or_errs() {
    let walk = |step: &str| {
        ends_of(&format!(
        "int length(const char *s) {{ const char *p = s; while (*p) {step}; return p - s; }} int main(void) {{ return length(\"abc\"); }}"
    )).0
    };
    assert_eq!(walk("p++"), "y");
    assert_ne!(walk("rand()"), "y");
}

#[test]
fn recursion_ends_where_parameters_fall() {
    let whole = |text: &str| ends_of(text).1;
    assert!(whole(
        "int f(int n) { return n <= 0 ? 0 : f(n - 1) + f(n - 2 < 0 ? 0 : n - 2); } int main(void) { return f(rand()); }"
    ));
    assert!(!whole("int f(int n) { return n <= 0 ? 0 : f(n) + 1; } int main(void) { return f(rand()); }"));
    // Ackermann's function: lexicographic, whatever calls return.
    let a =
        "int a(int m, int n) { if (m <= 0) return n; if (n <= 0) return a(m - 1, 1); return a(m - 1, a(m, n - 1)); }";
    assert!(whole(&format!("{a} int main(void) {{ return a(2, 2); }}")));
    let b = "int g(int n); int f(int n) { return n <= 0 ? 0 : g(n - 1); } int g(int n) { return f(n + 1); }";
    assert!(!whole(&format!("{b} int main(void) {{ return f(rand()); }}")));
}

/// The sine of small angles: no number of machine integers falls in the loop, and none needs to.
const TURN: &str = "static double turned(double angle) { while (angle > 6.28) angle -= 6.28; return angle; }
    int main(void) { double sum = 0; for (int i = 0; i < COUNT; i++) sum += turned(0.3 * i); return sum > 1; }";

#[test]
fn loops_of_which_no_turn_is_followed_by_another_end() {
    let ends = |count: &str| {
        let summary = summary(&program(&TURN.replace("COUNT", count)));
        let angle = summary.loops.iter().find(|row| row.function == "turned").expect("there is a loop");
        angle.ends.clone()
    };
    assert_eq!(ends("10"), Ends::Yes(Vec::new()));
    assert!(matches!(ends("30"), Ends::Unknown(_)));
}

/// What the forward analysis takes to end executions does not: reads of what nothing was written to, and overflows.
#[test]
fn turns_behind_errors_that_machines_run_past_are_turns() {
    assert_eq!(ends("int z; if (z != 0) while (z != 0) { if (z > 5) z = 7; else z = z - 1; }"), "u");
    assert_eq!(ends("int n = 2147483647; n = n + 1; if (n < 0) while (n < 0) n = n | 1;"), "u");
}

#[test]
fn a_loop_with_two_entries_is_made_two() {
    let with = |step: &str| ends(&format!("if (y) goto in; while (x > 0) {{ y ^= x; in: {step} }}"));
    assert!(with("x--;").chars().all(|c| c == 'y'), "{}", with("x--;"));
    assert!(!with("x ^= 2;").chars().all(|c| c == 'y'));
}

#[test]
fn control_that_is_not_followed_may_come_back() {
    let body = |last: &str| {
        let start = "void *p = rand() ? &&out : &&top; top: while (x > 0)";
        format!("{start} {{ if (y) {{ x--; continue; }} {last} }} out:;")
    };
    assert!(!ends(&body("goto *p;")).contains('y'));
    assert!(ends(&body("break;")).contains('y'));
}

#[test]
fn loops_that_inputs_keep_going_do_not_end() {
    assert_eq!(ends("while (rand() != 5) x ^= 1;"), "n");
    assert_eq!(ends("while (x == x) { for (int i = 0; i < 9; i++) y ^= i; }"), "ny");
    assert_ne!(
        ends(
            "while (x == x) { for (int i = 0; i < 9; i++) y ^= i; int r = rand(); if (r == 5) exit(1); if (r != 5) exit(1); }"
        ),
        "ny"
    );
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

fn program_of(body: &str) -> Program {
    program(&format!("int main(void) {{ {body} return 0; }}"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, failure_persistence: None, ..ProptestConfig::default() })]
    /// What is said to end ends on every start that is tried, within as many turns as there are states; what is said to hold at its
    /// head holds in all turns.
    #[test]
    fn what_is_said_of_random_loops_is_true(text in random_loop(), starts in proptest::collection::vec((0..256i128, 0..256i128), 12)) {
        let program = program_of(&text);
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
        // A false invariant divides by zero where it is asked.
        let held: Vec<String> = said.loops.iter().flat_map(|row| &row.invariants).map(|i| format!("({})", i.formula)).collect();
        if !held.is_empty() {
            let asked = text.replacen("while (", &format!("while (1 / ({}), ", held.join(" && ")), 1);
            let asking = program_of(&asked);
            let prepared = Prepared::new(&asking);
            let limits = Limits { statements: 20_000, trace: 0, checks: vec![CheckKind::DivByZero], ..Limits::default() };
            let entry = asking.function_named("main").unwrap();
            for (x, y) in &starts {
                let inputs = vec![InputValue::Int(*x), InputValue::Int(*y)];
                let run = prepared.run(entry, &mut Script::of(inputs), &limits, &mut ());
                prop_assert!(run.error().is_none(), "{asked} from {x}, {y}");
            }
        }
        if let Some(run) = &said.endless {
            let outcome = runs(run.inputs.iter().map(|record| record.value.clone()).collect());
            prop_assert!(matches!(outcome, Outcome::OutOfFuel(_)), "{text}: {outcome:?}");
        }
    }
}
