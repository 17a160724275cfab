//! What becomes of findings after they are judged: left out, suppressed, or known from an earlier report.

use super::baseline::Earlier;
use super::config::{Config, FILE};
use super::decisions::decide;
use super::glob::fits;
use crate::pipeline::listener::Listener;
use crate::report::Excerpts;
use crate::verdict::Analysis;
use std::path::PathBuf;

/// Applies the configuration, the comments in the source and the earlier report; `folders`: where sources may be.
pub fn settle(
    analysis: &mut Analysis,
    config: &Config,
    earlier: Option<&Earlier>,
    folders: &[PathBuf],
    listener: &dyn Listener,
) {
    let mut excerpts = Excerpts::new(folders.to_vec());
    let before = analysis.findings.len();
    analysis.findings.retain(|f| !config.exclude.iter().any(|p| fits(p, &f.location.file)));
    analysis.excluded = before - analysis.findings.len();
    let mut decided = decide(&analysis.findings, config, &mut excerpts);
    listener.remark(&decided.run.to_string());
    for finding in &mut analysis.findings {
        finding.standing.baseline = earlier.map(|e| e.compare(finding));
        finding.standing.suppression = decided.suppressed.remove(&finding.id);
    }
    for (file, line, names) in decided.unreasoned {
        listener.tell(&format!("{file}:{line}: `cellog: allow({names})` has no reason and is passed over"));
    }
    for (file, line, names) in decided.useless {
        listener.tell(&format!("{file}:{line}: `cellog: allow({names})` suppresses nothing"));
    }
    for clause in decided.unused {
        listener.tell(&format!("{FILE}: the {clause}. [[allow]] fits no finding"));
    }
}
