//! Bounds of differences: how far one term is above another, where no interval says it of either.
//!
//! See: Miné, "A new numerical abstract domain based on difference-bound matrices", Sect. 3: here with few of all pairs, and with terms
//! that are multiples of others.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::sync::{Arc, OnceLock};

/// So many bounds are kept at most; those that come later are left out.
const MOST: usize = 96;
/// So many bounds are added up at most.
const HOPS: usize = 8;

/// So many terms at most are looked at pair by pair.
const FEW: usize = 8;

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

/// Two terms: the one that is above, and the other.
type Pair<T> = (Multiple<T>, Multiple<T>);

/// A bound of the first term over the second.
type Bound<T> = (Multiple<T>, Multiple<T>, i128);

/// Upper bounds of differences of terms. What is not derivable from them, terms may be as they like.
#[derive(Clone, Debug)]
pub struct Differences<T> {
    all: Arc<Kept<T>>,
}

/// Bounds, and the graph of them as soon as somebody asks for what follows from several.
#[derive(Debug)]
struct Kept<T> {
    /// Sorted.
    bounds: Vec<(Pair<T>, i128)>,
    graph: OnceLock<Graph<T>>,
}

impl<T> From<Vec<(Pair<T>, i128)>> for Kept<T> {
    fn from(bounds: Vec<(Pair<T>, i128)>) -> Self {
        Kept { bounds, graph: OnceLock::new() }
    }
}

impl<T: Clone> Clone for Kept<T> {
    fn clone(&self) -> Self {
        self.bounds.clone().into()
    }
}

impl<T> Default for Differences<T> {
    fn default() -> Self {
        Differences { all: Arc::new(Vec::new().into()) }
    }
}

impl<T: Term> PartialEq for Differences<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.all, &other.all) || self.all.bounds == other.all.bounds
    }
}

