//! Tuples as formulas, and those that are none.

use super::*;
use crate::base::SourceMap;
use crate::frontend::lower::{LowerOptions, lower};
use crate::frontend::parse::parse_units;
use crate::frontend::preprocess::PreprocessedUnit;
use crate::ir::DataModel;

const TEXT: &str = "int n; static void other(void) { int far; far = 1; n = far; }
    int main(void) { int i = 0, taken = 0, *t = &taken; unsigned char c = 0; char s[8]; char *p = s; double d = 0;
    while (i < n) { i++; c++; p++; d++; *t = i; } other(); return s[0] + taken; }";

/// Reads a tuple: names are variables, numbers numbers, and what stands between quotes words.
fn read(tuple: &str) -> Result<String, String> {
    let unit = PreprocessedUnit { file: "a.c".into(), text: TEXT.into(), diagnostics: Vec::new() };
    let mut sources = SourceMap::default();
    let parsed = parse_units(&[unit], 1, &mut sources);
    let program = lower(&parsed, DataModel::Lp64, sources, LowerOptions::default());
    let main = program.function_named("main").expect("there is a main");
    let token = |text: &str| match (text.strip_prefix('"'), text.parse::<i128>()) {
        (Some(word), _) => Token::Word(word.trim_end_matches('"').to_owned()),
        (None, Ok(number)) => Token::Number(number),
        (None, Err(_)) => {
            let named = program.variables.iter_enumerated().find(|(_, v)| v.name == text);
            Token::Variable(named.unwrap_or_else(|| panic!("there is no {text}")).0)
        }
    };
    let tokens: Vec<Token> = tuple.split_whitespace().map(token).collect();
    let mut templates = Templates::default();
    let head = (main, BlockId(0));
    templates.add(&program, head, &tokens)?;
    assert_eq!(templates.len(), 1);
    Ok(templates.by_head[&head][0].in_c(&program))
}

#[test]
fn tuples_are_formulas() {
    let said = |tuple| read(tuple).expect("it is a formula");
    assert_eq!(said("i \"<=\" n"), "(long long)(i) <= (long long)(n)");
    assert_eq!(said("i \"<\" 10"), "(long long)(i) + 1 <= 10".replace(" + 1 <= 10", " <= 9"));
    assert_eq!(said("i \"<=\" n -1"), "(long long)(i) + 1 <= (long long)(n)");
    assert_eq!(said("2 \"*\" i \"+\" c \">=\" n \"-\" 3"), "(long long)(n) <= 2 * (long long)(i) + (long long)(c) + 3");
    assert_eq!(said("n \"=\" i"), said("i \"=\" n"));
    assert_eq!(said("p \"=\" 4 \"*\" i"), said("4 \"*\" i \"-\" p \"=\" 0"));
    assert!(said("p \"=\" 4 \"*\" i").contains("offset of p"));
    assert_eq!(said("c \"%\" 4 \"=\" 1"), "c % 4 == 1");
    assert_eq!(said("i \"=\" 0 \"or\" c \"<=\" 7"), "((long long)(i) == 0) || ((long long)(c) <= 7)");
    assert_eq!(said("i \"!=\" 3"), "((long long)(i) <= 2) || (4 <= (long long)(i))");
    assert_eq!(said("\"zero-follows\" s i"), "a zero follows s + i");
    assert_eq!(said("\"within\" p"), "p is within its object");
}

#[test]
fn what_means_nothing_is_refused_with_its_reason() {
    let why = |tuple| read(tuple).expect_err("it is no formula");
    assert_eq!(why("i"), "the tuple ends where a relation is needed");
    assert_eq!(why("i \"<=\""), "the tuple ends where a variable or a number is needed");
    assert_eq!(why("i \"<=\" n i"), "`i` stands where the formula has ended");
    assert_eq!(why("i \"above\" n"), "\"above\" stands where a relation is needed");
    assert_eq!(why("far \"<=\" 3"), "`far` is no variable of the loop's function");
    assert_eq!(why("taken \"<=\" 3"), "the address of `taken` is taken");
    assert_eq!(why("d \"<=\" 3"), "`d` is no number of at most 64 bits and no pointer");
    assert_eq!(why("1 \"<=\" 3"), "the formula has no variable");
    assert_eq!(why("i \"*\" n \"<=\" 3"), "products of variables can only be equal to something");
    assert_eq!(
        why("c \"%\" 4 \"=\" 4"),
        "only a variable has a remainder, which is below the number that it is divided by"
    );
    assert_eq!(why("c \"%\" 300 \"=\" 1"), "the variable has not as many values");
    assert_eq!(why("\"zero-follows\" i"), "`i` is no pointer and no array");
    assert_eq!(why("1000 \"*\" i \"<=\" n"), "its numbers are too large for its variables");
}
