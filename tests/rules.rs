//! Broken rules and what is said of them; and that nothing whatever makes the checks panic.
//!
//! `BLESS=1 cargo test --test rules` rewrites the expectations.
use cellog::cli::mistakes::mistake;
use cellog::datalog::value::{Facts, ValueInput};
use cellog::datalog::{Limits, check_source, compile, evaluate};
use proptest::prelude::*;
use std::path::Path;

const FOLDER: &str = "tests/rules/broken";

fn read(path: &str) -> Result<String, String> {
    // No operating system's wording in expectations.
    std::fs::read_to_string(Path::new(FOLDER).join(path)).map_err(|_| "no such file".to_owned())
}

/// What is said of a text; if nothing is wrong with it, it is run a little too.
fn rendered(name: &str, text: &str) -> String {
    if let Ok(program) = compile(name, text, &mut read) {
        let limits = Limits { derivations: Some(20), ..Limits::default() };
        let _ = evaluate(&program, &ValueInput::new(&program, &Facts::new()), &limits);
    }
    let (program, diagnostics) = check_source(name, text, &mut read);
    diagnostics.iter().map(|diagnostic| mistake(&program.texts, diagnostic, false) + "\n").collect()
}

/// The broken files with their texts, sorted by name.
fn broken() -> Vec<(String, String)> {
    let mut files: Vec<(String, String)> = std::fs::read_dir(FOLDER)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".dl"))
        .map(|name| (name.clone(), read(&name).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn broken_rules_get_the_expected_diagnostics() {
    let files = broken();
    assert!(files.len() >= 30);
    let mut wrong = Vec::new();
    for (name, text) in files {
        let found = rendered(&name, &text);
        assert!(found.contains("error") || found.contains("warning"), "{name} is not reported");
        let expectation = Path::new(FOLDER).join(name.replace(".dl", ".expect"));
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&expectation, &found).unwrap();
        } else if std::fs::read_to_string(&expectation).unwrap_or_default() != found {
            wrong.push(format!("{name}: found\n{found}"));
        }
    }
    assert!(wrong.is_empty(), "BLESS=1 accepts these:\n{}", wrong.join("\n"));
}

#[test]
fn hostile_nesting_is_refused_without_exhausting_the_stack() {
    for text in [
        format!(".decl a(x: number)\na({}1{}).", "(".repeat(100_000), ")".repeat(100_000)),
        format!(".decl a(x: number)\na({}1).", "-".repeat(100_000)),
        format!(".decl a(x: number)\na({}1).", "bnot ".repeat(100_000)),
        format!(".decl a(x: number)\na(1{}).", " + 1".repeat(100_000)),
        format!(".decl a(x: number)\na({}1", "[".repeat(100_000)),
        format!(".decl a(x: number)\na(x) :- {}a(x)", "x = count : { ".repeat(100_000)),
        format!(".decl a(x: number)\na({}1", "max(1, ".repeat(100_000)),
        format!(".decl a(x: number)\na({}", "as(".repeat(100_000)),
    ] {
        let (_, diagnostics) = check_source("deep.dl", &text, &mut read);
        assert!(diagnostics.iter().any(|diagnostic| diagnostic.to_string().contains("nested more than")));
    }
}

#[test]
fn includes_nest_to_a_limit() {
    let mut endless = |path: &str| {
        let at: usize = path.trim_end_matches(".dl").parse().unwrap();
        Ok(format!(".include \"{}.dl\"\n", at + 1))
    };
    let (_, diagnostics) = check_source("0.dl", ".include \"1.dl\"", &mut endless);
    assert_eq!(diagnostics.len(), 1);
    assert!(diagnostics[0].to_string().contains("includes are nested more than 32 deep"));
}

/// Pieces of rules, to be put together at random.
const PIECES: [&str; 56] = [
    ".decl ",
    ".type ",
    ".input ",
    ".output ",
    ".include ",
    "a",
    "b",
    "c",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    ".",
    "\n",
    ":-",
    "<:",
    "=",
    "!=",
    "<",
    "!",
    "+",
    "-",
    "*",
    "/",
    "%",
    "_",
    "x",
    "y",
    "1",
    "0x",
    "\"s\"",
    "\"",
    "number",
    "symbol",
    "unsigned",
    "count : {",
    "sum x : {",
    "max",
    "min",
    "cat(",
    "as(",
    "band",
    "bnot",
    "//@ store: set\n",
    "// doc\n",
    "/*",
    "*/",
    "\\",
    "é",
    "match(",
    "contains(",
    "T",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        rendered("random.dl", &String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn random_tokens_never_panic(pieces in proptest::collection::vec(proptest::sample::select(&PIECES[..]), 0..80)) {
        rendered("random.dl", &pieces.concat());
    }

    #[test]
    fn mutated_rules_never_panic(
        pick in any::<prop::sample::Index>(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), 0..4usize, proptest::sample::select(&PIECES[..])), 1..6),
    ) {
        let files = broken();
        let mut text: Vec<char> = files[pick.index(files.len())].1.chars().collect();
        for (place, length, piece) in changes {
            let at = place.index(text.len() + 1);
            let end = (at + length).min(text.len());
            text.splice(at..end, piece.chars());
        }
        rendered("mutated.dl", &text.into_iter().collect::<String>());
    }
}
