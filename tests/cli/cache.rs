//! Results of earlier runs: used when nothing has changed, and only then; whatever becomes of them, reports are the same.

use crate::run::{Ended, Folder};

const SOURCE: &str = "#include <stdio.h>\nint main(void) {\n    int c = getchar();\n    return 100 / (c - 65);\n}\n";
const RULES: &str = "find_division(s, k) :- verdict(s, \"definite\", _), check_site(s, k, _, _).\n";

fn folder() -> Folder {
    Folder::with(&[("a.c", SOURCE), ("my.dl", RULES)])
}

/// A report in which the run says whether it made use of an earlier one.
fn check(folder: &Folder, more: &[&str]) -> Ended {
    let ended = folder.run(&[&["check", "a.c", "--cache", "kept", "--verbose"], more].concat());
    assert_eq!(ended.status, 1, "{}", ended.err);
    ended
}

fn is_recalled(ended: &Ended) -> bool {
    ended.err.contains("the results of an earlier run")
}

#[test]
fn nothing_is_done_again_when_nothing_has_changed() {
    let folder = folder();
    for more in [&["--format", "json"][..], &["--rules", "my.dl"], &["--checks", "all,rules"]] {
        let (first, second) = (check(&folder, more), check(&folder, more));
        assert_eq!((is_recalled(&first), is_recalled(&second)), (false, true), "{more:?}: {}", second.err);
        assert_eq!(first.out, second.out);
    }
}

#[test]
fn whatever_matters_makes_another_result() {
    let folder = folder();
    check(&folder, &[]);
    let options = [["--checks", "div-by-zero"], ["--arch", "ilp32"], ["--seed", "7"]];
    for more in options {
        assert!(!is_recalled(&check(&folder, &more)), "{more:?}");
        assert!(is_recalled(&check(&folder, &more)), "{more:?}");
    }
    // More or less time does not matter where all was decided, nor how it is shown.
    for limit in ["500", "400"] {
        assert!(is_recalled(&check(&folder, &["--time-limit", limit])), "{limit}");
    }
    assert!(is_recalled(&check(&folder, &["--format", "sarif"])));
    check(&folder, &["--rules", "my.dl"]);
    folder.write("a.c", SOURCE.replace("65", "66").as_bytes());
    let ended = check(&folder, &["--rules", "my.dl"]);
    assert!(!is_recalled(&ended) && ended.out.contains("returns 66"), "{}", ended.out);
    folder.write("my.dl", RULES.replace("division", "something").as_bytes());
    let ended = check(&folder, &["--rules", "my.dl"]);
    assert!(is_recalled(&ended) && ended.out.contains("[something]"), "{}", ended.out);
}

const BLOCKS: &str = "\
#include <stdio.h>
#include <stdlib.h>
static int last(const int *all, int n) { return all[n]; }
int main(void) {
    int n = getchar() & 7;
    int *first = malloc(4 * sizeof *first), *second = malloc(8);
    if (!first || !second) return 1;
    for (int i = 0; i < n; i++) first[i] = i;
    second[0] = second[1] = 3;
    return first[0] + last(second, n);
}
";

#[test]
fn what_has_only_moved_is_found_where_it_is_now() {
    let folder = Folder::with(&[("a.c", BLOCKS)]);
    let report = |options: &[&str]| {
        folder.run(&[&["check", "a.c", "--verbose", "--checks", "all", "--format", "json"], options].concat())
    };
    let ids = |ended: &Ended| {
        let report: serde_json::Value = serde_json::from_str(&ended.out).expect("the report is JSON");
        let mut ids: Vec<String> =
            report["findings"].as_array().expect("a list").iter().map(|f| f["id"].to_string()).collect();
        ids.sort();
        ids
    };
    let first = report(&["--cache", "kept"]);
    let moved = [
        BLOCKS.replace("int main", "/* From here\n * on. */\n\nint main"),
        BLOCKS.replace("    if (!first", "\n\n    if (! first").replace("second[1] = 3;", "second[1] =\n  3; // three"),
    ];
    for text in moved {
        folder.write("a.c", text.as_bytes());
        let (kept, anew) = (report(&["--cache", "kept"]), report(&["--no-cache"]));
        assert!(is_recalled(&kept) && !is_recalled(&anew), "{}", kept.err);
        assert_eq!(kept.out, anew.out);
        assert_eq!(ids(&kept), ids(&first));
        assert!(kept.out.contains("definite") && kept.out.contains("the block of malloc"), "{}", kept.out);
        // The next run has them as they are now.
        assert_eq!(report(&["--cache", "kept"]).out, anew.out);
    }
}

#[test]
fn what_stands_elsewhere_than_before_is_told_apart() {
    // Two blocks of one line, of which one has gone to another: which of them a text means cannot be told.
    let folder = Folder::with(&[("a.c", BLOCKS)]);
    let options = ["check", "a.c", "--verbose", "--cache", "kept", "--format", "json"];
    folder.run(&options);
    folder.write("a.c", BLOCKS.replace("*second = malloc", "\n*second = malloc").as_bytes());
    let kept = folder.run(&options);
    let anew = folder.run(&["check", "a.c", "--verbose", "--no-cache", "--format", "json"]);
    assert!(!is_recalled(&kept), "{}", kept.err);
    assert_eq!(kept.out, anew.out);
}

#[test]
fn damaged_results_are_made_anew() {
    let folder = folder();
    let first = check(&folder, &["--rules", "my.dl"]);
    let files: Vec<_> = std::fs::read_dir(folder.path("kept")).expect("it is there").flatten().collect();
    assert_eq!(files.len(), 4);
    for file in files {
        let mut bytes = std::fs::read(file.path()).expect("it can be read");
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::write(file.path(), bytes).expect("it can be written");
    }
    let second = check(&folder, &["--rules", "my.dl"]);
    assert!(!is_recalled(&second));
    assert_eq!(first.out, second.out);
    assert!(is_recalled(&check(&folder, &["--rules", "my.dl"])));
}

