//! The reduced product of intervals and congruences: the domain of integers and of byte offsets.

use super::congruence::Congruence;
use super::interval::Interval;
use std::fmt;

/// A set of integers: those of the interval that are in the congruence. Both bounds are themselves members, and a single
/// number has modulus 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Int {
    range: Interval,
    congruence: Congruence,
}

impl Int {
    /// All numbers.
    pub const TOP: Int = Int { range: Interval::TOP, congruence: Congruence::TOP };

    /// `value` alone.
    pub fn constant(value: i128) -> Int {
        Int { range: Interval::constant(value), congruence: Congruence::constant(value) }
    }
    /// All of `[lo, hi]`, which is not empty.
    pub fn range(lo: i128, hi: i128) -> Int {
        assert!(lo <= hi, "an interval has its bounds in order");
        if lo == hi { Self::constant(lo) } else { Int { range: Interval { lo, hi }, congruence: Congruence::TOP } }
    }
    /// The common numbers of both; None when there are none.
    pub fn reduce(range: Interval, congruence: Congruence) -> Option<Int> {
        let m = congruence.modulus();
        if m == 0 {
            return range.contains(congruence.rem()).then(|| Self::constant(congruence.rem()));
        }
        if m == 1 {
            return Some(Self::range(range.lo, range.hi));
        }
        // Bounds that do not fit are left as they are: then the set is cut at what i128 holds.
        let lo = range.lo.checked_add((congruence.rem() - range.lo.rem_euclid(m)).rem_euclid(m))?;
        let hi = range.hi.checked_sub((range.hi.rem_euclid(m) - congruence.rem()).rem_euclid(m))?;
        let range = Interval::new(lo, hi)?;
        let congruence = if lo == hi { Congruence::constant(lo) } else { congruence };
        Some(Int { range, congruence })
    }
    /// The least number.
    pub fn lo(self) -> i128 {
        self.range.lo
    }
    /// The greatest number.
    pub fn hi(self) -> i128 {
        self.range.hi
    }
    /// The hull.
    pub fn interval(self) -> Interval {
        self.range
    }
    /// The congruence.
    pub fn congruence(self) -> Congruence {
        self.congruence
    }
    /// The only number, if there is one only.
    pub fn as_constant(self) -> Option<i128> {
        (self.range.lo == self.range.hi).then_some(self.range.lo)
    }
    /// Whether `value` is in the set.
    pub fn contains(self, value: i128) -> bool {
        self.range.contains(value) && self.congruence.contains(value)
    }
    /// Inclusion.
    pub fn leq(self, other: Int) -> bool {
        self.range.leq(other.range) && self.congruence.leq(other.congruence)
    }
    /// The least element around both.
    pub fn join(self, other: Int) -> Int {
        Int { range: self.range.join(other.range), congruence: self.congruence.join(other.congruence) }
    }
    /// The common numbers.
    pub fn meet(self, other: Int) -> Option<Int> {
        Self::reduce(self.range.meet(other.range)?, self.congruence.meet(other.congruence)?)
    }
    /// The part inside `[lo, hi]`.
    pub fn clamp(self, lo: i128, hi: i128) -> Option<Int> {
        Self::reduce(self.range.meet(Interval::new(lo, hi)?)?, self.congruence)
    }
    /// A bound of `self` and `next`, such that chains of widenings end: bounds go to the next of the sorted `thresholds`,
    /// then to those of `limit`.
    pub fn widen(self, next: Int, thresholds: &[i128], limit: Interval) -> Int {
        let next = self.join(next);
        let range = self.range.widen(next.range, thresholds, limit);
        Self::reduce(range, next.congruence).unwrap_or(Int { range, congruence: Congruence::TOP })
    }
    /// All numbers of the set in order, if there are at most `most`.
    pub fn members(self, most: usize) -> Option<Vec<i128>> {
        let step = self.congruence.modulus().max(1);
        let last = self.hi().checked_sub(self.lo())? / step;
        if last >= most as i128 {
            return None;
        }
        Some((0..=last).map(|k| self.lo() + k * step).collect())
    }
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_constant() {
            Some(v) => write!(f, "{v}"),
            None => {
                write!(f, "[{}, {}]", self.lo(), self.hi())?;
                match self.congruence.modulus() {
                    1 => Ok(()),
                    m => write!(f, " = {} mod {m}", self.congruence.rem()),
                }
            }
        }
    }
}
