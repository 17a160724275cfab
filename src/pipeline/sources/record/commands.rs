//! What a call of a compiler or an archiver makes.

use super::wrappers::Call;
use crate::frontend::compile_flags::takes_next_word;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// An entry of a compilation database.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Compilation {
    pub directory: PathBuf,
    pub file: String,
    pub arguments: Vec<String>,
    /// The object; None where the call links what it compiles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
}

/// A call that makes a program or a library.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Linking {
    pub directory: PathBuf,
    pub arguments: Vec<String>,
    pub output: String,
}

/// Flags of calls that make no object and no program.
const NOTHING_MADE: [&str; 7] = ["-E", "-S", "-M", "-MM", "-fsyntax-only", "--version", "-dumpmachine"];
/// What a call compiles, and what it links if it does.
pub fn made(call: &Call) -> (Vec<Compilation>, Option<Linking>) {
    let Some((tool, words)) = call.words.split_first() else { return (Vec::new(), None) };
    let linking = |output: &str| Linking {
        directory: call.directory.clone(),
        arguments: call.words.clone(),
        output: output.to_owned(),
    };
    if is_archiver(tool) {
        let archive = words.iter().find(|word| word.ends_with(".a"));
        let adds = words.first().is_some_and(|what| what.trim_start_matches('-').contains(['r', 'q']));
        return (Vec::new(), archive.filter(|_| adds).map(|archive| linking(archive)));
    }
    if words.iter().any(|word| NOTHING_MADE.contains(&word.as_str())) {
        return (Vec::new(), None);
    }
    let (output, inputs) = (argument(words, "-o"), inputs(words));
    let compiles = words.iter().any(|word| word == "-c");
    let sources: Vec<&str> = inputs.iter().copied().filter(|input| input.ends_with(".c")).collect();
    let object = |source: &str| match output {
        Some(output) if sources.len() == 1 => Some(output.to_owned()),
        _ => Path::new(source).file_stem().map(|stem| format!("{}.o", stem.to_string_lossy())),
    };
    let compilation = |source: &&str| Compilation {
        directory: call.directory.clone(),
        file: (*source).to_owned(),
        arguments: call.words.clone(),
        output: if compiles { object(source) } else { None },
    };
    let compilations = sources.iter().map(compilation).collect();
    let links =
        !compiles && inputs.iter().any(|input| [".c", ".o", ".a", ".lo", ".so"].iter().any(|end| input.ends_with(end)));
    (compilations, links.then(|| linking(output.unwrap_or("a.out"))))
}

fn is_archiver(tool: &str) -> bool {
    let name = Path::new(tool).file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.split('-').any(|part| part == "ar")
}

/// The word behind `flag`, or stuck to it.
fn argument<'w>(words: &'w [String], flag: &str) -> Option<&'w str> {
    let at = words.iter().position(|word| word.starts_with(flag))?;
    match words[at].strip_prefix(flag) {
        Some("") => words.get(at + 1).map(String::as_str),
        stuck => stuck,
    }
}

/// The files among the arguments.
fn inputs(words: &[String]) -> Vec<&str> {
    let mut inputs = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if takes_next_word(word) {
            words.next();
        } else if !word.starts_with('-') {
            inputs.push(word.as_str());
        }
    }
    inputs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> (Vec<(String, Option<String>)>, Option<String>) {
        let words = line.split(' ').map(str::to_owned).collect();
        let (compilations, linking) = made(&Call { directory: "/b".into(), words });
        (compilations.into_iter().map(|c| (c.file, c.output)).collect(), linking.map(|l| l.output))
    }

    #[test]
    fn compilations_name_their_objects() {
        let unit = |file: &str, object: &str| (file.to_owned(), Some(object.to_owned()));
        assert_eq!(of("/usr/bin/cc -O2 -c src/a.c -o x/a.o"), (vec![unit("src/a.c", "x/a.o")], None));
        assert_eq!(of("gcc -c src/a.c b.c"), (vec![unit("src/a.c", "a.o"), unit("b.c", "b.o")], None));
        assert_eq!(of("gcc -MF a.c.d -D c.c -c a.c -oa.o"), (vec![unit("a.c", "a.o")], None));
    }

    #[test]
    fn links_are_told_from_what_makes_nothing() {
        assert_eq!(of("cc a.o b.o -o prog -lm"), (vec![], Some("prog".into())));
        assert_eq!(of("cc a.c b.o"), (vec![("a.c".into(), None)], Some("a.out".into())));
        assert_eq!(of("ar rcs lib/libx.a a.o"), (vec![], Some("lib/libx.a".into())));
        for line in ["cc -E a.c", "cc -MM a.c", "cc --version", "ar t libx.a", "cc -v"] {
            assert_eq!(of(line), (vec![], None), "{line}");
        }
    }
}
