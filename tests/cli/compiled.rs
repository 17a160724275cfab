//! Runs of the program as the system's compiler makes it.

use crate::run::Folder;

const SOURCE: &str = "#include <stdio.h>
int main(void) {
    char word[8];
    if (!fgets(word, sizeof word, stdin)) return 1;
    return 100 / (word[0] - 'q');
}
";

#[test]
fn they_are_made_where_only_time_ends_the_search() {
    let folder = Folder::with(&[("a.c", SOURCE)]);
    let said = |more: &[&str]| {
        let ended = folder
            .run(&[&["check", "--no-cache", "--verbose", "--time-limit", "20", "--jobs", "2", "a.c"], more].concat());
        assert!(ended.out.contains("definite[div-by-zero]"), "{}", ended.out);
        ended.err
    };
    let told = |err: &str| err.lines().any(|line| line.starts_with("search: ") && line.contains(" compiled runs, "));
    let err = said(&["--effort", "limit"]);
    assert!(told(&err), "{err}");
    assert!(!told(&said(&["--effort", "limit", "--no-compiled-runs"])));
    assert!(!told(&said(&[])), "nobody asked for them");
}
