//! Flags for the files of a folder whose build is not known: where the headers lie that they include.
//!
//! What the files name in `#include` is looked for beside the file, then among the project's headers and where the compiler looks by
//! itself: of a name in quotes the project's header counts, of one in angles the compiler's. A folder in which one is found becomes
//! a `-I`; where it has a header that the compiler has too, `-iquote` or `-idirafter`, which hide no header of the compiler.
//! Lines that a condition leaves out count too.

use super::folder::{Found, spelled};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

/// What is guessed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guess {
    pub flags: Vec<String>,
    /// Headers that are made from a template of the project and are not there: their names, and the templates.
    pub unmade: Vec<(String, String)>,
}

/// A line `#include "name"` or `#include <name>`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Include {
    name: String,
    quoted: bool,
}

/// The flags for `sources` of a project with these files, where the compiler looks into `system` by itself. `read` gives the text
/// of a file.
pub fn guess(
    sources: &[PathBuf],
    project: &Found,
    system: &[PathBuf],
    read: impl Fn(&Path) -> Option<String>,
) -> Guess {
    let mut search = Search { headers: by_name(&project.headers), system, folders: BTreeMap::new() };
    let (mut work, mut seen): (Vec<PathBuf>, BTreeSet<PathBuf>) = (sources.to_vec(), sources.iter().cloned().collect());
    let (mut missing, mut has_config) = (BTreeSet::new(), false);
    while let Some(file) = work.pop() {
        let Some(text) = read(&file) else { continue };
        has_config |= text.contains("HAVE_CONFIG_H");
        for include in includes(&text) {
            match search.find(&file, &include) {
                Place::Found(header) => {
                    if seen.insert(header.clone()) {
                        work.push(header);
                    }
                }
                Place::OfSystem => {}
                Place::Nowhere => {
                    missing.insert(include.name);
                }
            }
        }
    }
    let hides = |folder: &Path| {
        let names =
            project.headers.iter().filter(|header| header.parent() == Some(folder)).filter_map(|h| h.file_name());
        names.into_iter().any(|name| system.iter().any(|own| own.join(name).is_file()))
    };
    let mut flags: Vec<String> = Vec::new();
    for (folder, asked) in &search.folders {
        let name = named_folder(folder);
        if !hides(folder) {
            flags.push(format!("-I{name}"));
            continue;
        }
        for (word, _) in [("-iquote", asked.quoted), ("-idirafter", asked.angled)].into_iter().filter(|(_, is)| *is) {
            flags.extend([word.to_owned(), name.clone()]);
        }
    }
    if has_config && seen.iter().any(|header| header.file_name().is_some_and(|name| name == "config.h")) {
        flags.push("-DHAVE_CONFIG_H".to_owned());
    }
    let unmade = missing.iter().filter_map(|name| template_of(name, &project.templates).map(|t| (name.clone(), t)));
    Guess { flags, unmade: unmade.collect() }
}

fn named_folder(folder: &Path) -> String {
    let name = spelled(folder);
    if name.is_empty() { ".".to_owned() } else { name }
}

/// The template that a missing header would be made from.
fn template_of(name: &str, templates: &[PathBuf]) -> Option<String> {
    let file = Path::new(name).file_name()?.to_str()?;
    let stem = file.strip_suffix(".h")?;
    let made_from = |path: &&PathBuf| {
        let template = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        template.strip_prefix(file).is_some_and(|rest| rest.starts_with('.')) || template == format!("{stem}.hin")
    };
    templates.iter().find(made_from).map(|path| spelled(path))
}

/// Where a header is.
enum Place {
    Found(PathBuf),
    OfSystem,
    Nowhere,
}

struct Search<'a> {
    /// By the file's name alone.
    headers: BTreeMap<String, Vec<PathBuf>>,
    system: &'a [PathBuf],
    /// Folders that the compiler must be told of, and what for.
    folders: BTreeMap<PathBuf, Asked>,
}

/// How headers of a folder are included.
#[derive(Clone, Copy, Default)]
struct Asked {
    quoted: bool,
    angled: bool,
}

