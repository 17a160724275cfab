//! Findings for people: one block each, worst first, then the counts.

use super::excerpt::{Excerpts, renderer};
use super::table::{render_counts, render_gaps};
use crate::verdict::{Analysis, Failure, Finding, TraceStep, Verdict, VerdictKind};
use annotate_snippets::{Group, Level, Message, normalize_untrusted_str};

/// How much a text report tells.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextOptions {
    /// Safe and unreachable sites, whole traces, all gaps.
    pub verbose: bool,
    /// Definite findings only, and no closing table.
    pub quiet: bool,
    pub colour: bool,
}

/// Input values shown per finding, and trace steps, unless verbose.
const SHOWN_INPUTS: usize = 8;
const SHOWN_STEPS: usize = 12;

/// The whole report, ending in a newline; empty when quiet and nothing is definite.
pub fn render_text(analysis: &Analysis, excerpts: &mut Excerpts, options: TextOptions) -> String {
    let mut out = String::new();
    for kind in VerdictKind::ALL {
        let shown = match kind {
            VerdictKind::Definite => true,
            VerdictKind::Possible | VerdictKind::Unknown => !options.quiet,
            VerdictKind::Unreachable | VerdictKind::Safe => options.verbose && !options.quiet,
        };
        if shown {
            for finding in analysis.findings.iter().filter(|f| f.verdict.kind() == kind) {
                out.push_str(&render_finding(finding, excerpts, options));
                out.push('\n');
            }
        }
    }
    if !options.quiet {
        out.push_str(&render_counts(analysis));
        out.push_str(&render_gaps(analysis, options.verbose));
    }
    out
}

/// One finding as a block of lines.
fn render_finding(finding: &Finding, excerpts: &mut Excerpts, options: TextOptions) -> String {
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
    let place = &finding.location;
    let mut group = Group::with_title(title).elements(excerpts.element(
        &place.file,
        place.line,
        place.column,
        &finding.subject,
        None,
    ));
    for message in evidence(&finding.verdict, options.verbose) {
        group = group.element(message);
    }
    let origin = format!("{} (in {}, by {})", finding.id, finding.function, finding.engine);
    group = group.element(note("id", &origin));
    format!("{}\n", renderer(options.colour).render(&[group]))
}

fn note(name: &'static str, text: &str) -> Message<'static> {
    Level::NOTE.with_name(name).message(normalize_untrusted_str(text))
}

/// The evidence as notes under the excerpt.
fn evidence(verdict: &Verdict, verbose: bool) -> Vec<Message<'static>> {
    match verdict {
        Verdict::Definite(failure) => {
            let mut notes = vec![note("for inputs", &precondition(failure, verbose))];
            if !failure.trace.is_empty() {
                notes.push(note("trace", &trace(&failure.trace, verbose)));
            }
            notes
        }
        Verdict::Possible(state) => vec![note("because", state)],
        Verdict::Unknown(reason) => vec![note("because", &reason.to_string())],
        Verdict::Unreachable(certificate) | Verdict::Safe(certificate) => {
            vec![note("because", &certificate.invariant)]
        }
    }
}

/// The precondition, a line per input.
fn precondition(failure: &Failure, verbose: bool) -> String {
    if failure.precondition.is_empty() {
        return "any".to_owned();
    }
    let shown = if verbose { usize::MAX } else { SHOWN_INPUTS };
    let mut lines: Vec<String> = failure.precondition.iter().take(shown).map(ToString::to_string).collect();
    if failure.precondition.len() > lines.len() {
        lines.push(format!("and {} more", failure.precondition.len() - lines.len()));
    }
    lines.join("\n")
}

