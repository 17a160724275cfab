//! `--diff REV`: only what a change touches.

use crate::run::{Ended, Folder};
use serde_json::Value;
use std::process::Command;

fn git(folder: &Folder, args: &[&str]) {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]).args(args);
    let output = command.current_dir(folder.path("")).output().expect("git runs");
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

const OLD: &str =
    "#define TEN 10\nint first(int x) {\n    return TEN / x;\n}\n\nint second(int x) {\n    return TEN / (x - 1);\n}\n";

/// A repository with one commit.
fn repository() -> Folder {
    let folder = Folder::with(&[("a.c", OLD)]);
    git(&folder, &["init", "-q", "-b", "main"]);
    git(&folder, &["add", "."]);
    git(&folder, &["commit", "-q", "-m", "old"]);
    folder
}

fn check(folder: &Folder, revision: &str) -> Ended {
    folder.run(&["check", "--entry", "all", "--diff", revision, "--format", "json", "a.c"])
}

/// The functions that findings lie in, and how many sites are left out.
fn functions(ended: &Ended) -> (Vec<String>, u64) {
    let value: Value = serde_json::from_str(&ended.out).unwrap_or_else(|_| panic!("JSON: {}{}", ended.out, ended.err));
    let findings = value["findings"].as_array().expect("a list").iter();
    let mut names: Vec<String> = findings.map(|f| f["function"].as_str().expect("a name").to_owned()).collect();
    names.dedup();
    (names, value["change"]["untouched"].as_u64().expect("a count"))
}

#[test]
fn findings_of_functions_that_have_not_changed_are_left_out_and_counted() {
    let folder = repository();
    let ended = check(&folder, "HEAD");
    let (names, untouched) = functions(&ended);
    // Nothing has changed.
    assert_eq!((names.len(), ended.status), (0, 0), "{}", ended.out);
    assert!(untouched >= 2);
    folder.write("a.c", OLD.replace("x - 1", "x - 2").as_bytes());
    let ended = check(&folder, "HEAD");
    assert_eq!((functions(&ended).0, ended.status), (vec!["second".to_owned()], 1), "{}", ended.out);
    let text = folder.run(&["check", "--entry", "all", "--diff", "HEAD", "a.c"]).out;
    assert!(text.contains("sites in functions that are as they were at HEAD: "), "{text}");
    // Lines that move change nothing.
    folder.write("a.c", format!("\n\n{OLD}").as_bytes());
    assert_eq!(functions(&check(&folder, "HEAD")).0, [] as [&str; 0]);
    // Of a line that is gone, the function is touched that it was in.
    folder.write("a.c", OLD.replace("    return TEN / x;\n}\n\n", "}\n").replace("int first", "void first").as_bytes());
    assert_eq!(functions(&check(&folder, "HEAD")).0, [] as [&str; 0]);
}

#[test]
fn new_files_are_touched_whole_and_changes_outside_of_functions_are_told() {
    let folder = repository();
    folder.write("a.c", OLD.replace("TEN 10", "TEN 11").as_bytes());
    let ended = check(&folder, "HEAD");
    assert_eq!(functions(&ended).0, [] as [&str; 0]);
    assert!(ended.err.contains("1 of the changes since HEAD lie outside of functions"), "{}", ended.err);
    folder.write("b.c", b"int third(int x) { return 1 / x; }\n");
    let ended = folder.run(&["check", "--entry", "all", "--diff", "HEAD", "--format", "json", "a.c", "b.c"]);
    assert_eq!(functions(&ended).0, ["third"], "{}", ended.out);
}

#[test]
fn what_others_have_done_since_is_no_part_of_the_change() {
    let folder = repository();
    git(&folder, &["checkout", "-q", "-b", "mine"]);
    git(&folder, &["checkout", "-q", "main"]);
    folder.write("a.c", OLD.replace("TEN / x", "TEN / x / x").as_bytes());
    git(&folder, &["commit", "-q", "-a", "-m", "theirs"]);
    git(&folder, &["checkout", "-q", "mine"]);
    folder.write("a.c", OLD.replace("x - 1", "x - 2").as_bytes());
    git(&folder, &["commit", "-q", "-a", "-m", "mine"]);
    assert_eq!(functions(&check(&folder, "main")).0, ["second"]);
}

#[test]
fn revisions_that_are_none_are_refused() {
    let folder = repository();
    for (revision, wanted) in [("nowhere", "git knows no revision `nowhere`"), ("a..b", "takes one revision")] {
        let ended = check(&folder, revision);
        assert!(ended.status == 2 && ended.err.contains(wanted), "{}", ended.err);
    }
    let outside = Folder::with(&[("a.c", OLD)]);
    let ended = check(&outside, "HEAD");
    assert!(ended.status == 2 && ended.err.contains("--diff: git: "), "{}", ended.err);
}
