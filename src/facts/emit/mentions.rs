//! Which variables the text of each function names, and of which functions it takes the address.

use super::names::Names;
use crate::facts::{FactStore, column, row};
use crate::ir::{Check, Expr, ExprKind, FuncId, PlaceBase, Program, StmtKind, VarId};
use std::collections::BTreeSet;

/// What a text refers to.
#[derive(Default)]
struct Mentioned {
    variables: BTreeSet<VarId>,
    functions: BTreeSet<FuncId>,
}

/// States what every function names, each thing once.
pub fn emit(program: &Program, names: &Names, facts: &mut FactStore) {
    for f in program.functions.indices() {
        let function = column::Function(names.function(f));
        let mentioned = Mentioned::by(program, f);
        for v in mentioned.variables {
            let variable = column::Variable(names.variable(v));
            facts.names_variable.push(row::NamesVariable { function, variable });
        }
        for g in mentioned.functions {
            let other = column::Function(names.function(g));
            facts.takes_function.push(row::TakesFunction { function, other });
        }
        for (b, block) in program.functions[f].blocks.iter_enumerated() {
            for (index, stmt) in block.stmts.iter().enumerate() {
                let StmtKind::LibraryCall { args, .. } = &stmt.kind else { continue };
                let mut handed = Mentioned::default();
                args.iter().for_each(|arg| handed.add(arg));
                let statement = column::Statement(names.statement(f, b, index));
                for g in handed.functions {
                    let function = column::Function(names.function(g));
                    facts.hands_function.push(row::HandsFunction { statement, function });
                }
            }
        }
    }
}

impl Mentioned {
    fn by(program: &Program, f: FuncId) -> Mentioned {
        let mut found = Mentioned::default();
        for block in program.functions[f].blocks.iter() {
            for stmt in &block.stmts {
                stmt.kind.exprs().into_iter().for_each(|e| found.add(e));
                let judged = match &stmt.kind {
                    StmtKind::Check(check) => match &**check {
                        Check::Initialized { place, .. } => Some(place),
                        _ => None,
                    },
                    _ => None,
                };
                let places = stmt.kind.written_places().into_iter().chain(judged);
                found.variables.extend(places.filter_map(|place| named(&place.base)));
            }
            block.terminator.expr().into_iter().for_each(|e| found.add(e));
        }
        found
    }

    fn add(&mut self, e: &Expr) {
        e.walk(&mut |e| match &e.kind {
            ExprKind::AddrOf(v, _) => drop(self.variables.insert(*v)),
            ExprKind::Load(place) => self.variables.extend(named(&place.base)),
            ExprKind::FuncAddr(f) => drop(self.functions.insert(*f)),
            _ => {}
        });
    }
}

fn named(base: &PlaceBase) -> Option<VarId> {
    match base {
        PlaceBase::Var(v) => Some(*v),
        PlaceBase::Deref(_) => None,
    }
}
