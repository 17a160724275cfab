//! An analysis as one JSON object, for programs. Every site is listed, so that the summary's counts are those of the list.

use crate::verdict::{
    Analysis, Baseline, Failure, Finding, Gap, InputBox, InputValue, Location, TraceStep, Verdict, VerdictKind,
};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// The object, ending in a newline. A finding stands on a line of its own, so that reports can be compared line by line.
pub fn render_json(analysis: &Analysis) -> String {
    let summary = analysis.summary();
    let findings: Vec<String> = analysis.findings.iter().map(|f| encode(&finding_object(f))).collect();
    let gaps: Vec<String> = analysis.gaps.iter().map(|g| encode(&gap_object(g))).collect();
    let parts = ReportParts {
        version: &encode(env!("CARGO_PKG_VERSION")),
        partial: &encode(&analysis.incomplete),
        program: &encode(&ProgramObject::of(analysis)),
        part: analysis.part.as_ref().map(encode),
        change: analysis.untouched.as_ref().map(|u| encode(&ChangeObject { since: &u.since, untouched: u.sites })),
        summary: &encode(&Counts::of(&summary.total)),
        places: &encode(&Counts::of(&analysis.places())),
        findings: &findings,
        gaps: &gaps,
    };
    parts.join()
}

/// The parts of a report, each in JSON.
pub(super) struct ReportParts<'a, S> {
    pub version: &'a str,
    pub partial: &'a str,
    pub program: &'a str,
    pub part: Option<String>,
    pub change: Option<String>,
    pub summary: &'a str,
    pub places: &'a str,
    pub findings: &'a [S],
    pub gaps: &'a [S],
}

impl<S: AsRef<str>> ReportParts<'_, S> {
    /// The report.
    pub fn join(&self) -> String {
        let ReportParts { version, partial, program, part, change, summary, places, findings, gaps } = self;
        let part = part.as_ref().map(|part| format!("\"part\":{part},\n")).unwrap_or_default();
        let change = change.as_ref().map(|change| format!("\"change\":{change},\n")).unwrap_or_default();
        let (findings, gaps) = (lines(findings), lines(gaps));
        format!(
            "{{\"tool\":\"cellog\",\"version\":{version},\"partial\":{partial},\n\"program\":{program},\n{part}{change}\"summary\":{summary},\n\"places\":{places},\n\"findings\":{findings},\n\"unsupported\":{gaps}}}\n"
        )
    }
}

pub(super) fn encode<T: Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).expect("strings and numbers always serialize")
}

/// A JSON array, an element a line.
fn lines<S: AsRef<str>>(elements: &[S]) -> String {
    let elements: Vec<&str> = elements.iter().map(AsRef::as_ref).collect();
    if elements.is_empty() { "[]".to_owned() } else { format!("[\n{}\n]", elements.join(",\n")) }
}

#[derive(Serialize)]
struct ChangeObject<'a> {
    since: &'a str,
    /// Sites that are not listed.
    untouched: usize,
}

#[derive(Serialize)]
pub(super) struct ProgramObject<'a> {
    files: &'a [String],
    entry: &'a str,
    arch: &'a str,
}

impl<'a> ProgramObject<'a> {
    pub(super) fn of(analysis: &'a Analysis) -> Self {
        ProgramObject { files: &analysis.files, entry: &analysis.entry, arch: &analysis.arch }
    }
}

/// Verdicts and counts, in the order of reports.
pub(super) struct Counts(Vec<(&'static str, usize)>);

impl Counts {
    pub(super) fn of(total: &BTreeMap<VerdictKind, usize>) -> Self {
        Counts(VerdictKind::ALL.iter().map(|k| (k.name(), total.get(k).copied().unwrap_or(0))).collect())
    }
}

impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, count) in &self.0 {
            map.serialize_entry(name, count)?;
        }
        map.end()
    }
}

