//! Exact decimal digits of finite numbers.

use super::real::Real;

/// `0.d1d2d3... * 10^point`, the digits from 0 to 9 without zeros at the ends; none for 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decimal {
    pub digits: Vec<u8>,
    pub point: i32,
}

/// What a limb of a long number counts to.
const LIMB: u64 = 1_000_000_000;

impl Real {
    /// The absolute value of a finite number, exactly.
    pub fn decimal(self) -> Decimal {
        let (significand, exponent) = self.digits();
        let mut limbs = limbs_of(significand);
        // Below the point: n * 2^-k = n * 5^k * 10^-k.
        let mut multiply = |by: u64| {
            let mut carry = 0;
            for limb in &mut limbs {
                let product = *limb * by + carry;
                (*limb, carry) = (product % LIMB, product / LIMB);
            }
            while carry > 0 {
                limbs.push(carry % LIMB);
                carry /= LIMB;
            }
        };
        let (base, power, step) = if exponent >= 0 { (2u64, exponent, 29) } else { (5u64, -exponent, 12) };
        for _ in 0..power / step {
            multiply(base.pow(step as u32));
        }
        multiply(base.pow((power % step) as u32));
        let text: String = limbs.iter().rev().map(|limb| format!("{limb:09}")).collect();
        let text = text.trim_start_matches('0');
        let point = text.len() as i32 + exponent.min(0);
        let digits: Vec<u8> = text.trim_end_matches('0').bytes().map(|b| b - b'0').collect();
        let point = if digits.is_empty() { 0 } else { point };
        Decimal { digits, point }
    }
}

fn limbs_of(mut number: u128) -> Vec<u64> {
    let mut limbs = Vec::new();
    while number > 0 {
        limbs.push((number % u128::from(LIMB)) as u64);
        number /= u128::from(LIMB);
    }
    limbs
}

impl Decimal {
    /// Rounded to `places` digits behind the point (negative: before it), a tie to an even digit.
    pub fn rounded(mut self, places: i32) -> Decimal {
        let kept = self.point.saturating_add(places);
        if kept >= self.digits.len() as i32 {
            return self;
        }
        if kept < 0 {
            return Decimal { digits: Vec::new(), point: 0 };
        }
        let dropped = self.digits.split_off(kept as usize);
        let tie = dropped.len() == 1 && dropped[0] == 5;
        let odd = self.digits.last().is_some_and(|d| d % 2 == 1);
        if if tie { odd } else { dropped[0] >= 5 } {
            let mut at = self.digits.len();
            loop {
                if at == 0 {
                    self.digits.insert(0, 1);
                    self.point += 1;
                    break;
                }
                at -= 1;
                if self.digits[at] == 9 {
                    self.digits.pop();
                } else {
                    self.digits[at] += 1;
                    break;
                }
            }
        }
        while self.digits.last() == Some(&0) {
            self.digits.pop();
        }
        if self.digits.is_empty() {
            self.point = 0;
        }
        self
    }

    /// The digit of weight `10^power`.
    pub fn digit(&self, power: i32) -> u8 {
        let at = self.point - 1 - power;
        usize::try_from(at).ok().and_then(|at| self.digits.get(at)).copied().unwrap_or(0)
    }
}
