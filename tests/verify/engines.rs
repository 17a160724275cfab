//! Small programs with known answers: no engine gives a wrong one, and those named decide them.

use crate::program::program;
use cellog::engines::portfolio::{Engine, News, run};
use cellog::engines::task::{Answer, Budget, Property, Task};
use cellog::memory::Memory;
use std::sync::mpsc::channel;
use std::time::Duration;

const ENGINES: [Engine; 6] =
    [Engine::Auto, Engine::Bmc, Engine::KInduction, Engine::PredicateAbstraction, Engine::Impact, Engine::Summary];

/// The first answer that decides the task.
pub fn answer(source: &str, property: Property, engine: Engine, seconds: u64) -> Option<bool> {
    answers(source, property, engine, seconds).iter().find_map(|answer| match answer {
        Answer::True(_) => Some(true),
        Answer::False(_) => Some(false),
        Answer::Unknown(_) => None,
    })
}

/// All answers, in order.
pub fn answers(source: &str, property: Property, engine: Engine, seconds: u64) -> Vec<Answer> {
    let source = source.to_owned();
    // Engines recurse over deep terms and automata.
    let work = move || {
        let (program, entry) = program(&source);
        let (sender, receiver) = channel();
        let memory = Memory::of(&program);
        let task = Task::new(&program, &memory, entry, property);
        run(&task, engine, &Budget::of(Duration::from_secs(seconds)), &sender);
        drop(sender);
        let answer = |news| match news {
            News::Answer(_, answer) => Some(answer),
            News::Begun(_) | News::Rules(_) | News::Attempt(_) => None,
        };
        receiver.iter().filter_map(answer).collect()
    };
    std::thread::Builder::new().stack_size(256 << 20).spawn(work).unwrap().join().unwrap()
}

/// No engine contradicts `expected`, and these decide it.
fn judged(source: &str, property: Property, expected: bool, deciding: &[Engine]) {
    for engine in ENGINES {
        // Those that need not decide it are given less time to be wrong in.
        let given = answer(source, property, engine, if deciding.contains(&engine) { 600 } else { 5 });
        assert!(given.is_none_or(|g| g == expected), "{engine:?} says {given:?}\n{source}");
        if deciding.contains(&engine) {
            assert_eq!(given, Some(expected), "{engine:?}\n{source}");
        }
    }
}

/// See: Beyer, Dangl, Wendler, "A Unifying View on SMT-Based Software Verification", Fig. 2.
#[test]
fn the_program_of_the_papers_figure() {
    let text = |x: &str| {
        format!(
            "int main(void) {{ unsigned x = 0, y = 0;
               while (x < {x}) {{ x++; y++; if (x != y) reach_error(); }} return 0; }}"
        )
    };
    judged(&text("2"), Property::UnreachCall, true, &ENGINES);
    // Too many turns to unroll: the equation is needed.
    let deciding = [Engine::Auto, Engine::KInduction, Engine::PredicateAbstraction, Engine::Impact, Engine::Summary];
    judged(&text("1000000000"), Property::UnreachCall, true, &deciding);
    judged(&text("2").replace("y++", "y += x"), Property::UnreachCall, false, &ENGINES);
}

#[test]
fn twins_of_branches_over_few_values() {
    let text = |last: &str| {
        format!(
            "int main(void) {{ int lock = 0, n = 0, old = 0;
               do {{ lock = 1; old = n; if (__VERIFIER_nondet_int()) {{ lock = 0; n++; }} }} while (n != old);
               check({last}); return 0; }}"
        )
    };
    judged(&text("lock"), Property::UnreachCall, true, &[Engine::Auto, Engine::PredicateAbstraction, Engine::Impact]);
    judged(&text("!lock"), Property::UnreachCall, false, &ENGINES);
}

#[test]
fn twins_of_a_bounded_loop() {
    let text = |last: u32| {
        format!("int main(void) {{ int s = 0; for (int i = 0; i < 5; i++) s += i; check(s == {last}); return 0; }}")
    };
    judged(&text(10), Property::UnreachCall, true, &ENGINES);
    judged(&text(11), Property::UnreachCall, false, &ENGINES);
}

#[test]
fn twins_of_a_state_machine() {
    let text = |next: u32| {
        format!(
            "int main(void) {{ int state = 0; while (1) {{
               if (__VERIFIER_nondet_int()) {{
                 if (state == 0) state = 1; else if (state == 1) state = {next}; else if (state == 2) state = 0; }}
               check(state != 3); }} }}"
        )
    };
    let deciding = [Engine::Auto, Engine::KInduction, Engine::PredicateAbstraction, Engine::Impact];
    judged(&text(2), Property::UnreachCall, true, &deciding);
    judged(&text(3), Property::UnreachCall, false, &[Engine::Auto, Engine::Bmc, Engine::KInduction]);
}

