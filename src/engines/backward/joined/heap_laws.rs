//! Laws of allocations and deaths of blocks backwards, by enumeration of heaps: what an allocation or a death makes of any heap
//! of the state before is in the state after.

use super::engine::Joined;
use crate::domains::cell::{Cell, CellState, CellType};
use crate::domains::{BaseId, Int, Pointers, Value};
use proptest::prelude::*;

/// The last block of a site, and all older ones.
const LAST: BaseId = BaseId(1);
const OLDER: BaseId = BaseId(2);
const IN_LAST: Cell = Cell { base: LAST, offset: 0, ty: CellType::Int { bytes: 1, signed: false } };
const IN_OLDER: Cell = Cell { base: OLDER, ..IN_LAST };
/// What gets the new block's address, and another pointer.
const RESULT: Cell = Cell { base: BaseId(8), offset: 0, ty: CellType::Pointer { bytes: 8 } };
const OTHER: Cell = Cell { base: BaseId(9), ..RESULT };

/// Contents that blocks have here.
const CONTENTS: [i128; 3] = [0, 7, 255];

/// Content, and whether it lives.
type Block = (i128, bool);

/// All blocks that a site has made, the oldest first, and the blocks that two pointers point to; None for null.
#[derive(Clone, Debug)]
struct Heap {
    blocks: Vec<Block>,
    result: Option<usize>,
    other: Option<usize>,
}

impl Heap {
    fn base(&self, block: usize) -> BaseId {
        if block + 1 == self.blocks.len() { LAST } else { OLDER }
    }
}

/// The heaps of up to `most` blocks.
fn heaps(most: usize) -> Vec<Heap> {
    let mut contents: Vec<Vec<Block>> = vec![Vec::new()];
    for length in 1..=most {
        let shorter: Vec<_> = contents.iter().filter(|c| c.len() == length - 1).cloned().collect();
        for (content, lives) in CONTENTS.iter().flat_map(|n| [(*n, true), (*n, false)]) {
            contents.extend(shorter.iter().map(|c| [c.clone(), vec![(content, lives)]].concat()));
        }
    }
    let pointers = |n: usize| std::iter::once(None).chain((0..n).map(Some));
    let mut all = Vec::new();
    for blocks in contents {
        for (result, other) in pointers(blocks.len()).flat_map(|r| pointers(blocks.len()).map(move |o| (r, o))) {
            all.push(Heap { blocks: blocks.clone(), result, other });
        }
    }
    all
}

fn holds(state: &CellState, heap: &Heap) -> bool {
    let number = |cell: Cell, n: i128| state.cells.get(&cell).is_none_or(|v| v.int.is_some_and(|i| i.contains(n)));
    let points = |cell: Cell, to: Option<usize>| {
        let Some(value) = state.cells.get(&cell) else { return true };
        match to {
            None => value.int.is_some_and(|i| i.contains(0)),
            Some(block) => {
                value.pointers.is_any() || value.pointers.offset(heap.base(block)).is_some_and(|o| o.contains(0))
            }
        }
    };
    let blocks = heap.blocks.iter().enumerate().all(|(i, (content, lives))| {
        let base = heap.base(i);
        number(Cell { base, ..IN_LAST }, *content) && number(Joined::life(base), (*lives).into())
    });
    blocks && points(RESULT, heap.result) && points(OTHER, heap.other)
}

fn content() -> impl Strategy<Value = Option<Value>> {
    let range = (0i128..256, 0i128..256).prop_map(|(lo, width)| Value::int(Int::range(lo, (lo + width).min(255))));
    proptest::option::of(range)
}

fn life() -> impl Strategy<Value = Option<Value>> {
    proptest::option::of((0i128..2).prop_map(Value::constant))
}

/// Null, the last block, the older ones, or some of them; or nothing is said.
fn pointer() -> impl Strategy<Value = Option<Value>> {
    (1usize..16).prop_map(|bits| {
        let to =
            |bit: usize, base| if bits & bit != 0 { Pointers::to(base, Int::constant(0)) } else { Pointers::none() };
        let int = (bits & 1 != 0).then(|| Int::constant(0));
        let value = Value { int, pointers: to(2, LAST).join(&to(4, OLDER)), ..Value::default() };
        (bits & 8 == 0 && !value.is_bottom()).then_some(value)
    })
}

