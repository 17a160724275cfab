//! Arithmetic over bits, the least first. Both operands of an operator have the same width.

use super::gates::Gates;
use batsat::{Callbacks, Lit};

/// A bit-vector.
pub(super) type Bits = Vec<Lit>;

impl<C: Callbacks> Gates<C> {
    /// The sum with a carry in, and the carry out.
    fn sum(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> (Bits, Lit) {
        let mut out = Vec::with_capacity(a.len());
        for (&x, &y) in a.iter().zip(b) {
            let half = self.xor(x, y);
            out.push(self.xor(half, carry));
            carry = self.majority(x, y, carry);
        }
        (out, carry)
    }

    pub fn add(&mut self, a: &[Lit], b: &[Lit]) -> Bits {
        let zero = self.constant(false);
        self.sum(a, b, zero).0
    }

    pub fn subtract(&mut self, a: &[Lit], b: &[Lit]) -> Bits {
        let (one, b) = (self.constant(true), complement(b));
        self.sum(a, &b, one).0
    }

    pub fn negate(&mut self, a: &[Lit]) -> Bits {
        let zero = self.zero(a.len());
        self.subtract(&zero, a)
    }

    /// 0 of this width.
    pub fn zero(&self, width: usize) -> Bits {
        vec![self.constant(false); width]
    }

    /// Whether all bits are equal.
    pub fn same(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let bits: Bits = a.iter().zip(b).map(|(&x, &y)| self.equal(x, y)).collect();
        self.and(&bits)
    }

    /// Whether `a < b`, without signs.
    pub fn below(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let mut less = self.constant(false);
        for (&x, &y) in a.iter().zip(b) {
            less = self.majority(!x, y, less);
        }
        less
    }

    /// Whether `a < b`, with signs.
    pub fn signed_below(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let (mut a, mut b) = (a.to_vec(), b.to_vec());
        for bits in [&mut a, &mut b] {
            if let Some(sign) = bits.last_mut() {
                *sign = !*sign;
            }
        }
        self.below(&a, &b)
    }

    /// Bit by bit: `then` where the condition holds, `otherwise` elsewhere.
    pub fn choose_all(&mut self, condition: Lit, then: &[Lit], otherwise: &[Lit]) -> Bits {
        then.iter().zip(otherwise).map(|(&t, &o)| self.choose(condition, t, o)).collect()
    }

    /// How many bits are not 0: the fewer, the fewer rows a product has.
    fn rows(&self, bits: &[Lit]) -> usize {
        bits.iter().filter(|b| self.as_constant(**b) != Some(false)).count()
    }

    pub fn multiply(&mut self, a: &[Lit], b: &[Lit]) -> Bits {
        self.product(a, b, false).0
    }

    /// The product, and where asked for whether it lost a bit.
    fn product(&mut self, a: &[Lit], b: &[Lit], watched: bool) -> (Bits, Lit) {
        let (a, b) = if self.rows(a) < self.rows(b) { (b, a) } else { (a, b) };
        let width = a.len();
        let (mut total, mut lost) = (self.zero(width), Vec::new());
        for (shift, &factor) in b.iter().enumerate() {
            if self.as_constant(factor) == Some(false) {
                continue;
            }
            let row: Bits = a[..width - shift].iter().map(|&bit| self.and(&[bit, factor])).collect();
            let zero = self.constant(false);
            let (sum, carry) = self.sum(&total[shift..], &row, zero);
            total.splice(shift.., sum);
            if watched {
                lost.push(carry);
                for &bit in &a[width - shift..] {
                    lost.push(self.and(&[bit, factor]));
                }
            }
        }
        let lost = self.or(&lost);
        (total, lost)
    }

    /// Whether the product without signs does not fit.
    pub fn product_overflows(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        self.product(a, b, true).1
    }

    /// Whether the product with signs does not fit.
    pub fn signed_product_overflows(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let width = a.len();
        let (wide_a, wide_b) = (extend(a, 2 * width), extend(b, 2 * width));
        let product = self.multiply(&wide_a, &wide_b);
        let sign = product[width - 1];
        let differing: Bits = product[width..].iter().map(|&bit| self.xor(bit, sign)).collect();
        self.or(&differing)
    }

    /// Quotient and remainder without signs, as SMT-LIB has them: by 0, all ones and the dividend.
    pub fn divide(&mut self, a: &[Lit], b: &[Lit]) -> (Bits, Bits) {
        let width = a.len();
        let nothing = self.zero(width);
        let by_zero = self.same(b, &nothing);
        let mut divisor = b.to_vec();
        divisor[0] = self.or(&[divisor[0], by_zero]);
        // The one pair with a = q d + r and r < d, for a divisor that is not 0.
        let quotient: Bits = (0..width).map(|_| self.fresh()).collect();
        let remainder: Bits = (0..width).map(|_| self.fresh()).collect();
        let (product, lost) = self.product(&quotient, &divisor, true);
        self.clause(&[!lost]);
        let zero = self.constant(false);
        let (sum, carry) = self.sum(&product, &remainder, zero);
        self.clause(&[!carry]);
        for (&x, &y) in sum.iter().zip(a) {
            let equal = self.equal(x, y);
            self.clause(&[equal]);
        }
        let smaller = self.below(&remainder, &divisor);
        self.clause(&[smaller]);
        let ones = vec![self.constant(true); width];
        (self.choose_all(by_zero, &ones, &quotient), self.choose_all(by_zero, a, &remainder))
    }

    /// The magnitude, and whether the number is negative.
    fn magnitude(&mut self, a: &[Lit]) -> (Bits, Lit) {
        let sign = a[a.len() - 1];
        let negated = self.negate(a);
        (self.choose_all(sign, &negated, a), sign)
    }

    /// The quotient with signs, rounded towards 0.
    pub fn signed_quotient(&mut self, a: &[Lit], b: &[Lit]) -> Bits {
        let ((x, of_a), (y, of_b)) = (self.magnitude(a), self.magnitude(b));
        let quotient = self.divide(&x, &y).0;
        let (negative, negated) = (self.xor(of_a, of_b), self.negate(&quotient));
        self.choose_all(negative, &negated, &quotient)
    }

    /// The remainder with signs; it has the dividend's.
    pub fn signed_remainder(&mut self, a: &[Lit], b: &[Lit]) -> Bits {
        let ((x, negative), (y, _)) = (self.magnitude(a), self.magnitude(b));
        let remainder = self.divide(&x, &y).1;
        let negated = self.negate(&remainder);
        self.choose_all(negative, &negated, &remainder)
    }

    /// `a` moved by `by` bits; `fill` comes in. Towards the high bits where `up`.
    pub fn shift(&mut self, a: &[Lit], by: &[Lit], up: bool, fill: Lit) -> Bits {
        let width = a.len();
        let mut bits = a.to_vec();
        let mut beyond = Vec::new();
        for (stage, &bit) in by.iter().enumerate() {
            let step = 1usize.checked_shl(stage as u32).filter(|s| *s < width);
            let Some(step) = step else {
                beyond.push(bit);
                continue;
            };
            let moved = |i: usize| {
                let from = if up { i.checked_sub(step) } else { Some(i + step).filter(|i| *i < width) };
                from.map_or(fill, |from| bits[from])
            };
            let moved: Bits = (0..width).map(moved).collect();
            bits = self.choose_all(bit, &moved, &bits);
        }
        let beyond = self.or(&beyond);
        bits.iter().map(|&bit| self.choose(beyond, fill, bit)).collect()
    }
}

/// All bits flipped.
pub(super) fn complement(bits: &[Lit]) -> Bits {
    bits.iter().map(|b| !*b).collect()
}

/// With the sign repeated up to this width.
pub(super) fn extend(bits: &[Lit], width: usize) -> Bits {
    let sign = bits[bits.len() - 1];
    bits.iter().copied().chain(std::iter::repeat(sign)).take(width).collect()
}
