//! Lattice laws, and every concrete step inside the abstract one.

use super::arithmetic::{self, Quotient};
use super::congruence::Congruence;
use super::*;
use crate::ir::BinaryOp::{self, *};
use crate::ir::{FloatKind, Real, Rounding};
use proptest::prelude::*;
use std::cmp::Ordering;

/// Small sets of all shapes, with all their members.
fn samples() -> Vec<Int> {
    let mut all = Vec::new();
    for (lo, hi) in
        [(-128, 127), (0, 255), (-3, 5), (0, 0), (7, 7), (-1, -1), (-128, -100), (100, 127), (3, 17), (200, 255)]
    {
        for (m, r) in [(1, 0), (2, 1), (4, 0), (5, 3), (64, 7)] {
            let set = Int::reduce(Interval { lo, hi }, Congruence::new(m, r));
            all.extend(set);
            let inside = set
                .filter(|s| s.hi() - s.lo() < 100)
                .into_iter()
                .flat_map(|s| [s.lo() + (s.hi() - s.lo()) / 2, 0].map(|n| s.except(n)));
            all.extend(inside.flatten());
        }
    }
    all
}

fn members(a: Int) -> Vec<i128> {
    a.members(1000).expect("samples are small")
}

fn check_binary(name: &str, abs: impl Fn(Int, Int) -> Option<Int>, con: impl Fn(i128, i128) -> Option<i128>) {
    for &a in &samples() {
        for &b in &samples() {
            let result = abs(a, b);
            for x in members(a) {
                for y in members(b) {
                    let Some(z) = con(x, y) else { continue };
                    let inside = result.is_some_and(|r| r.contains(z));
                    assert!(inside, "{name}: {x} of {a} and {y} of {b} give {z}, outside {result:?}");
                }
            }
        }
    }
}

fn quotient(q: Quotient) -> Option<Int> {
    match q {
        Quotient::Undefined => None,
        Quotient::Some(i) => Some(i),
        Quotient::Any => Some(Int::TOP),
    }
}

#[test]
fn arithmetic_contains_every_concrete_result() {
    check_binary("+", arithmetic::add, |x, y| Some(x + y));
    check_binary("-", arithmetic::sub, |x, y| Some(x - y));
    check_binary("*", arithmetic::mul, |x, y| Some(x * y));
    check_binary("/", |a, b| quotient(arithmetic::div(a, b)), i128::checked_div);
    check_binary("%", |a, b| quotient(arithmetic::rem(a, b)), i128::checked_rem);
}

#[test]
fn bit_operations_contain_every_concrete_result() {
    check_binary("&", |a, b| Some(bitwise::and(a, b)), |x, y| Some(x & y));
    check_binary("|", |a, b| Some(bitwise::or(a, b)), |x, y| Some(x | y));
    check_binary("^", |a, b| Some(bitwise::xor(a, b)), |x, y| Some(x ^ y));
    check_binary("~", |a, _| Some(bitwise::not(a)), |x, _| Some(!x));
    let count = |b: Int| b.clamp(0, 7);
    let valid = |y: i128| (0..8).contains(&y);
    check_binary("<<", |a, b| bitwise::shl(a, count(b)?), |x, y| valid(y).then(|| x << y));
    check_binary(">>", |a, b| Some(bitwise::shr(a, count(b)?)), |x, y| valid(y).then(|| x >> y));
}

#[test]
fn wrapping_is_exact_on_every_interval_that_stays_one() {
    for ty in [IntType::signed(8), IntType::unsigned(8), IntType { boolean: true, ..IntType::unsigned(8) }] {
        for lo in -300..300i128 {
            for hi in lo..300 {
                let wrapped = ty.wrap(Int::range(lo, hi));
                let concrete: Vec<i128> = (lo..=hi).map(|v| ty.wrap_number(v)).collect();
                assert!(concrete.iter().all(|&v| wrapped.contains(v)), "{ty:?} [{lo}, {hi}]: {wrapped}");
                let (min, max) = (concrete.iter().min().unwrap(), concrete.iter().max().unwrap());
                let least = Int::range(*min, *max);
                assert!(wrapped.leq(least), "{ty:?} [{lo}, {hi}] gives {wrapped}, not {least}");
            }
        }
    }
}

