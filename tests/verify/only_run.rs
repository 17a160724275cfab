//! Programs that read no input: their only run decides, unless C leaves something open.

use crate::engines::answer;
use cellog::engines::portfolio::Engine;
use cellog::engines::task::Property;

/// A program with a hole `@`, what makes it right, and what makes it wrong.
const TWINS: [(&str, &str, &str); 7] = [
    (
        "static int f(int n) { return n == 0 ? 0 : 1 + f(n - 1); } int main(void) { check(f(300) == @); return 0; }",
        "300",
        "301",
    ),
    (
        "int main(void) { unsigned x = 1; for (int i = 0; i < 500; i++) x = x * 1664525u + 1013904223u; check(x @ 0x1f2e3d4cu); return 0; }",
        "!=",
        "==",
    ),
    (
        "int sum(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); int t = 0; while (n--) t += __builtin_va_arg(l, int); \
         __builtin_va_end(l); return t; } int main(void) { check(sum(3, 1, 2, 3) == @); return 0; }",
        "6",
        "7",
    ),
    (
        "struct s { unsigned a : 1, b : 8, c : 23; }; static struct s f(unsigned i) { struct s r = {i & 1, 0, 0}; return r; } \
         int main(void) { struct s p = f(0), q = f(@); check(p.a != q.a); return 0; }",
        "1",
        "2",
    ),
    ("double sqrt(double); int main(void) { check(sqrt(@) == 1.5); return 0; }", "2.25", "2.5"),
    ("int main(void) { check(__builtin_clz(@) == 31); return 0; }", "1u", "2u"),
    (
        "int atexit(void (*)(void)); void exit(int); int g = 1; void h(void) { check(g == @); } \
         int main(void) { atexit(h); void (*leave)(int) = exit; g = 2; leave(0); return 0; }",
        "2",
        "1",
    ),
];

/// Programs whose one run passes, and proves nothing: an implementation of C may fail the check.
const OPEN: [&str; 9] = [
    "int main(void) { check(__builtin_clz(0u) == 32); return 0; }",
    "extern int other; int main(void) { check(other == 0); return 0; }",
    "int a[2], b[2]; int main(void) { check(a + 2 != b); return 0; }",
    "int strcmp(const char *, const char *); int main(void) { check(strcmp(\"b\", \"a\") == 1); return 0; }",
    "struct { char a; int b; } s = {1, 2}, t; int main(void) { t = s; check(((char *)&t)[1] == 0); return 0; }",
    "int main(void) { check(\"abc\" != \"abc\"); return 0; }",
    "int main(void) { char *p = malloc(4); unsigned long a = (unsigned long)p; free(p); char *q = malloc(4); check((unsigned long)q != a); return 0; }",
    "void f(int); int main(void) { f(1); check((unsigned long)&main % 2 == 0); return 0; }",
    "double exp(double); int main(void) { check(exp(1.5) == 4.4816890703380645); return 0; }",
];

#[test]
fn twins_are_told_apart() {
    for (text, right, wrong) in TWINS {
        for (filling, expected) in [(right, true), (wrong, false)] {
            let source = text.replace('@', filling);
            assert_eq!(answer(&source, Property::UnreachCall, Engine::Auto, 600), Some(expected), "{source}");
        }
    }
}

#[test]
fn what_c_leaves_open_is_not_decided_by_a_run() {
    for source in OPEN {
        assert_ne!(answer(source, Property::UnreachCall, Engine::Auto, 5), Some(true), "{source}");
    }
}

#[test]
fn blocks_that_are_kept_are_not_freed() {
    let text = "int *p; int main(void) { int n = 0; for (int i = 0; i < 40; i++) n += i; p = malloc(n); @ return 0; }";
    for (filling, expected) in [("free(p);", Some(true)), ("", None), ("p = 0;", Some(false))] {
        let source = text.replace('@', filling);
        assert_eq!(answer(&source, Property::ValidMemsafety, Engine::Auto, 20), expected, "{source}");
    }
}
