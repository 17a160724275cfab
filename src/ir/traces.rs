//! Functions that may be called any number of times without a difference: what they do ends with the call.

use super::{Callee, FuncId, Place, PlaceBase, Program, StmtKind};

impl Program {
    /// Whether a call of `f` may leave something behind, or use something up, so that it matters how often it is called. What it writes to
    /// streams does not count. True of what has no body, or none yet.
    pub fn leaves_traces(&self, f: FuncId) -> bool {
        let (mut seen, mut open) = (vec![f], vec![f]);
        while let Some(f) = open.pop() {
            let function = &self.functions[f];
            if !function.has_body() {
                return true;
            }
            for stmt in function.blocks.iter().flat_map(|b| &b.stmts) {
                if self.statement_leaves_traces(&stmt.kind) {
                    return true;
                }
                if let StmtKind::Call { callee: Callee::Direct(g), .. } = stmt.kind
                    && !seen.contains(&g)
                {
                    seen.push(g);
                    open.push(g);
                }
            }
        }
        false
    }

    /// The same of a statement, apart from what a function that it names does.
    fn statement_leaves_traces(&self, stmt: &StmtKind) -> bool {
        let lasts = |place: &Place| match place.base {
            PlaceBase::Var(v) => self.variables[v].is_static(),
            PlaceBase::Deref(_) => true,
        };
        match stmt {
            StmtKind::Check(_) | StmtKind::Assume { .. } | StmtKind::LibraryCall { .. } => false,
            StmtKind::StorageLive(_) | StmtKind::StorageDead(_) => false,
            StmtKind::Assign { place, .. } => lasts(place),
            StmtKind::Call { dest, callee: Callee::Direct(_), .. } => dest.as_ref().is_some_and(lasts),
            StmtKind::Lib { function, dest, .. } => {
                function.effects().writes.is_some() || dest.as_ref().is_some_and(lasts)
            }
            _ => true,
        }
    }
}
