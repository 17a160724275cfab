//! Numbers in strings, character classes, bits of integers, checked arithmetic.

use super::bytes::Text;
use crate::concrete::machine::{Argument, Machine, Step};
use crate::concrete::value::Value;
use crate::ir::{FloatKind, IntKind, LibFn, Real, TypeId};

/// `isalpha` and kin in the C locale; `toupper`, `tolower`.
pub fn classify(function: LibFn, c: i128) -> i128 {
    let byte = u8::try_from(c).unwrap_or(0xff);
    match function {
        LibFn::ToUpper if byte.is_ascii_lowercase() => c - 32,
        LibFn::ToLower if byte.is_ascii_uppercase() => c + 32,
        LibFn::ToUpper | LibFn::ToLower => c,
        _ => function.class().is_some_and(|all| all.iter().any(|(lo, hi)| (*lo..=*hi).contains(&byte))).into(),
    }
}

/// Bit counts of the low `bits` bits.
pub(super) fn count_bits(function: LibFn, x: i128, bits: u32) -> i128 {
    let x = if bits >= 128 { x as u128 } else { x as u128 & ((1 << bits) - 1) };
    i128::from(match function {
        LibFn::PopCount => x.count_ones(),
        LibFn::Parity => x.count_ones() & 1,
        LibFn::Clz if x == 0 => bits,
        LibFn::Clz => x.leading_zeros() - (128 - bits),
        LibFn::Ctz if x == 0 => bits,
        LibFn::Ctz => x.trailing_zeros(),
        _ if x == 0 => 0,
        _ => x.trailing_zeros() + 1,
    })
}

/// What a number in a string is: magnitude (saturated), sign, and how many characters it takes; 0 when there is none.
struct Parsed {
    magnitude: u128,
    negative: bool,
    length: u64,
}

impl Machine<'_> {
    /// `atoi` and kin: `(int) strtol(s, NULL, 10)`, `atof`.
    pub(super) fn atoi(&mut self, s: Value, result_ty: Option<TypeId>) -> Step<Value> {
        let Some(ty) = result_ty else { return Ok(Value::int(0)) };
        let Some(kind) = self.int_kind(ty) else { return self.string_to_float(s, false, result_ty) };
        let text = self.text(s, 1)?;
        let parsed = self.parse_int(text, 10)?;
        let wide = if kind == IntKind::LongLong { IntKind::LongLong } else { IntKind::Long };
        Ok(Value::int(self.program.types.wrap(kind, self.clamp(&parsed, wide))))
    }

    /// `strtol` and kin: the value clamped to the result's type, or the end.
    pub(super) fn string_to_int(&mut self, s: Value, base: i128, end: bool, result_ty: Option<TypeId>) -> Step<Value> {
        let text = self.text(s, 1)?;
        let Some(base) = u32::try_from(base).ok().filter(|b| *b == 0 || (2..=36).contains(b)) else {
            return if end { Ok(s) } else { Ok(Value::int(0)) };
        };
        let parsed = self.parse_int(text, base)?;
        if end {
            return self.char_pointer(text, parsed.length);
        }
        let kind = result_ty.and_then(|ty| self.int_kind(ty)).unwrap_or(IntKind::Long);
        Ok(Value::int(self.clamp(&parsed, kind)))
    }

    fn clamp(&self, parsed: &Parsed, kind: IntKind) -> i128 {
        let (low, high) = self.program.types.int_range(kind);
        let magnitude = i128::try_from(parsed.magnitude).unwrap_or(i128::MAX);
        if kind.signed() {
            return if parsed.negative { -magnitude } else { magnitude }.clamp(low, high);
        }
        // `strtoul` negates in the unsigned type; what does not fit is the greatest value.
        if magnitude > high {
            high
        } else {
            self.program.types.wrap(kind, if parsed.negative { -magnitude } else { magnitude })
        }
    }

    fn skip_space(&mut self, text: Text) -> Step<u64> {
        let mut i = 0;
        while matches!(self.char_at(text, i)?, 32 | 9..=13) {
            i += 1;
        }
        Ok(i)
    }

    fn parse_int(&mut self, text: Text, mut base: u32) -> Step<Parsed> {
        let mut i = self.skip_space(text)?;
        let mut negative = false;
        if let c @ (43 | 45) = self.char_at(text, i)? {
            negative = c == 45;
            i += 1;
        }
        let digit = |c: u32, base: u32| char::from_u32(c).filter(char::is_ascii).and_then(|c| c.to_digit(base));
        if (base == 0 || base == 16) && self.char_at(text, i)? == 48 {
            let x = self.char_at(text, i + 1)?;
            if (x == 120 || x == 88) && digit(self.char_at(text, i + 2)?, 16).is_some() {
                base = 16;
                i += 2;
            } else if base == 0 {
                base = 8;
            }
        } else if base == 0 {
            base = 10;
        }
        let mut magnitude = 0u128;
        let start = i;
        while let Some(d) = digit(self.char_at(text, i)?, base) {
            magnitude = magnitude.saturating_mul(u128::from(base)).saturating_add(u128::from(d)).min(1 << 100);
            i += 1;
        }
        Ok(Parsed { magnitude, negative, length: if i == start { 0 } else { i } })
    }

    /// `strtod` and kin: the value or the end.
    pub(super) fn string_to_float(&mut self, s: Value, end: bool, result_ty: Option<TypeId>) -> Step<Value> {
        let text = self.text(s, 1)?;
        let kind = result_ty.and_then(|ty| self.scalar(ty).float()).unwrap_or(FloatKind::Double);
        let skipped = self.skip_space(text)?;
        let mut chars = String::new();
        loop {
            let c = self.char_at(text, skipped + chars.len() as u64)?;
            match char::from_u32(c).filter(|c| c.is_ascii_alphanumeric() || "+-._()".contains(*c)) {
                Some(c) if chars.len() < 4096 => chars.push(c.to_ascii_lowercase()),
                _ => break,
            }
        }
        let Some((value, length)) = parse_float(&chars, kind) else {
            return if end { Ok(s) } else { Ok(Value::Float(Real::zero(kind))) };
        };
        if end {
            return self.char_pointer(text, skipped + length as u64);
        }
        Ok(Value::Float(value))
    }

    /// `__builtin_add_overflow` and kin: the result's low bits, or whether it does not fit.
    pub(super) fn checked_arithmetic(&mut self, arguments: &[Argument], target: TypeId, flag: bool) -> Step<Value> {
        let (op, lhs, rhs) = match arguments {
            [Argument::Scalar(op, _), Argument::Scalar(a, a_ty), Argument::Scalar(b, b_ty), ..] => {
                if self.scalar(*a_ty).size == 16 || self.scalar(*b_ty).size == 16 {
                    return self.undecided("checked arithmetic on 128-bit integers");
                }
                (self.observe(*op), self.observe(*a), self.observe(*b))
            }
            _ => return self.undecided("checked arithmetic without operands"),
        };
        let exact = match op {
            0 => lhs.checked_add(rhs),
            1 => lhs.checked_sub(rhs),
            _ => lhs.checked_mul(rhs),
        };
        let Some(kind) = self.int_kind(target) else { return self.undecided("checked arithmetic on no integers") };
        let low_bits = match op {
            0 => lhs.wrapping_add(rhs),
            1 => lhs.wrapping_sub(rhs),
            _ => lhs.wrapping_mul(rhs),
        };
        if flag {
            let (low, high) = self.program.types.int_range(kind);
            let fits = exact.is_some_and(|v| (low..=high).contains(&v));
            return Ok(Value::int(i128::from(!fits)));
        }
        Ok(Value::int(self.program.types.wrap(kind, low_bits)))
    }
}

