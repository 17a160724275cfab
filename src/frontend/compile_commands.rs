//! Reads a compilation database, `compile_commands.json`.
//!
//! See: Clang documentation, JSON Compilation Database Format Specification.

mod targets;

use super::preprocess::UnitSource;
use rustc_hash::FxHashSet;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use targets::{Link, links, object, objects, plain};

/// The file beside a database that says how programs and libraries are linked; `cellog record` writes it.
pub const LINKS: &str = "link_commands.json";

/// Why a folder has no usable compilation database.
#[derive(Debug, thiserror::Error)]
pub enum CompileCommandsError {
    #[error("{path}: cannot be read: {cause}")]
    Unreadable { path: String, cause: std::io::Error },
    #[error("{path}: no compilation database: {cause}")]
    Malformed { path: String, cause: serde_json::Error },
    #[error("{path}: the entry of {file} has neither `arguments` nor a `command` with matching quotes")]
    NoCommand { path: String, file: String },
    #[error("{path}: no entry names a C file")]
    NoUnits { path: String },
    #[error("{path}: no entry is linked into `{target}`; {known}")]
    NoTarget { path: String, target: String, known: String },
    #[error("{path}: the units make several programs; choose one with --target: {programs}")]
    Several { path: String, programs: String },
}

#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: String,
    arguments: Option<Vec<String>>,
    command: Option<String>,
    /// What is made.
    output: Option<PathBuf>,
}

/// The C units of `dir/compile_commands.json` in order; of several entries of one file the first. `dir` may name the file itself.
/// `target`: only those that are linked into it; needed where link commands tell of several programs.
pub fn compile_commands(dir: &Path, target: Option<&str>) -> Result<Vec<UnitSource>, CompileCommandsError> {
    read(dir, target, false)
}

/// The same, of all programs that the build makes where none is chosen.
pub fn all_compile_commands(dir: &Path, target: Option<&str>) -> Result<Vec<UnitSource>, CompileCommandsError> {
    read(dir, target, true)
}

/// The programs that the build of `dir` links, by name, as far as link commands tell; more than one means that one is to be chosen.
pub fn linked_programs(dir: &Path) -> Result<Vec<String>, CompileCommandsError> {
    let file = if dir.is_file() { dir.to_owned() } else { dir.join("compile_commands.json") };
    if let Err(cause) = std::fs::metadata(&file) {
        return Err(CompileCommandsError::Unreadable { path: file.display().to_string(), cause });
    }
    let links = links(&real(file.parent().unwrap_or(Path::new("."))));
    Ok(links.iter().filter(|link| link.is_program()).map(Link::name).collect())
}

fn read(dir: &Path, target: Option<&str>, any: bool) -> Result<Vec<UnitSource>, CompileCommandsError> {
    let file = if dir.is_file() { dir.to_owned() } else { dir.join("compile_commands.json") };
    let path = file.display().to_string();
    let text = std::fs::read(&file).map_err(|cause| CompileCommandsError::Unreadable { path: path.clone(), cause })?;
    let entries: Vec<Entry> =
        serde_json::from_slice(&text).map_err(|cause| CompileCommandsError::Malformed { path: path.clone(), cause })?;
    let here = file.parent().unwrap_or(Path::new("."));
    let objects = if any && target.is_none() { None } else { linked(here, &path, target)? };
    let (mut units, mut seen) = (Vec::new(), FxHashSet::default());
    for entry in entries {
        if !is_c_file(&entry.file) {
            continue;
        }
        let words = match (entry.arguments, entry.command) {
            (Some(words), _) => Some(words),
            (None, Some(command)) => shlex::split(&command),
            (None, None) => None,
        };
        let Some(words) = words else {
            return Err(CompileCommandsError::NoCommand { path, file: entry.file });
        };
        // Of folders that are relative the specification says nothing; they are taken from the database's.
        let directory = here.join(&entry.directory);
        if let Some(objects) = &objects {
            let at = real(&directory);
            let output = entry.output.map(|name| plain(&at.join(name))).or_else(|| object(&at, &words));
            // What is linked in the call that compiles it has no object.
            let itself = || objects.contains(&plain(&at.join(&entry.file)));
            if !output.is_some_and(|object| objects.contains(&object)) && !itself() {
                continue;
            }
        }
        if !seen.insert(real(&directory.join(&entry.file))) {
            continue;
        }
        let flags = words.into_iter().skip(1).filter(|w| *w != entry.file).collect();
        units.push(UnitSource { file: entry.file, directory: Some(directory), flags });
    }
    if units.is_empty() { Err(CompileCommandsError::NoUnits { path }) } else { Ok(units) }
}