#[test]
fn twins_of_a_loop_that_needs_an_equation() {
    let text = |start: u32| {
        format!(
            "int main(void) {{ unsigned char n = __VERIFIER_nondet_uchar(), x = n, y = {start};
               while (x > 0) {{ x--; y++; }} check(y == n); return 0; }}"
        )
    };
    judged(&text(0), Property::UnreachCall, true, &[Engine::KInduction]);
    judged(&text(1), Property::UnreachCall, false, &[Engine::Auto, Engine::Bmc]);
}

/// See: Kroening et al., "Loop Summarization using State and Transition Invariants", Example 5.
#[test]
fn what_fails_beyond_a_loop_is_told_as_a_leap() {
    // That `p` is a power of 2 no candidate says.
    let source = "int main(void) { unsigned p = 1;
        while (__VERIFIER_nondet_int()) p = p * 2;
        check(p != 12); return 0; }";
    let told = answers(source, Property::UnreachCall, Engine::Summary, 15);
    let Some(Answer::Unknown(why)) = told.last() else { panic!("{told:?}") };
    let why = why.to_string();
    assert!(why.contains("leaps over loops fails at ") && why.contains("; over the loop at "), "{why}");
    assert!(why.contains("p = 12"), "{why}");
}

#[test]
fn an_uninitialized_value_may_be_anything() {
    let text = "int main(void) { unsigned x; while (x < 10) x++; check(x > 10); return 0; }";
    for engine in ENGINES {
        assert_ne!(answer(text, Property::UnreachCall, engine, 5), Some(true), "{engine:?}");
    }
}

/// What nothing was written to keeps the value that it was read with, and a counterexample says which.
#[test]
fn twins_of_an_unwritten_variable() {
    let text = |last: &str| {
        format!(
            "int main(void) {{ int x, y = __VERIFIER_nondet_int(); if (x > 3) y = 1; else y = 2;
               check(y == 1 || {last}); return 0; }}"
        )
    };
    judged(&text("x <= 3"), Property::UnreachCall, true, &[Engine::Auto, Engine::Bmc]);
    let deciding = [Engine::Auto, Engine::Bmc, Engine::KInduction, Engine::PredicateAbstraction, Engine::Impact];
    judged(&text("x != -7654"), Property::UnreachCall, false, &deciding);
}

#[test]
fn twins_of_an_overflow() {
    let text = |limit: &str| {
        format!(
            "int main(void) {{ int x = __VERIFIER_nondet_int(); if (x < 0 || x > {limit}) return 0; return x + 1; }}"
        )
    };
    judged(&text("2147483646"), Property::NoOverflow, true, &ENGINES);
    judged(&text("2147483647"), Property::NoOverflow, false, &ENGINES);
}

#[test]
fn twins_of_a_buffer() {
    let text = |size: u32| {
        format!(
            "int main(void) {{ int a[{size}]; unsigned n = __VERIFIER_nondet_uint(); if (n > 8) return 0;
               for (unsigned i = 0; i < n; i++) a[i] = 1; return 0; }}"
        )
    };
    judged(&text(8), Property::ValidMemsafety, true, &ENGINES);
    judged(&text(7), Property::ValidMemsafety, false, &[Engine::Auto, Engine::Bmc]);
}

#[test]
fn twins_of_a_heap_block() {
    let text = |again: &str| {
        format!(
            "int main(void) {{ int *p = malloc(4); if (!p) return 0; *p = 3; int v = *p; free(p); {again} return v; }}"
        )
    };
    judged(&text(""), Property::ValidMemsafety, true, &[Engine::Bmc, Engine::Auto]);
    judged(&text("free(p);"), Property::ValidMemsafety, false, &[Engine::Bmc, Engine::Auto]);
    judged(&text("v += *p;"), Property::ValidMemsafety, false, &[Engine::Bmc, Engine::Auto]);
}

#[test]
fn a_lost_block_is_never_called_safe() {
    let text = "int main(void) { int *p = malloc(4); if (p) *p = 1; return 0; }";
    for engine in ENGINES {
        assert_ne!(answer(text, Property::ValidMemsafety, engine, 5), Some(true), "{engine:?}");
    }
}

#[test]
fn what_is_not_encoded_is_never_called_safe() {
    for text in [
        "int unknown(void); int main(void) { check(unknown() == 0); return 0; }",
        "void unknown(int *); int main(void) { int x = 0; unknown(&x); check(x == 0); return 0; }",
        "void unknown(void); int x; int main(void) { unknown(); check(x == 0); return 0; }",
        "int f(int n) { return n > 9 ? 0 : f(n + 1); } int main(void) { check(f(0) == 1); return 0; }",
    ] {
        assert_ne!(answer(text, Property::UnreachCall, Engine::Bmc, 5), Some(true), "{text}");
        assert_ne!(answer(text, Property::UnreachCall, Engine::KInduction, 5), Some(true), "{text}");
    }
}

