//! The group `checks`, but for the pointers that sites judge, which are values.

use super::names::Names;
use crate::facts::{FactStore, column, row};
use crate::ir::{Block, BlockId, FuncId, Program, SiteId, StmtKind};

/// States every check site: where it is judged, what about and after which others.
pub fn emit(program: &Program, names: &Names, facts: &mut FactStore) {
    for (id, f) in program.functions.iter_enumerated().filter(|(_, f)| f.has_body()) {
        for (b, block) in f.blocks.iter_enumerated() {
            emit_block(program, names, (id, b, block), facts);
        }
    }
    for (id, s) in program.sites.iter_enumerated() {
        let site = column::CheckSite(names.site(s.function, id));
        let subject = facts.symbols.intern(&s.subject);
        facts.check_subject.push(row::CheckSubject { site, subject });
    }
}

fn emit_block(program: &Program, names: &Names, (f, b, block): (FuncId, BlockId, &Block), facts: &mut FactStore) {
    let function = column::Function(names.function(f));
    let named = |id: SiteId| column::CheckSite(names.site(f, id));
    // The last site of the statement before.
    let mut before: Option<column::CheckSite> = None;
    for (index, stmt) in block.stmts.iter().enumerate() {
        let mut judged: Vec<column::CheckSite> = Vec::new();
        if let StmtKind::Check(check) = &stmt.kind {
            let statement = column::Statement(names.statement(f, b, index));
            for id in check.sites() {
                let (site, kind) = (named(id), program.sites[id].kind);
                let row = row::CheckSite { site, kind: facts.symbols.intern(kind.name()), function, statement };
                facts.check_site.push(row);
                if kind.continues() {
                    facts.goes_on.push(row::GoesOn { site });
                }
                for earlier in judged.iter().copied() {
                    facts.judged_after.push(row::JudgedAfter { site, earlier });
                }
                judged.push(site);
            }
            if let (Some(site), Some(earlier)) = (judged.first().copied(), before) {
                facts.judged_next.push(row::JudgedNext { site, earlier });
            }
        }
        before = judged.last().copied();
    }
}
