//! Findings for people: one block each, worst first, then the counts.

use super::excerpt::{Excerpts, Mark, renderer};
use super::first::render_first;
use super::groups::by_rank;
use super::highlights::highlights;
use super::table::{render_causes, render_counts, render_gaps, render_unlisted};
use super::wrap::wrap;
use crate::verdict::{
    Analysis, Baseline, Earlier, Failure, Finding, InputBox, Location, Need, TraceStep, Verdict, VerdictKind,
};
use annotate_snippets::{Group, Level, Message, normalize_untrusted_str};
use std::collections::BTreeMap;

/// How much a text report tells, and how wide.
#[derive(Clone, Copy, Debug)]
pub struct TextOptions {
    /// Safe and unreachable sites, whole traces, all gaps.
    pub verbose: bool,
    /// Definite findings only, and no closing table.
    pub quiet: bool,
    /// Every open place, however many there are.
    pub all: bool,
    /// So many open places, the first by rank, where there are many.
    pub possible: usize,
    pub colour: bool,
    /// Characters of a line.
    pub width: usize,
}

impl Default for TextOptions {
    fn default() -> Self {
        TextOptions { verbose: false, quiet: false, all: false, possible: 0, colour: false, width: 120 }
    }
}

/// Input values shown per finding, unless verbose.
const SHOWN_INPUTS: usize = 8;
/// Open places that are listed without being asked for; of more, a screen says what to look at first.
const FEW: usize = 12;
/// Definite findings whose runs need what hardly ever happens that have blocks of their own.
const RARE: usize = 3;
/// Errors shown that a finding assumes away, unless verbose.
const SHOWN_ERRORS: usize = 4;
/// What stands before a note's text, about.
const NOTE_INDENT: usize = 16;

/// The whole report, ending in a newline; empty when quiet and nothing is definite.
pub fn render_text(analysis: &Analysis, excerpts: &mut Excerpts, options: TextOptions) -> String {
    let mut out = String::new();
    let mut listed = listed(analysis, options);
    let kind = |l: &Listed<'_>| l.finding.verdict.kind();
    let open = listed.iter().filter(|l| matches!(kind(l), VerdictKind::Possible | VerdictKind::Unknown)).count();
    let is_long = !options.verbose && !options.all && open > FEW;
    if is_long {
        let (definite, mut open): (Vec<_>, Vec<_>) = listed.into_iter().partition(|l| kind(l) == VerdictKind::Definite);
        open.sort_by(|a, b| by_rank(a.finding, b.finding));
        open.truncate(options.possible);
        listed = definite;
        listed.extend(open);
    }
    let is_rare =
        |l: &Listed<'_>| kind(l) == VerdictKind::Definite && l.finding.rank.as_ref().is_some_and(|r| r.rank > 0);
    let rare = listed.iter().filter(|l| is_rare(l)).count();
    let folds = !options.verbose && !options.all && rare > RARE;
    let mut begun = false;
    for l in &listed {
        if folds && is_rare(l) {
            if !begun {
                out.push_str(&format!("definite, but only where an allocation fails or argc is 0: {rare}\n"));
            }
            begun = true;
            out.push_str(&render_rare(l.finding));
            continue;
        }
        if std::mem::take(&mut begun) {
            out.push('\n');
        }
        out.push_str(&render_finding(l.finding, &l.parts, excerpts, options));
        out.push('\n');
    }
    if begun {
        out.push('\n');
    }
    if is_long {
        out.push_str(&render_first(analysis, options.width));
    } else if !options.quiet {
        out.push_str(&render_counts(analysis, options.width));
        out.push_str(&render_unlisted(analysis));
        out.push_str(&render_causes(analysis, options.verbose));
        out.push_str(&render_gaps(analysis, options.verbose));
    }
    if let Some(why) = &analysis.incomplete {
        out.push_str(&format!("partial: {why}; what was not decided before is unknown\n"));
    }
    out
}

/// A definite finding whose run needs what hardly ever happens, in one line.
fn render_rare(finding: &Finding) -> String {
    let needs: Vec<&str> = match &finding.verdict {
        Verdict::Definite(failure) => Need::of(failure).into_iter().map(Need::clause).collect(),
        _ => Vec::new(),
    };
    let Finding { location, function, id, .. } = finding;
    let (place, check) = (format!("{}:{}", location.file, location.line), finding.check.name());
    format!("  definite[{check}]: {place} in {function}, where {}, id {id}\n", needs.join(" and "))
}

