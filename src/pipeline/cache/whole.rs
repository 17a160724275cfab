//! A whole report as it is before comments and configuration have their say: for runs that ask for the same report of the
//! same text, which then need not be parsed.

use super::remarks::own;
use crate::base::{Diagnostic, SourceMap};
use crate::ir::{AccessMode, CheckKind, SiteId};
use crate::pipeline::sources::{Loaded, Said};
use crate::verdict::{
    Access, Analysis, Cause, Check, Doubt, Earlier, Finding, Gap, Location, Rank, Reason, Standing, Verdict, Weakness,
    weakness,
};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A finding of the front end's or the engines' own checks.
#[derive(Debug, Serialize, Deserialize)]
struct FindingRecord {
    id: String,
    site: SiteId,
    check: String,
    location: Location,
    function: String,
    subject: String,
    verdict: Verdict,
    engine: String,
    /// The number of the weakness.
    weakness: Option<u16>,
    after_error: Vec<Earlier>,
    access: Option<Access>,
    cause: Option<Cause>,
    doubt: Option<Doubt>,
    rank: Option<Rank>,
}

/// A report, and what its user was told besides.
#[derive(Debug, Serialize, Deserialize)]
pub struct WholeRecord {
    files: Vec<String>,
    entry: String,
    arch: String,
    findings: Vec<FindingRecord>,
    gaps: Vec<Gap>,
    diagnostics: Vec<Diagnostic>,
    /// The names of all files, in the order of their numbers.
    sources: Vec<String>,
    remarks: Vec<String>,
    /// The time limit that was not enough to decide all that there was to decide, if it was not.
    starved_in: Option<f64>,
}

/// A report of an earlier run, ready to be shown.
#[derive(Debug)]
pub struct Whole {
    pub analysis: Analysis,
    /// Folders that names in it may be relative to.
    pub folders: Vec<PathBuf>,
    diagnostics: Vec<Diagnostic>,
    sources: SourceMap,
}

impl Whole {
    /// What its user is told about the input.
    pub fn said(&self) -> Said<'_> {
        Said { unread: &[], folders: &self.folders, diagnostics: &self.diagnostics, sources: &self.sources }
    }
}

impl WholeRecord {
    /// What is kept of `analysis` and the remarks on it; `starved_in`: the time limit, if it was not enough. None of a partial
    /// report, or one that says more than what follows from the text.
    pub fn of(
        analysis: &Analysis,
        loaded: &Loaded,
        remarks: &[String],
        starved_in: Option<f64>,
    ) -> Option<WholeRecord> {
        // Every field is named, so that none is forgotten.
        let Analysis { files, entry, arch, findings, gaps, incomplete, excluded, untouched, mendings, insight, part } =
            analysis;
        let is_plain = incomplete.is_none()
            && *excluded == 0
            && untouched.is_none()
            && insight.is_none()
            && part.is_none()
            && mendings.is_empty();
        if !is_plain || !loaded.unread.is_empty() {
            return None;
        }
        let sources = &loaded.program.sources;
        Some(WholeRecord {
            files: files.clone(),
            entry: entry.clone(),
            arch: arch.clone(),
            findings: findings.iter().map(FindingRecord::of).collect::<Option<_>>()?,
            gaps: gaps.clone(),
            diagnostics: loaded.program.diagnostics.clone(),
            sources: sources.files().map(|(_, name)| name.to_owned()).collect(),
            remarks: own(remarks),
            starved_in,
        })
    }

    /// Whether more could be decided in so many `seconds`.
    pub fn wants(&self, seconds: f64) -> bool {
        self.starved_in.is_some_and(|had| seconds > had)
    }

    /// The report, and what the stages said of themselves; None if it is not this program's own.
    pub fn restore(self, folders: Vec<PathBuf>) -> Option<(Whole, Vec<String>)> {
        let mut sources = SourceMap::default();
        for name in &self.sources {
            sources.intern(name);
        }
        let known = sources.files().count() == self.sources.len();
        let inside = |d: &Diagnostic| {
            let mut spans = d.notes.iter().map(|(span, _)| span).chain([&d.span]);
            spans.all(|span| (span.file.0 as usize) < self.sources.len())
        };
        if !known || !self.diagnostics.iter().all(inside) {
            return None;
        }
        let analysis = Analysis {
            files: self.files,
            entry: self.entry,
            arch: self.arch,
            findings: self.findings.into_iter().map(FindingRecord::restore).collect::<Option<_>>()?,
            gaps: self.gaps,
            ..Analysis::default()
        };
        Some((Whole { analysis, folders, diagnostics: self.diagnostics, sources }, self.remarks))
    }
}

