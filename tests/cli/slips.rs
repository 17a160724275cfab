//! Small things that whoever is new runs into: what is told, and what is forgiven.

use crate::run::{Ended, Folder};

const DIVISION: &str =
    "#ifdef ZERO\nint main(void) { int d = 0; return 1 / d; }\n#else\nint main(void) { return 0; }\n#endif\n";

fn run(files: &[(&str, &str)], args: &[&str]) -> Ended {
    Folder::with(files).run(args)
}

#[test]
fn quiet_and_verbose_at_once_are_refused_with_what_to_do() {
    let ended = run(&[("a.c", DIVISION)], &["check", "--quiet", "--verbose", "a.c"]);
    assert_eq!((ended.status, ended.out.as_str()), (2, ""));
    assert!(ended.err.contains("leave one of them out"), "{}", ended.err);
}

#[test]
fn what_stands_behind_a_macro_of_a_system_header_is_underlined_where_it_is() {
    let source = "#include <stddef.h>\nstruct s { struct s *n; };\nint main(void) {\n    struct s a = { NULL }, *p = &a;\n\
        \x20   return p != NULL && p->n->n != NULL;\n}\n";
    let text = run(&[("a.c", source)], &["check", "a.c"]).out;
    let lines: Vec<&str> = text.lines().collect();
    let at = lines.iter().position(|l| l.contains("return p != NULL")).expect("the line is shown");
    let (shown, marks) = (lines[at], lines[at + 1]);
    let start = marks.find('^').expect("it is underlined");
    assert_eq!(&shown[start..start + "p->n->n".len()], "p->n->n", "{text}");
    assert_eq!(marks.matches('^').count(), "p->n->n".len(), "{text}");
    assert!(text.contains(" --> a.c:5:25"), "{text}");
}

#[test]
fn rule_files_are_shown_by_the_names_of_their_checks() {
    let ended = run(&[], &["rules", "show", "dead-store"]);
    assert_eq!(ended.status, 0, "{}", ended.err);
    assert!(ended.out.contains("find_dead_store"), "{}", ended.out);
}

#[test]
fn unknown_relations_come_with_how_to_declare_one() {
    let rules = ".decl p(x: number)\np(x) :- my_own(x).\n";
    let ended = run(&[("r.dl", rules)], &["rules", "check", "r.dl"]);
    assert!(ended.err.contains("unknown relation `my_own`; a relation of your own needs a `.decl`"), "{}", ended.err);
}

#[test]
fn a_missing_parenthesis_is_told_where_the_text_ends() {
    for query in ["calls(f, g", "q(f) :- calls(f, g"] {
        let ended = run(&[("a.c", DIVISION)], &["query", "a.c", query]);
        assert_eq!(ended.status, 2, "{}", ended.err);
        assert!(ended.err.contains("expected `,` or `)`, found the end of the file"), "{}", ended.err);
    }
}

#[test]
fn a_library_call_leads_to_the_variable_that_gets_its_result() {
    let source = "#include <stdlib.h>\n#include <string.h>\nint main(int argc, char **argv) {\n    char *home = getenv(\"HOME\");\n\
        \x20   int n = atoi(argv[0]);\n    size_t k;\n    k = strlen(argv[0]) + 1;\n    return n + (int)k + (home == NULL);\n}\n";
    let query = "q(f, v) :- library_result(c, v), calls_library(c, f), variable_name(v, _).";
    let ended = run(&[("a.c", source)], &["query", "--format", "csv", "a.c", query]);
    for row in ["getenv,main::home", "atoi,main::n", "strlen,main::k"] {
        assert!(ended.out.contains(row), "{row}: {}{}", ended.out, ended.err);
    }
    assert!(!ended.out.contains('$'), "{}", ended.out);
}

#[test]
fn flags_of_compilers_before_the_dashes_get_a_helpful_word() {
    for flag in ["-Iinc", "-DZERO"] {
        let ended = run(&[("a.c", DIVISION)], &["check", flag, "a.c"]);
        assert_eq!(ended.status, 2);
        let wanted = format!("stand last, behind `--`: cellog check main.c -- {flag}");
        assert!(ended.err.contains(&wanted), "{}", ended.err);
    }
    assert!(!run(&[("a.c", DIVISION)], &["check", "--no-such", "a.c"]).err.contains("behind `--`"));
}

