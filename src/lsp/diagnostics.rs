//! Findings at their lines, by file.

use super::study::{Failed, Study};
use super::text::{range, uri_of};
use super::told::SYNTAX;
use crate::base::{Severity, Span};
use crate::pipeline::sources::Loaded;
use crate::pipeline::sources::load::path_in;
use crate::report::{Excerpts, Group, groups};
use crate::verdict::{Failure, Finding, Location, Verdict, VerdictKind};
use lsp_types::{
    CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, NumberOrString, Position, Range,
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Steps of a trace that are shown with a diagnostic: the last ones.
const STEPS: usize = 20;
/// Reasons that are shown of what is open in a file: the first ones.
const REASONS: usize = 20;

/// What the editor gives back when it asks what can be done.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Data {
    pub id: String,
    pub check: String,
    /// The precondition in C terms, of a definite finding.
    pub precondition: Option<String>,
}

/// What is to be shown of a study, by file: what could not be read, definite findings, and what is open by its reasons.
pub fn all_diagnostics(study: &Study) -> BTreeMap<PathBuf, Vec<Diagnostic>> {
    let mut excerpts = Excerpts::new(study.loaded.folders.clone());
    let mut all = of_input(&study.loaded);
    let mut open: BTreeMap<PathBuf, Vec<&Finding>> = BTreeMap::new();
    let mut places: BTreeSet<&str> = BTreeSet::new();
    for finding in study.report.analysis.findings.iter().filter(|f| f.standing.is_open()) {
        let Some(path) = study.path_of(&finding.location) else { continue };
        match finding.verdict.kind() {
            VerdictKind::Definite => {
                all.entry(path).or_default().push(diagnostic(study, finding, &mut excerpts));
            }
            // Of the checks of one access, the first stands for all.
            VerdictKind::Possible | VerdictKind::Unknown if places.insert(finding.place()) => {
                open.entry(path).or_default().push(finding);
            }
            VerdictKind::Possible | VerdictKind::Unknown => {}
            VerdictKind::Unreachable | VerdictKind::Safe => {}
        }
    }
    for (path, findings) in open {
        let groups = groups(findings.into_iter());
        let hints = groups.iter().take(REASONS).map(|group| hint(study, group, &mut excerpts));
        all.entry(path).or_default().extend(hints);
    }
    all
}

/// What is wrong with a program that could not be analysed, by file; nothing where that is not told of a place.
pub fn mistakes(failed: &Failed) -> BTreeMap<PathBuf, Vec<Diagnostic>> {
    let mut all = failed.loaded.as_ref().map(of_input).unwrap_or_default();
    if failed.loaded.is_none() {
        let said = of_compiler(&failed.error.to_string(), &[]);
        all.extend(said);
    }
    all
}

/// What is wrong with the input: declarations that could not be parsed, and files that the preprocessor refuses.
pub fn of_input(loaded: &Loaded) -> BTreeMap<PathBuf, Vec<Diagnostic>> {
    let mut all: BTreeMap<PathBuf, Vec<Diagnostic>> = BTreeMap::new();
    let program = &loaded.program;
    for message in program.diagnostics.iter().filter(|d| d.severity == Severity::Error && d.span != Span::NONE) {
        let Some(path) = path_in(&loaded.folders, program.sources.name(message.span.file)) else { continue };
        let said = mistake(message.span.line, message.span.column, &message.message);
        let list = all.entry(path).or_default();
        if !list.contains(&said) {
            list.push(said);
        }
    }
    for (_, reason) in &loaded.unread {
        for (path, said) in of_compiler(reason, &loaded.folders) {
            all.entry(path).or_default().extend(said);
        }
    }
    all
}

/// The errors in what a compiler prints: `FILE:LINE:COLUMN: error: WORDS`.
fn of_compiler(text: &str, folders: &[PathBuf]) -> BTreeMap<PathBuf, Vec<Diagnostic>> {
    let mut all: BTreeMap<PathBuf, Vec<Diagnostic>> = BTreeMap::new();
    for line in text.lines() {
        let Some((place, words)) = line.split_once(": fatal error: ").or_else(|| line.split_once(": error: ")) else {
            continue;
        };
        let mut parts = place.rsplitn(3, ':');
        let (Some(column), Some(number), Some(name)) = (parts.next(), parts.next(), parts.next()) else { continue };
        let (Ok(column), Ok(number), Some(path)) = (column.parse(), number.parse(), path_in(folders, name)) else {
            continue;
        };
        all.entry(path).or_default().push(mistake(number, column, words));
    }
    all
}

