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
    /// The bounds, and what they say of both sides taken so many times. `kept`: the terms that they are about, sorted.
    pub fn of(kept: &[Multiple<T>], bounds: &[Edge], mut times: Vec<i64>) -> Self {
        times.sort_unstable();
        times.dedup();
        let many: Vec<i64> = times.iter().copied().filter(|times| *times > 1).collect();
        let is_zero = |at: u16| kept[usize::from(at)] == Multiple::one(T::ZERO);
        let is_counted = |at: u16| kept[usize::from(at)].times == 1 && kept[usize::from(at)].term.is_counted();
        let has_multiples = |&(a, b, _): &Edge| [a, b].into_iter().all(|at| is_zero(at) || is_counted(at));
        let mut taken = vec![false; kept.len()];
        for (a, b, _) in bounds.iter().copied().filter(has_multiples) {
            taken[usize::from(a)] = is_counted(a);
            taken[usize::from(b)] = is_counted(b);
        }
        let each = |m: Multiple<T>| many.iter().map(move |times| Multiple { times: *times, ..m });
        let mut terms = kept.to_vec();
        terms.extend(kept.iter().zip(&taken).filter(|(_, taken)| **taken).flat_map(|(m, _)| each(*m)));
        // Two sorted runs, which this kind of sorting merges.
        terms.sort();
        terms.dedup();
        let place = |m: Multiple<T>| terms.partition_point(|n| *n < m) as u16;
        let places: Vec<u16> = kept.iter().map(|m| place(*m)).collect();
        let placed = |m: Multiple<T>, taken: bool| if taken { each(m).map(place).collect() } else { Vec::new() };
        let multiples: Vec<Vec<u16>> = kept.iter().zip(&taken).map(|(m, taken)| placed(*m, *taken)).collect();
        let own = |at: u16| places[usize::from(at)];
        let multiple = |at: u16, nth: usize| if is_zero(at) { own(at) } else { multiples[usize::from(at)][nth] };
        let mut all: Vec<Edge> = bounds.iter().map(|&(a, b, bound)| (own(a), own(b), bound)).collect();
        for (a, b, bound) in bounds.iter().copied().filter(has_multiples) {
            let each = many.iter().enumerate();
            all.extend(
                each.filter_map(|(n, times)| Some((multiple(a, n), multiple(b, n), bound.checked_mul(*times)?))),
            );
        }
        Multiples { times, terms, bounds: all }
    }
}