/// A finding that is listed.
struct Listed<'a> {
    finding: &'a Finding,
    /// Others of the same access, which have no block of their own.
    parts: Vec<&'a Finding>,
}

/// What is listed, worst first. Checks of one access that are not decided stand together, unless the report is verbose.
fn listed(analysis: &Analysis, options: TextOptions) -> Vec<Listed<'_>> {
    let mut all: Vec<Listed<'_>> = Vec::new();
    let mut heads: BTreeMap<&str, usize> = BTreeMap::new();
    for kind in VerdictKind::ALL.into_iter().filter(|k| k.is_shown(options.verbose, options.quiet)) {
        let is_listed = |f: &&Finding| f.verdict.kind() == kind && (options.verbose || f.standing.is_open());
        let folds = !options.verbose && matches!(kind, VerdictKind::Possible | VerdictKind::Unknown);
        let mut of_kind: Vec<&Finding> = analysis.findings.iter().filter(is_listed).collect();
        if kind == VerdictKind::Definite {
            of_kind.sort_by_key(|finding| finding.rank.as_ref().map_or(0, |rank| rank.rank));
        }
        for finding in of_kind {
            match heads.get(finding.place()) {
                Some(head) if folds => all[*head].parts.push(finding),
                _ => {
                    if folds {
                        heads.insert(finding.place(), all.len());
                    }
                    all.push(Listed { finding, parts: Vec::new() });
                }
            }
        }
    }
    all
}

/// One finding as a block of lines, with a line for each of its `parts`.
fn render_finding(finding: &Finding, parts: &[&Finding], excerpts: &mut Excerpts, options: TextOptions) -> String {
    let kind = finding.verdict.kind();
    let level = match kind {
        VerdictKind::Definite => Level::ERROR,
        VerdictKind::Possible => Level::WARNING,
        VerdictKind::Unknown => Level::INFO,
        VerdictKind::Unreachable | VerdictKind::Safe => Level::HELP,
    };
    let title = level
        .with_name(kind.name())
        .primary_title(normalize_untrusted_str(&finding.message()))
        .id(finding.check.name());
    let mut group = Group::with_title(title).elements(excerpts.elements(&marks(finding)));
    for (name, text) in evidence(finding, options.verbose) {
        group = group.element(note(name, &wrap(&text, options.width.saturating_sub(NOTE_INDENT))));
    }
    for part in parts {
        let (kind, check) = (part.verdict.kind().name(), part.check.name());
        group = group.element(note("also", &format!("{kind}[{check}]: {}, id {}", part.check.phrase(), part.id)));
    }
    format!("{}\n", renderer(options.colour, options.width).render(&[group]))
}

/// The places to show: the finding's, and those of its trace that lead there.
fn marks(finding: &Finding) -> Vec<Mark> {
    if finding.location.line == 0 {
        return Vec::new();
    }
    let (steps, label) = match &finding.verdict {
        Verdict::Definite(failure) => highlights(&failure.trace, &finding.location),
        _ => (Vec::new(), None),
    };
    let main = Mark { location: finding.location.clone(), subject: finding.subject.clone(), label };
    let context =
        steps.into_iter().map(|(location, label)| Mark { location, subject: String::new(), label: Some(label) });
    std::iter::once(main).chain(context).collect()
}

