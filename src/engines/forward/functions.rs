//! What the engine needs of functions besides their statements: iteration order, thresholds, locals, possible callees.

use super::bases::Bases;
use super::order::Order;
use crate::base::IndexVec;
use crate::domains::BaseId;
use crate::ir::program::ENTRY;
use crate::ir::{
    AllocId, AllocKind, BlockId, Callee, Cfg, Expr, ExprKind, FuncId, Function, IntKind, Liveness, Place, PlaceBase,
    Program, StaticValue, StmtKind, Terminator, Type, VarId,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::sync::Arc;

/// Library functions that keep a function for later and do not call it as they are modelled.
const LATER: &[&str] =
    &["signal", "bsd_signal", "sigaction", "on_exit", "at_quick_exit", "pthread_key_create", "pthread_atfork"];

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
pub struct Functions {
    known: FxHashMap<FuncId, Rc<FunctionInfo>>,
    callees: FxHashMap<FuncId, Rc<Vec<FuncId>>>,
    touched: FxHashMap<FuncId, Arc<Touched>>,
    own: FxHashMap<FuncId, Arc<Touched>>,
    address_taken: Vec<FuncId>,
}

impl Functions {
    /// The facts of a program.
    pub fn new(program: &Program) -> Functions {
        Functions {
            known: FxHashMap::default(),
            callees: FxHashMap::default(),
            touched: FxHashMap::default(),
            own: FxHashMap::default(),
            address_taken: address_taken(program),
        }
    }
    /// Functions whose address the program takes, sorted.
    pub fn address_taken(&self) -> &[FuncId] {
        &self.address_taken
    }
    /// Functions that the program may have handed to the library to be called later: those that stand in a call of
    /// [`LATER`], and where there is one, those whose address is taken and whose type is that of a signal's handler.
    pub fn called_later(&self, program: &Program) -> Vec<FuncId> {
        let mut named = FxHashSet::default();
        let mut installs = false;
        for stmt in program.functions.iter().flat_map(|f| f.blocks.iter()).flat_map(|b| &b.stmts) {
            if let StmtKind::LibraryCall { name, args } = &stmt.kind
                && LATER.contains(&name.as_str())
            {
                installs = true;
                let mut note = |e: &Expr| {
                    if let ExprKind::FuncAddr(f) = e.kind {
                        named.insert(f);
                    }
                };
                args.iter().for_each(|arg| arg.walk(&mut note));
            }
        }
        if installs {
            named.extend(self.address_taken.iter().filter(|f| handles_signals(program, **f)));
        }
        let mut all: Vec<FuncId> = named.into_iter().collect();
        all.sort_unstable();
        all
    }
    /// The facts on `f`.
    pub fn info(&mut self, program: &Program, bases: &Bases, f: FuncId) -> Rc<FunctionInfo> {
        self.known.entry(f).or_insert_with(|| Rc::new(FunctionInfo::new(program, bases, f))).clone()
    }
    /// What `f` and all functions that it may call refer to.
    pub fn touched(&mut self, program: &Program, bases: &Bases, f: FuncId) -> Arc<Touched> {
        if let Some(known) = self.touched.get(&f) {
            return known.clone();
        }
        let mut all = Touched { statics: Vec::new(), allocs: Vec::new(), calls_unknown: false };
        for g in self.reachable_from(program, f) {
            let own = self.own.entry(g).or_insert_with(|| Arc::new(Touched::by(program, bases, g)));
            all.statics.extend(&own.statics);
            all.allocs.extend(&own.allocs);
            all.calls_unknown |= own.calls_unknown;
        }
        all.statics.sort_unstable();
        all.statics.dedup();
        let all = Arc::new(all);
        self.touched.insert(f, all.clone());
        all
    }
    /// `f` and all functions that it may call, by the text alone: an indirect call may be any whose address is taken.
    pub fn reachable_from(&mut self, program: &Program, f: FuncId) -> Vec<FuncId> {
        let (mut seen, mut work) = (FxHashSet::default(), vec![f]);
        seen.insert(f);
        while let Some(g) = work.pop() {
            let next = self.callees(program, g);
            work.extend(next.iter().copied().filter(|&h| seen.insert(h)));
        }
        let mut all: Vec<FuncId> = seen.into_iter().collect();
        all.sort_unstable();
        all
    }
    fn callees(&mut self, program: &Program, f: FuncId) -> Rc<Vec<FuncId>> {
        let taken = &self.address_taken;
        let callees = self.callees.entry(f).or_insert_with(|| Rc::new(callees(program, f, taken)));
        callees.clone()
    }
}

fn callees(program: &Program, f: FuncId, taken: &[FuncId]) -> Vec<FuncId> {
    let function = &program.functions[f];
    // Nobody knows what a body does that could not be lowered.
    if function.failed.is_some() {
        return program.functions.indices().collect();
    }
    let mut all: FxHashSet<FuncId> = FxHashSet::default();
    for stmt in function.blocks.iter().flat_map(|b| &b.stmts) {
        match &stmt.kind {
            StmtKind::Call { callee: Callee::Direct(g), .. } => {
                all.insert(*g);
                // Code that is not here may call back.
                if !program.functions[*g].has_body() {
                    all.extend(taken);
                }
            }
            StmtKind::Call { .. } | StmtKind::Unsupported { .. } => all.extend(taken),
            _ => {}
        }
    }
    all.into_iter().collect()
}

/// Every expression of a function's statements and terminators.
fn each_expr<'p>(program: &'p Program, f: FuncId, visit: &mut impl FnMut(&'p Expr)) {
    for block in program.functions[f].blocks.iter() {
        for stmt in &block.stmts {
            stmt.kind.exprs().into_iter().for_each(|e| e.walk(visit));
        }
        if let Some(e) = block.terminator.expr() {
            e.walk(visit);
        }
    }
}

impl Touched {
    /// What the text of `f` alone refers to.
    fn by(program: &Program, bases: &Bases, f: FuncId) -> Touched {
        let mut found: FxHashSet<BaseId> = FxHashSet::default();
        let mut work: Vec<BaseId> = Vec::new();
        let mut name = |v: VarId, work: &mut Vec<BaseId>| {
            let base = bases.variable(v);
            if program.variables[v].is_static() && found.insert(base) {
                work.push(base);
            }
        };
        let function = &program.functions[f];
        let place = |p: &Place| match p.base {
            PlaceBase::Var(v) => Some(v),
            PlaceBase::Deref(_) => None,
        };
        each_expr(program, f, &mut |e| match &e.kind {
            ExprKind::AddrOf(v, _) => name(*v, &mut work),
            ExprKind::Load(p) => place(p).into_iter().for_each(|v| name(v, &mut work)),
            _ => {}
        });
        let mut allocs = Vec::new();
        let calls_unknown = function.failed.is_some() || !function.has_body();
        for stmt in function.blocks.iter().flat_map(|b| &b.stmts) {
            let judged = match &stmt.kind {
                StmtKind::Check(check) => match &**check {
                    crate::ir::Check::Initialized { place, .. } => Some(place),
                    _ => None,
                },
                _ => None,
            };
            for p in stmt.kind.written_places().into_iter().chain(judged) {
                place(p).into_iter().for_each(|v| name(v, &mut work));
            }
            if let StmtKind::Alloc { alloc, .. } | StmtKind::Realloc { alloc, .. } = &stmt.kind {
                allocs.push(*alloc);
            }
        }
        let mut statics = Vec::new();
        while let Some(base) = work.pop() {
            if bases.is_static(base) {
                statics.push(base);
            }
            work.extend(bases.targets_of_constant(base).iter().copied().filter(|&b| found.insert(b)));
        }
        Touched { statics, allocs, calls_unknown }
    }
}

/// Whether the function's type is that of a handler for `signal` or `sigaction`.
fn handles_signals(program: &Program, f: FuncId) -> bool {
    let Type::Function(ty) = program.types.get(program.functions[f].ty) else { return false };
    let number = ty.params.first().is_some_and(|p| program.types.as_int(*p) == Some(IntKind::Int));
    ty.result == program.types.void() && number && matches!(ty.params.len(), 1 | 3)
}

/// Functions whose address the program takes, sorted.
pub fn address_taken(program: &Program) -> Vec<FuncId> {
    let mut all: Vec<FuncId> = Vec::new();
    for f in program.functions.indices() {
        each_expr(program, f, &mut |e| {
            if let ExprKind::FuncAddr(g) = e.kind {
                all.push(g);
            }
        });
    }
    for init in program.variables.iter().flat_map(|v| &v.init) {
        if let StaticValue::FuncAddr(g) = init.value {
            all.push(g);
        }
    }
    all.sort_unstable();
    all.dedup();
    all
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
        let mut all: Vec<BaseId> =
            before.filter(|&v| drops(v) && !liveness.is_live_in(b, v)).map(|v| BaseId(v.0)).collect();
        all.sort_unstable();
        all.dedup();
        dying[b] = all;
    }
    dying
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
        ExprKind::Float(v) if v.abs() < LARGEST => all.extend([v.floor() as i128, v.ceil() as i128]),
        ExprKind::AddrOf(v, _) => all.push(i128::from(program.variables[*v].size)),
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
