//! What follows from bounds of differences, and from what is known of terms by themselves.

use super::bounds::{Edge, Multiple, Term};
use std::borrow::Cow;
use std::cell::OnceCell;

/// So many bounds are added up at most.
const HOPS: usize = 8;

/// Terms as nodes, bounds as edges from those that are above.
pub(super) struct Graph<'d, T: Term> {
    /// Sorted.
    nodes: Cow<'d, [Multiple<T>]>,
    edges: Cow<'d, [Edge]>,
}

impl<'d, T: Term> Graph<'d, T> {
    pub(super) fn of(nodes: &'d [Multiple<T>], edges: &'d [Edge]) -> Self {
        Graph { nodes: Cow::Borrowed(nodes), edges: Cow::Borrowed(edges) }
    }
    pub(super) fn own(nodes: Vec<Multiple<T>>, edges: Vec<Edge>) -> Self {
        Graph { nodes: Cow::Owned(nodes), edges: Cow::Owned(edges) }
    }
    fn node(&self, m: Multiple<T>) -> Option<usize> {
        self.nodes.binary_search(&m).ok()
    }
    /// How far each node is at most, along edges or against them, from where `start` says how far it is at the beginning.
    fn reached(&self, start: impl Fn(usize) -> Option<i128>, back: bool) -> Vec<Option<i128>> {
        let mut reached: Vec<Option<i128>> = (0..self.nodes.len()).map(start).collect();
        for _ in 0..HOPS {
            let mut changed = false;
            for &(a, b, bound) in self.edges.iter() {
                let (from, to) = if back { (b, a) } else { (a, b) };
                if let Some(sum) = reached[usize::from(from)].and_then(|d| d.checked_add(bound.into()))
                    && reached[usize::from(to)].is_none_or(|best| sum < best)
                {
                    reached[usize::from(to)] = Some(sum);
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

/// The least and the greatest that a term may be, as far as they are known.
pub type Range = (Option<i128>, Option<i128>);

/// Bounds together with what is known of each term by itself, which is asked for once.
pub struct Within<'d, T: Term, R> {
    graph: Graph<'d, T>,
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

/// How far the terms are from one of them that bounds alone hold above it, or below.
pub struct Linked(Vec<Option<i128>>);

impl<'d, T: Term, R: Fn(Multiple<T>) -> Range> Within<'d, T, R> {
    pub(super) fn new(graph: Graph<'d, T>, range: R) -> Self {
        Within { graph, ranges: OnceCell::new(), range }
    }
    fn node(&self, m: Multiple<T>) -> Option<usize> {
        self.graph.node(m)
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
        let own = self.node(a);
        let start = |node: usize| if own == Some(node) { Some(0) } else { less(node) };
        let nodes = self.graph.reached(start, false);
        let by_others = nodes.iter().enumerate().filter_map(|(node, d)| (*d)?.checked_add(self.ranges()[node].1?));
        let end = by_others.chain(highest).min();
        Reached { of: a, nodes, end }
    }
    /// The terms that bounds alone hold above `a`, and how far that is above each.
    pub fn linked_above(&self, a: Multiple<T>) -> Linked {
        let own = self.node(a);
        Linked(self.graph.reached(|node| (own == Some(node)).then_some(0), false))
    }
    /// The terms that bounds alone hold below `b`, and how far each is above that.
    pub fn linked_below(&self, b: Multiple<T>) -> Linked {
        let own = self.node(b);
        Linked(self.graph.reached(|node| (own == Some(node)).then_some(0), true))
    }
    /// What `linked` says of a term.
    pub fn linked(&self, linked: &Linked, m: Multiple<T>) -> Option<i128> {
        linked.0[self.node(m)?]
    }
    /// How far all others are above `b`.
    pub fn above(&self, b: Multiple<T>) -> Reached<T> {
        let lowest = self.range(b).0;
        let less = |node: usize| self.ranges()[node].1?.checked_sub(lowest?);
        let own = self.node(b);
        let start = |node: usize| if own == Some(node) { Some(0) } else { less(node) };
        let nodes = self.graph.reached(start, true);
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
