//! Laws of the heap's backward cases, (7a)-(8c), by enumeration of heaps: what an allocation or a free makes of any heap of the
//! state before is in the state after.

use super::cell::{Cell, CellState, CellType};
use super::recency::{HeapState, Site};
use super::*;
use proptest::prelude::*;

const SITE: Site = Site { recent: BaseId(1), summary: BaseId(2) };
const RECENT: Cell = Cell { base: SITE.recent, offset: 0, ty: CellType::Int { bytes: 1, signed: false } };
const SUMMARY: Cell = Cell { base: SITE.summary, ..RECENT };
/// What gets the new block's address, and another pointer.
const RESULT: Cell = Cell { base: BaseId(8), offset: 0, ty: CellType::Pointer { bytes: 8 } };
const OTHER: Cell = Cell { base: BaseId(9), ..RESULT };

/// Contents that blocks have here.
const CONTENTS: [i128; 4] = [0, 7, 100, 255];

/// The site's live blocks, the oldest first, and the blocks that two pointers point to; None for null.
#[derive(Clone, Debug)]
struct Heap {
    blocks: Vec<i128>,
    result: Option<usize>,
    other: Option<usize>,
}

fn heaps() -> Vec<Heap> {
    let mut contents: Vec<Vec<i128>> = vec![Vec::new()];
    for length in 1..4 {
        let longer = contents.iter().filter(|c| c.len() == length - 1);
        let longer: Vec<_> = longer.flat_map(|c| CONTENTS.map(|n| [c.clone(), vec![n]].concat())).collect();
        contents.extend(longer);
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

fn holds(state: &HeapState, heap: &Heap) -> bool {
    let exists = |base| state.bases.contains(&base);
    let fits = match (exists(SITE.recent), exists(SITE.summary)) {
        (false, _) => heap.blocks.is_empty(),
        (true, false) => heap.blocks.len() == 1,
        (true, true) => true,
    };
    let last = heap.blocks.len().wrapping_sub(1);
    let number =
        |cell: Cell, n: i128| state.cells.cells.get(&cell).is_none_or(|v| v.int.is_some_and(|i| i.contains(n)));
    let content = heap.blocks.iter().enumerate().all(|(i, n)| number(if i == last { RECENT } else { SUMMARY }, *n));
    let points = |cell: Cell, to: Option<usize>| {
        let Some(value) = state.cells.cells.get(&cell) else { return true };
        match to {
            None => value.int.is_some_and(|i| i.contains(0)),
            Some(i) => {
                let base = if i == last { SITE.recent } else { SITE.summary };
                value.pointers.is_any() || value.pointers.offset(base).is_some_and(|o| o.contains(0))
            }
        }
    };
    fits && content && points(RESULT, heap.result) && points(OTHER, heap.other)
}

fn content() -> impl Strategy<Value = Option<Value>> {
    proptest::option::of(
        (0i128..256, 0i128..256).prop_map(|(lo, width)| Value::int(Int::range(lo, (lo + width).min(255)))),
    )
}

/// Null, the last block, the older ones, or some of them; or nothing is said.
fn pointer() -> impl Strategy<Value = Option<Value>> {
    (1usize..16).prop_map(|bits| {
        let to =
            |bit: usize, base| if bits & bit != 0 { Pointers::to(base, Int::constant(0)) } else { Pointers::none() };
        let int = (bits & 1 != 0).then(|| Int::constant(0));
        let value = Value { int, pointers: to(2, SITE.recent).join(&to(4, SITE.summary)), ..Value::default() };
        (bits & 8 == 0 && !value.is_bottom()).then_some(value)
    })
}

fn state() -> impl Strategy<Value = HeapState> {
    (0usize..3, content(), content(), pointer(), pointer()).prop_map(|(bases, recent, summary, result, other)| {
        let cells = [(RECENT, recent), (SUMMARY, summary), (RESULT, result), (OTHER, other)];
        HeapState {
            bases: [SITE.recent, SITE.summary].into_iter().take(bases).collect(),
            cells: CellState::of(cells.into_iter().filter_map(|(c, v)| Some((c, v?)))),
        }
    })
}

proptest! {
    #[test]
    fn an_allocation_leads_into_the_state_after(after in state()) {
        let Some(before) = after.backward_malloc(RESULT, SITE) else { return Ok(()) };
        prop_assert!(after.bases.contains(&SITE.recent), "(7c): there is a block afterwards");
        for heap in heaps().into_iter().filter(|h| holds(&before, h)) {
            for new in CONTENTS {
                let mut made = heap.clone();
                made.blocks.push(new);
                made.result = Some(heap.blocks.len());
                prop_assert!(holds(&after, &made), "{:?} becomes {:?}", heap, made);
            }
        }
    }

    #[test]
    fn a_free_of_the_last_block_leads_into_the_state_after(after in state()) {
        let Some(before) = after.backward_free(SITE) else { return Ok(()) };
        let cases = (after.bases.contains(&SITE.recent), after.bases.contains(&SITE.summary));
        prop_assert!(cases != (true, false), "(8b)");
        for heap in heaps().into_iter().filter(|h| !h.blocks.is_empty() && holds(&before, h)) {
            let last = heap.blocks.len() - 1;
            let mut left = heap.clone();
            left.blocks.pop();
            let mut asked = after.clone();
            for (pointer, cell) in [(&mut left.result, RESULT), (&mut left.other, OTHER)] {
                if *pointer == Some(last) {
                    // It dangles from here on: no state that says where it points has it.
                    let said = asked.cells.cells.remove(&cell);
                    prop_assert!(said.is_none_or(|v| v.pointers.is_any()), "{:?} points to what is freed", heap);
                    *pointer = None;
                }
            }
            prop_assert!(holds(&asked, &left), "{:?} becomes {:?}", heap, left);
        }
    }
}

/// The cases one by one: which bases there are before.
#[test]
fn each_case_has_its_bases() {
    let state = |bases: &[BaseId]| HeapState { bases: bases.iter().copied().collect(), cells: CellState::default() };
    let (none, one, both) = (state(&[]), state(&[SITE.recent]), state(&[SITE.recent, SITE.summary]));
    let bases = |state: Option<HeapState>| state.map(|s| s.bases.len());
    assert_eq!(bases(both.backward_malloc(RESULT, SITE)), Some(2), "(7a)");
    assert_eq!(bases(one.backward_malloc(RESULT, SITE)), Some(0), "(7b)");
    assert_eq!(bases(none.backward_malloc(RESULT, SITE)), None, "(7c)");
    assert_eq!(bases(both.backward_free(SITE)), Some(2), "(8a)");
    assert_eq!(bases(one.backward_free(SITE)), None, "(8b)");
    assert_eq!(bases(none.backward_free(SITE)), Some(1), "(8c)");
}

/// A pointer to the last block points to an older one after the next allocation, and to the twin's, which is new, does not.
#[test]
fn pointers_age_with_their_blocks() {
    let with = |base| HeapState {
        bases: [SITE.recent, SITE.summary].into(),
        cells: CellState::of([(OTHER, Value::pointers(Pointers::to(base, Int::constant(0))))]),
    };
    let before = with(SITE.summary).backward_malloc(RESULT, SITE).expect("an older block is pointed to");
    let targets: Vec<BaseId> = before.cells.cells[&OTHER].pointers.targets().iter().map(|t| t.0).collect();
    assert_eq!(targets, [SITE.recent, SITE.summary]);
    assert_eq!(with(SITE.recent).backward_malloc(RESULT, SITE), None);
}
