//! `check --rules`: what the rules of users find is reported like everything else.

use crate::run::Folder;
use cellog::datalog::programs;
use serde_json::Value;

const SOURCE: &str = "int rand(void);\nstatic int half(int d) {\n    return 100 / (d + 1000);\n}\nint main(void) {\n    return half(rand() & 1);\n}\n";
const RULES: &str = "// Functions nobody should call.\n.decl bad(function: Function)\nbad(f) :- function_name(f, \"half\").\nfind_bad_call(s, cat(\"call of \", f)) :- call_edge(c, f), bad(f), call(c, _, s).\n";

fn findings(rules: &str) -> (i32, Vec<String>, String) {
    let folder = Folder::with(&[("a.c", SOURCE), ("my.dl", rules)]);
    let ended = folder.run(&["check", "a.c", "--rules", "my.dl", "--format", "json"]);
    let list = match serde_json::from_str::<Value>(&ended.out) {
        Ok(value) => value["findings"].as_array().cloned().unwrap_or_default(),
        Err(_) => Vec::new(),
    };
    let text = |f: &Value, name: &str| f[name].as_str().unwrap_or("").to_owned();
    let of_rules = list.iter().filter(|f| f["engine"] == "rules");
    let told = of_rules.map(|f| {
        format!("{}:{} {} {} {}", text(f, "file"), f["line"], text(f, "check"), text(f, "function"), text(f, "message"))
    });
    (ended.status, told.collect(), ended.err)
}

#[test]
fn what_rules_find_is_reported_and_decides_the_exit_status() {
    let (status, found, err) = findings(RULES);
    assert_eq!(found, ["a.c:6 bad-call main call of half"], "{err}");
    assert_eq!(status, 1);
    let (status, found, _) = findings(&RULES.replace("\"half\"", "\"third\""));
    assert_eq!((status, found), (0, vec![]));
}

#[test]
fn rules_see_what_the_engines_found() {
    let rules = "find_proved(s, cat(k, \" cannot happen\")) :- check_site(s, k, f, _), k = \"div-by-zero\", f = \"half\", verdict(s, \"safe\", _).\n";
    assert_eq!(
        findings(rules).1,
        ["a.c:3 div-by-zero half div-by-zero cannot happen"].map(|t| t.replacen("div-by-zero", "proved", 1))
    );
    let bounds = "find_bounds(b, cat(to_string(low), \"..\", to_string(high))) :- value_at(b, v, 0, low, high), variable_name(v, \"d\"), entry_block(\"half\", b).\n";
    assert_eq!(findings(bounds).1, ["a.c:3 bounds half 0..1"]);
}

#[test]
fn text_reports_show_the_finding_at_its_line() {
    let folder = Folder::with(&[("a.c", SOURCE), ("my.dl", RULES)]);
    let ended = folder.run(&["check", "a.c", "--rules", "my.dl"]);
    assert!(ended.out.contains("[bad-call]") && ended.out.contains(" --> a.c:6:"), "{}", ended.out);
    assert!(ended.out.contains("find_bad_call, a rule of my.dl"), "{}", ended.out);
}

#[test]
fn models_of_library_functions_are_no_finding_but_can_be_asked_for() {
    let source = "int getopt(int, char **, const char *);\nextern int optind;\n\
        int main(int argc, char **argv) { return getopt(argc, argv, \"a\") + optind; }\n";
    let rules = "find_function(f, \"has a body\") :- function_body(f).\n\
        find_line(file, line, \"has a statement\") :- statement_position(_, file, line, _).\n\
        find_variable(v, \"has a place\") :- static_variable(v), variable_name(v, n), n != \"optind\".\n";
    let folder = Folder::with(&[("a.c", source), ("my.dl", rules)]);
    let ended = folder.run(&["check", "a.c", "--rules", "my.dl", "--checks", "rules", "--format", "json"]);
    let value: Value = serde_json::from_str(&ended.out).expect("a report");
    let own = |f: &&Value| ["function", "line", "variable"].iter().any(|check| f["check"] == *check);
    let found: Vec<&Value> = value["findings"].as_array().expect("findings").iter().filter(own).collect();
    let has = |check: &str, line: u32| found.iter().any(|f| f["check"] == check && f["line"] == line);
    assert!(has("function", 3) && has("line", 3), "{}", ended.out);
    assert!(found.iter().all(|f| f["file"] != "<getopt>"), "{}", ended.out);
    let asked =
        folder.run(&["query", "--format", "csv", "a.c", "model_function(f), function_position(f, \"<getopt>\", _, _)"]);
    assert!(asked.out.contains("put_options_first") && !asked.out.contains("main"), "{}", asked.out);
}

#[test]
fn mistakes_in_rules_end_the_check_before_it_begins() {
    let (status, found, err) = findings("find_x(s, m) :- chek_site(s, m, _, _).\n");
    assert_eq!((status, found), (2, vec![]));
    assert!(err.contains("did you mean `check_site`?") && err.contains("my.dl:1:"), "{err}");
}

#[test]
fn rules_that_run_away_leave_the_verdicts_and_are_never_green() {
    let rules = ".decl n(x: number)\nn(0).\nn(x + 1) :- n(x).\nfind_n(\"a.c:1\", to_string(x)) :- n(x), x < 0.\n";
    let folder = Folder::with(&[("a.c", SOURCE), ("my.dl", rules)]);
    let ended = folder.run(&["check", "a.c", "--rules", "my.dl", "--time-limit", "20"]);
    assert_eq!(ended.status, 2, "{}", ended.err);
    assert!(ended.err.contains("the rules for `n`"), "{}", ended.err);
    assert!(ended.out.contains("div-by-zero"), "{}", ended.out);
}

