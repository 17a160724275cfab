//! Mistakes in rules of users, shown with their lines.

use super::output::tell;
use crate::base::Severity;
use crate::datalog::language;
use crate::datalog::language::error::Diagnostic;
use crate::datalog::language::text::{Span, Texts};
use crate::datalog::users::{Composed, Source};
use crate::pipeline::error::Error;
use crate::pipeline::rules::source;
use crate::pipeline::rules::strategy::StrategyRules;
use crate::report::{Marked, render_marked};
use std::io::IsTerminal;
use std::path::PathBuf;

/// Mistakes told of one program.
const MOST_TOLD: usize = 50;

/// One program of these, whose warnings are told.
pub fn compose_rules(sources: &[Source]) -> Result<Composed, Error> {
    source::compose_rules(sources).inspect(tell_warnings)
}

/// Tells what may be wrong with rules.
pub fn tell_warnings(composed: &Composed) {
    tell_mistakes(&composed.ast.texts, &composed.warnings);
}

/// Tells mistakes with their lines.
pub fn tell_mistakes(texts: &Texts, diagnostics: &[Diagnostic]) {
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

/// Reads the rules of `--strategy`, and tells of their warnings.
pub fn read_strategy(files: &[PathBuf]) -> Result<Option<StrategyRules>, Error> {
    let rules = StrategyRules::new(files)?;
    rules.iter().for_each(|rules| tell_warnings(&rules.composed));
    Ok(rules)
}
