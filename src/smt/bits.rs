//! Fixed-width arithmetic, exact for every width from 1 to 128 bits, with SMT-LIB's meaning of
//! division by zero and of shifts by the width or more.
//!
//! See: C. Barrett, P. Fontaine, C. Tinelli, "The SMT-LIB Standard: Version 2.7", theory FixedSizeBitVectors.

/// A bit-vector value. Equal values of different widths are different.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BitVec {
    width: u32,
    /// Zero above `width`.
    bits: u128,
}

impl BitVec {
    /// The greatest width, in bits.
    pub const MAX_WIDTH: u32 = 128;

    /// The `width` low bits of `bits`.
    ///
    /// # Panics
    /// When `width` is 0 or above [`MAX_WIDTH`](Self::MAX_WIDTH).
    pub fn new(width: u32, bits: u128) -> Self {
        assert!((1..=Self::MAX_WIDTH).contains(&width), "bit-vector width {width} is not in 1..=128");
        BitVec { width, bits: bits & (u128::MAX >> (128 - width)) }
    }

    /// The `width` low bits of the two's complement of `value`. Panics as [`new`](Self::new).
    pub fn from_signed(width: u32, value: i128) -> Self {
        Self::new(width, value as u128)
    }

    /// All bits 0.
    pub fn zero(width: u32) -> Self {
        Self::new(width, 0)
    }

    /// All bits 1.
    pub fn ones(width: u32) -> Self {
        Self::new(width, u128::MAX)
    }

    /// The least signed value.
    pub fn signed_min(width: u32) -> Self {
        Self::new(width, 1 << (width - 1))
    }

    /// The greatest signed value.
    pub fn signed_max(width: u32) -> Self {
        Self::signed_min(width).not()
    }

    /// Width in bits.
    pub fn width(self) -> u32 {
        self.width
    }

    /// Read as an unsigned number.
    pub fn unsigned(self) -> u128 {
        self.bits
    }

    /// Read in two's complement.
    pub fn signed(self) -> i128 {
        let unused = 128 - self.width;
        ((self.bits << unused) as i128) >> unused
    }

    pub(super) fn not(self) -> Self {
        Self::new(self.width, !self.bits)
    }

    pub(super) fn neg(self) -> Self {
        Self::new(self.width, self.bits.wrapping_neg())
    }

    pub(super) fn add(self, other: Self) -> Self {
        Self::new(self.width, self.bits.wrapping_add(other.bits))
    }

    pub(super) fn sub(self, other: Self) -> Self {
        Self::new(self.width, self.bits.wrapping_sub(other.bits))
    }

    pub(super) fn mul(self, other: Self) -> Self {
        Self::new(self.width, self.bits.wrapping_mul(other.bits))
    }

    /// All ones when the divisor is 0.
    pub(super) fn udiv(self, other: Self) -> Self {
        Self::new(self.width, self.bits.checked_div(other.bits).unwrap_or(u128::MAX))
    }

    /// The dividend when the divisor is 0.
    pub(super) fn urem(self, other: Self) -> Self {
        Self::new(self.width, self.bits.checked_rem(other.bits).unwrap_or(self.bits))
    }

    /// Truncates; when the divisor is 0: 1 for a negative dividend, else all ones.
    pub(super) fn sdiv(self, other: Self) -> Self {
        let quotient = match (self.signed(), other.signed()) {
            (dividend, 0) if dividend < 0 => 1,
            (_, 0) => -1,
            (dividend, divisor) => dividend.wrapping_div(divisor),
        };
        Self::from_signed(self.width, quotient)
    }

    /// Has the dividend's sign; the dividend when the divisor is 0.
    pub(super) fn srem(self, other: Self) -> Self {
        match other.signed() {
            0 => self,
            divisor => Self::from_signed(self.width, self.signed().wrapping_rem(divisor)),
        }
    }

    pub(super) fn shl(self, amount: Self) -> Self {
        if amount.bits >= u128::from(self.width) {
            return Self::zero(self.width);
        }
        Self::new(self.width, self.bits << amount.bits)
    }

    pub(super) fn lshr(self, amount: Self) -> Self {
        if amount.bits >= u128::from(self.width) {
            return Self::zero(self.width);
        }
        Self::new(self.width, self.bits >> amount.bits)
    }

