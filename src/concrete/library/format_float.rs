//! Decimal and hexadecimal forms of doubles as `printf` writes them (C11 7.21.6.1p8), rounded from the exact value.

/// The digits of `%f`, `%e`, `%g`, `%a` without sign and padding; `alternate` is the flag `#`.
pub(super) fn digits(conversion: u8, x: f64, precision: Option<usize>, alternate: bool) -> String {
    let x = x.abs();
    let upper = conversion.is_ascii_uppercase();
    let text = if x.is_nan() {
        "nan".to_owned()
    } else if x.is_infinite() {
        "inf".to_owned()
    } else {
        match conversion.to_ascii_lowercase() {
            b'f' => fixed(x, precision.unwrap_or(6), alternate),
            b'e' => scientific(x, precision.unwrap_or(6), alternate),
            b'g' => general(x, precision.unwrap_or(6), alternate),
            _ => hexadecimal(x, precision, alternate),
        }
    };
    if upper { text.to_ascii_uppercase() } else { text }
}

fn fixed(x: f64, precision: usize, alternate: bool) -> String {
    let mut text = format!("{x:.precision$}");
    if alternate && precision == 0 {
        text.push('.');
    }
    text
}

fn scientific(x: f64, precision: usize, alternate: bool) -> String {
    let text = format!("{x:.precision$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let point = if alternate && precision == 0 { "." } else { "" };
    format!("{mantissa}{point}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

fn general(x: f64, precision: usize, alternate: bool) -> String {
    let precision = precision.max(1);
    let rounded = format!("{x:.*e}", precision - 1);
    let exponent: i32 = rounded.split_once('e').and_then(|(_, e)| e.parse().ok()).unwrap_or(0);
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

fn hexadecimal(x: f64, precision: Option<usize>, alternate: bool) -> String {
    let bits = x.to_bits();
    let (mut fraction, mut exponent) = (bits & ((1 << 52) - 1), (bits >> 52) as i32);
    let mut leading = u64::from(exponent != 0);
    exponent = match (exponent, fraction) {
        (0, 0) => 0,
        (0, _) => -1022,
        (e, _) => e - 1023,
    };
    let mut shown = 13;
    if let Some(wanted) = precision.filter(|p| *p < 13) {
        // Round to even at the last digit kept.
        let dropped = 4 * (13 - wanted) as u32;
        let whole = leading << 52 | fraction;
        let (kept, rest, half) = (whole >> dropped, whole & ((1 << dropped) - 1), 1u64 << (dropped - 1));
        let kept = kept + u64::from(rest > half || (rest == half && kept & 1 == 1));
        let whole = kept << dropped;
        (leading, fraction, shown) = (whole >> 52, whole & ((1 << 52) - 1), wanted);
    }
    let mut hex = format!("{fraction:013x}");
    hex.truncate(shown);
    match precision {
        None => hex.truncate(hex.trim_end_matches('0').len()),
        Some(p) => hex.extend(std::iter::repeat_n('0', p.saturating_sub(13))),
    }
    let point = if !hex.is_empty() || alternate { "." } else { "" };
    format!("0x{leading}{point}{hex}p{exponent:+}")
}
