//! The examples of the paper, with its numbers.
//!
//! See: Milanese, Miné, "Under-approximating Memory Abstractions".

use super::cell::{Cell, CellExpr, CellState, CellType};
use super::*;
use crate::ir::BinaryOp;

const V: BaseId = BaseId(0);
const P: BaseId = BaseId(1);
const Y: BaseId = BaseId(2);
const Z: BaseId = BaseId(3);

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
fn examples_4_5_and_9_an_increment_backwards_agrees_with_overlapping_cells() {
    let (short, byte) = (number(V, 2, false), number(V, 1, false));
    let post = CellState::of([(short, Value::constant(1)), (byte, Value::constant(1))]);
    let before = post.backward_assign(short, &plus(short, 1), &[]).expect("there is a state before");
    assert_eq!(before, CellState::of([(short, Value::constant(0))]));
    // A byte that disagrees leaves nothing.
    let post = CellState::of([(short, Value::constant(1)), (byte, Value::constant(2))]);
    assert_eq!(post.backward_assign(short, &plus(short, 1), &[]), None);
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