impl<T: Term> Differences<T> {
    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.all.bounds.is_empty()
    }
    /// All terms that bounds are about, sorted, and their multiples.
    pub fn terms(&self) -> &[Multiple<T>] {
        &self.graph().nodes
    }
    /// All bounds that are kept: `a - b <= bound`.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Multiple<T>, Multiple<T>, i128)> {
        self.all.bounds.iter().map(|&((a, b), bound)| (a, b, bound))
    }
    /// Whether some bound is about the term.
    pub fn mentions(&self, term: T) -> bool {
        self.all.bounds.iter().any(|((a, b), _)| a.term == term || b.term == term)
    }
    fn bounds_mut(&mut self) -> &mut Vec<(Pair<T>, i128)> {
        let kept = Arc::make_mut(&mut self.all);
        kept.graph.take();
        &mut kept.bounds
    }
    fn graph(&self) -> &Graph<T> {
        self.all.graph.get_or_init(|| Graph::of(self, &[]))
    }
    /// `a - b <= bound` from now on.
    pub fn note(&mut self, a: Multiple<T>, b: Multiple<T>, bound: i128) {
        let alone = |a: T, b: T| a == T::ZERO && (b == T::ZERO || b.is_counted());
        if a == b || alone(a.term, b.term) || alone(b.term, a.term) {
            return;
        }
        match self.all.bounds.binary_search_by_key(&(a, b), |f| f.0) {
            Ok(i) if self.all.bounds[i].1 <= bound => {}
            Ok(i) => self.bounds_mut()[i].1 = bound,
            Err(i) if self.all.bounds.len() < MOST => self.bounds_mut().insert(i, ((a, b), bound)),
            Err(_) => {}
        }
    }
    /// `a = b + difference` from now on.
    pub fn note_equal(&mut self, a: Multiple<T>, b: Multiple<T>, difference: i128) {
        self.note(a, b, difference);
        if let Some(back) = difference.checked_neg() {
            self.note(b, a, back);
        }
    }
    /// The bound of `a - b` that is kept.
    pub fn kept(&self, a: Multiple<T>, b: Multiple<T>) -> Option<i128> {
        self.all.bounds.binary_search_by_key(&(a, b), |f| f.0).ok().map(|i| self.all.bounds[i].1)
    }
    /// The least bound of `a - b` that follows from few bounds.
    pub fn bound(&self, a: Multiple<T>, b: Multiple<T>) -> Option<i128> {
        self.within(&[a.times, b.times], |_| (None, None)).bound(a, b)
    }
    /// The same for many terms, where `range` says what is the least and the greatest that each may be. `times`: what terms will be taken.
    pub fn within<R: Fn(Multiple<T>) -> Range>(&self, times: &[i64], range: R) -> Within<'_, T, R> {
        let graph = self.graph();
        let graph = match times.iter().all(|times| graph.times.contains(times)) || graph.nodes.is_empty() {
            true => Cow::Borrowed(graph),
            false => Cow::Owned(Graph::of(self, times)),
        };
        Within { graph, ranges: OnceCell::new(), range }
    }
    /// All numbers that terms are taken times.
    fn times(&self) -> Vec<i64> {
        let mut times: Vec<i64> = self.iter().flat_map(|(a, b, _)| [a.times, b.times]).collect();
        times.sort_unstable();
        times.dedup();
        times
    }
    /// The bounds, and what they say of multiples: so many times both sides.
    fn with_multiples(&self, times: &[i64]) -> impl Iterator<Item = Bound<T>> {
        let many = |m: Multiple<T>, times: i64| match m.times {
            1 if m.term == T::ZERO => Some(m),
            1 if m.term.is_counted() => Some(Multiple { times, ..m }),
            _ => None,
        };
        self.iter().chain(self.iter().flat_map(move |(a, b, bound)| {
            times
                .iter()
                .filter(|times| **times > 1)
                .filter_map(move |&times| Some((many(a, times)?, many(b, times)?, bound.checked_mul(times.into())?)))
        }))
    }
    /// After the terms that `gone` chooses may have changed: what they said of others stays. `range`: least and greatest that they were,
    /// as far as it is known.
    pub fn forget(&mut self, gone: impl Fn(T) -> bool, range: impl Fn(Multiple<T>) -> Option<(i128, i128)>) {
        let mut terms: Vec<Multiple<T>> = self.iter().flat_map(|(a, b, _)| [a, b]).filter(|m| gone(m.term)).collect();
        if terms.is_empty() {
            return;
        }
        // Where a term goes, its multiples need it last.
        terms.sort_unstable_by_key(|m| (std::cmp::Reverse(m.times), m.term));
        terms.dedup();
        for m in terms {
            let mut into: Vec<(Multiple<T>, i128)> = Vec::new();
            let mut onto: Vec<(Multiple<T>, i128)> = Vec::new();
            for (a, b, bound) in self.with_multiples(&[m.times]) {
                if b == m {
                    into.push((a, bound));
                }
                if a == m {
                    onto.push((b, bound));
                }
            }
            if let Some((lo, hi)) = range(m) {
                let zero = Multiple::one(T::ZERO);
                into.extend(lo.checked_neg().map(|least| (zero, least)));
                onto.push((zero, hi));
            }
            self.bounds_mut().retain(|((a, b), _)| *a != m && *b != m);
            for &(a, first) in &into {
                for &(b, second) in &onto {
                    if let Some(sum) = first.checked_add(second) {
                        self.note(a, b, sum);
                    }
                }
            }
        }
        // Multiples of one that goes may have come from those of another.
        self.retain(|term| !gone(term));
    }
    /// Calls terms from now on as `named` says; of new names nothing is known.
    pub fn rename(&mut self, named: impl Fn(T) -> T) {
        let renamed = |m: Multiple<T>| Multiple { term: named(m.term), ..m };
        if self.iter().any(|(a, b, _)| renamed(a) != a || renamed(b) != b) {
            let bounds = self.bounds_mut();
            bounds.iter_mut().for_each(|((a, b), _)| (*a, *b) = (renamed(*a), renamed(*b)));
            bounds.sort_unstable();
        }
    }
    /// Keeps the bounds whose terms `keep` chooses, and no more.
    pub fn retain(&mut self, keep: impl Fn(T) -> bool) {
        if self.iter().any(|(a, b, _)| !keep(a.term) || !keep(b.term)) {
            self.bounds_mut().retain(|((a, b), _)| keep(a.term) && keep(b.term));
        }
    }

    /// What holds whichever of two is there; the functions say what is known in each beside the bounds.
    pub fn join(
        &self,
        other: &Self,
        here: impl Fn(&Pair<T>) -> Option<i128>,
        there: impl Fn(&Pair<T>) -> Option<i128>,
    ) -> Self {
        if self == other {
            return self.clone();
        }
        let mut both = Self::default();
        for (pair, bound) in self.all.bounds.iter() {
            if let Some(theirs) = other.known(pair, &there) {
                both.note(pair.0, pair.1, theirs.max(*bound));
            }
        }
        for (pair, bound) in other.all.bounds.iter() {
            if self.kept(pair.0, pair.1).is_none()
                && let Some(ours) = self.known(pair, &here)
            {
                both.note(pair.0, pair.1, ours.max(*bound));
            }
        }
        // What neither says by itself, but both say by what moved in step.
        let moved = self.moved(other);
        for &a in &moved {
            for &b in moved.iter().filter(|b| **b != a) {
                if both.kept(a, b).is_none()
                    && let Some((ours, theirs)) = self.bound(a, b).zip(other.bound(a, b))
                {
                    both.note(a, b, ours.max(theirs));
                }
            }
        }
        both
    }
    /// Terms of bounds that are not the same in both, if there are few.
    fn moved(&self, other: &Self) -> Vec<Multiple<T>> {
        let mut terms: Vec<Multiple<T>> = Vec::new();
        for (pair, bound) in self.all.bounds.iter() {
            if other.kept(pair.0, pair.1).is_some_and(|theirs| theirs != *bound) {
                terms.extend([pair.0, pair.1]);
            }
        }
        terms.sort_unstable();
        terms.dedup();
        if terms.len() > FEW {
            return Vec::new();
        }
        let times = self.times();
        let single: Vec<Multiple<T>> = terms.iter().copied().filter(|m| m.times == 1 && m.term.is_counted()).collect();
        terms.extend(single.iter().flat_map(|m| times.iter().map(|times| Multiple { times: *times, ..*m })));
        terms.sort_unstable();
        terms.dedup();
        terms
    }
    /// The bounds that hold in `next` too, or weaker ones: chains of these end. Bounds of `next` that nobody has stated here come in where
    /// `begins` says so: that they hold here, and that this happens seldom enough for chains to end.
    pub fn widen(
        &self,
        next: &Self,
        there: impl Fn(&Pair<T>) -> Option<i128>,
        begins: impl Fn(&Pair<T>, i128) -> bool,
    ) -> Self {
        if self == next {
            return self.clone();
        }
        let widened = |&(pair, bound): &(Pair<T>, i128)| {
            let theirs = next.known(&pair, &there)?;
            // What does not stay so far below another term may still not come above it.
            let order = bound < 0 && theirs <= 0 && pair.0.term != T::ZERO && pair.1.term != T::ZERO;
            if theirs <= bound { Some((pair, bound)) } else { order.then_some((pair, 0)) }
        };
        let bounds: Vec<_> = self.all.bounds.iter().filter_map(widened).collect();
        let mut wide = Differences { all: Arc::new(bounds.into()) };
        for (pair, bound) in next.all.bounds.iter() {
            if self.kept(pair.0, pair.1).is_none() && begins(pair, *bound) {
                wide.note(pair.0, pair.1, *bound);
            }
        }
        wide
    }
    /// Whether all bounds of `other` hold here, where `here` says what is known beside the bounds.
    pub fn leq(&self, other: &Self, here: impl Fn(&Pair<T>) -> Option<i128>) -> bool {
        self == other
            || other.all.bounds.iter().all(|(pair, bound)| self.known(pair, &here).is_some_and(|ours| ours <= *bound))
    }
    fn known(&self, pair: &Pair<T>, beside: &impl Fn(&Pair<T>) -> Option<i128>) -> Option<i128> {
        let derived = || if self.mentions(pair.0.term) { self.bound(pair.0, pair.1) } else { None };
        let (kept, beside) = (self.kept(pair.0, pair.1), beside(pair));
        match (kept.or(beside), beside) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (Some(a), None) => Some(a),
            (None, _) => derived(),
        }
    }
}

