//! Values of expressions: numbers, and numbers that carry the object whose address they were made from.
//!
//! Every object has a virtual address, so that a pointer is a number with an [`Origin`]. What a program can learn from
//! the number alone (instead of from object and offset) makes a run depend on the layout, and the interpreter says so.

use crate::ir::{BinaryOp, Real};

/// An object's identity: its slot and how often the slot was reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId {
    pub slot: u32,
    pub generation: u32,
}

/// Which bytes of which object's address a number holds in its low bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    pub object: ObjectId,
    /// The address byte that the number's lowest byte is.
    pub first: u8,
    /// How many of the low bytes are address bytes; 0 for plain numbers.
    pub len: u8,
}

impl Origin {
    /// A plain number's.
    pub const NONE: Origin = Origin { object: ObjectId { slot: u32::MAX, generation: 0 }, first: 0, len: 0 };

    /// Of a number whose sign C fixes and nothing else, as that of `strcmp`'s result.
    pub const SIGN: Origin = Origin { object: ObjectId { slot: u32::MAX - 1, generation: 0 }, first: 0, len: u8::MAX };
    /// Of a number that C says is not 0, and nothing else, as the result of `isalpha`.
    pub const NOT_ZERO: Origin = Origin { object: ObjectId { slot: u32::MAX - 2, generation: 0 }, ..Origin::SIGN };

    /// Whether the number stands for others, too: C leaves to the library which one it is.
    #[inline]
    pub fn is_unspecified(self) -> bool {
        self.len == u8::MAX
    }
    /// Whether all numbers that `a`, which is of this origin and not 0, stands for compare to `b` alike.
    pub fn compares_alike(self, op: BinaryOp, a: i128, b: i128) -> bool {
        use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
        if self != Origin::SIGN {
            return b == 0 && matches!(op, Eq | Ne);
        }
        match op {
            Lt | Ge if a > 0 => b <= 1,
            Gt | Le if a < 0 => b >= -1,
            Lt | Ge | Gt | Le | Eq | Ne => (a > 0 && b <= 0) || (a < 0 && b >= 0),
            _ => false,
        }
    }
    /// Whether the number is a plain one.
    #[inline]
    pub fn is_none(self) -> bool {
        self.len == 0
    }
}

/// A scalar value. Integers are normalized to their type; `unsigned __int128` is the `i128` of the same bits.
/// A pointer is its address, unsigned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// Indeterminate (C11 3.19.2).
    Undef,
    Int(i128, Origin),
    Float(Real),
}

impl Value {
    /// A plain number.
    #[inline]
    pub fn int(value: i128) -> Value {
        Value::Int(value, Origin::NONE)
    }
    /// A number that is 0 or stands for others of its sign.
    pub fn sign(value: i128) -> Value {
        Value::Int(value, if value == 0 { Origin::NONE } else { Origin::SIGN })
    }
    /// 0, or a number that stands for all others.
    pub fn truth(value: i128) -> Value {
        Value::Int(value, if value == 0 { Origin::NONE } else { Origin::NOT_ZERO })
    }
    /// The number, if it is an integer or a pointer.
    pub fn as_int(self) -> Option<i128> {
        match self {
            Value::Int(v, _) => Some(v),
            _ => None,
        }
    }
}