/// The trace, a line per step; of a long one its first steps and the last ones before the error.
fn trace(steps: &[TraceStep], verbose: bool) -> String {
    let line = |s: &TraceStep| format!("{}: {}", s.location, s.text);
    if verbose || steps.len() <= SHOWN_STEPS {
        return steps.iter().map(line).collect::<Vec<_>>().join("\n");
    }
    let head = SHOWN_STEPS / 3;
    let tail = SHOWN_STEPS - head;
    let mut lines: Vec<String> = steps[..head].iter().map(line).collect();
    lines.push(format!("... {} steps ...", steps.len() - SHOWN_STEPS));
    lines.extend(steps[steps.len() - tail..].iter().map(line));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::super::sample::{SOURCE, sample};
    use super::*;
    use expect_test::{Expect, expect};

    fn check(options: TextOptions, expected: &Expect) {
        let dir = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(dir.path().join("a.c"), SOURCE).expect("a file");
        let mut excerpts = Excerpts::new(vec![dir.path().to_owned()]);
        expected.assert_eq(&render_text(&sample(), &mut excerpts, options));
    }

    #[test]
    fn findings_come_worst_first_with_evidence_and_counts() {
        check(
            TextOptions::default(),
            &expect![[r#"
                definite[div-by-zero]: division by zero: data
                 --> a.c:3:17
                  |
                3 |   int x = 100 / data;
                  |                 ^^^^
                  |
                  = for inputs: rand() = 0 at a.c:2:14
                                rand() (value 2) = "a\"\n\x00" at a.c:2:14
                                rand() (value 3) = "\xff" at a.c:2:14
                                rand() (value 4) = NaN at a.c:2:14
                  = trace: a.c:2:14: rand() is 0
                  = id: b9f27d21cb8ae53f (in main, by search)

                possible[shift]: shift count out of range: x << 40
                 --> a.c:4:10
                  |
                4 |   return x << 40;
                  |          ^^^^^^^
                  |
                  = because: x in [0, 7]
                  = id: dd4302ee22ee72d7 (in main, by forward)

                unknown[shift]: shift count out of range
                 |
                 = because: budget: 60 s
                 = id: bedb862b1712e223 (in main, by forward)

                check                 definite    possible     unknown unreachable        safe
                div-by-zero                  1           0           0           0           0
                shift                        0           1           1           0           0
                uninit-read                  0           0           0           0           1
                assertion                    0           0           0           1           0
                all                          1           1           1           1           1
                constructs passed over (their results may be anything): 1
                  inline assembly at a.c:1:1 in main
                called, but neither defined nor modelled (may return anything and change any memory in their reach): 1
                  ioctl at a.c:1:1
            "#]],
        );
    }

    #[test]
    fn quiet_reports_tell_what_is_definite_alone() {
        check(
            TextOptions { quiet: true, ..TextOptions::default() },
            &expect![[r#"
            definite[div-by-zero]: division by zero: data
             --> a.c:3:17
              |
            3 |   int x = 100 / data;
              |                 ^^^^
              |
              = for inputs: rand() = 0 at a.c:2:14
                            rand() (value 2) = "a\"\n\x00" at a.c:2:14
                            rand() (value 3) = "\xff" at a.c:2:14
                            rand() (value 4) = NaN at a.c:2:14
              = trace: a.c:2:14: rand() is 0
              = id: b9f27d21cb8ae53f (in main, by search)

        "#]],
        );
    }

    #[test]
    fn verbose_reports_tell_what_is_safe_too() {
        check(
            TextOptions { verbose: true, ..TextOptions::default() },
            &expect![[r#"
                definite[div-by-zero]: division by zero: data
                 --> a.c:3:17
                  |
                3 |   int x = 100 / data;
                  |                 ^^^^
                  |
                  = for inputs: rand() = 0 at a.c:2:14
                                rand() (value 2) = "a\"\n\x00" at a.c:2:14
                                rand() (value 3) = "\xff" at a.c:2:14
                                rand() (value 4) = NaN at a.c:2:14
                  = trace: a.c:2:14: rand() is 0
                  = id: b9f27d21cb8ae53f (in main, by search)

                possible[shift]: shift count out of range: x << 40
                 --> a.c:4:10
                  |
                4 |   return x << 40;
                  |          ^^^^^^^
                  |
                  = because: x in [0, 7]
                  = id: dd4302ee22ee72d7 (in main, by forward)

                unknown[shift]: shift count out of range
                 |
                 = because: budget: 60 s
                 = id: bedb862b1712e223 (in main, by forward)

                unreachable[assertion]: assertion fails: x
                --> a.c:9:1
                 = because: no path
                 = id: 604dde5d6b2a4d13 (in main, by forward)

                safe[uninit-read]: read of an uninitialized value: x
                 --> a.c:4:10
                  |
                4 |   return x << 40;
                  |          ^
                  |
                  = because: x is set
                  = id: 51ddaa8f5855a4df (in main, by forward)

                check                 definite    possible     unknown unreachable        safe
                div-by-zero                  1           0           0           0           0
                shift                        0           1           1           0           0
                uninit-read                  0           0           0           0           1
                assertion                    0           0           0           1           0
                all                          1           1           1           1           1
                constructs passed over (their results may be anything): 1
                  inline assembly at a.c:1:1 in main
                called, but neither defined nor modelled (may return anything and change any memory in their reach): 1
                  ioctl at a.c:1:1
            "#]],
        );
    }

    #[test]
    fn long_traces_keep_their_ends() {
        let step = |n| TraceStep {
            location: crate::verdict::Location { file: "a.c".into(), line: n, column: 1 },
            text: n.to_string(),
        };
        let steps: Vec<_> = (1..=40).map(step).collect();
        let text = trace(&steps, false);
        assert_eq!(text.lines().count(), SHOWN_STEPS + 1);
        assert!(text.starts_with("a.c:1:1: 1\n") && text.ends_with("a.c:40:1: 40"), "{text}");
        assert!(text.contains("... 28 steps ..."), "{text}");
        assert_eq!(trace(&steps, true).lines().count(), 40);
    }
}
