//! What is known of variables where not all calls could be followed.

use crate::program::load;
use cellog::engines::forward::{Options, analyze};
use cellog::memory::Memory;
use std::collections::BTreeSet;

/// A program that calls `early` before so many statements, and `late` after them.
fn source(statements: usize) -> String {
    let halve = |name: &str| format!("static int {name}(int d) {{ if (d > 3) return d / 2; return d; }}\n");
    let body = "    x = (x + 1) & 7;\n".repeat(statements);
    let main = format!("int main(void) {{\n    int x = early(10);\n{body}    return x + late(10);\n}}\n");
    [halve("early"), halve("late"), main].concat()
}

#[test]
fn functions_that_were_analysed_whole_keep_their_values() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("a.c");
    let analysed = |statements| {
        std::fs::write(&file, source(statements)).expect("a file");
        let program = load(std::slice::from_ref(&file), &[]);
        let main = program.function_named("main").expect("there is a main");
        let options = Options { steps: 300, keep_invariants: true, ..Options::default() };
        let result = analyze(&program, &Memory::of(&program), main, &options);
        let values = result.values_where_decided(&program);
        let names: BTreeSet<String> = values.iter().map(|v| program.functions[v.function].name.clone()).collect();
        (result.incomplete.is_some(), result.value_at(&program).is_empty(), names)
    };
    let (incomplete, none, names) = analysed(1);
    assert!(!incomplete && !none && names.contains("early") && names.contains("late"), "{names:?}");
    let cut = (1..40).map(|n| analysed(20 * n)).find(|(incomplete, ..)| *incomplete);
    let (_, none, names) = cut.expect("some program is too long");
    assert!(none && names.contains("early") && !names.contains("late"), "{names:?}");
}
