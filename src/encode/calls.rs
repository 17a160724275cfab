//! What the encoder asks the memory relations about functions: whom executions may come to, what keeps its value, how much there is
//! to follow.

use crate::ir::program::{Linkage, Storage};
use crate::ir::{Expr, ExprKind, FuncId, Program, StmtKind, VarId};
use crate::memory::Memory;
use std::collections::BTreeSet;

/// Blocks of a function, with its callees, that is followed where a function stands by itself.
const SMALL: usize = 60;

/// The functions with a body that pointers may be to.
pub fn taken(program: &Program, memory: &Memory) -> Vec<FuncId> {
    memory.taken().iter().copied().filter(|f| program.functions[*f].has_body()).collect()
}

/// The functions with a body that a run from `function` may come to, itself and all that pointers may be to included.
pub fn reachable(program: &Program, memory: &Memory, function: FuncId) -> BTreeSet<FuncId> {
    let starts = [function].into_iter().chain(taken(program, memory));
    let found = starts.flat_map(|f| memory.reachable_from(f));
    found.filter(|f| program.functions[*f].has_body()).collect()
}

/// Whether every way from the function back to it is a call of its own body.
pub fn only_calls_itself(memory: &Memory, function: FuncId) -> bool {
    let mut others = memory.entered_from(function).iter().filter(|g| **g != function);
    !others.any(|g| memory.reachable_from(*g).binary_search(&function).is_ok())
}

/// Whether some function calls it, or a pointer may.
pub fn is_called(program: &Program, memory: &Memory, function: FuncId) -> bool {
    let calls = |f: FuncId| memory.entered_from(f).binary_search(&function).is_ok();
    memory.taken().binary_search(&function).is_ok() || program.functions.indices().any(calls)
}

/// Whether the static variable keeps its initial value: nobody writes it, nor knows its address.
pub fn keeps_initial_value(program: &Program, memory: &Memory, v: VarId) -> bool {
    let variable = &program.variables[v];
    let has_outside = program.functions.iter().any(|f| !f.has_body() && !f.library);
    let seen_outside = has_outside && matches!(variable.storage, Storage::Global(Linkage::External));
    variable.defined
        && (variable.is_constant() || (!variable.address_taken && !memory.sets_somewhere(v) && !seen_outside))
}

/// Whether the function and its callees are so few blocks that calls of it are followed.
pub fn is_small(program: &Program, memory: &Memory, function: FuncId) -> bool {
    let all: BTreeSet<FuncId> =
        memory.reachable_from(function).into_iter().filter(|f| program.functions[*f].has_body()).collect();
    if all.iter().any(|f| memory.is_recursive(*f)) {
        return false;
    }
    let blocks: usize = all.iter().map(|f| program.functions[*f].blocks.len()).sum();
    let calls = all.iter().flat_map(|f| program.functions[*f].blocks.iter()).flat_map(|b| &b.stmts);
    let calls = calls.filter(|s| matches!(s.kind, StmtKind::Call { .. })).count();
    // A function that is called often counts often, about.
    blocks + 4 * calls <= SMALL
}

/// The variable whose address a pointer is computed from, when that is plain to see.
pub(super) fn root(e: &Expr) -> Option<VarId> {
    match &e.kind {
        ExprKind::AddrOf(v, _) => Some(*v),
        ExprKind::PtrAdd(a, _) | ExprKind::Cast(a) => root(a),
        _ => None,
    }
}
