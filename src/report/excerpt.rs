//! Source lines, as far as the files can be read, and what to underline in them.

use crate::verdict::Location;
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Element, Origin, Renderer, Snippet, normalize_untrusted_str};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Lines longer than this many bytes are not shown.
const LONGEST_LINE: usize = 2000;
/// Files larger than this many bytes are not read for excerpts.
const LARGEST_FILE: u64 = 64 << 20;

/// Lines that may lie between two places of one excerpt.
const NEAR: u32 = 40;

/// A place to show.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    pub location: Location,
    /// What to underline.
    pub subject: String,
    pub label: Option<String>,
}

/// Reads source files once and cuts lines out of them.
#[derive(Debug, Default)]
pub struct Excerpts {
    /// Folders that relative names are tried in, after the current one.
    folders: Vec<PathBuf>,
    files: FxHashMap<String, Option<Lines>>,
}

/// A file's text and where its lines start.
#[derive(Debug)]
struct Lines {
    text: String,
    starts: Vec<usize>,
}

impl Lines {
    fn new(text: String) -> Lines {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i + 1)).collect();
        Lines { text, starts }
    }
    fn line(&self, line: u32) -> Option<&str> {
        let i = (line as usize).checked_sub(1)?;
        let start = *self.starts.get(i)?;
        let end = self.starts.get(i + 1).map_or(self.text.len(), |e| e - 1);
        Some(self.text[start..end].trim_end_matches('\r'))
    }
}

impl Excerpts {
    /// Excerpts from files named relative to the current folder or to one of `folders`.
    pub fn new(folders: Vec<PathBuf>) -> Self {
        Excerpts { folders, files: FxHashMap::default() }
    }
    /// The line of a file, when it can be read and is not too long.
    pub fn line(&mut self, file: &str, line: u32) -> Option<&str> {
        if !self.files.contains_key(file) {
            let lines = self.read(file).map(Lines::new);
            self.files.insert(file.to_owned(), lines);
        }
        let line = self.files.get(file)?.as_ref()?.line(line)?;
        (line.len() <= LONGEST_LINE && !line.trim().is_empty()).then_some(line)
    }
    /// The lines of a file that have `word` in them.
    pub fn lines_with(&mut self, file: &str, word: &str) -> Vec<u32> {
        let Some(text) = self.text(file) else { return Vec::new() };
        (1..).zip(text.lines()).filter(|(_, line)| line.contains(word)).map(|(number, _)| number).collect()
    }
    /// Where `subject` stands in a line, as columns from 1 in characters, the end excluded; None when the line cannot be
    /// shown.
    pub fn columns(&mut self, file: &str, line: u32, column: u32, subject: &str) -> Option<Range<u32>> {
        let text = self.line(file, line)?;
        let span = underline(text, column, subject);
        let character = |at: usize| text[..at].chars().count() as u32 + 1;
        (span.start < span.end).then(|| character(span.start)..character(span.end))
    }
    /// The whole text of a file, when it can be read.
    pub fn text(&mut self, file: &str) -> Option<&str> {
        self.line(file, 1);
        self.files.get(file)?.as_ref().map(|l| l.text.as_str())
    }
    fn read(&self, file: &str) -> Option<String> {
        let candidates = std::iter::once(Path::new(file).to_owned()).chain(self.folders.iter().map(|d| d.join(file)));
        for path in candidates {
            let Ok(meta) = std::fs::metadata(&path) else { continue };
            if meta.is_file() && meta.len() <= LARGEST_FILE {
                return std::fs::read(&path).ok().map(|b| String::from_utf8_lossy(&b).into_owned());
            }
        }
        None
    }
    /// The excerpts of several places, those of one neighbourhood together, the one with the first place first. The first
    /// place is what the message is about; the others are its context.
    pub(super) fn elements(&mut self, marks: &[Mark]) -> Vec<Element<'static>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut order: Vec<usize> = (0..marks.len()).collect();
        order.sort_by_key(|i| (&marks[*i].location, *i));
        for i in order {
            let place = &marks[i].location;
            let near = |g: &&mut Vec<usize>| {
                let last = &marks[g[g.len() - 1]].location;
                last.file == place.file && place.line - last.line <= NEAR
            };
            match groups.last_mut().filter(near) {
                Some(group) => group.push(i),
                None => groups.push(vec![i]),
            }
        }
        groups.sort_by_key(|g| (!g.contains(&0), g.iter().min().copied()));
        groups.iter().filter_map(|g| self.neighbourhood(marks, g)).collect()
    }

    /// One excerpt with the places of `group`, which are sorted and lie in one file.
    fn neighbourhood(&mut self, marks: &[Mark], group: &[usize]) -> Option<Element<'static>> {
        let of = |i: &usize| &marks[*i];
        let (first, last) = (of(group.first()?), of(group.last()?));
        let file = &first.location.file;
        if group.iter().any(|i| self.line(file, of(i).location.line).is_none()) {
            // Without all of the lines, what can be shown is the main one.
            let main = of(group.iter().min()?);
            let (line, column) = (main.location.line, main.location.column);
            return self.element(file, line, column, &main.subject, main.label.clone());
        }
        let lines = self.files.get(file)?.as_ref()?;
        let start = *lines.starts.get(first.location.line as usize - 1)?;
        let end = lines.starts.get(last.location.line as usize).map_or(lines.text.len(), |e| e - 1);
        let mut snippet = Snippet::source(lines.text[start..end].trim_end_matches('\r').to_owned())
            .line_start(first.location.line as usize)
            .path(file.clone());
        for i in group {
            let mark = of(i);
            let at = lines.starts[mark.location.line as usize - 1] - start;
            let span = underline(lines.line(mark.location.line)?, mark.location.column, &mark.subject);
            let kind = if *i == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
            let label = mark.label.as_deref().map(normalize_untrusted_str);
            snippet = snippet.annotation(kind.span(at + span.start..at + span.end).label(label));
        }
        Some(snippet.into())
    }

    /// The excerpt of one place, `subject` underlined where it can be found; the place alone when its line cannot be shown.
    pub(super) fn element(
        &mut self,
        file: &str,
        line: u32,
        column: u32,
        subject: &str,
        label: Option<String>,
    ) -> Option<Element<'static>> {
        if line == 0 {
            return None;
        }
        let Some(text) = self.line(file, line) else {
            let mut origin = Origin::path(file.to_owned()).line(line as usize);
            if column > 0 {
                origin = origin.char_column(column as usize);
            }
            return Some(origin.into());
        };
        let span = underline(text, column, subject);
        let annotation: Annotation<'static> = AnnotationKind::Primary.span(span).label(label);
        let snippet = Snippet::source(text.to_owned()).line_start(line as usize).path(file.to_owned());
        Some(snippet.annotation(annotation).into())
    }
}

