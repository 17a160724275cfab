//! Intervals of doubles, with NaN apart.
//!
//! Rounding to nearest is monotone, so the operators evaluated at the bounds, with the operation's own rounding, bound
//! all results.

use std::fmt;

/// A non-empty set of doubles: those from `lo` to `hi` (infinities too, zeros of both signs), none when `lo > hi`, and
/// NaN if `nan`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Float {
    lo: f64,
    hi: f64,
    nan: bool,
}

impl Float {
    /// Every double.
    pub const TOP: Float = Float { lo: f64::NEG_INFINITY, hi: f64::INFINITY, nan: true };
    const NAN: Float = Float { lo: f64::INFINITY, hi: f64::NEG_INFINITY, nan: true };

    /// `value` alone.
    pub fn constant(value: f64) -> Float {
        if value.is_nan() { Self::NAN } else { Self::range(value, value) }
    }
    /// All from `lo` to `hi`, numbers in order.
    pub fn range(lo: f64, hi: f64) -> Float {
        assert!(lo <= hi, "an interval has its bounds in order");
        // Bounds of zero stand for zeros of both signs: make them compare equal.
        Float { lo: lo + 0.0, hi: hi + 0.0, nan: false }
    }
    /// The numbers, if there are any.
    pub fn numbers(self) -> Option<(f64, f64)> {
        (self.lo <= self.hi).then_some((self.lo, self.hi))
    }
    /// Whether NaN is in the set.
    pub fn may_be_nan(self) -> bool {
        self.nan
    }
    /// Whether `value` is in the set.
    pub fn contains(self, value: f64) -> bool {
        if value.is_nan() { self.nan } else { self.lo <= value && value <= self.hi }
    }
    /// Inclusion.
    pub fn leq(self, other: Float) -> bool {
        (!self.nan || other.nan) && (self.lo > self.hi || (other.lo <= self.lo && self.hi <= other.hi))
    }
    /// The hull of both.
    pub fn join(self, other: Float) -> Float {
        Float { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi), nan: self.nan || other.nan }
    }
    /// The common part.
    pub fn meet(self, other: Float) -> Option<Float> {
        let (lo, hi, nan) = (self.lo.max(other.lo), self.hi.min(other.hi), self.nan && other.nan);
        if lo <= hi { Some(Float { lo, hi, nan }) } else { nan.then_some(Self::NAN) }
    }
    /// Unstable bounds go to the next of the sorted `thresholds`, or to infinity.
    pub fn widen(self, next: Float, thresholds: &[i128]) -> Float {
        // Of large numbers the nearest double may be on the other side.
        let below = || thresholds.iter().rev().map(|t| *t as f64).find(|t| *t <= next.lo);
        let above = || thresholds.iter().map(|t| *t as f64).find(|t| *t >= next.hi);
        let lo = if next.lo < self.lo { below().unwrap_or(f64::NEG_INFINITY) } else { self.lo };
        let hi = if next.hi > self.hi { above().unwrap_or(f64::INFINITY) } else { self.hi };
        Float { lo, hi, nan: self.nan || next.nan }
    }
    /// With NaN added if `nan`.
    pub fn with_nan(self, nan: bool) -> Float {
        Float { nan: self.nan || nan, ..self }
    }
    /// Rounded to `float`.
    pub fn to_single(self) -> Float {
        match self.numbers() {
            Some((lo, hi)) => Float::range(f64::from(lo as f32), f64::from(hi as f32)).with_nan(self.nan),
            None => self,
        }
    }
    /// `-x`.
    pub fn negated(self) -> Float {
        match self.numbers() {
            Some((lo, hi)) => Float::range(-hi, -lo).with_nan(self.nan),
            None => self,
        }
    }
    /// `f` over both: monotone or antitone in each operand, in double or (`single`) in float arithmetic. A NaN at a
    /// corner means that anything may come out.
    pub fn monotone(self, other: Float, single: bool, f: impl Fn(f64, f64) -> f64) -> Float {
        let nan = self.nan || other.nan;
        let (Some((a0, a1)), Some((b0, b1))) = (self.numbers(), other.numbers()) else { return Self::NAN };
        let mut hull: Option<Float> = None;
        for (a, b) in [(a0, b0), (a0, b1), (a1, b0), (a1, b1)] {
            let exact = f(a, b);
            if exact.is_nan() {
                return Self::TOP;
            }
            let c = if single { f64::from(exact as f32) } else { exact };
            hull = Some(hull.map_or(Float::constant(c), |h| h.join(Float::constant(c))));
        }
        hull.unwrap_or(Self::TOP).with_nan(nan)
    }
    /// `a + b`. Sums of two floats rounded to double and again to float are those rounded once.
    pub fn add(self, other: Float, single: bool) -> Float {
        self.monotone(other, single, |a, b| a + b)
    }
    /// `a - b`.
    pub fn sub(self, other: Float, single: bool) -> Float {
        self.monotone(other, single, |a, b| a - b)
    }
    /// `a * b`; with an infinity and a zero in the operands anything.
    pub fn mul(self, other: Float, single: bool) -> Float {
        let unbounded = |f: Float| f.lo.is_infinite() || f.hi.is_infinite();
        let zero = |f: Float| f.contains(0.0);
        if (unbounded(self) && zero(other)) || (zero(self) && unbounded(other)) {
            return Self::TOP;
        }
        self.monotone(other, single, |a, b| a * b)
    }
    /// `a / b`; anything when `b` may be 0 or infinite.
    pub fn div(self, other: Float, single: bool) -> Float {
        if other.contains(0.0) || other.lo.is_infinite() || other.hi.is_infinite() {
            return Self::TOP;
        }
        self.monotone(other, single, |a, b| a / b)
    }
}

impl fmt::Display for Float {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.numbers() {
            Some((lo, hi)) if lo == hi => write!(f, "{lo}")?,
            Some((lo, hi)) => write!(f, "[{lo}, {hi}]")?,
            None => return write!(f, "NaN"),
        }
        if self.nan { write!(f, " or NaN") } else { Ok(()) }
    }
}
