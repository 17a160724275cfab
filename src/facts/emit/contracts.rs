//! The group `contracts`: what is known of the functions that the program names and does not define.

use crate::facts::{Cell, FactStore};
use crate::ir::{Program, StmtKind};
use std::collections::BTreeSet;

/// States the contracts of functions that are declared, and of those that library calls name.
pub fn emit(program: &Program, facts: &mut FactStore) {
    let mut names: BTreeSet<&str> =
        program.functions.iter().filter(|f| !f.has_body() || f.library).map(|f| f.name.as_str()).collect();
    let blocks = program.functions.iter().flat_map(|f| f.blocks.iter());
    names.extend(blocks.flat_map(|b| &b.stmts).filter_map(|stmt| match &stmt.kind {
        StmtKind::LibraryCall { name, .. } => Some(name.as_str()),
        _ => None,
    }));
    for name in names {
        let symbol = facts.symbols.intern(name);
        for clause in program.contracts.of(name) {
            let cells: Vec<Cell> =
                std::iter::once(Cell::Symbol(symbol)).chain(clause.numbers().into_iter().map(Cell::Number)).collect();
            let known = facts.push(clause.relation(), &cells);
            debug_assert!(known, "clauses and relations are made of the same declarations");
        }
    }
}
