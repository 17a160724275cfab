//! What the engine needs of functions besides their statements: iteration order, thresholds, locals, and what the relations
//! say they may come to and change.

use super::bases::Bases;
use super::extent::Extent;
use super::order::Order;
use crate::base::IndexVec;
use crate::domains::BaseId;
use crate::ir::program::ENTRY;
use crate::ir::{
    AllocId, AllocKind, BinaryOp, BlockId, Cfg, Expr, ExprKind, FuncId, Function, Liveness, Place, Program, StmtKind,
    Terminator, VarId,
};
use crate::memory::{Changes, Memory, Written};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

/// Facts on a function with a body.
pub struct FunctionInfo {
    pub order: Order,
    /// Constants at which widening stops, sorted.
    pub thresholds: Vec<i128>,
    /// Locals, temporaries and parameters.
    pub locals: Vec<VarId>,
    /// Those among them that pointers reach.
    pub pointed: FxHashSet<BaseId>,
    /// Allocations that end with the function.
    pub stack_allocs: Vec<AllocId>,
    /// Variables that something reads before it writes them, or that pointers reach: they hold something from the start.
    pub held: Vec<VarId>,
    /// Locals, temporaries and parameters that nothing reads when the function has returned.
    pub unseen: Vec<BaseId>,
    /// Variables that a block's predecessors may hold, and that nothing reads from its start on.
    pub dying: IndexVec<BlockId, Vec<BaseId>>,
    /// Where ways meet that part again at once: the states that come there are kept apart.
    pub apart: IndexVec<BlockId, bool>,
}

/// What a function and all that it may call refer to by themselves.
pub struct Touched {
    /// Static variables but constants, those that constants point to included; sorted.
    pub statics: Vec<BaseId>,
    /// Allocation sites.
    pub allocs: Vec<AllocId>,
    /// Whether code may be called that is not here.
    pub calls_unknown: bool,
}

/// Facts on all functions, made when asked for.
pub struct Functions<'m> {
    memory: &'m Memory,
    known: FxHashMap<FuncId, Rc<FunctionInfo>>,
    touched: FxHashMap<FuncId, Arc<Touched>>,
    changes: FxHashMap<FuncId, (Extent, Extent)>,
    freed_before: FxHashMap<FuncId, Extent>,
    /// How many calls may be of a function.
    calls: OnceCell<FxHashMap<FuncId, usize>>,
    /// The functions that the calls in a function lead to, each as often as they do.
    callees: OnceCell<FxHashMap<FuncId, Vec<FuncId>>>,
    /// Statements with those of all calls; none of functions whose callees are being counted.
    sizes: FxHashMap<FuncId, Option<u64>>,
}

