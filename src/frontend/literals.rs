//! Spellings of names, numbers and literals that GNU C has and lang-c has not.

use std::borrow::Cow;

/// The name with `$`, letters outside ASCII and universal character names spelled in ASCII.
pub(super) fn plain_name(name: &str) -> Cow<'_, str> {
    if name.bytes().all(|b| b.is_ascii() && b != b'$' && b != b'\\') {
        return Cow::Borrowed(name);
    }
    let mut plain = String::new();
    let mut chars = name.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                let digits = if chars.next() == Some('U') { 8 } else { 4 };
                let code = chars.as_str().get(..digits).and_then(|d| u32::from_str_radix(d, 16).ok()).unwrap_or(0);
                plain.push_str(&format!("_u{code:04x}_"));
                chars = chars.as_str().get(digits..).unwrap_or("").chars();
            }
            '$' => plain.push_str("_dollar_"),
            c if c.is_ascii() => plain.push(c),
            c => plain.push_str(&format!("_u{:04x}_", u32::from(c))),
        }
    }
    Cow::Owned(plain)
}

/// The number with GNU's suffixes of `__float128` and `__float80` replaced by standard ones.
pub(super) fn plain_number(number: &str) -> Cow<'_, str> {
    let hexadecimal = number.starts_with("0x") || number.starts_with("0X");
    let floating = number.contains('.') || number.contains(if hexadecimal { ['p', 'P'] } else { ['e', 'E'] });
    match number.as_bytes().last() {
        Some(b'q' | b'Q') if floating => Cow::Owned(format!("{}f128", &number[..number.len() - 1])),
        // GNU C has `d` for `double`.
        Some(b'd' | b'D') if floating && !hexadecimal && !number.contains("dd") && !number.contains("DD") => {
            Cow::Borrowed(&number[..number.len() - 1])
        }
        Some(b'w' | b'W') if floating => Cow::Owned(format!("{}L", &number[..number.len() - 1])),
        _ => Cow::Borrowed(number),
    }
}

/// The string literal or character constant with escapes that ISO C has not, and universal character names, replaced.
pub(super) fn plain_escapes(literal: &str) -> Cow<'_, str> {
    if !literal.contains('\\') {
        return Cow::Borrowed(literal);
    }
    let mut plain = String::with_capacity(literal.len());
    let mut chars = literal.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            plain.push(c);
            continue;
        }
        match chars.next() {
            Some('e' | 'E') => plain.push_str("\\033"),
            Some(u @ ('u' | 'U')) => {
                let digits = if u == 'u' { 4 } else { 8 };
                let code = chars.as_str().get(..digits).and_then(|d| u32::from_str_radix(d, 16).ok());
                match code.and_then(char::from_u32) {
                    Some(c) => {
                        plain.push(c);
                        chars = chars.as_str()[digits..].chars();
                    }
                    None => plain.push(u),
                }
            }
            Some(c @ ('a' | 'b' | 'f' | 'n' | 'r' | 't' | 'v' | '\\' | '\'' | '"' | '?' | 'x' | '0'..='7')) => {
                plain.push('\\');
                plain.push(c);
            }
            Some(c) => plain.push(c),
            None => plain.push('\\'),
        }
    }
    Cow::Owned(plain)
}

/// `bytes` as text: those that are not UTF-8 become octal escapes, which mean the same inside literals.
pub(super) fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            text.push_str(&format!("\\{byte:03o}"));
        }
    }
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gnu_spellings_become_standard_ones() {
        assert_eq!(plain_name("a$b"), "a_dollar_b");
        assert_eq!(plain_name("é"), "_u00e9_");
        assert_eq!(plain_name(r"caf\u00e9s\U000000e9"), "caf_u00e9_s_u00e9_");
        assert_eq!(plain_number("1.0d"), "1.0");
        assert_eq!((plain_number("0x1d"), plain_number("1.0dd")), ("0x1d".into(), "1.0dd".into()));
        assert_eq!(plain_number("1.5q"), "1.5f128");
        assert_eq!(plain_number("0x1p3Q"), "0x1p3f128");
        assert_eq!(plain_number("0xe"), "0xe");
        assert_eq!(plain_escapes(r#""\e\\e\u00e9\q\x41\12""#), "\"\\033\\\\e\u{e9}q\\x41\\12\"");
    }

    #[test]
    fn bytes_outside_utf8_keep_their_value() {
        assert_eq!(text_of(b"\"a\xe9b\""), "\"a\\351b\"");
    }
}
