//! What becomes of findings after they are judged: left out, suppressed, or known from an earlier report.

use super::baseline::Earlier;
use super::config::{Allow, Config, FILE};
use super::glob::fits;
use crate::pipeline::listener::Listener;
use crate::report::Excerpts;
use crate::verdict::{Analysis, Finding, SuppressedBy, Suppression, VerdictKind};
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
    let mut used = vec![false; config.allow.len()];
    for finding in &mut analysis.findings {
        finding.standing.baseline = earlier.map(|e| e.compare(finding));
        let good = matches!(finding.verdict.kind(), VerdictKind::Safe | VerdictKind::Unreachable);
        let allowed = config.allow.iter().position(|a| allows(a, finding));
        if let Some(i) = allowed {
            used[i] = true;
        }
        finding.standing.suppression = match allowed {
            _ if good => None,
            Some(i) => Some(Suppression { by: SuppressedBy::Configuration, reason: config.allow[i].reason.clone() }),
            None => comment(finding, &mut excerpts, listener),
        };
    }
    for (i, _) in used.iter().enumerate().filter(|(_, used)| !**used) {
        listener.tell(&format!("{FILE}: the {}. [[allow]] fits no finding", i + 1));
    }
}

fn allows(allow: &Allow, finding: &Finding) -> bool {
    let is = |wanted: &Option<String>, value: &str| wanted.as_deref().is_none_or(|w| w == value);
    is(&allow.id, &finding.id)
        && is(&allow.check, finding.check.name())
        && is(&allow.function, &finding.function)
        && allow.file.as_deref().is_none_or(|p| fits(p, &finding.location.file))
}

/// The suppression that a comment on the finding's line, or alone on the line before, asks for.
fn comment(finding: &Finding, excerpts: &mut Excerpts, listener: &dyn Listener) -> Option<Suppression> {
    let (file, line) = (&finding.location.file, finding.location.line);
    let mut read = |line: u32, alone: bool| {
        let text = excerpts.line(file, line)?;
        let (names, reason) = allowance(text, alone)?;
        if !names.split(',').any(|n| n.trim() == finding.check.name()) {
            return None;
        }
        if reason.is_empty() {
            listener.tell(&format!("{file}:{line}: `cellog: allow({names})` has no reason and is passed over"));
            return None;
        }
        Some(Suppression { by: SuppressedBy::Comment, reason: reason.to_owned() })
    };
    let here = read(line, false);
    here.or_else(|| read(line.checked_sub(1)?, true))
}

/// The checks and the reason of `// cellog: allow(CHECKS) REASON` in a line; `alone`: only when the comment is all of it.
fn allowance(line: &str, alone: bool) -> Option<(&str, &str)> {
    const WORD: &str = "cellog: allow(";
    let at = line.find(WORD)?;
    let before = line[..at].trim_end();
    let code = before.strip_suffix("//").or_else(|| before.strip_suffix("/*"))?;
    if alone && !code.trim().is_empty() {
        return None;
    }
    let (names, reason) = line[at + WORD.len()..].split_once(')')?;
    Some((names, reason.trim().trim_end_matches("*/").trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_name_checks_and_a_reason() {
        assert_eq!(
            allowance("x = 1 / d; // cellog: allow(div-by-zero) d is set above", false),
            Some(("div-by-zero", "d is set above"))
        );
        assert_eq!(
            allowance("  /* cellog: allow(shift, uninit-read) why */", true),
            Some(("shift, uninit-read", "why"))
        );
        assert_eq!(allowance("f(); // cellog: allow(shift) why", true), None);
        assert_eq!(allowance("s = \"cellog: allow(shift) why\";", false), None);
        assert_eq!(allowance("// cellog: allow(shift)", true), Some(("shift", "")));
    }
}
