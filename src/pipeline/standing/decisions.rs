//! What a project has decided about findings, as facts: the rules in `rules/verdict/suppressed.dl` say what follows.
//!
//! Two things happen here and not in rules, since rules know neither files nor patterns of their names: comments are read out of
//! the lines of findings, and the patterns of clauses are tried on the files of findings.

use super::config::Config;
use super::glob::fits;
use crate::datalog::Limits;
use crate::datalog::programs::{row as derived, standing};
use crate::facts::{FactStore, Sym, column, row};
use crate::memory::RuleRun;
use crate::report::Excerpts;
use crate::verdict::{Finding, Location, SuppressedBy, Suppression};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// What the rules make of a project's decisions.
#[derive(Debug)]
pub struct Decided {
    /// The findings to live with, by id.
    pub suppressed: FxHashMap<String, Suppression>,
    /// Clauses of the configuration that fit no finding first, by their numbers from 1.
    pub unused: BTreeSet<i64>,
    /// What the rules took.
    pub run: RuleRun,
    /// Comments that would suppress a finding if they gave a reason: file, line, and the checks that they name.
    pub unreasoned: Vec<(String, u32, String)>,
    /// Comments that suppress nothing, in the same way.
    pub useless: Vec<(String, u32, String)>,
}

/// What follows from `config` and from comments in the sources of `findings`, which have ids.
pub fn decide(findings: &[Finding], config: &Config, excerpts: &mut Excerpts) -> Decided {
    let mut facts = FactStore::default();
    findings.iter().for_each(|finding| state_finding(finding, &mut facts));
    state_decisions(findings, config, excerpts, &mut facts);
    let (results, run) = RuleRun::of(|| standing::run(&facts, &Limits::default()));
    let results = results.expect("without limits, rules end");
    let spelled = |symbol: Sym| facts.symbols.resolve(symbol).to_string();
    let suppression = |row: &derived::SuppressedFinding| {
        let by = match spelled(row.by) == SuppressedBy::Configuration.name() {
            true => SuppressedBy::Configuration,
            false => SuppressedBy::Comment,
        };
        (spelled(row.finding.0), Suppression { by, reason: spelled(row.reason) })
    };
    let mut comments = |places: Vec<(Sym, i64)>| {
        let comment = |(file, line): (Sym, i64)| {
            let (file, line) = (spelled(file), u32::try_from(line).unwrap_or(0));
            let text = excerpts.line(&file, line).and_then(comment_of);
            let names = text.map(|comment| comment.names.to_owned()).unwrap_or_default();
            (file, line, names)
        };
        let mut comments: Vec<_> = places.into_iter().map(comment).collect();
        comments.sort();
        comments
    };
    let unreasoned = comments(results.comment_without_reason.iter().map(|row| (row.file.0, row.line)).collect());
    let useless = comments(results.comment_without_use.iter().map(|row| (row.file.0, row.line)).collect());
    Decided {
        suppressed: results.suppressed_finding.iter().map(suppression).collect(),
        unused: results.unused_clause.iter().map(|row| row.clause).collect(),
        run,
        unreasoned,
        useless,
    }
}

/// Adds a finding, which has an id, to facts.
pub fn state_finding(finding: &Finding, facts: &mut FactStore) {
    let Location { file, line, .. } = &finding.location;
    let intern = |text: &str| facts.symbols.intern(text);
    let (check, verdict) = (intern(finding.check.name()), intern(finding.verdict.kind().name()));
    let (file, function) = (column::File(intern(file)), intern(&finding.function));
    let (finding, line) = (column::Finding(intern(&finding.id)), i64::from(*line));
    facts.reported_finding.push(row::ReportedFinding { finding, check, verdict, file, line, function });
}

/// Adds that a finding is the verdict on `site`.
pub fn state_site(finding: &Finding, site: column::CheckSite, facts: &mut FactStore) {
    let finding = column::Finding(facts.symbols.intern(&finding.id));
    facts.finding_site.push(row::FindingSite { finding, site });
}

