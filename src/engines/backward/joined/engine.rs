//! What one analysis carries along.

use crate::base::Idx;
use crate::concrete::InputPlace;
use crate::domains::BaseId;
use crate::domains::cell::{Cell, CellExpr, CellState, CellType};
use crate::domains::cell_set::CellStates;
use crate::domains::{Int, Value};
use crate::engines::forward::{ForwardResult, SiteVerdict};
use crate::ir::{AllocId, CallId, Callee, Cfg, CheckKind, Expr, FuncId, Program, SiteId, StmtKind, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

/// What an analysis may cost.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Transfers of one part over one alternative.
    pub steps: u64,
    /// Rounds over the blocks of a function: iterations of a loop that are followed.
    pub rounds: usize,
    /// Calls inside of calls.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { steps: 60_000, rounds: 40, depth: 40 }
    }
}

/// A function, the call that it is analysed for, and what comes after it.
type Context = (FuncId, Option<CallId>);

/// An analysis of one program.
pub struct Joined<'a> {
    pub program: &'a Program,
    pub forward: &'a ForwardResult,
    /// The kinds of checks that end a run.
    pub checks: &'a [CheckKind],
    /// The errors that are asked for.
    pub targets: BTreeSet<SiteId>,
    pub limits: Limits,
    pub steps: u64,
    pub(super) stack: Vec<Context>,
    pub(super) known: FxHashMap<Context, Vec<(CellStates, CellStates)>>,
    pub(super) graphs: FxHashMap<FuncId, Rc<Cfg>>,
    /// Functions from which a target can be reached.
    pub(super) erring: FxHashSet<FuncId>,
    pub(super) sizes: FxHashMap<AllocId, &'a Expr>,
    pub(super) inputs: Vec<InputPlace>,
}

/// Bases from here on are no memory: inputs, results of functions.
const INPUTS: u32 = 1 << 30;
const RESULTS: u32 = 3 << 29;
/// Offsets from here on hold no content: whether an object lives, and its size.
const LIFE: u64 = 1 << 62;
const SIZE: u64 = LIFE + 8;
/// Bytes of an input that is taken once.
pub const STRIDE: u64 = 1 << 24;

impl<'a> Joined<'a> {
    /// An analysis for some sites.
    pub fn new(
        program: &'a Program,
        forward: &'a ForwardResult,
        checks: &'a [CheckKind],
        targets: BTreeSet<SiteId>,
        limits: Limits,
    ) -> Joined<'a> {
        let mut sizes = FxHashMap::default();
        for stmt in program.functions.iter().flat_map(|f| f.blocks.iter().flat_map(|b| &b.stmts)) {
            if let StmtKind::Alloc { alloc, size, .. } = &stmt.kind {
                sizes.insert(*alloc, size);
            }
        }
        Joined {
            program,
            forward,
            checks,
            erring: callers(program, targets.iter().map(|s| program.sites[*s].function).collect()),
            targets,
            limits,
            steps: 0,
            stack: Vec::new(),
            known: FxHashMap::default(),
            graphs: FxHashMap::default(),
            sizes,
            inputs: Vec::new(),
        }
    }

    /// Counts one step; whether it may still be taken.
    pub(super) fn tick(&mut self) -> bool {
        self.steps += 1;
        self.steps <= self.limits.steps
    }

    /// Whether the forward analysis has proved that the site does not err.
    pub(super) fn is_safe(&self, site: SiteId) -> bool {
        matches!(self.forward.verdicts[site], SiteVerdict::Safe(_) | SiteVerdict::Unreachable)
    }
    /// Whether a run ends where the check at the site fails.
    pub(super) fn ends(&self, site: SiteId) -> bool {
        let kind = self.program.sites[site].kind;
        !kind.continues() && (kind.is_fatal() || self.checks.contains(&kind))
    }

    // Bases and cells that are no memory.

    /// The base of an input place.
    pub(super) fn input_base(&mut self, place: InputPlace) -> BaseId {
        let at = self.inputs.iter().position(|p| *p == place).unwrap_or_else(|| {
            self.inputs.push(place);
            self.inputs.len() - 1
        });
        BaseId(INPUTS + at as u32)
    }
    /// The input place that a base stands for.
    pub(super) fn input_place(&self, base: BaseId) -> Option<InputPlace> {
        let at = base.0.checked_sub(INPUTS).filter(|_| base.0 < RESULTS)?;
        self.inputs.get(at as usize).copied()
    }
    /// What a function returns.
    pub(super) fn result_base(f: FuncId) -> BaseId {
        BaseId(RESULTS + f.index() as u32)
    }
    /// The base of a variable.
    pub(super) fn variable(&self, v: VarId) -> BaseId {
        self.forward.bases.variable(v)
    }
    /// 1 while the object lives, 0 afterwards.
    pub(super) fn life(base: BaseId) -> Cell {
        Cell { base, offset: LIFE, ty: CellType::Int { bytes: 1, signed: false } }
    }
    /// The bytes of a block.
    pub(super) fn size(base: BaseId) -> Cell {
        Cell { base, offset: SIZE, ty: CellType::Int { bytes: 8, signed: false } }
    }
    /// Whether a cell is of an object's content.
    pub(super) fn is_content(cell: &Cell) -> bool {
        cell.offset < LIFE
    }

    /// States of `part` where all of these hold: `known` cuts down to what comes here at all.
    pub(super) fn satisfy(
        &mut self,
        part: &CellState,
        known: &[(Cell, Value)],
        goals: &[(CellExpr, Value)],
    ) -> Option<CellState> {
        if !self.tick() {
            return None;
        }
        let mut state = part.among(known)?;
        for (e, goal) in goals {
            state = state.restrict(e, goal)?;
        }
        relax(&mut state, known, part);
        Some(state)
    }
}

/// What holds in all executions need not be asked for: cells that may have all the values that they can have are again what
/// they were.
pub(super) fn relax(state: &mut CellState, known: &[(Cell, Value)], before: &CellState) {
    for (cell, value) in known {
        if state.cells.get(cell).is_some_and(|v| value.leq(v)) {
            match before.cells.get(cell) {
                Some(old) => state.cells.insert(*cell, old.clone()),
                None => state.cells.remove(cell),
            };
        }
    }
}

/// A number.
pub(super) fn number(n: i128) -> CellExpr {
    CellExpr::Range(Int::constant(n))
}

/// Functions from which some of these can be reached; through pointers any.
fn callers(program: &Program, some: Vec<FuncId>) -> FxHashSet<FuncId> {
    let mut calls: FxHashMap<Option<FuncId>, Vec<FuncId>> = FxHashMap::default();
    for (caller, f) in program.functions.iter_enumerated() {
        for stmt in f.blocks.iter().flat_map(|b| &b.stmts) {
            if let StmtKind::Call { callee, .. } = &stmt.kind {
                let callee = if let Callee::Direct(f) = callee { Some(*f) } else { None };
                calls.entry(callee).or_default().push(caller);
            }
        }
    }
    let mut seen = FxHashSet::default();
    let mut left = some;
    left.extend(calls.get(&None).into_iter().flatten());
    while let Some(f) = left.pop() {
        if seen.insert(f) {
            left.extend(calls.get(&Some(f)).into_iter().flatten());
        }
    }
    seen
}
