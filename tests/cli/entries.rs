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

#[test]
fn of_several_programs_of_a_build_one_is_chosen() {
    let folder = Folder::with(&[
        ("a.c", "int half(int x);\nint main(int argc, char **argv) { return half(argc - argc); }\n"),
        ("b.c", "int main(void) { return 0; }\n"),
        ("l.c", "int half(int x) { return 10 / x; }\n"),
    ]);
    let link = |name: &str, text: &str| {
        let at = format!("CMakeFiles/{name}.dir");
        std::fs::create_dir_all(folder.path(&at)).expect("it can be made");
        folder.write(&format!("{at}/link.txt"), text.as_bytes());
    };
    link("a", "cc CMakeFiles/a.dir/a.c.o -o a libl.a\n");
    link("b", "cc CMakeFiles/b.dir/b.c.o -o b\n");
    link("l", "ar qc libl.a CMakeFiles/l.dir/l.c.o\n");
    let unit = |name: &str| {
        let command = format!("cc -o CMakeFiles/{name}.dir/{name}.c.o -c {name}.c");
        format!("{{\"directory\":\".\",\"file\":\"{name}.c\",\"command\":\"{command}\"}}")
    };
    let database = ["a", "b", "l"].map(unit).join(",");
    folder.write("compile_commands.json", format!("[{database}]").as_bytes());
    let check = |target: &[&str]| folder.run(&[&["check", "-p", ".", "--format", "json"], target].concat());
    let ended = folder.run(&["summarize", "-p", "."]);
    assert_eq!(ended.status, 2);
    assert!(ended.err.contains("choose one with --target: a, b"), "{}", ended.err);
    let ended = check(&[]);
    assert!(
        ended.status == 1 && ended.out.contains("\"files\":[\"a.c\",\"b.c\",\"l.c\"]"),
        "{}{}",
        ended.err,
        ended.out
    );
    let ended = check(&["--target", "a"]);
    assert!(ended.status == 1 && ended.out.contains("\"files\":[\"a.c\",\"l.c\"]"), "{}{}", ended.err, ended.out);
    assert_eq!(check(&["--target", "b"]).status, 0);
    assert!(check(&["--target", "c"]).err.contains("there are a, b, libl.a"));
}

#[test]
fn reports_do_not_depend_on_where_a_project_lies() {
    // Builds often name files by their whole paths.
    let report = |entry: &str| {
        let folder = Folder::with(&[
            ("a.c", "#include \"half.h\"\nint main(int argc, char **argv) { return half(argc - argc); }\n"),
            ("half.h", "static int half(int x) { return 10 / x; }\n"),
        ]);
        let root = folder.path("").canonicalize().expect("it is there");
        let root = root.display();
        let unit =
            format!("{{\"directory\":\"{root}\",\"file\":\"{root}/a.c\",\"command\":\"cc -I{root} -c {root}/a.c\"}}");
        folder.write("compile_commands.json", format!("[{unit}]").as_bytes());
        let ended = folder.run(&["check", "-p", ".", "--entry", entry, "--format", "json"]);
        assert_eq!(ended.status, 1, "{}", ended.err);
        // The entry is in a header, so that the harness includes it.
        let report: serde_json::Value = serde_json::from_str(&ended.out).expect("the report is JSON");
        let all = report["findings"].as_array().expect("a list");
        let id = all.iter().find(|f| f["verdict"] == "definite").expect("one is definite")["id"].as_str();
        let replayed = folder.run(&["replay", id.expect("an id"), "-p", ".", "--entry", entry]);
        assert!(replayed.out.contains("confirmed"), "{}{}", replayed.out, replayed.err);
        ended.out
    };
    for (entry, file) in [("main", "\"files\":[\"a.c\"]"), ("half", "\"file\":\"half.h\"")] {
        let (here, there) = (report(entry), report(entry));
        assert_eq!(here, there);
        assert!(here.contains(file), "{here}");
    }
}
