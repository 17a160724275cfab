//! `--strategy`: rules say what is analysed how.

use crate::run::Folder;

/// The fenced block of docs/strategy.md in `language`.
fn block(language: &str) -> String {
    let page = include_str!("../../docs/strategy.md");
    let begin = format!("```{language}\n");
    let text = page.split(&begin).nth(1).and_then(|rest| rest.split("```").next());
    text.unwrap_or_else(|| panic!("docs/strategy.md has no block in {language}")).to_owned()
}

fn possible(folder: &Folder, rules: &[&str]) -> usize {
    let files = rules.iter().flat_map(|file| ["--strategy", file]);
    let args: Vec<&str> = ["check", "--no-cache", "a.c"].into_iter().chain(files).collect();
    let ended = folder.run(&args);
    assert_eq!((ended.status, ended.err.as_str()), (0, ""));
    ended.out.lines().filter(|line| line.starts_with("possible")).count()
}

#[test]
fn the_example_of_the_page_is_decided_where_its_rule_is_given() {
    let folder = Folder::with(&[("a.c", &block("c")), ("s.dl", &block("prolog"))]);
    assert_eq!(possible(&folder, &[]), 1);
    assert_eq!(possible(&folder, &["s.dl"]), 0);
}

#[test]
fn contexts_are_told_apart_where_a_rule_says_so() {
    // Short functions are analysed anew at each call, and those that are called at few places once for each.
    let calls = |last: i32| (1..=last).map(|n| format!("fill({n}, &w);\n")).collect::<String>();
    let steps: String = (0..60).map(|n| format!("if (n == {n}) x ^= {n};\n")).collect();
    let source = format!(
        "static void fill(int n, int *w) {{ int x = 0;\n{steps}if (n > 9) *w = x; }}\n\
         int main(int argc, char **argv) {{\n\
         int total = argc > 1, w;\n\
         for (int i = 0; i < 3; i++) {{ {} }}\n\
         fill(12, &w);\n\
         return total + w; }}\n",
        calls(9)
    );
    let rules = ".decl strategy_contexts_of_small(f: Function, most: number)\n\
                 strategy_contexts_of_small(f, 20) :- function_body(f), !calls_something(f).\n\
                 .decl calls_something(f: Function)\n\
                 calls_something(f) :- call(_, f, _).\n";
    let folder = Folder::with(&[("a.c", &source), ("s.dl", rules)]);
    assert_eq!(possible(&folder, &[]), 1);
    assert_eq!(possible(&folder, &["s.dl"]), 0);
}

#[test]
fn calls_stand_for_their_effects_where_a_rule_says_so() {
    let source = "static int kept = 4, other;\nstatic void half(int n, int *to) { other++; *to = n / 2; }\n\
                  int main(int argc, char **argv) { int n; half(8, &n); return argc > 1 ? 10 / kept + n : 0; }\n";
    let rules = ".decl strategy_callees_none(c: Call, most: number)\n\
                 strategy_callees_none(c, 0) :- call_edge(c, f), function_name(f, \"half\").\n";
    let folder = Folder::with(&[("a.c", source), ("s.dl", rules)]);
    assert_eq!(possible(&folder, &[]), 0);
    // Whether the call sets it is not known any more; what it cannot write is.
    let ended = folder.run(&["check", "--no-cache", "a.c", "--strategy", "s.dl"]);
    assert!(ended.out.contains("possible[uninit-read]: read of an uninitialized value: n"), "{}", ended.out);
    assert!(!ended.out.contains("10 / kept\n"), "{}", ended.out);
}

#[test]
fn turns_are_told_apart_where_a_rule_says_so() {
    let source = "int main(int argc, char **argv) { int w; for (int i = 0; i < 4; i++) if (i == 3) w = 1; return argc > 1 ? w : 0; }\n";
    let rules = ".decl strategy_turns_none(h: Block, most: number)\nstrategy_turns_none(h, 0) :- back_edge(_, h).\n";
    let folder = Folder::with(&[("a.c", source), ("s.dl", rules)]);
    assert_eq!(possible(&folder, &[]), 0);
    assert!(possible(&folder, &["s.dl"]) > 0);
}

#[test]
fn what_means_nothing_is_told() {
    let source = "int main(void) { return 0; }\n";
    let rules =
        ".decl strategy_contexts_odd(f: Block, most: number)\nstrategy_contexts_odd(b, 3) :- entry_block(_, b).\n";
    let folder = Folder::with(&[("a.c", source), ("s.dl", rules), ("none.dl", ".decl other(n: number)\nother(1).\n")]);
    let ended = folder.run(&["check", "--no-cache", "a.c", "--strategy", "s.dl"]);
    assert!(ended.err.contains("cellog: no strategy: strategy_contexts_odd("), "{}", ended.err);
    let ended = folder.run(&["check", "--no-cache", "a.c", "--strategy", "none.dl"]);
    assert_eq!(ended.status, 2);
    assert!(ended.err.contains("declares no relation called `strategy_callees_...`"), "{}", ended.err);
}
