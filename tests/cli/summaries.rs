//! `check --engine summary`, and inputs that nothing wrote.

use crate::run::Folder;

/// A loop to the end of a string, of which intervals do not know where it ends: unrolled at first sight.
const WALK: &str = "int main(void) {\n    char s[8], *p = s;\n    int n = 0;\n    s[7] = END;\n    while (*p != 0) {\n        p++;\n        n++;\n    }\n    return s[n];\n}\n";

/// A loop of more turns than are looked at in passing, and no invariant that is guessed.
const TWENTY: &str = "int main(int argc, char **argv) {\n    unsigned x = (unsigned)argc & 15, first = x;\n    for (int i = 0; i < 20; i++)\n        x = (x * 5 + 3) & 15;\n    return 10 / (x == ((first + ADDED) & 15) ? 1 : 0);\n}\n";

#[test]
fn short_loops_are_unrolled_for_what_is_left_open() {
    let folder = Folder::with(&[("ends.c", &WALK.replace("END", "0")), ("goes_on.c", &WALK.replace("END", "1"))]);
    for engine in ["auto", "summary"] {
        let check = |file| folder.run(&["check", "--engine", engine, "--unwritten-inputs", file]).out;
        let ends = check("ends.c");
        assert!(!ends.contains("possible[") && !ends.contains("definite["), "{ends}");
        let twin = check("goes_on.c");
        assert!(twin.contains("definite[out-of-bounds]"), "{twin}");
    }
}

#[test]
fn longer_loops_are_where_it_is_asked_for() {
    let folder = Folder::with(&[("a.c", &TWENTY.replace("ADDED", "4")), ("b.c", &TWENTY.replace("ADDED", "12"))]);
    let check = |engine, file| folder.run(&["check", "--engine", engine, file]).out;
    assert!(check("auto", "a.c").contains("possible[div-by-zero]"));
    assert!(!check("summary", "a.c").contains("possible["));
    assert!(check("summary", "b.c").contains("definite[div-by-zero]"));
}

/// What is not encoded calls what it likes: behind it nothing is known, and nothing of what it may call.
#[test]
fn what_stands_behind_something_that_is_not_encoded_stays_open() {
    let source = "void take(void (*handler)(int));\nint x;\n\
        static void deep(int d) { x = 100 / ((d & 7) - (d & 7 ^ 1)); }\n\
        static void handle(int d) { deep(d); }\n\
        int main(int argc, char **argv) {\n    int k = argc & 7, y = 10 / (k - (k ^ 1));\n    deep(k);\n\
        CALL\n    return y / (k - (k ^ 1));\n}\n";
    let folder =
        Folder::with(&[("a.c", &source.replace("CALL", "take(handle);")), ("b.c", &source.replace("CALL", ""))]);
    let open = |file| {
        let out = folder.run(&["check", file]).out;
        let lines = out.lines().filter_map(|line| line.strip_prefix("possible[div-by-zero]: division by zero: "));
        lines.map(str::to_owned).collect::<Vec<String>>()
    };
    assert_eq!(open("b.c"), [] as [String; 0]);
    assert_eq!(open("a.c"), ["100 / ((d & 7) - (d & 7 ^ 1))", "y / (k - (k ^ 1))"]);
}

#[test]
fn what_nothing_was_written_to_is_an_input_if_that_is_wanted() {
    let folder = Folder::with(&[("a.c", "int main(void) {\n    int a[3], x;\n    return a[1] == x;\n}\n")]);
    assert!(folder.run(&["check", "a.c"]).out.contains("definite[uninit-read]"));
    let given = folder.run(&["check", "--unwritten-inputs", "a.c"]);
    assert!(!given.out.contains("[uninit-read]"), "{}", given.out);
    assert_eq!(given.status, 0);
}

