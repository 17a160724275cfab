//! What calls may write and whom they call, for callers that do not follow them.
//!
//! See: Kroening et al., "Loop Summarization using State and Transition Invariants", Sect. 6.1: what a fragment may change gets
//! any value.

use crate::base::IndexVec;
use crate::ir::program::{Linkage, Storage};
use crate::ir::{
    Callee, Expr, ExprKind, FuncId, Place, PlaceBase, Program, StaticValue, StmtKind, Type, VarId, Variable,
};
use std::collections::BTreeSet;

/// What a run of a function may write, the functions it calls included.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Static variables, by name.
    pub variables: BTreeSet<VarId>,
    /// Through pointers: whatever has its address taken, and the heap.
    pub through: bool,
    /// Code that is not known runs: all that it can reach.
    pub outside: bool,
}

impl Written {
    fn add(&mut self, other: &Written) {
        self.variables.extend(&other.variables);
        self.through |= other.through;
        self.outside |= other.outside;
    }
}

/// The effects of all functions of a program.
#[derive(Clone, Debug)]
pub struct Effects {
    written: IndexVec<FuncId, Written>,
    /// By function: whom it calls, itself only.
    calls: IndexVec<FuncId, BTreeSet<FuncId>>,
    /// By function: whether control may come back to it from a call of its own.
    recursive: IndexVec<FuncId, bool>,
    /// By function: blocks with those of callees; None for more than is counted, or recursion.
    weight: IndexVec<FuncId, Option<usize>>,
    /// Functions that pointers may be to.
    pub taken: BTreeSet<FuncId>,
    /// What functions that pointers may be to write.
    anyone: Written,
    /// Static variables that somebody writes, or may.
    touched: BTreeSet<VarId>,
}

/// Blocks that are counted.
const MOST_WEIGHT: usize = 1000;

impl Effects {
    /// The effects of `program`'s functions.
    pub fn new(program: &Program) -> Effects {
        let taken = taken(program);
        let n = program.functions.len();
        let mut effects = Effects {
            written: IndexVec::from_elem(Written::default(), n),
            calls: IndexVec::from_elem(BTreeSet::new(), n),
            recursive: IndexVec::from_elem(false, n),
            weight: IndexVec::from_elem(None, n),
            anyone: Written::default(),
            touched: BTreeSet::new(),
            taken,
        };
        for f in program.functions.indices() {
            effects.note_function(program, f);
        }
        effects.close();
        for f in program.functions.indices() {
            effects.recursive[f] = effects.callees(f, false).contains(&f);
        }
        for f in program.functions.indices() {
            effects.weight[f] = effects.weigh(program, f);
        }
        for f in &effects.taken {
            effects.anyone.add(&effects.written[*f]);
        }
        effects.anyone.outside |= effects.taken.is_empty();
        effects.touched = effects.written.iter().flat_map(|w| &w.variables).copied().collect();
        effects
    }

    /// What a call of the function may write; None: of any function that a pointer may be to.
    pub fn of(&self, function: Option<FuncId>) -> &Written {
        match function {
            Some(f) => &self.written[f],
            None => &self.anyone,
        }
    }
    /// Whether a run of the function may call the function.
    pub fn is_recursive(&self, function: FuncId) -> bool {
        self.recursive[function]
    }
    /// Whether every way from the function back to it is a call of its own body.
    pub fn only_calls_itself(&self, function: FuncId) -> bool {
        let mut others = self.calls[function].clone();
        others.remove(&function);
        !others.into_iter().any(|g| self.callees(g, false).contains(&function))
    }
    /// Blocks of the function and its callees; None for too many or recursion.
    pub fn weight(&self, function: FuncId) -> Option<usize> {
        self.weight[function]
    }
    /// Whether the static variable keeps its initial value: nobody writes it, nor knows its address.
    pub fn keeps_initial_value(&self, program: &Program, v: VarId) -> bool {
        let variable = &program.variables[v];
        variable.defined
            && (variable.is_constant()
                || (!variable.address_taken && !self.touched.contains(&v) && !seen_outside(program, v)))
    }
    /// Whether some function calls it, or a pointer may.
    pub fn is_called(&self, function: FuncId) -> bool {
        self.taken.contains(&function) || self.calls.iter().any(|c| c.contains(&function))
    }
    /// The functions that a run from `function` may come to, itself and all that pointers may be to included.
    pub fn reachable(&self, function: FuncId) -> BTreeSet<FuncId> {
        let mut found = self.callees(function, true);
        found.insert(function);
        found
    }

    /// Functions that calls in `function` lead to; with `anyone`, also those that pointers may be to at any time.
    fn callees(&self, function: FuncId, anyone: bool) -> BTreeSet<FuncId> {
        let mut found = BTreeSet::new();
        let mut open: Vec<FuncId> = self.calls[function].iter().copied().collect();
        if anyone {
            open.extend(&self.taken);
        }
        while let Some(f) = open.pop() {
            if found.insert(f) {
                open.extend(&self.calls[f]);
            }
        }
        found
    }

    fn note_function(&mut self, program: &Program, f: FuncId) {
        let (mut written, mut calls) = (Written::default(), BTreeSet::new());
        for stmt in program.functions[f].blocks.iter().flat_map(|b| &b.stmts) {
            note(program, &stmt.kind, &mut written);
            match &stmt.kind {
                StmtKind::Call { callee: Callee::Direct(g), .. } if program.functions[*g].has_body() => {
                    calls.insert(*g);
                }
                StmtKind::Call { callee: Callee::Direct(_), .. } => {
                    written.outside = true;
                    calls.extend(&self.taken);
                }
                StmtKind::Call { callee: Callee::Indirect(_), .. } => calls.extend(&self.taken),
                _ => {}
            }
        }
        calls.retain(|g| program.functions[*g].has_body());
        (self.written[f], self.calls[f]) = (written, calls);
    }