/// Adds the decisions about `findings`, which are stated or will be, to facts.
pub fn state_decisions(findings: &[Finding], config: &Config, excerpts: &mut Excerpts, facts: &mut FactStore) {
    state_comments(findings, excerpts, facts);
    let files: BTreeSet<&str> = findings.iter().map(|finding| finding.location.file.as_str()).collect();
    let mut patterns: BTreeSet<&str> = BTreeSet::new();
    for (clause, allow) in (1..).zip(&config.allow) {
        let intern = |text: &String| facts.symbols.intern(text);
        let reason = intern(&allow.reason);
        facts.allow_clause.push(row::AllowClause { clause, reason });
        let (id, check) = (allow.id.as_ref().map(intern), allow.check.as_ref().map(intern));
        let (function, file) = (allow.function.as_ref().map(intern), allow.file.as_ref().map(intern));
        facts.allow_id.extend(id.map(|id| row::AllowId { clause, finding: column::Finding(id) }));
        facts.allow_check.extend(check.map(|check| row::AllowCheck { clause, check }));
        facts.allow_function.extend(function.map(|function| row::AllowFunction { clause, function }));
        facts.allow_file.extend(file.map(|pattern| row::AllowFile { clause, pattern }));
        patterns.extend(allow.file.as_deref());
    }
    for pattern in patterns {
        for file in files.iter().filter(|file| fits(pattern, file)) {
            let (pattern, file) = (facts.symbols.intern(pattern), column::File(facts.symbols.intern(file)));
            facts.pattern_fits.push(row::PatternFits { pattern, file });
        }
    }
}

/// States the comments in files that have findings.
fn state_comments(findings: &[Finding], excerpts: &mut Excerpts, facts: &mut FactStore) {
    let names: BTreeSet<&str> = findings.iter().map(|finding| finding.location.file.as_str()).collect();
    for name in names {
        let file = column::File(facts.symbols.intern(name));
        for number in excerpts.lines_with(name, WORD) {
            let Some(comment) = excerpts.line(name, number).and_then(comment_of) else { continue };
            let (line, reason) = (i64::from(number), facts.symbols.intern(comment.reason));
            for check in comment.names.split(',') {
                let check = facts.symbols.intern(check.trim());
                facts.allowed_by_comment.push(row::AllowedByComment { file, line, check, reason });
            }
            if comment.alone {
                facts.comment_alone.push(row::CommentAlone { file, line });
            }
        }
    }
}

/// How such a comment begins.
const WORD: &str = "cellog: allow(";

/// `// cellog: allow(CHECKS) REASON` in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Comment<'t> {
    /// The checks as they are written.
    names: &'t str,
    reason: &'t str,
    /// Nothing stands before it.
    alone: bool,
}