#[test]
fn rules_see_which_loops_end() {
    const LOOPS: &str = "int rand(void);\nint main(void) {\n    int n = 9, s = 0;\n    while (n > 0)\n        n--;\n    for (unsigned i = 3; i >= 0; i--)\n        s += n;\n    return s;\n}\n";
    let rules = "find_endless(b, \"a loop without end\") :- loop_terminates(b, \"no\", _).\nfind_ended(b, m) :- loop_terminates(b, \"yes\", _), ranking(b, 0, m), loop_summary(b, _).\n";
    let folder = Folder::with(&[("a.c", LOOPS), ("my.dl", rules)]);
    let ended = folder.run(&["check", "a.c", "--rules", "my.dl", "--format", "json"]);
    let value: Value = serde_json::from_str(&ended.out).unwrap_or_else(|_| panic!("{}", ended.err));
    let list = value["findings"].as_array().expect("a list").iter().filter(|f| f["engine"] == "rules");
    let found: Vec<(u64, &str)> =
        list.map(|f| (f["line"].as_u64().expect("a line"), f["check"].as_str().expect("a name"))).collect();
    assert_eq!(found, [(4, "ended"), (6, "endless")], "{}", ended.err);
    let asked = folder.run(&["query", "a.c", "ranking(b, 0, m)", "--format", "csv"]);
    assert_eq!(asked.out.lines().count(), 2, "{}{}", asked.out, asked.err);
}

#[test]
fn names_of_helper_relations_of_checks_are_free_for_users() {
    // `only_one_of` and `unfreed_at` are what shipped checks have for themselves, with other columns.
    let rules = "only_one_of(f) :- function_name(f, \"half\").\n.decl only_one_of(f: Function)\n.decl unfreed_at(n: number)\nunfreed_at(7).\nfind_odd(f, to_string(n)) :- only_one_of(f), unfreed_at(n).\n";
    let folder = Folder::with(&[("a.c", SOURCE), ("my.dl", rules)]);
    let ended = folder.run(&["check", "a.c", "--rules", "my.dl", "--checks", "rules", "--format", "json"]);
    assert!(ended.err.is_empty(), "{}", ended.err);
    let found: Value = serde_json::from_str(&ended.out).expect("a report");
    let found: Vec<&Value> = found["findings"].as_array().expect("a list").iter().collect();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0]["check"].as_str(), found[0]["line"].as_u64()), (Some("odd"), Some(2)));
    // The relations of no check in particular are everybody's, and stay.
    let (status, _, err) = findings("calls(f, g) :- function(f, _), function(g, _).\n");
    assert_eq!(status, 2);
    assert!(err.contains("`calls`"), "{err}");
}

#[test]
fn sites_have_the_same_names_in_checks_and_queries() {
    let source = "#include <stdlib.h>\nint main(void) {\n    unsigned u = rand();\n    unsigned char c = u + 3;\n    return 100 / (c - 3);\n}\n";
    let rules = "find_site(s, cat(s, \" \", k)) :- check_site(s, k, _, _).\n";
    let folder = Folder::with(&[("a.c", source), ("my.dl", rules)]);
    let queried =
        folder.run(&["query", "--format", "csv", "a.c", "q(m) :- check_site(s, k, _, _), m = cat(s, \" \", k)."]);
    let mut queried: Vec<&str> = queried.out.lines().skip(1).collect();
    queried.sort_unstable();
    for checks in ["default", "div-by-zero", "all"] {
        let ended = folder.run(&["check", "a.c", "--checks", checks, "--rules", "my.dl", "--format", "json"]);
        let report: Value = serde_json::from_str(&ended.out).expect("a report");
        let of_rules = report["findings"].as_array().expect("a list").iter().filter(|f| f["engine"] == "rules");
        let mut checked: Vec<&str> = of_rules.filter_map(|f| f["message"].as_str()).collect();
        checked.sort_unstable();
        assert_eq!(checked, queried, "{checks}");
        let others = report["findings"].as_array().expect("a list").iter().filter(|f| f["engine"] != "rules");
        let asked = |f: &&Value| checks == "all" || f["check"] != "unsigned-overflow" && f["check"] != "conversion";
        assert!(others.clone().all(|f| asked(&f)), "{checks}");
    }
    assert!(queried.iter().any(|site| site.ends_with("unsigned-overflow")), "{queried:?}");
}

#[test]
fn a_line_a_rule_program_says_what_ran_it() {
    let folder = Folder::with(&[("a.c", SOURCE)]);
    let ended = folder.run(&["check", "--no-cache", "--verbose", "a.c"]);
    let line =
        |program: &str| ended.err.lines().find(|line| line.contains(&format!("rules {program}: "))).unwrap_or("");
    for program in
        programs::PROGRAMS.iter().filter(|program| ["effects", "memory", "strategy", "verdict"].contains(&program.name))
    {
        let line = line(program.name);
        assert!(line.contains(&format!("tuples by {}, ", program.executor.name())), "{}: {}", program.name, ended.err);
    }
    assert!(line("verdict").contains("by ascent") && line("memory").contains("by propagation"), "{}", ended.err);
}

#[test]
fn rules_of_users_that_ask_to_be_compiled_are_told_and_run_all_the_same() {
    let (status, found, err) = findings(&format!("{RULES}//@ executor: ascent, since it is fast\n.output bad\n"));
    assert!(err.contains("run by propagation") && err.contains("my.dl:5"), "{err}");
    assert_eq!((status, found.len()), (1, 1));
}
