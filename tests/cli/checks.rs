//! The checks that ship as rules, each on the program in `tests/c/checks` that is called like it: what they find stands in the
//! lines that say `// FINDS`, and nowhere else.

use crate::run::binary;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Lines found by the check of this name in the program of the same name.
fn found(path: &Path, check: &str) -> Vec<u64> {
    let output = Command::new(binary())
        .args(["check", "--checks", check, "--format", "json"])
        .arg(path)
        .output()
        .expect("the binary runs");
    let text = String::from_utf8(output.stdout).expect("the report is text");
    let value: Value =
        serde_json::from_str(&text).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    let list = value["findings"].as_array().expect("a list").iter();
    let mut lines: Vec<u64> = list.filter(|f| f["check"] == check).filter_map(|f| f["line"].as_u64()).collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}

#[test]
fn checks_find_what_they_say_and_nothing_else() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/checks");
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("the folder is there").map(|e| e.expect("an entry").path()).collect();
    paths.sort();
    assert_eq!(paths.len(), cellog::pipeline::rules::checks::rule_checks().count());
    let mut wrong = Vec::new();
    for path in paths {
        let check = path.file_stem().expect("a name").to_string_lossy().replace('_', "-");
        let text = std::fs::read_to_string(&path).expect("a program");
        let lines = text.lines().zip(1..).filter(|(line, _)| line.contains("// FINDS"));
        let wanted: Vec<u64> = lines.map(|(_, number)| number).collect();
        assert!(!wanted.is_empty(), "{} claims nothing", path.display());
        let found = found(&path, &check);
        if found != wanted {
            wrong.push(format!("{check}: found {found:?}, wanted {wanted:?}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
