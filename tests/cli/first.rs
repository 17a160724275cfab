//! The first screen of a report with many open places: what to look at first, on a page that fits a terminal.

use crate::run::Folder;
use serde_json::Value;

/// A library with so many functions that read through the pointer `shared`, of which nothing is known, and one that comes close to
/// an error: what it divides does not matter to who looks at bounds alone.
fn library(functions: usize) -> String {
    let mut text = "struct s { int size; int more; };\nextern struct s *shared;\nstatic int table[4];\n".to_owned();
    for number in 0..functions {
        text += &format!("int f{number}(void) {{ return shared->size; }}\n");
    }
    text + "int near(int n) { return n < 0 || n > 4 ? 0 : table[n - n / 4]; }\n"
}

fn check(functions: usize, options: &[&str]) -> String {
    let folder = Folder::with(&[("a.c", &library(functions))]);
    folder.run(&[&["check", "--entry", "all", "a.c"], options].concat()).out
}

fn blocks(text: &str) -> usize {
    text.lines().filter(|l| l.starts_with("possible[") || l.starts_with("unknown[")).count()
}

#[test]
fn many_open_places_end_in_a_page_that_says_what_to_look_at_first() {
    let text = check(30, &[]);
    assert!(text.lines().count() <= 60 && text.lines().all(|l| l.chars().count() <= 120), "{text}");
    assert_eq!(blocks(&text), 0, "{text}");
    assert!(text.starts_with("31 places are open for "), "{text}");
    // What errs lies close to what does not.
    let first: Vec<&str> = text.lines().filter(|l| l.trim_start().starts_with("1. ")).collect();
    assert!(first[0].ends_with("an access may lie outside of table"), "{text}");
    // One line for all that read through one pointer, whatever check that keeps open.
    assert_eq!(text.matches("where `shared` points is not known").count(), 1, "{text}");
    assert!(text.contains(" in f0 and 29 more, id "), "{text}");
    for word in ["\nplaces ", "--all ", "--possible N", "cellog explain ID"] {
        assert!(text.contains(word), "{word}: {text}");
    }
}

#[test]
fn all_and_some_open_places_are_listed_when_asked_for() {
    assert_eq!(blocks(&check(30, &["--all"])), 31);
    let text = check(30, &["--possible", "2"]);
    assert_eq!(blocks(&text), 2, "{text}");
    assert!(text.starts_with("possible[out-of-bounds]: access out of bounds: table[n - n / 4]"), "{text}");
    assert!(text.contains("31 places are open for "), "{text}");
}

#[test]
fn few_open_places_are_listed_without_being_asked_for() {
    let text = check(5, &[]);
    assert_eq!(blocks(&text), 6, "{text}");
    assert!(!text.contains("look at these first"), "{text}");
}

#[test]
fn other_formats_have_every_place_with_its_rank_and_cause() {
    let value: Value = serde_json::from_str(&check(30, &["--format", "json"])).expect("JSON");
    let findings = value["findings"].as_array().expect("a list");
    let open: Vec<&Value> = findings.iter().filter(|f| f["verdict"] == "possible").collect();
    assert!(open.len() > 90, "{}", open.len());
    for finding in open {
        assert!(
            finding["rank"].as_i64().is_some_and(|rank| rank >= 2) && finding["open_because"].is_string(),
            "{finding}"
        );
        assert!(finding["because"].is_string() && finding["reason"].is_string(), "{finding}");
    }
}

#[test]
fn doubts_are_told_in_words_of_c() {
    // Each function is right for a reason that bounds do not show, or never errs on a run that is tried.
    let source = "#include <stdlib.h>\nstruct s { int a; int b; };\n\
        int f(int n, struct s q) {\n    struct s *p = malloc(sizeof *p);\n    if (n) p = NULL;\n    return p->b;\n}\n\
        int g(int n) {\n    if (n < 0 || n > 4 || n - n / 4 < 4) return 0; struct s *p = malloc(sizeof *p);\n    p->a = 1;\n    return p->a;\n}\n\
        int table[4];\nint h(int i) { return i < 0 || i > 4 ? 0 : table[i - i / 4]; }\n\
        int k(int i) { return i < 0 || i > 4 || i - i / 4 < 4 ? 0 : i + 2147483644; }\n";
    let folder = Folder::with(&[("a.c", source)]);
    let text = folder.run(&["check", "--entry", "all", "a.c"]).out;
    for words in [
        "because: may be NULL plus 4 bytes (a member of what NULL points to)\n",
        "because: may be NULL: malloc at line 9 can fail\n",
        "because: 4 bytes at an offset between -4 and 16 in table, which has 16 bytes\n",
        "because: 4 plus 2147483644; no state passes\n",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    // The exact state is there for who wants it.
    assert!(!text.contains("= state: "), "{text}");
    let verbose = folder.run(&["check", "--entry", "all", "--verbose", "a.c"]).out;
    assert!(verbose.contains("= state: 4 bytes at table of 16 bytes + [-4, 16] = 0 mod 4\n"), "{verbose}");
}

#[test]
fn findings_that_need_what_hardly_ever_happens_come_last_and_together() {
    let mut source = "#include <stdlib.h>\nint main(int argc, char **argv) {\n    int d = argc - 2;\n".to_owned();
    for number in 0..4 {
        source += &format!("    int *p{number} = malloc(4);\n    *p{number} = {number};\n    free(p{number});\n");
    }
    source += "    return 10 / d;\n}\n";
    let folder = Folder::with(&[("a.c", &source)]);
    let text = folder.run(&["check", "a.c"]).out;
    assert!(text.starts_with("definite[div-by-zero]"), "{text}");
    assert!(text.contains("\ndefinite, but only where an allocation fails or argc is 0: 4\n"), "{text}");
    assert_eq!(text.matches("\n  definite[null-deref]: a.c:").count(), 4, "{text}");
    assert_eq!(text.matches(" in main, where an allocation fails, id ").count(), 4, "{text}");
    assert_eq!(folder.run(&["check", "--all", "a.c"]).out.matches("\ndefinite[null-deref]").count(), 4);
}
