//! Left shifts of signed values (assumption C4): twins that differ in one fact.

use crate::engines::answer;
use cellog::engines::portfolio::Engine;
use cellog::engines::task::Property;

fn twins(text: &str, hole: &str, [right, wrong]: [&str; 2]) {
    for (filling, expected) in [(right, true), (wrong, false)] {
        let source = text.replace(hole, filling);
        assert_eq!(answer(&source, Property::NoOverflow, Engine::Auto, 240), Some(expected), "{source}");
    }
}

#[test]
fn into_the_sign() {
    twins("int main(void) { unsigned char r = 255; int x = r << N; return x != 0; }", "N", ["23", "24"]);
    twins("int main(void) { return (ONE << 31) != 0; }", "ONE", ["1u", "1"]);
    twins("int main(void) { return (1L << N) != 0; }", "N", ["62", "63"]);
}

#[test]
fn of_negative_values() {
    twins("int main(void) { int x = V; return (x << 1) != 0; }", "V", ["1", "-1"]);
    twins("int main(void) { short s = -1; s = OF s << 8; return s; }", "OF", ["(unsigned short)", ""]);
}

#[test]
fn of_inputs() {
    let value =
        "int main(void) { int x = __VERIFIER_nondet_int(); if (x < 0 || x > M) return 0; return (x << 16) != 0; }";
    twins(value, "M", ["0x7fff", "0x8000"]);
    let count =
        "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0 || n > M) return 0; return (1 << n) != 0; }";
    twins(count, "M", ["30", "31"]);
}

#[test]
fn by_more_than_there_are_bits() {
    // What is shifted out is 0 or it is not; the count by itself is another error.
    twins("int main(void) { int n = 40, x = V; return (x << n) != 0; }", "V", ["0", "1"]);
}

#[test]
fn again_and_again() {
    twins("int main(void) { int m = 1; for (int i = 0; i < N; i++) m <<= 1; return m != 0; }", "N", ["30", "31"]);
}
