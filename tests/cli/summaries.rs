//! `check --engine summary`, and inputs that nothing wrote.

use crate::run::Folder;

/// A loop to the end of a string, of which intervals do not know where it ends.
const WALK: &str = "int main(void) {\n    char s[8], *p = s;\n    int n = 0;\n    s[7] = END;\n    while (*p != 0) {\n        p++;\n        n++;\n    }\n    return s[n];\n}\n";

#[test]
fn loops_are_summarized_for_what_is_left_open() {
    let folder = Folder::with(&[("ends.c", &WALK.replace("END", "0")), ("goes_on.c", &WALK.replace("END", "1"))]);
    let check = |engine, file| folder.run(&["check", "--engine", engine, "--unwritten-inputs", file]).out;
    let plain = check("auto", "ends.c");
    assert!(plain.contains("possible[out-of-bounds]"), "{plain}");
    let summarized = check("summary", "ends.c");
    assert!(!summarized.contains("possible[") && !summarized.contains("definite["), "{summarized}");
    let twin = check("summary", "goes_on.c");
    assert!(twin.contains("definite[out-of-bounds]"), "{twin}");
}

#[test]
fn what_nothing_was_written_to_is_an_input_if_that_is_wanted() {
    let folder = Folder::with(&[("a.c", "int main(void) {\n    int a[3], x;\n    return a[1] == x;\n}\n")]);
    assert!(folder.run(&["check", "a.c"]).out.contains("definite[uninit-read]"));
    let given = folder.run(&["check", "--unwritten-inputs", "a.c"]);
    assert!(!given.out.contains("[uninit-read]"), "{}", given.out);
    assert_eq!(given.status, 0);
}