#[test]
fn a_folder_that_cannot_be_used_changes_nothing() {
    let folder = folder();
    let with = check(&folder, &[]);
    folder.write("file", b"no folder");
    let without = folder.run(&["check", "a.c", "--cache", "file/kept", "--verbose"]);
    assert_eq!((without.status, &without.out), (1, &with.out));
    assert!(without.err.contains("the results are not kept for the next run: file/kept: "), "{}", without.err);
}

#[test]
fn runs_at_the_same_time_do_not_disturb_each_other() {
    let folder = folder();
    let alone = folder.run(&["check", "a.c", "--no-cache"]);
    assert!(!folder.path("kept").exists());
    std::thread::scope(|scope| {
        let runs: Vec<_> = (0..6).map(|_| scope.spawn(|| folder.run(&["check", "a.c", "--cache", "kept"]))).collect();
        for run in runs {
            let ended = run.join().expect("no run fails");
            assert_eq!((ended.status, ended.out, ended.err), (1, alone.out.clone(), String::new()));
        }
    });
}

/// Every file of the folder alone, with what it has.
fn files_of(folder: &Folder, name: &str) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let files = std::fs::read_dir(folder.path(name)).expect("it is there").flatten();
    files.map(|file| (file.path(), std::fs::read(file.path()).expect("it can be read"))).collect()
}

#[test]
fn each_kind_of_record_alone_gives_the_same_report() {
    // Of engines, of engines wherever lines are, of the search, of the whole report.
    let folder = Folder::with(&[("a.c", BLOCKS)]);
    let report = || folder.run(&["check", "a.c", "--cache", "kept", "--verbose", "--format", "json"]);
    let first = report();
    let files = files_of(&folder, "kept");
    assert_eq!((is_recalled(&first), files.len()), (false, 4), "{}", first.err);
    for (path, bytes) in &files {
        for (other, _) in files_of(&folder, "kept") {
            std::fs::remove_file(other).expect("it can be removed");
        }
        std::fs::write(path, bytes).expect("it can be written");
        let again = report();
        assert!(is_recalled(&again) || again.err.contains("as in an earlier run"), "{}", again.err);
        assert_eq!((again.status, &again.out), (first.status, &first.out));
    }
}

#[test]
fn what_is_told_besides_the_report_is_told_again() {
    let broken = format!("int broken(int a) {{ return a +* 2; }}\n{SOURCE}");
    let folder = Folder::with(&[("a.c", &broken)]);
    let report = || folder.run(&["check", "a.c", "--cache", "kept"]);
    let (first, second) = (report(), report());
    assert!(first.err.contains("broken") || first.out.contains("broken"), "{}{}", first.out, first.err);
    assert_eq!((first.status, first.out, first.err), (second.status, second.out, second.err));
}

#[test]
fn comments_have_their_say_about_reports_of_earlier_runs() {
    let folder = folder();
    check(&folder, &[]);
    let allowed = SOURCE.replace("65);", "65); // cellog: allow(div-by-zero) nobody types an A");
    folder.write("a.c", allowed.as_bytes());
    let ended = folder.run(&["check", "a.c", "--cache", "kept", "--verbose"]);
    assert!(is_recalled(&ended), "{}", ended.err);
    assert_eq!(ended.status, 0, "{}", ended.out);
    assert!(ended.out.contains("nobody types an A"), "{}", ended.out);
}

const PARTS: &str = "\
struct pair { int few; int many; };
static int divisor = 4;
static int pick(int n) { return n & 3; }
static int quotient(int a, int b) { return a / b; }
int main(int argc, char **argv) {
    int table[4] = {1, 2, 3, 4};
    struct pair pair = {argc, 0};
    char bytes[sizeof pair];
    bytes[7] = (char)pair.few;
    return table[pick(argc)] + quotient(argc, divisor) + bytes[7] + (argv != 0);
}
";

#[test]
fn what_a_change_elsewhere_decides_is_decided_anew() {
    let site = |ended: &Ended, subject: &str| {
        let report: serde_json::Value = serde_json::from_str(&ended.out).expect("the report is JSON");
        let all = report["findings"].as_array().expect("a list").clone();
        let fits = |f: &&serde_json::Value| f["message"].as_str().is_some_and(|m| m.contains(subject));
        let all: Vec<String> = all.iter().filter(fits).map(|f| f["verdict"].to_string()).collect();
        all.join(" ")
    };
    // What changes is in one function, or in none; what it decides is in another.
    for (what, from, to, subject) in [
        ("a callee", "n & 3", "n & 7", "table["),
        ("a caller", "quotient(argc, divisor)", "quotient(argc, divisor - 4)", "by zero"),
        ("an initializer", "divisor = 4", "divisor = 0", "by zero"),
        ("a layout", "int few; int many;", "short few; short many;", "bytes["),
    ] {
        let folder = Folder::with(&[("a.c", PARTS)]);
        let report = |options: &[&str]| folder.run(&[&["check", "a.c", "--format", "json"], options].concat());
        let before = report(&["--cache", "kept"]);
        folder.write("a.c", PARTS.replace(from, to).as_bytes());
        let (kept, anew) = (report(&["--cache", "kept"]), report(&["--no-cache"]));
        assert_eq!((kept.status, &kept.out), (anew.status, &anew.out), "{what}");
        assert_ne!(site(&kept, subject), site(&before, subject), "{what}: {}", kept.out);
    }
}
