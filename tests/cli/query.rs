//! `query`: answers from C files and from folders of facts, and what is said of queries that cannot be answered.

use crate::run::Folder;

const SOURCE: &str = "int rand(void);\nint half(int d) {\n    return 100 / d;\n}\nstatic int twice(int d) {\n    return half(d) + half(d - 1);\n}\nint main(void) {\n    return twice(rand());\n}\n";

fn folder() -> Folder {
    Folder::with(&[("a.c", SOURCE)])
}

/// The answer to a query of `SOURCE` and how it ended.
fn ask(args: &[&str]) -> (i32, String, String) {
    let ended = folder().run(&[&["query", "a.c"], args].concat());
    (ended.status, ended.out, ended.err)
}

#[test]
fn rules_need_no_declaration_and_places_are_shown() {
    let (status, out, err) = ask(&["q(f, g) :- calls(f, g)."]);
    assert_eq!(status, 0, "{err}");
    let wanted =
        "f            g\n-----------  -----------\nmain (a.c:8)   twice (a.c:5)\ntwice (a.c:5)  half (a.c:2)\n2 rows\n";
    assert_eq!(
        out.replace("-", "").split_whitespace().collect::<Vec<_>>(),
        wanted.replace("-", "").split_whitespace().collect::<Vec<_>>()
    );
}

#[test]
fn the_body_of_a_rule_is_a_query() {
    let (_, out, _) = ask(&["--format", "csv", "calls(f, g), g != \"twice\""]);
    assert_eq!(out, "f,g\ntwice,half\n");
}

#[test]
fn recursion_aggregates_and_several_rules_work() {
    let query = "up(f) :- function_name(f, \"half\"). up(g) :- calls(g, f), up(f). n(c) :- c = count : { up(_) }.";
    assert_eq!(ask(&["--format", "csv", query]).1, "c\n3\n");
}

#[test]
fn a_query_without_columns_is_answered_by_yes_or_no() {
    assert_eq!(ask(&["calls(\"main\", \"twice\")"]).1, "yes\n");
    assert_eq!(ask(&["calls(\"main\", \"half\")"]).1, "no\n");
}

#[test]
fn json_has_rows_and_places() {
    let (_, out, _) = ask(&["--format", "json", "recursive_function(f)"]);
    assert_eq!(
        out,
        "{\"columns\":[{\"name\":\"f\",\"type\":\"Function\"}],\n\"rows\":[],\n\"places\":[],\n\"count\":0}\n"
    );
    let (_, out, _) = ask(&["--format", "json", "q(f) :- calls(_, f), !calls(f, _)."]);
    let value: serde_json::Value = serde_json::from_str(&out).expect("the answer is JSON");
    assert_eq!(value["rows"], serde_json::json!([["half"]]));
    assert_eq!(value["places"], serde_json::json!([["a.c:2"]]));
}

#[test]
fn results_of_the_engines_can_be_joined_with_the_program() {
    let query = "precondition(s, i, low, high), check_position(s, _, line, _), input_site(i, name, _, _)";
    let (_, out, err) = ask(&["--format", "csv", query]);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], "s,i,low,high,line,name", "{err}");
    assert!(lines.iter().any(|l| l.ends_with(",3,rand()")), "{out}");
    let (_, out, _) = ask(&["--count", "attempt(s, \"forward\", o, _)"]);
    assert_ne!(out, "0\n");
}

#[test]
fn folders_of_facts_answer_as_the_program_does() {
    let folder = folder();
    let query = "q(f, g) :- calls(f, g).";
    let wanted = folder.run(&["query", "a.c", "--format", "csv", query]).out;
    for format in ["csv", "souffle", "sqlite"] {
        assert_eq!(folder.run(&["facts", "a.c", "-o", format, "--format", format]).status, 0);
        assert_eq!(folder.run(&["query", format, "--format", "csv", query]).out, wanted);
    }
    let results = "verdict(_, v, _), v = \"definite\"";
    assert_eq!(folder.run(&["query", "csv", "--count", results]).out, "0\n");
    assert_eq!(folder.run(&["facts", "a.c", "-o", "all", "--results"]).status, 0);
    assert_eq!(folder.run(&["query", "all", "--count", results]).out, "1\n");
}

