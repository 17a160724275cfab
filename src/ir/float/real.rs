//! A floating number and its bits.

use crate::ir::FloatKind;
use rustc_apfloat::Float as _;
use rustc_apfloat::ieee;
use std::cmp::Ordering;
use std::fmt;

/// Evaluates an expression with the software arithmetic of a kind under a name.
macro_rules! in_kind {
    ($kind:expr, $F:ident => $body:expr) => {
        match $kind {
            FloatKind::Float => {
                type $F = rustc_apfloat::ieee::Single;
                $body
            }
            FloatKind::Double => {
                type $F = rustc_apfloat::ieee::Double;
                $body
            }
            FloatKind::LongDouble => {
                type $F = rustc_apfloat::ieee::X87DoubleExtended;
                $body
            }
            FloatKind::Float128 => {
                type $F = rustc_apfloat::ieee::Quad;
                $body
            }
        }
    };
}
pub(super) use in_kind;

/// A value of a floating type: its bits, of which `long double` has 80. Two are equal when their bits are.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Real {
    kind: FloatKind,
    bits: u128,
}

impl Real {
    /// The value of these bits.
    #[inline]
    pub fn of_bits(kind: FloatKind, bits: u128) -> Real {
        Real { kind, bits: bits & mask(width(kind)) }
    }
    /// A `double`.
    #[inline]
    pub fn double(value: f64) -> Real {
        Real { kind: FloatKind::Double, bits: value.to_bits().into() }
    }
    /// A `float`.
    #[inline]
    pub fn single(value: f32) -> Real {
        Real { kind: FloatKind::Float, bits: value.to_bits().into() }
    }
    /// The number of type `kind` that is nearest to `value`.
    #[inline]
    pub fn new(kind: FloatKind, value: f64) -> Real {
        Real::double(value).to_kind(kind)
    }
    /// Zero.
    #[inline]
    pub fn zero(kind: FloatKind) -> Real {
        Real { kind, bits: 0 }
    }
    /// The type.
    #[inline]
    pub fn kind(self) -> FloatKind {
        self.kind
    }
    /// The bits.
    #[inline]
    pub fn bits(self) -> u128 {
        self.bits
    }
    /// The nearest `double`.
    #[inline]
    pub fn to_f64(self) -> f64 {
        match self.kind {
            FloatKind::Float => f64::from(f32::from_bits(self.bits as u32)),
            FloatKind::Double => f64::from_bits(self.bits as u64),
            _ => f64::from_bits(self.to_kind(FloatKind::Double).bits as u64),
        }
    }
    /// The greatest `double` that is not above and the least that is not below; a number's own where it is one. NaN twice for NaN.
    pub fn around(self) -> (f64, f64) {
        let near = self.to_f64();
        if near.is_nan() {
            return (near, near);
        }
        match self.compare(Real::new(self.kind, near)) {
            Some(Ordering::Less) => (near.next_down(), near),
            Some(Ordering::Greater) => (near, near.next_up()),
            _ => (near, near),
        }
    }
    /// Converted to another floating type.
    #[inline]
    pub fn to_kind(self, kind: FloatKind) -> Real {
        match (self.kind, kind) {
            (a, b) if a == b => self,
            (FloatKind::Double, FloatKind::Float) => Real::single(f64::from_bits(self.bits as u64) as f32),
            (FloatKind::Float, FloatKind::Double) => Real::double(f64::from(f32::from_bits(self.bits as u32))),
            _ => self.converted(kind),
        }
    }
    fn converted(self, kind: FloatKind) -> Real {
        use rustc_apfloat::FloatConvert as _;
        let mut loses = false;
        let bits = in_kind!(self.kind, F => {
            let value = F::from_bits(self.bits);
            match kind {
                FloatKind::Float => {
                    let to: ieee::Single = value.convert(&mut loses).value;
                    to.to_bits()
                }
                FloatKind::Double => {
                    let to: ieee::Double = value.convert(&mut loses).value;
                    to.to_bits()
                }
                FloatKind::LongDouble => {
                    let to: ieee::X87DoubleExtended = value.convert(&mut loses).value;
                    to.to_bits()
                }
                FloatKind::Float128 => {
                    let to: ieee::Quad = value.convert(&mut loses).value;
                    to.to_bits()
                }
            }
        });
        Real::of_bits(kind, bits)
    }
    /// An integer converted: `unsigned` says that the bits are of a `u128`.
    #[inline]
    pub fn of_int(kind: FloatKind, value: i128, unsigned: bool) -> Real {
        match (kind, unsigned) {
            (FloatKind::Float, false) => Real::single(value as f32),
            (FloatKind::Float, true) => Real::single(value as u128 as f32),
            (FloatKind::Double, false) => Real::double(value as f64),
            (FloatKind::Double, true) => Real::double(value as u128 as f64),
            (_, false) => Real::of_bits(kind, in_kind!(kind, F => F::from_i128(value).value.to_bits())),
            (_, true) => Real::of_bits(kind, in_kind!(kind, F => F::from_u128(value as u128).value.to_bits())),
        }
    }
    /// The integer that is left without the fraction, if an `i128` holds it.
    #[inline]
    pub fn to_int(self) -> Option<i128> {
        if matches!(self.kind, FloatKind::Float | FloatKind::Double) {
            let whole = self.to_f64().trunc();
            return (-(2f64.powi(127))..2f64.powi(127)).contains(&whole).then_some(whole as i128);
        }
        let (mut exact, toward) = (false, rustc_apfloat::Round::TowardZero);
        let result = in_kind!(self.kind, F => F::from_bits(self.bits).to_i128_r(128, toward, &mut exact));
        (!result.status.contains(rustc_apfloat::Status::INVALID_OP)).then_some(result.value)
    }
    /// The same for a `u128`.
    pub fn to_unsigned(self) -> Option<u128> {
        let (mut exact, toward) = (false, rustc_apfloat::Round::TowardZero);
        let result = in_kind!(self.kind, F => F::from_bits(self.bits).to_u128_r(128, toward, &mut exact));
        (!result.status.contains(rustc_apfloat::Status::INVALID_OP)).then_some(result.value)
    }
    /// Whether it is no number. Bits that the x87 does not take for a number are none.
    #[inline]
    pub fn is_nan(self) -> bool {
        match self.kind {
            FloatKind::Float => f32::from_bits(self.bits as u32).is_nan(),
            FloatKind::Double => f64::from_bits(self.bits as u64).is_nan(),
            _ => in_kind!(self.kind, F => F::from_bits(self.bits).is_nan()),
        }
    }
    /// Whether it is an infinity.
    pub fn is_infinite(self) -> bool {
        in_kind!(self.kind, F => F::from_bits(self.bits).is_infinite())
    }
    /// Whether it is a number and no infinity.
    pub fn is_finite(self) -> bool {
        in_kind!(self.kind, F => F::from_bits(self.bits).is_finite())
    }
    /// Whether it is finite, not 0, and has all bits of its precision.
    pub fn is_normal(self) -> bool {
        in_kind!(self.kind, F => F::from_bits(self.bits).is_normal())
    }
    /// Whether it is 0 of either sign.
    #[inline]
    pub fn is_zero(self) -> bool {
        self.bits & mask(width(self.kind) - 1) == 0
    }
    /// Whether the sign is set, also of zeros and NaN.
    #[inline]
    pub fn is_negative(self) -> bool {
        self.bits >> (width(self.kind) - 1) != 0
    }
    /// `-x`, the sign alone.
    #[inline]
    pub fn negated(self) -> Real {
        Real { bits: self.bits ^ (1 << (width(self.kind) - 1)), ..self }
    }
    /// Without the sign.
    pub fn absolute(self) -> Real {
        Real { bits: self.bits & mask(width(self.kind) - 1), ..self }
    }
    /// With the sign of `other`.
    pub fn with_sign_of(self, other: Real) -> Real {
        if other.is_negative() { self.absolute().negated() } else { self.absolute() }
    }
    /// Order by value; None where one is NaN. Both of one kind.
    #[inline]
    pub fn compare(self, other: Real) -> Option<Ordering> {
        match self.kind {
            FloatKind::Float | FloatKind::Double => self.to_f64().partial_cmp(&other.to_f64()),
            _ => in_kind!(self.kind, F => F::from_bits(self.bits).partial_cmp(&F::from_bits(other.bits))),
        }
    }
}

