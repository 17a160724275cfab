//! Which units make a program: link commands, as far as build tools leave them where they can be read.
//!
//! CMake writes `link.txt` beside the objects of a target, Ninja's build statements name the objects of each (Meson, CMake),
//! `cellog record` writes `link_commands.json`. A compilation database by itself has compilations alone.

use super::LINKS;
use rustc_hash::FxHashSet;
use std::path::{Component, Path, PathBuf};

/// Folders of folders that are looked into for `link.txt`.
const DEPTH: usize = 8;

/// A file that is made of objects and libraries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    pub output: PathBuf,
    inputs: Vec<PathBuf>,
}

/// All links of a build folder, by output.
pub fn links(folder: &Path) -> Vec<Link> {
    let mut links = Vec::new();
    walk(folder, DEPTH, &mut links);
    if let Ok(text) = std::fs::read_to_string(folder.join("build.ninja")) {
        links.extend(ninja(&text, folder));
    }
    links.extend(recorded(&folder.join(LINKS)));
    links.sort_by(|a, b| a.output.cmp(&b.output));
    links
}

/// The links that a recorded build has left in a file.
fn recorded(file: &Path) -> Vec<Link> {
    #[derive(serde::Deserialize)]
    struct Recorded {
        directory: PathBuf,
        arguments: Vec<String>,
        output: String,
    }
    let text = std::fs::read(file).unwrap_or_default();
    let all: Vec<Recorded> = serde_json::from_slice(&text).unwrap_or_default();
    let folder = file.parent().unwrap_or(Path::new("."));
    all.into_iter().filter_map(|link| link_of(&link.arguments, &link.output, &folder.join(&link.directory))).collect()
}

impl Link {
    /// Whether it is a program, not a library.
    pub fn is_program(&self) -> bool {
        !is_library(&self.output)
    }
    /// Its name: the file's.
    pub fn name(&self) -> String {
        self.output.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }
}

/// The objects of the output called `name` (its path's end), those of libraries of the same build included; None when there is
/// no such output.
pub fn objects(links: &[Link], name: &str) -> Option<FxHashSet<PathBuf>> {
    let exact = |link: &&Link| link.output.ends_with(name);
    let first = links.iter().find(exact).or_else(|| links.iter().find(|link| is_called(link, name)))?;
    let (mut objects, mut work, mut seen) = (FxHashSet::default(), vec![first], FxHashSet::default());
    while let Some(link) = work.pop() {
        if !seen.insert(&link.output) {
            continue;
        }
        for input in &link.inputs {
            match links.iter().find(|l| l.output == *input) {
                Some(library) => work.push(library),
                None => {
                    objects.insert(input.clone());
                }
            }
        }
    }
    Some(objects)
}

/// Whether people call `link` so: without its ending (`prog.exe`), a library without its version (`libfoo.so` of `libfoo.so.1.2`),
/// and without what makes its name one of a library (`foo`).
fn is_called(link: &Link, name: &str) -> bool {
    let file = link.name();
    let plain = file.find(".so.").map_or(file.as_str(), |at| &file[..at + ".so".len()]);
    let stem = plain.rsplit_once('.').map_or(plain, |(stem, _)| stem);
    let bare = stem.strip_prefix("lib").filter(|_| !link.is_program());
    plain == name || stem == name || bare == Some(name)
}

/// The object that a compilation in `directory` makes, if its words say so.
pub fn object(directory: &Path, words: &[String]) -> Option<PathBuf> {
    let at = words.iter().position(|word| word == "-o")?;
    words.get(at + 1).map(|name| plain(&directory.join(name)))
}

/// A path without `.` and `..`, as far as its text tells.
pub fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(out.components().next_back(), Some(Component::Normal(_))) => {
                out.pop();
            }
            _ => out.push(part),
        }
    }
    out
}

fn is_library(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    name.ends_with(".a") || name.ends_with(".so") || name.contains(".so.") || name.ends_with(".dylib")
}

fn is_input(word: &str) -> bool {
    let path = Path::new(word);
    !word.starts_with('-') && (is_library(path) || path.extension().is_some_and(|e| e == "o" || e == "obj" || e == "c"))
}

/// Reads every `CMakeFiles/NAME.dir/link.txt` below `folder`; their paths are relative to the folder of `CMakeFiles`.
fn walk(folder: &Path, depth: usize, links: &mut Vec<Link>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().filter(|e| e.file_type().is_ok_and(|t| t.is_dir())).map(|e| e.path()) {
        let commands = path.join("link.txt");
        let base = path.ancestors().find(|a| a.file_name().is_some_and(|n| n == "CMakeFiles")).and_then(Path::parent);
        if let (Ok(text), Some(base)) = (std::fs::read_to_string(&commands), base) {
            links.extend(text.lines().filter_map(|line| command(line, base)));
        }
        if depth > 0 {
            walk(&path, depth - 1, links);
        }
    }
}

/// The link that a command line in `folder` makes.
fn command(line: &str, folder: &Path) -> Option<Link> {
    let words = shlex::split(line)?;
    let after = words.iter().position(|word| word == "-o").and_then(|at| words.get(at + 1));
    // An archiver names the archive first.
    let output = after.or_else(|| words.iter().skip(1).find(|word| word.ends_with(".a")))?.clone();
    link_of(&words, &output, folder)
}

