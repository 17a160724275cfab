//! `summarize` and `verify --property termination`: rows of loops, in every form.

use crate::run::Folder;
use serde_json::Value;

const ENDS: &str = "int rand(void);\nint main(void) {\n    int x = rand();\n    while (x > 0) {\n        x -= 2;\n    }\n    return 0;\n}\n";

/// `ENDS` with another step.
fn stays() -> String {
    ENDS.replace("x -= 2", "x ^= 2")
}

#[test]
fn a_row_says_why_a_loop_ends_or_does_not() {
    let folder = Folder::with(&[("ends.c", ENDS), ("stays.c", &stays())]);
    let ended = folder.run(&["summarize", "ends.c"]);
    assert!(ended.out.contains("ends.c:4:12: loop in main: ends\n    falls: x\n"), "{}", ended.out);
    assert!(ended.out.contains("1 loops: 1 end, 0 do not, 0 undecided"), "{}", ended.out);
    let stays = folder.run(&["summarize", "stays.c"]);
    assert!(stays.out.contains("stays.c:4:12: loop in main: does not end\n    stays: "), "{}", stays.out);
    assert_eq!((ended.status, stays.status), (0, 0));
}

#[test]
fn programs_get_json_and_csv() {
    let folder = Folder::with(&[("a.c", ENDS)]);
    let ended = folder.run(&["summarize", "a.c", "--format", "json"]);
    let whole: Value = serde_json::from_str(&ended.out).expect("JSON");
    let row = &whole["loops"][0];
    assert_eq!((&row["file"], &row["line"], &row["function"]), (&"a.c".into(), &4.into(), &"main".into()));
    assert_eq!((&row["terminates"], &row["ranking"]), (&"yes".into(), &"x".into()));
    assert!(row["queries"].as_u64() > Some(0) && row["seconds"].is_number() && row["invariants"].is_array());
    let table = folder.run(&["summarize", "a.c", "--format", "csv"]).out;
    assert!(
        table.starts_with("file,line,column,function,terminates,") && table.contains("a.c,4,12,main,yes,x,"),
        "{table}"
    );
}

#[test]
fn verify_answers_for_the_program() {
    let folder = Folder::with(&[("ends.c", ENDS), ("stays.c", &stays())]);
    let verify = |file| folder.run(&["verify", "--property", "termination", file]);
    assert!(verify("ends.c").out.ends_with("RESULT: TRUE\n"));
    let endless = verify("stays.c");
    assert!(endless.out.ends_with("RESULT: FALSE\n"), "{}", endless.out);
    assert_eq!(endless.status, 1);
}

#[test]
fn what_verify_finds_is_there_for_queries() {
    let text = |last: &str| {
        format!(
            "void reach_error(void);\nint rand(void);\nint main(void) {{\n    unsigned x = 0, y = 0;\n    while (rand()) {{\n        x++;\n        y++;\n    }}\n    if ({last})\n        reach_error();\n    return 0;\n}}\n"
        )
    };
    let folder = Folder::with(&[("holds.c", &text("x != y")), ("fails.c", &text("x + y == 6"))]);
    let ask = |file, query| folder.run(&["query", file, query, "--format", "csv"]).out;
    let invariants = ask("holds.c", "invariant_at(head, formula, engine)");
    assert!(invariants.contains("=="), "{invariants}");
    assert_eq!(ask("holds.c", "counterexample_step(n, file, line, event)").lines().count(), 1);
    let steps = ask("fails.c", "counterexample_step(n, file, line, event)");
    assert!(steps.contains(",fails.c,10,"), "{steps}");
    assert_eq!(ask("fails.c", "invariant_at(head, formula, engine)").lines().count(), 1);
}

#[test]
fn verify_draws_the_graph() {
    let text = "void reach_error(void);\nint main(void) {\n    unsigned x = 0, y = 0;\n    while (x < 2) {\n        x++;\n        y++;\n        if (x != y)\n            reach_error();\n    }\n    return 0;\n}\n";
    let folder = Folder::with(&[("a.c", text)]);
    let ended = folder.run(&["verify", "--engine", "impact", "--arg", "dot", "--verbose", "a.c"]);
    assert!(ended.out.starts_with("digraph arg {") && ended.out.ends_with("}\nRESULT: TRUE\n"), "{}", ended.out);
    assert!(ended.out.contains("start -> a0") && ended.out.contains("a.c:4:"), "{}", ended.out);
    assert!(ended.err.contains("interpolants: "), "{}", ended.err);
}
