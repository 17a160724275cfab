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
    let options = [["--checks", "div-by-zero"], ["--arch", "ilp32"], ["--seed", "7"], ["--time-limit", "50"]];
    for more in options {
        assert!(!is_recalled(&check(&folder, &more)), "{more:?}");
        assert!(is_recalled(&check(&folder, &more)), "{more:?}");
    }
    // How it is shown does not matter.
    assert!(is_recalled(&check(&folder, &["--format", "sarif"])));
    check(&folder, &["--rules", "my.dl"]);
    folder.write("a.c", SOURCE.replace("65", "66").as_bytes());
    let ended = check(&folder, &["--rules", "my.dl"]);
    assert!(!is_recalled(&ended) && ended.out.contains("returns 66"), "{}", ended.out);
    folder.write("my.dl", RULES.replace("division", "something").as_bytes());
    let ended = check(&folder, &["--rules", "my.dl"]);
    assert!(is_recalled(&ended) && ended.out.contains("[something]"), "{}", ended.out);
}

#[test]
fn damaged_results_are_made_anew() {
    let folder = folder();
    let first = check(&folder, &["--rules", "my.dl"]);
    let files: Vec<_> = std::fs::read_dir(folder.path("kept")).expect("it is there").flatten().collect();
    assert_eq!(files.len(), 2);
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
