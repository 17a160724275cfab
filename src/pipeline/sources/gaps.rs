//! What of the input the verdicts do not cover.

use super::load::Loaded;
use crate::base::{Severity, Span};
use crate::ir::{Callee, FuncId, Program, StmtKind};
use crate::verdict::{Gap, GapKind, Location, locate};
use std::collections::BTreeSet;

/// All gaps, sorted, each once.
pub fn gaps(loaded: &Loaded) -> Vec<Gap> {
    let program = &loaded.program;
    let mut gaps = BTreeSet::new();
    for (file, reason) in &loaded.unread {
        let location = Location { file: file.clone(), line: 0, column: 0 };
        gaps.insert(Gap { kind: GapKind::File, location, function: None, what: reason.clone() });
    }
    for f in program.functions.iter() {
        if let Some(reason) = &f.failed {
            let (location, function) = (locate(program, f.span), Some(f.name.clone()));
            gaps.insert(Gap { kind: GapKind::Function, location, function, what: format!("{}: {reason}", f.name) });
        }
    }
    for u in &program.unsupported {
        let (location, what) = (locate(program, u.span), u.construct.clone());
        gaps.insert(Gap { kind: GapKind::Construct, location, function: u.function.clone(), what });
    }
    for d in program.diagnostics.iter().filter(|d| d.severity == Severity::Error) {
        let location = locate(program, d.span);
        gaps.insert(Gap { kind: GapKind::Construct, location, function: None, what: d.message.clone() });
    }
    for f in called_externals(program) {
        let f = &program.functions[f];
        let location = locate(program, f.span);
        gaps.insert(Gap { kind: GapKind::External, location, function: None, what: f.name.clone() });
    }
    for name in called_by_contract(program) {
        let declared = program.functions.iter().find(|f| f.name == name);
        let location = locate(program, declared.map_or(Span::NONE, |f| f.span));
        gaps.insert(Gap { kind: GapKind::Contract, location, function: None, what: name.to_owned() });
    }
    gaps.into_iter().collect()
}

/// Functions that are called and that a contract of the user's describes.
fn called_by_contract(program: &Program) -> BTreeSet<&str> {
    let statements = program.functions.iter().flat_map(|f| f.blocks.iter()).flat_map(|b| &b.stmts);
    let called = statements.filter_map(|s| match &s.kind {
        StmtKind::LibraryCall { name, .. } => Some(name.as_str()),
        StmtKind::Call { callee: Callee::Direct(f), .. } => Some(program.functions[*f].name.as_str()),
        _ => None,
    });
    called.filter(|name| program.contracts.of_user(name).is_some_and(|contract| !contract.is_empty())).collect()
}

/// Functions without a body that a call names.
pub fn called_externals(program: &Program) -> BTreeSet<FuncId> {
    let statements = program.functions.iter().flat_map(|f| f.blocks.iter()).flat_map(|b| &b.stmts);
    statements
        .filter_map(|s| match &s.kind {
            StmtKind::Call { callee: Callee::Direct(f), .. } => Some(*f),
            _ => None,
        })
        .filter(|f| !program.functions[*f].has_body() && program.functions[*f].failed.is_none())
        .collect()
}