impl<'m> Functions<'m> {
    /// The facts of the program of `memory`.
    pub fn new(memory: &'m Memory) -> Functions<'m> {
        let (known, touched, changes) = (FxHashMap::default(), FxHashMap::default(), FxHashMap::default());
        let (freed_before, sizes) = (FxHashMap::default(), FxHashMap::default());
        let (calls, callees) = (OnceCell::new(), OnceCell::new());
        Functions { memory, known, touched, changes, freed_before, calls, callees, sizes }
    }
    /// How many calls may be of `f`.
    pub fn called_at(&self, program: &Program, f: FuncId) -> usize {
        let calls = self.calls.get_or_init(|| {
            let mut calls = FxHashMap::default();
            for call in program.calls.indices() {
                self.memory.callees(call).iter().for_each(|&f| *calls.entry(f).or_default() += 1);
            }
            calls
        });
        calls.get(&f).copied().unwrap_or(0)
    }
    /// The statements of `f` and of all calls from there, those of a function counted for each way of calls that leads to it. Where it
    /// calls itself again, they are not counted once more.
    pub fn expanded(&mut self, program: &Program, f: FuncId) -> u64 {
        let callees = self.callees.get_or_init(|| {
            let mut callees: FxHashMap<FuncId, Vec<FuncId>> = FxHashMap::default();
            for (call, made) in program.calls.iter_enumerated() {
                callees.entry(made.function).or_default().extend(self.memory.callees(call));
            }
            callees
        });
        let calls = |f| callees.get(&f).map_or(&[][..], |callees| callees);
        let sizes = &mut self.sizes;
        let mut open = vec![f];
        while let Some(&f) = open.last() {
            match sizes.get(&f) {
                None => {
                    sizes.insert(f, None);
                    open.extend(calls(f).iter().filter(|callee| !sizes.contains_key(callee)));
                    continue;
                }
                Some(None) => {
                    let own = program.functions[f].length() as u64;
                    let of = |callee| sizes.get(callee).copied().flatten().unwrap_or(0);
                    let size = calls(f).iter().fold(own, |size, callee| size.saturating_add(of(callee)));
                    sizes.insert(f, Some(size));
                }
                Some(Some(_)) => {}
            }
            open.pop();
        }
        sizes.get(&f).copied().flatten().unwrap_or(0)
    }
    /// The facts on `f`.
    pub fn info(&mut self, program: &Program, bases: &Bases, f: FuncId) -> Rc<FunctionInfo> {
        self.known.entry(f).or_insert_with(|| Rc::new(FunctionInfo::new(program, bases, f))).clone()
    }
    /// What `f` and all functions that it may call refer to.
    pub fn touched(&mut self, bases: &Bases, f: FuncId) -> Arc<Touched> {
        let memory = self.memory;
        let touched = self.touched.entry(f).or_insert_with(|| {
            let named = memory.named(f).into_iter().map(|v| bases.variable(v));
            Arc::new(Touched {
                statics: named.filter(|b| bases.is_static(*b)).collect(),
                allocs: memory.allocs(f),
                calls_unknown: memory.leaves_program(f),
            })
        });
        touched.clone()
    }
    /// The objects that `f` and all functions that it may call may write, and the blocks that they may free.
    pub fn changes(&mut self, f: FuncId) -> (Extent, Extent) {
        let memory = self.memory;
        let changes = self.changes.entry(f).or_insert_with(|| match memory.changes(f) {
            Some(Changes { written, freed }) => {
                (Extent::of(written.iter().copied()), Extent::of(freed.iter().copied()))
            }
            None => {
                let Written { bases, through, outside } = memory.written_by(f);
                let written = if through || outside { Extent::Anything } else { Extent::of(bases) };
                (written, if memory.releases(f) { Extent::Anything } else { Extent::default() })
            }
        });
        changes.clone()
    }
    /// The blocks that may have been freed before `f` begins.
    pub fn freed_before(&mut self, f: FuncId) -> Extent {
        let memory = self.memory;
        let freed =
            self.freed_before.entry(f).or_insert_with(|| memory.freed_before(f).map_or(Extent::Anything, Extent::of));
        freed.clone()
    }
}

/// Every expression of a function's statements and terminators.
pub(super) fn each_expr<'p>(program: &'p Program, f: FuncId, visit: &mut impl FnMut(&'p Expr)) {
    for block in program.functions[f].blocks.iter() {
        for stmt in &block.stmts {
            stmt.kind.exprs().into_iter().for_each(|e| e.walk(visit));
        }
        if let Some(e) = block.terminator.expr() {
            e.walk(visit);
        }
    }
}

impl FunctionInfo {
    fn new(program: &Program, bases: &Bases, f: FuncId) -> FunctionInfo {
        let function = &program.functions[f];
        let cfg = Cfg::of(function);
        let locals: Vec<VarId> = function.params.iter().chain(&function.locals).copied().collect();
        let pointed = |v: VarId| bases.is_reachable(bases.variable(v));
        let stack_allocs = program
            .allocs
            .iter_enumerated()
            .filter(|(_, a)| a.function == f && a.kind == AllocKind::Stack)
            .map(|(i, _)| i)
            .collect();
        let liveness = Liveness::of(program, function, &cfg);
        let drops = |v: VarId| liveness.tracks(v) && !pointed(v);
        let order = Order::of(&cfg, function.blocks.len());
        FunctionInfo {
            apart: apart(function, &cfg, &order),
            order,
            held: locals.iter().copied().filter(|&v| !drops(v) || liveness.is_live_in(ENTRY, v)).collect(),
            unseen: bases_of(locals.iter().copied().filter(|v| drops(*v))),
            dying: dying(function, &cfg, &liveness, &drops),
            thresholds: thresholds(program, f),
            pointed: locals.iter().filter(|v| pointed(**v)).map(|v| bases.variable(*v)).collect(),
            locals,
            stack_allocs,
        }
    }
}

/// Per block, what its predecessors may hold of the variables that are dropped, and nothing reads from there on.
fn dying(
    function: &Function,
    cfg: &Cfg,
    liveness: &Liveness,
    drops: &dyn Fn(VarId) -> bool,
) -> IndexVec<BlockId, Vec<BaseId>> {
    let written = |b: BlockId| {
        let mut all: Vec<VarId> = liveness.live_in(b).to_vec();
        for stmt in &function.blocks[b].stmts {
            all.extend(stmt.kind.written_places().into_iter().filter_map(Place::as_var));
            if let StmtKind::StorageLive(v) | StmtKind::StorageDead(v) = stmt.kind {
                all.push(v);
            }
        }
        all
    };
    let mut dying = IndexVec::from_elem(Vec::new(), function.blocks.len());
    for b in function.blocks.indices() {
        let before = cfg.predecessors(b).iter().flat_map(|&p| written(p));
        let before = before.chain(function.params.iter().copied().filter(|_| b == ENTRY));
        dying[b] = bases_of(before.filter(|&v| drops(v) && !liveness.is_live_in(b, v)));
    }
    dying
}

/// The bases of variables, in order, each once.
fn bases_of(variables: impl Iterator<Item = VarId>) -> Vec<BaseId> {
    let mut all: Vec<BaseId> = variables.map(|v| BaseId(v.0)).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Blocks of few statements in which ways meet, and from which they part again at their end or behind such blocks.
fn apart(function: &Function, cfg: &Cfg, order: &Order) -> IndexVec<BlockId, bool> {
    const SHORT: usize = 24;
    let blocks = || function.blocks.indices();
    let plain = |b: BlockId| {
        let stmts = &function.blocks[b].stmts;
        let calls = stmts.iter().any(|s| matches!(s.kind, StmtKind::Call { .. } | StmtKind::Unsupported { .. }));
        stmts.len() <= SHORT && !calls && !order.is_head(b)
    };
    let mut parts: IndexVec<BlockId, bool> = IndexVec::from_elem(false, function.blocks.len());
    let mut work: Vec<BlockId> =
        blocks().filter(|&b| plain(b) && matches!(function.blocks[b].terminator, Terminator::Branch { .. })).collect();
    while let Some(b) = work.pop() {
        if !std::mem::replace(&mut parts[b], true) {
            let leads = |p: &BlockId| matches!(function.blocks[*p].terminator, Terminator::Goto(_)) && plain(*p);
            work.extend(cfg.predecessors(b).iter().copied().filter(leads));
        }
    }
    let mut apart: IndexVec<BlockId, bool> = IndexVec::from_elem(false, function.blocks.len());
    let mut work: Vec<BlockId> = blocks().filter(|&b| parts[b] && cfg.predecessors(b).len() > 1).collect();
    while let Some(b) = work.pop() {
        if !std::mem::replace(&mut apart[b], true)
            && let Terminator::Goto(next) = function.blocks[b].terminator
        {
            work.extend(parts[next].then_some(next));
        }
    }
    apart
}

/// Constants of the function (whole ones beside fractions) and their neighbours, sizes of its arrays, and the bounds of types.
fn thresholds(program: &Program, f: FuncId) -> Vec<i128> {
    const MOST: usize = 200;
    const LARGEST: f64 = 1e15;
    let mut all: Vec<i128> = Vec::new();
    each_expr(program, f, &mut |e| match &e.kind {
        ExprKind::Int(v) => all.push(*v),
        // Floats stop at whole numbers.
        ExprKind::Float(v) if v.to_f64().abs() < LARGEST => {
            let (low, high) = v.around();
            all.extend([low.floor() as i128, high.ceil() as i128]);
        }
        ExprKind::AddrOf(v, _) => all.push(i128::from(program.variables[*v].size)),
        // How many elements a block has at most.
        ExprKind::Binary(BinaryOp::Mul, a, b) if program.types.as_int(e.ty).is_some_and(|t| !t.signed()) => {
            let size = a.as_int().or(b.as_int()).filter(|size| *size > 1);
            all.extend(size.map(|size| program.types.greatest_size() / size));
        }
        _ => {}
    });
    for block in program.functions[f].blocks.iter() {
        if let Terminator::Switch { cases, .. } = &block.terminator {
            all.extend(cases.iter().flat_map(|c| [c.low, c.high]));
        }
    }
    all.sort_unstable();
    all.dedup();
    // Too many steps cost more than they tell.
    if all.len() > MOST {
        let skip = all.len().div_ceil(MOST);
        all = all.into_iter().step_by(skip).collect();
    }
    let mut near: Vec<i128> = all.iter().flat_map(|&v| [v.saturating_sub(1), v, v.saturating_add(1)]).collect();
    near.extend([-1, 0, 1]);
    for bits in [8, 16, 32, 64] {
        near.extend([-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1, (1i128 << bits) - 1]);
    }
    near.sort_unstable();
    near.dedup();
    near
}
