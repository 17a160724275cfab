//! `cellog replay`: findings confirmed by the compiler's sanitizers, and the reasons where they cannot be.
//!
//! Needs what any build needs: a C compiler; gcc and clang both bring the sanitizers along.

use crate::run::{Ended, Folder};
use serde_json::Value;

/// The ids of definite findings of a check in `a.c`.
fn ids(folder: &Folder, args: &[&str], check: &str) -> Vec<String> {
    let ended = folder.run(&[&["check", "--format", "json"], args].concat());
    let value: Value = serde_json::from_str(&ended.out).expect("the report is JSON");
    let list = value["findings"].as_array().expect("a list").iter();
    let of = list.filter(|f| f["verdict"] == "definite" && f["check"] == check);
    of.map(|f| f["id"].as_str().expect("an id").to_owned()).collect()
}

/// The replay of the only definite finding of a kind.
fn replay(folder: &Folder, args: &[&str], check: &str) -> Ended {
    let ids = ids(folder, args, check);
    assert_eq!(ids.len(), 1, "{ids:?}");
    folder.run(&[&["replay", &ids[0]], args].concat())
}

fn confirmed(source: &str, args: &[&str], check: &str) {
    let folder = Folder::with(&[("a.c", source)]);
    let ended = replay(&folder, &[&["a.c"], args].concat(), check);
    assert!(ended.out.lines().last().is_some_and(|l| l.starts_with("confirmed: ")), "{}{}", ended.out, ended.err);
    assert_eq!(ended.status, 0);
}

#[test]
fn a_result_of_a_library_function_is_fed() {
    confirmed("#include <stdlib.h>\nint main(void) {\n    return 100 / (rand() - 12);\n}\n", &[], "div-by-zero");
}

#[test]
fn lines_arguments_and_conversions_are_fed() {
    let line = "#include <stdio.h>\n#include <stdlib.h>\nint main(void) {\n    char line[8];\n    int a[4] = {0};\n    \
                if (fgets(line, sizeof line, stdin) && line[0] == 'x') return 1 / a[0];\n    return 0;\n}\n";
    confirmed(line, &[], "div-by-zero");
    let argument = "int main(int argc, char **argv) {\n    if (argc == 2 && argv[1][0] == 'x') return 1 / (argc - 2);\n    return 0;\n}\n";
    confirmed(argument, &[], "div-by-zero");
    let scanned = "#include <stdio.h>\nint main(void) {\n    int n = 3;\n    if (scanf(\"%d\", &n) == 1 && n == 77) return 1 / (n - 77);\n    return 0;\n}\n";
    confirmed(scanned, &[], "div-by-zero");
}

#[test]
fn streams_that_open_are_fed() {
    let opened = "#include <stdio.h>\nint main(void) {\n    FILE *in = fopen(\"in\", \"r\");\n    FILE *kept = tmpfile();\n    \
                  if (!in || !kept) return 1;\n    return 1 / (fgetc(in) - 7);\n}\n";
    confirmed(opened, &[], "div-by-zero");
}

#[test]
fn writes_of_library_functions_are_seen_that_sanitizers_do_not_look_into() {
    let copied = "#include <wchar.h>\nvoid copy(wchar_t *to) {\n    wcscpy(to, L\"much too long for it\");\n}\nint main(void) {\n    \
                  wchar_t to[4];\n    copy(to);\n    return to[0];\n}\n";
    confirmed(copied, &[], "out-of-bounds");
}

