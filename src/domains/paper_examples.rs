//! The examples of the paper, with its numbers.
//!
//! See: Milanese, Miné, "Under-approximating Memory Abstractions".

use super::cell::{Cell, CellExpr, CellState, CellType};
use super::recency::{HeapState, Site};
use super::*;
use crate::ir::BinaryOp;

const V: BaseId = BaseId(0);
const P: BaseId = BaseId(1);
const Y: BaseId = BaseId(2);
const Z: BaseId = BaseId(3);
const RECENT: BaseId = BaseId(4);
const SUMMARY: BaseId = BaseId(5);
const N: BaseId = BaseId(6);
const M: BaseId = BaseId(7);

fn number(base: BaseId, bytes: u8, signed: bool) -> Cell {
    Cell { base, offset: 0, ty: CellType::Int { bytes, signed } }
}
fn pointer(base: BaseId) -> Cell {
    Cell { base, offset: 0, ty: CellType::Pointer { bytes: 8 } }
}
fn range(lo: i128, hi: i128) -> Value {
    Value::int(Int::range(lo, hi))
}
fn to(bases: &[BaseId]) -> Value {
    let all = bases.iter().fold(Pointers::none(), |all, b| all.join(&Pointers::to(*b, Int::constant(0))));
    Value::pointers(all)
}
fn plus(cell: Cell, n: i128) -> CellExpr {
    CellExpr::with_number(BinaryOp::Add, CellExpr::Cell(cell), n, cell.ty.int().expect("a number's cell"))
}

#[test]
fn example_1_overlapping_cells_that_disagree_have_no_state_in_common() {
    let (whole, byte) = (number(V, 4, false), number(V, 1, false));
    let agree = |n: i128| {
        let state = CellState::of([(whole, Value::constant(0))]);
        state.eval(&state.phi(byte)).lower_meet(&Value::constant(n))
    };
    assert_eq!(agree(0), Value::constant(0));
    assert!(agree(1).is_bottom());
}

#[test]
fn example_2_a_write_drops_the_cells_that_it_overlaps() {
    let (whole, byte) = (number(V, 4, false), number(V, 1, false));
    let mut state = CellState::of([(whole, Value::constant(0)), (byte, Value::constant(0))]);
    state.assign(whole, &CellExpr::Range(Int::constant(5)));
    assert_eq!(state, CellState::of([(whole, Value::constant(5))]));
    state.add_cell(byte);
    assert_eq!(state.cells[&byte], Value::constant(5));
}

#[test]
fn example_3_a_test_may_be_passed_or_failed() {
    let x = number(V, 1, true);
    // assume(x >= 0) into x in [0, 10]: from there, or where x is negative.
    let test = CellExpr::with_number(BinaryOp::Ge, CellExpr::Cell(x), 0, IntType::signed(32));
    let before = CellState::of([(x, range(0, 10))]).backward_assume(&test);
    assert_eq!(before, CellState::of([(x, range(-128, 10))]));
}

#[test]
fn examples_4_5_and_9_an_increment_backwards_agrees_with_overlapping_cells() {
    let (short, byte) = (number(V, 2, false), number(V, 1, false));
    let post = CellState::of([(short, Value::constant(1)), (byte, Value::constant(1))]);
    let before = post.backward_assign(short, &plus(short, 1)).expect("there is a state before");
    assert_eq!(before, CellState::of([(short, Value::constant(0))]));
    // A byte that disagrees leaves nothing.
    let post = CellState::of([(short, Value::constant(1)), (byte, Value::constant(2))]);
    assert_eq!(post.backward_assign(short, &plus(short, 1)), None);
}

#[test]
fn example_6_products_without_a_common_part_are_not_joined() {
    let (x, p) = (number(V, 4, true), pointer(P));
    let one = CellState::of([(x, range(0, 5)), (p, to(&[Y]))]);
    let two = CellState::of([(x, range(6, 10)), (p, to(&[Z]))]);
    // Part by part the joins would be exact.
    assert_eq!(range(0, 5).lower_join(&range(6, 10)), range(0, 10));
    assert_eq!(to(&[Y]).lower_join(&to(&[Z])), to(&[Y, Z]));
    assert_eq!(one.lower_join(&two), one);
}

#[test]
fn example_7_the_common_pointer_lets_the_numbers_be_joined() {
    let (x, p) = (number(V, 4, true), pointer(P));
    let one = CellState::of([(x, range(0, 5)), (p, to(&[Y]))]);
    let two = CellState::of([(x, range(6, 10)), (p, to(&[Y, Z]))]);
    assert_eq!(one.lower_join(&two), CellState::of([(x, range(0, 10)), (p, to(&[Y]))]));
}

