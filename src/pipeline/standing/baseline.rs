//! An earlier report to compare with.

use crate::pipeline::error::Error;
use crate::verdict::{Baseline, Finding, VerdictKind};
use rustc_hash::FxHashMap;
use serde::Deserialize;
use std::path::Path;

/// The verdicts of an earlier report, by the findings' ids.
#[derive(Debug, Default)]
pub struct Earlier(FxHashMap<String, VerdictKind>);

/// The part of a JSON report that is compared.
#[derive(Deserialize)]
struct Report {
    findings: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    id: String,
    verdict: String,
}

impl Earlier {
    /// The report that `check --format json` has written to `path`.
    pub fn read(path: &Path) -> Result<Earlier, Error> {
        let name = path.display();
        let text =
            std::fs::read_to_string(path).map_err(|e| Error::Usage(format!("cannot read the baseline {name}: {e}")))?;
        let report: Report = serde_json::from_str(&text)
            .map_err(|e| Error::Usage(format!("{name} is no report of `check --format json`: {e}")))?;
        let mut verdicts = FxHashMap::default();
        for entry in report.findings {
            let Some(kind) = VerdictKind::ALL.into_iter().find(|k| k.name() == entry.verdict) else {
                return Err(Error::Usage(format!("{name}: finding {} has no known verdict", entry.id)));
            };
            verdicts.insert(entry.id, kind);
        }
        Ok(Earlier(verdicts))
    }

    /// Where a finding stands against the report. Verdicts are ordered from worst to best.
    pub fn compare(&self, finding: &Finding) -> Baseline {
        match self.0.get(&finding.id) {
            None => Baseline::New,
            Some(before) if *before <= finding.verdict.kind() => Baseline::Known,
            Some(_) => Baseline::Worse,
        }
    }
}
