//! Which variables an expression of C at a loop may name.

use crate::ir::{BlockId, FuncId, Program, Storage, VarId};

/// Whether the variable's name means the variable where the loop of `head` begins: it is the source's, of this function or of the whole
/// file, declared before, and no other variable that may be meant there has its name.
pub fn is_nameable(program: &Program, head: (FuncId, BlockId), variable: VarId) -> bool {
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
    (before || matches!(v.storage, Storage::Global(_) | Storage::Param(..))) && is_alone()
}

fn may_be_meant(storage: Storage, function: FuncId) -> bool {
    match storage {
        Storage::Global(_) => true,
        Storage::Static(f) | Storage::Local(f) | Storage::Param(f, _) => f == function,
        Storage::Temp(_) | Storage::Literal => false,
    }
}
