//! One report of the reports of all parts of a run.
//!
//! Findings are taken over as they stand. That none is missing, there twice, or of another run is checked by their
//! places among all and by a digest that every part has.

use super::json::{Counts, ReportParts, encode};
use crate::verdict::{GapKind, Part, VerdictKind, count_places, part_digest};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet};

/// A whole report.
#[derive(Debug, PartialEq, Eq)]
pub struct Merged {
    pub text: String,
    /// Whether something in it is definite, or found by a rule, and neither suppressed nor known.
    pub is_definite: bool,
    /// Whether some file could not be read.
    pub is_unread: bool,
}

/// Why reports cannot be merged.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    #[error("{name} is no report of `check --format json`: {why}")]
    Form { name: String, why: String },
    #[error("{name} is a whole report, not that of a part (`check --shard I/N`)")]
    Whole { name: String },
    #[error("{name} and {first} differ in {what}: they are not of one run")]
    Differ { first: String, name: String, what: &'static str },
    #[error("part {index} is there twice: {first} and {name}")]
    Twice { index: u32, first: String, name: String },
    #[error("there are {of} parts, of which these are missing: {missing}")]
    Missing { of: u32, missing: String },
    #[error("the parts do not have every finding once; some report was changed")]
    Changed,
}

#[derive(Deserialize)]
struct Report<'a> {
    tool: String,
    #[serde(borrow)]
    version: &'a RawValue,
    partial: Option<String>,
    #[serde(borrow)]
    program: &'a RawValue,
    part: Option<Part>,
    #[serde(borrow)]
    findings: Vec<&'a RawValue>,
    #[serde(borrow)]
    unsupported: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct Gap {
    kind: String,
}

/// What has to be known of a finding.
#[derive(Deserialize)]
struct Entry {
    id: String,
    check: String,
    verdict: String,
    line: u32,
    message: String,
    engine: String,
    group: Option<String>,
    suppressed: Option<serde::de::IgnoredAny>,
    baseline: Option<String>,
}

/// A report by its name, and which part it is.
struct Named<'a> {
    name: &'a str,
    report: Report<'a>,
    part: Part,
}

/// The report of the run whose parts `reports` are, by name and text; `rules` is the engine of what rules find.
pub fn merge_reports(reports: &[(String, String)], rules: &str) -> Result<Merged, MergeError> {
    let mut parts = reports.iter().map(|(name, text)| read(name, text)).collect::<Result<Vec<_>, _>>()?;
    parts.sort_by_key(|named| named.part.index);
    let Some(first) = parts.first() else { return Err(MergeError::Missing { of: 0, missing: "all".to_owned() }) };
    for other in &parts[1..] {
        same_run(first, other)?;
    }
    complete(&parts)?;
    let mut ranked: Vec<(usize, &RawValue)> = Vec::new();
    for Named { report, part, .. } in &parts {
        ranked.extend(part.ranks.iter().copied().zip(report.findings.iter().copied()));
    }
    ranked.sort_by_key(|(rank, _)| *rank);
    let every_rank_once = ranked.iter().enumerate().all(|(at, (rank, _))| at == *rank);
    if !every_rank_once || ranked.len() != first.part.findings {
        return Err(MergeError::Changed);
    }
    let findings: Vec<&str> = ranked.iter().map(|(_, finding)| finding.get()).collect();
    let entries = findings.iter().map(|text| serde_json::from_str::<Entry>(text)).collect::<Result<Vec<_>, _>>();
    let entries = entries.map_err(|_| MergeError::Changed)?;
    let told = entries.iter().map(|e| (e.id.as_str(), e.check.as_str(), e.line, e.message.clone()));
    if part_digest(told) != first.part.digest {
        return Err(MergeError::Changed);
    }
    let kinds = entries.iter().map(Entry::kind).collect::<Option<Vec<_>>>().ok_or(MergeError::Changed)?;
    let mut total: BTreeMap<VerdictKind, usize> = BTreeMap::new();
    kinds.iter().for_each(|kind| *total.entry(*kind).or_insert(0) += 1);
    let places = count_places(entries.iter().map(Entry::place).zip(kinds));
    let partial: BTreeSet<&str> = parts.iter().filter_map(|named| named.report.partial.as_deref()).collect();
    let partial = (!partial.is_empty()).then(|| partial.into_iter().collect::<Vec<_>>().join("; "));
    let gaps: Vec<&str> = first.report.unsupported.iter().map(|gap| gap.get()).collect();
    let whole = ReportParts {
        version: first.report.version.get(),
        partial: &encode(&partial),
        program: first.report.program.get(),
        part: None,
        change: None,
        summary: &encode(&Counts::of(&total)),
        places: &encode(&Counts::of(&places)),
        findings: &findings,
        gaps: &gaps,
    };
    let is_file = |text: &&str| serde_json::from_str::<Gap>(text).is_ok_and(|gap| gap.kind == GapKind::File.name());
    Ok(Merged {
        text: whole.join(),
        is_definite: entries.iter().any(|entry| entry.asks_to_be_acted_on(rules)),
        is_unread: gaps.iter().any(is_file),
    })
}

fn read<'a>(name: &'a str, text: &'a str) -> Result<Named<'a>, MergeError> {
    let wrong = |why: String| MergeError::Form { name: name.to_owned(), why };
    let report: Report<'a> = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
    if report.tool != "cellog" {
        return Err(wrong(format!("it is of the tool {}", report.tool)));
    }
    let part = report.part.clone().ok_or_else(|| MergeError::Whole { name: name.to_owned() })?;
    if part.ranks.len() != report.findings.len() {
        return Err(MergeError::Changed);
    }
    Ok(Named { name, report, part })
}

