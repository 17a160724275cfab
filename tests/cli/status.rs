//! Exit statuses, messages about usage, output files.

use crate::run::Folder;

const CLEAN: &str = "int main(void) { int a = 4; return 8 / a; }\n";

fn usage(args: &[&str], said: &str) {
    let ended = Folder::with(&[("a.c", CLEAN)]).run(args);
    assert_eq!(ended.status, 2, "{args:?}: {}", ended.err);
    assert!(ended.err.contains(said), "{args:?}: {}", ended.err);
    assert_eq!(ended.out, "", "{args:?}");
}

#[test]
fn bad_usage_ends_with_2_and_a_hint() {
    usage(&["check"], "Usage: cellog check");
    usage(&["chek", "a.c"], "similar subcommand");
    usage(&["check", "--checks", "div-by-zer", "a.c"], "did you mean `div-by-zero`?");
    usage(&["check", "--entry", "mainn", "a.c"], "no function `mainn` with a body; did you mean `main`?");
    usage(&["check", "--time-limit", "0", "a.c"], "number of seconds above 0");
    usage(&["check", "--profile", "fast", "a.c"], "no profile `fast`; there are quick, default, thorough");
    usage(&["check", "-o", "no/such/folder/r.json", "a.c"], "cannot write no/such/folder/r.json");
    usage(&["rules", "check", "missing.dl"], "missing.dl");
    usage(&["rules", "show", "no_such_rules"], "no built-in rule file `no_such_rules`");
}

#[test]
fn without_main_the_candidates_are_listed() {
    let folder = Folder::with(&[("a.c", "int f(void) { return 1; }\nstatic int g(void) { return 2; }\n")]);
    let ended = folder.run(&["check", "a.c"]);
    assert_eq!(ended.status, 2);
    assert!(
        ended.err.contains("no function `main` with a body") && ended.err.contains("there are: f, g"),
        "{}",
        ended.err
    );
    assert_eq!(folder.run(&["check", "--entry", "g", "a.c"]).status, 0);
}

#[test]
fn a_clean_program_ends_with_0() {
    let ended = Folder::with(&[("a.c", CLEAN)]).run(&["check", "a.c"]);
    assert_eq!(ended.status, 0, "{}", ended.err);
    assert!(ended.out.contains("div-by-zero"), "{}", ended.out);
}

#[test]
fn quiet_reports_of_clean_programs_are_empty() {
    let ended = Folder::with(&[("a.c", CLEAN)]).run(&["check", "--quiet", "a.c"]);
    assert_eq!((ended.status, ended.out.as_str()), (0, ""));
}

#[test]
fn reports_go_to_files_whole() {
    let folder = Folder::with(&[("a.c", CLEAN), ("report.json", "old")]);
    let ended = folder.run(&["check", "--format", "json", "-o", "report.json", "a.c"]);
    assert_eq!((ended.status, ended.out.as_str()), (0, ""));
    let text = std::fs::read_to_string(folder.path("report.json")).expect("the report is there");
    assert_eq!(text, folder.run(&["check", "--format", "json", "a.c"]).out);
}

#[test]
fn one_unreadable_file_of_two_is_never_green() {
    let folder = Folder::with(&[("a.c", CLEAN), ("b.c", "#include \"missing.h\"\nint b;\n")]);
    let ended = folder.run(&["check", "a.c", "b.c"]);
    assert_eq!(ended.status, 2);
    assert!(ended.out.contains("files not analysed: 1"), "{}", ended.out);
}

#[test]
fn rules_with_mistakes_are_shown_with_their_lines() {
    let folder =
        Folder::with(&[("a.dl", ".decl p(x: number)\np(x) :- q(x).\n"), ("b.dl", ".decl p(x: number)\np(1).\n")]);
    let ended = folder.run(&["rules", "check", "a.dl"]);
    assert_eq!(ended.status, 2);
    assert!(ended.err.contains("--> a.dl:2:9"), "{}", ended.err);
    assert_eq!(folder.run(&["rules", "check", "b.dl"]).status, 0);
}

#[test]
fn help_and_version_end_with_0() {
    for args in [&["--help"][..], &["check", "--help"], &["--version"]] {
        // A mistake in the configuration is no reason to give no help; it is one to do nothing else.
        for config in ["", "entri = 'main'\n"] {
            let ended = Folder::with(&[("cellog.toml", config)]).run(args);
            assert_eq!((ended.status, ended.err.as_str()), (0, ""), "{args:?} {config}");
        }
    }
    let ended = Folder::with(&[("cellog.toml", "entri = 'main'\n")]).run(&["rules", "list"]);
    assert_eq!(ended.status, 2, "{}", ended.err);
}
