//! Which of some check sites executions have passed on their way to others: by the flow of control alone, calls followed.
//!
//! *Surely* passed is what stands on every path from where executions start (what dominates, calls included); *perhaps*
//! passed what stands on some path. Functions that pointers may call are entered with nothing surely passed, and may have
//! passed anything before.

use super::forward::Start;
use crate::base::IndexVec;
use crate::ir::program::ENTRY;
use crate::ir::{BlockId, Callee, Cfg, FuncId, Program, SiteId, Stmt, StmtKind};
use crate::memory::Memory;
use std::collections::{BTreeMap, BTreeSet};

/// Some check sites.
pub type Sites = BTreeSet<SiteId>;

/// Which paths count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Paths {
    /// What all of them have passed.
    All,
    /// What any of them has passed.
    Any,
}

/// What has been passed before each site that control may come to.
#[derive(Clone, Debug, Default)]
pub struct Passed {
    pub surely: BTreeMap<SiteId, Sites>,
    pub perhaps: BTreeMap<SiteId, Sites>,
}

/// Which of `marks` executions from `start` have passed before each site.
pub fn passed_before(program: &Program, memory: &Memory, start: &Start, marks: &Sites) -> Passed {
    let graphs: IndexVec<FuncId, Cfg> = program.functions.iter().map(Cfg::of).collect();
    let taken = memory.taken();
    let find = |paths| {
        let within = IndexVec::from_elem(None, program.functions.len());
        let mut passage = Passage { program, marks, paths, graphs: &graphs, taken, within };
        passage.find_exits();
        passage.find_entries(start)
    };
    Passed { surely: find(Paths::All), perhaps: find(Paths::Any) }
}

struct Passage<'a> {
    program: &'a Program,
    marks: &'a Sites,
    paths: Paths,
    graphs: &'a IndexVec<FuncId, Cfg>,
    /// Functions whose address is taken.
    taken: &'a [FuncId],
    /// What each function has passed when it returns, since it was entered; None while nothing says that it returns.
    within: IndexVec<FuncId, Option<Sites>>,
}

/// What was met in a function, with what it had passed by then since it was entered.
#[derive(Default)]
struct Met {
    sites: Vec<(SiteId, Sites)>,
    calls: Vec<(FuncId, Sites)>,
}

impl Passage<'_> {
    /// Adds what another path has passed; whether that changes anything.
    fn join(&self, known: &mut Option<Sites>, other: &Sites) -> bool {
        let joined = match (&*known, self.paths) {
            (None, _) => other.clone(),
            (Some(known), Paths::All) => known.intersection(other).copied().collect(),
            (Some(known), Paths::Any) => known.union(other).copied().collect(),
        };
        let changed = known.as_ref() != Some(&joined);
        *known = Some(joined);
        changed
    }

    /// What functions have passed when they return: again wherever a callee's has changed.
    fn find_exits(&mut self) {
        let callers = self.callers();
        let mut left: BTreeSet<FuncId> = self.program.functions.indices().collect();
        while let Some(f) = left.pop_last() {
            let exit = self.through(f, &mut Met::default());
            if exit != self.within[f] {
                self.within[f] = exit;
                left.extend(&callers[f]);
            }
        }
    }

    fn callers(&self) -> IndexVec<FuncId, BTreeSet<FuncId>> {
        let mut callers = IndexVec::from_elem(BTreeSet::new(), self.program.functions.len());
        for (caller, f) in self.program.functions.iter_enumerated() {
            for stmt in f.blocks.iter().flat_map(|b| &b.stmts) {
                if let StmtKind::Call { callee: Callee::Direct(callee), .. } = &stmt.kind {
                    callers[*callee].insert(caller);
                }
            }
        }
        callers
    }

    /// What has been passed at each site, from the starts on through the calls.
    fn find_entries(&self, start: &Start) -> BTreeMap<SiteId, Sites> {
        let functions = self.program.functions.indices();
        let met: IndexVec<FuncId, Met> = functions
            .map(|f| {
                let mut met = Met::default();
                self.through(f, &mut met);
                met
            })
            .collect();
        let mut before: IndexVec<FuncId, Option<Sites>> = IndexVec::from_elem(None, met.len());
        start.functions().iter().for_each(|f| before[*f] = Some(Sites::new()));
        for f in self.taken {
            before[*f] = Some(if self.paths == Paths::Any { self.marks.clone() } else { Sites::new() });
        }
        let mut left: BTreeSet<FuncId> = before.indices().filter(|f| before[*f].is_some()).collect();
        while let Some(f) = left.pop_first() {
            let Some(entered) = before[f].clone() else { continue };
            for (callee, passed) in &met[f].calls {
                if self.join(&mut before[*callee], &entered.union(passed).copied().collect()) {
                    left.insert(*callee);
                }
            }
        }
        let mut all = BTreeMap::new();
        for (f, Met { sites, .. }) in met.iter_enumerated() {
            let Some(entered) = &before[f] else { continue };
            all.extend(sites.iter().map(|(site, passed)| (*site, entered.union(passed).copied().collect())));
        }
        all
    }

    /// What a function has passed when it returns, from its entry on.
    fn through(&self, f: FuncId, met: &mut Met) -> Option<Sites> {
        let function = &self.program.functions[f];
        if !function.has_body() {
            return Some(self.anything());
        }
        let graph = &self.graphs[f];
        let mut at: IndexVec<BlockId, Option<Sites>> = IndexVec::from_elem(None, function.blocks.len());
        at[ENTRY] = Some(Sites::new());
        let mut changed = true;
        while changed {
            changed = false;
            for &b in graph.reverse_postorder() {
                let Some(out) = self.through_block(f, b, &at, &mut Met::default()) else { continue };
                for &to in graph.successors(b) {
                    changed |= self.join(&mut at[to], &out);
                }
            }
        }
        let mut exit = None;
        for &b in graph.reverse_postorder() {
            let out = self.through_block(f, b, &at, met);
            let returns = matches!(function.blocks[b].terminator, crate::ir::Terminator::Return(_));
            if let Some(out) = out.filter(|_| returns) {
                self.join(&mut exit, &out);
            }
        }
        exit
    }

    /// What has been passed at a block's end; None where control does not get there.
    fn through_block(
        &self,
        f: FuncId,
        b: BlockId,
        at: &IndexVec<BlockId, Option<Sites>>,
        met: &mut Met,
    ) -> Option<Sites> {
        let mut passed = at[b].clone()?;
        for stmt in &self.program.functions[f].blocks[b].stmts {
            self.through_statement(stmt, &mut passed, met)?;
        }
        Some(passed)
    }

    /// Adds what a statement passes; None where control does not go on after it.
    fn through_statement(&self, stmt: &Stmt, passed: &mut Sites, met: &mut Met) -> Option<()> {
        match &stmt.kind {
            StmtKind::Check(check) => {
                for site in check.sites() {
                    met.sites.push((site, passed.clone()));
                    passed.extend(self.marks.get(&site));
                }
            }
            StmtKind::Call { callee: Callee::Direct(callee), .. } => {
                met.calls.push((*callee, passed.clone()));
                passed.extend(self.within[*callee].as_ref()?);
            }
            StmtKind::Call { .. } | StmtKind::Unsupported { .. } | StmtKind::LibraryCall { .. } => {
                passed.extend(&self.anything());
            }
            _ => {}
        }
        Some(())
    }

    /// What code passes that is not known.
    fn anything(&self) -> Sites {
        match self.paths {
            Paths::Any if !self.taken.is_empty() => self.marks.clone(),
            _ => Sites::new(),
        }
    }
}