#[test]
fn the_configuration_of_a_folder_around_counts() {
    let folder = Folder::with(&[("cellog.toml", "flags = [\"-DZERO\"]\n")]);
    std::fs::create_dir(folder.path("src")).expect("a folder");
    folder.write("src/a.c", DIVISION.as_bytes());
    assert_eq!(folder.run_in("src", &["check", "a.c"]).status, 1);
    folder.write("src/cellog.toml", b"");
    assert_eq!(folder.run_in("src", &["check", "a.c"]).status, 0);
}

#[test]
fn files_beside_a_build_folder_choose_among_its_entries() {
    let database = r#"[{"directory": ".", "file": "a.c", "arguments": ["cc", "-DZERO", "-c", "a.c"]},
        {"directory": ".", "file": "b.c", "arguments": ["cc", "-c", "b.c"]}]"#;
    let files = [("compile_commands.json", database), ("a.c", DIVISION), ("b.c", DIVISION), ("c.c", DIVISION)];
    let folder = Folder::with(&files);
    for (file, status) in [("a.c", 1), ("b.c", 0)] {
        let ended = folder.run(&["check", "-p", ".", file]);
        assert_eq!(ended.status, status, "{file}: {}{}", ended.out, ended.err);
    }
    // A file that is missing there gets its neighbours' flags.
    let ended = folder.run(&["check", "-p", ".", "c.c"]);
    assert_eq!(ended.status, 1, "{}{}", ended.out, ended.err);
    assert!(ended.err.contains("c.c: . has no entry of this file, its flags are those of a.c"), "{}", ended.err);
}

#[test]
fn a_file_that_is_compiled_twice_is_analysed_once() {
    let database = r#"[{"directory": ".", "file": "a.c", "arguments": ["cc", "-DZERO", "-fPIC", "-c", "a.c", "-o", ".libs/a.o"]},
        {"directory": ".", "file": "./a.c", "arguments": ["cc", "-DZERO", "-c", "./a.c", "-o", "a.o"]}]"#;
    let ended = run(&[("compile_commands.json", database), ("a.c", DIVISION)], &["check", "-p", "."]);
    assert_eq!((ended.status, ended.out.matches("\ndefinite[").count() + 1), (1, 1), "{}{}", ended.out, ended.err);
}

#[test]
fn the_time_of_day_makes_no_other_program() {
    let source =
        "const char *built(void) { return __DATE__ \" \" __TIME__; }\nint main(void) { return built()[0] == 0; }\n";
    let folder = Folder::with(&[("a.c", source)]);
    let text = |name: &str| {
        folder.run(&["facts", "--format", "unit", "-o", name, "a.c"]);
        std::fs::read(folder.path(name)).expect("it is written")
    };
    let first = text("first.unit");
    std::thread::sleep(std::time::Duration::from_millis(1100));
    assert!(!first.is_empty() && first == text("second.unit"));
}

#[test]
fn what_fails_a_run_can_be_chosen() {
    let folder = Folder::with(&[("b.c", "int main(void) { return 0; }\n")]);
    let status = |args: &[&str]| folder.run(&[&["check"], args].concat()).status;
    let open = "int f(int *p) { return *p; }\n";
    folder.write("c.c", open.as_bytes());
    assert_eq!(status(&["--entry", "all", "c.c"]), 0);
    assert_eq!(status(&["--entry", "all", "--fail-on", "possible", "c.c"]), 1);
    assert_eq!(status(&["--fail-on", "possible", "b.c"]), 0);
    assert_eq!(status(&["--fail-on", "new", "b.c"]), 2);
    folder.run(&["check", "--entry", "all", "--format", "json", "-o", "base.json", "c.c"]);
    let against = ["--entry", "all", "--fail-on", "new", "--baseline", "base.json", "c.c"];
    assert_eq!(status(&against), 0);
    folder.write("c.c", format!("{open}int g(int *q) {{ return *q; }}\n").as_bytes());
    assert_eq!(status(&against), 1);
}

#[test]
fn comments_that_suppress_nothing_are_told() {
    let source = "int main(void) {\n    int d = 3;\n    return 1 / d; // cellog: allow(div-by-zero) d is 3\n}\n";
    let ended = run(&[("a.c", source)], &["check", "a.c"]);
    assert!(ended.err.contains("a.c:3: `cellog: allow(div-by-zero)` suppresses nothing"), "{}", ended.err);
    let ended = run(&[("a.c", &source.replace("d = 3;", "d = 0;"))], &["check", "a.c"]);
    assert!(!ended.err.contains("suppresses nothing"), "{}", ended.err);
}
