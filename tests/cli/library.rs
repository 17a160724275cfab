//! What library functions may give: results that C leaves free, results that must agree, and what a call leaves as it was.

use crate::run::Folder;

/// The verdicts on the checks of these kinds, each once, sorted.
fn verdicts(text: &str, kinds: &str) -> Vec<String> {
    let folder = Folder::with(&[("a.c", text)]);
    let ended = folder.run(&["check", "--checks", kinds, "--format", "json", "a.c"]);
    let report: serde_json::Value = serde_json::from_str(&ended.out).expect("the report is JSON");
    let findings = report["findings"].as_array().expect("findings are a list");
    let mut all: Vec<String> = findings.iter().map(|f| f["verdict"].as_str().unwrap_or_default().to_owned()).collect();
    all.sort();
    all.dedup();
    all
}

const HEADERS: &str = "#include <assert.h>\n#include <ctype.h>\n#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n\
    #include <string.h>\n#include <strings.h>\n#include <sys/stat.h>\n#include <sys/time.h>\n#include <time.h>\n\
    #include <unistd.h>\n#include <wchar.h>\n";

/// Several assertions, each in a function of its own: what is said of each.
#[track_caller]
fn all_asserted(cases: &[(String, &str)]) {
    let mut text = format!("#define _GNU_SOURCE\n{HEADERS}");
    for (i, (body, _)) in cases.iter().enumerate() {
        text += &format!("static void f{i}(void) {{ {body} }}\n");
    }
    // An assertion that fails ends a run, so that each function has runs of its own.
    text += "int rand(void);\nint main(void) { switch (rand()) {\n";
    for i in 0..cases.len() {
        text += &format!("case {i}: f{i}(); break;\n");
    }
    text += "} return 0; }\n";
    let folder = Folder::with(&[("a.c", &text)]);
    let ended = folder.run(&["check", "--checks", "assertion", "--format", "json", "a.c"]);
    let report: serde_json::Value = serde_json::from_str(&ended.out).expect("the report is JSON");
    let findings = report["findings"].as_array().expect("findings are a list");
    for (i, (body, wanted)) in cases.iter().enumerate() {
        let name = format!("f{i}");
        let of = |f: &&serde_json::Value| f["function"] == name.as_str();
        let said: Vec<&str> = findings.iter().filter(of).map(|f| f["verdict"].as_str().unwrap_or_default()).collect();
        assert_eq!(said, [*wanted], "{body}");
    }
}

fn case<'v>(statements: &str, condition: &str, wanted: &'v str) -> (String, &'v str) {
    (format!("{statements} assert({condition});"), wanted)
}

#[test]
fn of_comparisons_only_the_sign_is_fixed() {
    let calls = [
        "strncmp(\"abc\", \"xyz\", 1)",
        "strcmp(\"abc\", \"xyz\")",
        "memcmp(\"abc\", \"xyz\", 3)",
        "strcasecmp(\"abc\", \"XYZ\")",
        "strncasecmp(\"abc\", \"XYZ\", 2)",
        "strcoll(\"abc\", \"xyz\")",
        "wcscmp(L\"abc\", L\"xyz\")",
        "wmemcmp(L\"abc\", L\"xyz\", 3)",
    ];
    let mut cases = Vec::new();
    for call in calls {
        let statement = format!("int c = {call};");
        for condition in ["c == -1", "c != -1", "c == -23"] {
            cases.push(case(&statement, condition, "possible"));
        }
        for condition in ["c > 0", "!c", "c >= 0"] {
            cases.push(case(&statement, condition, "definite"));
        }
    }
    cases.push(case("int c = strcmp(\"abc\", \"abc\");", "c != 0", "definite"));
    cases.push(case("signed char c = strcmp(\"abc\", \"xyz\");", "c == 0", "possible"));
    cases.push(case("long c = strcmp(\"abc\", \"xyz\");", "c >= 0", "definite"));
    cases.push(case("int c[1] = {strcmp(\"abc\", \"xyz\")};", "c[0] == -1", "possible"));
    cases.push(case("int c = bcmp(\"abc\", \"xyz\", 3);", "c > 0", "possible"));
    all_asserted(&cases);
}

#[test]
fn of_character_classes_only_that_they_are_not_0_is_fixed() {
    let mut cases = Vec::new();
    for call in ["(isalpha)('a')", "(isdigit)('1')", "(isspace)(' ')", "(isupper)('A')"] {
        let statement = format!("int c = {call};");
        for condition in ["c == 1", "c != 1", "c > 0"] {
            cases.push(case(&statement, condition, "possible"));
        }
        for condition in ["c == 0", "!c"] {
            cases.push(case(&statement, condition, "definite"));
        }
    }
    cases.push(case("int c = (isalpha)('1');", "c != 0", "definite"));
    all_asserted(&cases);
}

