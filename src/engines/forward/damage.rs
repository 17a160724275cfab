//! What becomes of objects that no state tells.

use super::extent::Extent;
use crate::domains::{Int, Pointers, Value};

/// What happened, since the function was entered, to objects that no one looks at one by one, those that are set aside
/// included.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Damage {
    /// Any bytes of these may have been overwritten,
    pub written: Extent,
    /// by pointers too,
    pub pointers: bool,
    /// and by indeterminate values.
    pub undefined: bool,
    /// Those among these that are blocks may have been freed.
    pub freed: Extent,
}

impl Damage {
    /// Whether anything happened.
    pub fn is_any(&self) -> bool {
        !self.written.is_none() || !self.freed.is_none()
    }
    pub fn join(&self, other: &Damage) -> Damage {
        Damage {
            written: self.written.join(&other.written),
            pointers: self.pointers || other.pointers,
            undefined: self.undefined || other.undefined,
            freed: self.freed.join(&other.freed),
        }
    }
    /// The bytes that may have been written.
    pub fn bytes(&self) -> Value {
        let pointers = if self.pointers { Pointers::any() } else { Pointers::none() };
        Value { int: Some(Int::range(0, 255)), float: None, pointers, undefined: self.undefined }
    }
}
