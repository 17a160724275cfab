//! Objects, places in them, and sets of places.

use crate::datalog::IdSet;
use crate::ir::{AllocId, CallId, FuncId, VarId};

/// An object that addresses can lead to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Base {
    Variable(VarId),
    /// A function's code.
    Function(FuncId),
    /// All blocks of an allocation site, except those that a wrapper's call names.
    Block(AllocId),
    /// The blocks that an allocation site allocates for one call of a wrapper.
    BlockOfCall(AllocId, CallId),
    /// The unnamed arguments of a function.
    VariadicArguments(FuncId),
    /// The array that `argv` points to, and the strings behind it.
    Arguments,
    ArgumentStrings,
    /// The array that `envp` points to, and the strings behind it.
    Environment,
    EnvironmentStrings,
    /// Every object of code outside of the program.
    Outside,
}

/// Bytes of an object: `offset` exactly; with a `stride`, all offsets that differ from it by a multiple of `stride`, so
/// that stride 1 is anywhere; with a `stride` below 0 any of so many bytes from `offset` on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Location {
    pub base: Base,
    pub offset: i64,
    /// 0 for an exact offset.
    pub stride: i64,
}

impl Location {
    /// Whether an access of `size` bytes here and one of `other_size` bytes there can have a byte in common.
    /// Sizes of None are unknown: from the location to the object's end.
    pub fn overlaps(self, size: Option<u64>, other: Location, other_size: Option<u64>) -> bool {
        if self.base != other.base {
            return false;
        }
        let ((here, size), (other, other_size)) = (self.with_range(size), other.with_range(other_size));
        let distance = i128::from(other.offset) - i128::from(here.offset);
        // The distance between the starts is `distance` plus any multiple of `modulus`.
        let modulus = i128::from(gcd(here.stride, other.stride));
        let (size, other_size) = (size.map(i128::from), other_size.map(i128::from));
        match (size, other_size) {
            (Some(0), _) | (_, Some(0)) => false,
            (None, None) => true,
            (Some(size), Some(other_size)) => {
                // Some start distance d with -other_size < d < size.
                if modulus == 0 {
                    -other_size < distance && distance < size
                } else {
                    let up = distance.rem_euclid(modulus);
                    up < size || up - modulus > -other_size
                }
            }
            (None, Some(other_size)) => modulus != 0 || distance > -other_size,
            (Some(size), None) => modulus != 0 || distance < size,
        }
    }

    /// What an access of `size` bytes may cover where it begins at one of several bytes, as an access at an exact offset.
    fn with_range(self, size: Option<u64>) -> (Location, Option<u64>) {
        let more = (-self.stride).max(1).unsigned_abs() - 1;
        let exact = Location { stride: self.stride.max(0), ..self };
        (exact, size.map(|size| if size == 0 { 0 } else { size.saturating_add(more) }))
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// A set of locations, as a view on a stored relation.
#[derive(Clone, Copy, Debug)]
pub struct LocationSet<'m> {
    pub(super) set: Option<&'m IdSet>,
    /// By number in the relation.
    pub(super) all: &'m [Location],
}

impl<'m> LocationSet<'m> {
    /// The locations, in the order of the relation.
    pub fn iter(&self) -> impl Iterator<Item = Location> + use<'m> {
        let all = self.all;
        self.set.into_iter().flat_map(|s| s.iter()).map(move |id| all[id as usize])
    }
    /// How many there are.
    pub fn len(&self) -> usize {
        self.set.map_or(0, IdSet::len)
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The objects, each once, sorted.
    pub fn bases(&self) -> Vec<Base> {
        let mut bases: Vec<Base> = self.iter().map(|l| l.base).collect();
        bases.sort_unstable();
        bases.dedup();
        bases
    }
    /// Whether some location lies in `base`.
    pub fn touches(&self, base: Base) -> bool {
        self.iter().any(|l| l.base == base)
    }
}

#[cfg(test)]
#[path = "location_tests.rs"]
mod tests;
