//! The negated precondition of a finding, for other tools: a C assertion, an ACSL annotation, an assumption for CBMC.

use super::stubs::{comment, float};
use crate::verdict::{Finding, InputBox, InputValue, Verdict};
use std::fmt::Write;

/// The three forms with the meaning of their names; None when the finding is not definite.
pub fn claims(finding: &Finding) -> Option<String> {
    let Verdict::Definite(failure) = &finding.verdict else { return None };
    let place = comment(&finding.location.to_string());
    let mut out = format!("/* Excludes finding {}: {} at {place}.\n", finding.id, comment(&finding.message()));
    if failure.precondition.is_empty() {
        out.push_str(" * It happens whatever the inputs are. */\n");
    } else {
        out.push_str(" * Behind the last of these inputs: */\n");
    }
    let mut terms = Vec::new();
    for (i, input) in failure.precondition.iter().enumerate() {
        let name = name(input, i + 1);
        let entered = comment(&input.location.to_string());
        let source = comment(&input.input);
        let _ = writeln!(out, "/*   {name}: {source} at {entered}, value {} taken there */", input.occurrence);
        terms.push(term(&name, &input.value));
    }
    let claim = if terms.is_empty() { "0".to_owned() } else { format!("!({})", terms.join(" && ")) };
    let acsl = if terms.is_empty() { "\\false" } else { &claim };
    let _ = write!(out, "assert({claim});\n//@ assert {acsl};\n__CPROVER_assume({claim});\n");
    Some(out)
}

/// A C name for an input: a parameter's own, or one made of its words and number.
fn name(input: &InputBox, number: usize) -> String {
    if let Some(rest) = input.input.strip_prefix("parameter ") {
        return rest.split(' ').next().unwrap_or_default().to_owned();
    }
    if input.input == "argc" || input.input.starts_with("argv[") {
        return input.input.clone();
    }
    let words: Vec<&str> = input.input.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty()).collect();
    format!("{}_{number}", words.join("_"))
}

fn term(name: &str, value: &InputValue) -> String {
    match value {
        InputValue::Int { low, high } if low == high => format!("{name} == {}", small(*low)),
        InputValue::Int { low, high } => format!("{} <= {name} && {name} <= {}", small(*low), small(*high)),
        InputValue::Float { low, .. } if low.is_nan() => format!("{name} != {name}"),
        InputValue::Float { low, high } if low.to_bits() == high.to_bits() => format!("{name} == {}", float(*low)),
        InputValue::Float { low, high } => format!("{} <= {name} && {name} <= {}", float(*low), float(*high)),
        InputValue::Bytes(bytes) if bytes.is_empty() => format!("{name}[0] == 0"),
        InputValue::Bytes(bytes) => {
            let byte = |(i, b): (usize, &u8)| format!("(unsigned char){name}[{i}] == {b}");
            bytes.iter().enumerate().map(byte).collect::<Vec<_>>().join(" && ")
        }
        InputValue::ByteRanges { low, high } => {
            let byte = |(i, (low, high)): (usize, (&u8, &u8))| {
                format!("{low} <= (unsigned char){name}[{i}] && (unsigned char){name}[{i}] <= {high}")
            };
            low.iter().zip(high).enumerate().map(byte).collect::<Vec<_>>().join(" && ")
        }
    }
}

/// An integer as people write it, with a suffix only where it needs one.
fn small(value: i128) -> String {
    if i128::from(i32::MIN) < value && value <= i128::from(i32::MAX) {
        value.to_string()
    } else {
        super::stubs::integer(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{CheckKind, SiteId};
    use crate::verdict::{Failure, Location};
    use expect_test::expect;

    fn finding(precondition: Vec<InputBox>) -> Finding {
        let location = Location { file: "a.c".into(), line: 3, column: 1 };
        let verdict = Verdict::Definite(Failure { precondition, ..Failure::default() });
        let finding = Finding::at(CheckKind::DivByZero, location, "main", "d", verdict, "search");
        Finding { id: "0123456789abcdef".into(), site: Some(SiteId(0)), ..finding }
    }
    fn input(name: &str, value: InputValue) -> InputBox {
        InputBox {
            any: false,
            point: None,
            input: name.into(),
            location: Location { file: "a.c".into(), line: 2, column: 1 },
            occurrence: 1,
            value,
        }
    }

    #[test]
    fn the_negated_precondition_has_three_forms() {
        let inputs = vec![
            input("rand()", InputValue::Int { low: 0, high: 4 }),
            input("parameter d of f", InputValue::Int { low: 7, high: 7 }),
        ];
        expect![[r#"
            /* Excludes finding 0123456789abcdef: division by zero: d at a.c:3:1.
             * Behind the last of these inputs: */
            /*   rand_1: rand() at a.c:2:1, value 1 taken there */
            /*   d: parameter d of f at a.c:2:1, value 1 taken there */
            assert(!(0 <= rand_1 && rand_1 <= 4 && d == 7));
            //@ assert !(0 <= rand_1 && rand_1 <= 4 && d == 7);
            __CPROVER_assume(!(0 <= rand_1 && rand_1 <= 4 && d == 7));
        "#]]
        .assert_eq(&claims(&finding(inputs)).expect("it is definite"));
    }

    #[test]
    fn what_always_errs_cannot_be_excluded() {
        let text = claims(&finding(vec![])).expect("it is definite");
        assert!(text.contains("whatever the inputs are") && text.contains("assert(0);"), "{text}");
    }
}
