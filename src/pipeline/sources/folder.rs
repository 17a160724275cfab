//! The C files and headers of a folder that is named instead of its files.

use std::path::{Path, PathBuf};

/// Entries of folders that are looked at: whoever names a whole disk is told so.
const ENTRIES_LIMIT: usize = 200_000;
/// Folders of folders that are looked into.
const DEPTH_LIMIT: usize = 32;

/// The files below a folder, sorted.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Files that end in `.c`.
    pub sources: Vec<PathBuf>,
    /// Files that end in `.h`, and others that preprocessors are known to include.
    pub headers: Vec<PathBuf>,
    /// Files that others are made from: `config.h.in`, `config.hin`, `config.h.cmake`.
    pub templates: Vec<PathBuf>,
    /// Whether there were more than are looked at.
    pub cut: bool,
}

/// What lies in `folder` and the folders below it. Hidden folders, and links to folders, are passed over.
pub fn find(folder: &Path) -> Found {
    let (mut found, mut left) = (Found::default(), ENTRIES_LIMIT);
    walk(folder, DEPTH_LIMIT, &mut left, &mut found);
    found.cut = left == 0;
    for list in [&mut found.sources, &mut found.headers, &mut found.templates] {
        list.sort();
    }
    found
}

fn walk(folder: &Path, depth: usize, left: &mut usize, found: &mut Found) {
    // What cannot be looked into has nothing for us.
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        if *left == 0 {
            return;
        }
        *left -= 1;
        let (path, name) = (entry.path(), entry.file_name());
        let Some(name) = name.to_str().filter(|name| !name.starts_with('.')) else { continue };
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() {
            if depth > 0 {
                walk(&path, depth - 1, left, found);
            }
        } else if name.ends_with(".c") {
            found.sources.push(path);
        } else if [".h", ".hh", ".inc", ".def", ".tab"].iter().any(|end| name.ends_with(end)) {
            found.headers.push(path);
        } else if [".h.in", ".hin", ".h.cmake", ".h.cmake.in"].iter().any(|end| name.ends_with(end)) {
            found.templates.push(path);
        }
    }
}

/// `path` as a user would write it: `a.c`, not `./a.c`.
pub fn spelled(path: &Path) -> String {
    path.strip_prefix(".").unwrap_or(path).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_headers_and_templates_are_told_apart_and_hidden_folders_passed_over() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for name in ["b.c", "a.c", "lib/l.c", "lib/l.h", "config.h.in", ".git/x.c", "notes.txt"] {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
            std::fs::write(path, "").expect("it can be written");
        }
        let found = find(folder.path());
        let names = |list: &[PathBuf]| {
            list.iter().map(|p| spelled(p.strip_prefix(folder.path()).expect("it lies there"))).collect::<Vec<_>>()
        };
        assert_eq!(names(&found.sources), ["a.c", "b.c", "lib/l.c"]);
        assert_eq!(
            (names(&found.headers), names(&found.templates)),
            (vec!["lib/l.h".into()], vec!["config.h.in".into()])
        );
        assert!(!found.cut);
        assert_eq!(spelled(Path::new("./x/a.c")), "x/a.c");
    }
}
