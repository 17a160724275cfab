//! Random small programs: every point of every box errs.

use super::run::{check_points, outcomes, program};
use crate::engines::search::random::Random;
use proptest::prelude::*;
use std::fmt::Write;

/// A program of two inputs, an 8-bit and a 4-bit one, with arrays, pointers, a union and a block of the heap.
pub fn generate(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut out = String::from(
        "union u { unsigned char c[4]; short s[2]; int i; };
         int f(signed char a, unsigned char e) { unsigned char b = e & 15; int x = a, y = b, z = 1; int t[8] = {3, 1, 4, 1, 5, 9, 2, 6};
         union u u; u.i = 0; int *p = t + 2; signed char k = 0; unsigned char *h = malloc(8); if (!h) return 0; memset(h, 3, 8);\n",
    );
    for _ in 0..3 + random.below(5) {
        statement(&mut random, &mut out, 2);
    }
    out.push_str("free(h); return x + y + z + k; }");
    out
}

fn atom(random: &mut Random) -> String {
    let names = ["a", "b", "x", "y", "z", "k", "u.i", "u.s[0]", "u.c[1]", "*p", "(signed char)x", "(unsigned char)y"];
    match random.below(4) {
        0 => random.between(-9, 20).to_string(),
        _ => names[random.below(names.len())].to_owned(),
    }
}

fn expression(random: &mut Random, depth: usize) -> String {
    if depth == 0 || random.one_in(3) {
        return atom(random);
    }
    let operators = ["+", "-", "*", "&", "|", "^", "/", "%", "<<", ">>", "<", "==", "!=", ">="];
    let (l, r) = (expression(random, depth - 1), expression(random, depth - 1));
    match operators[random.below(operators.len())] {
        op @ ("<<" | ">>") => format!("(({l}) {op} (({r}) & 7))"),
        op => format!("(({l}) {op} ({r}))"),
    }
}

fn statement(random: &mut Random, out: &mut String, depth: usize) {
    let e = expression(random, 2);
    let variable = ["x", "y", "z", "k", "u.i", "u.s[1]", "u.c[0]", "*p", "t[1]"][random.below(9)];
    let _ = match random.below(12) {
        0..4 => writeln!(out, "{variable} = {e};"),
        4 => writeln!(out, "x += t[({e}) & 7];"),
        5 => writeln!(out, "t[{e}] = y;"),
        6 => writeln!(out, "p = t + (({e}) & 3);"),
        7 => writeln!(out, "h[{e}] = {};", atom(random)),
        8 => writeln!(out, "memcpy(h + 1, &u, (({e}) & 3)); y += h[2];"),
        9 if depth > 0 => {
            let _ = writeln!(out, "if ({e}) {{");
            statement(random, out, depth - 1);
            let _ = writeln!(out, "}} else {{");
            statement(random, out, depth - 1);
            writeln!(out, "}}")
        }
        10 if depth > 0 => {
            let _ = writeln!(out, "for (int i = 0; i < (({e}) & 7); i++) {{");
            statement(random, out, depth - 1);
            writeln!(out, "z += i; }}")
        }
        _ => writeln!(out, "z = {} / ({e});", atom(random)),
    };
}

/// Checks one program; how many points were run.
fn check(seed: u64, most: i128) -> usize {
    let source = generate(seed);
    let (program, entry) = program(&source);
    check_points(&source, &program, entry, &outcomes(&program, entry, 60), most)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn every_point_of_every_box_errs(seed in any::<u64>()) {
        check(seed, 16);
    }
}

#[test]
fn random_programs_have_boxes() {
    let points: usize = (0..8).map(|seed| check(seed, 16)).sum();
    assert!(points > 100, "{points} points were run");
}

/// As many programs as the environment asks for: `CELLOG_PROGRAMS=100000 cargo test --release many_random -- --ignored`.
#[test]
#[ignore = "takes as long as the environment asks for"]
fn many_random_programs_have_no_box_with_a_point_that_does_not_err() {
    let number = std::env::var("CELLOG_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(1000);
    let points: usize = (1_000_000..1_000_000 + number).map(|seed| check(seed, 256)).sum();
    println!("{points} points of boxes of {number} programs err");
}
