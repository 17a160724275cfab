//! The closing part of a text report: verdicts per check, and what was not analysed.

use crate::verdict::{Analysis, Baseline, Cause, Finding, Gap, GapKind, Untouched, VerdictKind};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// How many gaps of one kind are listed unless all are asked for.
const LISTED: usize = 10;

/// Columns that the names of checks take, and those of a verdict's counts where there is room.
const NAME: usize = 18;
const COUNT: usize = 12;
/// The columns of counts where there is little room: four letters of a verdict's name and a blank.
const NARROW: usize = 7;

/// The first and the last two lines of [`render_counts`].
pub(super) fn render_totals(analysis: &Analysis, width: usize) -> String {
    let table = render_counts(analysis, width);
    let lines: Vec<&str> = table.lines().collect();
    let kept = lines.iter().take(1).chain(lines.iter().skip(1.max(lines.len().saturating_sub(2))));
    kept.fold(String::new(), |all, line| all + line + "\n")
}

/// `1 place`, `2 places`.
pub(super) fn counted(n: usize, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

/// Verdicts per check, of all checks and of the places that they judge, as an aligned table of at most `width` columns if possible; a line that says so when there is no site.
pub(super) fn render_counts(analysis: &Analysis, width: usize) -> String {
    let summary = analysis.summary();
    let mut out = String::new();
    if analysis.findings.is_empty() {
        return match &analysis.untouched {
            Some(untouched) => format!("no check site in what has changed since {}\n", untouched.since),
            None => "no check site in the analysed functions\n".to_owned(),
        };
    }
    let wide = NAME + COUNT * VerdictKind::ALL.len() <= width;
    let column = if wide { COUNT } else { NARROW };
    let row = |out: &mut String, name: &str, cell: &dyn Fn(VerdictKind) -> String| {
        let _ = write!(out, "{name:<NAME$}");
        for kind in VerdictKind::ALL {
            let _ = write!(out, "{:>column$}", cell(kind));
        }
        out.push('\n');
    };
    row(&mut out, "check", &|k| if wide { k.name().to_owned() } else { format!("{}.", &k.name()[..4]) });
    for (check, counts) in &summary.by_check {
        row(&mut out, check.name(), &|k| counts.get(&k).copied().unwrap_or(0).to_string());
    }
    row(&mut out, "all", &|k| summary.total[&k].to_string());
    let places = analysis.places();
    row(&mut out, "places", &|k| places[&k].to_string());
    out
}

/// How many findings are judged but not listed, and why; nothing when there are none.
pub(super) fn render_unlisted(analysis: &Analysis) -> String {
    let bad = |f: &&Finding| f.verdict.kind().is_shown(false, false);
    let suppressed = analysis.findings.iter().filter(bad).filter(|f| f.standing.suppression.is_some()).count();
    let known = |f: &&Finding| f.standing.suppression.is_none() && f.standing.baseline == Some(Baseline::Known);
    let known = analysis.findings.iter().filter(bad).filter(known).count();
    let mut out = String::new();
    for (count, what) in
        [(suppressed, "suppressed"), (known, "known from the baseline"), (analysis.excluded, "sites in excluded files")]
    {
        if count > 0 {
            let _ = writeln!(out, "{what}: {count}");
        }
    }
    if let Some(Untouched { since, sites }) = &analysis.untouched {
        let _ = writeln!(out, "sites in functions that are as they were at {since}: {sites}");
    }
    out
}

/// What keeps findings open that are neither suppressed nor known, the most of them first; nothing where that is known of none.
pub(super) fn render_causes(analysis: &Analysis, all: bool) -> String {
    let mut causes: BTreeMap<&Cause, (usize, BTreeSet<&str>)> = BTreeMap::new();
    for finding in analysis.findings.iter().filter(|f| f.standing.is_open()) {
        let Some(cause) = &finding.cause else { continue };
        let (findings, places) = causes.entry(cause).or_default();
        *findings += 1;
        places.insert(finding.place());
    }
    let mut causes: Vec<(&Cause, usize, usize)> = causes.into_iter().map(|(c, (n, p))| (c, n, p.len())).collect();
    causes.sort_by_key(|(_, findings, _)| std::cmp::Reverse(*findings));
    let mut out = String::new();
    if causes.is_empty() {
        return out;
    }
    let _ = writeln!(out, "open for one reason each, as far as is known: {}", causes.len());
    let shown = if all { causes.len() } else { LISTED };
    for (cause, findings, places) in causes.iter().take(shown) {
        let (findings, places) = (counted(*findings, "finding"), counted(*places, "place"));
        let _ = writeln!(out, "  {findings} at {places}: {cause}");
    }
    if causes.len() > shown {
        let _ = writeln!(out, "  and {} more (--verbose lists all)", causes.len() - shown);
    }
    out
}

/// What the verdicts do not cover; nothing when there is nothing.
pub(super) fn render_gaps(analysis: &Analysis, all: bool) -> String {
    let mut out = String::new();
    for (kind, heading) in [
        (GapKind::File, "files not analysed"),
        (GapKind::Function, "functions not analysed (calls to them may do anything)"),
        (GapKind::Construct, "constructs passed over (their results may be anything)"),
        (
            GapKind::External,
            "called, but neither defined nor modelled (may return anything and change any memory in their reach)",
        ),
        (GapKind::Contract, "called, and taken to do what your contracts say (assumption D17)"),
    ] {
        let gaps: Vec<&Gap> = analysis.gaps.iter().filter(|g| g.kind == kind).collect();
        if gaps.is_empty() {
            continue;
        }
        let _ = writeln!(out, "{heading}: {}", gaps.len());
        let shown = if all { gaps.len() } else { LISTED };
        for gap in gaps.iter().take(shown) {
            let _ = write!(out, "  {}", gap.what);
            if gap.location.line > 0 {
                let _ = write!(out, " at {}", gap.location);
            } else if kind == GapKind::File {
                let _ = write!(out, " ({})", gap.location.file);
            }
            if let Some(function) = gap.function.as_ref().filter(|_| kind == GapKind::Construct) {
                let _ = write!(out, " in {function}");
            }
            out.push('\n');
        }
        if gaps.len() > shown {
            let _ = writeln!(out, "  and {} more (--verbose lists all)", gaps.len() - shown);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::sample::sample;
    use super::*;
    use expect_test::expect;

    #[test]
    fn narrow_tables_have_short_heads() {
        expect![[r#"
            check               defi.  poss.  unkn.  unre.  safe.
            div-by-zero             1      0      0      0      0
            shift                   0      1      1      0      0
            uninit-read             0      0      0      0      1
            assertion               0      0      0      1      0
            all                     1      1      1      1      1
            places                  1      1      1      1      1
        "#]]
        .assert_eq(&render_counts(&sample(), 60));
        assert!(render_counts(&sample(), 60).lines().all(|l| l.len() <= 60));
    }
}
