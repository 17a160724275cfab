//! [`Strategy`]: what rules say of how calls, functions and loops are analysed.

use super::ids::Ids;
use crate::datalog::programs::strategy;
use crate::ir::entry::Extents;
use crate::ir::{BlockId, CallId, FuncId, Program};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Bounds of single calls, functions and loops (`rules/strategy/`). What none is given for has that of the analysis's options.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Strategy {
    callees: FxHashMap<CallId, usize>,
    contexts: FxHashMap<FuncId, usize>,
    turns: FxHashMap<(FuncId, BlockId), usize>,
    extents: Arc<Extents>,
}

/// One bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bound {
    /// The call is followed where it may lead to at most so many functions, else joined; 0: it stands for its effects.
    Callees(CallId, usize),
    /// So many entry states of the function are analysed apart.
    Contexts(FuncId, usize),
    /// Where executions start in the function, its parameter of the first number leads to as many elements as that of the second says.
    Extent(FuncId, u32, u32),
    /// So many turns of the loop entered at the block are analysed apart while it cannot end.
    Turns(FuncId, BlockId, usize),
}

impl Strategy {
    /// What the built-in rules say.
    pub fn new(program: &Program, ids: &Ids, results: &strategy::Results) -> Strategy {
        let mut out = Strategy::default();
        let count = |n: i64| usize::try_from(n).unwrap_or(0);
        for row in &results.strategy_callees {
            out.add(Bound::Callees(ids.call(row.call), count(row.most)));
        }
        for row in &results.strategy_contexts {
            out.add(Bound::Contexts(ids.function(row.function), count(row.most)));
        }
        let number = |n: i64| u32::try_from(n).unwrap_or(u32::MAX);
        for row in &results.strategy_extents {
            out.add(Bound::Extent(ids.function(row.function), number(row.pointer), number(row.counter)));
        }
        let most: FxHashMap<_, _> = results.strategy_turns.iter().map(|row| (row.header, count(row.most))).collect();
        for (function, body) in program.functions.iter_enumerated().filter(|_| !most.is_empty()) {
            for block in body.blocks.indices() {
                if let Some(turns) = most.get(&ids.named_block(function, block)) {
                    out.add(Bound::Turns(function, block, *turns));
                }
            }
        }
        out
    }

    /// Adds a bound. Of several for one thing the largest counts.
    pub fn add(&mut self, bound: Bound) {
        let (known, most) = match bound {
            Bound::Callees(call, most) => (self.callees.entry(call).or_insert(most), most),
            Bound::Contexts(function, most) => (self.contexts.entry(function).or_insert(most), most),
            Bound::Turns(function, header, most) => (self.turns.entry((function, header)).or_insert(most), most),
            Bound::Extent(function, pointer, count) => {
                let known = Arc::make_mut(&mut self.extents).entry((function, pointer)).or_insert(count);
                *known = count.max(*known);
                return;
            }
        };
        *known = most.max(*known);
    }

    /// Puts `other` on top: where it has a bound, that counts.
    pub fn override_by(&mut self, other: Strategy) {
        self.callees.extend(other.callees);
        self.contexts.extend(other.contexts);
        self.turns.extend(other.turns);
        Arc::make_mut(&mut self.extents).extend(other.extents.iter());
    }

    /// The number of functions that a call may lead to with which it is still followed.
    pub fn callees(&self, call: CallId) -> Option<usize> {
        self.callees.get(&call).copied()
    }
    /// The number of the function's entry states that are analysed apart; at least 1.
    pub fn contexts(&self, function: FuncId) -> Option<usize> {
        self.contexts.get(&function).map(|most| (*most).max(1))
    }
    /// Which parameters of entry functions count what others point to.
    pub fn extents(&self) -> &Arc<Extents> {
        &self.extents
    }
    /// The number of turns of a loop that are analysed apart while it cannot end.
    pub fn turns(&self, function: FuncId, header: BlockId) -> Option<usize> {
        self.turns.get(&(function, header)).copied()
    }
}