/// The float that lower-case `chars` starts with, and its length in characters.
fn parse_float(chars: &str, kind: FloatKind) -> Option<(Real, usize)> {
    let bytes = chars.as_bytes();
    let sign = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    let signed = |v: Real| if bytes.first() == Some(&b'-') { v.negated() } else { v };
    let rest = &chars[sign..];
    let infinity = Real::new(kind, f64::INFINITY);
    if rest.starts_with("infinity") {
        return Some((signed(infinity), sign + 8));
    }
    if rest.starts_with("inf") {
        return Some((signed(infinity), sign + 3));
    }
    if let Some(payload) = rest.strip_prefix("nan") {
        let mut length = 3;
        if payload.starts_with('(')
            && let Some(close) = rest.find(')')
            && rest[4..close].bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        {
            length = close + 1;
        }
        return Some((signed(Real::quiet_nan(kind)), sign + length));
    }
    let hexadecimal = rest.strip_prefix("0x").and_then(|digits| number_length(digits, 16)).map(|length| length + 2);
    let length = hexadecimal.or_else(|| number_length(rest, 10))?;
    Some((signed(Real::parse(kind, &rest[..length])?), sign + length))
}

/// How long the number is that `text` starts with: digits, maybe with a point and an exponent.
fn number_length(text: &str, radix: u32) -> Option<usize> {
    let digits = |s: &str| s.bytes().take_while(|b| char::from(*b).is_digit(radix)).count();
    let whole = digits(text);
    let fraction = text[whole..].strip_prefix('.').map(digits);
    if whole + fraction.unwrap_or(0) == 0 {
        return None;
    }
    let mut length = whole + fraction.map_or(0, |n| n + 1);
    if let Some(exponent) = text[length..].strip_prefix(if radix == 16 { 'p' } else { 'e' }) {
        let sign = usize::from(exponent.starts_with(['+', '-']));
        let count = exponent[sign..].bytes().take_while(u8::is_ascii_digit).count();
        if count > 0 {
            length += 1 + sign + count;
        }
    }
    Some(length)
}
