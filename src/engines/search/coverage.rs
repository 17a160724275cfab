//! Which edges of the control-flow graph runs have taken, and how often.

use crate::concrete::{Machine, Observer};
use crate::ir::{BlockId, FuncId};
use rustc_hash::FxHashMap;

/// The edges of one run with their counts.
#[derive(Debug, Default)]
pub struct Edges {
    counts: FxHashMap<(FuncId, BlockId, FuncId, BlockId), u32>,
    last: Option<(FuncId, BlockId)>,
}

impl Observer for Edges {
    fn enter_block(&mut self, function: FuncId, block: BlockId, _: &Machine<'_>) {
        let (f, b) = self.last.replace((function, block)).unwrap_or((function, block));
        let count = self.counts.entry((f, b, function, block)).or_insert(0);
        *count = count.saturating_add(1);
    }
}

/// What all runs have covered.
#[derive(Debug, Default)]
pub struct Coverage {
    /// Per edge, a bit for each order of magnitude that its count has had in some run.
    seen: FxHashMap<(FuncId, BlockId, FuncId, BlockId), u32>,
}

impl Coverage {
    /// Adds a run; whether it has shown anything new.
    pub fn add(&mut self, run: &Edges) -> bool {
        let mut new = false;
        for (edge, count) in &run.counts {
            let bit = 1 << (32 - count.leading_zeros());
            let seen = self.seen.entry(*edge).or_insert(0);
            new |= *seen & bit == 0;
            *seen |= bit;
        }
        new
    }
}
