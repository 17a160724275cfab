//! Source texts of rules and places in them.

/// A range of bytes in one of the files of [`Texts`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord)]
pub struct Span {
    pub file: u32,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The smallest span over both; `other` must be of the same file, else `self` is returned.
    pub fn to(self, other: Span) -> Span {
        if self.file != other.file {
            return self;
        }
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// One file that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The path as includes resolved it, with `/` between components.
    pub name: String,
    pub text: String,
}

/// All files of a program, in the order they were first met.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    pub files: Vec<Text>,
}

impl Texts {
    /// Adds a file and returns its number.
    pub fn add(&mut self, name: &str, text: &str) -> u32 {
        self.files.push(Text { name: name.to_owned(), text: text.to_owned() });
        u32::try_from(self.files.len() - 1).expect("fewer than 2^32 rule files")
    }

    /// Line and column (both from 1, in characters) of the span's first byte.
    pub fn line_column(&self, span: Span) -> (usize, usize) {
        let Some(file) = self.files.get(span.file as usize) else { return (1, 1) };
        let mut end = (span.start as usize).min(file.text.len());
        while !file.text.is_char_boundary(end) {
            end -= 1;
        }
        let before = &file.text[..end];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }

    /// `file:line:column` of the span's first byte.
    pub fn place(&self, span: Span) -> String {
        let (line, column) = self.line_column(span);
        let name = self.files.get(span.file as usize).map_or("?", |file| file.name.as_str());
        format!("{name}:{line}:{column}")
    }
}
