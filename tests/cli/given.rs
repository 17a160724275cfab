//! What callers give for pointers where executions start in a function that is not `main`.

use crate::run::Folder;
use serde_json::Value;

/// The definite findings of a check from `f`, each with the conditions on its inputs that its text tells.
fn definite(source: &str, rules: &[(&str, &str)]) -> Vec<String> {
    let files: Vec<(&str, &str)> = [("a.c", source)].into_iter().chain(rules.iter().copied()).collect();
    let folder = Folder::with(&files);
    let mut args = vec!["check", "--entry", "f", "--format", "json", "a.c"];
    args.extend(rules.iter().flat_map(|(name, _)| ["--strategy", name]));
    let ended = folder.run(&args);
    let value: Value = serde_json::from_str(&ended.out).expect("the report is JSON");
    let list = value["findings"].as_array().expect("a list").iter().filter(|f| f["verdict"] == "definite");
    let text = |f: &Value| format!("{}:{}", f["check"].as_str().unwrap_or(""), f["line"]);
    list.map(text).collect()
}

#[test]
fn strings_of_a_caller_overflow_arrays() {
    let source =
        "#include <string.h>\nint f(const char *s) {\n    char b[8];\n    strcpy(b, s);\n    return b[0];\n}\n";
    assert_eq!(definite(source, &[]), ["out-of-bounds:4"]);
    let twin = "#include <string.h>\nint f(const char *s) {\n    char b[8];\n    if (strlen(s) > 7) return 0;\n    strcpy(b, s);\n    return b[0];\n}\n";
    assert_eq!(definite(twin, &[]), [""; 0]);
}

#[test]
fn what_a_parameter_counts_is_all_there_is() {
    let source = "int f(const unsigned char *data, unsigned size) {\n    return size ? data[size] : 0;\n}\n";
    assert_eq!(definite(source, &[]), ["out-of-bounds:2"]);
    let twin = source.replace("data[size]", "data[size - 1]");
    assert_eq!(definite(&twin, &[]), [""; 0]);
    // Nothing says that it counts the bytes.
    let other = source.replace("size", "times");
    assert_eq!(definite(&other, &[]), [""; 0]);
    let rules = ".decl strategy_extents_of_f(f: Function, pointer: number, counter: number)\n\
                 strategy_extents_of_f(f, 0, 1) :- function_name(f, \"f\").\n";
    assert_eq!(definite(&other, &[("s.dl", rules)]), ["out-of-bounds:2"]);
}

#[test]
fn bytes_of_a_caller_are_found_by_what_they_are_compared_with() {
    let source = "int f(const char *p, unsigned long n) {\n    if (n > 6 && p[0] == 'R' && p[1] == 'I' && p[2] == 'F')\n        return 10 / (p[4] - 'x');\n    return 0;\n}\n";
    assert_eq!(definite(source, &[]), ["div-by-zero:3"]);
}

#[test]
fn what_a_caller_may_have_allocated_may_be_freed_once() {
    let source = "#include <stdlib.h>\nint f(char *p) {\n    free(p);\n    return p[0];\n}\n";
    assert_eq!(definite(source, &[]), ["use-after-free:4"]);
    let twin = "#include <stdlib.h>\nint f(char *p) {\n    int c = p[0];\n    free(p);\n    return c;\n}\n";
    assert_eq!(definite(twin, &[]), [""; 0]);
}

#[test]
fn what_a_caller_owes_is_no_error() {
    // Both pointers may be into one array, the string may be longer, and what is in a record is the caller's.
    let all = [
        "int f(const char *begin, const char *end) {\n    return (int)(end - begin);\n}\n",
        "int f(const char *p) {\n    return p[-1] + p[1 << 21];\n}\n",
        "struct node { struct node *next; int value; };\nint f(struct node *n) {\n    return 10 / n->value + n->next->value;\n}\n",
        "int f(char **list) {\n    return list[0][0];\n}\n",
    ];
    for source in all {
        assert_eq!(definite(source, &[]), [""; 0], "{source}");
    }
    // What the function itself has written there is known.
    let written = "int f(int *out) {\n    *out = 0;\n    return 10 / *out;\n}\n";
    assert_eq!(definite(written, &[]), ["div-by-zero:3"]);
}
