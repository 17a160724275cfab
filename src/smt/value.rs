//! Values of terms, and assignments of values to variables.

use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::bits::BitVec;
use super::op::Term;
use super::sort::{ScalarSort, Sort};

/// A value of a scalar sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ScalarValue {
    Bool(bool),
    BitVec(BitVec),
    /// An integer; those beyond 128 bits are reported as [`SmtError::IntegerRange`](super::SmtError::IntegerRange).
    Int(i128),
}

/// A value of any sort.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Bool(bool),
    BitVec(BitVec),
    Int(i128),
    Array(Rc<ArrayValue>),
}

/// A total map: `entries` where they say something, `default` elsewhere. Equality is that of maps.
#[derive(Clone, Debug)]
pub struct ArrayValue {
    index: ScalarSort,
    default: ScalarValue,
    entries: BTreeMap<ScalarValue, ScalarValue>,
}

impl ScalarValue {
    /// The value's sort.
    pub fn sort(self) -> ScalarSort {
        match self {
            ScalarValue::Bool(_) => ScalarSort::Bool,
            ScalarValue::BitVec(bits) => ScalarSort::BitVec(bits.width()),
            ScalarValue::Int(_) => ScalarSort::Int,
        }
    }

    /// `false`, 0, or all bits 0.
    pub fn zero(sort: ScalarSort) -> Self {
        match sort {
            ScalarSort::Bool => ScalarValue::Bool(false),
            ScalarSort::BitVec(width) => ScalarValue::BitVec(BitVec::zero(width)),
            ScalarSort::Int => ScalarValue::Int(0),
        }
    }
}

impl From<ScalarValue> for Value {
    fn from(value: ScalarValue) -> Self {
        match value {
            ScalarValue::Bool(b) => Value::Bool(b),
            ScalarValue::BitVec(bits) => Value::BitVec(bits),
            ScalarValue::Int(i) => Value::Int(i),
        }
    }
}

impl Value {
    /// The value's sort.
    pub fn sort(&self) -> Sort {
        match self {
            Value::Array(array) => Sort::array(array.index, array.default.sort()),
            other => other.scalar().expect("every other value is a scalar").sort().into(),
        }
    }

    /// The same value as a scalar, unless it is an array.
    pub fn scalar(&self) -> Option<ScalarValue> {
        match self {
            Value::Bool(b) => Some(ScalarValue::Bool(*b)),
            Value::BitVec(bits) => Some(ScalarValue::BitVec(*bits)),
            Value::Int(i) => Some(ScalarValue::Int(*i)),
            Value::Array(_) => None,
        }
    }

    /// `false`, 0, all bits 0, or an array of such.
    pub fn zero(sort: Sort) -> Self {
        match sort {
            Sort::Array { index, element } => ArrayValue::constant(index, ScalarValue::zero(element)).into(),
            other => ScalarValue::zero(other.scalar().expect("every other sort is a scalar")).into(),
        }
    }

    /// The truth value, when it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(b) => Some(*b),
            _ => None,
        }
    }

    /// The bit-vector, when it is one.
    pub fn as_bits(&self) -> Option<BitVec> {
        match self {
            Value::BitVec(bits) => Some(*bits),
            _ => None,
        }
    }

    /// The integer, when it is one.
    pub fn as_int(&self) -> Option<i128> {
        match self {
            Value::Int(i) => Some(*i),
            _ => None,
        }
    }
}

impl From<ArrayValue> for Value {
    fn from(array: ArrayValue) -> Self {
        Value::Array(Rc::new(array))
    }
}

impl ArrayValue {
    /// `default` everywhere.
    pub fn constant(index: ScalarSort, default: ScalarValue) -> Self {
        ArrayValue { index, default, entries: BTreeMap::new() }
    }

    /// The element at `index`.
    pub fn select(&self, index: ScalarValue) -> ScalarValue {
        self.entries.get(&index).copied().unwrap_or(self.default)
    }

