//! `--entry all`: a library, whose functions anyone may call in any order.

use crate::run::Folder;
use serde_json::Value;

const LIBRARY: &str = "\
static int count;
void set(int n) { count = n; }
int get(void) { return count > 3 ? 1 / (count - 4) : 0; }
int half(int x) { return x == 7 ? 1 / (x - 7) : x / 2; }
static int hidden(int x) { return 1 / x; }
int shown(void) { return hidden(5); }
";

/// The verdicts on divisions by line, and the entries of those that are definite.
fn divisions(entry: &str) -> Vec<(u64, String, String)> {
    let folder = Folder::with(&[("a.c", LIBRARY)]);
    let ended =
        folder.run(&["check", "a.c", "--entry", entry, "--checks", "div-by-zero", "--format", "json", "--verbose"]);
    let report: Value = serde_json::from_str(&ended.out).unwrap_or_else(|_| panic!("{}", ended.err));
    let text = |f: &Value, name: &str| f[name].as_str().unwrap_or_default().to_owned();
    let findings = report["findings"].as_array().expect("a list").iter();
    let divisions = findings.filter(|f| !text(f, "message").contains("x / 2"));
    divisions.map(|f| (f["line"].as_u64().expect("a line"), text(f, "verdict"), text(f, "entry"))).collect()
}

fn row(line: u64, verdict: &str, entry: &str) -> (u64, String, String) {
    (line, verdict.to_owned(), entry.to_owned())
}

#[test]
fn what_earlier_calls_leave_is_not_forgotten() {
    // By itself, `get` never sees anything else than 0.
    assert_eq!(divisions("get")[0], row(3, "unreachable", ""));
    assert_eq!(divisions("all"), [row(3, "possible", ""), row(4, "definite", "half"), row(5, "safe", "")]);
}

#[test]
fn a_finding_is_replayed_from_its_own_entry() {
    let folder = Folder::with(&[("a.c", LIBRARY)]);
    let report = folder.run(&["check", "a.c", "--entry", "all", "--format", "json", "-o", "report.json"]);
    assert_eq!(report.status, 1, "{}", report.err);
    let text = std::fs::read_to_string(folder.path("report.json")).expect("it is there");
    let value: Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!(value["program"]["entry"], "all");
    let definite = value["findings"].as_array().expect("a list").iter().find(|f| f["verdict"] == "definite");
    let id = definite.expect("one is definite")["id"].as_str().expect("text");
    for more in [&["--entry", "all"][..], &["--report", "report.json"]] {
        let ended = folder.run(&[&["replay", id, "a.c"], more].concat());
        assert!(ended.out.contains("\nconfirmed: "), "{more:?}: {}{}", ended.out, ended.err);
    }
}

#[test]
fn a_library_without_functions_for_others_is_nothing_to_analyse() {
    let folder = Folder::with(&[("a.c", "static int f(void) { return 1; }\n")]);
    let ended = folder.run(&["check", "a.c", "--entry", "all"]);
    assert_eq!(ended.status, 4, "{}", ended.err);
}
