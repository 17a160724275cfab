//! Folders instead of files: which C files are found, with which flags, and what they make.

use crate::run::{Ended, Folder};
use serde_json::Value;

/// A folder with files in folders.
fn tree(files: &[(&str, &str)]) -> Folder {
    let folder = Folder::with(&[]);
    for (name, text) in files {
        let path = folder.path(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
        std::fs::write(path, text).expect("it can be written");
    }
    folder
}

fn report(ended: &Ended) -> Value {
    serde_json::from_str(&ended.out).unwrap_or_else(|_| panic!("JSON: {}{}", ended.out, ended.err))
}

/// The files of a report.
fn files(ended: &Ended) -> Vec<String> {
    let value = report(ended);
    value["program"]["files"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|f| f.as_str().expect("a name").to_owned())
        .collect()
}

const HALF: (&str, &str) = ("src/half.c", "#include \"half.h\"\nint half(int x) { return 10 / x; }\n");
const HEADER: (&str, &str) = ("include/half.h", "int half(int x);\n");
const ONE: (&str, &str) = ("src/one.c", "#include <half.h>\nint main(void) { return half(2); }\n");
const ZERO: (&str, &str) =
    ("src/zero.c", "#include <half.h>\nint main(int argc, char **argv) { return half(argc - argc); }\n");

#[test]
fn a_folder_stands_for_its_files_and_flags_are_guessed_and_told() {
    let folder = tree(&[HALF, HEADER, ONE]);
    for name in ["src", "."] {
        let ended = folder.run(&["check", name, "--format", "json"]);
        assert_eq!(ended.status, 0, "{}", ended.err);
        assert_eq!(files(&ended), ["src/half.c", "src/one.c"]);
        assert!(
            ended.err.contains("2 C files and no compile_commands.json; flags are guessed: -Iinclude"),
            "{}",
            ended.err
        );
    }
    // Ids are those of files that are named.
    let by_name = folder.run(&["check", "src/half.c", "src/one.c", "--format", "json", "--", "-Iinclude"]);
    assert_eq!(report(&by_name)["findings"], report(&folder.run(&["check", ".", "--format", "json"]))["findings"]);
    // What is said is not part of what is asked for quietly.
    assert_eq!(folder.run(&["check", "-q", "src"]).err, "");
}

#[test]
fn several_programs_are_checked_in_turn_and_make_one_report() {
    let folder = tree(&[HALF, HEADER, ONE, ZERO, ("src/unused.c", "int unused(int x) { return 1 / x; }\n")]);
    let ended = folder.run(&["check", "src", "--format", "json"]);
    assert_eq!(ended.status, 1, "{}", ended.err);
    assert!(
        ended.err.contains("2 programs, which share the time limit (--target NAME checks one): one, zero"),
        "{}",
        ended.err
    );
    assert!(ended.err.contains("no `main` leads to src/unused.c"), "{}", ended.err);
    assert_eq!(files(&ended), ["src/half.c", "src/one.c", "src/zero.c"]);
    let value = report(&ended);
    let division: Vec<&Value> =
        value["findings"].as_array().expect("a list").iter().filter(|f| f["check"] == "div-by-zero").collect();
    // Safe in one program, and definite in the other.
    let [finding] = &division[..] else { panic!("{division:?}") };
    assert_eq!((&finding["verdict"], &finding["program"]), (&"definite".into(), &"zero".into()));
    let text = folder.run(&["check", "src"]).out;
    assert!(text.contains("(in half of program zero, found and run again by"), "{text}");
    for (target, status, wanted) in [("one", 0, ["src/half.c", "src/one.c"]), ("zero", 1, ["src/half.c", "src/zero.c"])]
    {
        let ended = folder.run(&["check", "src", "--target", target, "--format", "json"]);
        assert_eq!((ended.status, files(&ended)), (status, wanted.map(str::to_owned).to_vec()), "{}", ended.err);
    }
    let ended = folder.run(&["check", "src", "--target", "two"]);
    assert!(
        ended.status == 2 && ended.err.contains("no program is called `two`; there are one, zero"),
        "{}",
        ended.err
    );
    // Commands with one answer want one program.
    let ended = folder.run(&["summarize", "src"]);
    assert!(
        ended.status == 2 && ended.err.contains("these are 2 programs; choose one with --target: one, zero"),
        "{}",
        ended.err
    );
    assert_eq!(folder.run(&["summarize", "src", "--target", "one"]).status, 0);
}

#[test]
fn a_folder_without_a_main_is_a_library() {
    let folder = tree(&[HALF, HEADER]);
    let ended = folder.run(&["check", ".", "--format", "json"]);
    assert!(ended.err.contains("nothing defines `main`: a library"), "{}", ended.err);
    assert_eq!((ended.status, &report(&ended)["program"]["entry"]), (1, &Value::from("all")), "{}", ended.out);
}

#[test]
fn what_the_build_would_make_first_is_told() {
    let source = "#ifdef HAVE_CONFIG_H\n#include <config.h>\n#endif\nint main(void) { return 0; }\n";
    let folder = tree(&[("src/a.c", source), ("config.h.in", "#undef X\n")]);
    let ended = folder.run(&["check", "src"]);
    assert_eq!(ended.status, 0, "{}", ended.err);
    assert!(ended.err.contains("config.h is not there and would be made from config.h.in: configure"), "{}", ended.err);
    folder.write("config.h", b"#define X 1\n");
    let ended = folder.run(&["check", "src"]);
    assert!(
        ended.err.contains("flags are guessed: -I. -DHAVE_CONFIG_H") && !ended.err.contains("not there"),
        "{}",
        ended.err
    );
}

#[test]
fn a_database_in_or_around_a_folder_has_its_flags() {
    let database = r#"[{"directory": ".", "file": "src/a.c", "arguments": ["cc", "-DD=0", "-c", "src/a.c"]}]"#;
    let folder = tree(&[
        ("build/compile_commands.json", &database.replace("\".\"", "\"..\"")),
        ("src/a.c", "int main(void) { int d = D; return 1 / d; }\n"),
        ("src/b.c", "int broken(\n"),
    ]);
    for name in ["src", "."] {
        let ended = folder.run(&["check", name]);
        assert_eq!(ended.status, 1, "{}{}", ended.out, ended.err);
        assert!(ended.err.contains("flags are those of build/compile_commands.json"), "{}", ended.err);
    }
}

#[test]
fn a_program_that_cannot_be_analysed_makes_the_report_partial() {
    let folder = tree(&[("src/a.c", "int main(void) { return @; }\n"), ("src/b.c", "int main(void) { return 0; }\n")]);
    let ended = folder.run(&["check", "src", "--format", "json"]);
    let why = "a: it could not be analysed";
    assert_eq!((ended.status, &report(&ended)["partial"]), (2, &Value::from(why)), "{}{}", ended.out, ended.err);
    let ended = folder.run(&["check", "src", "--target", "b"]);
    assert_eq!(ended.status, 0, "{}", ended.err);
}

#[test]
fn folders_without_c_files_are_told() {
    let folder = tree(&[("notes/read.me", "")]);
    let ended = folder.run(&["check", "notes"]);
    assert!(ended.status == 2 && ended.err.contains("notes: no C file in this folder"), "{}", ended.err);
    let ended = folder.run(&["check", "a.c", "--target", "x"]);
    assert!(
        ended.status == 2 && ended.err.contains("`--target` chooses among the programs of a folder"),
        "{}",
        ended.err
    );
}

#[test]
fn questions_take_folders_too() {
    let folder = tree(&[HALF, HEADER, ONE]);
    let ended = folder.run(&["query", "--format", "csv", "src", "q(f) :- calls(\"main\", f)."]);
    assert!(ended.status == 0 && ended.out.contains("half"), "{}{}", ended.out, ended.err);
}

#[test]
fn builds_without_links_are_told_apart_by_what_their_files_want() {
    let unit = |name: &str| {
        format!(
            r#"{{"directory": ".", "file": "src/{name}.c", "arguments": ["cc", "-Iinclude", "-c", "src/{name}.c"]}}"#
        )
    };
    let database = format!("[{}]", ["half", "one", "zero"].map(unit).join(","));
    let folder = tree(&[HALF, HEADER, ONE, ZERO, ("compile_commands.json", &database)]);
    let ended = folder.run(&["check", "-p", ".", "--format", "json"]);
    assert_eq!((ended.status, files(&ended).len()), (1, 3), "{}", ended.err);
    let ended = folder.run(&["check", "-p", ".", "--target", "one", "--format", "json"]);
    assert_eq!(
        (ended.status, files(&ended)),
        (0, vec!["src/half.c".to_owned(), "src/one.c".to_owned()]),
        "{}",
        ended.err
    );
}
