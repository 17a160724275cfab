//! What is definite, and for which inputs: every precondition printed is one that a person can follow.

use crate::run::Folder;
use serde_json::Value;

/// The definite findings as `check: precondition`, and the exit status.
fn definite(source: &str, args: &[&str]) -> (i32, Vec<String>) {
    let folder = Folder::with(&[("a.c", source)]);
    let ended = folder.run(&[&["check", "--format", "json", "a.c"], args].concat());
    let value: Value = serde_json::from_str(&ended.out).expect("the report is JSON");
    let list = value["findings"].as_array().expect("a list").iter().filter(|f| f["verdict"] == "definite");
    let describe = |f: &Value| {
        assert_eq!(f["replayed"], true);
        assert!(!f["trace"].as_array().expect("a list").is_empty());
        let inputs = f["precondition"].as_array().expect("a list").iter();
        let inputs: Vec<String> =
            inputs.map(|i| format!("{}={}", i["input"].as_str().unwrap_or(""), i["low"])).collect();
        format!("{}:{} {}", f["check"].as_str().unwrap_or(""), f["line"], inputs.join(" "))
    };
    (ended.status, list.map(describe).collect())
}

#[test]
fn an_error_on_one_input_is_definite_with_that_input() {
    let source = "int rand(void);\nint main(void) {\n    return 100 / (rand() - 12);\n}\n";
    assert_eq!(definite(source, &[]), (1, vec!["div-by-zero:3 rand()=12".to_owned()]));
}

#[test]
fn an_error_that_always_happens_needs_no_input() {
    let source = "int main(void) {\n    int a[3] = {0};\n    int i = 3;\n    return a[i];\n}\n";
    assert_eq!(definite(source, &[]), (1, vec!["out-of-bounds:4 ".to_owned()]));
}

#[test]
fn parameters_of_the_entry_are_inputs() {
    let source = "int f(int d) {\n    return 100 / d;\n}\n";
    assert_eq!(definite(source, &["--entry", "f"]), (1, vec!["div-by-zero:2 parameter d of f=0".to_owned()]));
}

#[test]
fn wrap_around_is_an_error_only_when_asked_for() {
    let source = "unsigned f(unsigned x) {\n    return x + 1;\n}\n";
    assert_eq!(definite(source, &["--entry", "f"]), (0, vec![]));
    let asked = definite(source, &["--entry", "f", "--checks", "unsigned-overflow"]);
    assert_eq!(asked, (1, vec!["unsigned-overflow:2 parameter x of f=4294967295".to_owned()]));
}

#[test]
fn a_guarded_operation_is_never_definite() {
    let source = "int rand(void);\nint main(void) {\n    int d = rand();\n    return d == 0 ? 0 : 100 / d;\n}\n";
    assert_eq!(definite(source, &[]), (0, vec![]));
}

#[test]
fn choosing_checks_does_not_make_what_follows_an_error_definite() {
    // The read errs first; what the division sees is indeterminate.
    let source = "int main(void) {\n    int d;\n    int *p = &d;\n    return 1 / *p;\n}\n";
    assert_eq!(definite(source, &["--checks", "div-by-zero"]), (0, vec![]));
}

#[test]
fn what_libraries_and_compilers_may_do_differently_is_not_definite() {
    let status = |source: &str| definite(source, &[]).0;
    // `localtime` fails for years out of range alone, `getenv` for any name.
    let time = "#include <time.h>\nint main(void) {\n    long t = 1000000;\n    return localtime(&t)->tm_year;\n}\n";
    assert_eq!(status(time), 0);
    assert_eq!(status(&time.replace("localtime(&t)->tm_year", "*getenv(\"A\")").replace("time.h", "stdlib.h")), 1);
    // What an optimizer finds out is not known, what the language says is.
    let size = "int main(void) {\n    char a[20] = \"\", *p = a;\n    return 10 / (__builtin_object_size(p, 0) != 20) + *p;\n}\n";
    assert_eq!(status(size), 0);
    assert_eq!(status(&size.replace("__builtin_object_size(p, 0)", "sizeof a")), 1);
    // What is no alignment fails in newer libraries.
    let block = "#include <stdlib.h>\nint main(void) {\n    return 10 / (aligned_alloc(3, 8) == 0);\n}\n";
    assert_eq!(status(block), 0);
    assert_eq!(status(&block.replace("(3, 8)", "(4, 8)")), 1);
}

#[test]
fn linked_files_are_one_program() {
    let folder = Folder::with(&[
        ("a.c", "int half(int);\nint main(void) {\n    return half(0);\n}\n"),
        ("b.c", "static int two = 2;\nint half(int d) {\n    return two / d;\n}\n"),
    ]);
    let ended = folder.run(&["check", "a.c", "b.c"]);
    assert_eq!(ended.status, 1, "{}", ended.err);
    assert!(ended.out.contains(" --> b.c:3:"), "{}", ended.out);
    assert!(ended.out.contains("when: always"), "{}", ended.out);
}

