//! Intervals of mathematical integers.

/// `[lo, hi]` with `lo <= hi`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Interval {
    pub lo: i128,
    pub hi: i128,
}

impl Interval {
    /// All numbers that the analysis can represent.
    pub const TOP: Interval = Interval { lo: i128::MIN, hi: i128::MAX };

    /// `[lo, hi]`; None when empty.
    pub fn new(lo: i128, hi: i128) -> Option<Interval> {
        (lo <= hi).then_some(Interval { lo, hi })
    }
    /// `value` alone.
    pub fn constant(value: i128) -> Interval {
        Interval { lo: value, hi: value }
    }
    /// Whether `value` is in it.
    pub fn contains(self, value: i128) -> bool {
        self.lo <= value && value <= self.hi
    }
    /// Inclusion.
    pub fn leq(self, other: Interval) -> bool {
        other.lo <= self.lo && self.hi <= other.hi
    }
    /// The hull of both.
    pub fn join(self, other: Interval) -> Interval {
        Interval { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }
    /// The common part.
    pub fn meet(self, other: Interval) -> Option<Interval> {
        Self::new(self.lo.max(other.lo), self.hi.min(other.hi))
    }
    /// `self` where `next` is stable, else the next of the sorted `thresholds`, else `limit`.
    pub fn widen(self, next: Interval, thresholds: &[i128], limit: Interval) -> Interval {
        let lo = if next.lo >= self.lo {
            self.lo
        } else {
            let below = thresholds[..thresholds.partition_point(|&t| t <= next.lo)].last();
            below.copied().unwrap_or(limit.lo).max(limit.lo).min(next.lo)
        };
        let hi = if next.hi <= self.hi {
            self.hi
        } else {
            let above = thresholds[thresholds.partition_point(|&t| t < next.hi)..].first();
            above.copied().unwrap_or(limit.hi).min(limit.hi).max(next.hi)
        };
        Interval { lo, hi }
    }
    /// The hull of `f` over the corners of two intervals; None when one does not fit.
    pub fn corners(self, other: Interval, f: impl Fn(i128, i128) -> Option<i128>) -> Option<Interval> {
        let mut hull: Option<Interval> = None;
        for a in [self.lo, self.hi] {
            for b in [other.lo, other.hi] {
                let c = Interval::constant(f(a, b)?);
                hull = Some(hull.map_or(c, |h| h.join(c)));
            }
        }
        hull
    }
}
