//! Numbers read from text, rounded once.

use super::real::{Real, in_kind};
use crate::ir::FloatKind;
use rustc_apfloat::{Float as _, Round};

/// Exponents beyond this one change nothing: text has not so many digits.
const FAR: i64 = 1_000_000;

impl Real {
    /// The number that decimal `text` (`12.5e-3`) or hexadecimal `text` (`0x1.8p4`, an exponent may be missing) stands for; no sign.
    pub fn parse(kind: FloatKind, text: &str) -> Option<Real> {
        let text = text.to_ascii_lowercase();
        if let Some(digits) = text.strip_prefix("0x") {
            return hexadecimal(kind, digits);
        }
        match kind {
            FloatKind::Float => return Some(Real::single(text.parse().ok()?)),
            FloatKind::Double => return Some(Real::double(text.parse().ok()?)),
            _ => {}
        }
        let (mantissa, exponent) = split(&text, 'e')?;
        software(kind, &format!("{}e{exponent}", filled(mantissa)))
    }
}

fn hexadecimal(kind: FloatKind, digits: &str) -> Option<Real> {
    let (mantissa, exponent) = split(digits, 'p')?;
    software(kind, &format!("0x{}p{exponent}", filled(mantissa)))
}

fn software(kind: FloatKind, text: &str) -> Option<Real> {
    let bits = in_kind!(kind, F => F::from_str_r(text, Round::NearestTiesToEven).ok()?.value.to_bits());
    Some(Real::of_bits(kind, bits))
}

/// Digits and exponent, brought to where both are small.
fn split(text: &str, mark: char) -> Option<(&str, i64)> {
    let Some((mantissa, exponent)) = text.split_once(mark) else { return Some((text, 0)) };
    let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let far = digits.trim_start_matches('0').len() > 7;
    let size = if far { FAR } else { digits.parse::<i64>().ok()?.min(FAR) };
    Some((mantissa, if exponent.starts_with('-') { -size } else { size }))
}

/// With a digit on either side of a point.
fn filled(mantissa: &str) -> String {
    match mantissa.split_once('.') {
        Some((whole, fraction)) => {
            let or_zero = |s: &str| if s.is_empty() { "0".to_owned() } else { s.to_owned() };
            format!("{}.{}", or_zero(whole), or_zero(fraction))
        }
        None => mantissa.to_owned(),
    }
}
