//! Programs whose joined preconditions are known.

use super::run::{options, program};
use crate::concrete::{Limits as RunLimits, Outcome, Prepared};
use crate::engines::backward::joined::candidate::{Candidate, candidates};
use crate::engines::backward::joined::{Joined, Limits};
use crate::engines::forward::{ForwardResult, Options, analyze};
use crate::engines::search::plain_inputs;
use crate::ir::{FuncId, Program, SiteId};
use crate::memory::Memory;

fn forward(program: &Program, entry: FuncId) -> ForwardResult {
    let time_limit = std::time::Duration::from_secs(3600);
    analyze(program, &Memory::of(program), entry, &Options { time_limit, keep_places: u64::MAX, ..Options::default() })
}

/// The candidates of every site that has some.
fn all_candidates(program: &Program, entry: FuncId) -> Vec<(SiteId, Vec<Candidate>)> {
    let (forward, checks) = (forward(program, entry), options(0).checks);
    let of = |site| (site, candidates(program, entry, &forward, &checks, site, Limits::default()).0);
    program.sites.indices().map(of).filter(|(_, all)| !all.is_empty()).collect()
}

fn words(candidate: &Candidate) -> String {
    let mut ranges: Vec<String> = candidate.inputs.values().map(|r| format!(" [{}, {}]", r.lo, r.hi)).collect();
    ranges.sort();
    ranges.concat()
}

/// The candidates of sites of a kind, in words.
pub fn boxes(kind: &str, source: &str) -> Vec<String> {
    let (program, entry) = program(source);
    let mut all = Vec::new();
    for (site, candidates) in all_candidates(&program, entry) {
        check_points(source, &program, entry, site, &candidates);
        if program.sites[site].kind.name() == kind {
            let mut texts: Vec<String> = candidates.iter().map(words).collect();
            texts.sort();
            all.push(texts.join(" or"));
        }
    }
    all
}

/// Runs the ends and some points between of every candidate; the number of points.
pub fn check_points(source: &str, program: &Program, entry: FuncId, site: SiteId, all: &[Candidate]) -> usize {
    let prepared = Prepared::new(program);
    let mut count = 0;
    for candidate in all {
        for part in 0..5 {
            let mut point = candidate.clone();
            for range in point.inputs.values_mut() {
                let at = range.lo + (range.hi - range.lo) / 4 * part;
                (range.lo, range.hi) = (at, at);
            }
            let records = point.point();
            let run = prepared.run(entry, &mut plain_inputs(&records), &RunLimits::default(), &mut ());
            let erred = run.error() == Some(site) || run.continued.contains(&site);
            let given_up = matches!(run.outcome, Outcome::OutOfFuel(_) | Outcome::Undecided(_));
            assert!(erred || given_up, "{source}\n{:?} of {candidate:?} ends {:?}", point.inputs, run.outcome);
            count += 1;
        }
    }
    count
}

#[test]
fn scalars_and_branches() {
    assert_eq!(boxes("div-by-zero", "int f(int x) { return 100 / x; }"), [" [0, 0]"]);
    assert_eq!(boxes("signed-overflow", "int f(int x) { return x + 100; }"), [" [2147483548, 2147483647]"]);
    let source = "int f(int x) { int y = x - 7; if (x > 3) return 100 / y; return 0; }";
    assert_eq!(boxes("div-by-zero", source), [" [7, 7]"]);
    let source = "int f(int x) { if (x == 123456789) return 1 / (x - x); return 0; }";
    assert_eq!(boxes("div-by-zero", source), [" [123456789, 123456789]"]);
}

#[test]
fn states_of_several_paths_are_joined() {
    let source =
        "int f(int x) { int d = 1; if (x < 0) d = 0; else if (x < 5) d = 0; else if (x < 9) d = 0; return 1 / d; }";
    assert_eq!(boxes("div-by-zero", source), [" [-2147483648, 8]"]);
    let source = "int f(int x) { switch (x) { case 3 ... 7: x = 0; break; case 8: x = 0; break; default: x = 1; } return 1 / x; }";
    assert_eq!(boxes("div-by-zero", source), [" [3, 8]"]);
}

