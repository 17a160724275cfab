//! Which variables an expression of C at a loop may name.

use crate::base::Span;
use crate::encode::{Automaton, Cell, NodeId};
use crate::ir::{BlockId, Expr, ExprKind, FuncId, Function, Place, Program, Storage, VarId};

/// Whether an expression at `head` may name the variable of `cell`: its name means it there, and it is of the activation that is at the head.
pub fn may_name(automaton: &Automaton<'_>, head: NodeId, cell: Cell) -> bool {
    let (program, node) = (automaton.program, &automaton.nodes[head]);
    let is_own = program.variables[cell.variable].is_static() || cell.context == node.context;
    is_own && is_nameable(program, (node.function, node.block), cell.variable)
}

/// Whether the variable's name means the variable where the loop of `head` begins: it is the source's, of this function or of the whole
/// file, declared before in the same file, not out of scope again, and no other variable that may be meant there has its name.
fn is_nameable(program: &Program, head: (FuncId, BlockId), variable: VarId) -> bool {
    let (v, block) = (&program.variables[variable], &program.functions[head.0].blocks[head.1]);
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if v.name.is_empty() || !v.name.chars().all(is_name) || !may_be_meant(v.storage, head.0) {
        return false;
    }
    // Where the first thing stands that the loop does: behind what a `for` declares.
    let begin = block.stmts.first().map_or(block.span, |s| s.span);
    let before = v.span.file == begin.file && (v.span.line, v.span.column) < (begin.line, begin.column);
    let is_alone = || {
        let same = program.variables.iter().filter(|o| o.name == v.name && may_be_meant(o.storage, head.0));
        same.count() == 1
    };
    let lasts = || is_mentioned_from(&program.functions[head.0], variable, begin);
    let is_in_scope = match v.storage {
        Storage::Param(..) => true,
        Storage::Global(_) => before,
        _ => before && lasts(),
    };
    is_in_scope && is_alone()
}

/// Whether something that stands at `begin` or behind it in the text speaks of the function's variable: then its scope has not ended before.
fn is_mentioned_from(function: &Function, variable: VarId, begin: Span) -> bool {
    let is_behind = |span: Span| span.file == begin.file && (span.line, span.column) >= (begin.line, begin.column);
    let names = |place: &Place| place.as_var() == Some(variable);
    let speaks = |e: &Expr| {
        let mut found = false;
        e.walk(&mut |e| {
            found |= match &e.kind {
                ExprKind::AddrOf(v, _) => *v == variable,
                ExprKind::Load(place) => names(place),
                _ => false,
            }
        });
        found
    };
    function.blocks.iter().any(|block| {
        let mut behind = block.stmts.iter().filter(|s| is_behind(s.span)).map(|s| &s.kind);
        behind.any(|s| s.exprs().into_iter().any(speaks) || s.written_places().into_iter().any(names))
            || is_behind(block.span) && block.terminator.expr().is_some_and(speaks)
    })
}

fn may_be_meant(storage: Storage, function: FuncId) -> bool {
    match storage {
        Storage::Global(_) => true,
        Storage::Static(f) | Storage::Local(f) | Storage::Param(f, _) => f == function,
        Storage::Temp(_) | Storage::Literal => false,
    }
}