    pub(super) fn ashr(self, amount: Self) -> Self {
        Self::from_signed(self.width, self.signed() >> amount.bits.min(127))
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self::new(self.width, self.bits & other.bits)
    }

    pub(super) fn or(self, other: Self) -> Self {
        Self::new(self.width, self.bits | other.bits)
    }

    pub(super) fn xor(self, other: Self) -> Self {
        Self::new(self.width, self.bits ^ other.bits)
    }

    /// `self` in the high bits. Panics when the sum of the widths exceeds 128.
    pub(super) fn concat(self, low: Self) -> Self {
        let high = self.bits.checked_shl(low.width).unwrap_or(0);
        Self::new(self.width + low.width, high | low.bits)
    }

    /// The bits `low..=high`, bit 0 the least.
    pub(super) fn extract(self, high: u32, low: u32) -> Self {
        Self::new(high - low + 1, self.bits >> low)
    }

    pub(super) fn zero_extend(self, by: u32) -> Self {
        Self::new(self.width + by, self.bits)
    }

    pub(super) fn sign_extend(self, by: u32) -> Self {
        Self::from_signed(self.width + by, self.signed())
    }

    /// Whether the unsigned product needs more than `width` bits.
    pub(super) fn umul_overflows(self, other: Self) -> bool {
        self.bits.checked_mul(other.bits).is_none_or(|product| Self::new(self.width, product).bits != product)
    }

    /// Whether the signed product needs more than `width` bits.
    pub(super) fn smul_overflows(self, other: Self) -> bool {
        let product = self.signed().checked_mul(other.signed());
        product.is_none_or(|product| Self::from_signed(self.width, product).signed() != product)
    }
}

#[cfg(test)]
mod tests {
    use super::BitVec;

    #[test]
    fn every_operation_agrees_with_wide_arithmetic_on_all_pairs_of_four_bits() {
        for (a, b) in (0..16u128).flat_map(|a| (0..16u128).map(move |b| (a, b))) {
            let (x, y) = (BitVec::new(4, a), BitVec::new(4, b));
            let (s, t) = (x.signed(), y.signed());
            assert!((-8..8).contains(&s) && s.rem_euclid(16) as u128 == a);
            assert_eq!(x.add(y).unsigned(), (a + b) % 16);
            assert_eq!(x.sub(y).unsigned(), (a + 16 - b) % 16);
            assert_eq!(x.mul(y).unsigned(), (a * b) % 16);
            assert_eq!(x.udiv(y).unsigned(), a.checked_div(b).unwrap_or(15));
            assert_eq!(x.urem(y).unsigned(), a.checked_rem(b).unwrap_or(a));
            assert_eq!(x.umul_overflows(y), a * b > 15);
            assert_eq!(x.smul_overflows(y), !(-8..8).contains(&(s * t)));
            assert_eq!(x.shl(y).unsigned(), (a << b) % 16);
            assert_eq!(x.lshr(y).unsigned(), a >> b);
            assert_eq!(x.ashr(y).signed(), s >> b);
            if b != 0 {
                assert_eq!(x.sdiv(y).signed(), if s / t == 8 { -8 } else { s / t });
                assert_eq!(x.srem(y).signed(), s % t);
            }
        }
    }

    #[test]
    fn the_widest_vectors_wrap_at_their_own_width() {
        let (ones, one) = (BitVec::ones(128), BitVec::new(128, 1));
        assert_eq!(ones.add(one), BitVec::zero(128));
        assert_eq!(ones.signed(), -1);
        assert_eq!(BitVec::signed_min(128).signed(), i128::MIN);
        assert_eq!(BitVec::signed_min(128).sdiv(ones), BitVec::signed_min(128));
        assert!(BitVec::signed_min(128).smul_overflows(ones));
        assert!(ones.umul_overflows(BitVec::new(128, 2)));
        assert_eq!(ones.ashr(BitVec::new(128, 1 << 90)), ones);
        assert_eq!(ones.extract(127, 127), BitVec::new(1, 1));
        assert_eq!(BitVec::new(64, 5).concat(BitVec::new(64, 7)).unsigned(), (5 << 64) | 7);
    }
}
