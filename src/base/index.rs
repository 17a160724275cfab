//! Typed dense indices: a `u32` newtype per kind of thing, and a vector indexed by it.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A dense index: a newtype over `u32` made by [`new_index!`](crate::new_index).
pub trait Idx: Copy + Eq + Ord + std::hash::Hash + fmt::Debug + 'static {
    /// The index of position `i`; `i` must fit in 32 bits.
    fn new(i: usize) -> Self;
    /// The position in its vector.
    fn index(self) -> usize;
}

/// Declares an index newtype: `new_index! { /// doc  pub struct VarId = "v"; }`; the string prefixes its `Display`.
#[macro_export]
macro_rules! new_index {
    ($($(#[$meta:meta])* pub struct $name:ident = $prefix:literal;)+) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, ::serde::Serialize, ::serde::Deserialize)]
        pub struct $name(pub u32);
        impl $crate::base::Idx for $name {
            #[inline]
            fn new(i: usize) -> Self {
                $name(u32::try_from(i).expect("an index vector holds fewer than 2^32 elements"))
            }
            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}{}", $prefix, self.0)
            }
        }
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}{}", $prefix, self.0)
            }
        }
    )+};
}

/// A vector whose elements are addressed by a typed index.
pub struct IndexVec<I, T> {
    raw: Vec<T>,
    index: PhantomData<fn(I)>,
}

impl<I: Idx, T> IndexVec<I, T> {
    /// An empty vector.
    pub fn new() -> Self {
        IndexVec { raw: Vec::new(), index: PhantomData }
    }
    /// A vector of `n` copies of `value`.
    pub fn from_elem(value: T, n: usize) -> Self
    where
        T: Clone,
    {
        IndexVec { raw: vec![value; n], index: PhantomData }
    }
    /// Appends `value` and returns its index.
    pub fn push(&mut self, value: T) -> I {
        let id = I::new(self.raw.len());
        self.raw.push(value);
        id
    }
    /// The index that the next `push` returns.
    pub fn next_index(&self) -> I {
        I::new(self.raw.len())
    }
    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.raw.len()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.raw.is_empty()
    }
    /// The element at `i`, if there is one.
    pub fn get(&self, i: I) -> Option<&T> {
        self.raw.get(i.index())
    }
    /// The elements in index order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.raw.iter()
    }
    /// The elements in index order, mutable.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.raw.iter_mut()
    }
    /// Pairs of index and element, in index order.
    pub fn iter_enumerated(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        self.raw.iter().enumerate().map(|(i, t)| (I::new(i), t))
    }
    /// All indices, in order.
    pub fn indices(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.raw.len()).map(I::new)
    }
    /// Drops the elements from position `len` on.
    pub fn truncate(&mut self, len: usize) {
        self.raw.truncate(len);
    }
}

impl<I: Idx, T> Default for IndexVec<I, T> {
    fn default() -> Self {
        Self::new()
    }
}
impl<I, T: Clone> Clone for IndexVec<I, T> {
    fn clone(&self) -> Self {
        IndexVec { raw: self.raw.clone(), index: PhantomData }
    }
}
impl<I, T: fmt::Debug> fmt::Debug for IndexVec<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.raw.fmt(f)
    }
}
impl<I, T: PartialEq> PartialEq for IndexVec<I, T> {
    fn eq(&self, other: &Self) -> bool {
        self.raw == other.raw
    }
}
impl<I: Idx, T> Index<I> for IndexVec<I, T> {
    type Output = T;
    #[inline]
    fn index(&self, i: I) -> &T {
        &self.raw[i.index()]
    }
}
impl<I: Idx, T> IndexMut<I> for IndexVec<I, T> {
    #[inline]
    fn index_mut(&mut self, i: I) -> &mut T {
        &mut self.raw[i.index()]
    }
}
impl<I: Idx, T> FromIterator<T> for IndexVec<I, T> {
    fn from_iter<It: IntoIterator<Item = T>>(it: It) -> Self {
        IndexVec { raw: it.into_iter().collect(), index: PhantomData }
    }
}
