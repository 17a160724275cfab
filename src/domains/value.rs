//! What a scalar holds: numbers, floats, pointers, or nothing determinate.

use super::float::Float;
use super::int::Int;
use super::interval::Interval;
use super::pointer::Pointers;
use std::fmt;

/// A set of scalar values; empty when every part is.
///
/// A pointer type's `int` part are the addresses of no object: 0 is NULL. An integer type's `pointers` are converted
/// pointers, or (in fewer bytes than a pointer has) pieces of them.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Value {
    pub int: Option<Int>,
    pub float: Option<Float>,
    pub pointers: Pointers,
    /// Whether the value may be indeterminate.
    pub undefined: bool,
}

impl Value {
    /// The empty set.
    pub fn bottom() -> Value {
        Value::default()
    }
    /// Numbers.
    pub fn int(int: Int) -> Value {
        Value { int: Some(int), ..Value::default() }
    }
    /// One number.
    pub fn constant(value: i128) -> Value {
        Value::int(Int::constant(value))
    }
    /// Floats.
    pub fn float(float: Float) -> Value {
        Value { float: Some(float), ..Value::default() }
    }
    /// Pointers.
    pub fn pointers(pointers: Pointers) -> Value {
        Value { pointers, ..Value::default() }
    }
    /// Indeterminate.
    pub fn indeterminate() -> Value {
        Value { undefined: true, ..Value::default() }
    }
    /// Whether it is the empty set.
    pub fn is_bottom(&self) -> bool {
        self.int.is_none() && self.float.is_none() && self.pointers.is_none() && !self.undefined
    }
    /// Whether some determinate value is in it.
    pub fn may_be_defined(&self) -> bool {
        self.int.is_some() || self.float.is_some() || !self.pointers.is_none()
    }
    /// The determinate values.
    pub fn defined(mut self) -> Value {
        self.undefined = false;
        self
    }
    /// Inclusion.
    pub fn leq(&self, other: &Value) -> bool {
        let option = |a: &Option<Int>, b: &Option<Int>| a.is_none_or(|a| b.is_some_and(|b| a.leq(b)));
        option(&self.int, &other.int)
            && self.float.is_none_or(|a| other.float.is_some_and(|b| a.leq(b)))
            && self.pointers.leq(&other.pointers)
            && (!self.undefined || other.undefined)
    }
    /// The least value around both.
    pub fn join(&self, other: &Value) -> Value {
        Value {
            int: either(self.int, other.int, Int::join),
            float: either(self.float, other.float, Float::join),
            pointers: self.pointers.join(&other.pointers),
            undefined: self.undefined || other.undefined,
        }
    }
    /// An upper bound such that chains end; integers at `limit` in the end.
    pub fn widen(&self, next: &Value, thresholds: &[i128], limit: Interval) -> Value {
        Value {
            int: either(self.int, next.int, |a, b| a.widen(b, thresholds, limit)),
            float: either(self.float, next.float, |a, b| a.widen(b, thresholds)),
            pointers: self.pointers.widen(&next.pointers, thresholds),
            undefined: self.undefined || next.undefined,
        }
    }
    /// The common values, or a superset.
    pub fn meet(&self, other: &Value) -> Value {
        Value {
            int: self.int.zip(other.int).and_then(|(a, b)| a.meet(b)),
            float: self.float.zip(other.float).and_then(|(a, b)| a.meet(b)),
            pointers: self.pointers.meet(&other.pointers),
            undefined: self.undefined && other.undefined,
        }
    }
    /// The numbers, when there is nothing else.
    pub fn int_alone(&self) -> Option<Int> {
        let alone = self.float.is_none() && self.pointers.is_none() && !self.undefined;
        self.int.filter(|_| alone)
    }
    /// The only number, when there is nothing else.
    pub fn as_constant(&self) -> Option<i128> {
        self.int_alone().and_then(Int::as_constant)
    }
}

fn either<T>(a: Option<T>, b: Option<T>, f: impl Fn(T, T) -> T) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(f(a, b)),
        (a, b) => a.or(b),
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts: Vec<String> = Vec::new();
        parts.extend(self.int.map(|i| i.to_string()));
        parts.extend(self.float.map(|x| x.to_string()));
        match self.pointers.targets().len() {
            0 => {}
            1 => parts.push("a pointer to 1 object".into()),
            n => parts.push(format!("a pointer to one of {n} objects")),
        }
        match self.pointers.functions().len() {
            0 => {}
            1 => parts.push("a function's address".into()),
            n => parts.push(format!("the address of one of {n} functions")),
        }
        if self.pointers.is_any_object(false) {
            parts.push("a pointer to an object".into());
        } else if self.pointers.is_any() {
            parts.push("any pointer".into());
        }
        if self.undefined {
            parts.push("indeterminate".into());
        }
        if parts.is_empty() { write!(f, "nothing") } else { write!(f, "{}", parts.join(" or ")) }
    }
}