/// The error states of all sites together: each point errs somewhere.
#[test]
fn one_pass_joins_the_error_states_of_all_sites() {
    let source =
        "int a[3]; int f(int x) { int d = 1; if (x < 0) d = 0; d = 2 / d; if (x == 1) return 0; return a[x] + d; }";
    let (program, entry) = program(source);
    let (forward, checks) = (forward(&program, entry), options(0).checks);
    let targets = program.sites.indices().collect();
    let mut joined = Joined::new(&program, &forward, &checks, targets, Limits::default());
    let mut all: Vec<String> = joined.at_entry(entry).iter().map(words).collect();
    all.sort();
    assert_eq!(all, [" [-2147483648, -1]", " [3, 2147483647]"]);
}

#[test]
fn arrays_and_pointers() {
    let source = "int a[10]; int f(int n) { if (n >= 0) a[n] = 1; return 0; }";
    assert_eq!(boxes("out-of-bounds", source), [" [10, 2147483647]"]);
    let source = "int f(int n) { int x = 1, y = 2; int *p = &x; if (n > 5) p = &y; *p = 0; return 1 / x; }";
    assert_eq!(boxes("div-by-zero", source), [" [-2147483648, 5]"]);
    let source = "int f(int n) { int *p = 0; int x; if (n > 5) p = &x; *p = 1; return 0; }";
    assert_eq!(boxes("null-deref", source), [" [-2147483648, 5]"]);
}

#[test]
fn loops_are_followed_and_joined() {
    let source = "int a[10]; int f(int n) { for (int i = 0; i < n; i++) a[i] = i; return 0; }";
    assert_eq!(boxes("out-of-bounds", source), [" [11, 2147483647]"]);
    // The twin stops in time.
    let source = "int a[10]; int f(int n) { for (int i = 0; i < n && i < 10; i++) a[i] = i; return 0; }";
    assert_eq!(boxes("out-of-bounds", source), [""; 0]);
}

#[test]
fn what_a_long_loop_leaves_alone_is_found_by_widening() {
    let source = "int f(int x) { unsigned s = 0; for (int i = 0; i < 100000; i++) s += i & 7; return s / x; }";
    assert_eq!(boxes("div-by-zero", source), [" [0, 0]"]);
}

#[test]
fn calls_are_followed_in_their_context() {
    let source = "int g(int a) { return a * 2; } int f(int x) { int y = g(x); return 1 / (y - 10); }";
    assert_eq!(boxes("div-by-zero", source), [" [5, 5]"]);
    let source =
        "void g(int *p, int v) { *p = v; } int f(int x) { int y = 1, z = 3; g(&z, x); g(&y, x + 1); return z / y; }";
    assert_eq!(boxes("div-by-zero", source), [" [-1, -1]"]);
    let source = "struct s { int a, b; }; struct s g(struct s v) { v.b = v.a; return v; }
        int f(int x) { struct s s = {x, 2}; s = g(s); return 1 / (s.b - 4); }";
    assert_eq!(boxes("div-by-zero", source), [" [4, 4]"]);
}

#[test]
fn inputs_are_told_apart_by_occurrence() {
    let source = "int f(void) { int a = rand(), b = rand(); for (int i = 0; i < 3; i++) b = rand();
        if (a == 3) return 1 / (b - 9); return 0; }";
    assert_eq!(boxes("div-by-zero", source), [" [3, 3] [9, 9]"]);
}

#[test]
fn blocks_of_the_heap_are_new_and_die() {
    let source =
        "int f(int n) { int *p = malloc(4); if (!p) return 0; *p = n + 1; int m = *p; free(p); return 1 / (m - 5); }";
    assert_eq!(boxes("div-by-zero", source), [" [0, 0] [4, 4]"]);
    let source = "int f(int n) { int *p = malloc(4); if (!p) return 0; *p = 1; if (n > 3) free(p); int m = *p; if (n <= 3) free(p); return m; }";
    assert_eq!(boxes("use-after-free", source), [" [0, 0] [4, 2147483647]"]);
    let source = "int f(int n) { char *p = malloc(4); if (!p) return 0; if (n > 3) free(p); free(p); return 0; }";
    assert_eq!(boxes("double-free", source), [" [0, 0] [4, 2147483647]"]);
    let source = "int f(unsigned char n) { char *p = malloc(n); if (p) { p[9] = 1; free(p); } return 0; }";
    assert_eq!(boxes("out-of-bounds", source), [" [0, 0] [0, 9]"]);
}