#[test]
fn the_join_of_pointers_with_offsets_of_the_introduction_has_no_cross_terms() {
    let to = |base, offset| Value::pointers(Pointers::to(base, Int::constant(offset)));
    let joined = to(Y, 1).lower_join(&to(Z, 2));
    assert_eq!(joined.pointers.targets(), [(Y, Int::constant(1)), (Z, Int::constant(2))]);
}

#[test]
fn examples_10_and_11_a_removed_cell_moves_what_it_says() {
    let (byte, short) = (number(V, 1, false), number(V, 2, false));
    let state = CellState::of([(byte, range(0, 10)), (short, range(5, 15))]);
    let rest = state.remove_cell(byte).expect("there is a state left");
    assert_eq!(rest, CellState::of([(short, range(5, 10))]));
    // Proposition 2: with the cell back, it is inside of the state.
    let mut back = rest.clone();
    back.add_cell(byte);
    assert_eq!(back.cells[&byte], range(5, 10));
    assert!(rest.leq(&state));
}

#[test]
fn example_12_an_allocation_backwards_keeps_both_bases() {
    let (site, p) = (Site { recent: RECENT, summary: SUMMARY }, pointer(P));
    let state = |bases: &[BaseId]| HeapState {
        bases: bases.iter().copied().collect(),
        cells: CellState::of([(p, to(&[RECENT]))]),
    };
    let both = state(&[RECENT, SUMMARY]).backward_malloc(p, site).expect("(7a)");
    assert_eq!(both.bases, [RECENT, SUMMARY].into());
    let first = state(&[RECENT]).backward_malloc(p, site).expect("(7b)");
    assert!(first.bases.is_empty());
    assert_eq!(state(&[]).backward_malloc(p, site), None);
}

/// Example 13, Fig. 6 and Fig. 7: `n = input(0, 10); p = malloc(); *p = n + 1; m = *p; free(p); assert(m != 5)`.
#[test]
fn figure_7_is_the_backward_analysis_of_figure_6() {
    let site = Site { recent: RECENT, summary: SUMMARY };
    let int = |base| number(base, 4, true);
    let (recent, summary, n, m, p) = (int(RECENT), int(SUMMARY), int(N), int(M), pointer(P));
    let row = |state: &HeapState| [recent, summary, n, m].map(|c| state.cells.cells[&c].clone());
    let top = int(V).ty.top();

    // Line 9: m = 5 fails the assertion; the other bounds are the forward invariants.
    let after = CellState::of([(recent, range(0, 10)), (summary, range(0, 10)), (n, range(0, 10)), (m, range(5, 5))]);
    let line_9 = HeapState { bases: [RECENT, SUMMARY].into(), cells: after };
    assert_eq!(row(&line_9), [range(0, 10), range(0, 10), range(0, 10), range(5, 5)]);

    // Line 8: free(p) expanded the summary into the recent base.
    let line_8 = line_9.backward_free(site).expect("(8a)");
    assert_eq!(row(&line_8), [top.clone(), range(0, 10), range(0, 10), range(5, 5)]);

    // Line 7: m was read from the recent base.
    let cells = line_8.cells.backward_assign(m, &CellExpr::Cell(recent)).expect("m is free");
    let line_7 = HeapState { cells, ..line_8 };
    assert_eq!(row(&line_7), [range(5, 5), range(0, 10), range(0, 10), top.clone()]);

    // Line 6: the block was given n + 1 and is new.
    let mut cells = line_7.cells.backward_assign(recent, &plus(n, 1)).expect("n + 1 is 5");
    cells.cells.insert(p, to(&[RECENT]));
    let line_6 = HeapState { cells, ..line_7 }.backward_malloc(p, site).expect("(7a)");
    assert_eq!(row(&line_6), [range(0, 10), range(0, 10), range(4, 4), top]);
}

#[test]
fn freeing_backwards_has_its_three_cases() {
    let site = Site { recent: RECENT, summary: SUMMARY };
    let cell = |base| number(base, 4, true);
    let state = |recent: Value, bases: &[BaseId]| HeapState {
        bases: bases.iter().copied().collect(),
        cells: CellState::of([(cell(RECENT), recent), (cell(SUMMARY), range(0, 10))]),
    };
    let met = state(range(5, 20), &[RECENT, SUMMARY]).backward_free(site).expect("(8a)");
    assert_eq!(met.cells.cells[&cell(SUMMARY)], range(5, 10));
    // One block cannot hold what is in neither.
    assert_eq!(state(range(11, 20), &[RECENT, SUMMARY]).backward_free(site), None);
    assert_eq!(state(range(5, 20), &[RECENT]).backward_free(site), None);
    let none = HeapState { bases: [].into(), cells: CellState::default() };
    assert_eq!(none.backward_free(site).expect("(8c)").bases, [RECENT].into());
}
