//! The front end on broken C: mutated sources are parsed, lowered and validated without a panic.
//!
//! `CELLOG_FUZZ_MUTANTS=500000 cargo test --release --test fuzz_frontend` tries more of them; `CELLOG_FUZZ_SEED` starts elsewhere.

use cellog::base::SourceMap;
use cellog::frontend::lower::{ErrorLabel, LowerOptions, lower};
use cellog::frontend::parse::{parse_units, with_deep_stack};
use cellog::frontend::preprocess::PreprocessedUnit;
use cellog::ir::DataModel;
use cellog::ir::validate::validate;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::abort;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Pieces of syntax that the committed programs have little of.
const SEED: &str = include_str!("c/syntax.c");

/// Mutants that are tried unless told otherwise.
const MUTANTS: u64 = 6000;

/// After this time without an end the mutant at hand is kept and the test aborted. No verdict hangs on it: others take milliseconds.
const PATIENCE: Duration = Duration::from_secs(120);

/// xorshift64*, so that a seed gives the same mutants everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n.max(1)
    }
}

/// Words and single other characters, white space kept with the token before.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut start = 0;
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut previous = ' ';
    for (i, c) in text.char_indices() {
        if i > start && !c.is_whitespace() && !(is_word(c) && is_word(previous)) {
            tokens.push(&text[start..i]);
            start = i;
        }
        previous = c;
    }
    tokens.push(&text[start..]);
    tokens
}

fn mutate(seeds: &[String], random: &mut Random) -> String {
    let seed = &seeds[random.below(seeds.len())];
    let mut words = tokens(seed);
    for _ in 0..1 + random.below(8) {
        let at = random.below(words.len());
        let to = random.below(words.len());
        match random.below(8) {
            0 | 1 => {
                words.remove(at);
            }
            2 => words.swap(at, to),
            3 => words.insert(at, words[to]),
            4 => {
                let end = (at + 1 + random.below(20)).min(words.len());
                let copy: Vec<&str> = words[at..end].to_vec();
                words.splice(to..to, copy);
            }
            5 => {
                let other = tokens(&seeds[random.below(seeds.len())]);
                words[at] = other[random.below(other.len())];
            }
            6 => {
                const ODD: &[&str] = &[
                    "(",
                    ")",
                    "{",
                    "}",
                    "[",
                    "]",
                    ";",
                    ",",
                    "&&",
                    "*",
                    "0",
                    "-1 ",
                    "99999999999999999999 ",
                    "1.5 ",
                    "\"",
                    "'",
                    "\0",
                    "@",
                    "é",
                    "\\",
                    "#",
                    "\n# 7 \"x.h\"\n",
                    "int ",
                    "struct ",
                    "typedef ",
                    "void ",
                    "...",
                    "? :",
                    "=",
                    "sizeof ",
                    "__attribute__((packed, aligned(3))) ",
                    "0x7fffffff",
                    "<< 99 ",
                    "/ 0 ",
                    "[-1]",
                    "[1 << 40]",
                    "__int128 ",
                    "_Generic(",
                    "goto ",
                    "case 1: ",
                    "const ",
                    "static ",
                    "restrict ",
                    ":",
                    ".x",
                    "->x",
                ];
                words[at] = ODD[random.below(ODD.len())];
            }
            _ => words.truncate(at),
        }
        if words.is_empty() {
            words.push(" ");
        }
    }
    words.concat()
}

/// What is wrong with the front end's answer, if anything.
fn defect(text: &str, model: DataModel) -> Option<String> {
    let unit = PreprocessedUnit { file: "mutant.i".into(), text: text.as_bytes().to_vec(), diagnostics: Vec::new() };
    let options = LowerOptions {
        unsigned_overflow: true,
        conversion: true,
        index_bounds: true,
        error_label: ErrorLabel::InTasks,
        ..LowerOptions::default()
    };
    let run = || {
        with_deep_stack(|| {
            let mut sources = SourceMap::default();
            let units = parse_units(&[unit], 1, &mut sources);
            validate(&lower(&units, model, sources, options))
        })
    };
    match catch_unwind(AssertUnwindSafe(run)) {
        Err(_) => Some("a panic".into()),
        Ok(violations) if !violations.is_empty() => Some(violations[0].to_string()),
        Ok(_) => None,
    }
}

fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder is committed")
        .map(|e| e.expect("it is readable").path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|e| e == "c") {
            into.push(path);
        }
    }
}

/// The file in which this text is kept.
fn keep(text: &str) -> PathBuf {
    let kept = std::env::temp_dir().join("cellog-mutant.i");
    std::fs::write(&kept, text).expect("the temporary folder is writable");
    kept
}

fn setting(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn every_construct_of_the_seed_is_lowered() {
    let unit = PreprocessedUnit { file: "syntax.c".into(), text: SEED.into(), diagnostics: Vec::new() };
    let mut sources = SourceMap::default();
    let units = parse_units(&[unit], 1, &mut sources);
    let program = with_deep_stack(|| lower(&units, DataModel::Lp64, sources, LowerOptions::default()));
    let messages: Vec<&str> = program.diagnostics.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(messages, [] as [&str; 0]);
    let mut unsupported: Vec<&str> = program.unsupported.iter().map(|u| u.construct.as_str()).collect();
    unsupported.dedup();
    assert_eq!(unsupported, ["inline assembly"]);
}

/// Each of them was once read without an end, or not survived.
#[test]
fn what_mutants_have_shown_is_survived() {
    let found = [
        "struct e {}; struct e a[] = {[0 ... 99999999999] = {}};",
        "struct s { int x; }; struct s a[] = {[0 ... 99999999999] = {}};",
        "struct e {}; struct e a[1000000000][1000000000] = {[0 ... 999999999][0 ... 999999999] = {}};",
        "int main(void) { int a[][0] = {[0 ... 99999999999] = {}}; return sizeof a > 1; }",
        "char copy[sizeof __func__];",
        "int a[10] = {[4 ... 1] = 45};",
    ];
    for text in found {
        assert_eq!(defect(text, DataModel::Lp64), None, "{text}");
    }
}

#[test]
fn mutants_are_survived() {
    let mut paths = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c"), &mut paths);
    let mut seeds = vec![SEED.to_owned(); 4];
    // Preprocessing is not what is fuzzed: directives are left out.
    seeds.extend(paths.iter().map(|p| {
        let text = std::fs::read_to_string(p).expect("the sources are text");
        text.lines().filter(|l| !l.trim_start().starts_with('#')).collect::<Vec<_>>().join("\n")
    }));
    assert_eq!(defect(SEED, DataModel::Lp64), None);
    let (tell, told) = channel::<String>();
    // Stands beside the mutants: what does not end cannot be stopped from within.
    std::thread::spawn(move || {
        let mut last = String::new();
        loop {
            match told.recv_timeout(PATIENCE) {
                Ok(text) => last = text,
                Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => {
                    eprintln!("a mutant, kept in {}, is read without an end", keep(&last).display());
                    abort();
                }
            }
        }
    });
    let mut random = Random(setting("CELLOG_FUZZ_SEED", 1) | 1);
    for count in 0..setting("CELLOG_FUZZ_MUTANTS", MUTANTS) {
        let text = mutate(&seeds, &mut random);
        let model = if count.is_multiple_of(4) { DataModel::Ilp32 } else { DataModel::Lp64 };
        tell.send(text.clone()).expect("the watch goes on until the sender is gone");
        if let Some(defect) = defect(&text, model) {
            panic!("mutant {count}, kept in {}: {defect}", keep(&text).display());
        }
    }
}
