//! Builds a program for [`process`](super::process).

use crate::verdict::replay::process::run;
use crate::verdict::replay::{Unit, machine_of};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What its runs are made by.
const RUNTIME: &str = include_str!("runtime.c");
/// What the program's `main` is called.
const PROGRAM_MAIN: &str = "cellog_program_main";
/// How units are compiled, behind their own flags: quickly, with edges, comparisons and what C leaves undefined told, and as machines have it.
const FLAGS: &[&str] = &[
    "-O1",
    "-g0",
    "-w",
    "-fno-strict-aliasing",
    "-fno-delete-null-pointer-checks",
    "-U_FORTIFY_SOURCE",
    "-fstack-protector-strong",
    "-fsanitize-coverage=trace-pc,trace-cmp",
    "-fsanitize=undefined,float-cast-overflow,float-divide-by-zero",
    "-fno-sanitize=alignment,vptr",
    "-fsanitize-recover=all",
];
/// What not every compiler knows: indices of arrays at the end of records are looked at, too.
const STRICT: &str = "-fsanitize=bounds-strict";
/// Each access is watched.
const WATCHING: &str = "-fsanitize=address";
/// Functions that get their files from the runtime.
const WRAPPED: &[&str] = &[
    "open",
    "open64",
    "openat",
    "creat",
    "fopen",
    "fopen64",
    "tmpfile",
    "stat",
    "lstat",
    "stat64",
    "lstat64",
    "fstat",
    "fstat64",
    "access",
    "lseek",
    "lseek64",
    "fseek",
    "read",
    "fread",
    "fgets",
    "fgetc",
    "getc",
    "_IO_getc",
    "getchar",
    "getline",
    "scanf",
    "__isoc99_scanf",
    "fscanf",
    "__isoc99_fscanf",
];

/// Builds the units in `folder`, each within the limit; the program, or why there is none.
pub fn build(units: &[Unit], compiler: &[String], folder: &Path, limit: Duration) -> Result<PathBuf, String> {
    let machine: Vec<String> = units.first().map(|unit| machine_of(&unit.flags)).unwrap_or_default();
    let runtime = folder.join("runtime.c");
    std::fs::write(&runtime, RUNTIME).map_err(|e| e.to_string())?;
    let words = |list: &[&str]| list.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let mut objects: Vec<String> = Vec::new();
    let mut compile = |own: &[String], flags: &[&str], file: &str, directory: Option<&Path>| {
        let object = folder.join(format!("{}.o", objects.len())).display().to_string();
        let command = [compiler, own, &words(flags), &words(&["-c", file, "-o", &object])].concat();
        objects.push(object);
        done(&command, directory, limit)
    };
    compile(&machine, &["-O2", "-w", WATCHING], &runtime.display().to_string(), None)?;
    let renamed = format!("-Dmain={PROGRAM_MAIN}");
    let knows = |flag: &str| {
        let words = words(&[flag, "-fsyntax-only", &runtime.display().to_string()]);
        done(&[compiler, &machine, &words].concat(), None, limit).is_ok()
    };
    let strict: &[&str] = if knows(STRICT) { &[STRICT] } else { &[] };
    let flags = [FLAGS, strict, &[WATCHING, &renamed]].concat();
    for unit in units {
        compile(&unit.flags, &flags, &unit.file, unit.directory.as_deref())?;
    }
    let program = folder.join("program");
    let wrapped = WRAPPED.iter().map(|name| format!("-Wl,--wrap={name}"));
    let mut link = [compiler, &machine, &objects, &words(&[WATCHING])].concat();
    link.extend(wrapped);
    // What no file defines ends the runs that call it.
    link.extend(words(&["-Wl,--unresolved-symbols=ignore-all", "-Wl,--allow-multiple-definition", "-Wl,-z,now"]));
    link.extend(words(&["-o", &program.display().to_string(), "-lm", "-lpthread"]));
    done(&link, None, limit)?;
    Ok(program)
}

/// Runs a command; what it says where it fails.
fn done(command: &[String], directory: Option<&Path>, limit: Duration) -> Result<(), String> {
    let ended = run(command, directory, &[], limit, false).map_err(|e| format!("{}: {e}", command[0]))?;
    match ended.status {
        Some(status) if status.success() => Ok(()),
        Some(_) => {
            Err(ended.text.lines().find(|line| line.contains("error")).unwrap_or("no reason is given").to_owned())
        }
        None => Err(format!("the compiler is not done in {:.0} s", limit.as_secs_f64())),
    }
}
