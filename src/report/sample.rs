//! A made-up analysis for the tests of this room.

use crate::ir::{CheckKind, SiteId};
use crate::verdict::*;

/// The source that the sample's findings lie in.
pub(super) const SOURCE: &str = "int main(void) {\n  int data = rand();\n  int x = 100 / data;\n  return x << 40;\n}\n";

fn at(line: u32, column: u32) -> Location {
    Location { file: "a.c".into(), line, column }
}

/// One finding of each verdict.
pub(super) fn sample() -> Analysis {
    let finding = |site, check, line, column, subject: &str, verdict, engine: &str| Finding {
        site: Some(SiteId(site)),
        weakness: weakness(check, None),
        ..Finding::at(check, at(line, column), "main", subject, verdict, engine)
    };
    let input =
        |value| InputBox { input: "rand()".into(), location: at(2, 14), occurrence: 1, value, point: None, any: false };
    let failure = Failure {
        entry: "main".into(),
        precondition: vec![
            input(InputValue::Int { low: 0, high: 0 }),
            InputBox { occurrence: 2, ..input(InputValue::Bytes(b"a\"\n\0".to_vec())) },
            InputBox { occurrence: 3, ..input(InputValue::Bytes(vec![0xff])) },
            InputBox { occurrence: 4, ..input(InputValue::Float { low: f64::NAN, high: f64::NAN }) },
        ],
        trace: vec![TraceStep { location: at(2, 14), kind: StepKind::Input, text: "rand() is 0".into() }],
        replayed: true,
        paths: 0,
        past: Vec::new(),
    };
    let certificate = |text: &str| Certificate { invariant: text.into() };
    let mut findings = vec![
        finding(0, CheckKind::DivByZero, 3, 17, "data", Verdict::Definite(failure), "search"),
        finding(1, CheckKind::Shift, 4, 15, "x << 40", Verdict::Possible("x in [0, 7]".into()), "forward"),
        finding(2, CheckKind::UninitRead, 4, 10, "x", Verdict::Safe(certificate("x is set")), "forward"),
        finding(3, CheckKind::Assertion, 9, 1, "x", Verdict::Unreachable(certificate("no path")), "forward"),
        finding(4, CheckKind::Shift, 0, 0, "", Verdict::Unknown(Reason::Budget("60 s".into())), "forward"),
    ];
    findings[1].after_error = vec![Earlier { site: SiteId(0), id: String::new(), location: at(3, 17) }];
    sort_findings(&mut findings);
    assign_ids(&mut findings);
    let gap = |kind, what: &str, function: Option<&str>| Gap {
        kind,
        location: at(1, 1),
        function: function.map(str::to_owned),
        what: what.into(),
    };
    Analysis {
        files: vec!["a.c".into()],
        entry: "main".into(),
        arch: "lp64".into(),
        findings,
        gaps: vec![gap(GapKind::Construct, "inline assembly", Some("main")), gap(GapKind::External, "ioctl", None)],
        incomplete: None,
        excluded: 0,
        untouched: None,
        mendings: Vec::new(),
        part: None,
        insight: None,
    }
}