#[test]
fn an_answer_is_read_and_given_again_with_the_same_bytes() {
    let folder = Folder::with(&[("a.c", SOURCE)]);
    folder.write("own.csv", b"text,number\r\n\"a \"\"quoted\"\", text\",-3\r\n\"of two\nlines\",7\r\n");
    let ask = |file: &str| {
        let own = format!("own={file}");
        let ended = folder.run(&["query", "a.c", "--format", "csv", "--relation", &own, "own(text, number)"]);
        assert_eq!(ended.status, 0, "{}", ended.err);
        ended.out
    };
    let first = ask("own.csv");
    assert_eq!(first.lines().count(), 4);
    folder.write("again.csv", first.as_bytes());
    assert_eq!(ask("again.csv"), first);
}

#[test]
fn relations_of_the_user_take_part() {
    let folder = folder();
    folder.write("owner.csv", b"function:Function,team\nhalf,\"maths, and more\"\nmain,app\n");
    let args =
        ["query", "a.c", "--format", "csv", "--relation", "owner=owner.csv", "q(t) :- owner(f, t), calls(f, _)."];
    let ended = folder.run(&args);
    assert_eq!(ended.out, "t\napp\n", "{}", ended.err);
    folder.write("owner.csv", b"function:Function,team\nhalf\n");
    let ended = folder.run(&args);
    assert_eq!(ended.status, 2);
    assert!(ended.err.contains("owner.csv"), "{}", ended.err);
}

#[test]
fn mistakes_are_shown_in_the_query() {
    let (status, out, err) = ask(&["q(x) :- call(x, x, x), nothing_such(x)."]);
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(err.contains("unknown relation `nothing_such`") && err.contains("<query>:1:"), "{err}");
    assert!(!err.contains("unknown relation `q`"), "{err}");
    let (status, _, err) = ask(&["calls(f, g) :- calls(g, f)."]);
    assert_eq!(status, 2);
    assert!(err.contains("`calls` is a built-in relation"), "{err}");
}

#[test]
fn runaway_rules_are_stopped_and_named() {
    let runaway = "n(0) :- function(_, _). n(x + 1) :- n(x).";
    let (status, out, err) = ask(&["--derivations", "1000", runaway]);
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(err.contains("the limit on derivations was reached by the rules for `n`"), "{err}");
    let (status, _, err) = ask(&["--time-limit", "1", runaway]);
    assert_eq!(status, 2);
    assert!(err.contains("time limit was reached while the rules for `n` ran"), "{err}");
    let product =
        "p(a, b, c, d) :- s(a), s(b), s(c), s(d). s(x) :- statement_kind(x, _). e(a) :- p(a, a, b, b), !s(b).";
    let (status, _, err) = ask(&["--derivations", "5000", product]);
    assert_eq!(status, 2);
    assert!(err.contains("the rules for `p`"), "{err}");
}

#[test]
fn verdicts_derived_for_a_question_are_those_of_a_check() {
    let source = "int rand(void);\nstatic int half(int d) {\n    return 100 / (d - 1);\n}\nint main(void) {\n    int a[3] = {0};\n    \
                  int i = rand();\n    if (i < 0)\n        return a[-i];\n    return half(rand() & 1) + a[1];\n}\n";
    let folder = Folder::with(&[("a.c", source)]);
    let checked = folder.run(&["check", "--no-cache", "a.c", "--format", "json"]).out;
    let checked: serde_json::Value = serde_json::from_str(&checked).expect("the report is JSON");
    let findings = checked["findings"].as_array().expect("a list").iter();
    let mut checked: Vec<String> = findings
        .map(|f| format!("{},{}", f["verdict"].as_str().unwrap_or(""), f["engine"].as_str().unwrap_or("")))
        .collect();
    let asked = folder.run(&["query", "a.c", "--format", "csv", "verdict(s, v, e)"]).out;
    let mut asked: Vec<&str> = asked.lines().skip(1).filter_map(|row| Some(row.split_once(',')?.1)).collect();
    checked.sort();
    asked.sort();
    assert_eq!(asked, checked);
    assert!(["definite", "safe", "unreachable"].iter().all(|kind| asked.iter().any(|row| row.starts_with(kind))));
}
