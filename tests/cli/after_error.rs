//! Which definite errors verdicts assume away. Twins differ in one fact.

use crate::run::Folder;
use serde_json::Value;
use std::collections::BTreeMap;

/// Of `source`: the lines and verdicts of the findings of a check, with the lines of the errors that they assume away.
fn after(source: &str, check: &str) -> Vec<String> {
    let folder = Folder::with(&[("a.c", source)]);
    let ended = folder.run(&["check", "--no-cache", "--format", "json", "a.c"]);
    let value: Value = serde_json::from_str(&ended.out).expect("the report is JSON");
    let findings = value["findings"].as_array().expect("a list");
    let lines: BTreeMap<&str, &Value> =
        findings.iter().map(|f| (f["id"].as_str().expect("an id"), &f["line"])).collect();
    let describe = |f: &Value| {
        let earlier = f["after_error"].as_array().into_iter().flatten();
        let earlier: Vec<String> = earlier.map(|id| lines[id.as_str().expect("an id")].to_string()).collect();
        let (line, verdict) = (&f["line"], f["verdict"].as_str().expect("a verdict"));
        format!("{line} {verdict} after {}", earlier.join(","))
    };
    findings.iter().filter(|f| f["check"] == check).map(describe).collect()
}

#[test]
fn what_only_runs_past_an_error_reach_says_so() {
    let source = |d: i32| {
        format!("int main(void) {{\n    int d = {d}, a[2] = {{0}};\n    int x = 10 / d;\n    return a[x & 1];\n}}\n")
    };
    assert_eq!(after(&source(0), "out-of-bounds"), ["4 unreachable after 3"]);
    assert_eq!(after(&source(2), "out-of-bounds"), ["4 safe after "]);
}

#[test]
fn what_an_error_further_up_makes_safe_says_so() {
    // No path is without alternative, so that dominance says nothing.
    let source = |size: i32| {
        format!(
            "int rand(void);\nint main(void) {{\n    int a[4] = {{0}}, b[{size}] = {{0}};\n    int n = rand() % 10;\n    if (rand())\n        \
             a[n] = 1;\n    else\n        n = 0;\n    return b[n];\n}}\n"
        )
    };
    assert_eq!(after(&source(4), "out-of-bounds"), ["6 definite after ", "9 safe after 6"]);
    assert_eq!(after(&source(10), "out-of-bounds"), ["6 definite after ", "9 safe after "]);
}

#[test]
fn what_every_path_comes_to_past_an_error_says_so() {
    let source = |guard: &str| {
        format!(
            "int rand(void);\nint main(void) {{\n    int d = rand(), e = rand(), x = 0;\n    {guard}x = 10 / d;\n    return x + 10 / e;\n}}\n"
        )
    };
    assert_eq!(after(&source(""), "div-by-zero"), ["4 definite after ", "5 definite after 4"]);
    assert_eq!(after(&source("if (rand()) "), "div-by-zero"), ["4 definite after ", "5 definite after "]);
}

#[test]
fn errors_in_calls_count() {
    let source = |call: &str| {
        format!(
            "int rand(void);\nstatic int half(int d) {{\n    return 10 / d;\n}}\nint main(void) {{\n    int e = rand(), x = {call};\n    return x + 10 / e;\n}}\n"
        )
    };
    assert_eq!(after(&source("half(rand())"), "div-by-zero"), ["3 definite after ", "7 definite after 3"]);
    assert_eq!(after(&source("e ? half(e - 5) : 0"), "div-by-zero"), ["3 definite after ", "7 definite after "]);
}

#[test]
fn what_comes_after_a_loop_that_errs_says_so() {
    let source = |last: i32| {
        format!(
            "int main(void) {{\n    int a[4] = {{0}}, b[2] = {{0}};\n    for (int i = 0; i < {last}; i++)\n        a[i] = i;\n    int k = 1;\n    return b[k];\n}}\n"
        )
    };
    assert_eq!(after(&source(5), "out-of-bounds"), ["4 definite after ", "6 unreachable after 4"]);
    let twin = after(&source(4), "out-of-bounds");
    assert!(twin.iter().all(|line| line.ends_with("after ")), "{twin:?}");
}

#[test]
fn what_execution_goes_past_by_itself_is_not_assumed_away() {
    let source = "unsigned f(unsigned x) {\n    unsigned y = x + 1;\n    return 10 / (y | 1);\n}\n";
    let folder = Folder::with(&[("a.c", source)]);
    let args = ["check", "--no-cache", "--entry", "f", "--checks", "all", "--format", "json", "a.c"];
    let ended = folder.run(&args);
    assert!(ended.out.contains("\"unsigned-overflow\",\"verdict\":\"definite\""), "{}", ended.out);
    assert!(!ended.out.contains("after_error"), "{}", ended.out);
}

const TWO: &str = "int rand(void);\nint main(void) {\n    int d = rand(), e = rand();\n    int x = 10 / d;\n    return x + 10 / e;\n}\n";

#[test]
fn reports_for_people_name_the_line() {
    let folder = Folder::with(&[("a.c", TWO)]);
    let ended = folder.run(&["check", "--no-cache", "a.c"]);
    assert_eq!(ended.out.matches("= after: the error at line 4 is assumed away").count(), 1, "{}", ended.out);
}

#[test]
fn the_relation_and_the_kept_report_say_the_same() {
    let folder = Folder::with(&[("a.c", TWO)]);
    let cache = folder.path("cache");
    let cache = cache.to_str().expect("a path in UTF-8");
    let report = || folder.run(&["check", "--cache", cache, "--format", "json", "a.c"]).out;
    let first = report();
    assert!(first.contains("\"after_error\":["), "{first}");
    assert_eq!(first, report());
    let rows = folder.run(&[
        "query",
        "--no-cache",
        "a.c",
        "q(s, e) :- after_error(s, e), check_site(s, \"div-by-zero\", _, _).",
    ]);
    assert!(rows.out.contains("(a.c:5)") && rows.out.contains("(a.c:4)"), "{}{}", rows.out, rows.err);
    assert!(rows.out.contains("1 row"), "{}", rows.out);
}
