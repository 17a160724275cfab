//! The interpreter against the C compiler: each program of `tests/c/concrete` writes the same and ends alike under both, and no run is
//! marked, but for those of programs that say so (`flags: approximated`).

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

fn load(file: &Path, model: DataModel) -> Program {
    let units = [UnitSource::new(file.to_str().expect("paths are UTF-8"))];
    let texts: Vec<_> = preprocess_units(&units, &PreprocessOptions::new(model), 1)
        .into_iter()
        .map(|text| text.expect("the program can be preprocessed"))
        .collect();
    let mut sources = SourceMap::default();
    let parsed = parse_units(&texts, 1, &mut sources);
    lower(&parsed, model, sources, LowerOptions::default())
}

/// Output and exit status under the compiler, without optimization; None for programs that it refuses in this data model.
fn compiled(file: &Path, folder: &Path, flags: &[&str]) -> Option<(Vec<u8>, i32)> {
    let program = folder.join(file.file_stem().expect("a C file has a name"));
    let built =
        Command::new("cc").args(["-w", "-O0"]).args(flags).arg("-o").arg(&program).arg(file).arg("-lm").output();
    if !built.expect("cc can be run").status.success() {
        return None;
    }
    let output = Command::new(&program).output().expect("the program can be run");
    Some((output.stdout, output.status.code().expect("the program ends by itself")))
}

fn agree(model: DataModel, flags: &[&str]) {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let (mut problems, mut compared) = (Vec::new(), 0);
    for file in programs() {
        let Some((expected, expected_status)) = compiled(&file, folder.path(), flags) else {
            assert_eq!(model, DataModel::Ilp32, "{} does not compile", file.display());
            continue;
        };
        compared += 1;
        let program = load(&file, model);
        let main = program.function_named("main").expect("each program has a main");
        let limits = Limits { statements: 50_000_000, ..Limits::default() };
        let run = run(&program, main, &mut Defaults, &limits);
        let status = match &run.outcome {
            Outcome::Exit(status) => Some(status & 0xff),
            Outcome::Returned(Some(value)) => value.as_int().map(|v| (v & 0xff) as i32),
            _ => None,
        };
        let text = std::fs::read_to_string(&file).expect("the program can be read");
        let flags = Flags { approximated: text.contains("flags: approximated"), ..Flags::default() };
        if status != Some(expected_status) || run.output != expected || run.flags != flags {
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
    assert!(compared >= 20, "only {compared} programs were compared");
}

#[test]
fn programs_write_and_return_what_gcc_makes_of_them() {
    agree(DataModel::Lp64, &[]);
}

/// Of the 32-bit floating-point units the one without excess precision.
const MACHINE_32: [&str; 3] = ["-m32", "-msse2", "-mfpmath=sse"];

#[test]
fn the_same_holds_for_the_32_bit_model() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let (source, program) = (folder.path().join("a.c"), folder.path().join("a"));
    std::fs::write(&source, "#include <stdio.h>\nint main(void) { return puts(\"\") < 0; }\n").expect("it is written");
    let built = Command::new("cc").args(MACHINE_32).arg(&source).arg("-o").arg(&program).output();
    let runs = built.expect("cc can be run").status.success() && Command::new(&program).output().is_ok();
    if !runs {
        eprintln!("skipped: the compiler makes no 32-bit programs (gcc-multilib on Debian)");
        return;
    }
    agree(DataModel::Ilp32, &MACHINE_32);
}
