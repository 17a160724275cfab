//! Small programs that stand before the compilers on the path: scripts for `sh` that note their folder and arguments in a file of
//! their own, take themselves off the path, and become the compiler.

use crate::pipeline::error::Error;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use tempfile::TempDir;

/// What the last part of a compiler's or archiver's name is, without what stands before a `-` and without its version.
const TOOLS: [&str; 11] = ["cc", "gcc", "clang", "c89", "c99", "c11", "tcc", "icc", "icx", "ar", "llvm-ar"];

/// A call of a tool.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Call {
    pub directory: PathBuf,
    /// The tool's path, and its arguments.
    pub words: Vec<String>,
}

/// The wrappers, while they are there.
#[derive(Debug)]
pub struct Wrappers {
    tools: TempDir,
    notes: TempDir,
    /// What `CC` is set to, where it names a compiler by its path.
    compiler: Option<OsString>,
}

impl Wrappers {
    /// Wrappers of all tools on `path`, and of `compiler` (the value of `CC`).
    pub fn new(path: &OsStr, compiler: Option<&str>) -> Result<Wrappers, Error> {
        let folder = || tempfile::tempdir().map_err(|error| failed(&std::env::temp_dir(), error));
        let mut wrappers = Wrappers { tools: folder()?, notes: folder()?, compiler: None };
        let mut seen = BTreeSet::new();
        for tool in std::env::split_paths(path).flat_map(|folder| tools_in(&folder)) {
            if let Some(name) = tool.file_name().filter(|name| seen.insert((*name).to_owned())) {
                wrappers.wrap(name, &tool)?;
            }
        }
        if let Some(words) = compiler.and_then(shlex::split)
            && let Some((first, rest)) = words.split_first()
            && let (tool, true) = (Path::new(first), first.contains('/'))
            && let Some(name) = tool.file_name()
        {
            wrappers.wrap(name, tool)?;
            let quoted = rest.iter().map(|word| format!(" {}", quoted(word))).collect::<String>();
            let mut value = wrappers.tools.path().join(name).into_os_string();
            value.push(quoted);
            wrappers.compiler = Some(value);
        }
        Ok(wrappers)
    }

    /// Writes the wrapper of `tool`.
    fn wrap(&self, name: &OsStr, tool: &Path) -> Result<(), Error> {
        let (own, notes) = (self.tools.path().to_string_lossy(), self.notes.path().to_string_lossy());
        let (own, notes, tool) = (quoted(&own), quoted(&notes), quoted(&tool.to_string_lossy()));
        let text = format!(
            "#!/bin/sh\n\
             own={own} notes={notes} tool={tool} number=0\n\
             set -C\n\
             until {{ : >\"$notes/$$.$number\"; }} 2>/dev/null; do\n\
             \x20   number=$((number + 1))\n\
             \x20   [ $number -lt 10000 ] || break\n\
             done\n\
             set +C\n\
             printf '%s\\000' \"$PWD\" \"$tool\" \"$@\" >\"$notes/$$.$number\"\n\
             path=:$PATH:\n\
             case $path in *:\"$own\":*) path=${{path%%:\"$own\":*}}:${{path#*:\"$own\":}} ;; esac\n\
             path=${{path#:}}\n\
             PATH=${{path%:}}\n\
             export PATH\n\
             exec \"$tool\" \"$@\"\n"
        );
        let file = self.tools.path().join(name);
        std::fs::write(&file, text).and_then(|()| executable(&file)).map_err(|error| failed(&file, error))
    }

    /// Runs `words` with the wrappers before all that is on its path.
    pub fn run(&self, words: &[String], path: &OsStr) -> Result<ExitStatus, Error> {
        let folders = std::iter::once(self.tools.path().to_owned()).chain(std::env::split_paths(path));
        let path = std::env::join_paths(folders).map_err(|error| Error::Usage(format!("PATH: {error}")))?;
        let (program, arguments) =
            words.split_first().ok_or_else(|| Error::Usage("no command to record".to_owned()))?;
        let mut command = Command::new(program);
        command.args(arguments).env("PATH", path);
        // What ccache has kept is not compiled.
        command.env("CCACHE_DISABLE", "1");
        if let Some(compiler) = &self.compiler {
            command.env("CC", compiler);
        }
        command.status().map_err(|error| Error::Usage(format!("cannot run {program}: {error}")))
    }

    /// What was called, sorted.
    pub fn calls(&self) -> Vec<Call> {
        let notes = std::fs::read_dir(self.notes.path()).into_iter().flatten().flatten();
        let texts = notes.filter_map(|note| std::fs::read(note.path()).ok());
        let mut calls: Vec<Call> = texts.filter_map(|text| call(&text)).collect();
        calls.sort();
        calls.dedup();
        calls
    }
}

/// The call in a note: words that end in zeros.
fn call(text: &[u8]) -> Option<Call> {
    let text = text.strip_suffix(&[0])?;
    let mut words = text.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned());
    Some(Call { directory: PathBuf::from(words.next()?), words: words.collect() })
}

/// The tools in a folder, sorted.
fn tools_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut tools: Vec<PathBuf> =
        entries.filter(|entry| entry.file_name().to_str().is_some_and(is_tool)).map(|entry| entry.path()).collect();
    tools.retain(|tool| tool.is_file());
    tools.sort();
    tools
}

/// Whether a program is a compiler of C or an archiver by its name: `gcc`, `clang-17`, `aarch64-linux-gnu-gcc-12`, `ar`.
fn is_tool(name: &str) -> bool {
    let is_version = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit() || c == '.');
    let plain = name.rsplit_once('-').filter(|(_, last)| is_version(last)).map_or(name, |(first, _)| first);
    TOOLS.contains(&plain.rsplit('-').next().unwrap_or(plain))
}

/// `text` as one word of `sh`.
fn quoted(text: &str) -> String {
    shlex::try_quote(text).map_or_else(|_| String::new(), |word| word.into_owned())
}

fn failed(path: &Path, error: std::io::Error) -> Error {
    Error::Write { path: path.display().to_string(), error }
}

#[cfg(unix)]
fn executable(file: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn executable(_file: &Path) -> std::io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_are_known_by_their_names() {
        for name in ["cc", "gcc", "gcc-12", "clang-17", "x86_64-linux-gnu-gcc-12", "ar", "gcc-ar", "musl-gcc", "c99"] {
            assert!(is_tool(name), "{name}");
        }
        for name in ["g++", "clang++", "ccache", "gcc-nm", "tar", "cpp", "make", "c++", "clang-format", "12"] {
            assert!(!is_tool(name), "{name}");
        }
    }

    #[test]
    fn notes_keep_blanks_and_empty_words() {
        let found = call(b"/a b\0/usr/bin/cc\0-DX=\"1 2\"\0\0a.c\0").expect("a call");
        assert_eq!(found.directory, Path::new("/a b"));
        assert_eq!(found.words, ["/usr/bin/cc", "-DX=\"1 2\"", "", "a.c"]);
        assert_eq!(call(b"/half"), None);
    }
}