#[test]
fn the_run_that_erred_is_fed_where_a_box_has_more() {
    let source =
        "int get(int n) {\n    static const char *names[3] = {\"a\", \"b\", \"c\"};\n    return names[2 - n][0];\n}\n";
    let folder = Folder::with(&[("a.c", source)]);
    let args = ["a.c", "--entry", "get"];
    let ended = folder.run(&[&["check", "--format", "json"], &args[..]].concat());
    let report: Value = serde_json::from_str(&ended.out).expect("the report is JSON");
    let all = report["findings"].as_array().expect("a list");
    let found = all.iter().find(|f| f["check"] == "out-of-bounds" && f["verdict"] == "definite").expect("an error");
    let input = &found["precondition"][0];
    let [low, point, high] = ["low", "point", "high"].map(|name| input[name].as_i64().expect("a number"));
    assert!(low <= point && point <= high && low < high, "{input}");
    let id = found["id"].as_str().expect("an id");
    let ended = folder.run(&[&["replay", id, "--emit", "harness.c"], &args[..]].concat());
    assert!(ended.out.lines().last().is_some_and(|l| l.starts_with("confirmed: ")), "{}{}", ended.out, ended.err);
    let harness = std::fs::read_to_string(folder.path("harness.c")).expect("it is there");
    let number = if point < 0 { format!("get({point}LL") } else { format!("get({point}") };
    assert!(harness.contains(&number), "{number} in {harness}");
}

#[test]
fn a_function_that_no_file_defines_does_not_stop_a_run() {
    let source = "int other(int);\nint main(int argc, char **argv) {\n    if (argc > 1) return other(argc);\n    return 1 / (argc - argc);\n}\n";
    confirmed(source, &[], "div-by-zero");
}

#[test]
fn parameters_of_the_entry_are_fed() {
    let source = "static int f(int d, double e) {\n    return e > 2.5 ? 100 / (d - 3) : 0;\n}\nint main(void) { return f(1, 1.0); }\n";
    confirmed(source, &["--entry", "f"], "div-by-zero");
}

#[test]
fn objects_of_the_entry_are_fed() {
    let source = "#include <string.h>\nint f(int *out, const char *s) {\n    char b[4];\n    strcpy(b, s);\n    return *out = b[0];\n}\n";
    confirmed(source, &["--entry", "f"], "out-of-bounds");
    let source = "int f(const unsigned char *data, unsigned size) {\n    return size > 2 ? data[size] : 0;\n}\n";
    confirmed(source, &["--entry", "f"], "out-of-bounds");
    let source = "#include <stdlib.h>\nint f(short *p) {\n    free(p);\n    return p[0];\n}\n";
    confirmed(source, &["--entry", "f"], "use-after-free");
    let source = "#include <stdio.h>\nint f(FILE *in, int *out) {\n    int c = getc(in);\n    *out = c;\n    return 10 / (c - 'x');\n}\n";
    confirmed(source, &["--entry", "f"], "div-by-zero");
}

#[test]
fn memory_errors_are_confirmed() {
    confirmed(
        "#include <stdlib.h>\nint main(void) {\n    char *p = malloc(4);\n    if (!p) return 0;\n    p[4] = 1;\n    free(p);\n    return 0;\n}\n",
        &[],
        "out-of-bounds",
    );
    confirmed(
        "#include <stdlib.h>\nint main(void) {\n    char *p = malloc(4);\n    free(p);\n    free(p);\n    return 0;\n}\n",
        &[],
        "double-free",
    );
    confirmed("int main(void) {\n    int *p = 0;\n    return *p;\n}\n", &[], "null-deref");
}

#[test]
fn what_no_sanitizer_checks_is_said_so() {
    let source = "struct s { int a[2]; int b[2]; };\nint main(void) {\n    struct s x = {{1, 2}, {3, 4}};\n    int *p = x.a;\n    \
                  unsigned u = 0;\n    u = u - 1;\n    return p[0] + (int)u;\n}\n";
    let folder = Folder::with(&[("a.c", source)]);
    let args = ["a.c", "--checks", "unsigned-overflow"];
    let ended = replay(&folder, &args, "unsigned-overflow");
    let last = ended.out.lines().last().unwrap_or_default();
    // clang has a check for it, gcc has none.
    assert!(last.starts_with("not visible to sanitizers: ") || last.starts_with("confirmed: "), "{}", ended.out);
}

