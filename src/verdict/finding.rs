//! A verdict at its check site, or what a rule found.

use super::{Check, Doubt, Location, Rank, Standing, Verdict, Weakness, weakness};
use crate::base::Span;
use crate::ir::{CheckSite, Program, SiteId};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A verdict at its check site, or what a rule found at a place.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Depends on the check, the file, the function, the subject and its number among equal ones, not on lines.
    /// Empty until [`assign_ids`].
    pub id: String,
    /// None for what a rule found.
    pub site: Option<SiteId>,
    pub check: Check,
    pub location: Location,
    pub function: String,
    /// What is judged, in C terms; of a rule, its message.
    pub subject: String,
    pub verdict: Verdict,
    /// The engine that the verdict comes from.
    pub engine: String,
    /// What a failure here is called in the Common Weakness Enumeration.
    pub weakness: Option<Weakness>,
    /// Definite errors that the verdict assumes away, by site.
    pub after_error: Vec<Earlier>,
    /// The access that it is one of several checks of.
    pub access: Option<Access>,
    /// What keeps it open, where one thing is known to.
    pub cause: Option<Cause>,
    /// Why a proof fails, in words of C, where it does.
    pub doubt: Option<Doubt>,
    /// Where it stands among what is open.
    pub rank: Option<Rank>,
    pub standing: Standing,
}

/// What keeps a finding open.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Cause {
    pub reason: String,
    /// The call that is not followed, if it is one.
    pub location: Option<Location>,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.location {
            Some(location) => write!(f, "the call at {location} is not followed: {}", self.reason),
            None => f.write_str(&self.reason),
        }
    }
}

/// An access with several checks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Access {
    /// The first of them.
    pub first: SiteId,
    /// The id of that one's finding; empty until [`assign_ids`].
    pub id: String,
}

impl Access {
    /// The access whose first check is `first`.
    pub fn new(first: SiteId) -> Access {
        Access { first, id: String::new() }
    }
}

/// A definite error on the way to a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Earlier {
    pub site: SiteId,
    /// The id of its finding; empty until [`assign_ids`].
    pub id: String,
    pub location: Location,
}

impl Earlier {
    /// The error at `site` of `program`.
    pub fn new(program: &Program, site: SiteId) -> Earlier {
        Earlier { site, id: String::new(), location: locate(program, program.sites[site].span) }
    }
}

impl Finding {
    /// The finding at `site` of `program`; its id is empty until [`assign_ids`].
    pub fn new(program: &Program, site: SiteId, verdict: Verdict, engine: &str) -> Finding {
        let CheckSite { kind, function, span, subject } = &program.sites[site];
        let function = &program.functions[*function].name;
        Finding {
            site: Some(site),
            weakness: weakness(*kind, None),
            ..Finding::at(*kind, locate(program, *span), function, subject, verdict, engine)
        }
    }
    /// A verdict at a place in a function, of which nothing else is known.
    pub fn at(
        check: impl Into<Check>,
        location: Location,
        function: &str,
        subject: &str,
        verdict: Verdict,
        engine: &str,
    ) -> Finding {
        Finding {
            id: String::new(),
            site: None,
            check: check.into(),
            location,
            function: function.to_owned(),
            subject: subject.to_owned(),
            verdict,
            engine: engine.to_owned(),
            weakness: None,
            after_error: Vec::new(),
            access: None,
            cause: None,
            doubt: None,
            rank: None,
            standing: Standing::default(),
        }
    }
    /// The same for all checks of one access: the id of the first of them, else the finding's own.
    pub fn place(&self) -> &str {
        self.access.as_ref().map_or(&self.id, |access| &access.id)
    }
    /// Why it has its verdict, in words; nothing of what is definite.
    pub fn because(&self) -> Option<String> {
        match &self.verdict {
            Verdict::Definite(_) => None,
            Verdict::Possible(state) => {
                let words = self.doubt.as_ref().map(|doubt| doubt.words(&self.location.file));
                Some(words.unwrap_or_else(|| state.clone()))
            }
            Verdict::Unknown(reason) => Some(reason.to_string()),
            Verdict::Unreachable(certificate) | Verdict::Safe(certificate) => Some(certificate.invariant.clone()),
        }
    }
    /// One line that says what goes wrong, or would.
    pub fn message(&self) -> String {
        self.check.message(&self.subject)
    }
}