#[test]
fn copies_and_fills_move_what_is_asked_of_bytes() {
    let source = "int f(unsigned char x) { unsigned char b[4] = {1, 2, 0, 0}, c[4]; b[1] = x; memcpy(c, b, 4); return 10 / (c[1] - 5); }";
    assert_eq!(boxes("div-by-zero", source), [" [5, 5]"]);
    let source = "int f(unsigned char n) { unsigned v; memset(&v, n, 4); return 1 / (v != 0x07070707); }";
    assert_eq!(boxes("div-by-zero", source), [" [7, 7]"]);
    // How much is copied decides what is read.
    let source = "int f(int n) { char a[4] = {1, 1, 1, 1}; char z[4] = {0, 0, 0, 0}; if (n < 0 || n > 4) return 0;
        memcpy(a, z, n); return 1 / a[2]; }";
    assert_eq!(boxes("div-by-zero", source), [" [3, 4]"]);
    // Source and destination overlap.
    let source = "int f(unsigned char x) { unsigned char b[4] = {1, 2, 3, 4}; b[0] = x; memmove(b + 1, b, 3); return 10 / (b[1] - 5); }";
    assert_eq!(boxes("div-by-zero", source), [" [5, 5]"]);
}

#[test]
fn strings_have_ends_and_lengths() {
    let source =
        "int f(unsigned char c) { unsigned char s[4] = \"abc\"; s[1] = c; return 1 / ((int)strlen((char *)s) - 1); }";
    assert_eq!(boxes("div-by-zero", source), [" [0, 0]"]);
    let source = "int f(unsigned char c) { unsigned char s[8] = \"abcdefg\", d[4]; s[3] = c; strcpy((char *)d, (char *)s); return 0; }";
    assert_eq!(boxes("out-of-bounds", source), [" [1, 255]"]);
    // The twin has room.
    let source = "int f(unsigned char c) { unsigned char s[8] = \"abcdefg\", d[8]; s[3] = c; strcpy((char *)d, (char *)s); return 0; }";
    assert_eq!(boxes("out-of-bounds", source), [""; 0]);
    let source = "int f(unsigned char c) { unsigned char s[3] = {1, 2, 0}; s[2] = c; return strlen((char *)s); }";
    assert_eq!(boxes("out-of-bounds", source), [" [1, 255]"]);
    let source = "int f(unsigned char c) { int d = 1; unsigned char s[3] = \"ok\"; s[1] = c; if (strcmp((char *)s, \"on\") == 0) d = 0; return 1 / d; }";
    assert_eq!(boxes("div-by-zero", source), [" [110, 110]"]);
}

#[test]
fn characters_are_found_in_strings() {
    let found = |call: &str| {
        format!("int f(unsigned char c) {{ unsigned char s[4] = \"abc\"; s[1] = c; return 1 / ({call} == 0); }}")
    };
    assert_eq!(boxes("div-by-zero", &found("strchr((char *)s, 'x')")), [" [120, 120]"]);
    assert_eq!(boxes("div-by-zero", &found("strrchr((char *)s, 'x')")), [" [120, 120]"]);
    assert_eq!(boxes("div-by-zero", &found("memchr(s, 9, 3)")), [" [9, 9]"]);
    // It stops at the match; where there is none, it comes to the end of the object.
    assert_eq!(boxes("div-by-zero", &found("memchr(s, 9, 7)")), [" [9, 9]"]);
    assert_eq!(boxes("out-of-bounds", &found("memchr(s, 200, 7)")), [" [0, 199]"]);
    assert_eq!(boxes("out-of-bounds", &found("memchr(s, 200, 4)")), [""; 0]);
    // The twin has one already.
    assert_eq!(boxes("div-by-zero", &found("strchr((char *)s, 'a')")), [""]);
    // NULL where there is none: what comes behind the end does not count.
    let source = "int f(unsigned char c) { unsigned char s[4] = \"abc\"; s[1] = c; return *strchr((char *)s, 'x'); }";
    assert_eq!(boxes("null-deref", source), [" [0, 0] or [1, 119]"]);
}