/// The least and the greatest that a term may be, as far as they are known.
pub type Range = (Option<i128>, Option<i128>);

/// Bounds together with what is known of each term by itself, which is asked for once.
pub struct Within<'d, T: Term, R> {
    graph: Cow<'d, Graph<T>>,
    /// Of the graph's nodes.
    ranges: OnceCell<Vec<Range>>,
    range: R,
}

/// How far all terms are from one of them, by bounds and ranges.
pub struct Reached<T> {
    of: Multiple<T>,
    /// How far the graph's nodes are below it, or above it.
    nodes: Vec<Option<i128>>,
    /// The greatest that it may be, or the least.
    end: Option<i128>,
}

impl<T: Term, R: Fn(Multiple<T>) -> Range> Within<'_, T, R> {
    fn node(&self, m: Multiple<T>) -> Option<usize> {
        self.graph.nodes.binary_search(&m).ok()
    }
    fn ranges(&self) -> &[Range] {
        self.ranges.get_or_init(|| self.graph.nodes.iter().map(|m| (self.range)(*m)).collect())
    }
    fn range(&self, m: Multiple<T>) -> Range {
        self.node(m).map_or_else(|| (self.range)(m), |node| self.ranges()[node])
    }
    /// The least bound of `a - b` that follows from few bounds and from ranges.
    pub fn bound(&self, a: Multiple<T>, b: Multiple<T>) -> Option<i128> {
        if a == b {
            return Some(0);
        }
        let is_apart = |m| self.node(m).is_none();
        let (highest, lowest) = (self.range(a).1, self.range(b).0);
        if is_apart(a) && highest.is_none() || is_apart(b) && lowest.is_none() {
            return None;
        }
        self.over(&self.below(a), b)
    }
    /// How far `a` is above all others.
    pub fn below(&self, a: Multiple<T>) -> Reached<T> {
        let highest = self.range(a).1;
        let less = |node: usize| highest?.checked_sub(self.ranges()[node].0?);
        let start = |node: usize| if self.graph.nodes[node] == a { Some(0) } else { less(node) };
        let nodes = self.graph.reached(start, |edge| *edge);
        let by_others = nodes.iter().enumerate().filter_map(|(node, d)| (*d)?.checked_add(self.ranges()[node].1?));
        let end = by_others.chain(highest).min();
        Reached { of: a, nodes, end }
    }
    /// The terms that bounds alone hold above `a`: how far that is above each.
    pub fn linked_above(&self, a: Multiple<T>) -> impl Fn(Multiple<T>) -> Option<i128> {
        let start = |node: usize| (self.graph.nodes[node] == a).then_some(0);
        let nodes = self.graph.reached(start, |edge| *edge);
        move |m| nodes[self.node(m)?]
    }
    /// The terms that bounds alone hold below `b`: how far each is above that.
    pub fn linked_below(&self, b: Multiple<T>) -> impl Fn(Multiple<T>) -> Option<i128> {
        let start = |node: usize| (self.graph.nodes[node] == b).then_some(0);
        let nodes = self.graph.reached(start, |(a, b, bound)| (*b, *a, *bound));
        move |m| nodes[self.node(m)?]
    }
    /// How far all others are above `b`.
    pub fn above(&self, b: Multiple<T>) -> Reached<T> {
        let lowest = self.range(b).0;
        let less = |node: usize| self.ranges()[node].1?.checked_sub(lowest?);
        let start = |node: usize| if self.graph.nodes[node] == b { Some(0) } else { less(node) };
        let nodes = self.graph.reached(start, |(a, b, bound)| (*b, *a, *bound));
        let by_others = nodes.iter().enumerate().filter_map(|(node, d)| self.ranges()[node].0?.checked_sub((*d)?));
        let end = by_others.chain(lowest).max();
        Reached { of: b, nodes, end }
    }
    /// The bound of `a - b`, where `all` tells of `a` what is [`Self::below`] it.
    pub fn over(&self, all: &Reached<T>, b: Multiple<T>) -> Option<i128> {
        if all.of == b {
            return Some(0);
        }
        let direct = self.node(b).and_then(|node| all.nodes[node]);
        let by_range = || all.end?.checked_sub(self.range(b).0?);
        direct.into_iter().chain(by_range()).min()
    }
    /// The bound of `a - b`, where `all` tells of `b` what is [`Self::above`] it.
    pub fn under(&self, a: Multiple<T>, all: &Reached<T>) -> Option<i128> {
        if all.of == a {
            return Some(0);
        }
        let direct = self.node(a).and_then(|node| all.nodes[node]);
        let by_range = || self.range(a).1?.checked_sub(all.end?);
        direct.into_iter().chain(by_range()).min()
    }
}

