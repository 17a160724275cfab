//! What functors and text tests compute, on plain values. The run-time evaluator and compiled programs share it;
//! the naive evaluator does not.
use crate::datalog::language::ast::{AggregateKind, Functor, TextTest};
use regex_lite::Regex;
use rustc_hash::FxHashMap;

/// A binary or unary (`right` ignored) operation on numbers; None for a division by zero.
pub fn on_numbers(functor: Functor, left: i64, right: i64) -> Option<i64> {
    Some(match functor {
        Functor::Add => left.wrapping_add(right),
        Functor::Subtract => left.wrapping_sub(right),
        Functor::Multiply => left.wrapping_mul(right),
        Functor::Divide if right == 0 => return None,
        Functor::Divide => left.wrapping_div(right),
        Functor::Remainder if right == 0 => return None,
        Functor::Remainder => left.wrapping_rem(right),
        Functor::BitAnd => left & right,
        Functor::BitOr => left | right,
        Functor::BitXor => left ^ right,
        Functor::BitNot => !left,
        Functor::ShiftLeft => left.wrapping_shl((right & 63) as u32),
        Functor::ShiftRight => left.wrapping_shr((right & 63) as u32),
        Functor::Negate => left.wrapping_neg(),
        Functor::Min => left.min(right),
        Functor::Max => left.max(right),
        _ => return None,
    })
}

/// As [`on_numbers`] for `unsigned`.
pub fn on_unsigned(functor: Functor, left: u32, right: u32) -> Option<u32> {
    Some(match functor {
        Functor::Add => left.wrapping_add(right),
        Functor::Subtract => left.wrapping_sub(right),
        Functor::Multiply => left.wrapping_mul(right),
        Functor::Divide => left.checked_div(right)?,
        Functor::Remainder => left.checked_rem(right)?,
        Functor::BitAnd => left & right,
        Functor::BitOr => left | right,
        Functor::BitXor => left ^ right,
        Functor::BitNot => !left,
        Functor::ShiftLeft => left.wrapping_shl(right & 31),
        Functor::ShiftRight => left.wrapping_shr(right & 31),
        Functor::Negate => left.wrapping_neg(),
        Functor::Min => left.min(right),
        Functor::Max => left.max(right),
        _ => return None,
    })
}

/// An aggregate over so many bindings with these values; least and greatest of nothing there is not.
pub fn fold(kind: AggregateKind, count: usize, values: Vec<i64>) -> Option<i64> {
    match kind {
        AggregateKind::Count => i64::try_from(count).ok(),
        AggregateKind::Sum => Some(values.into_iter().fold(0, i64::wrapping_add)),
        AggregateKind::Min => values.into_iter().min(),
        AggregateKind::Max => values.into_iter().max(),
    }
}

/// The number of bytes.
pub fn strlen(text: &str) -> i64 {
    i64::try_from(text.len()).unwrap_or(i64::MAX)
}

/// `length` characters from character `from` on, as many as there are; empty if `from` is negative or beyond the end.
pub fn substr(text: &str, from: i64, length: i64) -> String {
    let (Ok(from), Ok(length)) = (usize::try_from(from), usize::try_from(length)) else { return String::new() };
    text.chars().skip(from).take(length).collect()
}

/// The number a whole text is, in decimal.
pub fn to_number(text: &str) -> Option<i64> {
    text.parse().ok()
}

/// Compiled patterns.
#[derive(Default, Debug)]
pub struct TextTests {
    patterns: FxHashMap<String, Option<Regex>>,
}

impl TextTests {
    /// `match` is of the whole text. An ill-formed pattern is an error with the reason.
    pub fn holds(&mut self, test: TextTest, part: &str, whole: &str) -> Result<bool, String> {
        match test {
            TextTest::Contains => Ok(whole.contains(part)),
            TextTest::Match => {
                let known = self.patterns.entry(part.to_owned()).or_insert_with(|| compile(part).ok());
                match known {
                    Some(regex) => Ok(regex.is_match(whole)),
                    None => Err(compile(part).err().unwrap_or_default()),
                }
            }
        }
    }
}

/// The pattern anchored at both ends.
pub fn compile(pattern: &str) -> Result<Regex, String> {
    // The inner pattern alone first: `a)|(b` must not become well-formed by the anchors' group.
    Regex::new(pattern).and_then(|_| Regex::new(&format!("^(?:{pattern})$"))).map_err(|error| error.to_string())
}
