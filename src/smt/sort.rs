//! Sorts: Bool, bit-vectors, mathematical integers, and arrays between those.

use std::fmt;

/// A sort without structure; what an array is indexed by and holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ScalarSort {
    Bool,
    /// Width in bits, 1 to 128.
    BitVec(u32),
    Int,
}

/// The sort of a term. Arrays do not nest: byte-level memory needs none that do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    Bool,
    /// Width in bits, 1 to 128.
    BitVec(u32),
    Int,
    Array {
        index: ScalarSort,
        element: ScalarSort,
    },
}

impl Sort {
    /// The array sort from `index` to `element`.
    pub fn array(index: ScalarSort, element: ScalarSort) -> Self {
        Sort::Array { index, element }
    }

    /// The same sort as a scalar, unless it is an array sort.
    pub fn scalar(self) -> Option<ScalarSort> {
        match self {
            Sort::Bool => Some(ScalarSort::Bool),
            Sort::BitVec(width) => Some(ScalarSort::BitVec(width)),
            Sort::Int => Some(ScalarSort::Int),
            Sort::Array { .. } => None,
        }
    }

    /// The width of a bit-vector sort.
    pub fn width(self) -> Option<u32> {
        match self {
            Sort::BitVec(width) => Some(width),
            _ => None,
        }
    }
}

impl ScalarSort {
    /// Whether the sort's width, if it has one, is in 1 to 128.
    pub(super) fn is_supported(self) -> bool {
        !matches!(self, ScalarSort::BitVec(width) if width == 0 || width > 128)
    }

    /// How many values the sort has; `None` when that does not fit (128-bit vectors) or is infinite.
    pub fn cardinality(self) -> Option<u128> {
        match self {
            ScalarSort::Bool => Some(2),
            ScalarSort::BitVec(width) => 1u128.checked_shl(width),
            ScalarSort::Int => None,
        }
    }
}

impl From<ScalarSort> for Sort {
    fn from(sort: ScalarSort) -> Self {
        match sort {
            ScalarSort::Bool => Sort::Bool,
            ScalarSort::BitVec(width) => Sort::BitVec(width),
            ScalarSort::Int => Sort::Int,
        }
    }
}

/// As SMT-LIB 2 writes it.
impl fmt::Display for ScalarSort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScalarSort::Bool => f.write_str("Bool"),
            ScalarSort::BitVec(width) => write!(f, "(_ BitVec {width})"),
            ScalarSort::Int => f.write_str("Int"),
        }
    }
}

/// As SMT-LIB 2 writes it.
impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Array { index, element } => write!(f, "(Array {index} {element})"),
            other => other.scalar().expect("every other sort is a scalar").fmt(f),
        }
    }
}
