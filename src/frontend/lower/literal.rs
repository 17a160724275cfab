//! Values of constants and string literals (C11 6.4.4, 6.4.5).

use crate::ir::{FloatKind, IntKind, Real, TypeTable};
use lang_c::ast;

/// The value and type of an integer constant; None when it fits no type.
pub(super) fn integer(types: &TypeTable, c: &ast::Integer) -> Option<(i128, IntKind)> {
    let radix = match c.base {
        ast::IntegerBase::Decimal => 10,
        ast::IntegerBase::Octal => 8,
        ast::IntegerBase::Hexadecimal => 16,
        ast::IntegerBase::Binary => 2,
    };
    let digits = if c.number.is_empty() { "0" } else { &c.number };
    let value = i128::from_str_radix(digits, radix).ok()?;
    use IntKind::*;
    let by_size = |s: &ast::IntegerSize| match s {
        ast::IntegerSize::Int => 0,
        ast::IntegerSize::Long => 1,
        ast::IntegerSize::LongLong => 2,
    };
    let first = by_size(&c.suffix.size);
    let decimal = matches!(c.base, ast::IntegerBase::Decimal);
    for (signed, unsigned) in
        [(Int, UInt), (Long, ULong), (LongLong, ULongLong), (Int128, UInt128)].into_iter().skip(first)
    {
        if !c.suffix.unsigned && value <= types.int_range(signed).1 {
            return Some((value, signed));
        }
        if (c.suffix.unsigned || !decimal) && value <= types.int_range(unsigned).1 {
            return Some((value, unsigned));
        }
    }
    None
}

/// The value of a floating constant.
pub(super) fn float(c: &ast::Float) -> Option<Real> {
    let kind = match c.suffix.format {
        ast::FloatFormat::Float => FloatKind::Float,
        ast::FloatFormat::Double => FloatKind::Double,
        ast::FloatFormat::LongDouble => FloatKind::LongDouble,
        ast::FloatFormat::TS18661Format(_) => FloatKind::Float128,
    };
    match c.base {
        ast::FloatBase::Decimal => Real::parse(kind, &c.number),
        ast::FloatBase::Hexadecimal => Real::parse(kind, &format!("0x{}", c.number)),
    }
}

/// How a character or string literal is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Narrow,
    /// `u`
    Char16,
    /// `U`
    Char32,
    /// `L`
    Wide,
}

impl Encoding {
    /// The element type.
    pub fn element(self) -> IntKind {
        match self {
            Encoding::Narrow => IntKind::Char,
            Encoding::Char16 => IntKind::UShort,
            Encoding::Char32 => IntKind::UInt,
            Encoding::Wide => IntKind::Int,
        }
    }
    /// Bytes of an element.
    pub fn size(self) -> u64 {
        match self {
            Encoding::Narrow => 1,
            Encoding::Char16 => 2,
            Encoding::Char32 | Encoding::Wide => 4,
        }
    }
}

/// Encoding and code units (without a terminator) of adjacent literals, each with prefix and quotes.
pub(super) fn string(parts: &[String]) -> Option<(Encoding, Vec<u32>)> {
    let mut encoding = Encoding::Narrow;
    let mut units = Vec::new();
    for part in parts {
        let (e, _) = split_prefix(part)?;
        if e != Encoding::Narrow {
            encoding = e;
        }
    }
    for part in parts {
        let (_, body) = split_prefix(part)?;
        decode(body, encoding, &mut units)?;
    }
    Some((encoding, units))
}

/// Value of a character constant as its type holds it: `'\xff'` is -1.
pub(super) fn character(text: &str) -> Option<(Encoding, i128)> {
    let (encoding, body) = split_prefix(text)?;
    let mut units = Vec::new();
    decode(body, encoding, &mut units)?;
    let value = match (encoding, units.as_slice()) {
        (_, []) => return None,
        (Encoding::Narrow, [c]) => i128::from(*c as u8 as i8),
        (Encoding::Narrow, many) => i128::from(many.iter().fold(0u32, |v, c| (v << 8) | (c & 0xff)) as i32),
        (Encoding::Wide, us) => i128::from(*us.last()? as i32),
        (_, us) => i128::from(*us.last()?),
    };
    Some((encoding, value))
}

fn split_prefix(text: &str) -> Option<(Encoding, &str)> {
    let start = text.find(['"', '\''])?;
    let encoding = match &text[..start] {
        "" | "u8" => Encoding::Narrow,
        "u" => Encoding::Char16,
        "U" => Encoding::Char32,
        "L" => Encoding::Wide,
        _ => return None,
    };
    let body = text[start + 1..].get(..text.len().checked_sub(start + 2)?)?;
    Some((encoding, body))
}

fn decode(body: &str, encoding: Encoding, out: &mut Vec<u32>) -> Option<()> {
    let mut chars = body.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            push(c, encoding, out);
            continue;
        }
        let unit = match chars.next()? {
            'n' => 10,
            't' => 9,
            'r' => 13,
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'v' => 11,
            'e' | 'E' => 27,
            'x' => {
                let mut v = 0u32;
                while let Some(d) = chars.peek().and_then(|c| c.to_digit(16)) {
                    v = v.wrapping_mul(16).wrapping_add(d);
                    chars.next();
                }
                v
            }
            d @ '0'..='7' => {
                let mut v = d.to_digit(8)?;
                for _ in 0..2 {
                    let Some(d) = chars.peek().and_then(|c| c.to_digit(8)) else { break };
                    v = v * 8 + d;
                    chars.next();
                }
                v
            }
            u @ ('u' | 'U') => {
                let mut v = 0u32;
                for _ in 0..if u == 'u' { 4 } else { 8 } {
                    v = v.wrapping_mul(16).wrapping_add(chars.next()?.to_digit(16)?);
                }
                push(char::from_u32(v)?, encoding, out);
                continue;
            }
            other => other as u32,
        };
        out.push(if encoding == Encoding::Narrow { unit & 0xff } else { unit });
    }
    Some(())
}

fn push(c: char, encoding: Encoding, out: &mut Vec<u32>) {
    match encoding {
        Encoding::Narrow => {
            let mut buffer = [0; 4];
            out.extend(c.encode_utf8(&mut buffer).bytes().map(u32::from));
        }
        Encoding::Char16 => {
            let mut buffer = [0; 2];
            out.extend(c.encode_utf16(&mut buffer).iter().map(|u| u32::from(*u)));
        }
        _ => out.push(c as u32),
    }
}
