//! Bounds as they are kept, noted, renamed and forgotten.

use super::multiples::Multiples;
use super::within::{Graph, Range, Within};
use std::sync::{Arc, OnceLock};

/// So many bounds are kept at most; those that come later are left out. A loop that fills buffers by hand needs some 120.
pub(super) const MOST: usize = 192;

/// What bounds are about.
pub trait Term: Copy + Ord {
    /// What is zero at all times, to bound a term by itself.
    const ZERO: Self;
    /// Whether its multiples count, and other domains bound it by itself.
    fn is_counted(self) -> bool;
}

/// A term taken so many times, at least once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Multiple<T> {
    pub term: T,
    pub times: i64,
}

impl<T> Multiple<T> {
    /// The term itself.
    pub fn one(term: T) -> Self {
        Multiple { term, times: 1 }
    }
}

impl<T: Term> Multiple<T> {
    /// So many times this, if it is a term itself whose multiples count.
    pub(super) fn many(self, times: i64) -> Option<Self> {
        let is_zero = self == Multiple::one(T::ZERO);
        let is_counted = self.times == 1 && self.term.is_counted();
        is_zero.then_some(self).or_else(|| is_counted.then_some(Multiple { times, ..self }))
    }
}

/// Two terms: the one that is above, and the other.
pub(super) type Pair<T> = (Multiple<T>, Multiple<T>);

/// A bound of the first term over the second, terms by where they stand in a list. What is wider than objects can be is not kept.
pub(super) type Edge = (u16, u16, i64);

/// Upper bounds of differences of terms. What is not derivable from them, terms may be as they like.
#[derive(Clone, Debug)]
pub struct Differences<T> {
    pub(super) all: Arc<Kept<T>>,
}

/// Bounds, and what they say of multiples as soon as somebody asks for it.
#[derive(Debug)]
pub(super) struct Kept<T> {
    /// All that bounds are about; sorted.
    terms: Vec<Multiple<T>>,
    /// Sorted.
    pub(super) bounds: Vec<Edge>,
    multiples: OnceLock<Multiples<T>>,
}

/// Whether a bound says more than of one term alone, which other domains do as well.
fn is_of_two<T: Term>(a: Multiple<T>, b: Multiple<T>) -> bool {
    let alone = |a: T, b: T| a == T::ZERO && (b == T::ZERO || b.is_counted());
    a != b && !alone(a.term, b.term) && !alone(b.term, a.term)
}

impl<T: Clone> Clone for Kept<T> {
    fn clone(&self) -> Self {
        Kept { terms: self.terms.clone(), bounds: self.bounds.clone(), multiples: OnceLock::new() }
    }
}

impl<T> Default for Differences<T> {
    fn default() -> Self {
        Differences { all: Arc::new(Kept { terms: Vec::new(), bounds: Vec::new(), multiples: OnceLock::new() }) }
    }
}

impl<T: Term> PartialEq for Differences<T> {
    fn eq(&self, other: &Self) -> bool {
        let (here, there) = (&*self.all, &*other.all);
        Arc::ptr_eq(&self.all, &other.all) || here.bounds == there.bounds && here.terms == there.terms
    }
}

impl<T: Term> Kept<T> {
    fn place(&self, m: Multiple<T>) -> Option<u16> {
        self.terms.binary_search(&m).ok().map(|i| i as u16)
    }
    /// Where the term stands from now on.
    fn place_for(&mut self, m: Multiple<T>) -> u16 {
        match self.terms.binary_search(&m) {
            Ok(i) => i as u16,
            Err(i) => {
                self.terms.insert(i, m);
                let i = i as u16;
                let moved = |at: u16| at + u16::from(at >= i);
                self.bounds.iter_mut().for_each(|(a, b, _)| (*a, *b) = (moved(*a), moved(*b)));
                i
            }
        }
    }
    /// Where the bound of two terms stands, or would.
    pub(super) fn find(&self, a: u16, b: u16) -> Result<usize, usize> {
        self.bounds.binary_search_by_key(&(a, b), |f| (f.0, f.1))
    }
    /// Keeps the bounds that `keep` chooses, and the terms that they are about.
    fn retain(&mut self, keep: impl Fn(u16, u16) -> bool) {
        self.bounds.retain(|(a, b, _)| keep(*a, *b));
        let mut used = vec![false; self.terms.len()];
        self.bounds.iter().for_each(|(a, b, _)| (used[usize::from(*a)], used[usize::from(*b)]) = (true, true));
        let mut places = vec![0; used.len()];
        for (next, (place, _)) in (0..).zip(places.iter_mut().zip(&used).filter(|(_, used)| **used)) {
            *place = next;
        }
        let mut used = used.into_iter();
        self.terms.retain(|_| used.next().unwrap_or(false));
        let moved = |at: u16| places[usize::from(at)];
        self.bounds.iter_mut().for_each(|(a, b, _)| (*a, *b) = (moved(*a), moved(*b)));
    }
}

