//! What holds of two: joins, widenings and inclusion of bounds.

use super::bounds::{Differences, Edge, MOST, Multiple, Pair, Term};
use super::within::{Linked, Range, Within};
use std::borrow::Cow;
use std::cell::OnceCell;

/// So many terms at most are looked at pair by pair.
const FEW: usize = 8;

/// What is known of a term beside bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alone {
    Within(Range),
    /// It is above all others as far as is needed.
    Free,
}

impl Alone {
    /// How far this is above another at most.
    pub fn above(self, other: Alone) -> Option<i128> {
        /// More than objects have bytes.
        const PLENTY: i128 = 1 << 70;
        match (self, other) {
            (Alone::Free, Alone::Free) => Some(0),
            (_, Alone::Free) => Some(-PLENTY),
            (Alone::Free, _) => None,
            (Alone::Within((_, hi)), Alone::Within((lo, _))) => hi?.checked_sub(lo?),
        }
    }
}

/// What follows from bounds, where nothing is known of terms by themselves.
type ByBounds<'d, T> = Within<'d, T, fn(Multiple<T>) -> Range>;

/// One of two that are held against each other. Terms are named by where they stand among those of both.
struct Side<'d, T: Term, F> {
    all: &'d Differences<T>,
    terms: &'d [Multiple<T>],
    /// Where terms stand among its own.
    places: Vec<Option<u16>>,
    beside: F,
    alone: Vec<OnceCell<Alone>>,
    within: OnceCell<ByBounds<'d, T>>,
    linked: Vec<OnceCell<Linked>>,
}

/// All numbers that terms are taken times.
fn times_of<T>(terms: &[Multiple<T>]) -> Vec<i64> {
    let mut times: Vec<i64> = terms.iter().map(|m| m.times).collect();
    times.sort_unstable();
    times.dedup();
    times
}

/// The terms of both.
fn union<'d, T: Term>(one: &'d Differences<T>, other: &'d Differences<T>) -> Cow<'d, [Multiple<T>]> {
    if one.terms() == other.terms() {
        return Cow::Borrowed(one.terms());
    }
    let mut terms: Vec<Multiple<T>> = one.terms().iter().chain(other.terms()).copied().collect();
    terms.sort();
    terms.dedup();
    Cow::Owned(terms)
}

impl<'d, T: Term, F: Fn(Multiple<T>) -> Alone> Side<'d, T, F> {
    fn new(all: &'d Differences<T>, terms: &'d [Multiple<T>], beside: F) -> Self {
        let mut own = all.terms().iter().zip(0..).peekable();
        let places = terms.iter().map(|m| own.next_if(|(own, _)| *own == m).map(|(_, place)| place)).collect();
        let (alone, linked) = (vec![OnceCell::new(); terms.len()], terms.iter().map(|_| OnceCell::new()).collect());
        Side { all, terms, places, beside, alone, within: OnceCell::new(), linked }
    }
    /// Its bounds.
    fn bounds(&self) -> impl Iterator<Item = Edge> {
        let places: Vec<u16> = (0..).zip(&self.places).filter(|(_, own)| own.is_some()).map(|(i, _)| i).collect();
        let place = move |own: u16| places[usize::from(own)];
        self.all.all.bounds.iter().map(move |&(a, b, bound)| (place(a), place(b), bound))
    }
    fn kept(&self, a: u16, b: u16) -> Option<i128> {
        let (a, b) = self.places[usize::from(a)].zip(self.places[usize::from(b)])?;
        self.all.all.find(a, b).ok().map(|i| self.all.all.bounds[i].2.into())
    }
    fn alone(&self, a: u16) -> Alone {
        *self.alone[usize::from(a)].get_or_init(|| (self.beside)(self.terms[usize::from(a)]))
    }
    /// What follows from bounds.
    fn derived(&self, a: u16, b: u16) -> Option<i128> {
        let within = self.within.get_or_init(|| self.all.within(&times_of(self.terms), |_| (None, None)));
        let linked = self.linked[usize::from(a)].get_or_init(|| within.linked_above(self.terms[usize::from(a)]));
        within.linked(linked, self.terms[usize::from(b)])
    }
    /// How far `a` is above `b` at most. What follows from several bounds is asked for where one, or what is known beside, is not `enough`.
    fn known(&self, a: u16, b: u16, enough: i128) -> Option<i128> {
        let direct = self.kept(a, b).into_iter().chain(self.alone(a).above(self.alone(b))).min();
        if direct.is_some_and(|bound| bound <= enough) {
            return direct;
        }
        direct.into_iter().chain(self.derived(a, b)).chain(self.by_range(a, b)).min()
    }
    /// What follows from what is known of one of the two beside the bounds, and from how far the other is from zero.
    fn by_range(&self, a: u16, b: u16) -> Option<i128> {
        let zero = self.terms.binary_search(&Multiple::one(T::ZERO)).ok()? as u16;
        let above = |from: u16, to: u16| if from == to { Some(0) } else { self.derived(from, to) };
        let highest = if let Alone::Within((_, hi)) = self.alone(a) { hi } else { None };
        let lowest = if let Alone::Within((lo, _)) = self.alone(b) { lo } else { None };
        let low = highest.and_then(|hi| above(zero, b)?.checked_add(hi));
        let high = lowest.and_then(|lo| above(a, zero)?.checked_sub(lo));
        low.into_iter().chain(high).min()
    }
}