    /// The same map but for `element` at `index`.
    #[must_use]
    pub fn store(mut self, index: ScalarValue, element: ScalarValue) -> Self {
        self.entries.insert(index, element);
        self
    }

    /// The indices that were written, with their elements, in the order of the indices.
    pub fn entries(&self) -> impl Iterator<Item = (ScalarValue, ScalarValue)> {
        self.entries.iter().map(|(&index, &element)| (index, element))
    }

    /// The element at every index that was not written.
    pub fn default_element(&self) -> ScalarValue {
        self.default
    }
}

impl PartialEq for ArrayValue {
    fn eq(&self, other: &Self) -> bool {
        if self.index != other.index || self.default.sort() != other.default.sort() {
            return false;
        }
        let fresh = other.entries.keys().filter(|i| !self.entries.contains_key(i)).count();
        let written = (self.entries.len() + fresh) as u128;
        let same_elsewhere = self.default == other.default || self.index.cardinality() == Some(written);
        let mut indices = self.entries.keys().chain(other.entries.keys());
        same_elsewhere && indices.all(|&i| self.select(i) == other.select(i))
    }
}

impl Eq for ArrayValue {}

/// As an SMT-LIB 2 term.
impl fmt::Display for ScalarValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScalarValue::Bool(b) => write!(f, "{b}"),
            ScalarValue::BitVec(b) if b.width() % 4 == 0 => {
                write!(f, "#x{:01$x}", b.unsigned(), b.width() as usize / 4)
            }
            ScalarValue::BitVec(b) => write!(f, "#b{:01$b}", b.unsigned(), b.width() as usize),
            ScalarValue::Int(i) if *i < 0 => write!(f, "(- {})", i.unsigned_abs()),
            ScalarValue::Int(i) => write!(f, "{i}"),
        }
    }
}

/// As an SMT-LIB 2 term.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Value::Array(array) = self else {
            return self.scalar().expect("every other value is a scalar").fmt(f);
        };
        f.write_str(&"(store ".repeat(array.entries.len()))?;
        write!(f, "((as const {}) {})", self.sort(), array.default)?;
        array.entries().try_for_each(|(index, element)| write!(f, " {index} {element})"))
    }
}

/// Values for variables.
#[derive(Clone, Debug, Default)]
pub struct Assignment {
    values: FxHashMap<Term, Value>,
}

impl Assignment {
    /// Sets the value of `variable`, which must have the value's sort.
    pub fn set(&mut self, variable: Term, value: impl Into<Value>) {
        self.values.insert(variable, value.into());
    }

    /// The value of `variable`, if it was given one.
    pub fn get(&self, variable: Term) -> Option<&Value> {
        self.values.get(&variable)
    }
}

impl FromIterator<(Term, Value)> for Assignment {
    fn from_iter<I: IntoIterator<Item = (Term, Value)>>(pairs: I) -> Self {
        Assignment { values: pairs.into_iter().collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::{ArrayValue, ScalarSort, ScalarValue, Value};

    #[test]
    fn arrays_are_equal_as_maps_however_they_are_written() {
        let (yes, no) = (ScalarValue::Bool(true), ScalarValue::Bool(false));
        let identity = ArrayValue::constant(ScalarSort::Bool, no).store(yes, yes);
        let same = ArrayValue::constant(ScalarSort::Bool, yes).store(no, no);
        let other = ArrayValue::constant(ScalarSort::Bool, yes).store(no, yes);
        assert_eq!(identity, same);
        assert_ne!(identity, other);
        assert_eq!(other, ArrayValue::constant(ScalarSort::Bool, yes));
        let zeros = ArrayValue::constant(ScalarSort::Int, yes).store(ScalarValue::Int(-3), no);
        assert_ne!(zeros, ArrayValue::constant(ScalarSort::Int, no).store(ScalarValue::Int(-3), no));
        assert_eq!(Value::from(zeros).to_string(), "(store ((as const (Array Int Bool)) true) (- 3) false)");
    }
}
