//! What bounds say of multiples: `a - b <= 2` of `8 * a` and `8 * b`.

use super::bounds::{Edge, Multiple, Term};

/// Bounds of terms and of their multiples.
#[derive(Debug)]
pub(super) struct Multiples<T> {
    /// What terms are taken times; sorted.
    pub times: Vec<i64>,
    /// Sorted.
    pub terms: Vec<Multiple<T>>,
    pub bounds: Vec<Edge>,
}

impl<T: Term> Multiples<T> {
    /// The bounds, and what they say of both sides taken as often as some term is, and `more` times. `kept`: the terms that
    /// they are about, sorted.
    pub fn of(kept: &[Multiple<T>], bounds: &[Edge], more: &[i64]) -> Self {
        let mut times: Vec<i64> = kept.iter().map(|m| m.times).chain(more.iter().copied()).collect();
        times.sort_unstable();
        times.dedup();
        let many: Vec<i64> = times.iter().copied().filter(|times| *times > 1).collect();
        let each = |m: Multiple<T>| many.iter().filter_map(move |times| m.many(*times));
        let has_multiples = |&(a, b, _): &Edge| [a, b].iter().all(|at| kept[usize::from(*at)].many(1).is_some());
        let mut taken = vec![false; kept.len()];
        for (a, b, _) in bounds.iter().filter(|edge| has_multiples(edge)) {
            (taken[usize::from(*a)], taken[usize::from(*b)]) = (true, true);
        }
        let taken = || kept.iter().zip(&taken).map(|(m, taken)| taken.then_some(*m));
        let mut terms = kept.to_vec();
        terms.extend(taken().flatten().flat_map(each));
        // Two sorted runs, which this kind of sorting merges.
        terms.sort();
        terms.dedup();
        let place = |m: Multiple<T>| terms.partition_point(|n| *n < m) as u16;
        let own: Vec<u16> = kept.iter().map(|m| place(*m)).collect();
        let multiples: Vec<Vec<u16>> = taken().map(|m| m.into_iter().flat_map(each).map(place).collect()).collect();
        let mut all: Vec<Edge> =
            bounds.iter().map(|&(a, b, bound)| (own[usize::from(a)], own[usize::from(b)], bound)).collect();
        for &(a, b, bound) in bounds.iter().filter(|edge| has_multiples(edge)) {
            let ends = multiples[usize::from(a)].iter().zip(&multiples[usize::from(b)]);
            all.extend(ends.zip(&many).filter_map(|((a, b), times)| Some((*a, *b, bound.checked_mul(*times)?))));
        }
        Multiples { times, terms, bounds: all }
    }
}