fn same_run(first: &Named<'_>, other: &Named<'_>) -> Result<(), MergeError> {
    let gaps = |named: &Named<'_>| named.report.unsupported.iter().map(|gap| gap.get().to_owned()).collect::<Vec<_>>();
    let (a, b) = (&first.report, &other.report);
    let differences = [
        (a.version.get() != b.version.get(), "the tool's version"),
        (a.program.get() != b.program.get(), "the program"),
        (first.part.of != other.part.of, "the number of parts"),
        (gaps(first) != gaps(other), "what is unsupported"),
        (first.part.findings != other.part.findings || first.part.digest != other.part.digest, "the findings"),
    ];
    match differences.into_iter().find(|(differ, _)| *differ) {
        Some((_, what)) => Err(MergeError::Differ { first: first.name.to_owned(), name: other.name.to_owned(), what }),
        None => Ok(()),
    }
}

/// Whether `parts`, sorted by number, are all there are, each once.
fn complete(parts: &[Named<'_>]) -> Result<(), MergeError> {
    for pair in parts.windows(2) {
        if pair[0].part.index == pair[1].part.index {
            let (first, name) = (pair[0].name.to_owned(), pair[1].name.to_owned());
            return Err(MergeError::Twice { index: pair[0].part.index, first, name });
        }
    }
    let of = parts[0].part.of;
    let there: BTreeSet<u32> = parts.iter().map(|named| named.part.index).collect();
    let missing: Vec<String> =
        (1..=of).filter(|index| !there.contains(index)).take(10).map(|index| index.to_string()).collect();
    if missing.is_empty() { Ok(()) } else { Err(MergeError::Missing { of, missing: missing.join(", ") }) }
}

impl Entry {
    /// None of a verdict that there is not.
    fn kind(&self) -> Option<VerdictKind> {
        VerdictKind::ALL.into_iter().find(|kind| kind.name() == self.verdict)
    }

    /// The same for all checks of one access.
    fn place(&self) -> &str {
        self.group.as_ref().unwrap_or(&self.id)
    }

    fn asks_to_be_acted_on(&self, rules: &str) -> bool {
        let is_open = self.suppressed.is_none() && self.baseline.as_deref() != Some("known");
        is_open && (self.verdict == VerdictKind::Definite.name() || self.engine == rules)
    }
}

#[cfg(test)]
mod tests {
    use super::super::render_json;
    use super::super::sample::sample;
    use super::*;

    const RULES: &str = "rules";

    /// The sample's report in two parts, of which the first has the findings with these ranks.
    fn parts(first: &[usize]) -> Vec<(String, String)> {
        let whole = sample();
        let told = whole.findings.iter().map(|f| (f.id.as_str(), f.check.name(), f.location.line, f.message()));
        let digest = part_digest(told);
        let part = |index: u32| {
            let ranks: Vec<usize> = (0..whole.findings.len()).filter(|r| first.contains(r) == (index == 1)).collect();
            let mut own = sample();
            own.findings = ranks.iter().map(|rank| whole.findings[*rank].clone()).collect();
            own.part = Some(Part { index, of: 2, findings: whole.findings.len(), ranks, digest: digest.clone() });
            (format!("{index}.json"), render_json(&own))
        };
        vec![part(2), part(1)]
    }

    #[test]
    fn parts_make_the_whole_report() {
        for first in [&[0, 3][..], &[], &[0, 1, 2, 3, 4]] {
            let merged = merge_reports(&parts(first), RULES).expect("they are all of one run");
            assert_eq!(merged.text, render_json(&sample()));
            assert!(merged.is_definite);
        }
    }

    #[test]
    fn what_is_not_all_of_one_run_is_refused() {
        let good = || parts(&[0, 3]);
        let error = |reports: &[(String, String)]| merge_reports(reports, RULES).expect_err("refused").to_string();
        assert_eq!(error(&good()[..1]), "there are 2 parts, of which these are missing: 1");
        let twice = [&good()[..], &good()[..1]].concat();
        assert_eq!(error(&twice), "part 2 is there twice: 2.json and 2.json");
        let changed = |from: &str, to: &str| {
            let mut reports = good();
            assert!(reports[0].1.contains(from), "{from} in {}", reports[0].1);
            reports[0].1 = reports[0].1.replace(from, to);
            error(&reports)
        };
        assert_eq!(
            changed("\"of\":2", "\"of\":3"),
            "2.json and 1.json differ in the number of parts: they are not of one run"
        );
        assert!(changed("lp64", "ilp32").contains("differ in the program"));
        assert!(changed("ioctl", "fcntl").contains("differ in what is unsupported"));
        assert!(changed("\"line\":4,\"column\":10", "\"line\":5,\"column\":10").starts_with("the parts do not have"));
        assert!(changed("[1,2,4]", "[1,2,3]").starts_with("the parts do not have"));
        assert!(changed("[1,2,4]", "[1,2]").starts_with("the parts do not have"));
        assert!(changed("\"tool\":\"cellog\"", "\"tool\":\"other\"").starts_with("2.json is no report"));
        let whole = [("w.json".to_owned(), render_json(&sample()))];
        assert!(error(&whole).starts_with("w.json is a whole report"));
    }
}
