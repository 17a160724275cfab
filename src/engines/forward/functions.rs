//! What the engine needs of functions besides their statements: iteration order, thresholds, locals, possible callees.

use super::bases::Bases;
use super::order::Order;
use crate::domains::BaseId;
use crate::ir::{
    AllocId, AllocKind, Callee, Cfg, Expr, ExprKind, FuncId, Program, StaticValue, StmtKind, Terminator, VarId,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

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
}

/// Facts on all functions, made when asked for.
pub struct Functions {
    known: FxHashMap<FuncId, Rc<FunctionInfo>>,
    callees: FxHashMap<FuncId, Rc<Vec<FuncId>>>,
    address_taken: Vec<FuncId>,
}

impl Functions {
    /// The facts of a program.
    pub fn new(program: &Program) -> Functions {
        Functions { known: FxHashMap::default(), callees: FxHashMap::default(), address_taken: address_taken(program) }
    }
    /// Functions whose address the program takes, sorted.
    pub fn address_taken(&self) -> &[FuncId] {
        &self.address_taken
    }
    /// The facts on `f`.
    pub fn info(&mut self, program: &Program, bases: &Bases, f: FuncId) -> Rc<FunctionInfo> {
        self.known.entry(f).or_insert_with(|| Rc::new(FunctionInfo::new(program, bases, f))).clone()
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

fn address_taken(program: &Program) -> Vec<FuncId> {
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
        let pointed = locals.iter().map(|v| bases.variable(*v)).filter(|&b| bases.is_reachable(b)).collect();
        let stack_allocs = program
            .allocs
            .iter_enumerated()
            .filter(|(_, a)| a.function == f && a.kind == AllocKind::Stack)
            .map(|(i, _)| i)
            .collect();
        FunctionInfo {
            order: Order::of(&cfg, function.blocks.len()),
            thresholds: thresholds(program, f),
            locals,
            pointed,
            stack_allocs,
        }
    }
}

/// Constants of the function and their neighbours, sizes of its arrays, and the bounds of types.
fn thresholds(program: &Program, f: FuncId) -> Vec<i128> {
    const MOST: usize = 200;
    let mut all: Vec<i128> = Vec::new();
    each_expr(program, f, &mut |e| match &e.kind {
        ExprKind::Int(v) => all.push(*v),
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
