//! Leaps over loops, and memory that nothing was written to: what runs with them end in.

use crate::program::program;
use cellog::concrete::{InputPlace, InputValue, Limits, Outcome, Prepared, Run, Script, Unwritten};
use cellog::ir::CheckKind;

fn run(source: &str, limits: &Limits, inputs: &[i128]) -> Run {
    let (program, main) = program(source);
    let mut script = Script::of(inputs.iter().map(|n| InputValue::Int(*n)).collect());
    Prepared::new(&program).run(main, &mut script, limits, &mut ())
}

fn limits(leaps: bool) -> Limits {
    Limits { leaps, checks: CheckKind::ALL.to_vec(), statements: 3_000_000, ..Limits::default() }
}

/// Every phase, direction, width and way out; the run without leaps is the judge.
#[test]
fn leaps_change_nothing_but_the_statements() {
    let tests = [
        "unsigned x = 0; while (x < 50000) x += 2; r = x;",
        "r = 0; while (1) { r++; if (r == 200 || r == 199) return r; }",
        "unsigned x = 60000; while (x > 1) x -= 2; r = x;",
        "unsigned x = 0; while (x < 50000) { if (x < 20000) x++; else x += 2; } r = x;",
        "int x = 0, y = 7; for (int i = 0; i != 40000; i++) { x += 3; y = 9 - x; } r = x + y;",
        "int i = 0, k = 5; while (i < 3 * k + 20000) { i += 7; k = k + 1; } r = i - k;",
        "unsigned x = 0, y; while (x < 9000) { y = 0; while (y < 10) y++; x++; } r = x + y;",
        "unsigned char c = 0; int n = 0; while (n < 30000) { c++; n++; } r = c;",
        "unsigned x = 4294960000u; int n = 0; while (x > 5000) { x += 3; n++; } r = n;",
        "int n = 0; for (long long i = 0; i < 100000000000; i += 5000000) n++; r = n;",
        "unsigned x = 0; while (x < 40000) x = twice(x); r = x;",
        "int odd = 0; for (int i = 0; i < 30000; i++) { if (i % 2) odd++; } r = odd;",
        "int sum = 0; for (int i = 0; i < 3000; i++) sum += i; r = sum;",
        "int a[4] = {0}; for (int i = 0; i < 20000; i++) a[i & 3] = i; r = a[2];",
        "int i = 0; do { i++; if (i == 12345) break; } while (1); r = i;",
        "int x = 0; for (int i = 0; i < 30000; i++) { x = -x; x += 1; } r = x;",
        "unsigned x = 0; while (x < 30000) { x = x + (x < 10000 ? 1 : 5); } r = x;",
        "int i = 0, j = 30000; while (i < j) { i += 2; j -= 1; } r = i * 100000 + j;",
        "_Bool b = 0; int n = 0; while (n < 20000) { b = n; n++; } r = b;",
        "int x = 2147480000, n = 0; while (n < 10000) { x++; n++; } r = x;",
        "int x = 1; for (int i = 0; i < 5000; i++) { switch (i / 4000) { case 0: x += 2; break; default: x += 3; } } r = x;",
    ];
    for body in tests {
        let source = format!(
            "static unsigned twice(unsigned z) {{ return z + 2; }}\nint main(void) {{ int r; {body} return r; }}"
        );
        let (plain, leaping) = (run(&source, &limits(false), &[]), run(&source, &limits(true), &[]));
        assert_eq!(format!("{:?}", plain.outcome), format!("{:?}", leaping.outcome), "{body}");
        assert_eq!((plain.flags, plain.continued), (leaping.flags, leaping.continued), "{body}");
        assert!(leaping.statements <= plain.statements, "{body}");
    }
}

/// The turn that is watched may be the one that ends the run, wherever the watch begins.
#[test]
fn runs_may_end_in_a_turn_that_is_watched() {
    for turns in 195..=210 {
        let source = format!("int main(void) {{ int n = 0; while (1) {{ n++; if (n == {turns}) return n; }} }}");
        let ended = run(&source, &limits(true), &[]);
        assert!(matches!(ended.outcome, Outcome::Returned(Some(_))), "{:?}", ended.outcome);
    }
}

#[test]
fn long_loops_end_in_few_statements() {
    for body in [
        "while (x < 0x0fffffff) x += 2;",
        "while (x < 0x0fffffff) x = twice(x);",
        "while (x < 0x0fffffff) { y = 0; while (y < 10) y++; x++; }",
        "while (x < 0x0fffffff) { if (x < 0xfff1) x++; else x += 2; }",
        "for (x = 0x0ffffff1; x > 1; x -= 2) ;",
    ] {
        let source = format!(
            "static unsigned twice(unsigned z) {{ return z + 2; }}\nint main(void) {{ unsigned x = 0, y = 0; {body} return x % 2; }}"
        );
        let run = run(&source, &limits(true), &[]);
        assert!(matches!(run.outcome, Outcome::Returned(_)), "{body}: {:?}", run.outcome);
        assert!(run.statements < 200_000, "{body}: {}", run.statements);
    }
}

#[test]
fn what_nothing_was_written_to_is_an_input_that_stays() {
    let source = "int main(void) { int x, a[3]; a[1] = 5; int first = a[2]; return x == 7 && a[2] == first && a[1] == 5 && x == 7; }";
    let unwritten = Limits { unwritten: true, checks: Vec::new(), ..Limits::default() };
    let taken = run(source, &unwritten, &[9, 7]);
    assert!(
        matches!(taken.outcome, Outcome::Returned(Some(cellog::concrete::Value::Int(1, _)))),
        "{:?}",
        taken.outcome
    );
    assert!(taken.flags.is_determined());
    let places: Vec<InputPlace> = taken.inputs.iter().map(|i| i.place).collect();
    assert!(
        matches!(
            places[..],
            [InputPlace::Unwritten(Unwritten::Variable(_), 8), InputPlace::Unwritten(Unwritten::Variable(_), 0)]
        ),
        "{places:?}"
    );
    let plain = run(source, &Limits { unwritten: false, ..unwritten }, &[]);
    assert!(plain.flags.indeterminate && plain.inputs.is_empty());
}