/// A path's one name; its own, tidied, when nothing is there.
fn real(path: &Path) -> PathBuf {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    path.canonicalize().unwrap_or_else(|_| plain(path))
}

/// The objects of the target; None where all units are of one program, as far as link commands tell.
fn linked(folder: &Path, path: &str, target: Option<&str>) -> Result<Option<FxHashSet<PathBuf>>, CompileCommandsError> {
    let links = links(&real(folder));
    let programs: Vec<String> = links.iter().filter(|link| link.is_program()).map(Link::name).collect();
    let path = || path.to_owned();
    match target {
        Some(target) => match objects(&links, target) {
            Some(objects) => Ok(Some(objects)),
            None => {
                let names: Vec<String> = links.iter().map(Link::name).collect();
                let known = match names.is_empty() {
                    true => "no link commands are found".to_owned(),
                    false => format!("there are {}", names.join(", ")),
                };
                Err(CompileCommandsError::NoTarget { path: path(), target: target.to_owned(), known })
            }
        },
        None if programs.len() > 1 => {
            Err(CompileCommandsError::Several { path: path(), programs: programs.join(", ") })
        }
        None => Ok(None),
    }
}

fn is_c_file(file: &str) -> bool {
    file.ends_with(".c") || file.ends_with(".i")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(text: &str) -> Result<Vec<UnitSource>, CompileCommandsError> {
        let dir = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(dir.path().join("compile_commands.json"), text).expect("the folder is writable");
        compile_commands(dir.path(), None)
    }

    #[test]
    fn commands_and_arguments_are_read() {
        let text = r#"[
            {"directory": "/src", "file": "a.c", "command": "cc -DS=\"a b\" -c a.c"},
            {"directory": "/src", "file": "b.c", "arguments": ["cc", "-I", "inc", "b.c"], "output": "b.o"},
            {"directory": "/src", "file": "b.c", "arguments": ["cc", "-DTWICE", "b.c"]},
            {"directory": "/src", "file": "c.cpp", "arguments": ["c++", "c.cpp"]}]"#;
        let got = units(text).expect("the database is fine");
        let show: Vec<_> = got.iter().map(|u| format!("{} {}", u.file, u.flags.join(" "))).collect();
        assert_eq!(show, ["a.c -DS=a b -c", "b.c -I inc"]);
        assert_eq!(got[0].directory.as_deref(), Some(Path::new("/src")));
    }

    #[test]
    fn a_file_that_is_compiled_twice_is_one_unit_however_it_is_named() {
        // As libtool does it: once for the shared library, once for the archive.
        let text = r#"[
            {"directory": "/src", "file": "a.c", "arguments": ["cc", "-c", "a.c", "-fPIC", "-DPIC", "-o", ".libs/a.o"]},
            {"directory": "/src", "file": "a.c", "arguments": ["cc", "-c", "a.c", "-o", "a.o"]},
            {"directory": "/src/lib", "file": "../a.c", "arguments": ["cc", "-c", "../a.c", "-o", "a.o"]},
            {"directory": "/src", "file": "./a.c", "arguments": ["cc", "-c", "./a.c", "-o", "a.o"]}]"#;
        assert_eq!(units(text).expect("the database is fine").len(), 1);
    }

    #[test]
    fn what_is_no_database_is_refused() {
        assert!(matches!(units("{"), Err(CompileCommandsError::Malformed { .. })));
        assert!(matches!(units("[]"), Err(CompileCommandsError::NoUnits { .. })));
        let bare = r#"[{"directory": "/", "file": "a.c"}]"#;
        assert!(matches!(units(bare), Err(CompileCommandsError::NoCommand { .. })));
        let dir = tempfile::tempdir().expect("a temporary folder");
        assert!(matches!(compile_commands(dir.path(), None), Err(CompileCommandsError::Unreadable { .. })));
    }
}
