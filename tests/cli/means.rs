//! `measure points-to`: what its means count.

use crate::run::Folder;
use std::collections::BTreeMap;

/// Five tables of one element each, declared as `declared`, and a pointer that may point to any of them.
fn figures(declared: &str) -> BTreeMap<String, f64> {
    let source = format!(
        "{declared} int one[1] = {{1}}, two[1] = {{2}}, three[1] = {{3}}, four[1] = {{4}}, five[1] = {{5}};
        int main(int argc, char **argv) {{
            const int *p = one;
            if (argc > 1) p = two;
            if (argc > 2) p = three;
            if (argc > 3) p = four;
            if (argc > 4) p = five;
            return *p;
        }}"
    );
    let ended = Folder::with(&[("a.c", &source)]).run(&["measure", "points-to", "a.c"]);
    assert_eq!(ended.status, 0, "{}", ended.err);
    let figure = |line: &str| {
        let (name, figure) = line.split_once('\t')?;
        Some((name.to_owned(), figure.parse().ok()?))
    };
    ended.out.lines().filter_map(figure).collect()
}

#[test]
fn constants_are_one_target_and_one_place() {
    let (written, constant) = (figures("static"), figures("static const"));
    for same in ["values", "pointers with targets", "mean targets"] {
        assert_eq!(written[same], constant[same], "{same}");
    }
    assert_eq!(written["places"], constant["places"] + 4.0);
    let all = "mean targets of all values";
    assert!(constant[all] < written[all], "{written:?} {constant:?}");
}

#[test]
fn sets_without_elements_count_in_the_mean_of_all() {
    let written = figures("static");
    let (values, places) = (written["mean targets of all values"], written["mean targets of places"]);
    // None of the tables holds an address, so that places have fewer targets than values have.
    assert!(values <= written["mean targets"] && places < values, "{written:?}");
    let all = written["mean targets of all values and places"];
    assert!(places <= all && all <= values, "{written:?}");
}
