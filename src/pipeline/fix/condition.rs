//! When arithmetic and conversions err, as conditions in C.

use super::expression::{bare, is_pure, operands, primary};
use super::statement::tokens;

/// The least and the greatest value of an integer type.
pub type Range = (i128, i128);

/// When the arithmetic `subject` leaves the range of its type.
pub fn overflow(subject: &str, range: Range) -> Option<String> {
    let (least, most) = spelled(range);
    let stepped = |sign: &str| {
        let rest = subject.strip_prefix(sign).or_else(|| subject.strip_suffix(sign))?.trim();
        is_pure(rest).then_some(rest)
    };
    if let Some(name) = stepped("++") {
        return Some(format!("{name} == {most}"));
    }
    if let Some(name) = stepped("--") {
        return Some(format!("{name} == {least}"));
    }
    let (left, operator, right) = operands(subject, &["+", "-", "*", "+=", "-=", "*="])?;
    let (a, b) = (primary(left), primary(right));
    let is_number = right.parse::<u32>().is_ok_and(|n| n > 0);
    let operator = operator.trim_end_matches('=');
    if range.0 == 0 {
        return Some(match (operator, is_number) {
            ("+", _) => format!("{a} > {most} - {b}"),
            ("-", _) => format!("{a} < {b}"),
            (_, true) => format!("{a} > {most} / {b}"),
            _ => format!("{b} != 0 && {a} > {most} / {b}"),
        });
    }
    match (operator, is_number) {
        ("+", true) => Some(format!("{a} > {most} - {b}")),
        ("-", true) => Some(format!("{a} < {least} + {b}")),
        ("*", true) => Some(format!("{a} > {most} / {b} || {a} < {least} / {b}")),
        ("+", false) => Some(format!("{b} > 0 ? {a} > {most} - {b} : {a} < {least} - {b}")),
        ("-", false) => Some(format!("{b} < 0 ? {a} > {most} + {b} : {a} < {least} + {b}")),
        _ if left == right => {
            let root = range.1.isqrt();
            Some(format!("{a} > {root} || {a} < -{root}"))
        }
        // Products of the wider type exist.
        _ if range.1 <= i128::from(i32::MAX) => {
            Some(format!("(long long){a} * {b} > {most} || (long long){a} * {b} < {least}"))
        }
        _ => None,
    }
}

/// When the statement `text` converts a number to a type that does not have it: `x++;`, `r = a + b;`, `short r = a + b;`.
/// `is_float`: the number is a floating one, which may be no number at all.
pub fn narrowing(text: &str, range: Range, is_float: bool) -> Option<String> {
    let (least, most) = spelled(range);
    let text = text.trim().strip_suffix(';')?.trim();
    let all = tokens(text);
    let names: Vec<&str> = all.iter().map(|t| t.text).collect();
    match names[..] {
        ["++", name] | [name, "++"] => return Some(format!("{name} == {most}")),
        ["--", name] | [name, "--"] => return Some(format!("{name} == {least}")),
        _ => {}
    }
    let equals = all.iter().position(|token| token.text == "=")?;
    // One variable is declared, or assigned to.
    let one = all.iter().all(|token| !matches!(token.text, "," | "{"));
    let value = primary(bare(&text[all[equals].end()..]));
    if !one || !is_pure(&value) {
        return None;
    }
    Some(match is_float {
        // Conversion drops what is behind the point.
        true => format!("!({value} > {}.0 && {value} < {}.0)", range.0 - 1, range.1 + 1),
        false => format!("{value} < {least} || {value} > {most}"),
    })
}

/// Both ends as constants of C.
fn spelled((least, most): Range) -> (String, String) {
    let is_int = most <= i128::from(i32::MAX);
    let end = if least == 0 && !is_int { "u" } else { "" };
    let least = match least {
        0 => "0".to_owned(),
        n if is_int && n > i128::from(i32::MIN) => n.to_string(),
        // The least `int` and `long` are no constants: a minus in front of one that is too great.
        n => format!("(-{} - 1)", -(n + 1)),
    };
    (least, format!("{most}{end}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const INT: Range = (i32::MIN as i128, i32::MAX as i128);

    #[test]
    fn arithmetic_errs_where_the_type_ends() {
        let of = |subject: &str, range: Range| overflow(subject, range).unwrap_or_default();
        assert_eq!(of("a + 1", INT), "a > 2147483647 - 1");
        assert_eq!(of("a - 1", INT), "a < (-2147483647 - 1) + 1");
        assert_eq!(of("a++", (i64::MIN.into(), i64::MAX.into())), "a == 9223372036854775807");
        assert_eq!(of("--a", INT), "a == (-2147483647 - 1)");
        assert_eq!(of("a * a", INT), "a > 46340 || a < -46340");
        assert_eq!(of("a * 2", (0, u32::MAX.into())), "a > 4294967295u / 2");
        assert_eq!(of("a--", (0, u32::MAX.into())), "a == 0");
        assert_eq!((of("a - b", (0, u64::MAX.into())), of("f() + 1", INT)), ("a < b".to_owned(), String::new()));
    }

    #[test]
    fn conversions_err_outside_of_the_type() {
        let of = |text: &str| narrowing(text, (-128, 127), false).unwrap_or_default();
        assert_eq!((of("x++;"), of("--x;")), ("x == 127".to_owned(), "x == -128".to_owned()));
        assert_eq!(of("char r = (char)(a * a);"), "(a * a) < -128 || (a * a) > 127");
        let of_float = narrowing("char r = (char)(a / b);", (-128, 127), true);
        assert_eq!(of_float.as_deref(), Some("!((a / b) > -129.0 && (a / b) < 128.0)"));
        assert_eq!((of("char r = f(a);"), of("char r = 1, q = a;")), (String::new(), String::new()));
    }
}
