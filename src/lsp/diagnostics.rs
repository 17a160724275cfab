//! Findings at their lines, by file.

use super::study::Study;
use super::text::{range, uri_of};
use crate::report::Excerpts;
use crate::verdict::{Failure, Finding, Location, Verdict, VerdictKind};
use lsp_types::{CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, NumberOrString, Range};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Steps of a trace that are shown with a diagnostic: the last ones.
const STEPS: usize = 20;

/// What the editor gives back when it asks what can be done.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Data {
    pub id: String,
    pub check: String,
    /// The precondition in C terms, of a definite finding.
    pub precondition: Option<String>,
}

/// What is to be shown of the open findings, by file.
pub fn diagnostics(study: &Study) -> BTreeMap<PathBuf, Vec<Diagnostic>> {
    let mut excerpts = Excerpts::new(study.loaded.folders.clone());
    let mut all: BTreeMap<PathBuf, Vec<Diagnostic>> = BTreeMap::new();
    for finding in study.analysis.findings.iter().filter(|f| f.standing.is_open()) {
        let Some(severity) = severity(finding) else { continue };
        let Some(path) = study.path_of(&finding.location) else { continue };
        all.entry(path).or_default().push(diagnostic(study, finding, severity, &mut excerpts));
    }
    all
}

/// How loud a finding is; None for what is decided well.
fn severity(finding: &Finding) -> Option<DiagnosticSeverity> {
    match finding.verdict.kind() {
        VerdictKind::Definite => Some(DiagnosticSeverity::ERROR),
        VerdictKind::Possible => Some(DiagnosticSeverity::WARNING),
        VerdictKind::Unknown => Some(DiagnosticSeverity::INFORMATION),
        VerdictKind::Unreachable | VerdictKind::Safe => None,
    }
}

fn diagnostic(study: &Study, finding: &Finding, severity: DiagnosticSeverity, excerpts: &mut Excerpts) -> Diagnostic {
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
        severity: Some(severity),
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
