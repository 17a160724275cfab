//! Searches of earlier runs: good as long as nothing changes that their runs came to.

use crate::run::{Ended, Folder};

/// What a run says of searches that it did not make: how many of how many.
fn recalled(ended: &Ended) -> Option<&str> {
    let line = ended.err.lines().find(|line| line.contains("entries as in an earlier run"))?;
    line.strip_prefix("search: from ")?.strip_suffix(" entries as in an earlier run")
}

/// Writes the program, and checks that the report from the folder's results is that of a run without them.
fn check(folder: &Folder, source: &str, entry: &str) -> Ended {
    folder.write("a.c", source.as_bytes());
    let report = |options: &[&str]| {
        let words = ["check", "a.c", "--entry", entry, "--jobs", "1", "--verbose", "--format", "json"];
        folder.run(&[&words[..], options].concat())
    };
    let (kept, anew) = (report(&["--cache", "kept"]), report(&["--no-cache"]));
    assert_eq!((kept.status, &kept.out), (anew.status, &anew.out), "{source}\n{}", kept.err);
    assert_eq!(recalled(&anew), None);
    kept
}

/// `spare` has the numbers that the changes below bring and take, so that the same are tried as inputs.
const LIBRARY: &str = "\
static int calls;
static int half(int n) { return n / 2; }
int first(int n) { if (n > 4) return 10 / (n - 7); return half(n); }
int second(int n) { calls++; return 100 / (n - 3); }
int third(int n) { return half(n) + calls; }
static int spare(int n) { return n > 0 ? n % 5 + n % 8 : n; }
";

#[test]
fn searches_are_made_again_where_their_runs_come_to_a_change() {
    for (from, to, same) in [
        ("calls++;", "calls += 2;", Some("2 of 3")),
        ("return 100 / (n - 3)", "return 100 / (n - 4)", Some("2 of 3")),
        ("n / 2", "n / 3 + 1", Some("1 of 3")),
        ("static int calls;", "static int calls = 5;", Some("1 of 3")),
        ("static int half", "static int no(void) { static int more; return more++; }\nstatic int half", Some("3 of 3")),
        ("int second(int n)", "int second(short n)", Some("2 of 3")),
        // A number that no other part of the program has is one more to try everywhere.
        ("calls++;", "calls += 4711;", None),
    ] {
        let folder = Folder::with(&[]);
        assert_eq!(recalled(&check(&folder, LIBRARY, "all")), None);
        let changed = LIBRARY.replace(from, to);
        assert_ne!(changed, LIBRARY);
        let ended = check(&folder, &changed, "all");
        assert_eq!(recalled(&ended), same, "{from} -> {to}: {}", ended.err);
    }
}

#[test]
fn a_series_of_edits_has_the_reports_of_runs_without_a_cache() {
    let folder = Folder::with(&[]);
    let mut source = LIBRARY.to_owned();
    let mut all = 0;
    for (from, to) in [
        ("calls++;", "calls += 2;"),
        ("return half(n) + calls", "return half(n) / calls"),
        ("static int calls;", "static int calls = 3;"),
        ("int first", "\n\nint first"),
        ("n > 4", "n > 4 && n < 10"),
        ("return n / 2", "return 2 / n"),
        ("return 2 / n", "return n / 2"),
        ("calls += 2;", "calls = 0;"),
        ("calls = 0;", ""),
        ("100 / (n - 3)", "100 / (n - 4)"),
    ] {
        check(&folder, &source, "all");
        let changed = source.replacen(from, to, 1);
        assert_ne!(changed, source, "{from}");
        source = changed;
        all += usize::from(recalled(&check(&folder, &source, "all")).is_some());
    }
    assert!(all >= 5, "{all}");
}

const PROGRAM: &str = "\
#include <stdlib.h>
static int limit = 5;
static int table[8];
static int rare(int n) { return table[n & 7]; }
int main(int argc, char **argv) {
    int n = rand();
    if (argc > 1000) n += rare(argc);
    return 100 / limit + 10 / (n - 6);
}
";

#[test]
fn what_a_change_opens_where_runs_have_been_is_looked_for() {
    let folder = Folder::with(&[]);
    check(&folder, PROGRAM, "main");
    // No run comes to `rare`.
    let other = PROGRAM.replace("return table[n & 7]", "return table[n & 7] - 6");
    let ended = check(&folder, &other, "main");
    assert_eq!(recalled(&ended), Some("1 of 1"), "{}", ended.err);
    // Here too, but now the first division is not proved any more.
    let opened = PROGRAM.replace("return table[n & 7]", "return limit = table[n & 7]");
    let ended = check(&folder, &opened, "main");
    assert_eq!(recalled(&ended), None, "{}", ended.err);
}

#[test]
fn a_change_that_runs_come_to_is_seen() {
    let folder = Folder::with(&[]);
    let before = check(&folder, PROGRAM, "main");
    for (from, to) in [("n - 6", "n - 4"), ("limit = 5", "limit = 0"), ("10 / (", "10 % (")] {
        let ended = check(&folder, &PROGRAM.replace(from, to), "main");
        assert_eq!(recalled(&ended), None, "{from}");
        assert_ne!(ended.out, before.out, "{from}");
    }
}
