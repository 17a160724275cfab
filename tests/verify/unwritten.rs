//! Bytes that nothing was written to have one value each, wherever they are copied (assumption D15); no answer depends on bytes that
//! C leaves open (assumption C21). Twins differ in one fact.

use crate::engines::answer;
use crate::program::program;
use cellog::concrete::{Defaults, Limits, run};
use cellog::engines::portfolio::Engine;
use cellog::engines::task::Property;
use cellog::ir::CheckKind;

const DECLARATIONS: &str =
    "void *memcpy(void *, const void *, unsigned long); void *memset(void *, int, unsigned long);
    int memcmp(const void *, const void *, unsigned long);\n";

/// The text with one filling holds, with the other it does not.
fn twins(text: &str, hole: &str, [holds, fails]: [&str; 2]) {
    for (filling, expected) in [(holds, true), (fails, false)] {
        let source = format!("{DECLARATIONS}{}", text.replace(hole, filling));
        assert_eq!(answer(&source, Property::UnreachCall, Engine::Auto, 240), Some(expected), "{source}");
    }
}

/// Whether the condition holds at the end of `main` depends on what C leaves open: neither it nor its opposite is proved or refuted.
fn open(before: &str, condition: &str) {
    for condition in [condition.to_owned(), format!("!({condition})")] {
        let source = format!("{DECLARATIONS}{}", before.replace("END", &format!("check({condition}); return 0;")));
        for engine in [Engine::Bmc, Engine::KInduction] {
            assert_eq!(answer(&source, Property::UnreachCall, engine, 240), None, "{engine:?}\n{source}");
        }
        let (program, main) = program(&source);
        let checks = vec![CheckKind::UnreachCall, CheckKind::UninitRead];
        let limits = Limits { unwritten: true, checks, ..Limits::default() };
        let run = run(&program, main, &mut Defaults, &limits);
        assert!(run.flags.indeterminate, "{:?}\n{source}", run.outcome);
        assert!(run.error().is_none_or(|site| program.sites[site].kind != CheckKind::UninitRead), "{source}");
    }
}

#[test]
fn records_that_are_assigned() {
    twins("int main(void) { struct { int a, b; } s, q; s = q; check(s.a == q.X); return 0; }", "X", ["a", "b"]);
    let again = "int main(void) { struct { int a, b; } s, q, r; s = q; r = s; q.a = 1; check(s.a == X.a); return 0; }";
    twins(again, "X", ["r", "q"]);
}

#[test]
fn records_that_are_passed_and_returned() {
    let passed = "struct s { int a, b; }; static int f(struct s x, struct s y) { return x.a == y.X; }
        int main(void) { struct s q; check(f(q, q)); return 0; }";
    twins(passed, "X", ["a", "b"]);
    let returned = "struct s { int a, b; } g; static struct s f(void) { struct s x; g = x; return x; }
        int main(void) { struct s q = f(); check(q.a == g.X); return 0; }";
    twins(returned, "X", ["a", "b"]);
}

#[test]
fn bytes_that_are_copied() {
    let heap = "int main(void) { int *p = malloc(8), *q = malloc(8); if (!p || !q) return 0; memcpy(p, q, 8); check(p[0] == q[X]); return 0; }";
    twins(heap, "X", ["0", "1"]);
    let read_before = "int main(void) { struct { int a, b; } s, q; int x = q.X; s = q; check(s.a == x); return 0; }";
    twins(read_before, "X", ["a", "b"]);
}

#[test]
fn a_byte_is_a_part_of_its_number() {
    let text = "int main(void) { int a[2]; char *c = (char *)a; unsigned char x = c[X]; check(((a[0] >> 8) & 255) == x); return 0; }";
    twins(text, "X", ["1", "2"]);
    let copied = "int main(void) { int a[2], b[2]; memcpy(b, a, 8); char *c = (char *)b; unsigned char x = c[X];
        check(((a[0] >> 8) & 255) == x); return 0; }";
    twins(copied, "X", ["1", "2"]);
}

#[test]
fn the_rest_of_a_union() {
    open("int main(void) { union { int i; char c; } u = {.c = 1}; END }", "u.i == 1");
    open("union { int i; char c; } u = {.c = 1}; int main(void) { END }", "u.i == 1");
    open("int main(void) { union { int i; char c; } u; u.i = 0; u.c = 1; END }", "u.i == 1");
    open(
        "union u { int i; char c; }; static void f(union u *p) { p->i = 0; p->c = 1; } int main(void) { union u u; f(&u); END }",
        "u.i == 1",
    );
    open("struct { int t; union { char c; long l; }; } s; int main(void) { s.l = 0; s.c = 1; END }", "s.l == 1");
    let stored = "int main(void) { union { int i; char c; } u; u.i = 0; u.c = 1; check(u.c == X); return 0; }";
    twins(stored, "X", ["1", "0"]);
    let nothing = "union { char c; int i; } u; int main(void) { check(u.i == X); return 0; }";
    twins(nothing, "X", ["0", "1"]);
}

#[test]
fn padding() {
    let record = |body: &str| format!("struct s {{ char c; int i; }}; {body}");
    open(&record("int main(void) { struct s s = {1, 2}; char *p = (char *)&s; END }"), "p[1] == 0");
    open(
        &record(
            "int main(void) { struct s s, q; memset(&s, 1, 8); memset(&q, 0, 8); s = q; char *p = (char *)&s; END }",
        ),
        "p[1] == 0",
    );
    open(
        &record(
            "static int f(struct s s) { return ((char *)&s)[1]; } int main(void) { struct s q; memset(&q, 0, 8); int x = f(q); END }",
        ),
        "x == 0",
    );
    open(&record("int main(void) { struct s s = {1, 2}, q = {1, 2}; int x = memcmp(&s, &q, 8); END }"), "x == 0");
    let bytes = record(
        "int main(void) { struct s s, q; memset(&s, 1, 8); memset(&q, 0, 8); memcpy(&s, &q, 8); check(((char *)&s)[1] == X); return 0; }",
    );
    twins(&bytes, "X", ["0", "1"]);
    let implicit = "struct in { char c; int i; }; int main(void) { struct { int a; struct in n; } s = {1};
        check(((char *)&s.n)[1] == X); return 0; }";
    twins(implicit, "X", ["0", "1"]);
}
