//! A definite finding as a JSON report has recorded it, so that replaying it needs no second analysis.

use crate::ir::CheckKind;
use crate::pipeline::error::Error;
use crate::verdict::{Failure, Finding, InputBox, InputValue, Location, Verdict};
use serde::Deserialize;
use std::path::Path;

/// The part of a report that a replay needs; `docs/report.schema.json` describes the whole.
#[derive(Deserialize)]
struct Report {
    findings: Vec<Recorded>,
}

#[derive(Deserialize)]
struct Recorded {
    id: String,
    check: String,
    verdict: String,
    #[serde(flatten)]
    place: Place,
    function: String,
    #[serde(default)]
    subject: String,
    #[serde(default)]
    entry: String,
    precondition: Vec<Input>,
    replayed: bool,
}

#[derive(Deserialize)]
struct Place {
    file: String,
    line: u32,
    column: u32,
}

#[derive(Deserialize)]
struct Input {
    input: String,
    low: Value,
    high: Value,
    occurrence: u32,
    point: Option<Value>,
    #[serde(default)]
    any: bool,
    #[serde(flatten)]
    place: Place,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Value {
    Bytes(Vec<u8>),
    Number(serde_json::Number),
    Special(String),
}

/// The definite findings of the report that `check --format json` has written to `path`.
pub fn recorded(path: &Path) -> Result<Vec<Finding>, Error> {
    let name = path.display();
    let text = std::fs::read_to_string(path).map_err(|e| Error::Usage(format!("cannot read {name}: {e}")))?;
    parse(&text).map_err(|why| Error::Usage(format!("{name} is no report of `check --format json`: {why}")))
}

fn parse(text: &str) -> Result<Vec<Finding>, String> {
    let report: Report = serde_json::from_str(text).map_err(|e| e.to_string())?;
    report.findings.into_iter().filter(|f| f.verdict == "definite").map(finding).collect()
}

fn finding(recorded: Recorded) -> Result<Finding, String> {
    let kind = CheckKind::from_name(&recorded.check).ok_or_else(|| format!("no check `{}`", recorded.check))?;
    let precondition = recorded.precondition.into_iter().map(input).collect::<Result<_, _>>()?;
    let failure = Failure { entry: recorded.entry, precondition, replayed: recorded.replayed, ..Failure::default() };
    let (place, verdict) = (location(recorded.place), Verdict::Definite(failure));
    let finding = Finding::at(kind, place, &recorded.function, &recorded.subject, verdict, "report");
    Ok(Finding { id: recorded.id, ..finding })
}

fn location(place: Place) -> Location {
    Location { file: place.file, line: place.line, column: place.column }
}

fn input(input: Input) -> Result<InputBox, String> {
    let mistake = || format!("input {} has no value", input.input);
    let point = input.point.as_ref().map(|point| value(point, point).ok_or_else(mistake)).transpose()?;
    Ok(InputBox {
        value: value(&input.low, &input.high).ok_or_else(mistake)?,
        input: input.input,
        location: location(input.place),
        occurrence: input.occurrence,
        point,
        any: input.any,
    })
}

fn value(low: &Value, high: &Value) -> Option<InputValue> {
    Some(match (low, high) {
        (Value::Bytes(low), Value::Bytes(high)) if low != high && low.len() == high.len() => {
            InputValue::ByteRanges { low: low.clone(), high: high.clone() }
        }
        (Value::Bytes(bytes), _) => InputValue::Bytes(bytes.clone()),
        // Integers are written without a point, floats with one.
        (Value::Number(l), Value::Number(h)) => match (l.to_string().parse(), h.to_string().parse()) {
            (Ok(low), Ok(high)) => InputValue::Int { low, high },
            _ => InputValue::Float { low: number(low)?, high: number(high)? },
        },
        (low, high) => InputValue::Float { low: number(low)?, high: number(high)? },
    })
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(n) => n.as_f64(),
        Value::Special(text) => text.parse().ok(),
        Value::Bytes(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(low: &str, high: &str) -> InputValue {
        let place = "\"file\":\"a.c\",\"line\":2,\"column\":3";
        let input = format!("{{\"input\":\"rand()\",\"low\":{low},\"high\":{high},\"occurrence\":1,{place}}}");
        let text = format!(
            "{{\"findings\":[{{\"id\":\"7\",\"check\":\"shift\",\"verdict\":\"definite\",{place},\"function\":\"f\",\
             \"message\":\"shift count out of range: a << b\",\"subject\":\"a << b\",\"precondition\":[{input}],\"trace\":[],\"replayed\":true}}]}}"
        );
        let finding = parse(&text).expect("a report").remove(0);
        assert_eq!(
            (finding.subject.as_str(), finding.message().as_str()),
            ("a << b", "shift count out of range: a << b")
        );
        let Verdict::Definite(failure) = finding.verdict else { panic!("not definite") };
        failure.precondition[0].value.clone()
    }

    #[test]
    fn values_come_back_as_they_were_written() {
        assert_eq!(with("-3", "18446744073709551615"), InputValue::Int { low: -3, high: u64::MAX.into() });
        assert_eq!(with("2.0", "2.5"), InputValue::Float { low: 2.0, high: 2.5 });
        assert_eq!(with("[120,0]", "[120,0]"), InputValue::Bytes(vec![120, 0]));
        assert!(matches!(with("\"NaN\"", "\"NaN\""), InputValue::Float { low, .. } if low.is_nan()));
        assert_eq!(with("\"-inf\"", "1.0"), InputValue::Float { low: f64::NEG_INFINITY, high: 1.0 });
    }

    #[test]
    fn other_files_are_refused() {
        assert!(parse("[]").is_err());
        assert!(parse("{\"findings\":[{\"id\":1}]}").is_err());
    }
}
