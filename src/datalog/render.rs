//! Diagnostics of rules as text with source excerpts.
use super::language::text::{Span, Texts};
use super::language::{Diagnostic, Severity};
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

/// Lines longer than this are named but not shown.
const LONGEST_LINE: usize = 1000;

/// All diagnostics, one after the other, without colours.
pub fn render(texts: &Texts, diagnostics: &[Diagnostic]) -> String {
    let renderer = Renderer::plain();
    let mut out = String::new();
    for diagnostic in diagnostics {
        let level = match diagnostic.severity() {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let related = diagnostic.related();
        let group = Group::with_title(level.primary_title(diagnostic.to_string()));
        let span = diagnostic.span();
        let group = match related.as_ref() {
            Some((second, note)) if second.file == span.file => excerpt(group, texts, span, Some((*second, note))),
            Some((second, note)) => excerpt(excerpt(group, texts, span, None), texts, *second, Some((*second, note))),
            None => excerpt(group, texts, span, None),
        };
        out += &renderer.render(&[group]);
        out += "\n\n";
    }
    out
}

/// Adds the lines of a span, and of a second one of the same file, to a message.
fn excerpt<'a>(group: Group<'a>, texts: &'a Texts, span: Span, second: Option<(Span, &'a String)>) -> Group<'a> {
    let Some(file) = texts.files.get(span.file as usize) else { return group };
    let spans = [Some(span), second.map(|(span, _)| span)];
    if spans.into_iter().flatten().any(|span| longest_line(&file.text, span) > LONGEST_LINE) {
        let (line, column) = texts.line_column(span);
        return group.element(Origin::path(&file.name).line(line).char_column(column));
    }
    let mut snippet = Snippet::source(&file.text).path(&file.name);
    if second.is_none_or(|(other, _)| other != span) {
        snippet = snippet.annotation(AnnotationKind::Primary.span(range(&file.text, span)));
    }
    if let Some((second, note)) = second {
        snippet = snippet.annotation(AnnotationKind::Context.span(range(&file.text, second)).label(note));
    }
    group.element(snippet)
}

/// The span as a range of whole characters of the text.
fn range(text: &str, span: Span) -> std::ops::Range<usize> {
    let boundary = |at: u32| {
        let mut at = (at as usize).min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = boundary(span.start);
    start..boundary(span.end).max(start)
}

fn longest_line(text: &str, span: Span) -> usize {
    let range = range(text, span);
    let start = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[range.end..].find('\n').map_or(text.len(), |at| range.end + at);
    text[start..end].split('\n').map(str::len).max().unwrap_or(0)
}
