//! The reduced product of intervals and congruences, less one number: the domain of integers and of byte offsets.

use super::congruence::Congruence;
use super::interval::Interval;
use std::fmt;

/// A set of integers: those of the interval that are in the congruence, but for the hole. Both bounds are themselves members, a single
/// number has modulus 0, and the hole would be a member if it were none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Int {
    range: Interval,
    congruence: Congruence,
    hole: Option<i64>,
}

impl Int {
    /// All numbers.
    pub const TOP: Int = Int::of(Interval::TOP, Congruence::TOP);

    const fn of(range: Interval, congruence: Congruence) -> Int {
        Int { range, congruence, hole: None }
    }
    /// `value` alone.
    pub fn constant(value: i128) -> Int {
        Int::of(Interval::constant(value), Congruence::constant(value))
    }
    /// All of `[lo, hi]`, which is not empty.
    pub fn range(lo: i128, hi: i128) -> Int {
        assert!(lo <= hi, "an interval has its bounds in order");
        if lo == hi { Self::constant(lo) } else { Int::of(Interval { lo, hi }, Congruence::TOP) }
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
        Some(Int::of(range, congruence))
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
    /// The number between the bounds that is left out.
    pub fn hole(self) -> Option<i128> {
        self.hole.map(i128::from)
    }
    /// Whether it is all that lies between the bounds.
    pub fn is_interval(self) -> bool {
        self.congruence.modulus() <= 1 && self.hole.is_none()
    }
    /// The set without `value`, as far as a set can say that: a hole at 0 stays, another one goes for a new one. None when nothing is left.
    pub fn except(self, value: i128) -> Option<Int> {
        if !self.contains(value) {
            return Some(self);
        }
        if self.range.lo == value {
            return self.clamp(value.checked_add(1)?, self.range.hi);
        }
        if self.range.hi == value {
            return self.clamp(self.range.lo, value.checked_sub(1)?);
        }
        match i64::try_from(value) {
            Ok(value) if self.hole != Some(0) => Some(Int { hole: Some(value), ..self }),
            _ => Some(self),
        }
    }
    /// The set without these.
    pub(super) fn but(self, holes: impl IntoIterator<Item = i128>) -> Option<Int> {
        holes.into_iter().try_fold(self, Int::except)
    }
    /// The only number, if there is one only.
    pub fn as_constant(self) -> Option<i128> {
        (self.range.lo == self.range.hi).then_some(self.range.lo)
    }
    /// Whether `value` is in the set.
    pub fn contains(self, value: i128) -> bool {
        self.range.contains(value) && self.congruence.contains(value) && self.hole() != Some(value)
    }
    /// Inclusion.
    pub fn leq(self, other: Int) -> bool {
        let hole = other.hole().is_none_or(|hole| !self.contains(hole));
        hole && self.range.leq(other.range) && self.congruence.leq(other.congruence)
    }
    /// A least element around both.
    pub fn join(self, other: Int) -> Int {
        let all = Int::of(self.range.join(other.range), self.congruence.join(other.congruence));
        // The two need no hole for one to be between them.
        let outside = |value: &i64| !self.contains((*value).into()) && !other.contains((*value).into());
        let holes = [Some(0), self.hole, other.hole].into_iter().flatten();
        let hole = holes
            .filter(|value| outside(value) && all.contains((*value).into()))
            .min_by_key(|v| (v.unsigned_abs(), *v));
        Int { hole, ..all }
    }
    /// The common numbers; one of two holes may be left out.
    pub fn meet(self, other: Int) -> Option<Int> {
        Self::reduce(self.range.meet(other.range)?, self.congruence.meet(other.congruence)?)?
            .but([self.hole(), other.hole()].into_iter().flatten())
    }
    /// The part inside `[lo, hi]`.
    pub fn clamp(self, lo: i128, hi: i128) -> Option<Int> {
        Self::reduce(self.range.meet(Interval::new(lo, hi)?)?, self.congruence)?.but(self.hole())
    }
    /// A bound of `self` and `next`, such that chains of widenings end: bounds go to the next of the sorted `thresholds`,
    /// then to those of `limit`.
    pub fn widen(self, next: Int, thresholds: &[i128], limit: Interval) -> Int {
        let next = self.join(next);
        let range = self.range.widen(next.range, thresholds, limit);
        let all = Self::reduce(range, next.congruence).unwrap_or(Int::of(range, Congruence::TOP));
        all.but(next.hole()).unwrap_or(all)
    }
    /// All numbers of the set in order, if there are at most `most`.
    pub fn members(self, most: usize) -> Option<Vec<i128>> {
        let step = self.congruence.modulus().max(1);
        let last = self.hi().checked_sub(self.lo())? / step;
        if last >= most as i128 {
            return None;
        }
        Some((0..=last).map(|k| self.lo() + k * step).filter(|n| self.contains(*n)).collect())
    }
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_constant() {
            Some(v) => write!(f, "{v}"),
            None => {
                write!(f, "[{}, {}]", self.lo(), self.hi())?;
                match self.congruence.modulus() {
                    1 => {}
                    m => write!(f, " = {} mod {m}", self.congruence.rem())?,
                }
                self.hole.map_or(Ok(()), |hole| write!(f, " but {hole}"))
            }
        }
    }
}
