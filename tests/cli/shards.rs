//! A check in stages: units on their own, linked, checked in parts, merged.

use crate::run::Folder;

/// Both units have a static function `half`; one has a definite error, one a loop that needs a proof.
const MAIN: &str = "#include <stdio.h>\n#include \"list.h\"\nstatic int half(int x) { return x / 2; }\n\
int main(void) {\n    int c = getchar(), a[4] = {0};\n    if (c < 0) return 1;\n    push(half(c));\n    push(c);\n\
    a[half(c) % 5] = 1;\n    for (int i = 0; i < 4; i++) a[i] += i;\n    return 100 / (take() - 65) + a[3];\n}\n";
const LIST: &str = "#include <stdlib.h>\n#include \"list.h\"\nstruct item { int value; struct item *next; };\n\
static struct item *all;\nstatic int half(struct item *i) { return i->value; }\n\
void push(int v) {\n    struct item *i = malloc(sizeof *i);\n    i->value = v;\n    i->next = all;\n    all = i;\n}\n\
int take(void) {\n    struct item *i = all;\n    int v = half(i);\n    all = i->next;\n    free(i);\n    return v;\n}\n";
const HEADER: &str = "void push(int v);\nint take(void);\n";

fn folder() -> Folder {
    Folder::with(&[("main.c", MAIN), ("list.c", LIST), ("list.h", HEADER)])
}

/// The options of every check here: no machine uses up this time.
const CHECK: [&str; 6] = ["check", "--format", "json", "--no-cache", "--time-limit", "600"];

fn run(folder: &Folder, arguments: &[&str]) -> (i32, String) {
    let ended = folder.run(arguments);
    (ended.status, ended.err)
}

/// Makes `program.unit` of the units, each read alone.
fn link(folder: &Folder) {
    for unit in ["main", "list"] {
        let (source, kept) = (format!("{unit}.c"), format!("{unit}.unit"));
        let (status, err) = run(folder, &["facts", "--format", "unit", "-o", &kept, &source]);
        assert_eq!(status, 0, "{err}");
    }
    let (status, err) = run(folder, &["link", "-o", "program.unit", "main.unit", "list.unit"]);
    assert!(status == 0 && err.starts_with("program.unit: 2 units, "), "{err}");
}

#[test]
fn four_shards_of_a_linked_program_give_the_report_of_one_run() {
    let folder = folder();
    link(&folder);
    for checks in ["default", "all,rules"] {
        let options = [&CHECK[..], &["--checks", checks]].concat();
        let whole = folder.run(&[&options[..], &["main.c", "list.c"]].concat());
        assert_eq!(whole.status, 1, "{}", whole.err);
        assert!(whole.out.contains("\"verdict\":\"definite\"") && whole.out.contains("\"verdict\":\"safe\""));
        let mut shards = Vec::new();
        for index in 1..=4 {
            let (shard, report) = (format!("{index}/4"), format!("{index}.json"));
            let part = ["program.unit", "--shard", &shard, "-o", &report];
            let (status, err) = run(&folder, &[&options[..], &part].concat());
            assert!(status <= 1, "{err}");
            shards.push(report);
        }
        // Headers and sources are not needed any more once there are units.
        let mut merge = vec!["merge"];
        merge.extend(shards.iter().rev().map(String::as_str));
        let merged = folder.run(&merge);
        assert_eq!(
            (merged.status, merged.out == whole.out),
            (1, true),
            "{}\n{}\n{}",
            merged.err,
            merged.out,
            whole.out
        );
    }
}

#[test]
fn parts_that_do_not_make_a_whole_are_refused() {
    let folder = folder();
    link(&folder);
    let shard = |shard: &str, report: &str, more: &[&str]| {
        let part = ["program.unit", "--shard", shard, "-o", report];
        run(&folder, &[&CHECK[..], &part, more].concat())
    };
    for (part, report, more) in
        [("1/2", "1.json", &[][..]), ("2/2", "2.json", &[]), ("2/2", "all.json", &["--checks", "all"])]
    {
        assert!(shard(part, report, more).0 <= 1);
    }
    let refused = |reports: &[&str]| {
        let (status, err) = run(&folder, &[&["merge"], reports].concat());
        assert_eq!(status, 2, "{err}");
        err
    };
    assert!(refused(&["1.json"]).contains("these are missing: 2"));
    assert!(refused(&["1.json", "2.json", "1.json"]).contains("part 1 is there twice"));
    assert!(refused(&["1.json", "all.json"]).contains("differ in the findings"));
    assert!(refused(&["1.json", "no.json"]).contains("cannot read the report no.json"));
    assert_eq!(run(&folder, &["check", "--shard", "3/2", "main.c", "list.c"]).0, 2);
    let text = run(&folder, &["check", "--shard", "1/2", "main.c", "list.c"]);
    assert!(text.0 == 2 && text.1.contains("needs `--format json`"), "{}", text.1);
}

#[test]
fn linking_refuses_what_is_no_program() {
    let folder = folder();
    link(&folder);
    let refused = |arguments: &[&str]| {
        let (status, err) = run(&folder, &[&["link", "-o", "other.unit"], arguments].concat());
        assert_eq!(status, 2, "{err}");
        assert!(!folder.path("other.unit").exists());
        err
    };
    assert!(refused(&["main.unit", "main.unit"]).contains("main.c is there twice"));
    assert!(refused(&["main.unit", "none.c"]).contains("none.c: no such file"));
    assert!(refused(&["--arch", "ilp32", "main.unit"]).contains("preprocessed for --arch lp64"));
    // Every command reads a linked program.
    let ended = folder.run(&["query", "program.unit", "--format", "csv", "calls(\"main\", f), function_name(f, n)"]);
    assert!(ended.status == 0 && ended.out.contains("push"), "{} {}", ended.out, ended.err);
}
