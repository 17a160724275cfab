//! One report on several programs that may have files in common.

use super::{Analysis, Earlier, Finding, VerdictKind};
use std::collections::{BTreeMap, BTreeSet};

/// What is found in any of these programs, each with its name. A site that several of them have gets the worst verdict that it has in one:
/// `safe` where it is safe in one and never reached in the others.
pub fn union(programs: Vec<(String, Analysis)>) -> Analysis {
    let mut whole = Analysis::default();
    let (mut findings, mut gaps, mut files, mut entries) =
        (BTreeMap::<String, Finding>::new(), BTreeSet::new(), BTreeSet::new(), Vec::new());
    let mut incomplete = Vec::new();
    for (name, analysis) in programs {
        files.extend(analysis.files);
        gaps.extend(analysis.gaps);
        whole.arch = analysis.arch;
        whole.excluded += analysis.excluded;
        incomplete.extend(analysis.incomplete.map(|why| format!("{name}: {why}")));
        if !entries.contains(&analysis.entry) {
            entries.push(analysis.entry);
        }
        for mut finding in analysis.findings {
            finding.standing.program = Some(name.clone());
            match findings.get_mut(&finding.id) {
                Some(known) => join(known, finding),
                None => {
                    findings.insert(finding.id.clone(), finding);
                }
            }
        }
    }
    whole.files = files.into_iter().collect();
    whole.gaps = gaps.into_iter().collect();
    whole.entry = entries.join(", ");
    whole.incomplete = (!incomplete.is_empty()).then(|| incomplete.join("; "));
    whole.findings = findings.into_values().collect();
    // Sites are numbered by program, so that ids decide where places are equal.
    whole.findings.sort_by(|a, b| {
        (&a.location, &a.check, &a.function, &a.subject, &a.id).cmp(&(
            &b.location,
            &b.check,
            &b.function,
            &b.subject,
            &b.id,
        ))
    });
    whole
}

/// Takes over the other verdict on the same site where it is the worse one; of equal ones both count, with what they assume away.
fn join(known: &mut Finding, other: Finding) {
    match severity(&other).cmp(&severity(known)) {
        std::cmp::Ordering::Less => *known = other,
        std::cmp::Ordering::Equal => {
            let known_ids: BTreeSet<String> = known.after_error.iter().map(|earlier| earlier.id.clone()).collect();
            let news: Vec<Earlier> = other.after_error.into_iter().filter(|e| !known_ids.contains(&e.id)).collect();
            known.after_error.extend(news);
        }
        std::cmp::Ordering::Greater => {}
    }
}

/// How bad a verdict is, from the worst. What one program never reaches may be safe in another.
fn severity(finding: &Finding) -> u8 {
    match finding.verdict.kind() {
        VerdictKind::Definite => 0,
        VerdictKind::Possible => 1,
        VerdictKind::Unknown => 2,
        VerdictKind::Safe => 3,
        VerdictKind::Unreachable => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::CheckKind;
    use crate::verdict::{Certificate, Failure, Location, Verdict};

    fn program(findings: &[(&str, Verdict)]) -> Analysis {
        let finding = |(id, verdict): &(&str, Verdict)| {
            let location = Location { file: "a.c".into(), line: 1, column: 1 };
            let finding = Finding::at(CheckKind::Shift, location, "f", "x", verdict.clone(), "forward");
            Finding { id: (*id).to_owned(), ..finding }
        };
        Analysis { findings: findings.iter().map(finding).collect(), ..Analysis::default() }
    }

    #[test]
    fn the_worst_verdict_counts_and_names_its_program() {
        let safe = || Verdict::Safe(Certificate { invariant: String::new() });
        let unreached = || Verdict::Unreachable(Certificate { invariant: String::new() });
        let definite = || Verdict::Definite(Failure::default());
        let a = program(&[("1", safe()), ("2", unreached()), ("3", unreached()), ("4", Verdict::Possible("s".into()))]);
        let b = program(&[("1", definite()), ("2", safe()), ("3", unreached()), ("4", safe()), ("5", safe())]);
        let both = union(vec![("a".into(), a), ("b".into(), b)]);
        let seen: Vec<(&str, &str, &str)> = both
            .findings
            .iter()
            .map(|f| (f.id.as_str(), f.verdict.kind().name(), f.standing.program.as_deref().unwrap_or_default()))
            .collect();
        let wanted = [
            ("1", "definite", "b"),
            ("2", "safe", "b"),
            ("3", "unreachable", "a"),
            ("4", "possible", "a"),
            ("5", "safe", "b"),
        ];
        assert_eq!(seen, wanted);
    }
}