/// The link of `output` by a command in `folder`; None where nothing goes in.
fn link_of(words: &[String], output: &str, folder: &Path) -> Option<Link> {
    let inputs = words.iter().skip(1).filter(|word| *word != output && is_input(word));
    let mut inputs: Vec<PathBuf> = inputs.map(|word| plain(&folder.join(word))).collect();
    // Libraries of the same build are often named by folder and name.
    let folders: Vec<&str> = words.iter().filter_map(|word| word.strip_prefix("-L")).collect();
    for name in words.iter().filter_map(|word| word.strip_prefix("-l")) {
        let files = |at: &&str| [".a", ".so"].map(|end| plain(&folder.join(at).join(format!("lib{name}{end}"))));
        inputs.extend(folders.iter().flat_map(files));
    }
    (!inputs.is_empty()).then(|| Link { output: plain(&folder.join(output)), inputs })
}

/// The links among the build statements of Ninja's language.
fn ninja(text: &str, folder: &Path) -> Vec<Link> {
    let text = text.replace("$\n", "");
    let link = |line: &str| {
        let (outputs, rest) = line.strip_prefix("build ")?.split_once(": ")?;
        let mut words = rest.split_whitespace();
        words.next().filter(|rule| rule.to_lowercase().contains("linker"))?;
        let path = |word: &str| plain(&folder.join(word));
        // What stands behind `||` is only made before.
        let inputs: Vec<PathBuf> = words.take_while(|word| *word != "||").filter(|w| is_input(w)).map(path).collect();
        Some(Link { output: path(outputs.split_whitespace().next()?), inputs })
    };
    text.lines().filter_map(link).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(objects: Option<FxHashSet<PathBuf>>) -> Vec<String> {
        let mut names: Vec<String> =
            objects.expect("a target").iter().map(|p| p.to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn programs_have_the_objects_of_their_libraries() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let write = |name: &str, text: &str| {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
            std::fs::write(path, text).expect("it can be written");
        };
        write("CMakeFiles/a.dir/link.txt", "/usr/bin/cc -g CMakeFiles/a.dir/a.c.o -o a lib/libl.a -lm\n");
        write("CMakeFiles/b.dir/link.txt", "/usr/bin/cc CMakeFiles/b.dir/b.c.o -o b\n");
        write(
            "lib/CMakeFiles/l.dir/link.txt",
            "/usr/bin/ar qc libl.a CMakeFiles/l.dir/l.c.o\n/usr/bin/ranlib libl.a\n",
        );
        let links = links(dir.path());
        let programs: Vec<String> = links.iter().filter(|l| l.is_program()).map(Link::name).collect();
        assert_eq!(programs, ["a", "b"]);
        let path = |name: &str| dir.path().join(name).to_string_lossy().into_owned();
        assert_eq!(names(objects(&links, "a")), [path("CMakeFiles/a.dir/a.c.o"), path("lib/CMakeFiles/l.dir/l.c.o")]);
        assert_eq!(names(objects(&links, "b")), [path("CMakeFiles/b.dir/b.c.o")]);
        assert_eq!(objects(&links, "c"), None);
    }

    #[test]
    fn libraries_are_called_without_what_every_library_has() {
        let link = |output: &str| Link { output: output.into(), inputs: vec!["a.o".into()] };
        let found = |output: &str, name: &str| objects(&[link(output)], name).is_some();
        for name in ["libfoo.so.1.2", "libfoo.so", "libfoo", "foo"] {
            assert!(found("/b/lib/libfoo.so.1.2", name), "{name}");
        }
        assert!(found("/b/libz.a", "z") && !found("/b/libz.a", "x"));
        assert!(found("/b/prog.exe", "prog") && !found("/b/libprog", "prog") && !found("/b/libfoo.a", "oo"));
        // A file of that very name comes first.
        let both = [link("/b/libprog.a"), Link { inputs: vec!["m.o".into()], ..link("/b/prog") }];
        assert_eq!(names(objects(&both, "prog")), ["m.o"]);
    }

    #[test]
    fn ninja_names_objects_and_libraries() {
        let text = "rule c_LINKER\n command = cc\nbuild prog.p/m.c.o: c_COMPILER ../m.c\n\
                    build prog: c_LINKER prog.p/m.c.o $\n  | libl.a || other.o\n  LINK_ARGS = -lm\n\
                    build libl.a: STATIC_LINKER libl.a.p/l.c.o\n";
        let links = ninja(text, Path::new("/b"));
        assert_eq!(names(objects(&links, "prog")), ["/b/libl.a.p/l.c.o", "/b/prog.p/m.c.o"]);
    }

    #[test]
    fn objects_are_named_by_their_commands() {
        let words = ["cc", "-o", "../x/./a.o", "-c", "a.c"].map(str::to_owned);
        assert_eq!(object(Path::new("/b/sub"), &words), Some(PathBuf::from("/b/x/a.o")));
        assert_eq!(object(Path::new("/b"), &words[..1]), None);
    }
}