#[test]
fn the_harness_can_be_kept_and_the_precondition_denied() {
    let folder =
        Folder::with(&[("a.c", "#include <stdlib.h>\nint main(void) {\n    return 100 / (rand() - 12);\n}\n")]);
    let id = ids(&folder, &["a.c"], "div-by-zero").remove(0);
    let ended = folder.run(&["replay", &id, "--emit", "kept.c", "a.c"]);
    assert_eq!(ended.status, 0, "{}", ended.err);
    let text = std::fs::read_to_string(folder.path("kept.c")).expect("the harness is there");
    assert!(
        text.contains("__wrap_rand") && text.contains(&id) && text.contains("rand() at line 3 returns 12"),
        "{text}"
    );
    let ended = folder.run(&["replay", &id, "--assert", "a.c"]);
    assert!(ended.out.contains("assert(!(rand_1 == 12));") && ended.out.contains("__CPROVER_assume("), "{}", ended.out);
    assert_eq!(ended.status, 0);
}

#[test]
fn ids_that_are_not_there_are_told_with_those_that_are() {
    let folder = Folder::with(&[("a.c", "int main(void) {\n    int d = 0;\n    return 1 / d;\n}\n")]);
    let ended = folder.run(&["replay", "feed", "a.c"]);
    assert_eq!(ended.status, 2);
    let id = ids(&folder, &["a.c"], "div-by-zero").remove(0);
    assert!(ended.err.contains("no finding `feed`") && ended.err.contains(&id), "{}", ended.err);
    assert_eq!(folder.run(&["replay", &id[..6], "a.c"]).status, 0, "the start of an id is enough");
    folder.run(&["check", "--format", "json", "-o", "report.json", "a.c"]);
    let ended = folder.run(&["replay", &id, "--report", "report.json", "a.c"]);
    assert!(ended.out.contains("\nconfirmed: division by zero at "), "{}{}", ended.out, ended.err);
    assert_eq!(folder.run(&["replay", &id, "--report", "a.c", "a.c"]).status, 2);
}

#[test]
fn a_program_that_does_not_end_is_tried_twice_and_said_so() {
    // gcc sees no uninitialized reads, and the run never ends: what MemorySanitizer may say comes first.
    let source = "int main(void) {\n    int x;\n    int y = x;\n    for (;;)\n        y &= 1;\n}\n";
    let folder = Folder::with(&[("a.c", source)]);
    let ids = ids(&folder, &["a.c"], "uninit-read");
    let ended = folder.run(&["replay", &ids[0], "a.c", "--run-limit", "0.2"]);
    assert_eq!(ended.out.lines().last(), Some("not reproduced: not finished in 1 s"), "{}{}", ended.out, ended.err);
}

#[test]
fn what_comes_before_another_error_is_told_as_executed() {
    let read = "#include <string.h>\nint main(void) {\n    int a[2], sum = 0;\n    sum += a[1];\n    char *p = 0;\n    return sum + (int)strlen(p);\n}\n";
    let folder = Folder::with(&[("a.c", read)]);
    let ended = replay(&folder, &["a.c"], "uninit-read");
    assert!(ended.out.lines().last().is_some_and(|l| l.starts_with("not visible to sanitizers: ")), "{}", ended.out);
}

#[test]
fn definitions_that_linkers_merge_are_merged() {
    let folder = Folder::with(&[
        ("a.c", "int shared;\nint get(void);\nint main(void) {\n    shared = 3;\n    return 1 / (get() - 3);\n}\n"),
        ("b.c", "int shared;\nint get(void) {\n    return shared;\n}\n"),
    ]);
    let ended = replay(&folder, &["a.c", "b.c", "--", "-fcommon"], "div-by-zero");
    assert!(ended.out.lines().last().is_some_and(|l| l.starts_with("confirmed: ")), "{}{}", ended.out, ended.err);
}
