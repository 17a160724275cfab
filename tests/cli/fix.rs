//! `cellog fix`: edits that mend definite findings, and findings that no edit is offered for.

use crate::run::{Ended, Folder};
use serde_json::Value;
use std::process::{Command, Stdio};

/// The ids of the definite findings of a check.
fn definite(folder: &Folder) -> Vec<String> {
    let ended = folder.run(&["check", "--format", "json", "a.c"]);
    let value: Value = serde_json::from_str(&ended.out).unwrap_or_else(|_| panic!("JSON: {}{}", ended.out, ended.err));
    let all = value["findings"].as_array().expect("a list").iter();
    all.filter(|f| f["verdict"] == "definite").map(|f| f["id"].as_str().expect("an id").to_owned()).collect()
}

/// What becomes of the first definite finding of `source`.
fn fixed(source: &str) -> (Folder, Ended) {
    let folder = Folder::with(&[("a.c", source)]);
    let all = definite(&folder);
    let ended = folder.run(&["fix", all.first().expect("a definite finding"), "a.c"]);
    (folder, ended)
}

fn text(folder: &Folder) -> String {
    std::fs::read_to_string(folder.path("a.c")).expect("it is there")
}

const DIVISION: &str = "#include <stdio.h>\nint main(void) {\n    int c = getchar();\n    if (c < 60)\n        return 1;\n    printf(\"%d\\n\", 100 / (c - 65));\n    return 0;\n}\n";

#[test]
fn a_guard_is_written_that_mends_the_finding() {
    let (folder, ended) = fixed(DIVISION);
    assert_eq!(ended.status, 0, "{}", ended.err);
    let said = "leaves main where (c - 65) == 0; checked again with it (--engine summary), nothing errs there and no other verdict is worse";
    assert!(ended.err.contains(said), "{}", ended.err);
    let text = text(&folder);
    assert!(text.contains("    if ((c - 65) == 0)\n        return 1;\n    printf("), "{text}");
    assert_eq!(definite(&folder), [] as [&str; 0]);
    let compiled =
        Command::new("cc").args(["-fsyntax-only", "-Wall", "-Werror", "a.c"]).current_dir(folder.path("")).status();
    assert!(compiled.expect("cc runs").success());
}

#[test]
fn the_difference_is_one_that_patch_takes() {
    let folder = Folder::with(&[("a.c", DIVISION)]);
    let id = definite(&folder).remove(0);
    let ended = folder.run(&["fix", &id[..8], "--diff", "a.c"]);
    assert_eq!((ended.status, text(&folder).as_str()), (0, DIVISION), "{}", ended.err);
    assert!(ended.out.starts_with("--- a/a.c\n+++ b/a.c\n@@ -3,"), "{}", ended.out);
    folder.write("a.diff", ended.out.as_bytes());
    let git =
        Command::new("git").args(["apply", "a.diff"]).current_dir(folder.path("")).stderr(Stdio::inherit()).status();
    assert!(git.expect("git runs").success(), "{}", ended.out);
    assert!(text(&folder).contains("if ((c - 65) == 0)"));
}

#[test]
fn errors_of_each_kind_are_mended() {
    for (source, wanted) in [
        (
            "#include <stdlib.h>\nint main(void) {\n    int *p = malloc(4);\n    *p = 1;\n    free(p);\n    return 0;\n}\n",
            "if (p == 0)\n        return 1;",
        ),
        (
            "#include <stdio.h>\nstatic int t[8];\nint main(void) {\n    int c = getchar();\n    if (c < 0) return 0;\n    return t[c];\n}\n",
            "if ((unsigned long)c >= sizeof t / sizeof t[0])",
        ),
        (
            "#include <stdio.h>\nint main(void) {\n    int x;\n    if (getchar() == 'a') x = 1;\n    return x;\n}\n",
            "int x = 0;",
        ),
        (
            "#include <stdlib.h>\nint main(int argc, char **argv) {\n    char *p = malloc(1);\n    if (argc > 2) {\n        free(p);\n    }\n    free(p);\n    return 0;\n}\n",
            "free(p); p = 0;",
        ),
        (
            "#include <stdio.h>\nint main(void) {\n    int n;\n    if (scanf(\"%d\", &n) != 1) return 1;\n    n = n + 1;\n    return n > 0;\n}\n",
            "if (n > 2147483647 - 1)",
        ),
        // All executions err here, so that the guard ends them all.
        (
            "int main(void) {\n    int z = 0;\n    int x = 1 / z;\n    return 10 / 5 + x;\n}\n",
            "if (z == 0)\n        return 1;",
        ),
        (
            "#include <string.h>\nint main(int argc, char **argv) {\n    char a[4], b[10];\n    memset(b, argc, 10);\n    memcpy(a, b, 10);\n    return a[0];\n}\n",
            "memcpy(a, b, sizeof a);",
        ),
        (
            "int main(int argc, char **argv) {\n    int t[4];\n    for (int i = 0; i <= 4; i++) {\n        t[i] = argc;\n    }\n    return t[0] > 1;\n}\n",
            "if ((unsigned long)i >= sizeof t / sizeof t[0])\n            break;",
        ),
        (
            "#include <stdlib.h>\nint main(void) {\n    int *p = malloc(sizeof *p);\n    if (!p) return 1;\n    *p = 1;\n    free(p);\n    int n = *p;\n    return n;\n}\n",
            "int n = *p;\n    free(p);",
        ),
        // Columns of a macro's text lie behind the end of its line.
        (
            "#define TWICE(a) (((a) + 1) / 2 + ((a) + 1) / 2 + ((a) + 1) / 2)\nint main(int argc, char **argv) {\n    int n = 8 / (argc - 3);\n    n = TWICE(argc / 2);\n    return n;\n}\n",
            "if ((argc - 3) == 0)",
        ),
        ("int main(void) {\n    int t[4] = {0};\n    int *p = t - 1;\n    return p[0];\n}\n", "int *p = t;"),
    ] {
        let (folder, ended) = fixed(source);
        assert!(ended.status == 0 && text(&folder).contains(wanted), "{wanted}: {}{}", ended.err, text(&folder));
        assert_eq!(definite(&folder), [] as [&str; 0], "{wanted}");
    }
}

#[test]
fn what_no_single_statement_mends_gets_no_fix() {
    for (source, why) in [
        (
            "#include <stdio.h>\nint next(void) { return getchar(); }\nint main(void) { return 1 / (next() - 65); }\n",
            "no single statement is known",
        ),
        ("#include <stdio.h>\nint main(void) { int c = getchar(); while (1 / (c - 65)) c++; return 0; }\n", ""),
        (
            "#include <assert.h>\n#include <stdio.h>\nint main(void) { assert(getchar() != 'x'); return 0; }\n",
            "no single statement is known",
        ),
    ] {
        let (folder, ended) = fixed(source);
        assert_eq!((ended.status, text(&folder).as_str()), (1, source), "{}", ended.err);
        assert!(ended.err.contains("no fix is offered for ") && ended.err.contains(why), "{why}: {}", ended.err);
    }
}