/// Terms as nodes, bounds between them and between their multiples as edges.
#[derive(Clone, Debug)]
struct Graph<T> {
    /// Sorted.
    nodes: Vec<Multiple<T>>,
    edges: Vec<(usize, usize, i128)>,
    /// What terms are taken times in it.
    times: Vec<i64>,
}

impl<T: Term> Graph<T> {
    /// With terms taken `more` times too.
    fn of(all: &Differences<T>, more: &[i64]) -> Graph<T> {
        let mut times = all.times();
        times.extend(more);
        let bounds: Vec<Bound<T>> = all.with_multiples(&times).collect();
        // What is above comes sorted, but for multiples.
        let mut nodes: Vec<Multiple<T>> = bounds.iter().map(|(a, ..)| *a).collect();
        nodes.dedup();
        if nodes.is_sorted() {
            let lower = bounds.iter().map(|(_, b, _)| *b).filter(|b| nodes.binary_search(b).is_err());
            let lower: Vec<Multiple<T>> = lower.collect();
            nodes.extend(lower);
        } else {
            nodes.extend(bounds.iter().map(|(_, b, _)| *b));
        }
        nodes.sort_unstable();
        nodes.dedup();
        let node = |m: &Multiple<T>| nodes.partition_point(|n| n < m);
        let edges = bounds.iter().map(|(a, b, bound)| (node(a), node(b), *bound)).collect();
        Graph { nodes, edges, times }
    }

