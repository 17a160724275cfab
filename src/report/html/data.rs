//! What the page shows: the JSON report's objects with what a reader of sources needs besides.

use super::insight::{FunctionData, LoopData, VariableData, functions, loop_data, variables};
use crate::report::Excerpts;
use crate::report::json::{Counts, FindingObject, GapObject, ProgramObject, finding_object, gap_object};
use crate::verdict::{Analysis, Check, Finding, Verdict, VerdictKind};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Bytes of one file and of all files that the page may hold.
const LARGEST_FILE: usize = 4 << 20;
const LARGEST_PAGE: usize = 32 << 20;

/// The page's data.
#[derive(Serialize)]
pub(super) struct Data<'a> {
    version: &'static str,
    partial: &'a Option<String>,
    program: ProgramObject<'a>,
    summary: Counts,
    checks: Vec<CheckData<'a>>,
    findings: Vec<FindingData<'a>>,
    unsupported: Vec<GapObject<'a>>,
    files: Vec<FileData>,
    functions: Vec<FunctionData<'a>>,
    globals: BTreeMap<&'a str, VariableData<'a>>,
    loops: Vec<LoopData<'a>>,
    /// What is not known of variables and loops, and why.
    missing: &'a [String],
}

#[derive(Serialize)]
struct CheckData<'a> {
    name: &'a str,
    explanation: String,
    advice: &'static str,
    counts: BTreeMap<&'static str, usize>,
}

#[derive(Serialize)]
struct FindingData<'a> {
    #[serde(flatten)]
    object: FindingObject<'a>,
    /// The precondition in clauses, but for inputs that do not matter.
    when: Vec<String>,
    /// Where the subject stands in its line: columns in characters from 1, the end excluded.
    columns: [u32; 2],
}

#[derive(Serialize)]
struct FileData {
    name: String,
    lines: Vec<String>,
    /// The worst verdict of each line that has check sites.
    state: BTreeMap<u32, &'static str>,
}

pub(super) fn data<'a>(analysis: &'a Analysis, excerpts: &mut Excerpts, verbose: bool) -> Data<'a> {
    let summary = analysis.summary();
    let insight = analysis.insight.as_ref();
    let shown = analysis.findings.iter().filter(|f| f.verdict.kind().is_shown(verbose, false));
    let findings: Vec<FindingData<'a>> = shown.map(|f| finding(f, excerpts)).collect();
    Data {
        version: env!("CARGO_PKG_VERSION"),
        partial: &analysis.incomplete,
        program: ProgramObject::of(analysis),
        summary: Counts::of(&summary.total),
        checks: checks(analysis),
        findings,
        unsupported: analysis.gaps.iter().map(gap_object).collect(),
        files: files(analysis, excerpts),
        functions: functions(analysis),
        globals: variables(insight.map_or(&[], |i| &i.globals)),
        loops: insight.map_or(&[][..], |i| &i.loops).iter().map(loop_data).collect(),
        missing: insight.map_or(&[], |i| &i.missing),
    }
}

fn finding<'a>(finding: &'a Finding, excerpts: &mut Excerpts) -> FindingData<'a> {
    let place = &finding.location;
    let columns = excerpts.columns(&place.file, place.line, place.column, &finding.subject).unwrap_or(0..0);
    let when = match &finding.verdict {
        Verdict::Definite(failure) => {
            failure.precondition.iter().filter(|i| !i.any).map(|i| i.clause(&place.file)).collect()
        }
        _ => Vec::new(),
    };
    FindingData { object: finding_object(finding), when, columns: [columns.start, columns.end] }
}

fn checks(analysis: &Analysis) -> Vec<CheckData<'_>> {
    let mut counts: BTreeMap<&Check, BTreeMap<&'static str, usize>> = BTreeMap::new();
    for finding in &analysis.findings {
        *counts.entry(&finding.check).or_default().entry(finding.verdict.kind().name()).or_insert(0) += 1;
    }
    counts
        .into_iter()
        .map(|(check, counts)| CheckData {
            name: check.name(),
            explanation: check.explanation(),
            advice: check.advice(),
            counts,
        })
        .collect()
}

/// The files that findings or their traces lie in, as far as they can be read and the page has room.
fn files(analysis: &Analysis, excerpts: &mut Excerpts) -> Vec<FileData> {
    let mut state: BTreeMap<&str, BTreeMap<u32, VerdictKind>> = BTreeMap::new();
    let mut names: BTreeSet<&str> = analysis.files.iter().map(String::as_str).collect();
    for finding in &analysis.findings {
        names.insert(&finding.location.file);
        if finding.location.line > 0 {
            let lines = state.entry(&finding.location.file).or_default();
            let kind = finding.verdict.kind();
            lines.entry(finding.location.line).and_modify(|k| *k = kind.min(*k)).or_insert(kind);
        }
        if let Verdict::Definite(failure) = &finding.verdict {
            names.extend(failure.trace.iter().map(|s| s.location.file.as_str()));
        }
    }
    let mut room = LARGEST_PAGE;
    let mut files = Vec::new();
    for name in names {
        let Some(text) = excerpts.text(name).filter(|t| t.len() <= LARGEST_FILE.min(room)) else { continue };
        room -= text.len();
        let lines = text.lines().map(str::to_owned).collect();
        let state = state.remove(name).unwrap_or_default();
        let state = state.into_iter().map(|(line, kind)| (line, kind.name())).collect();
        files.push(FileData { name: name.to_owned(), lines, state });
    }
    files
}
