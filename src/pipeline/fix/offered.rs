//! The fixes of a whole report.

use super::edit::characters_before;
use super::recheck::{Fix, fix_for};
use crate::pipeline::check::Report;
use crate::pipeline::error::Error;
use crate::pipeline::listener::Listener;
use crate::pipeline::request::Request;
use crate::verdict::{Finding, Mending, Replacement, VerdictKind};
use std::sync::Arc;

/// Edits for the first `most` definite findings of a report that nobody has suppressed, which `asked` has asked for.
///
/// # Errors
/// The program cannot be checked again.
pub fn mendings(
    report: &Report,
    most: usize,
    asked: &Request,
    listener: &Arc<dyn Listener>,
) -> Result<Vec<Mending>, Error> {
    let is_wanted = |f: &&Finding| f.verdict.kind() == VerdictKind::Definite && f.standing.is_open();
    let mut found = Vec::new();
    for finding in report.analysis.findings.iter().filter(is_wanted).take(most) {
        if let Ok(fix) = fix_for(finding, report, asked, listener)? {
            found.push(mending(finding, fix));
        }
    }
    Ok(found)
}

fn mending(finding: &Finding, Fix { name, title, text, edits, .. }: Fix) -> Mending {
    let place = |at: usize| characters_before(&text, at);
    let replacement = |edit: &super::edit::Edit| Replacement {
        start: place(edit.at),
        end: place(edit.at + edit.removed),
        text: edit.text.clone(),
    };
    let replacements = edits.iter().map(replacement).collect();
    Mending { finding: finding.id.clone(), title, file: name, replacements }
}