impl<T: Term> Differences<T> {
    /// What holds whichever of two is there; the functions say what is known of terms in each beside the bounds.
    pub fn join(
        &self,
        other: &Self,
        here: impl Fn(Multiple<T>) -> Alone,
        there: impl Fn(Multiple<T>) -> Alone,
    ) -> Self {
        if self == other {
            return self.clone();
        }
        let terms = union(self, other);
        let (ours, theirs) = (Side::new(self, &terms, here), Side::new(other, &terms, there));
        let either = |(a, b, bound): Edge, known: Option<i128>| {
            let bound = known?.max(bound.into());
            Some((a, b, i64::try_from(bound).ok()?))
        };
        let first = ours.bounds().filter_map(|edge| either(edge, theirs.known(edge.0, edge.1, edge.2.into())));
        let rest = theirs.bounds().filter(|(a, b, _)| ours.kept(*a, *b).is_none());
        let second = rest.filter_map(|edge| either(edge, ours.known(edge.0, edge.1, edge.2.into())));
        let bounds = first.chain(second).take(MOST).collect();
        let mut both = Differences::of(terms.to_vec(), bounds);
        // What neither says by itself, but both say by what moved in step.
        let moved = moved(&ours, &theirs);
        if !moved.is_empty() {
            let times: Vec<i64> = moved.iter().map(|m| m.times).collect();
            let unknown = |_| (None, None);
            let (ours, theirs) = (self.within(&times, unknown), other.within(&times, unknown));
            for &a in &moved {
                let (here, there) = (ours.linked_above(a), theirs.linked_above(a));
                for &b in moved.iter().filter(|b| **b != a) {
                    if both.kept(a, b).is_none()
                        && let Some((ours, theirs)) = ours.linked(&here, b).zip(theirs.linked(&there, b))
                    {
                        both.note(a, b, ours.max(theirs));
                    }
                }
            }
        }
        both
    }
    /// The bounds that hold in `next` too, or weaker ones: chains of these end. Bounds of `next` that nobody has stated here come in where
    /// `begins` says so: that they hold here, and that this happens seldom enough for chains to end. `there`: what is known of terms in
    /// `next` beside the bounds.
    pub fn widen(
        &self,
        next: &Self,
        there: impl Fn(Multiple<T>) -> Alone,
        begins: impl Fn(&Pair<T>, i128) -> bool,
    ) -> Self {
        if self == next {
            return self.clone();
        }
        let terms = union(self, next);
        let unknown = |_| Alone::Within((None, None));
        let (ours, theirs) = (Side::new(self, &terms, unknown), Side::new(next, &terms, there));
        let widened = |(a, b, bound): Edge| {
            let known = theirs.known(a, b, bound.into())?;
            let is_zero = |at: u16| terms[usize::from(at)].term == T::ZERO;
            // What does not stay so far below another term may still not come above it.
            let order = bound < 0 && known <= 0 && !is_zero(a) && !is_zero(b);
            if known <= bound.into() { Some((a, b, bound)) } else { order.then_some((a, b, 0)) }
        };
        let first = ours.bounds().filter_map(widened);
        let pair = |a: u16, b: u16| (terms[usize::from(a)], terms[usize::from(b)]);
        let new = |(a, b, bound): &Edge| ours.kept(*a, *b).is_none() && begins(&pair(*a, *b), (*bound).into());
        let bounds = first.chain(theirs.bounds().filter(new)).take(MOST).collect();
        Differences::of(terms.to_vec(), bounds)
    }
    /// Whether all bounds of `other` hold here, where `here` says what is known of terms beside the bounds.
    pub fn leq(&self, other: &Self, here: impl Fn(Multiple<T>) -> Alone) -> bool {
        if self == other {
            return true;
        }
        let terms = union(self, other);
        let unknown = |_| Alone::Within((None, None));
        let (ours, theirs) = (Side::new(self, &terms, here), Side::new(other, &terms, unknown));
        let holds = |(a, b, bound): Edge| ours.known(a, b, bound.into()).is_some_and(|ours| ours <= bound.into());
        theirs.bounds().all(holds)
    }
}

/// Terms of bounds that are not the same in both, if there are few.
fn moved<T: Term, F: Fn(Multiple<T>) -> Alone, G: Fn(Multiple<T>) -> Alone>(
    ours: &Side<'_, T, F>,
    theirs: &Side<'_, T, G>,
) -> Vec<Multiple<T>> {
    let changed =
        ours.bounds().filter(|(a, b, bound)| theirs.kept(*a, *b).is_some_and(|other| other != (*bound).into()));
    let mut places: Vec<u16> = changed.flat_map(|(a, b, _)| [a, b]).collect();
    places.sort_unstable();
    places.dedup();
    if places.len() > FEW {
        return Vec::new();
    }
    let mut terms: Vec<Multiple<T>> = places.iter().map(|at| ours.terms[usize::from(*at)]).collect();
    let times = times_of(ours.all.terms());
    let single: Vec<Multiple<T>> = terms.iter().copied().filter(|m| m.times == 1 && m.term.is_counted()).collect();
    terms.extend(single.iter().flat_map(|m| times.iter().map(|times| Multiple { times: *times, ..*m })));
    terms.sort_unstable();
    terms.dedup();
    terms
}
