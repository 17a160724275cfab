//! What keeps findings open, where one thing is known to.

use crate::run::Folder;
use serde_json::Value;

const RECURSIVE: &str = "#include <stdlib.h>\n\
    static int f(int n, int d) {\n    if (n == 0)\n        return 100 / d;\n    return f(n - 1, d);\n}\n\
    int main(void) { return f(3, 5); }\n";

const CALLED_BACK: &str = "#include <stdlib.h>\nvoid take(void (*handler)(int));\nint x;\n\
    static void handle(int d) { x = 100 / d; }\n\
    int main(void) {\n    handle(5);\n    take(handle);\n    return 0;\n}\n";

/// The folder of a program, and what a report says of its division.
fn division(source: &str, options: &[&str]) -> (Folder, Value) {
    let folder = Folder::with(&[("a.c", source)]);
    let ended = folder.run(&[&["check", "--format", "json", "a.c"], options].concat());
    let value: Value = serde_json::from_str(&ended.out).expect("the report is JSON");
    let findings = value["findings"].as_array().expect("a list");
    let found = findings.iter().find(|f| f["check"] == "div-by-zero").expect("there is one").clone();
    (folder, found)
}

#[test]
fn a_call_that_is_not_followed_is_a_cause_where_no_followed_state_errs() {
    let why = "may be called back by take";
    let (folder, found) = division(CALLED_BACK, &[]);
    assert_eq!(found["verdict"], "possible", "{found}");
    assert!(found["cause"]["reason"].as_str().is_some_and(|reason| reason.ends_with(why)), "{found}");
    assert_eq!(found["cause"]["call"]["line"], 7, "{found}");
    let text = folder.run(&["check", "a.c"]).out;
    let rest = text.split("\nopen for one reason each").nth(1).expect("causes come behind the table");
    assert!(rest.contains("the call at a.c:7:") && rest.contains(why), "{text}");
    let explained = folder.run(&["explain", found["id"].as_str().expect("an id"), "a.c"]).out;
    assert!(explained.contains("\nwhat keeps it open:\ncause("), "{explained}");
    assert!(explained.contains("only_unfollowed("), "{explained}");
}

#[test]
fn a_recursive_call_is_none() {
    let (_, found) = division(RECURSIVE, &[]);
    assert_eq!(found["verdict"], "safe", "{found}");
}

#[test]
fn what_may_err_where_it_was_followed_has_no_such_cause() {
    let recursive = RECURSIVE.replace("f(3, 5)", "f(rand() % 4, rand() % 9)");
    let called_back = CALLED_BACK.replace("handle(5)", "handle(rand() % 9)");
    for source in [&recursive, &called_back] {
        let (_, found) = division(source, &[]);
        assert_ne!(found["verdict"], "safe");
        assert!(found.get("cause").is_none(), "{found}");
    }
    // Executions start in it: that its parameters may be anything is what was asked for.
    let (_, found) = division("int f(int d) { return 100 / d; }\n", &["--entry", "all"]);
    assert!(found.get("cause").is_none(), "{found}");
    // And nothing is open that is safe.
    let followed = RECURSIVE.replace("f(n - 1, d)", "d");
    assert!(division(&followed, &[]).1.get("cause").is_none());
}
