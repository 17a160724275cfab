//! Content that copies share until one of them is written: each run starts from the memory that all runs start from, and writes little of it.

use std::ops::{Deref, DerefMut, Index, IndexMut};
use std::sync::Arc;

/// A sequence. Whoever changes it has it to himself.
#[derive(Clone, Debug)]
pub(super) enum Cow<T> {
    Own(Vec<T>),
    Shared(Arc<[T]>),
}

impl<T> Default for Cow<T> {
    fn default() -> Cow<T> {
        Cow::Own(Vec::new())
    }
}

impl<T: Clone> Cow<T> {
    /// Copies share it from now on; bytes that it had to itself before.
    pub fn share(&mut self) -> u64 {
        let Cow::Own(own) = self else { return 0 };
        let bytes = size_of_val(&own[..]) as u64;
        if bytes > 0 {
            *self = Cow::Shared(std::mem::take(own).into());
        }
        bytes
    }

    #[inline]
    fn own(&mut self) -> &mut Vec<T> {
        if let Cow::Shared(shared) = self {
            *self = Cow::Own(shared.to_vec());
        }
        match self {
            Cow::Own(own) => own,
            Cow::Shared(_) => unreachable!("it was made its own"),
        }
    }

    /// Makes it so long; what is new is `value`.
    pub fn resize(&mut self, len: usize, value: T) {
        self.own().resize(len, value);
    }

    /// Makes it empty, and keeps its room where it has any to itself.
    pub fn clear(&mut self) {
        match self {
            Cow::Own(own) => own.clear(),
            Cow::Shared(_) => *self = Cow::default(),
        }
    }
}

impl<T> Deref for Cow<T> {
    type Target = [T];
    #[inline]
    fn deref(&self) -> &[T] {
        match self {
            Cow::Own(own) => own,
            Cow::Shared(shared) => shared,
        }
    }
}

impl<T: Clone> DerefMut for Cow<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        self.own()
    }
}

/// Elements of a page, a power of two.
const PAGE: usize = 32;

/// A sequence in pages, each of which copies share until one of them changes an element of it.
#[derive(Clone, Debug)]
pub(super) struct Pages<T> {
    pages: Vec<Cow<T>>,
    len: usize,
}

impl<T> Default for Pages<T> {
    fn default() -> Pages<T> {
        Pages { pages: Vec::new(), len: 0 }
    }
}

impl<T: Clone> Pages<T> {
    /// Copies share the pages from now on, and what `share` has the elements share; bytes that it had to itself before. Elements of pages that are
    /// shared already have been made to share.
    pub fn share(&mut self, share: impl Fn(&mut T) -> u64) -> u64 {
        let mut bytes = 0;
        for page in &mut self.pages {
            if let Cow::Own(own) = page {
                bytes += own.iter_mut().map(&share).sum::<u64>();
            }
            bytes += page.share();
        }
        bytes
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// The one at the place, if there is one.
    pub fn get(&self, at: usize) -> Option<&T> {
        self.pages.get(at / PAGE)?.get(at % PAGE)
    }

    /// All, in order.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.pages.iter().flat_map(|page| page.iter())
    }

    /// Adds one at the end.
    pub fn push(&mut self, value: T) {
        if self.len.is_multiple_of(PAGE) {
            self.pages.push(Cow::default());
        }
        if let Some(page) = self.pages.last_mut() {
            page.own().push(value);
        }
        self.len += 1;
    }
}

impl<T> Index<usize> for Pages<T> {
    type Output = T;
    #[inline]
    fn index(&self, at: usize) -> &T {
        &self.pages[at / PAGE][at % PAGE]
    }
}

impl<T: Clone> IndexMut<usize> for Pages<T> {
    #[inline]
    fn index_mut(&mut self, at: usize) -> &mut T {
        &mut self.pages[at / PAGE][at % PAGE]
    }
}

#[cfg(test)]
mod tests {
    use super::{Cow, PAGE, Pages};

    #[test]
    fn pages_are_shared_one_by_one() {
        let mut first = Pages::default();
        (0..=PAGE).for_each(|i| first.push(i));
        let bytes = (size_of::<usize>() * (PAGE + 1)) as u64;
        assert_eq!((first.share(|_| 0), first.share(|_| 0)), (bytes, 0));
        let mut copy = first.clone();
        copy[PAGE] = 7;
        copy.push(8);
        let bytes = (size_of::<usize>() * 2) as u64;
        assert_eq!(copy.share(|_| 1), bytes + 2);
        assert_eq!((first[PAGE], copy[PAGE], copy[0], copy[PAGE + 1]), (PAGE, 7, 0, 8));
        assert_eq!((first.len(), copy.len(), copy.iter().count()), (PAGE + 1, PAGE + 2, PAGE + 2));
    }

    #[test]
    fn what_a_copy_writes_the_others_do_not_have() {
        let mut first: Cow<u8> = Cow::default();
        first.resize(3, 7);
        first.share();
        let mut copy = first.clone();
        copy[1] = 9;
        assert_eq!((&first[..], &copy[..]), (&[7, 7, 7][..], &[7, 9, 7][..]));
        copy.clear();
        let mut other = first.clone();
        other.clear();
        assert_eq!((first.len(), copy.len(), other.len()), (3, 0, 0));
    }
}
