//! Input that no compiler takes: a clear message or a partial result, the designed status, no panic, bounded time.

use crate::run::{Ended, Folder};
use std::time::Duration;

fn run(name: &str, bytes: &[u8]) -> Ended {
    let folder = Folder::with(&[]);
    folder.write(name, bytes);
    let ended = folder.run(&["check", "--time-limit", "20", name]);
    assert!(!ended.err.contains("internal error"), "{}", ended.err);
    assert!(ended.time < Duration::from_secs(60), "{:?}", ended.time);
    ended
}

#[test]
fn an_empty_file_is_nothing_to_analyse() {
    let ended = run("a.c", b"");
    assert_eq!(ended.status, 4, "{}", ended.err);
    assert!(ended.err.contains("nothing was analysed: a.c: the file is empty"), "{}", ended.err);
}

#[test]
fn a_file_without_functions_is_nothing_to_analyse() {
    let ended = run("a.c", b"int x;\nint f(int);\n");
    assert_eq!(ended.status, 4, "{}", ended.err);
    assert!(ended.err.contains("no function with a body"), "{}", ended.err);
}

#[test]
fn a_binary_file_is_named_as_such() {
    let bytes: Vec<u8> = (0..50_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let ended = run("a.c", &bytes);
    assert_eq!(ended.status, 2, "{}", ended.err);
    assert!(ended.err.contains("a.c: this is no C source but binary data"), "{}", ended.err);
}

#[test]
fn a_line_of_ten_megabytes_is_read() {
    let text = format!("int x = 0{};\nint main(void) {{ return x; }}\n", " ".repeat(10_000_000));
    assert_eq!(run("a.c", text.as_bytes()).status, 0);
}

#[test]
fn a_missing_header_is_named_with_advice() {
    let ended = run("a.c", b"#include \"no_such_header.h\"\nint main(void) { return 0; }\n");
    assert_eq!(ended.status, 2);
    assert!(ended.err.contains("no_such_header.h") && ended.err.contains("help: "), "{}", ended.err);
}

#[test]
fn missing_files_are_all_named() {
    let ended = Folder::with(&[]).run(&["check", "a.c", "b.c"]);
    assert_eq!(ended.status, 2);
    assert!(ended.err.contains("a.c: no such file") && ended.err.contains("b.c: no such file"), "{}", ended.err);
}

#[test]
fn an_empty_folder_is_no_program() {
    let ended = Folder::with(&[]).run(&["check", "."]);
    assert_eq!(ended.status, 2);
    assert!(ended.err.contains(".: no C file in this folder"), "{}", ended.err);
}

#[test]
fn a_hundred_thousand_parentheses_end_well() {
    let (open, close) = ("(".repeat(100_000), ")".repeat(100_000));
    let text = format!("int f(void) {{ return {open}1{close}; }}\nint main(void) {{ return 0; }}\n");
    let ended = run("a.c", text.as_bytes());
    assert_eq!(ended.status, 0, "{}", ended.err);
    assert!(ended.out.contains("functions not analysed") && ended.out.contains("  f: "), "{}", ended.out);
}

#[test]
fn half_a_function_costs_that_function() {
    let ended = run("a.c", b"int g(int d) { return 1 / d; }\nint main(void) { return g(1); }\nint h(void) { if (1 > ");
    assert_eq!(ended.status, 0, "{}", ended.err);
    assert!(ended.err.contains("a.c:3"), "{}", ended.err);
    assert!(ended.out.contains("div-by-zero"), "{}", ended.out);
}

#[test]
fn a_folder_without_a_compilation_database_is_said_so() {
    let folder = Folder::with(&[("broken.json", "[{\"directory\": 1")]);
    let ended = folder.run(&["check", "-p", "."]);
    assert_eq!(ended.status, 2);
    assert!(ended.err.contains("compile_commands.json: cannot be read"), "{}", ended.err);
    std::fs::rename(folder.path("broken.json"), folder.path("compile_commands.json")).expect("renames");
    let ended = folder.run(&["check", "-p", "."]);
    assert_eq!(ended.status, 2);
    assert!(ended.err.contains("no compilation database"), "{}", ended.err);
}

#[cfg(unix)]
#[test]
fn an_unreadable_file_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::with(&[("a.c", "int main(void) { return 0; }\n")]);
    let closed = std::fs::Permissions::from_mode(0o000);
    std::fs::set_permissions(folder.path("a.c"), closed).expect("permissions can be set");
    if std::fs::read(folder.path("a.c")).is_ok() {
        return; // The superuser reads everything.
    }
    let ended = folder.run(&["check", "a.c"]);
    assert_eq!(ended.status, 2);
    assert!(ended.err.contains("a.c: cannot be read"), "{}", ended.err);
}
