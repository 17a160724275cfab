//! Floating-point numbers in encodings: twins that differ in one fact.

use crate::engines::answer;
use cellog::engines::portfolio::Engine;
use cellog::engines::task::Property;

/// `right` keeps the error out of reach, `wrong` does not.
fn twins(text: &str, hole: &str, [right, wrong]: [&str; 2]) {
    for (filling, expected) in [(right, true), (wrong, false)] {
        let source =
            format!("float __VERIFIER_nondet_float(void); double sqrt(double); {}", text.replace(hole, filling));
        assert_eq!(answer(&source, Property::UnreachCall, Engine::Auto, 240), Some(expected), "{source}");
    }
}

#[test]
fn sums_round() {
    twins("int main(void) { double x = 0.1, y = 0.2; check(x + y OP 0.3); return 0; }", "OP", ["!=", "=="]);
    twins("int main(void) { float big = 16777216.0f; check(big + 1.0f OP big); return 0; }", "OP", ["==", "!="]);
    twins(
        "int main(void) { long double x = 9007199254740993.0L; check(x OP 9007199254740992.0L); return 0; }",
        "OP",
        ["!=", "=="],
    );
}

#[test]
fn what_is_no_number_equals_nothing() {
    let text = "int main(void) { float x = __VERIFIER_nondet_float(); if (GUARD) check(x == x); return 0; }";
    twins(text, "GUARD", ["x >= 0", "!(x < 0)"]);
    twins(
        "int main(void) { float x = __VERIFIER_nondet_float(); if (x > 0) check(!__builtin_isnan(x) && OTHER); return 0; }",
        "OTHER",
        ["!__builtin_signbit(x)", "__builtin_isfinite(x)"],
    );
}

#[test]
fn inputs_are_found_and_bounded() {
    let text =
        "int main(void) { float x = __VERIFIER_nondet_float(); if (x >= 1 && x <= 2) check(x * 2 < M); return 0; }";
    twins(text, "M", ["4.5f", "4.0f"]);
    let text = "int main(void) { float x = __VERIFIER_nondet_float(); if (x > 0 && x < 100) { int n = x; check(n < M); } return 0; }";
    twins(text, "M", ["100", "99"]);
}

#[test]
fn functions_are_computed() {
    twins("int main(void) { double x = 2; check(sqrt(x) * sqrt(x) OP 2); return 0; }", "OP", ["!=", "=="]);
    twins(
        "int main(void) { int n = __VERIFIER_nondet_int(); float f = n; if (LIMIT) check((int)f == n); return 0; }",
        "LIMIT",
        ["n > -16777216 && n < 16777216", "n > -16777216 && n < 16777220"],
    );
}
