//! Which local variables' values may still be read, per block, as a Datalog program.
//!
//! Only variables that are never named by `&` are tracked, since others are read through pointers too. A write counts as
//! a definition when it covers the whole variable; so do the ends of a lifetime.

use super::{BlockId, Cfg, Check, Expr, ExprKind, Function, Place, PlaceBase, Program, StmtKind, VarId};
use crate::base::IndexVec;
use crepe::crepe;
use rustc_hash::FxHashSet;

/// The live variables of one function.
#[derive(Clone, Debug)]
pub struct Liveness {
    live_in: IndexVec<BlockId, Vec<VarId>>,
    tracked: FxHashSet<VarId>,
}

impl Liveness {
    /// Liveness of `function`, a function of `program` with a body, over its reachable blocks.
    pub fn of(program: &Program, function: &Function, cfg: &Cfg) -> Liveness {
        let tracked = tracked_variables(function);
        let (mut uses, mut definitions, mut edges) = (Vec::new(), Vec::new(), Vec::new());
        for &b in cfg.reverse_postorder() {
            let mut summary =
                BlockSummary { tracked: &tracked, used: FxHashSet::default(), defined: FxHashSet::default() };
            summary.block(program, &function.blocks[b]);
            uses.extend(summary.used.iter().map(|&v| (b, v)));
            definitions.extend(summary.defined.iter().map(|&v| (b, v)));
            edges.extend(cfg.successors(b).iter().map(|&s| (b, s)));
        }
        let mut live_in = IndexVec::from_elem(Vec::new(), function.blocks.len());
        for (b, v) in live_variables(&edges, &uses, &definitions) {
            live_in[b].push(v);
        }
        for variables in live_in.iter_mut() {
            variables.sort_unstable();
        }
        Liveness { live_in, tracked }
    }

    /// Tracked variables whose value at the start of `b` may be read later, sorted.
    pub fn live_in(&self, b: BlockId) -> &[VarId] {
        &self.live_in[b]
    }
    /// Whether `v`'s value at the start of `b` may be read later; true of every variable that is not tracked.
    pub fn is_live_in(&self, b: BlockId, v: VarId) -> bool {
        !self.tracked.contains(&v) || self.live_in[b].binary_search(&v).is_ok()
    }
    /// Whether the variable is one that only direct accesses can read.
    pub fn tracks(&self, v: VarId) -> bool {
        self.tracked.contains(&v)
    }
}

/// `(b, v)`: `v` is live at the start of `b`.
fn live_variables(
    edges: &[(BlockId, BlockId)],
    uses: &[(BlockId, VarId)],
    definitions: &[(BlockId, VarId)],
) -> Vec<(BlockId, VarId)> {
    crepe! {
        @input
        struct Edge(BlockId, BlockId);
        @input
        struct Uses(BlockId, VarId);
        @input
        struct Defines(BlockId, VarId);
        @output
        struct LiveIn(BlockId, VarId);

        LiveIn(b, v) <- Uses(b, v);
        LiveIn(b, v) <- LiveIn(next, v), Edge(b, next), !Defines(b, v);
    }
    let mut runtime = Crepe::new();
    runtime.extend(edges.iter().map(|&(a, b)| Edge(a, b)));
    runtime.extend(uses.iter().map(|&(b, v)| Uses(b, v)));
    runtime.extend(definitions.iter().map(|&(b, v)| Defines(b, v)));
    let (found,) = runtime.run();
    found.into_iter().map(|LiveIn(b, v)| (b, v)).collect()
}

/// Parameters, locals and temporaries that no expression takes the address of.
fn tracked_variables(function: &Function) -> FxHashSet<VarId> {
    let mut tracked: FxHashSet<VarId> = function.params.iter().chain(&function.locals).copied().collect();
    for block in function.blocks.iter() {
        for stmt in &block.stmts {
            for e in stmt.kind.exprs() {
                untrack(e, &mut tracked);
            }
        }
        if let Some(e) = block.terminator.expr() {
            untrack(e, &mut tracked);
        }
    }
    tracked
}

fn untrack(e: &Expr, tracked: &mut FxHashSet<VarId>) {
    e.walk(&mut |e| {
        if let ExprKind::AddrOf(v, _) = e.kind {
            tracked.remove(&v);
        }
    });
}

/// What a block reads before it writes, and what it writes, of the tracked variables.
struct BlockSummary<'a> {
    tracked: &'a FxHashSet<VarId>,
    used: FxHashSet<VarId>,
    defined: FxHashSet<VarId>,
}

impl BlockSummary<'_> {
    fn block(&mut self, program: &Program, block: &super::Block) {
        for stmt in &block.stmts {
            for e in stmt.kind.exprs() {
                self.reads(e);
            }
            if let StmtKind::Check(check) = &stmt.kind
                && let Check::Initialized { place, .. } = &**check
            {
                self.uses_place(place);
            }
            if let StmtKind::StorageLive(v) | StmtKind::StorageDead(v) = stmt.kind {
                self.defines(v);
            }
            for place in stmt.kind.written_places() {
                self.writes(program, place);
            }
        }
        if let Some(e) = block.terminator.expr() {
            self.reads(e);
        }
    }
    fn reads(&mut self, e: &Expr) {
        let mut places = Vec::new();
        e.walk(&mut |e| {
            if let ExprKind::Load(place) = &e.kind {
                places.push(&**place);
            }
        });
        for place in places {
            self.uses_place(place);
        }
    }
    fn uses_place(&mut self, place: &Place) {
        if let PlaceBase::Var(v) = place.base
            && self.tracked.contains(&v)
            && !self.defined.contains(&v)
        {
            self.used.insert(v);
        }
    }
    fn writes(&mut self, program: &Program, place: &Place) {
        let PlaceBase::Var(v) = place.base else { return };
        let size = program.types.size_of(place.ty);
        let whole = place.offset == 0 && place.bits.is_none() && size == Some(program.variables[v].size);
        if whole {
            self.defines(v);
        }
    }
    fn defines(&mut self, v: VarId) {
        if self.tracked.contains(&v) {
            self.defined.insert(v);
        }
    }
}

#[cfg(test)]
#[path = "liveness_tests.rs"]
mod tests;