/// What to underline of `text`, as byte offsets: the subject where it stands at the column or once in the line, else the word
/// at the column, else the whole line. Columns behind a macro call may lie anywhere.
fn underline(text: &str, column: u32, subject: &str) -> Range<usize> {
    let whole = || {
        let start = text.len() - text.trim_start().len();
        start..text.trim_end().len().max(start)
    };
    let at = (column as usize).checked_sub(1).filter(|c| *c < text.len() && text.is_char_boundary(*c));
    if !subject.is_empty() {
        if let Some(at) = at.filter(|at| text[*at..].starts_with(subject)) {
            return at..at + subject.len();
        }
        let mut found = text.match_indices(subject).map(|(i, _)| i);
        if let (Some(i), None) = (found.next(), found.next()) {
            return i..i + subject.len();
        }
    }
    let Some(at) = at.filter(|at| !text[*at..].starts_with(char::is_whitespace)) else { return whole() };
    let rest = &text[at..];
    let word = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
    let first = rest.chars().next().map_or(0, char::len_utf8);
    at..at + word.max(first)
}

/// The one renderer of excerpts, with colours or without, for lines of `width` characters.
pub(super) fn renderer(colour: bool, width: usize) -> Renderer {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    renderer.decor_style(DecorStyle::Ascii).term_width(width)
}

#[cfg(test)]
mod tests {
    use super::*;
    use annotate_snippets::{Group, Level};

    #[test]
    fn the_subject_is_underlined_where_it_stands() {
        assert_eq!(underline("  x = a / b;", 7, "a / b"), 6..11);
        assert_eq!(underline("  x = a / b;", 3, "a / b"), 6..11);
        assert_eq!(underline("  x = abc + b;", 7, "q"), 6..9);
    }

    #[test]
    fn places_outside_the_line_underline_all_of_it() {
        assert_eq!(underline("  f();", 90, "q"), 2..6);
        assert_eq!(underline("  f();", 0, ""), 2..6);
        assert_eq!(underline("\u{e4}b", 2, ""), 0..3);
        assert_eq!(underline("", 1, ""), 0..0);
    }

    #[test]
    fn carriage_returns_before_line_ends_are_not_shown() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(dir.path().join("a.c"), "int a;\r\nint b;\r\nint c;\r\n").expect("it can be written");
        let mark = |line, subject: &str| Mark {
            location: Location { file: "a.c".into(), line, column: 5 },
            subject: subject.into(),
            label: None,
        };
        let mut excerpts = Excerpts::new(vec![dir.path().to_owned()]);
        let elements = excerpts.elements(&[mark(2, "b"), mark(1, "a")]);
        let group = Group::with_title(Level::ERROR.primary_title("x")).elements(elements);
        let text = renderer(false, 80).render(&[group]);
        assert!(text.contains("int b;\n") && !text.contains('\u{240d}'), "{text}");
    }

    #[test]
    fn a_missing_file_has_no_lines() {
        assert_eq!(Excerpts::default().line("/nonexistent/a.c", 1), None);
    }
}