impl FindingRecord {
    /// None of what rules found, and of contradictions, which are told by every run.
    fn of(finding: &Finding) -> Option<FindingRecord> {
        let Finding {
            id,
            site,
            check,
            location,
            function,
            subject,
            verdict,
            engine,
            weakness,
            after_error,
            access,
            cause,
            doubt,
            rank,
            standing,
        } = finding;
        let is_plain = *standing == Standing::default();
        let Check::Site(kind) = check else { return None };
        if !is_plain || matches!(verdict, Verdict::Unknown(Reason::Contradiction(_))) {
            return None;
        }
        Some(FindingRecord {
            id: id.clone(),
            site: (*site)?,
            check: kind.name().to_owned(),
            location: location.clone(),
            function: function.clone(),
            subject: subject.clone(),
            verdict: verdict.clone(),
            engine: engine.clone(),
            weakness: weakness.map(|w| w.number),
            after_error: after_error.clone(),
            access: access.clone(),
            cause: cause.clone(),
            doubt: doubt.clone(),
            rank: rank.clone(),
        })
    }

    fn restore(self) -> Option<Finding> {
        let kind = CheckKind::from_name(&self.check)?;
        let weakness = match self.weakness {
            Some(number) => Some(numbered(kind, number)?),
            None => None,
        };
        Some(Finding {
            id: self.id,
            site: Some(self.site),
            check: Check::Site(kind),
            location: self.location,
            function: self.function,
            subject: self.subject,
            verdict: self.verdict,
            engine: self.engine,
            weakness,
            after_error: self.after_error,
            access: self.access,
            cause: self.cause,
            doubt: self.doubt,
            rank: self.rank,
            standing: Standing::default(),
        })
    }
}

/// The weakness of this number that a check of this kind may stand for.
fn numbered(kind: CheckKind, number: u16) -> Option<Weakness> {
    let modes = [None, Some(AccessMode::Read), Some(AccessMode::Write)];
    modes.into_iter().filter_map(|mode| weakness(kind, mode)).find(|w| w.number == number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::{Certificate, SuppressedBy, Suppression};

    fn finding(check: impl Into<Check>, verdict: Verdict) -> Finding {
        let location = Location { file: "a.c".into(), line: 3, column: 7 };
        Finding {
            id: "7".into(),
            site: Some(SiteId(4)),
            weakness: weakness(CheckKind::OutOfBounds, Some(AccessMode::Write)),
            ..Finding::at(check, location, "main", "a[i]", verdict, "forward")
        }
    }

    #[test]
    fn a_finding_is_as_it_was() {
        let safe = Verdict::Safe(Certificate { invariant: "i in [0, 3]".into() });
        for verdict in [safe, Verdict::Possible("i in [0, 4]".into()), Verdict::Unknown(Reason::Budget("60 s".into()))]
        {
            let mut finding = finding(CheckKind::OutOfBounds, verdict);
            let earlier = Location { file: "a.c".into(), line: 2, column: 1 };
            let location = Some(Location { file: "a.c".into(), line: 1, column: 1 });
            finding.cause = Some(Cause { reason: "f is recursive".into(), location });
            finding.access = Some(Access { first: SiteId(3), id: "6".into() });
            finding.after_error = vec![Earlier { site: SiteId(1), id: "8".into(), location: earlier }];
            let record = FindingRecord::of(&finding).expect("it can be kept");
            let bytes = postcard::to_stdvec(&record).expect("it can be written");
            let record: FindingRecord = postcard::from_bytes(&bytes).expect("it can be read");
            assert_eq!(record.restore(), Some(finding));
        }
    }

    #[test]
    fn what_does_not_follow_from_the_text_is_not_kept() {
        let open = || Verdict::Possible(String::new());
        let mut suppressed = finding(CheckKind::OutOfBounds, open());
        suppressed.standing.suppression =
            Some(Suppression { by: SuppressedBy::Comment, reason: "it is read as a file is".into() });
        let ruled = finding(Check::Rule("mine".into()), open());
        let contradiction = Verdict::Unknown(Reason::Contradiction("two say two".into()));
        for other in [suppressed, ruled, finding(CheckKind::OutOfBounds, contradiction)] {
            assert!(FindingRecord::of(&other).is_none(), "{other:?}");
        }
    }

    #[test]
    fn weaknesses_are_told_apart_by_number() {
        for kind in CheckKind::ALL {
            for mode in [None, Some(AccessMode::Read), Some(AccessMode::Write)] {
                let Some(weakness) = weakness(*kind, mode) else { continue };
                assert_eq!(numbered(*kind, weakness.number), Some(weakness));
            }
        }
        assert_eq!(numbered(CheckKind::Shift, 9999), None);
    }
}
