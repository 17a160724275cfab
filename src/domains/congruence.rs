//! Arithmetical congruences. See: Granger, "Static Analysis of Arithmetical Congruences".

/// The numbers `rem + k * modulus`; a modulus of 0 means `rem` alone, 1 all numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Congruence {
    modulus: i128,
    rem: i128,
}

impl Congruence {
    /// All numbers.
    pub const TOP: Congruence = Congruence { modulus: 1, rem: 0 };

    /// `value` alone.
    pub fn constant(value: i128) -> Congruence {
        Congruence { modulus: 0, rem: value }
    }
    /// `rem + modulus Z`.
    pub fn new(modulus: i128, rem: i128) -> Congruence {
        match modulus.checked_abs() {
            None => Self::TOP,
            Some(0) => Self::constant(rem),
            Some(1) => Self::TOP,
            Some(m) => Congruence { modulus: m, rem: rem.rem_euclid(m) },
        }
    }
    /// 0 for a single number, 1 for all numbers.
    pub fn modulus(self) -> i128 {
        self.modulus
    }
    /// In `[0, modulus)`, or the number itself.
    pub fn rem(self) -> i128 {
        self.rem
    }
    /// Whether `value` is in it.
    pub fn contains(self, value: i128) -> bool {
        match self.modulus {
            0 => value == self.rem,
            1 => true,
            m => value.rem_euclid(m) == self.rem,
        }
    }
    /// Whether every number of `self` is in `other`.
    pub fn leq(self, other: Congruence) -> bool {
        match other.modulus {
            0 => self == other,
            1 => true,
            m => self.modulus % m == 0 && self.rem.rem_euclid(m) == other.rem,
        }
    }
    /// The least congruence around both.
    pub fn join(self, other: Congruence) -> Congruence {
        if self == other || self.modulus == 1 || other.modulus == 1 {
            return if self == other { self } else { Self::TOP };
        }
        match self.rem.checked_sub(other.rem) {
            Some(d) => Self::new(gcd(gcd(self.modulus, other.modulus), d), self.rem),
            None => Self::TOP,
        }
    }
    /// The common numbers, or a superset of them; None when there are none.
    pub fn meet(self, other: Congruence) -> Option<Congruence> {
        if self.leq(other) {
            return Some(self);
        }
        if other.leq(self) {
            return Some(other);
        }
        if self.modulus == 0 || other.modulus == 0 {
            return None;
        }
        let g = gcd(self.modulus, other.modulus);
        if (self.rem - other.rem) % g != 0 {
            return None;
        }
        Some(self.solve(other, g).unwrap_or(if self.modulus > other.modulus { self } else { other }))
    }
    /// The Chinese remainder; None when the numbers get too large.
    fn solve(self, other: Congruence, g: i128) -> Option<Congruence> {
        let step = other.modulus / g;
        let inverse = inverse(self.modulus / g, step)?;
        let k = ((other.rem - self.rem) / g).checked_mul(inverse)?.rem_euclid(step);
        let rem = self.rem.checked_add(self.modulus.checked_mul(k)?)?;
        Some(Self::new(self.modulus.checked_mul(step)?, rem))
    }
    /// Sums.
    pub fn plus(self, other: Congruence) -> Congruence {
        match self.rem.checked_add(other.rem) {
            Some(r) => Self::new(gcd(self.modulus, other.modulus), r),
            None => Self::TOP,
        }
    }
    /// `-x`.
    pub fn negated(self) -> Congruence {
        self.rem.checked_neg().map_or(Self::TOP, |r| Self::new(self.modulus, r))
    }
    /// Products.
    pub fn times(self, other: Congruence) -> Congruence {
        let product = || {
            let a = self.modulus.checked_mul(other.modulus)?;
            let b = self.modulus.checked_mul(other.rem)?;
            let c = other.modulus.checked_mul(self.rem)?;
            Some(Self::new(gcd(a, gcd(b, c)), self.rem.checked_mul(other.rem)?))
        };
        product().unwrap_or(Self::TOP)
    }
    /// What remains known of the numbers after adding unknown multiples of `period`.
    pub fn modulo(self, period: i128) -> Congruence {
        Self::new(gcd(self.modulus, period), self.rem)
    }
}

/// The greatest common divisor, not negative; of 0 and `x` it is `x`.
pub fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    // Division of words is several times faster.
    if let (Ok(mut x), Ok(mut y)) = (u64::try_from(a), u64::try_from(b)) {
        while y != 0 {
            (x, y) = (y, x % y);
        }
        return i128::from(x);
    }
    while b != 0 {
        (a, b) = (b, a % b);
    }
    // 2^127 does not fit: any divisor of it is a sound modulus.
    i128::try_from(a).unwrap_or(1)
}

/// `x` with `a * x = 1 (mod m)`, for coprime `a` and `m > 0`.
fn inverse(a: i128, m: i128) -> Option<i128> {
    let (mut r0, mut r1, mut s0, mut s1) = (a.rem_euclid(m), m, 1i128, 0i128);
    while r1 != 0 {
        let q = r0 / r1;
        (r0, r1) = (r1, r0 - q * r1);
        (s0, s1) = (s1, s0.checked_sub(q.checked_mul(s1)?)?);
    }
    Some(s0.rem_euclid(m))
}
