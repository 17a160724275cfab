//! The prompt of `query`, fed from a file.

use crate::run::{Folder, binary};
use std::process::{Command, Stdio};

/// What the prompt answers to these lines.
fn converse(lines: &str) -> (i32, String, String, Folder) {
    let source = "int rand(void);\nint g(int x) {\n    return 1 / x;\n}\nint main(void) {\n    return g(rand());\n}\n";
    let folder = Folder::with(&[("a.c", source), ("in.txt", lines)]);
    let stdin = std::fs::File::open(folder.path("in.txt")).expect("the file is there");
    let output = Command::new(binary())
        .args(["query", "a.c"])
        .current_dir(folder.path("."))
        .stdin(Stdio::from(stdin))
        .output()
        .expect("the binary runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the output is text");
    (output.status.code().expect("it ends by itself"), text(output.stdout), text(output.stderr), folder)
}

#[test]
fn questions_are_answered_one_after_the_other() {
    let (status, out, err, _) = converse("calls(f, g)\n.format csv\nverdict(s, v, e), v = \"definite\"\n");
    assert_eq!(status, 0, "{err}");
    assert!(out.contains("main (a.c:5)") && out.contains("1 row"), "{out}");
    assert!(out.contains("g:site0,definite,search") || out.contains(",definite,search"), "{out}");
}

#[test]
fn rules_are_remembered_until_forgotten() {
    let (_, out, err, _) = converse(
        ".format csv\nleaf(f) :- calls(_, f), !calls(f, _).\nleaf(f), function_name(f, n)\n.forget\nleaf(f)\n",
    );
    assert!(out.contains("f,n\ng,g\n"), "{out} {err}");
    assert!(err.contains("unknown relation `leaf`"), "{err}");
}

#[test]
fn mistakes_do_not_end_the_prompt() {
    let (status, out, err, _) = converse("cals(f, g)\n.nothing\n.schema nothing\ncalls(f, g)\n.quit\ncalls(a, b)\n");
    assert_eq!(status, 0);
    assert!(err.contains("did you mean `call`?") && err.contains("no command `.nothing`"), "{err}");
    assert_eq!(out.matches("1 row").count(), 1, "{out}");
}

#[test]
fn relations_are_listed_and_described() {
    let (_, out, _, _) = converse(".relations call\n.schema call_edge\n.help\n");
    assert!(out.contains("call_edge(call: Call, callee: Function)") && out.contains("may call"), "{out}");
    assert!(!out.contains("points_to("), "{out}");
    assert!(out.contains(".explain"), "{out}");
}

#[test]
fn answers_are_saved_and_explained() {
    let (_, out, err, folder) = converse("calls(f, g)\n.save out.csv\n.explain calls(f, g)\n");
    assert_eq!(std::fs::read_to_string(folder.path("out.csv")).expect("saved"), "f,g\nmain,g\n", "{err}");
    assert!(out.contains("direct_call(main:call0, g)"), "{out}");
}
