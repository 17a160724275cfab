//! Libraries that one room keeps to itself, and the rooms that may touch the world outside.

use crate::assert_none;
use crate::code::paths_in_src;

/// A crate's name in paths, and the folders of `src/` that may name it.
const FENCED: &[(&str, &[&str])] = &[
    ("lang_c", &["src/frontend/"]),
    ("cvc5", &["src/smt/"]),
    ("cvc5_sys", &["src/smt/"]),
    ("batsat", &["src/smt/"]),
    ("ascent", &["src/datalog/"]),
    ("rustc_apfloat", &["src/ir/float/"]),
];

/// Where files and processes may be touched: prefixes of paths.
const WORLDLY: &[&str] = &[
    "src/cli/",
    "src/lsp/",
    "src/mcp/",
    // Sources, rules, configuration and reports of users; earlier results; the memory that the process has; the compiled program.
    "src/pipeline/sources/",
    "src/pipeline/compiled/",
    "src/pipeline/rules/source",
    "src/pipeline/standing/",
    "src/pipeline/fact_base",
    "src/pipeline/fix/recheck",
    "src/pipeline/cache/",
    "src/pipeline/write",
    "src/pipeline/clock",
    "src/frontend/preprocess",
    "src/frontend/compile_commands",
    "src/facts/csv",
    "src/facts/souffle",
    "src/facts/sqlite",
    "src/report/",
    "src/verdict/replay",
];

#[test]
fn libraries_stay_in_their_rooms() {
    let mut problems = Vec::new();
    for (file, paths) in paths_in_src() {
        for path in paths {
            // A crate is the head of a longer path; a lone word of that name is somebody's own variable.
            let head = &path.segments[0];
            let Some((name, rooms)) = FENCED.iter().find(|(name, _)| name == head) else { continue };
            if path.segments.len() > 1 && !rooms.iter().any(|room| file.starts_with(room)) {
                problems.push(format!(
                    "{file}:{}: names {name}, which only {} may; go through that room's own types",
                    path.line,
                    rooms.join(", ")
                ));
            }
        }
    }
    assert_none("A library is named outside its room.", problems);
}

#[test]
fn only_some_rooms_touch_files_and_processes() {
    let mut problems = Vec::new();
    for (file, paths) in paths_in_src() {
        if WORLDLY.iter().any(|prefix| file.starts_with(prefix)) {
            continue;
        }
        for path in paths.iter().filter(|p| reaches_outside(&p.segments)) {
            problems.push(format!(
                "{file}:{}: names {}; take text or bytes as an argument and let one of {} do the reading",
                path.line,
                path.segments.join("::"),
                WORLDLY.join(", ")
            ));
        }
    }
    assert_none("Files or processes are touched outside the rooms that may.", problems);
}

/// Whether a path of the standard library leads to files, processes or the network. Ending the process is `main`'s business
/// and an exit code is only a value.
fn reaches_outside(path: &[String]) -> bool {
    let segment = |n: usize| path.get(n).map(String::as_str);
    match (segment(0), segment(1), segment(2)) {
        (Some("std"), Some("fs" | "net"), _) => true,
        (Some("std"), Some("process"), Some(item)) => item != "ExitCode",
        (Some("std"), Some("process"), None) => true,
        _ => false,
    }
}
