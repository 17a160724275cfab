//! The closing part of a text report: verdicts per check, and what was not analysed.

use crate::verdict::{Analysis, Gap, GapKind, VerdictKind};
use std::fmt::Write;

/// How many gaps of one kind are listed unless all are asked for.
const LISTED: usize = 10;

/// Verdicts per check as an aligned table; a line that says so when there is no site.
pub(super) fn render_counts(analysis: &Analysis) -> String {
    let summary = analysis.summary();
    let mut out = String::new();
    if analysis.findings.is_empty() {
        return "no check site in the analysed functions\n".to_owned();
    }
    let row = |out: &mut String, name: &str, cell: &dyn Fn(VerdictKind) -> String| {
        let _ = write!(out, "{name:<18}");
        for kind in VerdictKind::ALL {
            let _ = write!(out, "{:>12}", cell(kind));
        }
        out.push('\n');
    };
    row(&mut out, "check", &|k| k.name().to_owned());
    for (check, counts) in &summary.by_check {
        row(&mut out, check.name(), &|k| counts.get(&k).copied().unwrap_or(0).to_string());
    }
    row(&mut out, "all", &|k| summary.total[&k].to_string());
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
