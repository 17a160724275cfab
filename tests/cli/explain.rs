//! `explain`: derivations down to facts, as low as can be.

use crate::run::{Ended, Folder};

fn explain(args: &[&str]) -> Ended {
    let source = "int g(int x) {\n    return x;\n}\nint main(void) {\n    return g(1);\n}\n";
    Folder::with(&[("a.c", source)]).run(&[&["explain"], args, &["a.c"]].concat())
}

#[test]
fn a_tuple_is_followed_to_facts_and_their_lines() {
    let ended = explain(&["calls(\"main\", f)"]);
    assert_eq!(ended.status, 0, "{}", ended.err);
    let wanted = "\
answer(g)  [by <query>:1:1]
└─ calls(main, g)  [by rules/call_graph/recursion.dl:6:1]
   ├─ call_edge(main:call0, g)  [by rules/call_graph/call_edge.dl:8:1]
   │  └─ direct_call(main:call0, g)  [fact, a.c:5: return g(1);]
   └─ call(main:call0, main, main:bb0.0)  [fact, a.c:5: return g(1);]
";
    assert_eq!(ended.out, wanted);
}

/// From 1 to 5 there is a chain of four edges and, by way of 9, one of two.
const EDGES: &str = "e(1, 2). e(2, 3). e(3, 4). e(4, 5). e(1, 9). e(9, 5). ";

#[test]
fn the_derivation_is_the_lowest() {
    let linear = format!("{EDGES} r(x, y) :- e(x, y). r(x, z) :- e(x, y), r(y, z). q() :- r(1, 5).");
    let out = explain(&[&linear]).out;
    assert!(out.contains("r(9, 5)") && !out.contains("r(2, 5)"), "{out}");
    // Halves are lower than a chain: height 4 instead of 5.
    let chain = "e(1, 2). e(2, 3). e(3, 4). e(4, 5). ";
    let both = format!(
        "{chain} r(x, y) :- e(x, y). r(x, z) :- e(x, y), r(y, z). r(x, z) :- r(x, y), r(y, z). q() :- r(1, 5)."
    );
    let out = explain(&[&both]).out;
    assert!(out.contains("r(1, 3)") && out.contains("r(3, 5)"), "{out}");
}

#[test]
fn negations_and_aggregates_are_told() {
    let query = format!("{EDGES} q(n) :- n = count : {{ e(1, _) }}, e(x, 5), !e(x, 9).");
    let out = explain(&[&query]).out;
    assert!(out.contains("count = 2") && out.contains("no e("), "{out}");
}

#[test]
fn computed_heads_and_records_are_turned_round() {
    let query = "q(cat(\"<\", f, \">\"), n) :- calls(f, _), k = 2, n = k * 3 + 1.";
    let out = explain(&[query]).out;
    assert!(out.starts_with("q(<main>, 7)") && out.contains("calls(main, g)"), "{out}");
    let out = explain(&["function_value(_, _); points_to(v, [b, 0, 0])"]);
    assert_eq!(out.status, 2);
    let out = explain(&["variable_location(v, 0, [b, o, m]), v = \"g::x\""]).out;
    assert!(out.contains("variable_base(g::x, g::x)"), "{out}");
}

#[test]
fn what_does_not_hold_is_not_explained() {
    let ended = explain(&["calls(\"g\", f)"]);
    assert_eq!((ended.status, ended.out.as_str()), (2, ""));
    assert!(ended.err.contains("no such tuple holds"), "{}", ended.err);
    assert!(explain(&["--tuple", "2", "calls(\"main\", f)"]).status == 2);
}

#[test]
fn graphs_have_a_box_a_tuple() {
    let out = explain(&["--format", "dot", "calls(\"main\", f)"]).out;
    assert!(
        out.starts_with("digraph") && out.matches("label=").count() == 5 && out.matches("->").count() == 4,
        "{out}"
    );
}

#[test]
fn findings_are_explained_by_their_ids() {
    let source = "int rand(void);\nint main(void) {\n    return 100 / (rand() - 12);\n}\n";
    let rules = "find_use(s, \"rand is used\") :- input_site(_, \"rand()\", _, s).\n";
    let folder = Folder::with(&[("a.c", source), ("my.dl", rules)]);
    let report = folder.run(&["check", "a.c", "--rules", "my.dl", "--format", "json"]).out;
    let value: serde_json::Value = serde_json::from_str(&report).expect("the report is JSON");
    let id = |check: &str| {
        let mut found = value["findings"].as_array().expect("a list").iter().filter(|f| f["check"] == check);
        found.next().and_then(|f| f["id"].as_str()).expect("a finding").to_owned()
    };
    let ended = folder.run(&["explain", &id("use"), "a.c", "--rules", "my.dl"]);
    assert!(
        ended.out.contains("rand is used") && ended.out.contains("input_site(main:in0"),
        "{} {}",
        ended.out,
        ended.err
    );
    let ended = folder.run(&["explain", &id("div-by-zero"), "a.c"]);
    assert!(ended.out.contains("returns 12") && ended.out.contains("search says: a run errs"), "{}", ended.out);
    assert_eq!(folder.run(&["explain", "0123456789abcdef", "a.c"]).status, 2);
}

/// A program with a finding of each verdict.
const EACH: &str = "\
#include <stdlib.h>
int main(int argc, char **argv) {
    int a[4] = {0};
    if (argc > 4)
        return 1;
    int least = argc - 1;
    int quotient = 10 / (argc - 3);
    if (argc == 9)
        quotient = 10 / argc;
    return a[atoi(argv[0])] + least + quotient;
}
";

#[test]
fn a_verdict_is_derived_down_to_what_engines_found() {
    let folder = Folder::with(&[("a.c", EACH)]);
    let report = folder.run(&["check", "--format", "json", "a.c"]);
    let report: serde_json::Value = serde_json::from_str(&report.out).expect("a report");
    let cases = [
        ("definite", "errs_on_run"),
        ("possible", "blocked_by"),
        ("safe", "proved_safe"),
        ("unreachable", "not_reached"),
    ];
    for (verdict, evidence) in cases {
        let found = report["findings"].as_array().expect("a list").iter().find(|f| f["verdict"] == verdict);
        let id = found.unwrap_or_else(|| panic!("nothing is {verdict}: {report}"))["id"].as_str().expect("an id");
        let out = folder.run(&["explain", id, "a.c"]).out;
        let derivation = out.split("\nderivation:\n").nth(1).unwrap_or_else(|| panic!("no derivation: {out}"));
        assert!(derivation.starts_with("verdict(main:site"), "{derivation}");
        assert!(
            derivation.contains(&format!(", {verdict}, ")) && derivation.contains("rules/verdict/"),
            "{derivation}"
        );
        let fact = derivation.lines().find(|line| line.contains(&format!("{evidence}(main:site")));
        assert!(fact.is_some_and(|line| line.contains("[fact, a.c:")), "{derivation}");
    }
}