    /// How far each node is at most, along edges as `turned` says they lead, from where `start` says how far it is at the beginning.
    fn reached(
        &self,
        start: impl Fn(usize) -> Option<i128>,
        turned: impl Fn(&(usize, usize, i128)) -> (usize, usize, i128),
    ) -> Vec<Option<i128>> {
        let mut reached: Vec<Option<i128>> = (0..self.nodes.len()).map(start).collect();
        for _ in 0..HOPS {
            let mut changed = false;
            for (a, b, bound) in self.edges.iter().map(&turned) {
                if let Some(sum) = reached[a].and_then(|d| d.checked_add(bound))
                    && reached[b].is_none_or(|best| sum < best)
                {
                    reached[b] = Some(sum);
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        reached
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    impl Term for char {
        const ZERO: char = '0';
        fn is_counted(self) -> bool {
            self != 'r'
        }
    }

    fn m(term: char) -> Multiple<char> {
        Multiple::one(term)
    }

    fn times(times: i64, term: char) -> Multiple<char> {
        Multiple { term, times }
    }

    fn of(bounds: &[(Multiple<char>, Multiple<char>, i128)]) -> Differences<char> {
        let mut all = Differences::default();
        bounds.iter().for_each(|&(a, b, c)| all.note(a, b, c));
        all
    }

    #[test]
    fn bounds_add_up_and_are_multiplied() {
        let all = of(&[(m('i'), m('n'), -1), (m('n'), m('k'), 3), (times(4, 'n'), m('r'), 0)]);
        assert_eq!(all.bound(m('i'), m('k')), Some(2));
        assert_eq!(all.bound(times(4, 'i'), m('r')), Some(-4));
        assert_eq!(all.bound(m('k'), m('i')), None);
        assert_eq!(all.bound(m('x'), m('x')), Some(0));
    }

    #[test]
    fn what_is_forgotten_leaves_what_it_said_of_others() {
        let mut all = of(&[(m('i'), m('n'), -1), (m('n'), m('k'), 0), (times(4, 'n'), m('r'), 0)]);
        all.forget(|t| t == 'n', |_| None);
        assert_eq!((all.bound(m('i'), m('k')), all.bound(times(4, 'i'), m('r'))), (Some(-1), Some(-4)));
        assert!(!all.mentions('n'));
        let mut all = of(&[(times(4, 'n'), m('r'), 0)]);
        all.forget(|t| t == 'n', |m| Some((2 * i128::from(m.times), 5)));
        assert_eq!(all, of(&[(m('0'), m('r'), -8)]));
        let mut all = of(&[(times(4, 'i'), times(4, 'n'), -4), (m('n'), m('k'), 0)]);
        all.forget(|t| t == 'n', |_| None);
        assert_eq!(all.bound(times(4, 'i'), times(4, 'k')), Some(-4));
    }

    #[test]
    fn what_two_say_is_the_weaker_of_both_and_widening_keeps_what_stays() {
        let (a, b) = (of(&[(m('i'), m('n'), -1), (m('n'), m('k'), 0)]), of(&[(m('i'), m('n'), 0)]));
        let nothing = |_: &Pair<char>| None;
        assert_eq!(a.join(&b, nothing, nothing), b);
        assert_eq!(a.join(&Differences::default(), nothing, |_| Some(-5)), a);
        assert!(a.leq(&b, nothing) && !b.leq(&a, nothing));
        let never = |_: &Pair<char>, _| false;
        assert_eq!(a.widen(&b, nothing, never), b);
        let above = of(&[(m('i'), m('n'), 1), (m('n'), m('k'), 0)]);
        assert_eq!(b.widen(&above, nothing, never), Differences::default());
        assert_eq!(b.widen(&a, nothing, never), b);
        let above_or_on = of(&[(m('i'), m('n'), 0), (m('n'), m('k'), 0)]);
        assert_eq!(b.widen(&a, nothing, |_, _| true), above_or_on);
    }

    const TERMS: [char; 4] = ['a', 'b', 'c', 'r'];

    /// Numbers for the terms, and bounds that they satisfy, each by `slack`.
    fn satisfied() -> impl Strategy<Value = (Vec<i128>, Differences<char>)> {
        let fact = (0..4usize, 1..3i64, 0..4usize, 1..3i64, 0..5i128);
        (proptest::collection::vec(-20..20i128, 4), proptest::collection::vec(fact, 0..12)).prop_map(
            |(values, facts)| {
                let mut all = Differences::default();
                for (a, j, b, k, slack) in facts {
                    let difference = values[a] * i128::from(j) - values[b] * i128::from(k);
                    all.note(times(j, TERMS[a]), times(k, TERMS[b]), difference + slack);
                }
                (values, all)
            },
        )
    }

    fn of_term(values: &[i128], m: Multiple<char>) -> i128 {
        TERMS.iter().position(|t| *t == m.term).map_or(0, |i| values[i] * i128::from(m.times))
    }

    fn hold(values: &[i128], all: &Differences<char>) -> bool {
        let value = |m: Multiple<char>| of_term(values, m);
        all.iter().all(|(a, b, bound)| value(a) - value(b) <= bound)
    }

    proptest! {
        #[test]
        fn what_follows_holds((values, all) in satisfied(), a in 0..4usize, b in 0..4usize, k in 1..3i64) {
            if let Some(bound) = all.bound(times(k, TERMS[a]), times(k, TERMS[b])) {
                prop_assert!((values[a] - values[b]) * i128::from(k) <= bound);
            }
        }
        #[test]
        fn a_term_that_changes_leaves_what_holds((values, all) in satisfied(), term in 0..4usize, new in -20..20i128) {
            let (mut values, mut all) = (values, all);
            let old = values[term];
            all.forget(|t| t == TERMS[term], |m| Some((old * i128::from(m.times), old * i128::from(m.times))));
            values[term] = new;
            prop_assert!(hold(&values, &all));
        }
        #[test]
        fn terms_that_change_together_leave_nothing_of_themselves((values, all) in satisfied(), first in 0..4usize, second in 0..4usize) {
            let (mut values, mut all) = (values, all);
            let gone = [TERMS[first], TERMS[second]];
            all.forget(|t| gone.contains(&t), |_| None);
            prop_assert!(!gone.iter().any(|t| all.mentions(*t)));
            (values[first], values[second]) = (1000, -1000);
            prop_assert!(hold(&values, &all));
        }
        #[test]
        fn joins_and_widenings_hold_of_both((one, a) in satisfied(), (two, b) in satisfied()) {
            let difference = |values: &[i128], (a, b): &Pair<char>| {
                Some(of_term(values, *a) - of_term(values, *b))
            };
            let both = a.join(&b, |p| difference(&one, p), |p| difference(&two, p));
            prop_assert!(hold(&one, &both) && hold(&two, &both));
            let wide = a.widen(&b, |p| difference(&two, p), |p, bound| difference(&one, p).is_some_and(|d| d <= bound));
            prop_assert!(hold(&one, &wide) && hold(&two, &wide));
        }
    }
}
