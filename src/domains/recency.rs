//! The heap backwards: an allocation site has a base for its most recent block and one for all older ones.
//!
//! See: Milanese, Miné, "Under-approximating Memory Abstractions", Sect. 3, cases (7a)-(8c). Backwards, `expand` (the newer base
//! gets a copy of what the older holds) becomes the requirement that one content satisfies both, `fold` becomes `expand`. What
//! points to blocks of the site is renamed with them, which the cases leave out.

use super::cell::{Cell, CellExpr, CellState};
use super::lower::lower_meet;
use super::pointer::{BaseId, Pointers};
use super::value::Value;
use std::collections::BTreeSet;

/// The bases of an allocation site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    pub recent: BaseId,
    pub summary: BaseId,
}

/// A cell state and the bases that exist in it.
#[derive(Clone, Debug, PartialEq)]
pub struct HeapState {
    pub bases: BTreeSet<BaseId>,
    pub cells: CellState,
}

impl HeapState {
    fn cells_of(&self, base: BaseId) -> Vec<(Cell, Value)> {
        self.cells.cells.iter().filter(|(c, _)| c.base == base).map(|(c, v)| (*c, v.clone())).collect()
    }
    fn forget(&mut self, base: BaseId) {
        self.cells.cells.retain(|c, _| c.base != base);
    }
    /// `expand(from, to)` backwards: what holds of both bases has to hold of the one, and `to` may be anything.
    fn unexpand(&self, from: BaseId, to: BaseId) -> Option<HeapState> {
        let mut state = self.clone();
        for (cell, value) in self.cells_of(to) {
            let there = Cell { base: from, ..cell };
            state.cells.add_cell(there);
            let both = state.cells.cells[&there].lower_meet(&value);
            if both.is_bottom() {
                return None;
            }
            state.cells.cells.insert(there, both);
            state.cells.cells.insert(cell, cell.ty.top());
        }
        Some(state)
    }
    /// `fold(to, from)` backwards: the recent block will be one of the older ones, so that it has to hold what they do.
    fn unfold(&self, recent: BaseId, summary: BaseId) -> HeapState {
        let mut state = self.clone();
        state.forget(recent);
        for (cell, value) in self.cells_of(summary) {
            state.cells.cells.insert(Cell { base: recent, ..cell }, value);
        }
        state
    }
    /// The state with every pointer to objects changed; None when one of them is left with nothing.
    fn with_pointers(&self, change: impl Fn(&Pointers) -> Pointers) -> Option<HeapState> {
        let mut state = self.clone();
        for value in state.cells.cells.values_mut().filter(|v| !v.pointers.is_any()) {
            value.pointers = change(&value.pointers);
            if value.is_bottom() {
                return None;
            }
        }
        Some(state)
    }
    /// Before an allocation nothing points to the new block, and what points to an older one afterwards may point to the last
    /// one then.
    fn unaged(&self, site: Site) -> Option<HeapState> {
        let older = self.bases.contains(&site.summary);
        self.with_pointers(|pointers| {
            let others =
                pointers.filter_targets(|b, o| (b != site.recent && (older || b != site.summary)).then_some(o));
            match others.offset(site.summary) {
                Some(offset) => others.join(&Pointers::to(site.recent, offset)),
                None => others,
            }
        })
    }
    /// Before the last block is freed nothing points to it that is looked at afterwards, and what points to an older block may
    /// point to the last one that is left.
    fn unfreed(&self, site: Site) -> Option<HeapState> {
        self.with_pointers(|pointers| {
            let both = pointers.offset(site.recent).zip(pointers.offset(site.summary));
            let both = both.and_then(|(a, b)| lower_meet(a, b));
            let others = pointers.filter_targets(|b, o| (b != site.recent && b != site.summary).then_some(o));
            both.map_or(others.clone(), |offset| others.join(&Pointers::to(site.summary, offset)))
        })
    }
    /// Whether the content of a base may be anything.
    fn is_free(&self, base: BaseId) -> bool {
        self.cells_of(base).iter().all(|(cell, value)| cell.ty.top().leq(value))
    }

    /// States from which `pointer := malloc()` at the site leads into this one alone; None when none are known.
    ///
    /// A new block holds anything, so that a state which restricts its content has none. Of the two states that may stand before
    /// case (7a), that with both bases is taken.
    pub fn backward_malloc(&self, pointer: Cell, site: Site) -> Option<HeapState> {
        if !self.bases.contains(&site.recent) {
            return None; // (7c)
        }
        let address = CellExpr::Address(site.recent, 0);
        let cells = self.cells.backward_assign(pointer, &address)?;
        let state = HeapState { bases: self.bases.clone(), cells }.unaged(site)?;
        if !state.is_free(site.recent) {
            return None;
        }
        if self.bases.contains(&site.summary) {
            return Some(state.unfold(site.recent, site.summary)); // (7a)
        }
        let mut state = state; // (7b): before it there is no block of the site.
        state.forget(site.recent);
        state.bases.remove(&site.recent);
        Some(state)
    }

    /// States from which `free` of the site's recent block leads into this one alone; None when none are known.
    pub fn backward_free(&self, site: Site) -> Option<HeapState> {
        match (self.bases.contains(&site.recent), self.bases.contains(&site.summary)) {
            (true, true) => self.unexpand(site.summary, site.recent)?.unfreed(site), // (8a)
            (true, false) => None,                                                   // (8b)
            _ => {
                // (8c): the freed block may hold anything.
                let mut state = self.unfreed(site)?;
                state.bases.insert(site.recent);
                Some(state)
            }
        }
    }
}
