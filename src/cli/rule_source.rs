//! Users' rules from files and the command line, and the mistakes in them.

use super::exit::{CliError, ExitStatus};
use super::output::tell;
use crate::base::Severity;
use crate::datalog::language;
use crate::datalog::language::error::Diagnostic;
use crate::datalog::language::text::{Span, Texts};
use crate::datalog::users::{Composed, Source, SourceKind, compose};
use crate::report::{Marked, render_marked};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// Mistakes told of one program.
const MOST_TOLD: usize = 50;

/// The rule files of these paths.
pub fn read_rules(files: &[PathBuf]) -> Result<Vec<Source>, CliError> {
    let read = |path: &PathBuf| {
        let name = language::load::normal(&path.to_string_lossy());
        let text = std::fs::read_to_string(path).map_err(|e| CliError::Usage(format!("{}: {e}", path.display())))?;
        Ok(Source { name, text, kind: SourceKind::File })
    };
    files.iter().map(read).collect()
}

/// A query from the command line.
pub fn query_source(text: &str) -> Source {
    Source { name: "<query>".to_owned(), text: text.to_owned(), kind: SourceKind::Query }
}

/// One program of these, or all that is wrong with them, told on standard error.
pub fn compose_rules(sources: &[Source]) -> Result<Composed, CliError> {
    let mut read = |path: &str| std::fs::read_to_string(Path::new(path)).map_err(|error| error.to_string());
    match compose(sources, &mut read) {
        Ok(composed) => {
            tell_mistakes(&composed.ast.texts, &composed.warnings);
            Ok(composed)
        }
        Err(rejected) => {
            tell_mistakes(&rejected.program.texts, &rejected.diagnostics);
            Err(CliError::Told(ExitStatus::Usage))
        }
    }
}

/// Tells mistakes with their lines.
fn tell_mistakes(texts: &Texts, diagnostics: &[Diagnostic]) {
    let colour = std::io::stderr().is_terminal();
    diagnostics.iter().take(MOST_TOLD).for_each(|diagnostic| tell(&mistake(texts, diagnostic, colour)));
    if diagnostics.len() > MOST_TOLD {
        tell(&format!("... and {} more", diagnostics.len() - MOST_TOLD));
    }
}

/// A mistake with its lines, as users see it.
pub fn mistake(texts: &Texts, diagnostic: &Diagnostic, colour: bool) -> String {
    let severity = match diagnostic.severity() {
        language::Severity::Error => Severity::Error,
        language::Severity::Warning => Severity::Warning,
    };
    let mut places = vec![marked(texts, diagnostic.span(), None)];
    places.extend(diagnostic.related().map(|(span, label)| marked(texts, span, Some(label))));
    let places: Vec<Marked<'_>> = places.into_iter().flatten().collect();
    render_marked(severity, &diagnostic.to_string(), &places, colour)
}

fn marked(texts: &Texts, span: Span, label: Option<String>) -> Option<Marked<'_>> {
    let file = texts.files.get(span.file as usize)?;
    Some(Marked { file: &file.name, text: &file.text, range: span.start as usize..span.end as usize, label })
}
