//! Values of terms, and assignments of values to variables.

use rustc_hash::FxHashMap;

use super::bits::BitVec;
use super::op::Term;
use super::sort::Sort;

/// A value of a sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    Bool(bool),
    BitVec(BitVec),
}

impl Value {
    /// The value's sort.
    pub fn sort(self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::BitVec(bits) => Sort::BitVec(bits.width()),
        }
    }

    /// `false`, or all bits 0.
    pub fn zero(sort: Sort) -> Self {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::BitVec(width) => Value::BitVec(BitVec::zero(width)),
        }
    }

    /// The truth value, when it is one.
    pub fn as_bool(self) -> Option<bool> {
        match self {
            Value::Bool(b) => Some(b),
            Value::BitVec(_) => None,
        }
    }

    /// The bit-vector, when it is one.
    pub fn as_bits(self) -> Option<BitVec> {
        match self {
            Value::BitVec(bits) => Some(bits),
            Value::Bool(_) => None,
        }
    }
}

/// Values for variables.
#[derive(Clone, Debug, Default)]
pub struct Assignment {
    values: FxHashMap<Term, Value>,
}

impl Assignment {
    /// Sets the value of `variable`, which must have the value's sort.
    pub fn set(&mut self, variable: Term, value: Value) {
        self.values.insert(variable, value);
    }

    /// The value of `variable`, if it was given one.
    pub fn get(&self, variable: Term) -> Option<Value> {
        self.values.get(&variable).copied()
    }
}

impl FromIterator<(Term, Value)> for Assignment {
    fn from_iter<I: IntoIterator<Item = (Term, Value)>>(pairs: I) -> Self {
        Assignment { values: pairs.into_iter().collect() }
    }
}