#[test]
fn what_has_passed_its_check_holds_all_results_that_fit() {
    for ty in [IntType::signed(8), IntType::unsigned(8)] {
        let (low, high) = (ty.bounds().lo, ty.bounds().hi);
        for lo in (-300..300).step_by(7) {
            for hi in (lo..300).step_by(11) {
                let exact = Some(Int::range(lo, hi));
                let (passed, fits) = (ty.passed(exact), (lo.max(low)..=hi.min(high)).collect::<Vec<_>>());
                assert!(fits.iter().all(|v| passed.contains(*v)), "{ty:?} [{lo}, {hi}]: {passed}");
                if ty.signed && !fits.is_empty() {
                    assert_eq!((passed.lo(), passed.hi()), (fits[0], fits[fits.len() - 1]));
                } else {
                    assert_eq!(passed, ty.wrap_result(exact), "an unsigned result wraps, and one that never fits");
                }
            }
        }
    }
}

#[test]
fn wrapping_keeps_congruences_that_divide_the_period_and_holes() {
    assert!(!IntType::unsigned(8).wrap(Int::range(-128, 127).except(0).unwrap()).contains(0));
    assert!(IntType::unsigned(8).wrap(Int::range(-128, 128).except(0).unwrap()).contains(128));
    for a in samples() {
        for ty in [IntType::signed(8), IntType::unsigned(8), IntType::unsigned(3)] {
            let wrapped = ty.wrap(a);
            assert!(members(a).iter().all(|&v| wrapped.contains(ty.wrap_number(v))), "{a} {ty:?} {wrapped}");
        }
    }
}

#[test]
fn comparisons_and_their_filters_are_sound_and_keep_the_pairs_that_satisfy_them() {
    let holds = |op: BinaryOp, x: i128, y: i128| match op {
        Eq => x == y,
        Ne => x != y,
        Lt => x < y,
        Le => x <= y,
        Gt => x > y,
        _ => x >= y,
    };
    for op in [Eq, Ne, Lt, Le, Gt, Ge] {
        for &a in &samples() {
            for &b in &samples() {
                let (truth, kept) = (compare::truth(op, a, b), compare::filter(op, a, b));
                for x in members(a) {
                    for y in members(b) {
                        if holds(op, x, y) {
                            let (p, q) = kept.expect("a pair satisfies it");
                            assert!(truth.may_hold && p.contains(x) && q.contains(y), "{a} {op:?} {b}: {x} {y}");
                        } else {
                            assert!(truth.may_fail, "{a} {op:?} {b}: {x} {y}");
                        }
                    }
                }
            }
        }
    }
}

fn int() -> impl Strategy<Value = Int> {
    (whole(), any::<u8>()).prop_map(|(all, at)| {
        let at = all.lo() + (all.hi() - all.lo()) * i128::from(at) / 200;
        all.except(at).unwrap_or(all)
    })
}

fn whole() -> impl Strategy<Value = Int> {
    (-300i128..300, 0i128..300, 1i128..12, 0i128..12).prop_map(|(lo, width, m, r)| {
        Int::reduce(Interval { lo, hi: lo + width }, Congruence::new(m, r)).unwrap_or(Int::constant(lo))
    })
}