fn state() -> impl Strategy<Value = CellState> {
    let numbers = (content(), content(), life(), life());
    (numbers, pointer(), pointer()).prop_map(|((last, older, last_lives, older_live), result, other)| {
        let cells = [
            (IN_LAST, last),
            (IN_OLDER, older),
            (Joined::life(LAST), last_lives),
            (Joined::life(OLDER), older_live),
            (RESULT, result),
            (OTHER, other),
        ];
        CellState::of(cells.into_iter().filter_map(|(c, v)| Some((c, v?))))
    })
}

proptest! {
    #[test]
    fn an_allocation_leads_into_the_state_after(after in state(), zeroed: bool, first: bool) {
        // Without a base for older blocks there is none when the block is made.
        let (older, most) = if first { (None, 0) } else { (Some(OLDER), 2) };
        let Some(before) = after.before_block(RESULT, &[], (LAST, older), zeroed) else { return Ok(()) };
        for heap in heaps(most).into_iter().filter(|h| holds(&before, h)) {
            for content in CONTENTS.into_iter().filter(|n| !zeroed || *n == 0) {
                let mut made = heap.clone();
                made.blocks.push((content, true));
                made.result = Some(heap.blocks.len());
                prop_assert!(holds(&after, &made), "{:?} becomes {:?}", heap, made);
            }
        }
    }

    #[test]
    fn a_death_leads_into_the_state_after(after in state()) {
        for (base, is_summary) in [(LAST, false), (OLDER, true)] {
            let Some(before) = after.before_death(base, is_summary) else { continue };
            for heap in heaps(3).into_iter().filter(|h| holds(&before, h)) {
                for block in (0..heap.blocks.len()).filter(|b| heap.base(*b) == base && heap.blocks[*b].1) {
                    let mut left = heap.clone();
                    left.blocks[block].1 = false;
                    prop_assert!(holds(&after, &left), "{:?} becomes {:?}", heap, left);
                }
            }
        }
    }
}

/// A pointer to an older block after the allocation may have been one to the last block before; nothing pointed to the new one.
#[test]
fn pointers_age_with_their_blocks() {
    let with = |base| CellState::of([(OTHER, Value::pointers(Pointers::to(base, Int::constant(0))))]);
    let before = |base| with(base).before_block(RESULT, &[], (LAST, Some(OLDER)), false);
    let targets: Vec<BaseId> = before(OLDER).expect("an older block is pointed to").cells[&OTHER]
        .pointers
        .targets()
        .iter()
        .map(|t| t.0)
        .collect();
    assert_eq!(targets, [LAST, OLDER]);
    assert_eq!(before(LAST), None);
}

/// A new block holds anything, so that a state which asks for a content has none before it; its twin from `calloc` holds zeros.
#[test]
fn what_a_new_block_holds_is_not_chosen() {
    let with = |n| CellState::of([(IN_LAST, Value::constant(n))]);
    let is_possible = |n, zeroed| with(n).before_block(RESULT, &[], (LAST, Some(OLDER)), zeroed).is_some();
    assert!(!is_possible(0, false));
    assert!(is_possible(0, true));
    assert!(!is_possible(5, true));
}

/// A heap lives on: all older blocks cannot die at once, the last one can.
#[test]
fn one_block_dies_at_a_time() {
    let dead = |base| CellState::of([(Joined::life(base), Value::constant(0))]);
    assert_eq!(dead(LAST).before_death(LAST, false), Some(CellState::default()));
    assert_eq!(dead(OLDER).before_death(OLDER, true), Some(dead(OLDER)));
    let lives = |base| CellState::of([(Joined::life(base), Value::constant(1))]);
    assert_eq!(lives(LAST).before_death(LAST, false), None);
    assert_eq!(lives(OLDER).before_death(OLDER, true), None);
}
