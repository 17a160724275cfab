//! The interpreter against the C compiler: each program of `tests/c/concrete` writes the same and ends alike under both.

use cellog::base::SourceMap;
use cellog::concrete::{Defaults, Flags, Limits, Outcome, run};
use cellog::frontend::lower::{LowerOptions, lower};
use cellog::frontend::parse::parse_units;
use cellog::frontend::preprocess::{PreprocessOptions, UnitSource, preprocess_units};
use cellog::ir::{DataModel, Program};
use std::path::{Path, PathBuf};
use std::process::Command;

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/concrete");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder of programs can be read")
        .map(|entry| entry.expect("an entry can be read").path())
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .collect();
    files.sort();
    files
}

fn load(file: &Path) -> Program {
    let units = [UnitSource::new(file.to_str().expect("paths are UTF-8"))];
    let texts: Vec<_> = preprocess_units(&units, &PreprocessOptions::new(DataModel::Lp64), 1)
        .into_iter()
        .map(|text| text.expect("the program can be preprocessed"))
        .collect();
    let mut sources = SourceMap::default();
    let parsed = parse_units(&texts, 1, &mut sources);
    lower(&parsed, DataModel::Lp64, sources, LowerOptions::default())
}

/// Output and exit status under the compiler, without optimization.
fn compiled(file: &Path, folder: &Path) -> (Vec<u8>, i32) {
    let program = folder.join(file.file_stem().expect("a C file has a name"));
    let status = Command::new("cc").args(["-w", "-O0", "-o"]).arg(&program).arg(file).arg("-lm").status();
    assert!(status.expect("cc can be run").success(), "{} does not compile", file.display());
    let output = Command::new(&program).output().expect("the program can be run");
    (output.stdout, output.status.code().expect("the program ends by itself"))
}

#[test]
fn programs_write_and_return_what_gcc_makes_of_them() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let files = programs();
    assert!(files.len() >= 20, "only {} programs were found", files.len());
    let mut problems = Vec::new();
    for file in files {
        let (expected, expected_status) = compiled(&file, folder.path());
        let program = load(&file);
        let main = program.function_named("main").expect("each program has a main");
        let limits = Limits { statements: 50_000_000, ..Limits::default() };
        let run = run(&program, main, &mut Defaults, &limits);
        let status = match &run.outcome {
            Outcome::Exit(status) => Some(status & 0xff),
            Outcome::Returned(Some(value)) => value.as_int().map(|v| (v & 0xff) as i32),
            _ => None,
        };
        if status != Some(expected_status) || run.output != expected || run.flags != Flags::default() {
            let written = String::from_utf8_lossy(&run.output).into_owned();
            let wanted = String::from_utf8_lossy(&expected).into_owned();
            let line = written.lines().zip(wanted.lines()).position(|(a, b)| a != b);
            problems.push(format!(
                "{}: {:?} {:?}, wanted status {expected_status}; first line that differs: {line:?}",
                file.display(),
                run.outcome,
                run.flags
            ));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