#[test]
fn numbers_are_spelled_in_decimals() {
    let source = |call: &str| {
        format!("int f(unsigned char c) {{ unsigned char s[3] = \"00\"; s[0] = c; return 1 / ({call} - 70); }}")
    };
    assert_eq!(boxes("div-by-zero", &source("atoi((char *)s)")), [" [55, 55]"]);
    assert_eq!(boxes("div-by-zero", &source("(int)strtol((char *)s, 0, 10)")), [" [55, 55]"]);
    // The twin is longer than the string.
    assert_eq!(boxes("div-by-zero", &source("atoi((char *)s) - 700")), [""; 0]);
}

#[test]
fn what_is_read_has_been_written() {
    let source = "int f(int c) { int x; if (c > 2) x = c; return 1 / (x - 7); }";
    assert_eq!(boxes("div-by-zero", source), [" [7, 7]"]);
    let source = "int f(int c, int d) { int x; if (c > 2) x = c; int y = x + 0; return y - 1 / d; }";
    assert_eq!(boxes("div-by-zero", source), [" [0, 0] [3, 2147483646]"]);
    // The twin never writes it.
    let source = "int f(int c, int d) { int x; if (c > 2) d = c; int y = x + 0; return y - 1 / d; }";
    assert_eq!(boxes("div-by-zero", source), [""; 0]);
}

#[test]
fn resized_blocks_keep_what_they_hold() {
    let source = |i: u32| {
        format!(
            "int f(unsigned char n) {{ unsigned char *p = malloc(4); if (!p) return 0; p[1] = n;
             unsigned char *q = realloc(p, 8); if (!q) {{ free(p); return 0; }} int d = q[{i}]; free(q); return 1 / (d - 7); }}"
        )
    };
    assert_eq!(boxes("div-by-zero", &source(1)), [" [0, 0] [0, 0] [7, 7]"]);
    assert_eq!(boxes("div-by-zero", &source(2)), [""; 0]);
}

#[test]
fn bit_fields_are_parts_of_their_units() {
    let source = "struct b { unsigned low : 4; unsigned high : 4; }; static struct b b;
        int f(unsigned char x) { b.low = 3; b.high = x; return 1 / (b.high - 9); }";
    assert!(!boxes("div-by-zero", source).is_empty());
}

/// Example 8: the index is read before the array is written.
#[test]
fn example_8_pointers_are_resolved_with_what_is_before() {
    let source = "int f(int x) { int arr[2]; arr[0] = x; arr[1] = 5; if (x < 0 || x > 1) return 0; arr[arr[0]] = 1;
        if (arr[0] == 1 && arr[1] == 5) return 1 / (x - x); return 0; }";
    assert_eq!(boxes("div-by-zero", source), [" [0, 0]"]);
}

/// Fig. 6: the number in the block is 5 when the input is 4, as Fig. 7's last line has it.
#[test]
fn figure_6_errs_when_n_is_4() {
    let source = "int *make(int n) { int *p = malloc(4); if (!p) abort(); *p = n; return p; }
        int f(void) { int n = rand(); if (n > 10) return 0; int *p = make(n + 1); int m = *p; free(p); return 1 / (m - 5); }";
    assert_eq!(boxes("div-by-zero", source), [" [0, 0] [4, 4]"]);
}

/// Fig. 8: the division errs when the input is 0.
#[test]
fn figure_8_errs_when_the_input_is_0() {
    let source = "int f(void) { int data; data = -1; data = rand(); printf(\"%d\", 100 / data); return 0; }";
    assert_eq!(boxes("div-by-zero", source), [" [0, 0]"]);
}

/// Fig. 1: the same bytes as a number of another type, here with an error when they are what was written.
#[test]
fn figure_1_reads_bytes_with_another_type() {
    let source = "union num { int i; unsigned char c[4]; };
        int f(int x) { union num *p = malloc(sizeof(union num)); if (!p) return 0; p->i = x; int d = p->c[1]; free(p);
        if (x >= 0 && x < 1024) return 1 / (d - 2); return 0; }";
    assert_eq!(boxes("div-by-zero", source), [" [0, 0] [512, 767]"]);
}

#[test]
fn no_bytes_are_not_accessed() {
    let source = "int f(unsigned char n) { char a[4] = {0}, *p = 0; if (n > 3) return 0; memcpy(p, a, n); return 0; }";
    assert_eq!(boxes("null-deref", source), [" [1, 3]"]);
}