#[test]
fn copying_an_indeterminate_object_is_no_error_but_using_the_copy_is() {
    let copied = "int main(void) {\n    int *p;\n    int **q = &p;\n    int *r = *q;\n    int a = 5;\n    r = &a;\n    return *r - 5;\n}\n";
    assert_eq!(definite(copied, &[]), (0, vec![]));
    let used = "int main(void) {\n    int x;\n    int *q = &x;\n    int y = *q;\n    return y > 0;\n}\n";
    assert_eq!(definite(used, &[]), (1, vec!["uninit-read:5 ".to_owned()]));
}

#[test]
fn a_program_reads_its_arguments() {
    let source = "int main(int argc, char **argv) {\n    if (argc == 2 && argv[1][0] == 'x') return 1 / (argc - 2);\n    return 0;\n}\n";
    let (status, list) = definite(source, &[]);
    assert_eq!(status, 1);
    assert!(list[0].starts_with("div-by-zero:2 argc=2 argv[0]="), "{list:?}");
}

const DECLARATIONS: &str = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n";

#[test]
fn only_blocks_of_malloc_and_its_kin_may_be_freed() {
    let body = "int main(void) {\n    FILE *f = fopen(\"a\", \"r\");\n    free(f);\n    return 0;\n}\n";
    let (_, found) = definite(&format!("{DECLARATIONS}{body}"), &[]);
    assert_eq!(found, ["invalid-free:6 fopen() fails=0"]);
    let closed = body.replace("free(f)", "if (f) fclose(f)");
    assert_eq!(definite(&format!("{DECLARATIONS}{closed}"), &[]).1, [""; 0]);
}

#[test]
fn an_absolute_value_that_does_not_exist_is_judged_on_request() {
    let source = "#include <stdlib.h>\nint f(int x) {\n    return abs(x) < 9 ? x * x : 0;\n}\n";
    assert_eq!(definite(source, &["--entry", "f"]), (0, vec![]));
    let asked = definite(source, &["--entry", "f", "--checks", "all"]);
    assert_eq!(asked, (1, vec!["library-domain:3 parameter x of f=-2147483648".to_owned()]));
}

#[test]
fn a_string_that_is_read_to_its_end_is_determinate() {
    let program = |body: &str| format!("{DECLARATIONS}int main(void) {{\n    char a[8];\n{body}    return 0;\n}}\n");
    let cut = program("    strncpy(a, \"abcdefghij\", 4);\n    puts(a);\n");
    assert_eq!(definite(&cut, &[]).1, ["uninit-read:7 "]);
    let ended = program("    strncpy(a, \"abcdefghij\", 4);\n    a[4] = 0;\n    puts(a);\n");
    assert_eq!(definite(&ended, &[]).1, [""; 0]);
    // A comparison ends at the first difference.
    let compared = program("    strncpy(a, \"abcdefghij\", 4);\n    return strncmp(a, \"x\", 8) > 0;\n");
    assert_eq!(definite(&compared, &[]).1, [""; 0]);
    let precise =
        program("    strncpy(a, \"abcdefghij\", 4);\n    printf(\"%.*s\", 4, a);\n    printf(\"%.*s\", 0, a + 8);\n");
    assert_eq!(definite(&precise, &[]).1, [""; 0]);
    let longer = program("    strncpy(a, \"abcdefghij\", 4);\n    printf(\"%.*s\", 5, a);\n");
    assert_eq!(definite(&longer, &[]).1, ["uninit-read:7 "]);
}

#[test]
fn an_initializer_that_is_not_understood_leaves_its_object_unknown() {
    let source = "static int n[2] = {1 << 33, 5};\nint main(void) {\n    return 10 / n[1];\n}\n";
    let folder = Folder::with(&[("a.c", source)]);
    let ended = folder.run(&["check", "--format", "json", "a.c"]);
    assert!(ended.out.contains("\"verdict\":\"possible\""), "{}", ended.out);
}

#[test]
fn a_box_that_spans_many_paths_is_found_backwards() {
    // The loop has as many ways through as it has turns; none of them matters.
    let source = "int f(int x, int n) {\n    int s = 0;\n    for (int i = 0; i < n && i < 20; i++)\n        s = i;\n\
                  \x20   return s / (x - 7);\n}\n";
    let folder = Folder::with(&[("a.c", source)]);
    let ended = folder.run(&["check", "--entry", "f", "--format", "json", "a.c"]);
    let value: Value = serde_json::from_str(&ended.out).expect("the report is JSON");
    let findings = value["findings"].as_array().expect("a list").iter();
    let divisions: Vec<&Value> = findings.filter(|f| f["check"] == "div-by-zero").collect();
    let inputs = divisions[0]["precondition"].as_array().expect("a list");
    assert_eq!((inputs[0]["low"].as_i64(), inputs[0]["high"].as_i64()), (Some(7), Some(7)));
    assert_eq!(inputs[1]["any"], true, "{inputs:?}");
    assert!(divisions[0]["proved_paths"].as_u64() > Some(8), "{divisions:?}");
}
