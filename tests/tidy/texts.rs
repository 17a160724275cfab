//! Sizes of files, documentation of relations, and words that would tie the repository to one machine.

use crate::code::without_literals;
use crate::{assert_none, tree};

const RUST_LINES: usize = 600;
const RULE_LINES: usize = 250;
/// Lines of the command line, which parses, shows progress and prints.
const CLI_LINES: usize = 4500;
/// Lines of code, beside declarations of modules and re-exports, that a routing file may have.
const ROUTING_LINES: usize = 25;

#[test]
fn files_hold_one_idea() {
    let mut problems = Vec::new();
    for (extension, limit) in [("rs", RUST_LINES), ("dl", RULE_LINES)] {
        for file in tree::files_with("", extension) {
            let lines = tree::text(&file).map_or(0, |text| text.lines().count());
            if lines > limit {
                problems.push(format!("{file}: {lines} lines, more than {limit}: split it by topic"));
            }
        }
    }
    assert_none("A file is too long.", problems);
}

#[test]
fn the_command_line_leaves_work_to_the_pipeline() {
    let lines: usize = tree::files_with("src/cli", "rs")
        .iter()
        .filter_map(|file| tree::text(file))
        .map(|text| text.lines().count())
        .sum();
    assert!(
        lines <= CLI_LINES,
        "src/cli has {lines} lines, more than {CLI_LINES}: move what is no option and no output to the pipeline"
    );
}

#[test]
fn roots_route_and_leaves_define() {
    let mut problems = Vec::new();
    for file in tree::files_with("src", "rs") {
        if !file.ends_with("/mod.rs") && file != "src/lib.rs" {
            continue;
        }
        let text = tree::text(&file).expect("Rust source is text");
        if !text.starts_with("//!") {
            problems.push(format!("{file}: starts without a //! map of what is in it"));
        }
        let lines = defining_lines(&without_literals(&text));
        if lines > ROUTING_LINES {
            problems.push(format!("{file}: {lines} lines of definitions: move them to files named for their topic"));
        }
    }
    assert_none("A mod.rs or lib.rs does more than route and document.", problems);
}

/// Lines of code that are neither blank nor part of a `mod` or `use` item or an attribute.
fn defining_lines(code: &str) -> usize {
    let mut count = 0;
    let mut in_use = false;
    for line in code.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let bare = line.strip_prefix("pub ").or(line.strip_prefix("pub(crate) ")).unwrap_or(line);
        if in_use || bare.starts_with("use ") {
            in_use = !line.ends_with(';');
        } else if !(bare.starts_with("mod ") && line.ends_with(';') || line.starts_with("#[")) {
            count += 1;
        }
    }
    count
}

#[test]
fn every_relation_is_documented() {
    let mut problems = Vec::new();
    for file in tree::files_with("facts", "dl").into_iter().chain(tree::files_with("rules", "dl")) {
        let text = tree::text(&file).expect("a rule file is text");
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        for (number, line) in lines.iter().enumerate().filter(|(_, line)| line.starts_with(".decl ")) {
            // Pragmas (`//@ ...`) may stand between the comment and the declaration.
            let above = lines[..number].iter().rev().find(|l| !l.starts_with("//@"));
            if !above.is_some_and(|l| l.starts_with("//") || l.ends_with("*/")) {
                let name = line.trim_start_matches(".decl ").split('(').next().unwrap_or_default();
                problems.push(format!(
                    "{file}:{}: {name} has no comment above it: say what a tuple means, as a sentence over its columns",
                    number + 1
                ));
            }
        }
    }
    assert_none("A relation is declared without a word of explanation.", problems);
}

/// Words that Souffle's scanner takes for itself, so that no relation, column or variable can have them for a name.
const TAKEN_BY_SOUFFLE: &[&str] = &[
    "as",
    "autoinc",
    "brie",
    "btree",
    "btree_delete",
    "cat",
    "contains",
    "count",
    "debug_delta",
    "eqrel",
    "false",
    "inline",
    "input",
    "magic",
    "match",
    "max",
    "mean",
    "min",
    "nil",
    "no_inline",
    "no_magic",
    "ord",
    "output",
    "overridable",
    "printsize",
    "range",
    "stateful",
    "strlen",
    "substr",
    "sum",
    "true",
];

#[test]
fn souffle_can_read_every_name_in_rules() {
    let mut problems = Vec::new();
    for file in tree::files_with("facts", "dl").into_iter().chain(tree::files_with("rules", "dl")) {
        let text = tree::text(&file).expect("a rule file is text");
        for (number, line) in text.lines().enumerate() {
            let code: String = line.split("//").next().unwrap_or_default().split('"').step_by(2).collect();
            for name in TAKEN_BY_SOUFFLE.iter().filter(|name| is_named_in(&code, name)) {
                problems.push(format!("{file}:{}: `{name}` is a word of Souffle's: choose another name", number + 1));
            }
        }
    }
    assert_none("A name in the rules is no name for Souffle.", problems);
}

/// Whether `code` has `word` as a name of its own: not called as a functor, and no aggregate of what stands in braces.
fn is_named_in(code: &str, word: &str) -> bool {
    let part_of_name = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    code.match_indices(word).any(|(at, _)| {
        let after = &code[at + word.len()..];
        let whole = !code[..at].ends_with(part_of_name) && !after.starts_with(part_of_name);
        let next = after.trim_start();
        whole
            && !next.starts_with('(')
            && !next.split('{').next().is_some_and(|s| next.contains('{') && s.contains(':'))
    })
}

#[test]
fn nothing_names_a_machine() {
    // In pieces, so that this file passes its own test.
    let forbidden = [
        concat!("/", "work/"),
        concat!("/", "root/"),
        concat!("/", "home/"),
        concat!("/", "Users/"),
        concat!("http:", "//127."),
        concat!("http:", "//localhost"),
        concat!("http:", "//10."),
        concat!("http:", "//192.168."),
    ];
    let mut problems = Vec::new();
    for file in tree::files_under("") {
        let Some(text) = tree::text(&file) else { continue };
        for (number, line) in text.lines().enumerate() {
            for word in forbidden.iter().filter(|word| line.contains(*word)) {
                problems.push(format!(
                    "{file}:{}: has {word}; use a path relative to the repository or an environment variable",
                    number + 1
                ));
            }
        }
    }
    assert_none("A file speaks of one machine.", problems);
}
