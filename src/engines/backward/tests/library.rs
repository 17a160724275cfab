//! Programs whose joined preconditions go through library calls: `printf` and kin, wide characters, what is read.
//!
//! The expected boxes are the numbers and bytes of inputs in ascending order; twins
//! differ in one fact.

use super::joined::boxes;

/// The boxes of divisions.
fn divides(source: &str) -> Vec<String> {
    boxes("div-by-zero", source)
}

#[test]
fn numbers_are_as_long_as_their_digits() {
    let source =
        |n: u32| format!("int f(int x) {{ char b[16]; int n = snprintf(b, 16, \"%d\", x); return 1 / (n - {n}); }}");
    assert_eq!(divides(&source(3)), [" [-99, -10] or [100, 999]"]);
    // The twin is longer than any number.
    assert_eq!(divides(&source(12)), [""; 0]);
    let source = |room: u32, letter: char| {
        format!("int f(unsigned x) {{ char b[{room}]; sprintf(b, \"%{letter}\", x); return 0; }}")
    };
    assert_eq!(boxes("out-of-bounds", &source(4, 'u')), [" [1000, 4294967295]"]);
    assert_eq!(boxes("out-of-bounds", &source(4, 'x')), [" [4096, 4294967295]"]);
    assert_eq!(boxes("out-of-bounds", &source(11, 'u')), [""; 0]);
    assert_eq!(boxes("out-of-bounds", &source(9, 'x')), [""; 0]);
}

#[test]
fn flags_and_widths_lengthen_numbers() {
    let source =
        |format: &str| format!("int f(short x) {{ char b[16]; return 1 / (snprintf(b, 16, \"{format}\", x) - 4); }}");
    assert_eq!(divides(&source("%+d")), [" [-999, -100] or [100, 999]"]);
    assert_eq!(divides(&source("%4d")), [" [-999, 9999]"]);
    assert_eq!(divides(&source("%.4d")), [" [0, 9999]"]);
    assert_eq!(divides(&source("%d%%")), [" [-99, -10] or [100, 999]"]);
}

