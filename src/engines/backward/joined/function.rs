//! The states of a function's blocks: the least that agree with each other, from none upwards.
//!
//! Where loops go on too long for that, states downwards from all, with lower widening at loop heads, till they agree: from
//! those a run errs or does not end.
//!
//! See: 000, Sect. 2.4; Miné, "Backward Under-Approximations in Numeric Abstract Domains", Sect. 3.

use super::engine::Joined;
use crate::base::IndexVec;
use crate::domains::cell_set::CellStates;
use crate::domains::{Int, Value};
use crate::ir::program::ENTRY;
use crate::ir::{BlockId, CallId, Case, Cfg, Expr, ExprKind, FuncId, Terminator};
use std::rc::Rc;

/// Rounds downwards, and those of them before widening.
const DOWNWARDS: usize = 24;
const DELAY: usize = 3;

impl Joined<'_> {
    fn graph(&mut self, f: FuncId) -> Rc<Cfg> {
        let program = self.program;
        Rc::clone(self.graphs.entry(f).or_insert_with(|| Rc::new(Cfg::of(&program.functions[f]))))
    }

    /// States from which the function ends in `post` alone, or errs at a target. What was found for the same context and
    /// postcondition is used again.
    pub(super) fn function(&mut self, f: FuncId, call: Option<CallId>, post: &CellStates) -> CellStates {
        let deep = self.stack.len() >= self.limits.depth || self.stack.iter().any(|(g, _)| *g == f);
        if deep || !self.tick() {
            return CellStates::none();
        }
        let earlier = self.known.get(&(f, call)).and_then(|all| all.iter().find(|(p, _)| p == post));
        if let Some((_, before)) = earlier {
            return before.clone();
        }
        self.stack.push((f, call));
        let before = self.blocks_of(f, post);
        self.stack.pop();
        self.known.entry((f, call)).or_default().push((post.clone(), before.clone()));
        before
    }

    fn blocks_of(&mut self, f: FuncId, post: &CellStates) -> CellStates {
        let graph = self.graph(f);
        let blocks = self.program.functions[f].blocks.len();
        let mut at: IndexVec<BlockId, CellStates> = IndexVec::from_elem(CellStates::none(), blocks);
        let mut stale: IndexVec<BlockId, bool> = IndexVec::from_elem(true, blocks);
        let mut settled = false;
        for _ in 0..self.limits.rounds {
            let mut changed = false;
            for &b in graph.reverse_postorder().iter().rev() {
                if !std::mem::replace(&mut stale[b], false) || self.steps > self.limits.steps {
                    continue;
                }
                let mut states = at[b].clone();
                states.lower_join(self.block(f, b, &at, post));
                if states != at[b] {
                    at[b] = states;
                    changed = true;
                    graph.predecessors(b).iter().for_each(|p| stale[*p] = true);
                }
            }
            settled = !changed;
            if settled {
                break;
            }
        }
        if !settled {
            let downwards = self.downwards(f, &graph, post);
            at[ENTRY].lower_join(downwards);
        }
        // Locals hold nothing yet.
        let function = &self.program.functions[f];
        function.locals.iter().fold(at[ENTRY].clone(), |states, local| {
            let base = self.variable(*local);
            states.map(
                |part| if self.program.variables[*local].is_static() { Some(part.clone()) } else { part.without(base) },
            )
        })
    }

    /// States at the entry that agree with those of all other blocks, from all downwards; none when they do not in time.
    fn downwards(&mut self, f: FuncId, graph: &Cfg, post: &CellStates) -> CellStates {
        let blocks = self.program.functions[f].blocks.len();
        let mut at: IndexVec<BlockId, CellStates> = IndexVec::from_elem(CellStates::all(), blocks);
        let thresholds = self.thresholds(f);
        for round in 0..DOWNWARDS {
            let mut changed = false;
            for &b in graph.reverse_postorder().iter().rev() {
                if self.steps > self.limits.steps {
                    return CellStates::none();
                }
                let new = self.block(f, b, &at, post);
                let head = graph.loop_of_header(b).is_some();
                if new == at[b] || (head && at[b].leq(&new)) {
                    continue;
                }
                changed = true;
                at[b] = match (head, round < DELAY) {
                    (false, _) => new,
                    (true, true) => at[b].lower_meet(&new),
                    (true, false) => at[b].lower_widen(&new, &thresholds),
                };
            }
            if !changed {
                return at[ENTRY].clone();
            }
        }
        CellStates::none()
    }

    /// The constants of a function and their neighbours, in order.
    fn thresholds(&self, f: FuncId) -> Vec<i128> {
        let mut all = Vec::new();
        for block in self.program.functions[f].blocks.iter() {
            let exprs = block.stmts.iter().flat_map(|s| s.kind.exprs()).chain(block.terminator.expr());
            for e in exprs {
                e.walk(&mut |e| {
                    if let ExprKind::Int(n) = e.kind {
                        all.extend([n.saturating_sub(1), n, n.saturating_add(1)]);
                    }
                });
            }
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    fn block(&mut self, f: FuncId, b: BlockId, at: &IndexVec<BlockId, CellStates>, post: &CellStates) -> CellStates {
        let program = self.program;
        let block = &program.functions[f].blocks[b];
        let mut states = match &block.terminator {
            Terminator::Goto(to) => at[*to].clone(),
            Terminator::Branch { cond, then_to, else_to } => {
                let mut all = self.condition(cond, true, &at[*then_to]);
                all.lower_join(self.condition(cond, false, &at[*else_to]));
                if then_to != else_to {
                    all.lower_join(at[*then_to].lower_meet(&at[*else_to]));
                }
                all
            }
            Terminator::Switch { value, cases, default } => self.switch(value, cases, &at[*default], at),
            Terminator::IndirectGoto { labels, .. } => {
                let mut met = labels.iter().map(|l| at[*l].clone());
                let first = met.next().unwrap_or_default();
                met.fold(first, |all, other| all.lower_meet(&other))
            }
            Terminator::Return(value) => self.returning(f, value.as_ref(), post),
            Terminator::Exit(_) | Terminator::Unreachable => CellStates::none(),
        };
        for stmt in block.stmts.iter().rev() {
            states = self.before(stmt, &states);
        }
        states
    }

    fn switch(
        &mut self,
        value: &Expr,
        cases: &[Case],
        default: &CellStates,
        at: &IndexVec<BlockId, CellStates>,
    ) -> CellStates {
        let mut sorted: Vec<&Case> = cases.iter().collect();
        sorted.sort_unstable_by_key(|c| c.low);
        let mut next = i128::from(i64::MIN);
        let mut ranges: Vec<(i128, i128, &CellStates)> = Vec::new();
        for case in sorted {
            ranges.push((next, case.low.saturating_sub(1), default));
            ranges.push((case.low, case.high, &at[case.target]));
            next = case.high.saturating_add(1);
        }
        ranges.push((next, u64::MAX.into(), default));
        let mut all = CellStates::none();
        for way in self.expr(value) {
            for (low, high, states) in ranges.iter().filter(|(low, high, _)| low <= high) {
                let mut goals = way.when.clone();
                goals.push((way.e.clone(), Value::int(Int::range(*low, *high))));
                for part in states.parts() {
                    if let Some(state) = self.satisfy(part, &way.known, &goals) {
                        all.add(state);
                    }
                }
            }
        }
        all
    }

    fn returning(&mut self, f: FuncId, value: Option<&Expr>, post: &CellStates) -> CellStates {
        let base = Joined::result_base(f);
        match value {
            Some(value) if !post.is_none() => self.give(base, value.ty, value, post),
            _ => post.map(|part| part.without(base)),
        }
    }
}
