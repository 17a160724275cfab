//! Findings as JUnit XML, which CI servers show as tests: a suite a check, a case a site.
//!
//! What is definite fails, also what rules find; what is possible or unknown, suppressed or known is skipped with the reason; safe and
//! unreachable sites pass. There is no official schema; the elements and attributes are those that Jenkins and GitLab read.

use crate::verdict::{Analysis, Baseline, Check, Finding, Verdict, VerdictKind};
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use std::collections::BTreeMap;
use std::io;

/// The whole document. `verbose` and `quiet` choose the cases as they do for other reports.
pub fn render_junit(analysis: &Analysis, verbose: bool, quiet: bool) -> String {
    let mut suites: BTreeMap<&Check, Vec<&Finding>> = BTreeMap::new();
    for finding in analysis.findings.iter().filter(|f| f.verdict.kind().is_shown(verbose, quiet)) {
        suites.entry(&finding.check).or_default().push(finding);
    }
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    document(&mut writer, analysis, &suites).expect("memory can be written");
    let mut text = String::from_utf8(writer.into_inner()).expect("XML is written as text");
    text.push('\n');
    text
}

type Xml = Writer<Vec<u8>>;

fn document(writer: &mut Xml, analysis: &Analysis, suites: &BTreeMap<&Check, Vec<&Finding>>) -> io::Result<()> {
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let all: Vec<&Finding> = suites.values().flatten().copied().collect();
    let [tests, failures, skipped] = counts(&all);
    let root = writer.create_element("testsuites").with_attributes([
        ("name", "cellog"),
        ("tests", tests.as_str()),
        ("failures", failures.as_str()),
        ("skipped", skipped.as_str()),
    ]);
    root.write_inner_content(|writer| {
        suites.iter().try_for_each(|(check, findings)| suite(writer, check.name(), findings))?;
        // A run that was cut short must not look like one that passed.
        match &analysis.incomplete {
            Some(why) => incomplete(writer, why),
            None => Ok(()),
        }
    })?;
    Ok(())
}

fn suite(writer: &mut Xml, name: &str, findings: &[&Finding]) -> io::Result<()> {
    let [tests, failures, skipped] = counts(findings);
    let element = writer.create_element("testsuite").with_attributes([
        ("name", name),
        ("tests", tests.as_str()),
        ("failures", failures.as_str()),
        ("errors", "0"),
        ("skipped", skipped.as_str()),
    ]);
    element.write_inner_content(|writer| findings.iter().try_for_each(|finding| case(writer, finding)))?;
    Ok(())
}

fn case(writer: &mut Xml, finding: &Finding) -> io::Result<()> {
    let name = printable(&format!("{} ({})", finding.message(), finding.id));
    let class = printable(&format!("{}.{}", finding.location.file, finding.function));
    let line = finding.location.line.to_string();
    let element = writer.create_element("testcase").with_attributes([
        ("classname", class.as_str()),
        ("name", name.as_str()),
        ("file", finding.location.file.as_str()),
        ("line", line.as_str()),
    ]);
    match outcome(finding) {
        Outcome::Passed => element.write_empty()?,
        Outcome::Skipped(why) => element.write_inner_content(|writer| {
            let why = printable(&why);
            writer.create_element("skipped").with_attribute(("message", why.as_str())).write_empty()?;
            Ok(())
        })?,
        Outcome::Failed(text) => element.write_inner_content(|writer| {
            let message = printable(&finding.message());
            let attributes = [("message", message.as_str()), ("type", finding.check.name())];
            let failure = writer.create_element("failure").with_attributes(attributes);
            failure.write_text_content(BytesText::new(&printable(&text)))?;
            Ok(())
        })?,
    };
    Ok(())
}

fn incomplete(writer: &mut Xml, why: &str) -> io::Result<()> {
    let suite = writer.create_element("testsuite").with_attributes([
        ("name", "cellog"),
        ("tests", "1"),
        ("failures", "0"),
        ("errors", "1"),
        ("skipped", "0"),
    ]);
    suite.write_inner_content(|writer| {
        let case = writer.create_element("testcase").with_attribute(("name", "the analysis came to its end"));
        case.write_inner_content(|writer| {
            let why = printable(why);
            writer.create_element("error").with_attribute(("message", why.as_str())).write_empty()?;
            Ok(())
        })?;
        Ok(())
    })?;
    Ok(())
}

enum Outcome {
    Passed,
    /// Why.
    Skipped(String),
    /// The evidence.
    Failed(String),
}

