//! Source files and positions in them.

use super::IndexVec;
use rustc_hash::FxHashMap;

crate::new_index! {
    /// A source file, as named by the user or by a line marker of the preprocessor.
    pub struct FileId = "file";
}

/// A position in the source as the user wrote it (after the preprocessor's line markers).
/// Lines and columns count from 1; 0 means not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
}

impl Default for SourceMap {
    fn default() -> Self {
        let mut map = SourceMap { names: IndexVec::new(), by_name: FxHashMap::default() };
        map.intern("<builtin>");
        map
    }
}

impl SourceMap {
    /// The id of the file called `name`, made when it is new.
    pub fn intern(&mut self, name: &str) -> FileId {
        if let Some(&id) = self.by_name.get(name) {
            return id;
        }
        let id = self.names.push(name.to_owned());
        self.by_name.insert(name.to_owned(), id);
        id
    }
    /// The file's name as the user or the preprocessor gave it.
    pub fn name(&self, file: FileId) -> &str {
        &self.names[file]
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