fn note(name: &'static str, text: &str) -> Message<'static> {
    Level::NOTE.with_name(name).message(normalize_untrusted_str(text))
}

/// The notes under the excerpt: what backs the verdict, then what the finding is called.
fn evidence(finding: &Finding, verbose: bool) -> Vec<(&'static str, String)> {
    let mut notes = match &finding.verdict {
        Verdict::Definite(failure) => {
            let mut notes = vec![("when", precondition(failure, &finding.location.file, verbose))];
            if verbose && !failure.trace.is_empty() {
                notes.push(("trace", trace(&failure.trace)));
            }
            notes
        }
        Verdict::Possible(state) => {
            let mut notes: Vec<(&str, String)> = finding.because().map(|why| ("because", why)).into_iter().collect();
            if verbose && finding.doubt.is_some() {
                notes.push(("state", state.clone()));
            }
            notes
        }
        _ => finding.because().map(|why| ("because", why)).into_iter().collect(),
    };
    if !finding.after_error.is_empty() {
        notes.push(("after", assumed_away(&finding.after_error, &finding.location.file, verbose)));
    }
    // Of what is not decided at all, the reason is all there is to say.
    if let (Some(cause), Verdict::Possible(_)) = (&finding.cause, &finding.verdict) {
        notes.push(("cause", cause.to_string()));
    }
    if let Some(suppression) = &finding.standing.suppression {
        notes.push(("suppressed", suppression.reason.clone()));
    }
    if finding.standing.baseline == Some(Baseline::Known) {
        notes.push(("baseline", "known".to_owned()));
    }
    let replayed = matches!(&finding.verdict, Verdict::Definite(failure) if failure.replayed);
    let proof = if replayed { "found and run again by" } else { "by" };
    let weakness = finding.weakness.map(|w| format!(", CWE-{}", w.number)).unwrap_or_default();
    let of = finding.standing.program.as_ref().map(|name| format!(" of program {name}")).unwrap_or_default();
    let Finding { id, function, engine, .. } = finding;
    notes.push(("id", format!("{id} (in {function}{of}, {proof} {engine}{weakness})")));
    notes
}

/// The precondition, a line per input.
fn precondition(failure: &Failure, home: &str, verbose: bool) -> String {
    if failure.precondition.is_empty() {
        return "always".to_owned();
    }
    let shown = if verbose { usize::MAX } else { SHOWN_INPUTS };
    let told: Vec<&InputBox> = failure.precondition.iter().filter(|i| verbose || !i.any).collect();
    if told.is_empty() {
        return "always, whatever the inputs are".to_owned();
    }
    let mut lines: Vec<String> = told.iter().take(shown).map(|i| i.clause(home)).collect();
    if told.len() > lines.len() {
        lines.push(format!("and {} more (--verbose lists all)", told.len() - lines.len()));
    }
    lines.join("\n")
}

/// Which errors the verdict assumes away: `the error at line 3 is assumed away`.
fn assumed_away(earlier: &[Earlier], home: &str, verbose: bool) -> String {
    let place = |at: &Location| match at.file == home {
        true => format!("line {}", at.line),
        false => format!("{}:{}", at.file, at.line),
    };
    let mut places: Vec<String> = earlier.iter().map(|e| place(&e.location)).collect();
    places.dedup();
    let shown = if verbose { places.len() } else { places.len().min(SHOWN_ERRORS) };
    let more = match places.len() - shown {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let (errors, are) = if earlier.len() == 1 { ("error", "is") } else { ("errors", "are") };
    format!("the {errors} at {}{more} {are} assumed away", places[..shown].join(", "))
}

/// The trace, a line per step.
fn trace(steps: &[TraceStep]) -> String {
    steps.iter().map(|s| format!("{}: {}", s.location, s.text)).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::super::sample::{SOURCE, sample};
    use super::*;
    use crate::ir::SiteId;
    use crate::verdict::Access;
    use expect_test::{Expect, expect};

    fn render(options: TextOptions) -> String {
        let dir = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(dir.path().join("a.c"), SOURCE).expect("a file");
        render_text(&sample(), &mut Excerpts::new(vec![dir.path().to_owned()]), options)
    }

    fn check(text: &str, expected: &Expect) {
        expected.assert_eq(text);
    }

    #[test]
    fn findings_come_worst_first_with_evidence_and_counts() {
        check(
            &render(TextOptions::default()),
            &expect![[r#"
                definite[div-by-zero]: division by zero: data
                 --> a.c:3:17
                  |
                2 |   int data = rand();
                  |              ---- 1: rand() is 0
                3 |   int x = 100 / data;
                  |                 ^^^^ 2: here
                  |
                  = when: rand() at line 2 returns 0
                          rand() at line 2, the 2nd time, returns "a\"\n\x00"
                          rand() at line 2, the 3rd time, returns "\xff"
                          rand() at line 2, the 4th time, returns NaN
                  = id: b9f27d21cb8ae53f (in main, found and run again by search, CWE-369)

                possible[shift]: shift count out of range: x << 40
                 --> a.c:4:10
                  |
                4 |   return x << 40;
                  |          ^^^^^^^
                  |
                  = because: x in [0, 7]
                  = after: the error at line 3 is assumed away
                  = id: dd4302ee22ee72d7 (in main, by forward, CWE-1335)

                unknown[shift]: shift count out of range
                 |
                 = because: budget: 60 s
                 = id: bedb862b1712e223 (in main, by forward, CWE-1335)

                check                 definite    possible     unknown unreachable        safe
                div-by-zero                  1           0           0           0           0
                shift                        0           1           1           0           0
                uninit-read                  0           0           0           0           1
                assertion                    0           0           0           1           0
                all                          1           1           1           1           1
                places                       1           1           1           1           1
                constructs passed over (their results may be anything): 1
                  inline assembly at a.c:1:1 in main
                called, but neither defined nor modelled (may return anything and change any memory in their reach): 1
                  ioctl at a.c:1:1
            "#]],
        );
    }

    #[test]
    fn what_is_not_decided_of_one_access_stands_together() {
        let mut analysis = sample();
        let place =
            analysis.findings.iter().find(|f| f.verdict.kind() == VerdictKind::Possible).expect("one").id.clone();
        for finding in &mut analysis.findings {
            finding.access = Some(Access { first: SiteId(1), id: place.clone() });
        }
        let render = |options| render_text(&analysis, &mut Excerpts::default(), options);
        let text = render(TextOptions::default());
        let heads: Vec<&str> = text.lines().filter(|line| line.contains("]: ")).collect();
        // What is definite has a block of its own.
        check(
            &heads.join("\n"),
            &expect![[r#"
                definite[div-by-zero]: division by zero: data
                possible[shift]: shift count out of range: x << 40
                 = also: unknown[shift]: shift count out of range, id bedb862b1712e223"#]],
        );
        assert!(
            text.contains("\nplaces                       1           0           0           0           0\n"),
            "{text}"
        );
        assert!(!render(TextOptions { verbose: true, ..TextOptions::default() }).contains("also"));
    }

    #[test]
    fn quiet_reports_tell_what_is_definite_alone() {
        let quiet = render(TextOptions { quiet: true, ..TextOptions::default() });
        let usual = render(TextOptions::default());
        assert!(usual.starts_with(&quiet) && quiet.matches("definite[").count() == 1, "{quiet}");
        assert!(!quiet.contains("possible") && !quiet.contains("check  "), "{quiet}");
    }

    #[test]
    fn verbose_reports_tell_traces_and_what_is_safe_too() {
        let verbose = render(TextOptions { verbose: true, ..TextOptions::default() });
        let usual = render(TextOptions::default());
        // What is there besides the usual report.
        let mut usual = usual.lines().peekable();
        let more: Vec<&str> = verbose.lines().filter(|l| usual.next_if(|u| u == l).is_none()).collect();
        assert_eq!(usual.next(), None, "{verbose}");
        check(
            &more.join("\n"),
            &expect![[r#"
              = trace: a.c:2:14: rand() is 0
            unreachable[assertion]: assertion fails: x
            --> a.c:9:1
             = because: no path
             = id: 604dde5d6b2a4d13 (in main, by forward, CWE-617)

            safe[uninit-read]: read of an uninitialized value: x
             --> a.c:4:10
              |
            4 |   return x << 40;
              |          ^
              |
              = because: x is set
              = id: 51ddaa8f5855a4df (in main, by forward, CWE-457)
        "#]],
        );
    }

    #[test]
    fn narrow_reports_keep_to_their_width() {
        let narrow = render(TextOptions { width: 60, ..TextOptions::default() });
        let long: Vec<&str> = narrow.lines().filter(|l| l.len() > 60 && !l.starts_with("called")).collect();
        assert_eq!(long, [] as [&str; 0]);
    }

    #[test]
    fn a_report_that_is_not_whole_says_so() {
        let analysis = Analysis { incomplete: Some("time limit of 1 s reached while analysing".into()), ..sample() };
        let text =
            render_text(&analysis, &mut Excerpts::default(), TextOptions { quiet: true, ..TextOptions::default() });
        assert!(
            text.ends_with(
                "partial: time limit of 1 s reached while analysing; what was not decided before is unknown\n"
            )
        );
    }

    #[test]
    fn long_preconditions_are_cut() {
        let input = |n| crate::verdict::InputBox {
            input: "rand()".into(),
            location: crate::verdict::Location { file: "a.c".into(), line: n, column: 1 },
            occurrence: 1,
            any: false,
            point: None,
            value: crate::verdict::InputValue::Int { low: 0, high: 0 },
        };
        let failure = Failure { precondition: (1..=20).map(input).collect(), ..Failure::default() };
        assert_eq!(precondition(&failure, "a.c", false).lines().count(), SHOWN_INPUTS + 1);
        assert!(precondition(&failure, "a.c", false).ends_with("and 12 more (--verbose lists all)"));
        assert_eq!(precondition(&failure, "a.c", true).lines().count(), 20);
    }
}
