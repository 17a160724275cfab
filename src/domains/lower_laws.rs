//! Laws of the lower operators, by enumeration of members.

use super::cell::{Cell, CellExpr, CellState, CellType};
use super::congruence::Congruence;
use super::lower::{count, lower_join, lower_join_products, lower_meet, lower_widen};
use super::*;
use crate::base::Idx;
use crate::ir::{BinaryOp, FuncId};
use proptest::prelude::*;

fn int() -> impl Strategy<Value = Int> {
    (-40i128..40, 0i128..40, 1i128..6, 0i128..6, any::<u8>()).prop_map(|(lo, width, m, r, at)| {
        let all = Int::reduce(Interval { lo, hi: lo + width }, Congruence::new(m, r)).unwrap_or(Int::constant(lo));
        all.except(lo + width * i128::from(at) / 200).unwrap_or(all)
    })
}

fn members(a: Int) -> Vec<i128> {
    a.members(1000).expect("samples are small")
}

/// Numbers, pointers to two bases with small offsets, or both, perhaps indeterminate.
fn value() -> impl Strategy<Value = Value> {
    let part = || proptest::option::of(int());
    (part(), part(), part(), any::<bool>()).prop_map(|(number, p, q, undefined)| {
        let to = |base, offset: Option<Int>| offset.map_or(Pointers::none(), |o| Pointers::to(BaseId(base), o));
        Value { int: number, pointers: to(0, p).join(&to(1, q)), undefined, ..Value::default() }
    })
}

/// One value of a set: which part it is of, and the number or offset.
fn points(v: &Value) -> Vec<(u32, i128)> {
    let mut all: Vec<(u32, i128)> = v.int.iter().flat_map(|i| members(*i)).map(|n| (9, n)).collect();
    all.extend(v.pointers.targets().iter().flat_map(|(b, o)| members(*o).into_iter().map(move |n| (b.0, n))));
    all.extend(v.undefined.then_some((7, 0)));
    all
}

fn number_cell(offset: u64, bytes: u8, signed: bool) -> Cell {
    Cell { base: BaseId(0), offset, ty: CellType::Int { bytes, signed } }
}

proptest! {
    #[test]
    fn members_are_counted(a in int()) {
        prop_assert_eq!(count(a), members(a).len() as u128);
    }

    #[test]
    fn a_lower_join_is_inside_of_the_union_and_no_smaller_than_either(a in int(), b in int()) {
        let join = lower_join(a, b);
        for x in members(join) {
            prop_assert!(a.contains(x) || b.contains(x), "{} of {} is in neither {} nor {}", x, join, a, b);
        }
        prop_assert!(count(join) >= count(a).max(count(b)));
        if a.leq(b) {
            prop_assert_eq!(count(join), count(b));
        }
    }

    #[test]
    fn a_lower_meet_is_the_intersection(a in int(), b in int()) {
        let meet = lower_meet(a, b);
        let both = |x| a.contains(x) && b.contains(x);
        let two_holes = a.hole().zip(b.hole()).is_some_and(|(p, q)| p != q);
        for x in -100..100 {
            let kept = meet.is_some_and(|m| m.contains(x));
            prop_assert!(!kept || both(x), "{} of {} and {}", x, a, b);
            prop_assert!(kept || !both(x) || two_holes, "{} of {} and {}", x, a, b);
        }
    }

    #[test]
    fn a_lower_widening_is_inside_of_the_intersection_and_ends(
        start in int(), steps in proptest::collection::vec(int(), 1..40)
    ) {
        let (mut now, mut changes) = (Some(start), 0);
        for next in steps {
            let Some(a) = now else { break };
            let widened = lower_widen(a, next, &[-30, -10, 0, 10, 30]);
            for x in widened.into_iter().flat_map(members) {
                prop_assert!(a.contains(x) && next.contains(x));
            }
            changes += usize::from(widened != now);
            now = widened;
        }
        prop_assert!(changes <= 12, "{} changes", changes);
    }

    #[test]
    fn lower_operators_of_values_are_inside(a in value(), b in value()) {
        let (p, q) = (points(&a), points(&b));
        for x in points(&a.lower_join(&b)) {
            prop_assert!(p.contains(&x) || q.contains(&x), "{:?}", x);
        }
        for met in [a.lower_meet(&b), a.lower_widen(&b, &[-20, 0, 20])] {
            for x in points(&met) {
                prop_assert!(p.contains(&x) && q.contains(&x), "{:?}", x);
            }
        }
    }

    #[test]
    fn a_lower_join_of_products_has_no_cross_terms(
        a in proptest::collection::vec(value(), 2..4), b in proptest::collection::vec(value(), 3)
    ) {
        let b = &b[..a.len().min(3)];
        let a = &a[..b.len()];
        prop_assume!(a.iter().chain(b).all(|v| !v.is_bottom()));
        let joined = lower_join_products(a, b);
        let inside = |product: &[Value], point: &[(u32, i128)]| product.iter().zip(point).all(|(v, x)| points(v).contains(x));
        // A few points of the product: first, last and middle members of each part.
        let some = |v: &Value| { let all = points(v); vec![all[0], all[all.len() / 2], all[all.len() - 1]] };
        let parts: Vec<Vec<(u32, i128)>> = joined.iter().map(some).collect();
        for n in 0..3usize.pow(parts.len() as u32) {
            let point: Vec<(u32, i128)> = parts.iter().enumerate().map(|(i, p)| p[n / 3usize.pow(i as u32) % 3]).collect();
            prop_assert!(inside(a, &point) || inside(b, &point), "{:?}", point);
        }
    }

    #[test]
    fn every_state_before_an_assignment_leads_into_the_postcondition(
        lo in 0i128..256, width in 0i128..100, from in 0i128..200, span in 0i128..56, k in -20i128..20, op in 0usize..6
    ) {
        let (x, y) = (number_cell(0, 1, false), number_cell(8, 1, false));
        let ty = IntType::unsigned(8);
        let op = [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::And, BinaryOp::Xor, BinaryOp::Rem][op];
        let e = CellExpr::with_number(op, CellExpr::Cell(x), k.rem_euclid(256).max(1), ty);
        let goal = Int::range(lo, (lo + width).min(255));
        let post = CellState::of([(x, Value::int(Int::range(from, from + span))), (y, Value::int(goal))]);
        let before = post.backward_assign(y, &e, &[]);
        for n in before.iter().flat_map(|s| members(s.cells[&x].int.expect("a number"))) {
            let point = CellState::of([(x, Value::constant(n))]).eval(&e).as_constant().expect("constants give a constant");
            prop_assert!((from..=from + span).contains(&n) && goal.contains(point), "{} gives {}", n, point);
        }
    }

    #[test]
    fn what_a_removed_cell_said_is_said_by_the_others(lo in 0i128..256, width in 0i128..256, from in 0i128..65000, span in 0i128..600) {
        let (byte, short) = (number_cell(0, 1, false), number_cell(0, 2, false));
        let said = Int::range(lo, (lo + width).min(255));
        let numbers = Int::range(from, from + span);
        let state = CellState::of([(byte, Value::int(said)), (short, Value::int(numbers))]);
        if let Some(rest) = state.remove_cell(byte) {
            prop_assert!(!rest.cells.contains_key(&byte));
            for n in members(rest.cells[&short].int.expect("a number")) {
                prop_assert!(numbers.contains(n) && said.contains(n & 255), "{}", n);
            }
        }
    }

    #[test]
    fn lower_operators_of_pointers_and_floats_are_inside(a in wide(), b in wide()) {
        let joined = a.lower_join(&b);
        let lower = [a.lower_meet(&b), a.lower_widen(&b, &[-20, 0, 20])];
        for x in universe() {
            prop_assert!(!has(&joined, x) || has(&a, x) || has(&b, x), "{:?} of {:?}", x, joined);
            for met in &lower {
                prop_assert!(!has(met, x) || (has(&a, x) && has(&b, x)), "{:?} of {:?}", x, met);
            }
        }
        if a.leq(&b) {
            prop_assert!(universe().all(|x| !has(&b, x) || has(&joined, x)), "{:?} is less than {:?}", joined, b);
        }
    }

    #[test]
    fn chains_of_lower_widenings_of_values_end(start in wide(), next in proptest::collection::vec(wide(), 1..60)) {
        let (mut now, mut changes) = (start, 0);
        for value in next {
            let widened = now.lower_widen(&value, &[-30, -10, 0, 10, 30]);
            changes += usize::from(widened != now);
            now = widened;
        }
        prop_assert!(changes <= 48, "{} changes", changes);
    }
}