/// The place of a span, by the file's name as the user gave it.
pub fn locate(program: &Program, span: Span) -> Location {
    Location { file: program.sources.name(span.file).to_owned(), line: span.line, column: span.column }
}

/// Orders findings by file, line, column and check; equal ones by function, subject and site.
pub fn sort_findings(findings: &mut [Finding]) {
    findings.sort_by(|a, b| {
        (&a.location, &a.check, &a.function, &a.subject, a.site).cmp(&(
            &b.location,
            &b.check,
            &b.function,
            &b.subject,
            b.site,
        ))
    });
}

/// Gives every finding its id, and tells it the ids of the errors that it assumes away and of the first check of its access. The findings must be those of all sites of the program and sorted by [`sort_findings`],
/// so that numbers among equal ones do not depend on verdicts.
pub fn assign_ids(findings: &mut [Finding]) {
    let mut seen: FxHashMap<String, u32> = FxHashMap::default();
    for finding in &mut *findings {
        let subject = finding.subject.split_whitespace().collect::<Vec<_>>().join(" ");
        let key = [finding.check.name(), &finding.location.file, &finding.function, &subject].join("\0");
        let number = seen.entry(key.clone()).or_insert(0);
        *number += 1;
        finding.id = format!("{:016x}", fnv1a(format!("{key}\0{number}").as_bytes()));
    }
    let ids: FxHashMap<SiteId, String> = findings.iter().filter_map(|f| Some((f.site?, f.id.clone()))).collect();
    for finding in findings {
        for earlier in &mut finding.after_error {
            earlier.id = ids.get(&earlier.site).cloned().unwrap_or_default();
        }
        if let Some(access) = &mut finding.access {
            access.id = ids.get(&access.first).cloned().unwrap_or_default();
        }
    }
}

/// The 64-bit FNV-1a hash, whose value for given bytes never changes.
/// See: Fowler, Noll, Vo, Eastlake, "The FNV Non-Cryptographic Hash Algorithm" (IETF draft), section 2.
pub(super) fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x0000_0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::CheckKind;
    use crate::verdict::Reason;

    fn finding(line: u32, subject: &str) -> Finding {
        let location = Location { file: "a.c".into(), line, column: 3 };
        let verdict = Verdict::Unknown(Reason::Budget("time".into()));
        let finding = Finding::at(CheckKind::DivByZero, location, "f", subject, verdict, "forward");
        Finding { site: Some(SiteId(line)), ..finding }
    }

    #[test]
    fn errors_that_are_assumed_away_are_named_by_their_ids() {
        let mut later = finding(9, "c / d");
        let earlier = |line| Earlier { site: SiteId(line), id: String::new(), location: later.location.clone() };
        later.after_error = vec![earlier(5), earlier(7)];
        let mut findings = [finding(5, "a / b"), finding(7, "a / b"), later];
        assign_ids(&mut findings);
        let named: Vec<String> = findings[2].after_error.iter().map(|e| e.id.clone()).collect();
        assert_eq!(named, [findings[0].id.clone(), findings[1].id.clone()]);
    }

    #[test]
    fn fnv1a_gives_the_published_values() {
        assert_eq!(fnv1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn ids_survive_line_shifts_and_spacing() {
        let mut before = [finding(5, "a / b"), finding(9, "a / b"), finding(11, "c / d")];
        let mut after = [finding(7, "a /  b"), finding(19, "a / b"), finding(40, "c / d")];
        assign_ids(&mut before);
        assign_ids(&mut after);
        let ids = |fs: &[Finding]| fs.iter().map(|f| f.id.clone()).collect::<Vec<_>>();
        assert_eq!(ids(&before), ids(&after));
        assert_ne!(before[0].id, before[1].id);
        assert_ne!(before[0].id, before[2].id);
    }

    #[test]
    fn findings_are_ordered_by_place_then_check() {
        let mut findings = [finding(9, "x"), finding(5, "y"), finding(5, "x")];
        findings[1].check = CheckKind::Shift.into();
        sort_findings(&mut findings);
        let seen: Vec<_> = findings.iter().map(|f| (f.location.line, f.check.name())).collect();
        assert_eq!(seen, [(5, "div-by-zero"), (5, "shift"), (9, "div-by-zero")]);
    }
}
