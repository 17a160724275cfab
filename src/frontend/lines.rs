//! From bytes of preprocessed text to positions in the source, by the preprocessor's line markers.
//!
//! A column is the byte's column in the preprocessed line, which equals that of the source line up to the first
//! expanded macro.

use crate::base::{FileId, SourceMap, Span};

/// A line of preprocessed text.
#[derive(Clone, Copy, Debug)]
struct Line {
    /// First byte.
    start: u32,
    /// In `LineMap::files`.
    file: u32,
    /// In that file, from 1.
    number: u32,
    /// How far its bytes stand to the left of where they stand in the source.
    left: u32,
}

/// The source position of every byte of a preprocessed text.
#[derive(Clone, Debug)]
pub struct LineMap {
    lines: Vec<Line>,
    files: Vec<String>,
    /// Those of `files` that are headers of the system.
    system: Vec<u32>,
    ids: Vec<FileId>,
    /// How far the next line's bytes stand to the left of where they stand in the source.
    next_left: u32,
}

impl LineMap {
    /// The map of a text whose first lines are those of `file`.
    pub(super) fn new(file: &str) -> Self {
        LineMap {
            lines: vec![Line { start: 0, file: 0, number: 1, left: 0 }],
            files: vec![file.to_owned()],
            system: Vec::new(),
            ids: Vec::new(),
            next_left: 0,
        }
    }
    /// A line begins at byte `start`.
    pub(super) fn next_line(&mut self, start: u32) {
        let last = self.last();
        self.lines.push(Line { start, file: last.file, number: last.number.saturating_add(1), left: self.next_left });
        self.next_left = 0;
    }
    /// The current line is `# NUMBER "FILE" FLAGS` or `#line NUMBER "FILE"`, without its `#`; others are ignored.
    pub(super) fn directive(&mut self, text: &str) {
        let text = text.strip_prefix("line").unwrap_or(text).trim_start();
        let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let Ok(number) = text[..digits].parse::<u32>() else { return };
        if let Some((name, flags)) = quoted(text[digits..].trim_start()) {
            let file = match self.files.iter().rposition(|f| *f == name) {
                Some(file) => file,
                None => {
                    self.files.push(name);
                    self.files.len() - 1
                }
            };
            self.lines.last_mut().expect("a line map has a line").file = file as u32;
            // A file begins here, and it is a header of the system. (Its macros carry the second flag into other files.)
            let has = |flag: &str| flags.split_whitespace().any(|f| f == flag);
            if has("1") && has("3") {
                self.system.push(file as u32);
            }
        }
        // GNU's preprocessor breaks a line at a macro of a system header, and puts what follows one column too far to the left.
        let marker = self.last();
        let before = self.lines.len().checked_sub(2).map(|at| self.lines[at]);
        let goes_on = before
            .is_some_and(|line| (line.file, line.number) == (marker.file, number) && marker.start > line.start + 1);
        self.next_left = u32::from(goes_on);
        // The number is that of the line behind the marker.
        self.lines.last_mut().expect("a line map has a line").number = number.saturating_sub(1);
    }
    fn last(&self) -> Line {
        *self.lines.last().expect("a line map has a line")
    }
    /// Gives the files their ids in `sources`; until then every position is unknown.
    pub(super) fn intern(&mut self, sources: &mut SourceMap) {
        self.ids = self.files.iter().map(|f| sources.intern(f)).collect();
        self.system.iter().for_each(|file| sources.mark_system(self.ids[*file as usize]));
    }
    /// The source position of byte `offset`.
    pub fn span(&self, offset: u32) -> Span {
        let line = self.lines[self.lines.partition_point(|l| l.start <= offset) - 1];
        match self.ids.get(line.file as usize) {
            Some(&file) => Span { file, line: line.number, column: offset - line.start + 1 + line.left },
            None => Span::NONE,
        }
    }
}

/// The content of the string literal that `text` begins with, escapes of `"` and `\` undone, and what follows it.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut name = String::new();
    let mut chars = text.strip_prefix('"')?.chars();
    loop {
        match chars.next()? {
            '"' => return Some((name, chars.as_str())),
            '\\' => name.push(chars.next()?),
            c => name.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokenize;
    use super::*;

    fn describe(text: &str, needle: &str) -> String {
        let mut sources = SourceMap::default();
        let mut map = tokenize(text, "main.c").lines;
        map.intern(&mut sources);
        sources.describe(map.span(text.find(needle).expect("the needle is there") as u32))
    }

    #[test]
    fn positions_follow_line_markers() {
        let text = "int a;\n# 10 \"dir/\\\"h\\\".h\" 1 3\nint b;\n\n int c;\n#line 7 \"main.c\"\nint d;\n";
        assert_eq!(describe(text, "a;"), "main.c:1:5");
        assert_eq!(describe(text, "b;"), "dir/\"h\".h:10:5");
        assert_eq!(describe(text, "c;"), "dir/\"h\".h:12:6");
        assert_eq!(describe(text, "d;"), "main.c:7:5");
    }

    #[test]
    fn columns_behind_a_macro_of_a_system_header_are_those_of_the_source() {
        // if (p != NULL && q) f();
        let text =
            "if (p != \n# 1 \"main.c\" 3 4\n        ((void *)0) \n# 1 \"main.c\"\n             && q) f();\nint c;\n";
        assert_eq!(describe(text, "((void"), "main.c:1:10");
        assert_eq!(describe(text, "&& q"), "main.c:1:15");
        assert_eq!(describe(text, "f()"), "main.c:1:21");
        assert_eq!(describe(text, "c;"), "main.c:2:5");
        // What comes behind a header begins where it stands.
        let text = "# 1 \"h.h\" 1\nint h;\n# 4 \"main.c\" 2\n\n# 4 \"main.c\"\nint d;\n";
        assert_eq!(describe(text, "d;"), "main.c:4:5");
    }

    #[test]
    fn headers_of_the_system_are_those_that_are_entered_as_such() {
        let text = "# 1 \"main.c\"\n# 1 \"/usr/include/a.h\" 1 3 4\nint a;\n# 1 \"b.h\" 1\nint b;\n# 3 \"main.c\" 2\n\
                    # 3 \"main.c\" 3 4\nint c;\n# 5 \"/usr/include/a.h\" 3 4\nint d;\n";
        let mut sources = SourceMap::default();
        let mut map = tokenize(text, "main.c").lines;
        map.intern(&mut sources);
        let is = |needle: &str| sources.in_system(map.span(text.find(needle).expect("the needle is there") as u32));
        assert_eq!(["a;", "b;", "c;", "d;"].map(is), [true, false, false, true]);
    }

    #[test]
    fn a_marker_without_a_name_keeps_the_file() {
        assert_eq!(describe("# 5\nint a;", "a;"), "main.c:5:5");
    }

    #[test]
    fn comments_and_continued_lines_count() {
        assert_eq!(describe("/* 1\n 2 */ int a; \\\n int b;", "b;"), "main.c:3:6");
    }
}
