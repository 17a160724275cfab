//! Laws of the lower operators of cell states, by enumeration of memories.

use super::cell::{Cell, CellExpr, CellState, CellType};
use super::cell_set::CellStates;
use super::*;
use crate::ir::BinaryOp;
use proptest::prelude::*;

const SHORT: Cell = number(0, 0, 2);
const LOW: Cell = number(0, 0, 1);
const OTHER: Cell = number(0, 8, 1);

const fn number(base: u32, offset: u64, bytes: u8) -> Cell {
    Cell { base: BaseId(base), offset, ty: CellType::Int { bytes, signed: false } }
}

fn range(most: i128) -> impl Strategy<Value = Int> {
    (0..most, 0..most).prop_map(move |(lo, width)| Int::range(lo, (lo + width).min(most)))
}

/// A state that speaks of a number, of its low byte, of another byte, or not.
fn state() -> impl Strategy<Value = CellState> {
    let part = |most| proptest::option::of(range(most));
    (part(300), part(255), part(255)).prop_map(|(short, low, other)| {
        let cells = [(SHORT, short), (LOW, low), (OTHER, other)];
        CellState::of(cells.into_iter().filter_map(|(c, v)| Some((c, Value::int(v?)))))
    })
}

/// Some memories: the number, the other byte.
fn memories() -> impl Iterator<Item = (i128, i128)> {
    let numbers = (0..340).step_by(3).chain([254, 255, 256, 257, 511, 512]);
    numbers.flat_map(|n| [0, 1, 7, 100, 128, 254, 255].map(|o| (n, o)))
}

fn holds(state: &CellState, (short, other): (i128, i128)) -> bool {
    state.cells.iter().all(|(cell, value)| {
        let number = match *cell {
            SHORT => short,
            LOW => short & 255,
            _ => other,
        };
        value.int.is_some_and(|i| i.contains(number))
    })
}

fn any_holds(states: &CellStates, memory: (i128, i128)) -> bool {
    states.parts().iter().any(|s| holds(s, memory))
}

/// Expressions over the number and the other byte.
fn expression() -> impl Strategy<Value = CellExpr> {
    let leaf = prop_oneof![
        Just(CellExpr::Cell(SHORT)),
        Just(CellExpr::Cell(OTHER)),
        (-20i128..300).prop_map(|n| CellExpr::Range(Int::constant(n))),
    ];
    leaf.prop_recursive(3, 8, 2, |inner| {
        let op = prop_oneof![
            Just(BinaryOp::Add),
            Just(BinaryOp::Sub),
            Just(BinaryOp::Mul),
            Just(BinaryOp::And),
            Just(BinaryOp::Lt),
            Just(BinaryOp::Eq),
            Just(BinaryOp::Ne),
            Just(BinaryOp::Ge),
        ];
        let ty = prop_oneof![Just(IntType::signed(32)), Just(IntType::unsigned(8))];
        prop_oneof![
            (op, inner.clone(), inner.clone(), ty.clone()).prop_map(|(op, a, b, ty)| {
                let of_type = |e| Box::new(CellExpr::Convert(Box::new(e), ty));
                CellExpr::Binary(op, of_type(a), of_type(b), ty)
            }),
            (inner, ty).prop_map(|(a, ty)| CellExpr::Convert(Box::new(a), ty)),
        ]
    })
}

fn value_at(e: &CellExpr, (short, other): (i128, i128)) -> i128 {
    let point = CellState::of([(SHORT, Value::constant(short)), (OTHER, Value::constant(other))]);
    point.eval(e).as_constant().expect("constants give a constant")
}

proptest! {
    #[test]
    fn lower_operators_of_states_are_inside(a in state(), b in state()) {
        let joined = a.lower_join(&b);
        let (met, widened) = (a.lower_meet(&b), a.lower_widen(&b, &[0, 50, 100, 255]));
        for m in memories() {
            prop_assert!(!holds(&joined, m) || holds(&a, m) || holds(&b, m), "{:?}", m);
            for lower in [&met, &widened].into_iter().flatten() {
                prop_assert!(!holds(lower, m) || (holds(&a, m) && holds(&b, m)), "{:?}", m);
            }
        }
    }

    #[test]
    fn lower_operators_of_several_states_are_inside(
        a in proptest::collection::vec(state(), 0..12), b in proptest::collection::vec(state(), 1..4)
    ) {
        let (p, q) = (CellStates::of(a.clone()), CellStates::of(b));
        let mut joined = p.clone();
        joined.lower_join(q.clone());
        let (met, widened) = (p.lower_meet(&q), p.lower_widen(&q, &[0, 100, 255]));
        for m in memories() {
            prop_assert!(!any_holds(&p, m) || a.iter().any(|s| holds(s, m)), "{:?}", m);
            prop_assert!(!any_holds(&joined, m) || any_holds(&p, m) || any_holds(&q, m), "{:?}", m);
            for lower in [&met, &widened] {
                prop_assert!(!any_holds(lower, m) || (any_holds(&p, m) && any_holds(&q, m)), "{:?}", m);
            }
        }
        prop_assert!(!p.leq(&q) || memories().all(|m| !any_holds(&p, m) || any_holds(&q, m)));
    }

    #[test]
    fn narrowing_loses_nothing_and_restricting_gains_nothing(s in state(), e in expression(), goal in range(300)) {
        let goal = Value::int(goal);
        let mut narrowed = s.clone();
        let some = narrowed.narrow(&e, &goal);
        let restricted = s.restrict(&e, &goal);
        for m in memories().filter(|m| holds(&s, *m)) {
            let reached = goal.int.is_some_and(|g| g.contains(value_at(&e, m)));
            prop_assert!(!reached || (some && holds(&narrowed, m)), "{:?} is lost", m);
        }
        for m in memories() {
            if restricted.as_ref().is_some_and(|r| holds(r, m)) {
                prop_assert!(holds(&s, m), "{:?} is new", m);
                prop_assert!(goal.int.is_some_and(|g| g.contains(value_at(&e, m))), "{:?} misses the goal", m);
            }
        }
    }

    #[test]
    fn removing_overlapping_cells_keeps_what_they_say(s in state()) {
        for cell in [SHORT, LOW] {
            if let Some(rest) = s.remove_overlapping(cell) {
                prop_assert!(rest.cells.keys().all(|c| *c == cell || !c.overlaps(cell)));
                for m in memories() {
                    prop_assert!(!holds(&rest, m) || holds(&s, m), "{:?}", m);
                }
            }
        }
    }

    #[test]
    fn joining_a_state_with_a_part_of_it_loses_nothing(a in state(), b in state()) {
        // (5a) and (5b).
        if a.leq(&b) {
            let (one, two) = (a.lower_join(&b), b.lower_join(&a));
            for m in memories().filter(|m| holds(&b, *m)) {
                prop_assert!(holds(&one, m) && holds(&two, m), "{:?} is lost", m);
            }
        }
    }

    #[test]
    fn chains_of_lower_widenings_of_states_end(
        start in proptest::collection::vec(state(), 1..6), next in proptest::collection::vec(state(), 1..60)
    ) {
        let (mut now, mut changes) = (CellStates::of(start), 0);
        for state in next {
            let widened = now.lower_widen(&CellStates::of([state]), &[0, 10, 100, 255]);
            changes += usize::from(widened != now);
            now = widened;
        }
        // Each bound of each cell of each part passes each threshold at most once.
        prop_assert!(changes <= 6 * 3 * 2 * 6, "{} changes", changes);
    }
}