#[derive(Serialize)]
pub(super) struct FindingObject<'a> {
    id: &'a str,
    check: &'a str,
    verdict: &'static str,
    file: &'a str,
    line: u32,
    column: u32,
    function: &'a str,
    message: String,
    /// What is judged, in C terms.
    #[serde(skip_serializing_if = "str::is_empty")]
    subject: &'a str,
    /// The id of the first check of the access that this is one of several checks of.
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<&'a str>,
    /// The number in the Common Weakness Enumeration.
    #[serde(skip_serializing_if = "Option::is_none")]
    cwe: Option<u16>,
    /// Why, for verdicts that no run backs.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// The function that the execution starts in, of definite findings.
    #[serde(skip_serializing_if = "str::is_empty")]
    entry: &'a str,
    precondition: Vec<InputObject<'a>>,
    trace: Vec<StepObject<'a>>,
    engine: &'a str,
    replayed: bool,
    /// Paths that the precondition is proved for, where it is more than the inputs of one run.
    #[serde(skip_serializing_if = "is_zero")]
    proved_paths: usize,
    /// The ids of definite errors that the verdict assumes away.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    after_error: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suppressed: Option<SuppressionObject<'a>>,
    /// What keeps it open, where one thing is known to.
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<CauseObject<'a>>,
    /// The reason of what is possible, in words of C.
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<String>,
    /// Where it stands among what is definite or open.
    #[serde(skip_serializing_if = "Option::is_none")]
    rank: Option<i64>,
    /// What keeps it open, as a clause that others may share.
    #[serde(skip_serializing_if = "Option::is_none")]
    open_because: Option<&'a str>,
    /// Against the earlier report: `new`, `known` or `worse`.
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<&'static str>,
    /// The program that it is found in, where several are judged at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    program: Option<&'a str>,
}

#[derive(Serialize)]
struct CauseObject<'a> {
    reason: &'a str,
    /// The call that is not followed, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<&'a Location>,
}

#[derive(Serialize)]
struct SuppressionObject<'a> {
    by: &'static str,
    reason: &'a str,
}

#[derive(Serialize)]
struct InputObject<'a> {
    input: &'a str,
    /// A number, or for bytes one number a byte.
    low: Value,
    high: Value,
    occurrence: u32,
    file: &'a str,
    line: u32,
    column: u32,
    /// Bytes that are printable ASCII (or the usual escapes), as a C string would spell them.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// The value in the run that erred, where low and high are not the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    point: Option<Value>,
    /// The values are all that the program can get here.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    any: bool,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Value {
    Int(i128),
    Float(f64),
    /// Floats that JSON has no number for.
    Special(String),
    Bytes(Vec<u8>),
}

#[derive(Serialize)]
struct StepObject<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    kind: &'static str,
    text: &'a str,
}

#[derive(Serialize)]
pub(super) struct GapObject<'a> {
    kind: &'static str,
    what: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    function: Option<&'a str>,
    file: &'a str,
    line: u32,
    column: u32,
}

pub(super) fn finding_object(finding: &Finding) -> FindingObject<'_> {
    static NO_FAILURE: Failure = Failure {
        entry: String::new(),
        precondition: Vec::new(),
        trace: Vec::new(),
        replayed: false,
        paths: 0,
        past: Vec::new(),
    };
    let (failure, reason) = match &finding.verdict {
        Verdict::Definite(failure) => (failure, None),
        Verdict::Possible(state) => (&NO_FAILURE, Some(state.clone())),
        Verdict::Unknown(reason) => (&NO_FAILURE, Some(reason.to_string())),
        Verdict::Unreachable(certificate) | Verdict::Safe(certificate) => {
            (&NO_FAILURE, Some(certificate.invariant.clone()))
        }
    };
    let standing = &finding.standing;
    FindingObject {
        id: &finding.id,
        check: finding.check.name(),
        verdict: finding.verdict.kind().name(),
        file: &finding.location.file,
        line: finding.location.line,
        column: finding.location.column,
        function: &finding.function,
        message: finding.message(),
        subject: &finding.subject,
        group: finding.access.as_ref().map(|access| access.id.as_str()),
        cwe: finding.weakness.map(|w| w.number),
        reason,
        entry: &failure.entry,
        precondition: failure.precondition.iter().map(input_object).collect(),
        trace: failure.trace.iter().map(step_object).collect(),
        engine: &finding.engine,
        replayed: failure.replayed,
        proved_paths: failure.paths,
        after_error: finding.after_error.iter().map(|e| e.id.as_str()).collect(),
        suppressed: standing.suppression.as_ref().map(|s| SuppressionObject { by: s.by.name(), reason: &s.reason }),
        because: finding.doubt.as_ref().and_then(|_| finding.because()),
        rank: finding.rank.as_ref().map(|rank| rank.rank),
        open_because: finding.rank.as_ref().map(|rank| rank.cause.as_str()).filter(|cause| !cause.is_empty()),
        cause: finding.cause.as_ref().map(|c| CauseObject { reason: &c.reason, call: c.location.as_ref() }),
        baseline: standing.baseline.map(Baseline::name),
        program: standing.program.as_deref(),
    }
}

fn is_zero(n: &usize) -> bool {
    *n == 0
}

fn input_object(input: &InputBox) -> InputObject<'_> {
    let (low, high) = bounds(&input.value);
    let text = match &input.value {
        InputValue::Bytes(bytes) => {
            let printable = bytes.iter().all(|b| b.is_ascii_graphic() || b" \t\r\n\0".contains(b));
            printable.then(|| bytes.escape_ascii().to_string())
        }
        _ => None,
    };
    let place = &input.location;
    InputObject {
        input: &input.input,
        low,
        high,
        occurrence: input.occurrence,
        file: &place.file,
        line: place.line,
        column: place.column,
        text,
        point: input.point.as_ref().map(|point| bounds(point).0),
        any: input.any,
    }
}