#[test]
fn results_that_say_the_same_agree() {
    all_asserted(&[
        case("time_t t, u = time(&t);", "u == t", "safe"),
        case("time_t t = 1, u = time(0);", "u == t", "definite"),
        case("unsigned n = sleep(42);", "n <= 42", "safe"),
        case("unsigned n = sleep(42);", "n <= 41", "definite"),
        case("int c = putchar('a');", "c == 'a' || c == EOF", "safe"),
        case("int c = putchar('a');", "c == 'a'", "definite"),
        case("int c = fputc(300, stdout);", "c == 44 || c == EOF", "safe"),
        case("int c = ungetc('a', stdin);", "c == 'a' || c == EOF", "safe"),
        case("int c = ungetc(EOF, stdin);", "c == EOF", "safe"),
        case("int c = printf(\"abc\");", "c == 3 || c < 0", "safe"),
        case("int c = printf(\"abc\");", "c == 3", "definite"),
        case("struct timespec r; int c = timespec_get(&r, TIME_UTC);", "c == 0 || c == TIME_UTC", "safe"),
        case(
            "char *s = 0; size_t n = 0; long r = getline(&s, &n, stdin); if (r < 0) return;",
            "n == (size_t)r + 1",
            "possible",
        ),
        case(
            "size_t n = 2200000000; char *s = malloc(n), *p = s; if (!s || getline(&s, &n, stdin) < 0) return;",
            "s == p",
            "safe",
        ),
    ]);
    let folder =
        Folder::with(&[("a.c", &format!("{HEADERS}int main(void) {{ time_t t, u = time(&t); assert(u == t); }}"))]);
    assert!(folder.run(&["verify", "a.c"]).out.ends_with("RESULT: TRUE\n"));
}

#[test]
fn what_a_failed_call_does_not_write_is_not_written() {
    let read = |before: &str, failed: &str| {
        let text = format!("{HEADERS}int main(void) {{ {before} if ({failed}) return 1; return 0; }}\n");
        verdicts(&text, "uninit-read")
    };
    let stat = "struct stat b; int r = stat(\"f\", &b);";
    assert_eq!(read(stat, "r == 0 && b.st_size == 3"), ["safe"]);
    assert_ne!(read(stat, "b.st_size == 3"), ["safe"]);
    let nap = "struct timespec q = {1, 0}, rem; int r = nanosleep(&q, &rem);";
    assert_eq!(read(nap, "r == -1 && rem.tv_sec == 1"), ["safe"]);
    assert_ne!(read(nap, "r == 0 && rem.tv_sec == 1"), ["safe"]);
    assert_ne!(read(&nap.replace("{1, 0}", "{1, -1}"), "rem.tv_sec == 1"), ["safe"]);
    all_asserted(&[case(&nap.replace("{1, 0}", "{1, -1}"), "r == -1", "safe")]);
}

/// `%n` is no conversion that the result counts; it is stored where control comes to it.
#[test]
fn positions_that_scanf_stores() {
    let all = |body: &str, kinds: &str| {
        verdicts(&format!("#include <stdio.h>\nint main(void) {{ {body} return 0; }}\n"), kinds)
    };
    assert_eq!(all("int n = 5; sscanf(\"12 ab\", \"%*d%n\", &n); return 10 / (n - 2);", "div-by-zero"), ["definite"]);
    assert_eq!(all("int n = 5; sscanf(\"12 ab\", \"%*d%n\", &n); return 10 / (n + 1);", "div-by-zero"), ["safe"]);
    let blanks = "char s[16], b[4]; int n; if (!fgets(s, 16, stdin)) return 0;
        if (sscanf(s, \"%3s%n\", b, &n) == 1) { ACCESS }";
    assert_eq!(all(&blanks.replace("ACCESS", "b[n] = 0;"), "uninit-read"), ["safe"]);
    assert_ne!(all(&blanks.replace("ACCESS", "b[n] = 0;"), "out-of-bounds"), ["safe"]);
    assert_eq!(all(&blanks.replace("ACCESS", "s[n] = 0;"), "out-of-bounds"), ["safe"]);
    let after = "int a, n; if (scanf(\"%d%n\", &a, &n) == 1) return 100 / (n - 3);";
    assert_eq!(all(after, "uninit-read"), ["safe"]);
    assert_eq!(all(after, "div-by-zero"), ["possible"]);
    assert_eq!(all("int a, n; scanf(\"%d%n\", &a, &n); return n;", "uninit-read"), ["definite"]);
    let between = "int a, b, n; if (scanf(\"%d%n%d\", &a, &n, &b) == 2 && n < LEAST) return a / (n - n);";
    assert_eq!(all(&between.replace("LEAST", "1"), "div-by-zero"), ["unreachable"]);
    assert_eq!(all(&between.replace("LEAST", "2"), "div-by-zero"), ["possible"]);
    assert_eq!(all("int n; scanf(\"  %n\", &n); return n;", "uninit-read"), ["safe"]);
    assert_eq!(all("int n; scanf(\"a%n\", &n); return n;", "uninit-read"), ["possible"]);
    assert_eq!(all("int m, n; scanf(\"%na%n\", &m, &n); return m;", "uninit-read"), ["safe"]);
    assert_eq!(all("signed char n; int a; if (scanf(\"%d%hhn\", &a, &n) == 1) return n;", "out-of-bounds"), ["safe"]);
    assert_eq!(all("int n; printf(\"%n\", &n); return n;", "uninit-read"), ["safe"]);
}

/// A number of two characters is below 100, characters of a set are in it.
#[test]
fn scanf_reads_what_width_and_set_allow() {
    let scanned = |format: &str, declared: &str, condition: &str, wanted: &'static str| {
        case(&format!("{declared} if (scanf(\"{format}\", &x) != 1) return;"), condition, wanted)
    };
    all_asserted(&[
        scanned("%2d", "int x;", "x < 100 && x > -10", "safe"),
        scanned("%2d", "int x;", "x < 99", "definite"),
        scanned("%2u", "unsigned x;", "x < 100", "definite"),
        scanned("%3[0-9]", "char x[4];", "x[0] != 'z'", "possible"),
        scanned("%3[^\\n]", "char x[4];", "x[0] != 'z'", "definite"),
    ]);
}
