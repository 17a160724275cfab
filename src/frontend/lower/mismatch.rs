//! Withdraws functions whose unit declares what they use otherwise than the unit that defines it (C11 6.2.7p2): an object with
//! more bytes than it has, a function with a result that it does not give.

use super::visit::{self, Part};
use crate::base::{Diagnostic, IndexVec};
use crate::ir::{Block, Callee, PlaceBase, Program, StmtKind, Type, TypeId};

/// Marks the functions as failed, with the reason; to be called when all units are lowered.
pub(super) fn withdraw_mismatched(program: &mut Program) {
    let mut reasons = Vec::new();
    for f in program.functions.indices() {
        // Walks change places; this one only looks.
        let mut blocks = std::mem::take(&mut program.functions[f].blocks);
        let object = blocks.iter_mut().find_map(|block| misused_object(program, block));
        if let Some(reason) = object.or_else(|| blocks.iter().find_map(|block| misread_result(program, block))) {
            reasons.push((f, reason));
        }
        program.functions[f].blocks = blocks;
    }
    for (f, reason) in reasons {
        let function = &mut program.functions[f];
        function.blocks = IndexVec::new();
        function.params.clear();
        function.locals.clear();
        let message = format!("function `{}` is not analysed: {reason}", function.name);
        let span = function.span;
        function.failed = Some(reason);
        program.diagnostics.push(Diagnostic::warning(span, message));
    }
}

/// An object of static storage duration that the block uses by name beyond its end: its own unit took it to be larger.
fn misused_object(program: &Program, block: &mut Block) -> Option<String> {
    let mut found = None;
    visit::parts_mut(block, &mut |part| {
        let Part::Place(place) = part else { return };
        let PlaceBase::Var(v) = place.base else { return };
        let variable = &program.variables[v];
        let bytes = program.types.size_of(place.ty).unwrap_or(0);
        let bytes = place.bits.map_or(bytes, |b| b.unit_bytes(bytes));
        let end = u64::try_from(place.offset).ok().and_then(|at| at.checked_add(bytes));
        if variable.is_static() && end.is_none_or(|end| end > variable.size) {
            found = Some(format!("its file declares `{}` larger than the file that defines it", variable.name));
        }
    });
    found
}

/// A call whose result the caller reads as what the function does not give.
fn misread_result(program: &Program, block: &Block) -> Option<String> {
    block.stmts.iter().find_map(|s| {
        let StmtKind::Call { dest: Some(dest), callee: Callee::Direct(f), .. } = &s.kind else { return None };
        let function = &program.functions[*f];
        let Type::Function(ty) = program.types.get(function.ty) else { return None };
        (!gives(program, ty.result, dest.ty))
            .then(|| format!("its file declares the result of `{}` otherwise than the function's", function.name))
    })
}

/// Whether a caller that takes a result of type `given` for a `read` gets its value, or the low bytes of it.
fn gives(program: &Program, given: TypeId, read: TypeId) -> bool {
    let types = &program.types;
    let whole = |t: TypeId| matches!(types.get(t), Type::Int(_) | Type::Pointer(_));
    let (a, b) = (types.size_of(given), types.size_of(read));
    given == read
        || whole(given) && whole(read) && a >= b && a <= Some(types.pointer_size())
        || a == b && matches!((types.get(given), types.get(read)), (Type::Record(_), Type::Record(_)))
}
