//! Programs whose boxes are known.

use super::run::{boxes, check_points, outcomes, program};

/// The boxes, whose points have been run.
fn checked(source: &str) -> Vec<String> {
    let (program, entry) = program(source);
    check_points(source, &program, entry, &outcomes(&program, entry, 2000), 20);
    boxes(source)
}

#[test]
fn an_index_errs_from_the_end_of_the_array_on() {
    let source = "int a[10]; int f(int n) { if (n >= 0) a[n] = 1; return 0; }";
    assert_eq!(checked(source), ["out-of-bounds: [10, 2147483647]"]);
}

#[test]
fn a_loop_that_runs_over_errs_for_all_greater_bounds() {
    let source = "int a[10]; int f(void) { int n = rand(); for (int i = 0; i < n; i++) a[i] = i; return 0; }";
    assert_eq!(checked(source), ["out-of-bounds: [11, 2147483647]"]);
}

#[test]
fn an_overflow_errs_on_the_last_values_of_the_type() {
    assert_eq!(checked("int f(int x) { return x + 100; }"), ["signed-overflow: [2147483548, 2147483647]"]);
    assert_eq!(checked("int f(int x) { return x * 2 > 7 && x > 0; }").len(), 1);
}

#[test]
fn what_does_not_matter_may_be_anything() {
    let source = "int f(int x) { int y = rand(); if (x > 5 && x < 100) return 10 / (y - y); return 0; }";
    assert_eq!(checked(source), ["div-by-zero: any [6, 99]"]);
}

#[test]
fn a_box_may_span_several_paths() {
    let source = "int f(int x) { int d = 0; if (x % 2 == 0) d = x - x; else if (x > 1000) d = x - x; return 1 / d; }";
    assert_eq!(checked(source), ["div-by-zero: any"]);
    // The twin errs on even numbers alone.
    let source = "int f(int x) { int d = 1; if (x % 2 == 0) d = x - x; return 1 / d; }";
    assert_eq!(checked(source), ["div-by-zero: point"]);
}

#[test]
fn bytes_are_bounded_one_by_one() {
    let source = "int f(void) { char b[4]; char d[2]; if (fgets(b, 4, stdin)) { b[3] = 0; if (b[1] && b[0] > 64) strcpy(d, b); } return 0; }";
    let boxes = checked(source);
    assert!(boxes.iter().any(|b| b.starts_with("out-of-bounds:") && b.contains(" 65-127 ")), "{boxes:?}");
}

#[test]
fn cells_of_other_types_see_the_same_bytes() {
    let source = "int f(unsigned char c) { unsigned v = 0; unsigned char *p = (unsigned char *)&v; p[1] = c; p[0] = 5;
        if (v > 1284) return 1 / (c - c); return 0; }";
    assert_eq!(checked(source), ["div-by-zero: [5, 255]"]);
    // Low bytes of a number read as a number of their own.
    let source =
        "union u { int i; unsigned char c; }; int f(int x) { union u u; u.i = x; if (x >= 0 && x < 256 && u.c > 99)
        return 1 / (x - x); return 0; }";
    assert_eq!(checked(source), ["div-by-zero: [100, 255]"]);
}

#[test]
fn sizes_of_blocks_are_followed() {
    let source = "int f(unsigned char n) { char *p = malloc(n); if (p) { p[9] = 1; free(p); } return 0; }";
    assert_eq!(checked(source), ["out-of-bounds: [0, 0] [0, 9]"]);
}

#[test]
fn pointers_keep_their_offset_through_calls() {
    let source =
        "int a[8]; void g(int *p, int k) { p[k] = 1; } int f(int n) { if (n < 0) return 0; g(a + 2, n); return 0; }";
    assert_eq!(checked(source), ["out-of-bounds: [6, 2147483647]"]);
}

#[test]
fn what_is_not_understood_is_kept_at_its_value() {
    let source = "int f(int x) { double d = x; if (d > 2.5) return 1 / (x - x); return 0; }";
    // Each path that is added knows one value more.
    let boxes = checked(source);
    assert!(matches!(&boxes[..], [b] if b.starts_with("div-by-zero: ")), "{boxes:?}");
}

#[test]
fn lengths_of_texts_depend_on_their_characters() {
    let source = "int f(void) { char b[8]; if (!fgets(b, 8, stdin)) return 0; if (strlen(b) == 2) return 1 / (b[0] - b[0]); return 0; }";
    // A line feed is among these characters, though none can be there but in the end.
    assert_eq!(checked(source), ["div-by-zero: [1, 1] [2, 2] 1-255 1-255"]);
    // A zero among what is read ends the text before it ends.
    let source = "int f(void) { char b[8] = \"\"; if (!fgets(b, 8, stdin)) return 0; if (strlen(b) == 0 && b[1]) return 1 / (b[0] - b[0]); return 0; }";
    let boxes = checked(source);
    assert!(matches!(&boxes[..], [b] if b.starts_with("div-by-zero: [1, 1] [2, 7] 0-0 1-255")), "{boxes:?}");
}

#[test]
fn switches_bound_their_values() {
    let source =
        "int f(int x) { switch (x) { case 3 ... 7: return 1 / (x - x); case 9: return 1; default: return 0; } }";
    assert_eq!(checked(source), ["div-by-zero: [3, 7]"]);
}

#[test]
fn an_error_that_needs_two_inputs_has_a_box_of_both() {
    let source = "int f(int x, int y) { if (x > 10 && x < 20 && y > 3 && y < 8) abort(); int a[5]; a[0] = 1; if (x > 30) return a[x > 40 ? 7 : 0]; return y; }";
    let boxes = checked(source);
    assert!(boxes.contains(&"out-of-bounds: [41, 2147483647] any".to_owned()), "{boxes:?}");
}