proptest! {
    #[test]
    fn join_is_an_upper_bound(a in int(), b in int()) {
        let j = a.join(b);
        prop_assert!(a.leq(j) && b.leq(j));
        prop_assert_eq!(j, b.join(a));
        prop_assert_eq!(a.join(a), a);
        prop_assert!(members(a).into_iter().chain(members(b)).all(|x| j.contains(x)));
    }

    #[test]
    fn join_is_the_least_upper_bound_of_sets_without_holes(a in whole(), b in whole(), c in whole()) {
        let j = a.join(b);
        prop_assert_eq!(j.join(c), a.join(b.join(c)));
        if a.leq(c) && b.leq(c) {
            prop_assert!(j.leq(c));
        }
    }

    #[test]
    fn meet_holds_exactly_the_common_members(a in int(), b in int()) {
        let m = a.meet(b);
        for x in members(a) {
            // There is room for one of two holes.
            let kept = m.is_some_and(|m| m.contains(x) && m.hole().is_none_or(|_| b.hole() != Some(x)));
            prop_assert_eq!(b.contains(x), kept);
        }
    }

    #[test]
    fn inclusion_is_inclusion_of_members(a in int(), b in int()) {
        let included = members(a).iter().all(|&x| b.contains(x));
        // A single step may be included although the congruence is not: the order is that of the product.
        prop_assert!(!a.leq(b) || included);
        prop_assert!(a.leq(a));
    }

    #[test]
    fn widening_is_above_both_and_ends(start in int(), steps in proptest::collection::vec(int(), 1..60)) {
        let limit = Interval { lo: -1000, hi: 1000 };
        let (mut now, mut changes) = (start, 0);
        for s in steps {
            let next = now.widen(s, &[-50, 0, 50], limit);
            prop_assert!(now.leq(next) && s.leq(next));
            changes += usize::from(next != now);
            now = next;
        }
        prop_assert!(changes <= 12, "{} changes", changes);
    }

    #[test]
    fn float_widening_is_above_both_and_ends(start in any::<f64>(), steps in proptest::collection::vec(any::<f64>(), 1..60)) {
        let (mut now, mut changes) = (Float::constant(start), 0);
        for s in steps.into_iter().map(Float::constant) {
            let next = now.widen(now.join(s), &[-50, 0, 50]);
            prop_assert!(now.leq(next) && s.leq(next));
            changes += usize::from(next != now);
            now = next;
        }
        prop_assert!(changes <= 9, "{} changes", changes);
    }

    /// Also of numbers that are no doubles: the lowest bits of a wide significand are set at will.
    #[test]
    fn float_operations_contain_every_concrete_result(
        a in any::<[f64; 3]>(), b in any::<[f64; 3]>(), low in any::<u64>(), kind in 0..4usize, equal in 0..4usize
    ) {
        let kind = [FloatKind::Float, FloatKind::Double, FloatKind::LongDouble, FloatKind::Float128][kind];
        let number = |x: f64| {
            let bits = Real::new(kind, x).bits();
            let fraction = if kind == FloatKind::LongDouble && x != 0.0 && x.is_finite() { low & 0x7ff } else { 0 };
            Real::of_bits(kind, bits | u128::from(fraction))
        };
        let (a, mut b) = (a.map(number), b.map(number));
        b[..equal].copy_from_slice(&a[..equal]);
        let hull = |v: &[Real; 3]| v.iter().map(|&x| Float::of(x)).reduce(Float::join).unwrap();
        let contains = |f: Float, x: Real| f.contains(x.around().0) && f.contains(x.around().1);
        let (fa, fb) = (hull(&a), hull(&b));
        for (x, y) in a.into_iter().flat_map(|x| b.map(|y| (x, y))) {
            for op in [Add, Sub, Mul, Div] {
                prop_assert!(contains(fa.apply(op, fb, kind), x.apply(op, y).unwrap()), "{x} {op:?} {y}");
            }
            let order = x.compare(y);
            let is = |wanted: Ordering| order == Some(wanted);
            let (less, equal, greater) = (is(Ordering::Less), is(Ordering::Equal), is(Ordering::Greater));
            let comparisons =
                [(Lt, less), (Le, less || equal), (Gt, greater), (Ge, greater || equal), (Eq, equal), (Ne, !equal)];
            for (op, holds) in comparisons {
                let left = fa.compared(op, fb, kind, holds);
                prop_assert!(left.is_some_and(|(p, q)| contains(p, x) && contains(q, y)), "{x} {op:?} {y}: {left:?}");
            }
            prop_assert!(contains(fa.negated(), x.negated()) && contains(fa.absolute(), x.absolute()));
            for to in [FloatKind::Float, FloatKind::Double, FloatKind::LongDouble] {
                prop_assert!(contains(fa.to_kind(to), x.to_kind(to)));
            }
            prop_assert!(contains(fa.monotone(kind, |v| v.whole(Rounding::Down)), x.whole(Rounding::Down)));
        }
    }
}