impl Search<'_> {
    fn find(&mut self, file: &Path, include: &Include) -> Place {
        let name = Path::new(&include.name);
        let beside = file.parent().unwrap_or(Path::new("")).join(name);
        if include.quoted && beside.is_file() {
            return Place::Found(beside);
        }
        let of_system = self.system.iter().any(|folder| folder.join(name).is_file());
        if of_system && !include.quoted {
            return Place::OfSystem;
        }
        let known = self.folders.keys().find(|folder| folder.join(name).is_file()).cloned();
        let found = known.map(|folder| (folder.clone(), folder.join(name))).or_else(|| self.nearest(file, name));
        match found {
            Some((folder, header)) => {
                let asked = self.folders.entry(folder).or_default();
                asked.quoted |= include.quoted;
                asked.angled |= !include.quoted;
                Place::Found(header)
            }
            None if of_system => Place::OfSystem,
            None => Place::Nowhere,
        }
    }

    /// The header called `name` that shares most of its path with `file`, and the folder that it is found from.
    fn nearest(&self, file: &Path, name: &Path) -> Option<(PathBuf, PathBuf)> {
        let plain = name.components().all(|part| matches!(part, Component::Normal(_)));
        let called = self.headers.get(name.file_name()?.to_str()?).filter(|_| plain)?;
        let fitting = called.iter().filter(|header| header.ends_with(name));
        let common = |header: &Path| header.components().zip(file.components()).take_while(|(a, b)| a == b).count();
        let key = |header: &&PathBuf| (common(header), std::cmp::Reverse(header.components().count()));
        // Of equal ones the first.
        let header = fitting.rev().max_by_key(key)?;
        let folder = header.ancestors().nth(name.components().count())?;
        Some((folder.to_owned(), header.clone()))
    }
}

fn by_name(headers: &[PathBuf]) -> BTreeMap<String, Vec<PathBuf>> {
    let mut names: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for header in headers {
        if let Some(name) = header.file_name().and_then(|name| name.to_str()) {
            names.entry(name.to_owned()).or_default().push(header.clone());
        }
    }
    names
}

/// The headers that a text includes by name.
fn includes(text: &str) -> Vec<Include> {
    let include = |line: &str| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?.trim_start();
        let (quoted, end) = match rest.chars().next()? {
            '"' => (true, '"'),
            '<' => (false, '>'),
            _ => return None,
        };
        let (name, _) = rest[1..].split_once(end)?;
        (!name.is_empty()).then(|| Include { name: name.to_owned(), quoted })
    };
    text.lines().filter_map(include).collect()
}

#[cfg(test)]
mod tests {
    use super::super::folder::find;
    use super::*;

    /// What is guessed for the C files of a project.
    fn guessed(files: &[(&str, &str)]) -> Guess {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
            std::fs::write(path, text).expect("it can be written");
        }
        let system = folder.path().join("usr");
        let project = Found { headers: find(folder.path()).headers, ..find(folder.path()) };
        let mut guess = guess(&project.sources, &project, &[system], |path| std::fs::read_to_string(path).ok());
        let here = format!("{}/", folder.path().display());
        guess.flags = guess.flags.iter().map(|flag| flag.replace(&here, "")).collect();
        guess.unmade = guess.unmade.iter().map(|(name, from)| (name.clone(), from.replace(&here, ""))).collect();
        guess
    }

    #[test]
    fn folders_of_headers_are_found_from_what_is_included() {
        let guess = guessed(&[
            ("src/a.c", "#include \"near.h\"\n# include <proj/far.h>\n#include <stdio.h>\n"),
            ("src/near.h", ""),
            ("include/proj/far.h", "#include \"deep.h\"\n"),
            ("include/deep/deep.h", ""),
            ("usr/stdio.h", ""),
            ("compat/stdio.h", ""),
        ]);
        assert_eq!(guess.flags, ["-Iinclude", "-Iinclude/deep"]);
        assert_eq!(guess.unmade, []);
    }

    #[test]
    fn the_compilers_own_headers_are_not_hidden() {
        let files = [("a.c", "#include <more.h>\n#include <stdio.h>\n"), ("compat/more.h", ""), ("compat/stdio.h", "")];
        assert_eq!(guessed(&[&files[..], &[("usr/stdio.h", "")]].concat()).flags, ["-idirafter", "compat"]);
        assert_eq!(guessed(&files).flags, ["-Icompat"]);
        // What stands in quotes is the project's own, even where the system has a library of that name.
        let files = [("test/a.c", "#include \"z.h\"\n"), ("lib/z.h", ""), ("usr/z.h", "")];
        assert_eq!(guessed(&files).flags, ["-iquote", "lib"]);
    }

    #[test]
    fn of_several_headers_of_a_name_the_nearest_counts() {
        let files = [("x/src/a.c", "#include <h.h>\n"), ("x/inc/h.h", ""), ("a/inc/h.h", ""), ("x/inc/more/h.h", "")];
        assert_eq!(guessed(&files).flags, ["-Ix/inc"]);
    }

    #[test]
    fn a_configuration_that_is_there_is_used_and_one_that_is_not_is_told() {
        const SOURCE: &str = "#ifdef HAVE_CONFIG_H\n#include <config.h>\n#endif\n";
        let there = guessed(&[("src/a.c", SOURCE), ("config.h", ""), ("config.h.in", "")]);
        assert_eq!(there.flags.len(), 2, "{there:?}");
        assert!(there.flags[1] == "-DHAVE_CONFIG_H" && there.unmade.is_empty(), "{there:?}");
        let missing = guessed(&[("src/a.c", SOURCE), ("config.h.in", "")]);
        assert_eq!(missing.flags, [] as [&str; 0]);
        assert_eq!(missing.unmade, [("config.h".to_owned(), "config.h.in".to_owned())]);
    }
}
