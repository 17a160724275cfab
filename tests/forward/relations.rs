//! What runs of the interpreter do lies inside of the memory relations that engines ask.
//!
//! `CELLOG_RELATION_RUNS` may name other programs, the C files of one per line of a file, with `CELLOG_FORWARD_FLAGS` for the preprocessor.

use crate::program::{files, load};
use cellog::concrete::Limits;
use cellog::engines::inside::hold_relations;
use cellog::memory::Memory;
use std::collections::BTreeMap;
use std::path::PathBuf;

const FOLDERS: [&str; 5] = ["concrete", "forward", "points_to", "points_to_at", "checks"];
/// On plain inputs, and on random ones.
const RUNS: u64 = 6;

#[test]
fn runs_stay_inside_the_relations() {
    let mut all: Vec<Vec<PathBuf>> = FOLDERS.iter().flat_map(|folder| files(folder)).map(|file| vec![file]).collect();
    if let Ok(list) = std::env::var("CELLOG_RELATION_RUNS") {
        let list = std::fs::read_to_string(list).unwrap();
        all = list.lines().map(|line| line.split_whitespace().map(PathBuf::from).collect()).collect();
    }
    let flags: Vec<String> =
        std::env::var("CELLOG_FORWARD_FLAGS").unwrap_or_default().split_whitespace().map(str::to_owned).collect();
    let limits = Limits { statements: 100_000, trace: 0, ..Limits::default() };
    let (mut held, mut problems) = (BTreeMap::new(), Vec::new());
    for files in all {
        let program = load(&files, &flags);
        let Some(entry) = program.function_named("main") else { continue };
        let found = hold_relations(&program, &Memory::of(&program), entry, RUNS, &limits);
        found.held.into_iter().for_each(|(question, n)| *held.entry(question).or_insert(0) += n);
        problems.extend(found.outside.into_iter().map(|what| format!("{}: {what}", files[0].display())));
    }
    println!("{held:?}");
    for question in ["callees", "comes to", "enters", "frees", "points-to", "writes"] {
        assert!(held.get(question).is_some_and(|n| *n >= 10), "{question} was hardly asked: {held:?}");
    }
    assert!(problems.is_empty(), "{} problems\n{}", problems.len(), problems.join("\n"));
}