fn outcome(finding: &Finding) -> Outcome {
    if let Some(suppression) = &finding.standing.suppression {
        return Outcome::Skipped(format!("suppressed: {}", suppression.reason));
    }
    if finding.standing.baseline == Some(Baseline::Known) && finding.verdict.kind() <= VerdictKind::Unknown {
        return Outcome::Skipped("known from the baseline".to_owned());
    }
    match &finding.verdict {
        Verdict::Definite(failure) => {
            let home = &finding.location.file;
            let mut lines = vec![format!("{}: {}", finding.location, finding.message())];
            lines.extend(failure.precondition.iter().filter(|i| !i.any).map(|i| format!("when {}", i.clause(home))));
            lines.extend(failure.trace.iter().map(|step| format!("{}: {}", step.location, step.text)));
            Outcome::Failed(lines.join("\n"))
        }
        Verdict::Possible(why) if matches!(finding.check, Check::Rule(_)) => {
            Outcome::Failed(format!("{}: {}\n{why}", finding.location, finding.message()))
        }
        Verdict::Possible(state) => {
            Outcome::Skipped(format!("possible: {}", finding.because().unwrap_or_else(|| state.clone())))
        }
        Verdict::Unknown(reason) => Outcome::Skipped(format!("unknown: {reason}")),
        Verdict::Unreachable(_) | Verdict::Safe(_) => Outcome::Passed,
    }
}

/// How many cases there are, fail, and are skipped.
fn counts(findings: &[&Finding]) -> [String; 3] {
    let outcomes: Vec<Outcome> = findings.iter().map(|f| outcome(f)).collect();
    let failed = outcomes.iter().filter(|o| matches!(o, Outcome::Failed(_))).count();
    let skipped = outcomes.iter().filter(|o| matches!(o, Outcome::Skipped(_))).count();
    [findings.len(), failed, skipped].map(|n| n.to_string())
}

/// Without the control characters that XML 1.0 has no way to write.
fn printable(text: &str) -> String {
    text.chars().map(|c| if c < ' ' && !"\t\n\r".contains(c) { '\u{fffd}' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::super::sample::sample;
    use super::*;
    use expect_test::expect;

    #[test]
    fn definite_cases_fail_and_undecided_ones_are_skipped() {
        expect![[r#"
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="cellog" tests="3" failures="1" skipped="2">
              <testsuite name="div-by-zero" tests="1" failures="1" errors="0" skipped="0">
                <testcase classname="a.c.main" name="division by zero: data (b9f27d21cb8ae53f)" file="a.c" line="3">
                  <failure message="division by zero: data" type="div-by-zero">a.c:3:17: division by zero: data
            when rand() at line 2 returns 0
            when rand() at line 2, the 2nd time, returns &quot;a\&quot;\n\x00&quot;
            when rand() at line 2, the 3rd time, returns &quot;\xff&quot;
            when rand() at line 2, the 4th time, returns NaN
            a.c:2:14: rand() is 0</failure>
                </testcase>
              </testsuite>
              <testsuite name="shift" tests="2" failures="0" errors="0" skipped="2">
                <testcase classname="a.c.main" name="shift count out of range (bedb862b1712e223)" file="a.c" line="0">
                  <skipped message="unknown: budget: 60 s"/>
                </testcase>
                <testcase classname="a.c.main" name="shift count out of range: x &lt;&lt; 40 (dd4302ee22ee72d7)" file="a.c" line="4">
                  <skipped message="possible: x in [0, 7]"/>
                </testcase>
              </testsuite>
            </testsuites>
        "#]].assert_eq(&render_junit(&sample(), false, false));
    }

    #[test]
    fn all_sites_are_cases_of_a_verbose_report_and_few_of_a_quiet_one() {
        let cases = |verbose, quiet| render_junit(&sample(), verbose, quiet).matches("<testcase ").count();
        assert_eq!([cases(true, false), cases(false, false), cases(false, true)], [5, 3, 1]);
    }

    #[test]
    fn a_partial_report_has_an_error_and_text_is_no_markup() {
        let mut analysis = sample();
        analysis.incomplete = Some("time limit of 1 s reached".to_owned());
        analysis.findings[1].subject = "a < \"b\" && \u{1}".to_owned();
        let text = render_junit(&analysis, false, false);
        assert!(text.contains("<error message=\"time limit of 1 s reached\"/>"), "{text}");
        assert!(text.contains("a &lt; &quot;b&quot; &amp;&amp; \u{fffd}"), "{text}");
    }
}