/// The kinds of programs that the paper's Sect. 5.7 names, each decided by the engine that it names.
///
/// See: Beyer, Dangl, Wendler, "A Unifying View on SMT-Based Software Verification", Sect. 5.7.
#[test]
fn each_kind_of_program_has_its_engine() {
    let unrolled = "int main(void) { unsigned a[6], s = 0, n = __VERIFIER_nondet_uint() % 6;
        for (unsigned i = 0; i < 6; i++) a[i] = i * i;
        for (unsigned i = 0; i <= n; i++) s += a[i];
        check(s <= 55); return 0; }";
    // Requests are granted one at a time, for ever.
    let machine = "int main(void) { int busy = 0, state = 0; while (1) { int e = __VERIFIER_nondet_int();
        if (state == 0 && e == 1) { state = 1; busy = 1; }
        else if (state == 1 && e == 2) state = 2;
        else if (state == 2 && e == 3) { state = 0; busy = 0; }
        check(busy == (state != 0)); } }";
    // What matters are a few facts on a flag and two counters.
    let values = "int main(void) { int lock = 0, n = 0, old = 0;
        do { lock = 1; old = n; if (__VERIFIER_nondet_int()) { lock = 0; n++; } } while (n != old);
        check(lock); return 0; }";
    // Much text, but each part needs little.
    let steps: String =
        (0..40).map(|i| format!("if (__VERIFIER_nondet_int() == {i}) {{ x += {}; }} check(x >= 0);", i % 3)).collect();
    let shallow = format!(
        "int main(void) {{ int x = 0; {steps} while (__VERIFIER_nondet_int()) {{ if (x > 100) x = 0; }} check(x >= 0); return 0; }}"
    );
    for (source, engine) in [
        (unrolled, Engine::Bmc),
        (machine, Engine::KInduction),
        (values, Engine::PredicateAbstraction),
        (&shallow, Engine::Impact),
    ] {
        assert_eq!(answer(source, Property::UnreachCall, engine, 600), Some(true), "{engine:?}\n{source}");
    }
}

/// Two variables that change together, one of them with inputs: interpolants over both.
#[test]
fn twins_of_a_machine_that_grants_requests() {
    let text = |last: &str| {
        format!(
            "int main(void) {{ int busy = 0, state = 0; while (1) {{ int e = __VERIFIER_nondet_int();
               if (state == 0 && e == 1) {{ state = 1; busy = 1; }}
               else if (state == 1 && e == 2) state = 2;
               else if (state == 2 && e == 3) {{ state = 0; busy = {last}; }}
               check(busy == (state != 0)); }} }}"
        )
    };
    let deciding = [Engine::Auto, Engine::KInduction, Engine::PredicateAbstraction, Engine::Impact];
    judged(&text("0"), Property::UnreachCall, true, &deciding);
    judged(&text("1"), Property::UnreachCall, false, &[Engine::Auto, Engine::Bmc]);
}

/// A bound of one variable by twice another, which only the sides of what runs show say.
#[test]
fn twins_of_a_slope() {
    let text = |last: &str| {
        format!(
            "int main(void) {{ int n = __VERIFIER_nondet_int(), i = 0, a = 0; __VERIFIER_assume(n > 0 && n <= 1000000);
               while (i < n) {{ if (__VERIFIER_nondet_int()) a = a + 1; else a = a + 2; i = i + 1; }}
               check({last}); return 0; }}"
        )
    };
    judged(&text("a <= 2 * n"), Property::UnreachCall, true, &[Engine::Auto]);
    judged(&text("a < 2 * n"), Property::UnreachCall, false, &[Engine::Auto, Engine::Bmc]);
}

/// Inequalities over three variables, over joins of branches, and at the limits of types.
#[test]
fn twins_of_linear_inequalities() {
    let text = |last: &str| {
        format!(
            "int main(void) {{ int n = __VERIFIER_nondet_int(), i = 0, a = 0, b = 0; __VERIFIER_assume(n >= 0 && n <= 1000000);
               while (i < n) {{ if (__VERIFIER_nondet_int()) {{ a = a + 1; b = b + 2; }} else {{ a = a + 2; b = b + 1; }} i = i + 1; }}
               check({last}); return 0; }}"
        )
    };
    judged(&text("a + b == 3 * n"), Property::UnreachCall, true, &[Engine::Auto]);
    judged(&text("a + b != 3 * n"), Property::UnreachCall, false, &[Engine::Auto, Engine::Bmc]);
}

#[test]
fn twins_of_a_loop_too_long_to_unroll() {
    let text = |odd: &str| {
        format!("int main(void) {{ unsigned x = 0; while (x < 0x0fffffff) x += 2; check({odd}(x % 2)); return 0; }}")
    };
    judged(&text("!"), Property::UnreachCall, true, &[Engine::Auto, Engine::Summary]);
    judged(&text(""), Property::UnreachCall, false, &[Engine::Auto]);
}
