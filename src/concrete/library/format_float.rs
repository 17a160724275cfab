//! Decimal and hexadecimal forms of floats as `printf` writes them (C11 7.21.6.1p8), rounded from the exact value.

use crate::ir::{Decimal, FloatKind, Real};

/// The digits of `%f`, `%e`, `%g`, `%a` without sign and padding; `alternate` is the flag `#`.
pub(super) fn digits(conversion: u8, x: Real, precision: Option<usize>, alternate: bool) -> String {
    let upper = conversion.is_ascii_uppercase();
    let text = if x.is_nan() {
        "nan".to_owned()
    } else if x.is_infinite() {
        "inf".to_owned()
    } else {
        match conversion.to_ascii_lowercase() {
            b'f' => fixed(&x.decimal(), precision.unwrap_or(6), alternate),
            b'e' => scientific(&x.decimal(), precision.unwrap_or(6), alternate),
            b'g' => general(&x.decimal(), precision.unwrap_or(6), alternate),
            _ => hexadecimal(x, precision, alternate),
        }
    };
    if upper { text.to_ascii_uppercase() } else { text }
}

fn digit(x: &Decimal, power: i32) -> char {
    char::from(b'0' + x.digit(power))
}

fn fixed(x: &Decimal, precision: usize, alternate: bool) -> String {
    let x = x.clone().rounded(precision as i32);
    let mut text: String = (0..x.point.max(1)).rev().map(|power| digit(&x, power)).collect();
    if alternate || precision > 0 {
        text.push('.');
    }
    text.extend((1..=precision as i32).map(|place| digit(&x, -place)));
    text
}

/// Rounded to `precision` digits behind the first one, and the power of ten of that one.
fn leading(x: &Decimal, precision: usize) -> (Decimal, i32) {
    let power = |x: &Decimal| if x.digits.is_empty() { 0 } else { x.point - 1 };
    let rounded = x.clone().rounded(precision as i32 - power(x));
    let exponent = power(&rounded);
    (rounded, exponent)
}

fn scientific(x: &Decimal, precision: usize, alternate: bool) -> String {
    let (x, exponent) = leading(x, precision);
    let mut text = digit(&x, exponent).to_string();
    if alternate || precision > 0 {
        text.push('.');
    }
    text.extend((1..=precision as i32).map(|place| digit(&x, exponent - place)));
    format!("{text}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

fn general(x: &Decimal, precision: usize, alternate: bool) -> String {
    let precision = precision.max(1);
    let exponent = leading(x, precision - 1).1;
    let text = if exponent < -4 || exponent >= precision as i32 {
        scientific(x, precision - 1, alternate)
    } else {
        fixed(x, (precision as i32 - 1 - exponent).max(0) as usize, alternate)
    };
    if alternate {
        return text;
    }
    let (mantissa, exponent) = match text.find('e') {
        Some(at) => text.split_at(at),
        None => (text.as_str(), ""),
    };
    let trimmed = if mantissa.contains('.') { mantissa.trim_end_matches('0').trim_end_matches('.') } else { mantissa };
    format!("{trimmed}{exponent}")
}

/// As the GNU C library has it: of a `double` one digit that is 1 (0 of subnormal numbers) before the point, of the x87's numbers the
/// first four bits.
fn hexadecimal(x: Real, precision: Option<usize>, alternate: bool) -> String {
    let x = if x.kind() == FloatKind::Float { x.to_kind(FloatKind::Double) } else { x };
    // Bits behind the leading digit.
    let (significand, exponent) = x.digits();
    let behind = match x.kind() {
        FloatKind::LongDouble => 60,
        FloatKind::Float128 => 112,
        _ => 52,
    };
    let mut exponent = if significand == 0 { 0 } else { exponent + behind as i32 };
    // A subnormal number of the x87 has the exponent that its bits say.
    if x.kind() == FloatKind::LongDouble && significand != 0 && significand >> 63 == 0 {
        exponent = -16385;
    }
    let all = behind / 4;
    let (mut significand, mut shown) = (significand, all as usize);
    if let Some(wanted) = precision.filter(|p| *p < all as usize) {
        // Round to even at the last digit kept.
        let dropped = 4 * (all - wanted as u32);
        let (kept, rest, half) = (significand >> dropped, significand & ((1 << dropped) - 1), 1u128 << (dropped - 1));
        let kept = kept + u128::from(rest > half || (rest == half && kept & 1 == 1));
        (significand, shown) = (kept << dropped, wanted);
    }
    if significand >> behind > 15 {
        // The leading digit went over: one of the next power of sixteen.
        significand >>= 4;
        exponent += 4;
    }
    let mut hex = format!("{:0width$x}", significand & ((1 << behind) - 1), width = all as usize);
    hex.truncate(shown);
    match precision {
        None => hex.truncate(hex.trim_end_matches('0').len()),
        Some(p) => hex.extend(std::iter::repeat_n('0', p.saturating_sub(all as usize))),
    }
    let point = if !hex.is_empty() || alternate { "." } else { "" };
    format!("0x{:x}{point}{hex}p{exponent:+}", significand >> behind)
}

#[cfg(test)]
mod tests {
    use super::digits;
    use crate::ir::Real;
    use crate::ir::format::Directive;
    use proptest::prelude::*;

    proptest! {
        /// See: C11 7.21.6.1p8.
        #[test]
        fn numbers_are_as_long_as_their_directive_says(
            bits: u64,
            conversion in prop::sample::select(b"feagFEAG".to_vec()),
            precision in prop::option::of(0..20usize),
            alternate: bool,
        ) {
            let x = f64::from_bits(bits).abs();
            prop_assume!(x.is_finite());
            let whole = (format!("{:.0}", x.floor()).len(), format!("{:.0}", x.ceil()).len());
            let directive = Directive { conversion, precision, alternate, ..Directive::default() };
            let (least, most) = directive.real_length(whole);
            let text = digits(conversion, Real::double(x), precision, alternate);
            prop_assert!((least..=most).contains(&text.len()), "{text}: {least} to {most}");
        }
    }
}
