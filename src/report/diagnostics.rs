//! Messages about the input, with excerpts.

use super::excerpt::{Excerpts, renderer};
use crate::base::{Diagnostic, Severity, SourceMap, Span};
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Snippet, normalize_untrusted_str};

/// Characters of a line.
const WIDTH: usize = 120;

/// Lines of more bytes are named but not shown.
const LONGEST_LINE: usize = 1000;

/// The diagnostic as text of some lines, ending in a newline.
pub fn render_diagnostic(
    diagnostic: &Diagnostic,
    sources: &SourceMap,
    excerpts: &mut Excerpts,
    colour: bool,
) -> String {
    let mut element = |span: Span| {
        (span.line > 0).then(|| excerpts.element(sources.name(span.file), span.line, span.column, "", None)).flatten()
    };
    let title = level(diagnostic.severity).primary_title(normalize_untrusted_str(&diagnostic.message));
    let mut first = Group::with_title(title).elements(element(diagnostic.span));
    if let Some(help) = &diagnostic.help {
        first = first.element(Level::HELP.message(normalize_untrusted_str(help)));
    }
    let mut report = vec![first];
    for (span, note) in &diagnostic.notes {
        let title = Level::NOTE.secondary_title(normalize_untrusted_str(note));
        report.push(Group::with_title(title).elements(element(*span)));
    }
    format!("{}\n", renderer(colour, WIDTH).render(&report))
}

/// A range of bytes of a text at hand, with what to say there.
#[derive(Debug)]
pub struct Marked<'a> {
    pub file: &'a str,
    pub text: &'a str,
    pub range: std::ops::Range<usize>,
    pub label: Option<String>,
}

impl Marked<'_> {
    /// The range, of whole characters.
    fn characters(&self) -> std::ops::Range<usize> {
        let boundary = |at: usize| {
            let mut at = at.min(self.text.len());
            while !self.text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let start = boundary(self.range.start);
        start..boundary(self.range.end).max(start)
    }
    /// Bytes of the longest line that it lies in.
    fn longest_line(&self) -> usize {
        let range = self.characters();
        let start = self.text[..range.start].rfind('\n').map_or(0, |at| at + 1);
        let end = self.text[range.end..].find('\n').map_or(self.text.len(), |at| range.end + at);
        self.text[start..end].split('\n').map(str::len).max().unwrap_or(0)
    }
    /// The file with line and column.
    fn origin(&self) -> Origin<'_> {
        let before = &self.text[..self.characters().start];
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let (line, column) = (1 + before.matches('\n').count(), 1 + before[start..].chars().count());
        Origin::path(self.file).line(line).char_column(column)
    }
}

/// A message about texts at hand (rule files), with an excerpt of each file; ends in a newline. Lines that are too long are named.
pub fn render_marked(severity: Severity, message: &str, places: &[Marked<'_>], colour: bool) -> String {
    let mut group = Group::with_title(level(severity).primary_title(normalize_untrusted_str(message)));
    let mut left = places;
    while let Some(first) = left.first() {
        let (here, others) = left.split_at(left.iter().take_while(|place| place.file == first.file).count());
        left = others;
        if here.iter().any(|place| place.longest_line() > LONGEST_LINE) {
            group = group.element(first.origin());
            continue;
        }
        let annotations = here.iter().enumerate().filter_map(|(i, place)| {
            // Of two at one place the one with a label is shown.
            let again = here[i + 1..].iter().any(|other| other.range == place.range && other.label.is_some());
            let kind = if std::ptr::eq(place, &places[0]) { AnnotationKind::Primary } else { AnnotationKind::Context };
            let label = place.label.as_deref().map(normalize_untrusted_str);
            (!again).then(|| kind.span(place.characters()).label(label))
        });
        group = group.element(Snippet::source(first.text).path(first.file).line_start(1).annotations(annotations));
    }
    format!("{}\n", renderer(colour, WIDTH).render(&[group]))
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn a_diagnostic_shows_its_line_and_advice() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(dir.path().join("a.c"), "int f(void) {\n\treturn x;\n}\n").expect("a file");
        let mut sources = SourceMap::default();
        let file = sources.intern("a.c");
        let span = Span { file, line: 2, column: 9 };
        let diagnostic = Diagnostic::error(span, "`x` is not declared")
            .with_help("declare it")
            .with_note(Span { file, line: 900, column: 1 }, "beyond the file");
        let mut excerpts = Excerpts::new(vec![dir.path().to_owned()]);
        expect![[r#"
            error: `x` is not declared
             --> a.c:2:9
              |
            2 |     return x;
              |            ^
              |
              = help: declare it
            note: beyond the file
             --> a.c:900:1
        "#]]
        .assert_eq(&render_diagnostic(&diagnostic, &sources, &mut excerpts, false));
    }

    #[test]
    fn a_diagnostic_without_place_is_a_line() {
        let text = render_diagnostic(
            &Diagnostic::warning(Span::NONE, "b\u{1b}[31mad"),
            &SourceMap::default(),
            &mut Excerpts::default(),
            false,
        );
        assert!(text.starts_with("warning: b") && !text.contains('\u{1b}'), "{text}");
    }
}
