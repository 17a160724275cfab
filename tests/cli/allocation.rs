//! Whether memory can run out.

use crate::run::Folder;

const UNCHECKED: &str = "#include <stdlib.h>
int main(void)
{
    int *p = malloc(sizeof *p);
    *p = 1;
    p = realloc(p, 2 * sizeof *p);
    p[1] = 2;
    free(p);
    return 0;
}
";

/// The checks that are definite, with their lines.
fn definite(args: &[&str]) -> Vec<String> {
    let folder = Folder::with(&[("a.c", UNCHECKED)]);
    let ended = folder.run(&[&["check", "--quiet", "--format", "json", "a.c"], args].concat());
    let report: serde_json::Value = serde_json::from_str(&ended.out).expect("the report is JSON");
    let findings = report["findings"].as_array().expect("findings are a list");
    let definite = findings.iter().filter(|f| f["verdict"] == "definite");
    definite.map(|f| format!("{}:{}", f["line"], f["check"].as_str().unwrap_or_default())).collect()
}

#[test]
fn check_lets_allocations_fail_unless_told_otherwise() {
    assert_eq!(definite(&[]), ["5:null-deref", "7:null-deref"]);
    assert_eq!(definite(&["--allocation", "succeeds"]), [""; 0]);
}

#[test]
fn verify_lets_them_succeed_unless_told_otherwise() {
    let once = UNCHECKED.replace("    p = realloc(p, 2 * sizeof *p);\n    p[1] = 2;\n", "");
    let folder = Folder::with(&[("a.c", &once)]);
    let last = |args: &[&str]| {
        let ended = folder.run(&[&["verify", "--property", "valid-memsafety", "a.c"], args].concat());
        ended.out.lines().last().unwrap_or_default().to_owned()
    };
    assert_eq!(last(&[]), "RESULT: TRUE");
    assert_eq!(last(&["--allocation", "may-fail"]), "RESULT: FALSE");
}

/// What `verify` answers about memory, without its reason.
fn memory_safety(body: &str) -> String {
    let text = format!("#include <stdlib.h>\nint main(void) {{ {body} return 0; }}\n");
    let folder = Folder::with(&[("a.c", &text)]);
    let out = folder.run(&["verify", "--property", "valid-memsafety", "a.c", "--time-limit", "10"]).out;
    out.trim().trim_start_matches("RESULT: ").split(' ').next().unwrap_or_default().to_owned()
}

/// Allocations succeed, and no object is so large: neither is claimed.
#[test]
fn blocks_larger_than_any_object_are_not_claimed_to_be_missing() {
    assert_eq!(memory_safety("char *p = malloc((size_t)-1); *p = 1; free(p);"), "UNKNOWN");
    assert_eq!(memory_safety("char *p = malloc(0x7fffffffu); *p = 1; free(p);"), "TRUE");
    assert_eq!(memory_safety("char *p = realloc(0, (size_t)-1); *p = 1; free(p);"), "UNKNOWN");
    assert_eq!(memory_safety("char *p = malloc(1); p[1] = 1; free(p);"), "FALSE");
}

/// The object is there and has room: what is wrong is something else.
#[test]
fn a_write_to_a_constant_object_is_no_invalid_access() {
    assert_eq!(memory_safety("const int x = 1; *(int *)&x = 2;"), "UNKNOWN");
    assert_eq!(memory_safety("int x = 1; *(int *)&x = 2;"), "TRUE");
    assert_eq!(memory_safety("const int x = 1; *((int *)&x + 1) = 2;"), "UNKNOWN");
}
