//! What the README says that Cellog prints is what it prints.

use std::path::Path;
use std::process::Command;

/// The first block of code of a text behind `heading`.
fn block<'t>(text: &'t str, heading: &str) -> &'t str {
    let (_, rest) = text.split_once(heading).expect("the heading is there");
    let (_, rest) = rest.split_once("\n```\n").expect("a block begins");
    rest.split_once("\n```\n").expect("it ends").0
}

#[test]
fn the_report_that_the_readme_explains_is_the_one_that_is_printed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(root.join("README.md")).expect("it is there");
    let folder = root.join("tests/c/real/stocktake");
    let files = std::fs::read_dir(&folder).expect("it is there").map(|entry| entry.expect("an entry").file_name());
    let mut files: Vec<_> = files.filter(|name| Path::new(name).extension().is_some_and(|e| e == "c")).collect();
    files.sort();
    let mut cellog = Command::new(env!("CARGO_BIN_EXE_cellog"));
    let output = cellog.args(["check", "--no-cache"]).args(files).current_dir(folder).output().expect("it runs");
    let printed = String::from_utf8(output.stdout).expect("text");
    // Lines are left out where there are three dots, and some without.
    let mut printed_lines = printed.lines();
    for line in block(&readme, "## Reading a report").lines().filter(|line| *line != "...") {
        assert!(printed_lines.any(|l| l == line), "not printed, or not in this order: {line}\n{printed}");
    }
}
