//! Scalar types as the interpreter sees them, and the conversion between values and bytes.
//!
//! See: Milanese, Miné, Under-approximating Memory Abstractions, Sect. 2.1, `benc` and `bdec` of Fig. 3.

use crate::ir::{FloatKind, IntKind, Type, TypeId, TypeTable};

/// What a scalar type computes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Int,
    Bool,
    Pointer,
    Float(FloatKind),
    /// Records, arrays, functions, `void`.
    NotScalar,
}

/// A scalar type's representation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scalar {
    pub class: Class,
    /// Bytes.
    pub size: u8,
    pub signed: bool,
}

impl Scalar {
    /// The description of type `ty`.
    pub fn of(types: &TypeTable, ty: TypeId) -> Scalar {
        let float = |k| Scalar { class: Class::Float(k), size: types.size_of(ty).unwrap_or(0) as u8, signed: true };
        match types.get(ty) {
            Type::Int(IntKind::Bool) => Scalar { class: Class::Bool, size: 1, signed: false },
            Type::Int(k) => Scalar { class: Class::Int, size: types.int_size(*k) as u8, signed: k.signed() },
            Type::Float(k) => float(*k),
            Type::Pointer(_) => Scalar { class: Class::Pointer, size: types.pointer_size() as u8, signed: false },
            _ => Scalar { class: Class::NotScalar, size: 0, signed: false },
        }
    }
    /// Whether values are numbers with an origin (integers and pointers).
    #[inline]
    pub fn is_integral(self) -> bool {
        matches!(self.class, Class::Int | Class::Bool | Class::Pointer)
    }
    /// The floating kind.
    pub fn float(self) -> Option<FloatKind> {
        match self.class {
            Class::Float(k) => Some(k),
            _ => None,
        }
    }
    /// Width in bits.
    #[inline]
    pub fn bits(self) -> u32 {
        u32::from(self.size) * 8
    }
    /// `value` reduced into the type's range (C11 6.3.1.3).
    #[inline]
    pub fn wrap(self, value: i128) -> i128 {
        if self.class == Class::Bool {
            return i128::from(value != 0);
        }
        match (self.size, self.signed) {
            (4, true) => i128::from(value as i32),
            (8, true) => i128::from(value as i64),
            (8, false) => i128::from(value as u64),
            (4, false) => i128::from(value as u32),
            (1, true) => i128::from(value as i8),
            (1, false) => i128::from(value as u8),
            (2, true) => i128::from(value as i16),
            (2, false) => i128::from(value as u16),
            _ => value,
        }
    }
    /// Whether values are compared, divided and shifted as unsigned 128-bit numbers.
    #[inline]
    pub fn is_u128(self) -> bool {
        self.size == 16 && !self.signed && self.class == Class::Int
    }
    /// The bytes that a value really occupies: an x87 `long double` leaves its padding alone.
    #[inline]
    pub fn stored(self) -> usize {
        if self.class == Class::Float(FloatKind::LongDouble) { 10 } else { self.size as usize }
    }
}

/// `value` rounded to the type's precision; `long double` stays a double.
#[inline]
pub fn round_float(kind: FloatKind, value: f64) -> f64 {
    if kind == FloatKind::Float { f64::from(value as f32) } else { value }
}

/// The bytes of `value`, little endian, in the low bits.
pub fn encode_float(kind: FloatKind, value: f64) -> u128 {
    match kind {
        FloatKind::Float => u128::from((value as f32).to_bits()),
        FloatKind::Double => u128::from(value.to_bits()),
        FloatKind::LongDouble => {
            let (sign, exponent, fraction) = wide_parts(value);
            // The x87 format writes the leading bit of the significand.
            let leading = u128::from(exponent != 0) << 63;
            (sign << 79) | (exponent << 64) | leading | (fraction << 11)
        }
        FloatKind::Float128 => {
            let (sign, exponent, fraction) = wide_parts(value);
            (sign << 127) | (exponent << 112) | (fraction << 60)
        }
    }
}

/// The value of the bytes and whether a double holds it exactly.
pub fn decode_float(kind: FloatKind, bits: u128) -> (f64, bool) {
    match kind {
        FloatKind::Float => (f64::from(f32::from_bits(bits as u32)), true),
        FloatKind::Double => (f64::from_bits(bits as u64), true),
        FloatKind::LongDouble => {
            let significand = bits as u64;
            let value = narrow((bits >> 79) & 1, (bits >> 64) & 0x7fff, u128::from(significand) << 49);
            (value.0, value.1)
        }
        FloatKind::Float128 => {
            let exponent = (bits >> 112) & 0x7fff;
            let leading = u128::from(exponent != 0) << 112;
            narrow(bits >> 127, exponent, (bits & ((1 << 112) - 1)) | leading)
        }
    }
}

/// Sign, 15-bit exponent and 52-bit fraction (normalized) of a double in the wider formats.
fn wide_parts(value: f64) -> (u128, u128, u128) {
    let bits = value.to_bits();
    let sign = u128::from(bits >> 63);
    let exponent = (bits >> 52) & 0x7ff;
    let fraction = bits & ((1 << 52) - 1);
    match (exponent, fraction) {
        (0, 0) => (sign, 0, 0),
        (0, f) => {
            // Subnormal doubles are normal numbers in both wider formats.
            let shift = f.leading_zeros() - 11;
            let fraction = (f << shift) & ((1 << 52) - 1);
            (sign, u128::from(16383 - 1022 - u64::from(shift)), u128::from(fraction))
        }
        (0x7ff, f) => (sign, 0x7fff, u128::from(f)),
        (e, f) => (sign, u128::from(e + 16383 - 1023), u128::from(f)),
    }
}

/// The double nearest to a wide float with a 113-bit significand, and whether it is the same number.
fn narrow(sign: u128, exponent: u128, significand: u128) -> (f64, bool) {
    let signed = |v: f64| if sign != 0 { -v } else { v };
    if exponent == 0x7fff {
        let fraction = significand & ((1 << 112) - 1);
        return if fraction == 0 {
            (signed(f64::INFINITY), true)
        } else {
            let bits = 0x7ff8_0000_0000_0000 | (fraction >> 60) as u64 | ((sign as u64) << 63);
            (f64::from_bits(bits), true)
        };
    }
    if significand == 0 {
        return (signed(0.0), true);
    }
    let unit = exponent as i32 - 16383 - 112;
    // Round to 53 bits (to even), then scale; scaling is exact unless the result is subnormal or too large.
    let excess = (128 - significand.leading_zeros()).saturating_sub(53);
    let kept = significand >> excess;
    let rest = significand & ((1u128 << excess) - 1);
    let half = if excess == 0 { 0 } else { 1u128 << (excess - 1) };
    let up = excess > 0 && (rest > half || (rest == half && kept & 1 == 1));
    let rounded = (kept + u128::from(up)) as f64;
    let scale = unit + excess as i32;
    let value = scale_by_power(rounded, scale);
    let exact = rest == 0 && value.is_finite() && scale_by_power(value, -scale) == rounded;
    (signed(value), exact)
}

/// `value * 2^exponent`, in steps that do not overflow before the result does.
pub fn scale_by_power(mut value: f64, mut exponent: i32) -> f64 {
    while exponent > 1000 {
        value *= 2f64.powi(1000);
        exponent -= 1000;
        if value.is_infinite() {
            return value;
        }
    }
    while exponent < -1000 {
        value *= 2f64.powi(-1000);
        exponent += 1000;
        if value == 0.0 {
            return value;
        }
    }
    value * 2f64.powi(exponent)
}
