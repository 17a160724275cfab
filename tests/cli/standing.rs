//! Suppressions, exclusions and baselines: what is not to be acted on neither shows nor fails, and is counted.

use crate::run::Folder;
use serde_json::Value;

const DIVISION: &str = "int main(void) {\n    int d = 0;\n    return 1 / d;\n}\n";

fn report(folder: &Folder, args: &[&str]) -> (i32, Value) {
    let ended = folder.run(&[&["check", "--format", "json", "a.c"], args].concat());
    (ended.status, serde_json::from_str(&ended.out).expect("the report is JSON"))
}

fn definite(value: &Value) -> Vec<&Value> {
    value["findings"].as_array().expect("a list").iter().filter(|f| f["verdict"] == "definite").collect()
}

#[test]
fn a_comment_with_a_reason_suppresses_its_check() {
    for source in [
        DIVISION.replace("1 / d;", "1 / d; // cellog: allow(div-by-zero) on purpose"),
        DIVISION.replace("    return", "    /* cellog: allow(shift, div-by-zero) on purpose */\n    return"),
    ] {
        let folder = Folder::with(&[("a.c", &source)]);
        let (status, value) = report(&folder, &[]);
        assert_eq!(status, 0);
        assert_eq!(definite(&value)[0]["suppressed"]["reason"], "on purpose");
        let text = folder.run(&["check", "a.c"]);
        assert!(!text.out.contains("definite[") && text.out.contains("suppressed: 1"), "{}", text.out);
        assert!(folder.run(&["check", "--verbose", "a.c"]).out.contains("definite[div-by-zero]"));
        let sarif: Value = serde_json::from_str(&folder.run(&["check", "--format", "sarif", "a.c"]).out).expect("JSON");
        let suppression = &sarif["runs"][0]["results"][0]["suppressions"][0];
        assert_eq!((&suppression["kind"], &suppression["justification"]), (&"inSource".into(), &"on purpose".into()));
    }
}

#[test]
fn a_comment_on_another_check_or_without_a_reason_suppresses_nothing() {
    for comment in ["// cellog: allow(shift) on purpose", "// cellog: allow(div-by-zero)"] {
        let folder = Folder::with(&[("a.c", &DIVISION.replace("1 / d;", &format!("1 / d; {comment}")))]);
        let (status, value) = report(&folder, &[]);
        assert_eq!(status, 1, "{comment}");
        assert!(definite(&value)[0].get("suppressed").is_none());
    }
}

#[test]
fn the_configuration_suppresses_excludes_and_sets_defaults() {
    let folder =
        Folder::with(&[("a.c", DIVISION), ("cellog.toml", "[[allow]]\nfunction = \"main\"\nreason = \"a test\"\n")]);
    let (status, value) = report(&folder, &[]);
    assert_eq!((status, &definite(&value)[0]["suppressed"]["by"]), (0, &"configuration".into()));
    folder.write("cellog.toml", b"exclude = [\"*.c\"]\n");
    let (status, value) = report(&folder, &[]);
    assert_eq!((status, value["findings"].as_array().map(Vec::len)), (0, Some(0)));
    folder.write("cellog.toml", b"checks = \"shift\"\n");
    let (status, value) = report(&folder, &[]);
    assert_eq!((status, definite(&value).len()), (0, 0));
    folder.write("cellog.toml", b"profile = \"quick\"\n");
    let (status, value) = report(&folder, &[]);
    assert_eq!((status, definite(&value).len()), (1, 1));
    folder.write("cellog.toml", b"profile = \"fast\"\n");
    assert!(folder.run(&["check", "a.c"]).err.contains("no profile `fast`"));
    folder.write("cellog.toml", b"checkz = \"shift\"\n");
    let ended = folder.run(&["check", "a.c"]);
    assert_eq!(ended.status, 2);
    assert!(ended.err.contains("cellog.toml") && ended.err.contains("checkz"), "{}", ended.err);
}

#[test]
fn only_what_is_new_against_a_baseline_fails() {
    let folder = Folder::with(&[("a.c", DIVISION)]);
    assert_eq!(folder.run(&["check", "--format", "json", "-o", "base.json", "a.c"]).status, 1);
    // The same finding after an unrelated edit that shifts its line.
    folder.write("a.c", format!("/* A remark. */\nint unrelated(int x) {{ return x; }}\n{DIVISION}").as_bytes());
    let (status, value) = report(&folder, &["--baseline", "base.json"]);
    assert_eq!((status, &definite(&value)[0]["baseline"]), (0, &"known".into()));
    assert!(folder.run(&["check", "--baseline", "base.json", "a.c"]).out.contains("known from the baseline: "));
    // Another one is new.
    let more = DIVISION.replace("    return", "    int a[2] = {0};\n    if (d == 0) return a[d + 2];\n    return");
    folder.write("a.c", more.as_bytes());
    let (status, value) = report(&folder, &["--baseline", "base.json"]);
    let new: Vec<&Value> = definite(&value).into_iter().filter(|f| f["baseline"] != "known").collect();
    assert_eq!((status, new.len(), &new[0]["check"]), (1, 1, &"out-of-bounds".into()));
    let ended = folder.run(&["check", "--baseline", "a.c", "a.c"]);
    assert_eq!(ended.status, 2);
    assert!(ended.err.contains("is no report of `check --format json`"), "{}", ended.err);
}