#[test]
fn strings_are_written_up_to_their_end() {
    let source = |n: u32| {
        format!(
            "int f(unsigned char c) {{ unsigned char s[4] = \"abc\"; s[1] = c; char b[8];
             return 1 / (snprintf(b, 8, \"%s!\", s) - {n}); }}"
        )
    };
    assert_eq!(divides(&source(2)), [" [0, 0]"]);
    assert_eq!(divides(&source(4)), [" [1, 255]"]);
    assert_eq!(divides(&source(3)), [""; 0]);
    let source = |room: u32| {
        format!(
            "int f(unsigned char c) {{ unsigned char s[8] = \"abcdefg\"; s[3] = c; char b[{room}];
             sprintf(b, \"%s\", s); return 0; }}"
        )
    };
    assert_eq!(boxes("out-of-bounds", &source(4)), [" [1, 255]"]);
    assert_eq!(boxes("out-of-bounds", &source(8)), [""; 0]);
}

#[test]
fn what_a_format_writes_is_known() {
    let source = |format: &str, cell: &str| {
        format!("int f(unsigned char c) {{ char b[8]; snprintf(b, 8, \"{format}\", c); return 1 / ({cell}); }}")
    };
    assert_eq!(divides(&source("<%c>", "b[1] - 5")), [" [5, 5]"]);
    assert_eq!(divides(&source("<%c>", "b[2] - 5")), [""; 0]);
    // One digit, and the first of two.
    assert_eq!(divides(&source("%d", "b[0] - '7' || b[1]")), [" [7, 7]"]);
    assert_eq!(divides(&source("%d", "b[0] - '7' || b[1] == 0 || b[2]")), [" [70, 79]"]);
    // Cut by the count: the end is where there is no room left.
    let cut = |i: u32| format!("int f(void) {{ char b[8]; snprintf(b, 3, \"abcdef\"); return 1 / b[{i}]; }}");
    assert_eq!(divides(&cut(2)), [""]);
    assert_eq!(divides(&cut(1)), [""; 0]);
    // What lies behind the end stays as it was.
    let source = |i: u32| {
        format!("int f(char c) {{ char b[8]; b[3] = b[6] = c; sprintf(b, \"%s\", \"abcd\"); return 1 / b[{i}]; }}")
    };
    assert_eq!(divides(&source(6)), [" [0, 0]"]);
    assert_eq!(divides(&source(3)), [""; 0]);
    let source =
        "int f(int x) { wchar_t b[4]; if (swprintf(b, 4, L\"%d\", x) < 0) return 0; return 1 / (b[0] - '7'); }";
    assert!(divides(source).iter().any(|all| all.contains(" [7, 7]")));
}

#[test]
fn wide_strings_are_compared_with_signs() {
    let source = |call: &str| format!("int f(int c) {{ wchar_t s[3] = L\"ok\"; s[1] = c; return 1 / !({call}); }}");
    assert_eq!(divides(&source("wcscmp(s, L\"on\") == 0")), [" [110, 110]"]);
    assert_eq!(divides(&source("wcscmp(s, L\"pn\") == 0")), [""; 0]);
    assert_eq!(divides(&source("wcsncmp(s, L\"onward\", 2) < 0")), [" [-2147483648, 109]"]);
    assert_eq!(divides(&source("wcsncmp(s, L\"onward\", 1) < 0")), [""; 0]);
    assert_eq!(divides(&source("wmemcmp(s, L\"on\", 2) > 0")), [" [111, 2147483647]"]);
    assert_eq!(divides(&source("wcschr(s, L'x') != 0")), [" [120, 120]"]);
    assert_eq!(divides(&source("wcsrchr(s, -5) != 0")), [" [-5, -5]"]);
    assert_eq!(divides(&source("wmemchr(s, -5, 2) != 0")), [" [-5, -5]"]);
    assert_eq!(divides(&source("wcslen(s) == 1")), [" [0, 0]"]);
}

#[test]
fn wide_strings_are_copied_and_filled() {
    let source = |call: &str, cell: &str| {
        format!("int f(int c) {{ wchar_t s[4] = L\"abc\", d[8] = L\"de\"; s[1] = c; {call}; return 1 / ({cell}); }}")
    };
    assert_eq!(divides(&source("wcscpy(d, s)", "d[1] - 7")), [" [7, 7]"]);
    assert_eq!(divides(&source("wcscpy(d, s)", "d[4] - 7")), [""; 0]);
    assert_eq!(divides(&source("wcsncpy(d, s, 6)", "d[1] - 7")), [" [7, 7]"]);
    assert_eq!(divides(&source("wcscat(d, s)", "d[3] - 7")), [" [7, 7]"]);
    assert_eq!(divides(&source("wcsncat(d, s, 2)", "d[3] - 7")), [" [7, 7]"]);
    assert_eq!(divides(&source("wcsncat(d, s, 1)", "d[3] - 7")), [""; 0]);
    assert_eq!(divides(&source("wmemcpy(d, s, 3)", "d[1] - 7")), [" [7, 7]"]);
    assert_eq!(divides(&source("wmemmove(s + 1, s, 2)", "s[2] - 7")), [" [7, 7]"]);
    assert_eq!(divides(&source("wmemset(d, c, 3)", "d[2] - 7")), [" [7, 7]"]);
    assert_eq!(divides(&source("wmemset(d, c, 2)", "d[2] - 7")), [""; 0]);
}

#[test]
fn bytes_that_are_read_are_inputs() {
    let source = |read: &str| {
        format!("int f(void) {{ char b[4] = \"\"; wchar_t w[4] = L\"\"; {read}; return 1 / (b[1] - 65); }}")
    };
    // Whether it succeeds, how many there are, and the byte itself.
    assert_eq!(divides(&source("if (!fgets(b, 4, stdin)) return 0")), [" [1, 1] [2, 3] [65, 65]"]);
    assert_eq!(divides(&source("if (fread(b, 1, 4, stdin) != 4) return 0")), [" [4, 4] [65, 65]"]);
    assert_eq!(divides(&source("if (read(0, b, 4) < 2) return 0")), [" [2, 4] [65, 65]"]);
    assert_eq!(divides(&source("if (recv(3, b, 4, 0) < 2) return 0")), [" [2, 4] [65, 65]"]);
    // The twins read too little.
    assert_eq!(divides(&source("if (!fgets(b, 2, stdin)) return 0")), [""; 0]);
    assert_eq!(divides(&source("if (read(0, b, 1) < 1) return 0")), [""; 0]);
    // Four bytes make a wide character.
    let wide = "if (!fgetws(w, 4, stdin)) return 0; b[1] = w[1]";
    assert_eq!(divides(&source(wide)), [" [0, 0] [0, 0] [0, 0] [1, 1] [2, 3] [65, 65]"]);
    let own = "char *s = alloca(4); if (read(0, s, 4) < 4) return 0; b[1] = s[1]";
    assert_eq!(divides(&source(own)), [" [4, 4] [65, 65]"]);
    // It is there, and its first byte is not 0.
    let environment = "char *s = getenv(\"HOME\"); if (!s || !s[0]) return 0; b[1] = s[1]";
    let expected = " [0, 0] [1, 127] [2, 1048576] [65, 65] or [0, 0] [128, 255] [2, 1048576] [65, 65]";
    assert_eq!(divides(&source(environment)), [expected]);
}