fn bounds(value: &InputValue) -> (Value, Value) {
    let float = |v: f64| if v.is_finite() { Value::Float(v) } else { Value::Special(v.to_string()) };
    match value {
        InputValue::Int { low, high } => (Value::Int(*low), Value::Int(*high)),
        InputValue::Float { low, high } => (float(*low), float(*high)),
        InputValue::Bytes(bytes) => (Value::Bytes(bytes.clone()), Value::Bytes(bytes.clone())),
        InputValue::ByteRanges { low, high } => (Value::Bytes(low.clone()), Value::Bytes(high.clone())),
    }
}

fn step_object(step: &TraceStep) -> StepObject<'_> {
    let place = &step.location;
    StepObject { file: &place.file, line: place.line, column: place.column, kind: step.kind.name(), text: &step.text }
}

pub(super) fn gap_object(gap: &Gap) -> GapObject<'_> {
    let place = &gap.location;
    GapObject {
        kind: gap.kind.name(),
        what: &gap.what,
        function: gap.function.as_deref(),
        file: &place.file,
        line: place.line,
        column: place.column,
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::sample;
    use super::*;
    use expect_test::expect;

    #[test]
    fn the_object_lists_every_site() {
        expect![[r#"
            {"tool":"cellog","version":"0.2.0","partial":null,
            "program":{"files":["a.c"],"entry":"main","arch":"lp64"},
            "summary":{"definite":1,"possible":1,"unknown":1,"unreachable":1,"safe":1},
            "places":{"definite":1,"possible":1,"unknown":1,"unreachable":1,"safe":1},
            "findings":[
            {"id":"bedb862b1712e223","check":"shift","verdict":"unknown","file":"a.c","line":0,"column":0,"function":"main","message":"shift count out of range","cwe":1335,"reason":"budget: 60 s","precondition":[],"trace":[],"engine":"forward","replayed":false},
            {"id":"b9f27d21cb8ae53f","check":"div-by-zero","verdict":"definite","file":"a.c","line":3,"column":17,"function":"main","message":"division by zero: data","subject":"data","cwe":369,"entry":"main","precondition":[{"input":"rand()","low":0,"high":0,"occurrence":1,"file":"a.c","line":2,"column":14},{"input":"rand()","low":[97,34,10,0],"high":[97,34,10,0],"occurrence":2,"file":"a.c","line":2,"column":14,"text":"a\\\"\\n\\x00"},{"input":"rand()","low":[255],"high":[255],"occurrence":3,"file":"a.c","line":2,"column":14},{"input":"rand()","low":"NaN","high":"NaN","occurrence":4,"file":"a.c","line":2,"column":14}],"trace":[{"file":"a.c","line":2,"column":14,"kind":"input","text":"rand() is 0"}],"engine":"search","replayed":true},
            {"id":"51ddaa8f5855a4df","check":"uninit-read","verdict":"safe","file":"a.c","line":4,"column":10,"function":"main","message":"read of an uninitialized value: x","subject":"x","cwe":457,"reason":"x is set","precondition":[],"trace":[],"engine":"forward","replayed":false},
            {"id":"dd4302ee22ee72d7","check":"shift","verdict":"possible","file":"a.c","line":4,"column":15,"function":"main","message":"shift count out of range: x << 40","subject":"x << 40","cwe":1335,"reason":"x in [0, 7]","precondition":[],"trace":[],"engine":"forward","replayed":false,"after_error":["b9f27d21cb8ae53f"]},
            {"id":"604dde5d6b2a4d13","check":"assertion","verdict":"unreachable","file":"a.c","line":9,"column":1,"function":"main","message":"assertion fails: x","subject":"x","cwe":617,"reason":"no path","precondition":[],"trace":[],"engine":"forward","replayed":false}
            ],
            "unsupported":[
            {"kind":"construct","what":"inline assembly","function":"main","file":"a.c","line":1,"column":1},
            {"kind":"external","what":"ioctl","file":"a.c","line":1,"column":1}
            ]}
        "#]].assert_eq(&render_json(&sample()));
    }

    #[test]
    fn the_summary_counts_the_findings() {
        let value: serde_json::Value = serde_json::from_str(&render_json(&sample())).expect("JSON");
        let listed = value["findings"].as_array().expect("a list").len();
        let counted: u64 = value["summary"].as_object().expect("counts").values().filter_map(|v| v.as_u64()).sum();
        assert_eq!(listed as u64, counted);
    }
}
