//! Checks the invariants of ARCHITECTURE.md that reading the tree can check.
//!
//! * [`tree`]: the files of the repository, without build output.
//! * [`code`]: Rust source without comments, literals and test modules, and the paths that it names.
//! * [`cycles`]: no module of the edges and of the pipeline needs itself.
//! * [`rooms`]: the map's rooms exist, and use only the rooms that the map allows.
//! * [`fences`]: which room may name which library, and which may touch files and processes.
//! * [`texts`]: sizes, documentation of relations, nothing about one machine.
//! * [`version`]: files that repeat the version agree with `Cargo.toml`.
//!
//! Every failure says what to do about it.

mod code;
mod cycles;
mod fences;
mod rooms;
mod texts;
mod tree;
mod version;

/// Fails with all `problems`, one a line, under a heading that says which rule they break.
fn assert_none(rule: &str, problems: Vec<String>) {
    assert!(problems.is_empty(), "\n{rule}\n  {}\n", problems.join("\n  "));
}
