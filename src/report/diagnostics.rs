//! Messages about the input, with excerpts.

use super::excerpt::{Excerpts, renderer};
use crate::base::{Diagnostic, Severity, SourceMap, Span};
use annotate_snippets::{AnnotationKind, Group, Level, Snippet, normalize_untrusted_str};

/// Characters of a line.
const WIDTH: usize = 120;

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

/// A message about texts at hand (rule files), each place with its excerpt; ends in a newline.
pub fn render_marked(severity: Severity, message: &str, places: &[Marked<'_>], colour: bool) -> String {
    let mut group = Group::with_title(level(severity).primary_title(normalize_untrusted_str(message)));
    for (i, place) in places.iter().enumerate() {
        let kind = if i == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
        let end = place.range.end.min(place.text.len());
        let span = place.range.start.min(end)..end;
        let label = place.label.as_deref().map(normalize_untrusted_str);
        group = group.element(
            Snippet::source(place.text).path(place.file).line_start(1).annotation(kind.span(span).label(label)),
        );
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