/// Something that is wrong with the text at a place.
fn mistake(line: u32, column: u32, words: &str) -> Diagnostic {
    let at = |column: u32| Position::new(line.saturating_sub(1), column.saturating_sub(1));
    Diagnostic {
        range: Range::new(at(column), at(column + 1)),
        severity: Some(DiagnosticSeverity::ERROR),
        code: Some(NumberOrString::String(SYNTAX.to_owned())),
        source: Some("cellog".to_owned()),
        message: words.to_owned(),
        ..Diagnostic::default()
    }
}

/// What is open for one reason, at its first place; the others are named with it.
fn hint(study: &Study, group: &Group<'_>, excerpts: &mut Excerpts) -> Diagnostic {
    let mut hint = diagnostic(study, group.first, excerpts);
    hint.severity = Some(DiagnosticSeverity::HINT);
    let others: Vec<&&Finding> = group.others.iter().filter(|other| other.id != group.first.id).collect();
    if !others.is_empty() {
        let places = if others.len() == 1 { "place is" } else { "places are" };
        hint.message += &format!("\n{} more {places} open for the same reason: {}", others.len(), group.what());
    }
    let related = |other: &&&Finding| {
        let uri = study.path_of(&other.location).and_then(|path| uri_of(&path))?;
        let location = lsp_types::Location::new(uri, place(&other.location, &other.subject, excerpts));
        Some(DiagnosticRelatedInformation { location, message: other.message() })
    };
    let related: Vec<_> = others.iter().take(STEPS).filter_map(related).collect();
    hint.related_information = Some(related).filter(|related| !related.is_empty());
    hint
}

fn diagnostic(study: &Study, finding: &Finding, excerpts: &mut Excerpts) -> Diagnostic {
    let (home, kind) = (&finding.location.file, finding.verdict.kind().name());
    let precondition = match &finding.verdict {
        Verdict::Definite(failure) => Some(precondition_of(failure, home)),
        _ => None,
    };
    let because = match &finding.verdict {
        Verdict::Definite(_) => format!("when {}", precondition.as_deref().unwrap_or_default()),
        Verdict::Possible(_) | Verdict::Unknown(_) => {
            finding.because().map(|why| format!("because {why}")).unwrap_or_default()
        }
        Verdict::Unreachable(_) | Verdict::Safe(_) => String::new(),
    };
    let data = Data { id: finding.id.clone(), check: finding.check.name().to_owned(), precondition };
    let page = finding.weakness.map(|w| format!("https://cwe.mitre.org/data/definitions/{}.html", w.number));
    Diagnostic {
        range: place(&finding.location, &finding.subject, excerpts),
        severity: Some(DiagnosticSeverity::ERROR),
        code: Some(NumberOrString::String(finding.check.name().to_owned())),
        code_description: page.and_then(|p| p.parse().ok()).map(|href| CodeDescription { href }),
        source: Some("cellog".to_owned()),
        message: format!("{kind}: {}\n{because}", finding.message()),
        related_information: Some(steps(study, finding, excerpts)).filter(|steps| !steps.is_empty()),
        tags: None,
        data: serde_json::to_value(data).ok(),
    }
}

/// The precondition in C terms.
fn precondition_of(failure: &Failure, home: &str) -> String {
    if failure.precondition.is_empty() {
        return "whatever the inputs are".to_owned();
    }
    failure.precondition.iter().map(|input| input.clause(home)).collect::<Vec<_>>().join("\nand ")
}

/// The steps to the error.
fn steps(study: &Study, finding: &Finding, excerpts: &mut Excerpts) -> Vec<DiagnosticRelatedInformation> {
    let Verdict::Definite(failure) = &finding.verdict else { return Vec::new() };
    let last = failure.trace.len().saturating_sub(STEPS);
    let step = |step: &crate::verdict::TraceStep| {
        let uri = study.path_of(&step.location).and_then(|path| uri_of(&path))?;
        let location = lsp_types::Location::new(uri, place(&step.location, "", excerpts));
        Some(DiagnosticRelatedInformation { location, message: step.text.clone() })
    };
    failure.trace[last..].iter().filter_map(step).collect()
}

/// The text at a place.
fn place(location: &Location, subject: &str, excerpts: &mut Excerpts) -> Range {
    let columns = excerpts.columns(&location.file, location.line, location.column, subject);
    let columns = columns.unwrap_or(location.column.max(1)..location.column.max(1));
    let line = excerpts.line(&location.file, location.line).unwrap_or_default();
    range(location.line, line, columns.start, columns.end)
}