    /// Adds what callees write, until nothing is new.
    fn close(&mut self) {
        loop {
            let mut changed = false;
            for f in self.calls.indices() {
                let mut all = self.written[f].clone();
                self.calls[f].iter().for_each(|g| all.add(&self.written[*g]));
                changed |= all != self.written[f];
                self.written[f] = all;
            }
            if !changed {
                return;
            }
        }
    }

    fn weigh(&self, program: &Program, f: FuncId) -> Option<usize> {
        let all = self.callees(f, false);
        if self.recursive[f] || all.iter().any(|g| self.recursive[*g]) {
            return None;
        }
        let blocks = all.iter().chain([&f]).flat_map(|g| program.functions[*g].blocks.iter());
        let calls = blocks.flat_map(|b| &b.stmts);
        let calls = calls.filter(|s| matches!(s.kind, StmtKind::Call { .. })).count();
        let blocks: usize = all.iter().chain([&f]).map(|g| program.functions[*g].blocks.len()).sum();
        // A function that is called often counts often, about.
        Some(blocks + 4 * calls).filter(|n| *n <= MOST_WEIGHT)
    }
}

/// Whether code outside the program may write the variable.
fn seen_outside(program: &Program, v: VarId) -> bool {
    let has_outside = program.functions.iter().any(|f| !f.has_body() && !f.library);
    has_outside && matches!(program.variables[v].storage, Storage::Global(Linkage::External))
}

/// What the statement itself writes.
fn note(program: &Program, stmt: &StmtKind, written: &mut Written) {
    for place in stmt.written_places() {
        note_place(program, place, written);
    }
    match stmt {
        StmtKind::InputBytes { ptr, .. } => note_pointer(program, ptr, written),
        StmtKind::Lib { function, args, .. } => {
            if let Some(pointer) = function.effects().writes.and_then(|n| args.get(n)) {
                note_pointer(program, pointer, written);
            }
        }
        StmtKind::VaCopy { dest: list, .. } | StmtKind::VaStart { list } => note_pointer(program, list, written),
        StmtKind::Unsupported { .. } => written.outside = true,
        _ => {}
    }
}

fn note_place(program: &Program, place: &Place, written: &mut Written) {
    match &place.base {
        PlaceBase::Var(v) => note_variable(program, *v, written),
        PlaceBase::Deref(pointer) => note_pointer(program, pointer, written),
    }
}

fn note_pointer(program: &Program, pointer: &Expr, written: &mut Written) {
    match root(pointer) {
        Some(v) => note_variable(program, v, written),
        None => written.through = true,
    }
}

fn note_variable(program: &Program, v: VarId, written: &mut Written) {
    if program.variables[v].is_static() {
        written.variables.insert(v);
    }
}

/// The variable whose address a pointer is computed from, when that is plain to see.
pub(super) fn root(e: &Expr) -> Option<VarId> {
    match &e.kind {
        ExprKind::AddrOf(v, _) => Some(*v),
        ExprKind::PtrAdd(a, _) | ExprKind::Cast(a) => root(a),
        _ => None,
    }
}

/// Functions whose addresses the program takes.
pub(super) fn taken(program: &Program) -> BTreeSet<FuncId> {
    let mut taken = BTreeSet::new();
    for block in program.functions.iter().flat_map(|f| f.blocks.iter()) {
        for e in block.stmts.iter().flat_map(|s| s.kind.exprs()).chain(block.terminator.expr()) {
            e.walk(&mut |e| {
                if let ExprKind::FuncAddr(f) = e.kind {
                    taken.insert(f);
                }
            });
        }
    }
    for init in program.variables.iter().flat_map(|v| &v.init) {
        if let StaticValue::FuncAddr(f) = init.value {
            taken.insert(f);
        }
    }
    taken.retain(|f| program.functions[*f].has_body());
    taken
}

/// Whether code outside the program gets at no address of its objects and functions: no call passes it a pointer, nor do the variables
/// that it knows by name hold one.
pub(super) fn keeps_addresses(program: &Program) -> bool {
    let types = &program.types;
    let holds_none = |ty| matches!(types.get(ty), Type::Int(_) | Type::Float(_));
    let cells_hold_none = |mut ty| {
        while let Type::Array(elem, _) = types.get(ty) {
            ty = *elem;
        }
        holds_none(ty)
    };
    let is_named = |v: &Variable| v.storage == Storage::Global(Linkage::External);
    let stays = |stmt: &StmtKind| match stmt {
        StmtKind::Call { callee: Callee::Direct(f), args, .. } => {
            program.functions[*f].has_body() || args.iter().all(|a| holds_none(a.ty))
        }
        StmtKind::Call { .. } | StmtKind::Unsupported { .. } => false,
        _ => true,
    };
    let hides = |e: &Expr| {
        let mut plain = true;
        e.walk(&mut |e| {
            if let ExprKind::Cast(from) = &e.kind {
                plain &= types.is_pointer(e.ty) || !types.is_pointer(from.ty);
            }
        });
        plain
    };
    let blocks = || program.functions.iter().flat_map(|f| f.blocks.iter());
    program.variables.iter().all(|v| !is_named(v) || cells_hold_none(v.ty))
        && taken(program).is_empty()
        && blocks().flat_map(|b| &b.stmts).all(|s| stays(&s.kind) && s.kind.exprs().into_iter().all(hides))
        && blocks().filter_map(|b| b.terminator.expr()).all(hides)
}
