//! Bounds of differences of letters.

use super::bounds::Pair;
use super::*;
use proptest::prelude::*;

impl Term for char {
    const ZERO: char = '0';
    fn is_counted(self) -> bool {
        self != 'r'
    }
}

impl Differences<char> {
    /// The least bound of `a - b` that follows from few bounds.
    fn bound(&self, a: Multiple<char>, b: Multiple<char>) -> Option<i128> {
        self.within(&[a.times, b.times], |_| (None, None)).bound(a, b)
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
fn what_is_known_beside_counts_with_bounds_of_one() {
    // Here `r` is at least 32 and `n` at most 4, in words of 4 bytes; there `4 * n` is no more than `r`.
    let (here, there) = (of(&[(m('0'), m('r'), -32)]), of(&[(times(4, 'n'), m('r'), 0)]));
    let ranges = |most: i128| {
        move |x: Multiple<char>| match x.term {
            'n' => Alone::Within((Some(0), Some(most * i128::from(x.times)))),
            '0' => Alone::Within((Some(0), Some(0))),
            _ => Alone::Within((None, None)),
        }
    };
    let unknown = ranges(1 << 40);
    assert_eq!(here.join(&there, ranges(4), unknown).bound(times(4, 'n'), m('r')), Some(0));
    assert_eq!(there.join(&here, unknown, ranges(9)).bound(times(4, 'n'), m('r')), Some(4));
    assert!(here.leq(&of(&[(m('n'), m('r'), -28)]), ranges(4)));
    assert!(!here.leq(&of(&[(m('n'), m('r'), -29)]), ranges(4)));
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
    // Several at once, where one of them is between another and what stays.
    let mut all = of(&[(m('k'), m('i'), 0), (m('i'), m('n'), -1), (times(4, 'n'), m('r'), 0)]);
    all.forget(|t| t == 'n' || t == 'i', |_| None);
    assert_eq!(all, of(&[(times(4, 'k'), m('r'), -4)]));
}

#[test]
fn what_two_say_is_the_weaker_of_both_and_widening_keeps_what_stays() {
    let (a, b) = (of(&[(m('i'), m('n'), -1), (m('n'), m('k'), 0)]), of(&[(m('i'), m('n'), 0)]));
    let nothing = |_| Alone::Within((None, None));
    assert_eq!(a.join(&b, nothing, nothing), b);
    let five = |m: Multiple<char>| if m.term == 'i' { (None, Some(0)) } else { (Some(5), None) };
    let from_five = |m: Multiple<char>| Alone::Within(five(m));
    assert_eq!(a.join(&Differences::default(), nothing, from_five), of(&[(m('i'), m('n'), -1)]));
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
    (proptest::collection::vec(-20..20i128, 4), proptest::collection::vec(fact, 0..12)).prop_map(|(values, facts)| {
        let mut all = Differences::default();
        for (a, j, b, k, slack) in facts {
            let difference = values[a] * i128::from(j) - values[b] * i128::from(k);
            all.note(times(j, TERMS[a]), times(k, TERMS[b]), difference + slack);
        }
        (values, all)
    })
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
    fn what_follows_from_ranges_holds_from_either_side((values, all) in satisfied(), spread in 0..4i128, a in 0..4usize, b in 0..4usize) {
        let range = |m| {
            let value = of_term(&values, m);
            if m.term == 'b' { (None, None) } else { (Some(value - spread), Some(value + spread)) }
        };
        let within = all.within(&[1], range);
        let (x, y) = (m(TERMS[a]), m(TERMS[b]));
        let bound = within.bound(x, y);
        prop_assert!(bound.is_none_or(|bound| values[a] - values[b] <= bound));
        prop_assert!(bound.is_none() || within.over(&within.below(x), y) == bound);
        let back = within.under(x, &within.above(y));
        prop_assert!(back.is_none_or(|back| values[a] - values[b] <= back));
        prop_assert!(bound.is_none_or(|_| back.is_some()));
    }
    #[test]
    fn multiples_say_what_bounds_say_so_many_times((_, all) in satisfied(), k in 2..5i64) {
        let single = |m: Multiple<char>| m == Multiple::one('0') || m.times == 1 && m.term != 'r';
        let many = |m: Multiple<char>| if m.term == '0' { m } else { times(k, m.term) };
        for (a, b, bound) in all.iter().filter(|(a, b, _)| single(*a) && single(*b)) {
            prop_assert!(all.bound(many(a), many(b)).is_some_and(|found| found <= bound * i128::from(k)));
        }
        for (a, b, bound) in all.iter() {
            prop_assert!(all.within(&[k], |_| (None, None)).bound(a, b).is_some_and(|found| found <= bound));
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
        let alone = |values: &[i128], m| {
            let value = of_term(values, m);
            Alone::Within((Some(value), Some(value)))
        };
        let both = a.join(&b, |m| alone(&one, m), |m| alone(&two, m));
        prop_assert!(hold(&one, &both) && hold(&two, &both));
        prop_assert!(a.leq(&both, |m| alone(&one, m)) && b.leq(&both, |m| alone(&two, m)));
        let difference = |(a, b): &Pair<char>| of_term(&one, *a) - of_term(&one, *b);
        let wide = a.widen(&b, |m| alone(&two, m), |p, bound| difference(p) <= bound);
        prop_assert!(hold(&one, &wide) && hold(&two, &wide));
    }
}