/// The comment that a line has.
fn comment_of(line: &str) -> Option<Comment<'_>> {
    let at = line.find(WORD)?;
    let before = line[..at].trim_end();
    let code = before.strip_suffix("//").or_else(|| before.strip_suffix("/*"))?;
    let (names, reason) = line[at + WORD.len()..].split_once(')')?;
    let reason = reason.trim().trim_end_matches("*/").trim();
    Some(Comment { names, reason, alone: code.trim().is_empty() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::CheckKind;
    use crate::verdict::Verdict;

    /// What is decided of a division by zero in line 2 of a file with these lines, under these clauses.
    fn decided(lines: &str, clauses: &str) -> Decided {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join("a.c"), lines).expect("a file");
        let config = Config::parse(clauses).expect("clauses");
        let (location, verdict) =
            (Location { file: "a.c".to_owned(), line: 2, column: 5 }, Verdict::Possible(String::new()));
        let finding = Finding::at(CheckKind::DivByZero, location, "main", "d", verdict, "forward");
        let finding = Finding { id: "7".to_owned(), ..finding };
        decide(&[finding], &config, &mut Excerpts::new(vec![folder.path().to_owned()]))
    }

    fn reason(lines: &str, clauses: &str) -> Option<String> {
        decided(lines, clauses).suppressed.remove("7").map(|suppression| suppression.reason)
    }

    #[test]
    fn the_first_clause_goes_before_comments_and_the_own_line_before_the_one_above() {
        const ABOVE: &str = "// cellog: allow(div-by-zero) above\n";
        const HERE: &str = "x = 1 / d; // cellog: allow(div-by-zero) here\n";
        let clause = |what: &str, reason: &str| format!("[[allow]]\n{what}\nreason = '{reason}'\n");
        let other = clause("check = 'div-by-zero'\nfunction = 'other'", "another");
        let both = other.clone() + &clause("id = '7'", "first") + &clause("file = '*.c'", "second");
        assert_eq!(reason(&format!("{ABOVE}{HERE}"), &both).as_deref(), Some("first"));
        assert_eq!(decided("", &both).unused, BTreeSet::from([1, 3]));
        assert_eq!(reason(&format!("{ABOVE}{HERE}"), &other).as_deref(), Some("here"));
        assert_eq!(reason(&format!("{ABOVE}x = 1 / d;\n"), "").as_deref(), Some("above"));
        // Behind code, a comment speaks of its own line alone.
        assert_eq!(reason(&format!("y = 0; {ABOVE}x = 1 / d;\n"), ""), None);
        assert_eq!(reason("\nx = 1 / d; // cellog: allow(shift) another check\n", ""), None);
    }

    #[test]
    fn comments_without_a_reason_are_told_where_they_would_count() {
        const MUTE: &str = "// cellog: allow(div-by-zero, shift)\n";
        let told = |lines: &str, clauses: &str| decided(lines, clauses).unreasoned;
        let comment = |line| vec![("a.c".to_owned(), line, "div-by-zero, shift".to_owned())];
        assert_eq!(told(&format!("{MUTE}x = 1 / d;\n"), ""), comment(1));
        assert_eq!(told(&format!("\nx = 1 / d; {MUTE}"), ""), comment(2));
        assert_eq!(told(&format!("{MUTE}x = 1 / d; // cellog: allow(div-by-zero) here\n"), ""), []);
        assert_eq!(told(&format!("{MUTE}x = 1 / d;\n"), "[[allow]]\nid = '7'\nreason = 'known'\n"), []);
    }

    #[test]
    fn comments_that_suppress_nothing_are_told() {
        const HERE: &str = "// cellog: allow(div-by-zero) why\n";
        let told = |lines: &str| decided(lines, "").useless.iter().map(|(_, line, _)| *line).collect::<Vec<_>>();
        assert_eq!(told(&format!("{HERE}x = 1 / d;\n")), [] as [u32; 0]);
        assert_eq!(told(&format!("\nx = 1 / d; {HERE}")), [] as [u32; 0]);
        // Behind code it counts for its own line, and two lines on nothing does.
        assert_eq!(told(&format!("y = 0; {HERE}x = 1 / d;\n\n{HERE}")), [1, 4]);
        // Whoever asks for other checks is not told of it.
        assert_eq!(told("// cellog: allow(shift) why\nx = 1 / d;\n"), [] as [u32; 0]);
    }

    #[test]
    fn comments_name_checks_and_a_reason() {
        let comment = |names, reason, alone| Some(Comment { names, reason, alone });
        assert_eq!(
            comment_of("x = 1 / d; // cellog: allow(div-by-zero) d is set above"),
            comment("div-by-zero", "d is set above", false)
        );
        assert_eq!(
            comment_of("  /* cellog: allow(shift, uninit-read) why */"),
            comment("shift, uninit-read", "why", true)
        );
        assert_eq!(comment_of("s = \"cellog: allow(shift) why\";"), None);
        assert_eq!(comment_of("// cellog: allow(shift)"), comment("shift", "", true));
    }
}