/// A value of any kind, to see whether a set has it.
#[derive(Clone, Copy, Debug)]
enum Point {
    Number(i128),
    Float(f64),
    To(u32, i128),
    Function(u32),
    /// The address of an object that nobody names.
    Wild,
    Indeterminate,
}

fn universe() -> impl Iterator<Item = Point> {
    let floats = [-3.5, -1.0, 0.0, 0.5, 1.0, 2.0, 7.25, 9.0, f64::INFINITY, f64::NAN];
    (-45..90)
        .map(Point::Number)
        .chain(floats.into_iter().map(Point::Float))
        .chain((0..3).flat_map(|b| (-45..90).map(move |o| Point::To(b, o))))
        .chain((0..3).map(Point::Function))
        .chain([Point::Wild, Point::Indeterminate])
}

fn has(v: &Value, x: Point) -> bool {
    let wild = v.pointers.is_any();
    match x {
        Point::Number(n) => v.int.is_some_and(|i| i.contains(n)),
        Point::Float(n) => v.float.is_some_and(|f| f.contains(n)),
        Point::To(b, o) => wild || v.pointers.offset(BaseId(b)).is_some_and(|i| i.contains(o)),
        Point::Function(f) => wild || v.pointers.functions().contains(&FuncId::new(f as usize)),
        Point::Wild => wild,
        Point::Indeterminate => v.undefined,
    }
}

/// Values with functions, floats and wild pointers, too.
fn wide() -> impl Strategy<Value = Value> {
    let floats = proptest::option::of((-4i8..8, 0i8..6, any::<bool>()));
    (value(), floats, proptest::collection::vec(0u32..3, 0..3), 0usize..8).prop_map(
        |(value, float, functions, wild)| {
            let float = float.map(|(lo, width, nan)| {
                let range = Float::range(lo.into(), (lo + width).into());
                if nan { range.join(Float::constant(f64::NAN)) } else { range }
            });
            let functions = functions.into_iter().map(|f| Pointers::function(FuncId::new(f as usize)));
            let pointers = functions.fold(value.pointers.clone(), |all, f| all.join(&f));
            let pointers = if wild == 0 { pointers.join(&Pointers::any()) } else { pointers };
            Value { float, pointers, ..value }
        },
    )
}
