//! How far a pointer may move: `constant + stride * anything`, read off the text of an offset.

use crate::ir::{BinaryOp, Expr, ExprKind, TypeTable, UnaryOp};

/// All numbers `constant + stride * k`, `k` any integer; a constant alone when `stride` is 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Offset {
    pub constant: i64,
    pub stride: i64,
}

impl Offset {
    const ANY: Offset = Offset { constant: 0, stride: 1 };

    /// What `e`, an integer, may be.
    pub fn of(types: &TypeTable, e: &Expr) -> Offset {
        Self::linear(types, e).unwrap_or(Self::ANY)
    }

    /// The same in one move: of an index such as `n - 1` the pointer goes all the way at once, and what lies between may be outside of
    /// the object.
    pub fn in_one_move(self) -> Offset {
        match (self.constant, self.stride) {
            (_, 0) => self,
            (constant, stride) => Offset { constant: 0, stride: gcd(stride, constant).abs() },
        }
    }

    /// None when nothing is known, or numbers leave 64 bits.
    fn linear(types: &TypeTable, e: &Expr) -> Option<Offset> {
        let signed = types.as_int(e.ty).is_some_and(|k| k.signed());
        let found = match &e.kind {
            ExprKind::Int(v) => return Some(Offset { constant: i64::try_from(*v).ok()?, stride: 0 }),
            // A signed value survives a conversion to a wider signed type unchanged.
            ExprKind::Cast(inner) => {
                let narrow = types.as_int(inner.ty).filter(|k| k.signed())?;
                let wide = types.as_int(e.ty).filter(|k| k.signed())?;
                return (types.int_size(narrow) <= types.int_size(wide)).then(|| Self::of(types, inner));
            }
            ExprKind::Unary(UnaryOp::Neg, a) => {
                let a = Self::of(types, a);
                Offset { constant: a.constant.checked_neg()?, stride: a.stride }
            }
            ExprKind::Binary(BinaryOp::Add, a, b) => Self::of(types, a).plus(Self::of(types, b))?,
            ExprKind::Binary(BinaryOp::Sub, a, b) => {
                let b = Self::of(types, b);
                Self::of(types, a).plus(Offset { constant: b.constant.checked_neg()?, stride: b.stride })?
            }
            ExprKind::Binary(BinaryOp::Mul, a, b) => match (a.as_int(), b.as_int()) {
                (Some(factor), _) => Self::of(types, b).times(factor)?,
                (_, Some(factor)) => Self::of(types, a).times(factor)?,
                _ => return None,
            },
            ExprKind::Binary(BinaryOp::Shl, a, count) => {
                let count = u32::try_from(count.as_int()?).ok().filter(|c| *c < 62)?;
                Self::of(types, a).times(1 << count)?
            }
            _ => return None,
        };
        // Unsigned arithmetic wraps, which only multiples of a power of two survive.
        let survives = signed || (found.stride.cast_unsigned().is_power_of_two());
        survives.then_some(found)
    }

    fn plus(self, other: Offset) -> Option<Offset> {
        let constant = self.constant.checked_add(other.constant)?;
        Some(Offset { constant, stride: gcd(self.stride, other.stride) })
    }

    fn times(self, factor: i128) -> Option<Offset> {
        let factor = i64::try_from(factor).ok()?;
        let constant = self.constant.checked_mul(factor)?;
        Some(Offset { constant, stride: self.stride.checked_mul(factor.checked_abs()?)? })
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
#[path = "offsets_tests.rs"]
mod tests;