impl<T: Term> Differences<T> {
    /// Of bounds in any order, whose terms are named by where they stand in `terms`; those that bounds are not about go.
    pub(super) fn of(terms: Vec<Multiple<T>>, mut bounds: Vec<Edge>) -> Self {
        bounds.sort_unstable();
        let mut kept = Kept { terms, bounds, multiples: OnceLock::new() };
        kept.retain(|_, _| true);
        Differences { all: kept.into() }
    }
    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.all.bounds.is_empty()
    }
    /// All terms that bounds are about, and multiples; sorted.
    pub fn terms(&self) -> &[Multiple<T>] {
        &self.all.terms
    }
    /// All bounds that are kept: `a - b <= bound`.
    pub fn iter(&self) -> impl Iterator<Item = (Multiple<T>, Multiple<T>, i128)> {
        let term = |at: u16| self.all.terms[usize::from(at)];
        self.all.bounds.iter().map(move |&(a, b, bound)| (term(a), term(b), bound.into()))
    }
    /// Whether some bound is about the term.
    pub fn mentions(&self, term: T) -> bool {
        let terms = self.terms();
        terms.get(terms.partition_point(|m| m.term < term)).is_some_and(|m| m.term == term)
    }
    fn kept_mut(&mut self) -> &mut Kept<T> {
        let kept = Arc::make_mut(&mut self.all);
        kept.multiples.take();
        kept
    }
    /// `a - b <= bound` from now on.
    pub fn note(&mut self, a: Multiple<T>, b: Multiple<T>, bound: i128) {
        let Some(bound) = i64::try_from(bound).ok().filter(|_| is_of_two(a, b)) else { return };
        let kept = &*self.all;
        let places = kept.place(a).zip(kept.place(b));
        let found = places.map(|(x, y)| kept.find(x, y));
        match found {
            Some(Ok(i)) if kept.bounds[i].2 <= bound => {}
            Some(Ok(i)) => self.kept_mut().bounds[i].2 = bound,
            _ if kept.bounds.len() >= MOST => {}
            _ => {
                let kept = self.kept_mut();
                let (x, y) = places.unwrap_or_else(|| {
                    kept.place_for(a);
                    // A place may move where another is made.
                    let y = kept.place_for(b);
                    (kept.place_for(a), y)
                });
                let (Ok(i) | Err(i)) = kept.find(x, y);
                kept.bounds.insert(i, (x, y, bound));
            }
        }
    }
    /// `a = b + difference` from now on.
    pub fn note_equal(&mut self, a: Multiple<T>, b: Multiple<T>, difference: i128) {
        self.note(a, b, difference);
        if let Some(back) = difference.checked_neg() {
            self.note(b, a, back);
        }
    }
    fn find(&self, a: Multiple<T>, b: Multiple<T>) -> Option<usize> {
        let (x, y) = self.all.place(a).zip(self.all.place(b))?;
        self.all.find(x, y).ok()
    }
    /// The bound of `a - b` that is kept.
    pub fn kept(&self, a: Multiple<T>, b: Multiple<T>) -> Option<i128> {
        self.find(a, b).map(|i| self.all.bounds[i].2.into())
    }
    /// What follows from few bounds, where `range` says what is the least and the greatest that each term may be. `times`: what terms will be
    /// taken.
    pub fn within<R: Fn(Multiple<T>) -> Range>(&self, times: &[i64], range: R) -> Within<'_, T, R> {
        let kept = &*self.all;
        let graph = if kept.terms.iter().all(|m| m.times == 1) && times.iter().all(|times| *times == 1) {
            Graph::of(&kept.terms, &kept.bounds)
        } else {
            let multiples = kept.multiples.get_or_init(|| Multiples::of(&kept.terms, &kept.bounds, &[]));
            if times.iter().all(|times| multiples.times.contains(times)) {
                Graph::of(&multiples.terms, &multiples.bounds)
            } else {
                let Multiples { terms, bounds, .. } = Multiples::of(&kept.terms, &kept.bounds, times);
                Graph::own(terms, bounds)
            }
        };
        Within::new(graph, range)
    }
    /// After the terms that `gone` chooses may have changed: what they said of others stays. `range`: least and greatest that they were,
    /// as far as it is known.
    pub fn forget(&mut self, gone: impl Fn(T) -> bool, range: impl Fn(Multiple<T>) -> Option<(i128, i128)>) {
        let mut left: Vec<Multiple<T>> = self.terms().iter().copied().filter(|m| gone(m.term)).collect();
        if left.is_empty() {
            return;
        }
        // Multiples of what goes that bounds are about, those that are done apart.
        let mut done: Vec<Multiple<T>> = Vec::new();
        // Where a term goes, its multiples need it last.
        while let Some(m) = left.iter().copied().max_by_key(|m| (m.times, std::cmp::Reverse(m.term))) {
            left.retain(|other| *other != m);
            done.push(m);
            let mut into: Vec<(Multiple<T>, i128)> = Vec::new();
            let mut onto: Vec<(Multiple<T>, i128)> = Vec::new();
            let place = self.all.place(m);
            let single = if m.times > 1 { self.all.place(Multiple::one(m.term)) } else { None };
            let term = |at: u16| self.all.terms[usize::from(at)];
            let multiple =
                |at: u16, bound: i64| Some((term(at).many(m.times)?, i128::from(bound) * i128::from(m.times)));
            for &(a, b, bound) in &self.all.bounds {
                into.extend((Some(b) == place).then(|| (term(a), bound.into())));
                onto.extend((Some(a) == place).then(|| (term(b), bound.into())));
                into.extend((single == Some(b)).then(|| multiple(a, bound)).flatten());
                onto.extend((single == Some(a)).then(|| multiple(b, bound)).flatten());
            }
            if let Some((lo, hi)) = range(m) {
                let zero = Multiple::one(T::ZERO);
                into.extend(lo.checked_neg().map(|least| (zero, least)));
                onto.push((zero, hi));
            }
            if let Some(place) = place {
                self.kept_mut().retain(|a, b| a != place && b != place);
            }
            into.retain(|(a, _)| !done.contains(a));
            onto.retain(|(b, _)| !done.contains(b));
            for &(a, first) in &into {
                for &(b, second) in &onto {
                    if let Some(sum) = first.checked_add(second) {
                        self.note(a, b, sum);
                    }
                }
            }
            let more = into.iter().chain(&onto).map(|(m, _)| *m).filter(|m| gone(m.term));
            left.extend(more.filter(|m| m.times > 1));
            left.sort_unstable();
            left.dedup();
        }
        // Multiples of one that goes may have come from those of another.
        self.retain(|term| !gone(term));
    }
    /// Calls terms from now on as `named` says; of new names nothing is known.
    pub fn rename(&mut self, named: impl Fn(T) -> T) {
        if self.terms().iter().all(|m| named(m.term) == m.term) {
            return;
        }
        let renamed: Vec<Multiple<T>> = self.terms().iter().map(|m| Multiple { term: named(m.term), ..*m }).collect();
        let mut terms = renamed.clone();
        terms.sort_unstable();
        terms.dedup();
        let places: Vec<u16> = renamed.iter().map(|m| terms.partition_point(|n| n < m) as u16).collect();
        let named = |at: u16| places[usize::from(at)];
        let kept = self.kept_mut();
        kept.bounds.iter_mut().for_each(|(a, b, _)| (*a, *b) = (named(*a), named(*b)));
        kept.bounds.sort_unstable();
        kept.bounds.dedup_by_key(|bound| (bound.0, bound.1));
        kept.terms = terms;
    }
    /// Keeps the bounds that `keep` chooses, and no more.
    pub fn retain_bounds(&mut self, keep: impl Fn(Multiple<T>, Multiple<T>, i128) -> bool) {
        if !self.iter().all(|(a, b, bound)| keep(a, b, bound)) {
            let kept = self.iter().map(|(a, b, bound)| keep(a, b, bound)).zip(&self.all.bounds);
            let kept = kept.filter_map(|(keep, bound)| keep.then_some(*bound)).collect();
            *self = Differences::of(self.all.terms.clone(), kept);
        }
    }
    /// Keeps the bounds whose terms `keep` chooses, and no more.
    pub fn retain(&mut self, keep: impl Fn(T) -> bool) {
        let stays: Vec<bool> = self.terms().iter().map(|m| keep(m.term)).collect();
        if stays.iter().any(|stays| !stays) {
            self.kept_mut().retain(|a, b| stays[usize::from(a)] && stays[usize::from(b)]);
        }
    }
}