impl fmt::Debug for Real {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// The shortest decimal number that is read back as this one, as a `double` where it is one.
impl fmt::Display for Real {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let near = self.to_f64();
        if near.is_nan() || self.compare(Real::new(self.kind, near)) == Some(Ordering::Equal) {
            return write!(f, "{near:?}");
        }
        in_kind!(self.kind, F => write!(f, "{}", F::from_bits(self.bits)))
    }
}

/// Bits that a value has.
#[inline]
pub(super) fn width(kind: FloatKind) -> u32 {
    match kind {
        FloatKind::Float => 32,
        FloatKind::Double => 64,
        FloatKind::LongDouble => 80,
        FloatKind::Float128 => 128,
    }
}

/// Bits of the significand, the leading one too.
pub(super) fn precision(kind: FloatKind) -> u32 {
    match kind {
        FloatKind::Float => 24,
        FloatKind::Double => 53,
        FloatKind::LongDouble => 64,
        FloatKind::Float128 => 113,
    }
}

/// The least exponent of a normal number, as a power of two.
pub(super) fn least_exponent(kind: FloatKind) -> i32 {
    match kind {
        FloatKind::Float => -126,
        FloatKind::Double => -1022,
        FloatKind::LongDouble | FloatKind::Float128 => -16382,
    }
}

#[inline]
pub(super) fn mask(bits: u32) -> u128 {
    if bits >= 128 { u128::MAX } else { (1 << bits) - 1 }
}
