//! Intervals of doubles, with NaN apart.
//!
//! Rounding to nearest is monotone, so the operators evaluated at the bounds, with the operation's own rounding, bound
//! all results. Numbers of wider types than `double` lie between doubles: bounds of theirs are rounded outwards.

use crate::ir::{BinaryOp, FloatKind, Real};
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
    /// Both, numbers of `kind`, restricted to those of which `self op other`, a comparison, holds or does not; None where none are left.
    pub fn compared(self, op: BinaryOp, other: Float, kind: FloatKind, holds: bool) -> Option<(Float, Float)> {
        let numbers = match holds {
            true => self.ordered(op, other, kind),
            false => self.ordered(op.negate()?, other, kind),
        };
        // NaN is not equal to anything, and in no order with it.
        if (op == BinaryOp::Ne) != holds {
            return numbers;
        }
        let beside = |this: Float, that: Float, kept: Option<Float>| match kept {
            // What stands beside NaN may be any.
            _ if that.nan => Some(this),
            Some(kept) => Some(kept.with_nan(this.nan)),
            None => this.nan.then_some(Self::NAN),
        };
        Some((beside(self, other, numbers.map(|n| n.0))?, beside(other, self, numbers.map(|n| n.1))?))
    }
    /// The numbers of both of which `self op other` can hold.
    fn ordered(self, op: BinaryOp, other: Float, kind: FloatKind) -> Option<(Float, Float)> {
        let (a, b) = (self.numbers()?, other.numbers()?);
        // Between two doubles there are no numbers of these kinds.
        let are_doubles = matches!(kind, FloatKind::Float | FloatKind::Double);
        let below = |x: f64| if are_doubles { x.next_down() } else { x };
        let above = |x: f64| if are_doubles { x.next_up() } else { x };
        let (a, b) = match op {
            BinaryOp::Eq => {
                let both = (a.0.max(b.0), a.1.min(b.1));
                (both, both)
            }
            BinaryOp::Ne if a == b && a.0 == a.1 => return None,
            BinaryOp::Ne => {
                let without = |(lo, hi): (f64, f64), (c, d): (f64, f64)| match c == d {
                    true => (if lo == c { above(lo) } else { lo }, if hi == c { below(hi) } else { hi }),
                    false => (lo, hi),
                };
                (without(a, b), without(b, a))
            }
            BinaryOp::Lt if a.0 >= b.1 => return None,
            BinaryOp::Lt => ((a.0, a.1.min(below(b.1))), (b.0.max(above(a.0)), b.1)),
            BinaryOp::Le => ((a.0, a.1.min(b.1)), (b.0.max(a.0), b.1)),
            BinaryOp::Gt => return other.ordered(BinaryOp::Lt, self, kind).map(|(b, a)| (a, b)),
            BinaryOp::Ge => return other.ordered(BinaryOp::Le, self, kind).map(|(b, a)| (a, b)),
            _ => (a, b),
        };
        (a.0 <= a.1 && b.0 <= b.1).then(|| (Float::range(a.0, a.1), Float::range(b.0, b.1)))
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
    /// Those of a constant: of a number that is no double the doubles around it.
    pub fn of(value: Real) -> Float {
        let (lo, hi) = value.around();
        if lo.is_nan() { Self::NAN } else { Self::range(lo, hi) }
    }
    /// Integers from `lo` to `hi` converted to `kind`.
    pub fn of_integers(lo: i128, hi: i128, kind: FloatKind) -> Float {
        Float::of(Real::of_int(kind, lo, false)).join(Float::of(Real::of_int(kind, hi, false)))
    }
    /// Converted to `kind`.
    pub fn to_kind(self, kind: FloatKind) -> Float {
        match self.numbers() {
            Some((lo, hi)) => self.images([(lo, lo), (hi, hi)], kind, |x, _| x),
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
    /// `|x|`.
    pub fn absolute(self) -> Float {
        match self.numbers() {
            Some((lo, hi)) => {
                let least = if lo <= 0.0 && hi >= 0.0 { 0.0 } else { lo.abs().min(hi.abs()) };
                Float::range(least, lo.abs().max(hi.abs())).with_nan(self.nan)
            }
            None => self,
        }
    }
    /// `f` of all, which is monotone and gives NaN for NaN.
    pub fn monotone(self, kind: FloatKind, f: impl Fn(Real) -> Real) -> Float {
        match self.numbers() {
            Some((lo, hi)) => self.images([(lo, lo), (hi, hi)], kind, |x, _| f(x)),
            None => Self::NAN,
        }
    }
    /// The hull of what `f` makes of these, with the NaN of `self`. A NaN among them means that anything may come out.
    fn images<const N: usize>(
        self,
        corners: [(f64, f64); N],
        kind: FloatKind,
        f: impl Fn(Real, Real) -> Real,
    ) -> Float {
        let mut hull: Option<Float> = None;
        for (a, b) in corners {
            let image = Float::of(f(Real::new(kind, a), Real::new(kind, b)));
            if image.nan {
                return Self::TOP;
            }
            hull = Some(hull.map_or(image, |h| h.join(image)));
        }
        hull.unwrap_or(Self::TOP).with_nan(self.nan)
    }
    /// An operator that is monotone or antitone in each operand, on numbers of `kind`.
    fn corners(self, op: BinaryOp, other: Float, kind: FloatKind) -> Float {
        let (Some((a0, a1)), Some((b0, b1))) = (self.numbers(), other.numbers()) else { return Self::NAN };
        let apply = |a: Real, b: Real| a.apply(op, b).expect("the operator is one on floats");
        self.images([(a0, b0), (a0, b1), (a1, b0), (a1, b1)], kind, apply).with_nan(other.nan)
    }
    /// `a op b` on numbers of `kind`; anything for other operators.
    pub fn apply(self, op: BinaryOp, other: Float, kind: FloatKind) -> Float {
        let infinite = |f: Float| f.lo.is_infinite() || f.hi.is_infinite();
        let zero = |f: Float| f.contains(0.0);
        match op {
            BinaryOp::Add | BinaryOp::Sub => self.corners(op, other, kind),
            // An infinity times zero is no number.
            BinaryOp::Mul if (infinite(self) && zero(other)) || (zero(self) && infinite(other)) => Self::TOP,
            BinaryOp::Mul => self.corners(op, other, kind),
            // A zero has either sign.
            BinaryOp::Div if zero(other) => {
                let nan = self.nan || other.nan || zero(self) || (infinite(self) && infinite(other));
                Float { nan, ..Self::TOP }
            }
            BinaryOp::Div => self.corners(op, other, kind),
            _ => Self::TOP,
        }
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