#[test]
fn a_finding_that_has_become_worse_is_not_known() {
    let folder = Folder::with(&[("a.c", DIVISION)]);
    folder.run(&["check", "--format", "json", "-o", "base.json", "a.c"]);
    let better = std::fs::read_to_string(folder.path("base.json"))
        .expect("it is there")
        .replace("\"verdict\":\"definite\"", "\"verdict\":\"possible\"");
    folder.write("base.json", better.as_bytes());
    let (status, value) = report(&folder, &["--baseline", "base.json"]);
    assert_eq!((status, &definite(&value)[0]["baseline"]), (1, &"worse".into()));
}

const BY_RULE: &str = "find_call(s, \"a call\") :- call(_, \"main\", s).\n";

#[test]
fn what_users_rules_find_is_suppressed_like_the_rest() {
    let source =
        "void f(void) {}\nint main(void) {\n    f(); // cellog: allow(call) it is harmless\n    return 0;\n}\n";
    for (source, config, by) in [
        (source.to_owned(), "", "comment"),
        (
            source.replace("//", "// not so"),
            "[[allow]]\ncheck = \"call\"\nfile = \"*.c\"\nreason = \"a test\"\n",
            "configuration",
        ),
    ] {
        let folder = Folder::with(&[("a.c", &source), ("r.dl", BY_RULE), ("cellog.toml", config)]);
        let (status, value) = report(&folder, &["--rules", "r.dl"]);
        let found = value["findings"].as_array().expect("a list").iter().find(|f| f["check"] == "call").expect("found");
        assert_eq!((status, &found["suppressed"]["by"]), (0, &by.into()));
        let explained = folder.run(&["explain", found["id"].as_str().expect("an id"), "--rules", "r.dl", "a.c"]).out;
        assert!(explained.contains("\nsuppressed:\nsuppressed_finding("), "{explained}");
    }
}

#[test]
fn explain_shows_why_a_finding_is_suppressed() {
    let source = DIVISION.replace("    return", "    // cellog: allow(div-by-zero) on purpose\n    return");
    let folder = Folder::with(&[("a.c", &source)]);
    let (_, value) = report(&folder, &[]);
    let id = definite(&value)[0]["id"].as_str().expect("an id");
    let explained = folder.run(&["explain", id, "a.c"]).out;
    let (_, why) = explained.split_once("\nsuppressed:\n").expect("it is told");
    for part in ["suppressed_finding(", "comment_before(", "allowed_by_comment(", "comment_alone(", "on purpose"] {
        assert!(why.contains(part), "{part}: {explained}");
    }
    // Without the comment, there is nothing to tell.
    folder.write("a.c", DIVISION.as_bytes());
    assert!(!folder.run(&["explain", id, "a.c"]).out.contains("suppressed"));
    folder.write("a.c", source.as_bytes());
    let answer =
        folder.run(&["query", "--format", "csv", "a.c", "q(k, b, r) :- suppressed(s, b, r), check_site(s, k, _, _)."]);
    assert!(answer.out.contains("div-by-zero,comment,on purpose"), "{}{}", answer.out, answer.err);
}

#[test]
fn clauses_that_are_first_for_no_finding_are_told() {
    let clauses = "[[allow]]\nfunction = \"main\"\nreason = \"first\"\n\
                   [[allow]]\ncheck = \"div-by-zero\"\nreason = \"it comes too late\"\n\
                   [[allow]]\nfile = \"b*.c\"\nreason = \"there is none\"\n";
    let folder = Folder::with(&[("a.c", DIVISION), ("cellog.toml", clauses)]);
    let ended = folder.run(&["check", "--format", "json", "a.c"]);
    assert!(ended.out.contains("\"reason\":\"first\""), "{}", ended.out);
    let told: Vec<&str> = ended.err.lines().filter(|line| line.contains("[[allow]]")).collect();
    assert_eq!(
        told,
        ["cellog.toml: the 2. [[allow]] fits no finding", "cellog.toml: the 3. [[allow]] fits no finding"]
    );
}