/// A place that stays in the array because of what three indices are together.
const ROOM: &str = "int rand(void);\nint main(void) {\n    int a[SIZE], i = 0, j = 0, k = 0;\n    while (rand()) {\n        if (i + j + k < 9) {\n            if (rand())\n                i++;\n            else if (rand())\n                j++;\n            else\n                k++;\n        }\n    }\n    a[i + j + k] = 0;\n    return 0;\n}\n";
/// What is said of it, in general terms.
const TEMPLATE: &str = "// The sum of three indices is below the length of an array of the function.\ncandidate_room(h, i, \"+\", j, \"+\", k, \"<\", n) :- loop_changes(h, i), loop_changes(h, j), loop_changes(h, k), i != j, j != k, i != k, block(h, f), owned_variable(a, f), variable(a, t, _), array_type(t, _, n).\n";

#[test]
fn a_template_of_the_users_yields_the_invariant_that_is_missing() {
    let folder = Folder::with(&[
        ("fits.c", &ROOM.replace("SIZE", "10")),
        ("leaves.c", &ROOM.replace("SIZE", "9")),
        ("room.dl", TEMPLATE),
    ]);
    let check = |file, more: &[&str]| folder.run(&[&["check", "--engine", "summary", file], more].concat()).out;
    let without = check("fits.c", &["--time-limit", "15"]);
    assert!(without.contains("possible[out-of-bounds]"), "{without}");
    let with = check("fits.c", &["--templates", "room.dl"]);
    assert!(!with.contains("possible[") && !with.contains("definite["), "{with}");
    // A guess alone proves nothing.
    let wrong = check("leaves.c", &["--templates", "room.dl"]);
    assert!(wrong.contains("definite[out-of-bounds]"), "{wrong}");
}

#[test]
fn templates_are_for_verify_and_summarize_too() {
    let asserted = ROOM.replace("SIZE", "10").replace("a[i + j + k] = 0;", "if (i + j + k >= 10) reach_error();");
    let text = format!("void reach_error(void);\n{asserted}");
    let folder = Folder::with(&[("a.c", &text), ("room.dl", TEMPLATE)]);
    let verify = |more: &[&str]| {
        folder.run(&[&["verify", "--engine", "summary", "--time-limit", "20", "a.c"], more].concat()).out
    };
    assert!(verify(&[]).contains("RESULT: UNKNOWN"));
    assert!(verify(&["--templates", "room.dl"]).ends_with("RESULT: TRUE\n"));
    let sum = "(long long)(i) + (long long)(j) + (long long)(k)";
    let summarize = |more: &[&str]| folder.run(&[&["summarize", "--verbose", "a.c"], more].concat());
    assert!(!summarize(&[]).out.contains(sum));
    let with = summarize(&["--templates", "room.dl"]);
    assert!(with.out.contains(sum), "{}", with.out);
    assert!(with.err.contains("invariants shown again by"), "{}", with.err);
}

#[test]
fn tuples_that_are_no_formulas_are_told() {
    let template = "candidate_odd(h, i, \"beside\", j) :- loop_changes(h, i), loop_changes(h, j), i != j.\n";
    let folder = Folder::with(&[
        ("a.c", &ROOM.replace("SIZE", "10")),
        ("odd.dl", template),
        ("none.dl", ".decl other(h: Block)\n"),
    ]);
    let ended = folder.run(&["summarize", "a.c", "--templates", "odd.dl"]);
    assert_eq!(ended.status, 0, "{}", ended.err);
    assert!(
        ended.err.contains("no candidate: candidate_odd(")
            && ended.err.contains("\"beside\" stands where a relation is needed"),
        "{}",
        ended.err
    );
    assert!(ended.err.contains("and 1 more tuples"), "{}", ended.err);
    let none = folder.run(&["summarize", "a.c", "--templates", "none.dl"]);
    assert_eq!(none.status, 2);
    assert!(none.err.contains("derive no relation called `candidate_...`"), "{}", none.err);
    let unused = folder.run(&["check", "a.c", "--templates", "odd.dl"]);
    assert_eq!(unused.status, 2);
    assert!(unused.err.contains("`--templates` needs `--engine summary`"), "{}", unused.err);
}
