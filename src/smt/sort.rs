//! Sorts: Bool and bit-vectors.

use std::fmt;

/// The sort of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    Bool,
    /// Width in bits, 1 to 128.
    BitVec(u32),
}

impl Sort {
    /// The width of a bit-vector sort.
    pub fn width(self) -> Option<u32> {
        match self {
            Sort::BitVec(width) => Some(width),
            Sort::Bool => None,
        }
    }

    /// Whether the sort's width, if it has one, is in 1 to 128.
    pub(super) fn is_supported(self) -> bool {
        !matches!(self, Sort::BitVec(width) if width == 0 || width > 128)
    }
}

/// As SMT-LIB 2 writes it.
impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => f.write_str("Bool"),
            Sort::BitVec(width) => write!(f, "(_ BitVec {width})"),
        }
    }
}
