//! Withdraws what came out malformed, which only erroneous C does: engines rely on the IR's rules.

use crate::base::Diagnostic;
use crate::ir::validate::{Violation, validate};
use crate::ir::{IntKind, Program, Type};

/// A withdrawn variable can make functions malformed that use it.
const ROUNDS: usize = 3;

/// Marks functions whose IR breaks a rule as failed, and makes variables that no object can be unknown ones.
pub(super) fn withdraw_malformed(program: &mut Program) {
    for _ in 0..ROUNDS {
        let violations = validate(program);
        if violations.is_empty() {
            return;
        }
        for violation in &violations {
            withdraw(program, violation);
        }
    }
}

fn withdraw(program: &mut Program, violation: &Violation) {
    if let Some(v) = violation.variable {
        let byte = program.types.int(IntKind::Char);
        let ty = program.variables[v].ty;
        let unusable =
            program.types.size_of(ty).is_none() || matches!(program.types.get(ty), Type::Void | Type::Function(_));
        let variable = &mut program.variables[v];
        variable.init.clear();
        variable.defined &= variable.owner().is_some();
        if unusable {
            variable.ty = byte;
            variable.size = variable.size.max(1);
        }
        let message = format!("`{}` is not analysed: {}", variable.name, violation.message);
        program.diagnostics.push(Diagnostic::warning(violation.span, message));
    }
    let owner = violation.variable.and_then(|v| program.variables[v].owner());
    let Some(f) = violation.function.or(owner).filter(|f| program.functions[*f].has_body()) else { return };
    let function = &mut program.functions[f];
    function.blocks = crate::base::IndexVec::new();
    function.params.clear();
    function.locals.clear();
    function.failed = Some(violation.message.clone());
    let message = format!("function `{}` is not analysed: {}", function.name, violation.message);
    program.diagnostics.push(Diagnostic::warning(violation.span, message));
}
