//! Constructs that are made plain where C is lowered or encoded, in twins that differ in one place: vectors, jumps, counted bits, classes of
//! characters, checked arithmetic, blocks that grow, copies of unions and bit-fields.

use crate::engines::answer;
use cellog::engines::portfolio::Engine;
use cellog::engines::task::Property;

/// A program with a hole `@`, what makes it right, and what makes it wrong.
type Twins = (&'static str, &'static str, &'static str);

const TWINS: [Twins; 20] = [
    (
        "typedef int v4 __attribute__((vector_size(16))); int main(void) { int n = __VERIFIER_nondet_int(); v4 a = {n, 1, 2, 3}; \
         v4 b = a + @; v4 *p = &b; check((*p)[3] == 4 && b[0] - 1 == n || n == 2147483647); return 0; }",
        "1",
        "2",
    ),
    (
        "typedef unsigned char v8 __attribute__((vector_size(8))); static v8 f(v8 a, v8 b) { return a < b; } \
         int main(void) { unsigned char n = __VERIFIER_nondet_uchar(); v8 a = {n}, b = {10}; v8 c = f(a, b); \
         if (n < 10) check(c[0] == @ && c[1] == 0); return 0; }",
        "255",
        "1",
    ),
    (
        "@ int main(void) { int n = __VERIFIER_nondet_int(), r = setjmp(b); if (r == 0) f(n); else check(n > 0 && r == n); check(n <= 0 || r == n); return 0; }",
        "JUMP static void f(int n) { if (n > 0) longjmp(b, n); }",
        "JUMP static void f(int n) { if (n > 0) longjmp(b, n + 1); }",
    ),
    (
        "JUMP static int f(int n) { if (n > 2) longjmp(b, @); return n; } \
         int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0 || n > 3) return 0; int r = setjmp(b); check(r <= 1); if (!r) check(f(n) < 3); return 0; }",
        "0",
        "2",
    ),
    (
        "JUMP static jmp_buf inner; static void f(void) { if (setjmp(inner) == 0) longjmp(@, 1); } \
         int main(void) { if (setjmp(b) == 0) { f(); check(1); } else check(0); return 0; }",
        "inner",
        "b",
    ),
    (
        "JUMP static void f(int n) { longjmp(b, n); } \
         int main(void) { volatile int turns = 0; int r = setjmp(b); turns++; if (turns < 4) f(turns); check(r == @); return 0; }",
        "3",
        "4",
    ),
    (
        "int main(void) { unsigned x = __VERIFIER_nondet_uint(); if (x) check(x >> (31 - __builtin_clz(x)) == @); return 0; }",
        "1",
        "2",
    ),
    (
        "int main(void) { unsigned x = __VERIFIER_nondet_uint(); if (x) check((x >> __builtin_ctz(x)) % 2 == @); return 0; }",
        "1",
        "0",
    ),
    (
        "int main(void) { unsigned x = __VERIFIER_nondet_uint(); check(__builtin_popcount(x & 255) <= @); return 0; }",
        "8",
        "7",
    ),
    (
        "int main(void) { int x = __VERIFIER_nondet_int(); check(__builtin_ffs(x) == (x ? __builtin_ctz(x) + @ : 0)); return 0; }",
        "1",
        "2",
    ),
    (
        "int main(void) { unsigned x = __VERIFIER_nondet_uint(); check((__builtin_bswap32(x) & 255) == (x >> @)); return 0; }",
        "24",
        "16",
    ),
    (
        "int main(void) { int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), r; if (!__builtin_sub_overflow(a, b, &r)) \
         check((long long)r == (long long)a @ b); return 0; }",
        "-",
        "+",
    ),
    (
        "int isdigit(int); int main(void) { unsigned char c = __VERIFIER_nondet_uchar(); if (c < 128 && isdigit(c)) check(c >= 48 && c <= @); return 0; }",
        "57",
        "56",
    ),
    (
        "int toupper(int); int main(void) { unsigned char c = __VERIFIER_nondet_uchar(); if (c >= 97 && c <= 122) check(toupper(c) == c - @); return 0; }",
        "32",
        "31",
    ),
    (
        "void *realloc(void *, unsigned long); int main(void) { int n = __VERIFIER_nondet_int(); int *p = malloc(8); if (!p) return 0; p[1] = n; \
         p = realloc(p, 16); if (!p) return 0; p[3] = 1; check(p[1] == n @ && p[3] == 1); free(p); return 0; }",
        "",
        "&& n != 17",
    ),
    (
        "int main(void) { unsigned n; n = 3; char a[n]; a[n - @] = 1; check(sizeof a == 3 && a[2] == 1); return 0; }",
        "1",
        "2",
    ),
    (
        "double fmin(double, double); double __VERIFIER_nondet_double(void); int main(void) { double a = __VERIFIER_nondet_double(), \
         b = __VERIFIER_nondet_double(), m = fmin(a, b); if (a == a) check(m <= a && (m == a || m == b @)); return 0; }",
        "",
        "&& b > 0",
    ),
    (
        "float fmaxf(float, float); int main(void) { float a = __VERIFIER_nondet_int(), m = fmaxf(a, @); check(m >= 1 && m >= a); return 0; }",
        "1",
        "0",
    ),
    (
        "union u { int i; unsigned char c[4]; }; static union u f(int n) { union u r; r.i = n; return r; } \
         int main(void) { int n = __VERIFIER_nondet_int(); union u a = f(n), b = a; check(b.c[0] == (n & @)); return 0; }",
        "255",
        "127",
    ),
    (
        "struct s { unsigned a : 3, b : 13; unsigned char c; }; static struct s f(unsigned n) { struct s r; r.a = n; r.b = n >> 3; r.c = n; return r; } \
         int main(void) { unsigned n = __VERIFIER_nondet_uint(); struct s x = f(n), y; y = x; check((y.a | y.b << 3) == (n & @) && y.c == (n & 255)); return 0; }",
        "65535",
        "65534",
    ),
];

/// Programs of which no implementation of C need pass the check.
const OPEN: [&str; 4] = [
    "JUMP static void f(void) { longjmp(b, 1); } int main(void) { int x = 1; if (setjmp(b) == 0) { x = 2; f(); } else check(x == 2); return 0; }",
    "JUMP static void f(int *p) { *p = 2; longjmp(b, 1); } int main(void) { int x = 1; if (setjmp(b) == 0) f(&x); else check(x == 2); return 0; }",
    "void *realloc(void *, unsigned long); int main(void) { char *p = malloc(8); if (!p) return 0; p[6] = 1; p = realloc(p, 2); if (!p) return 0; \
     p = realloc(p, 8); if (!p) return 0; check(p[6] == 1); free(p); return 0; }",
    "void *realloc(void *, unsigned long); void *calloc(unsigned long, unsigned long); int main(void) { char *p = calloc(2, 1); if (!p) return 0; \
     p = realloc(p, 8); if (!p) return 0; check(p[6] == 0); free(p); return 0; }",
];

/// What `setjmp.h` says, as the GNU library has it.
const JUMP: &str = "struct __jmp_buf_tag { long registers[8]; }; typedef struct __jmp_buf_tag jmp_buf[1]; int setjmp(jmp_buf); \
                    void longjmp(jmp_buf, int) __attribute__((noreturn)); static jmp_buf b;";

#[test]
fn twins_are_told_apart() {
    for (text, right, wrong) in TWINS {
        for (filling, expected) in [(right, true), (wrong, false)] {
            let source = text.replace('@', filling).replace("JUMP", JUMP);
            for engine in [Engine::Auto, Engine::Bmc] {
                assert_eq!(answer(&source, Property::UnreachCall, engine, 600), Some(expected), "{engine:?}\n{source}");
            }
        }
    }
}

#[test]
fn what_c_leaves_open_is_not_proved() {
    for text in OPEN {
        let source = text.replace("JUMP", JUMP);
        for engine in [Engine::Auto, Engine::Bmc] {
            assert_ne!(answer(&source, Property::UnreachCall, engine, 5), Some(true), "{engine:?}\n{source}");
        }
    }
}

#[test]
fn nobody_jumps_to_a_function_that_has_returned() {
    let text =
        "JUMP static int f(void) { @ return setjmp(b); } int main(void) { if (f() == 0) longjmp(b, 1); return 0; }";
    for (filling, expected) in [("", Some(false)), ("free(malloc(1)); __builtin_exit(0);", Some(true))] {
        let source = text.replace('@', filling).replace("JUMP", JUMP);
        assert_eq!(answer(&source, Property::ValidMemsafety, Engine::Auto, 60), expected, "{source}");
    }
}
