//! Source files and positions in them.

use super::IndexVec;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

crate::new_index! {
    /// A source file, as named by the user or by a line marker of the preprocessor.
    pub struct FileId = "file";
}

/// A position in the source as the user wrote it (after the preprocessor's line markers).
/// Lines and columns count from 1; 0 means not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span {
    pub file: FileId,
    pub line: u32,
    pub column: u32,
}

impl Span {
    /// The position of things that no source line stands for.
    pub const NONE: Span = Span { file: FileId(0), line: 0, column: 0 };
}

/// The files of a program. File 0 is the built-in one, named `<builtin>`.
#[derive(Clone, Debug)]
pub struct SourceMap {
    names: IndexVec<FileId, String>,
    by_name: FxHashMap<String, FileId>,
    /// Headers of the system.
    system: FxHashSet<FileId>,
    /// What the names of files in the user's folder begin with; empty for none.
    root: String,
}

impl Default for SourceMap {
    fn default() -> Self {
        let mut map = SourceMap {
            names: IndexVec::new(),
            by_name: FxHashMap::default(),
            system: FxHashSet::default(),
            root: String::new(),
        };
        map.intern("<builtin>");
        map
    }
}

impl SourceMap {
    /// A map that names the files of a folder, given with a slash at its end, by their paths in it: the same names wherever
    /// the folder is.
    pub fn inside(root: &str) -> SourceMap {
        SourceMap { root: root.to_owned(), ..SourceMap::default() }
    }
    /// The name of a file as the map has it.
    pub fn shortened<'n>(&self, name: &'n str) -> &'n str {
        let inside = if self.root.is_empty() { None } else { name.strip_prefix(&self.root) };
        inside.filter(|rest| !rest.is_empty() && !rest.starts_with('/')).unwrap_or(name)
    }
    /// The id of the file called `name`, made when it is new.
    pub fn intern(&mut self, name: &str) -> FileId {
        let name = self.shortened(name).to_owned();
        if let Some(&id) = self.by_name.get(&name) {
            return id;
        }
        let id = self.names.push(name.clone());
        self.by_name.insert(name, id);
        id
    }
    /// The file's name as the user or the preprocessor gave it.
    pub fn name(&self, file: FileId) -> &str {
        &self.names[file]
    }
    /// `file` is a header of the system: not of the program, but of a library that is installed.
    pub fn mark_system(&mut self, file: FileId) {
        self.system.insert(file);
    }
    /// Whether `span` lies in a header of the system.
    pub fn in_system(&self, span: Span) -> bool {
        self.system.contains(&span.file)
    }
    /// `file:line:column`.
    pub fn describe(&self, span: Span) -> String {
        format!("{}:{}:{}", self.name(span.file), span.line, span.column)
    }
    /// All files, in the order in which they were met.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &str)> {
        self.names.iter_enumerated().map(|(i, n)| (i, n.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_folder_have_short_names() {
        let mut map = SourceMap::inside("/there/a/");
        let (long, short) = (map.intern("/there/a/src/b.c"), map.intern("src/b.c"));
        assert_eq!((long, map.name(long)), (short, "src/b.c"));
        for other in ["/there/ab.c", "/there/a/", "/there/a//b.c", "b.c"] {
            assert_eq!(map.shortened(other), other);
        }
        assert_eq!(SourceMap::default().shortened("/there/a/b.c"), "/there/a/b.c");
    }
}
