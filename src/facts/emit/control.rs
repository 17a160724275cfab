//! The group `control`, and which statement stands where.

use super::names::Names;
use crate::facts::{FactStore, Sym, column, row};
use crate::ir::program::ENTRY;
use crate::ir::{BlockId, Cfg, FuncId, Function, Program, StmtKind, Terminator};

/// States blocks, edges and statements of every function with a body.
pub fn emit(program: &Program, names: &Names, facts: &mut FactStore) {
    for (id, f) in program.functions.iter_enumerated() {
        if f.has_body() {
            function(names, facts, id, f);
        }
    }
}

fn function(names: &Names, facts: &mut FactStore, id: FuncId, f: &Function) {
    let function = column::Function(names.function(id));
    let blocks: Vec<column::Block> = f.blocks.indices().map(|b| column::Block(names.block(id, b))).collect();
    let at = |b: BlockId| blocks[b.0 as usize];
    facts.entry_block.push(row::EntryBlock { function, block: at(ENTRY) });
    let cfg = Cfg::of(f);
    for (b, body) in f.blocks.iter_enumerated() {
        let block = at(b);
        facts.block.push(row::Block { block, function });
        facts.edge.extend(cfg.successors(b).iter().map(|&next| row::Edge { block, next: at(next) }));
        let back = cfg.successors(b).iter().filter(|&&h| cfg.dominates(h, b));
        facts.back_edge.extend(back.map(|&h| row::BackEdge { block, header: at(h) }));
        let kind = facts.symbols.intern(terminator_kind(&body.terminator));
        facts.terminator.push(row::Terminator { block, kind });
        if let Some(dominator) = cfg.immediate_dominator(b) {
            facts.immediate_dominator.push(row::ImmediateDominator { block, dominator: at(dominator) });
        }
        let kinds = body.stmts.iter().map(|s| statement_kind(&s.kind));
        for (index, kind) in kinds.chain([terminator_kind(&body.terminator)]).enumerate() {
            let statement = column::Statement(names.statement(id, b, index));
            let kind: Sym = facts.symbols.intern(kind);
            facts.block_statement.push(row::BlockStatement { block, index: index as i64, statement });
            facts.statement_kind.push(row::StatementKind { statement, kind });
        }
    }
    for region in cfg.irreducible_regions() {
        let Some(&first) = region.first() else { continue };
        let rows = region.iter().map(|&b| row::IrreducibleBlock { block: at(b), region: at(first) });
        facts.irreducible_block.extend(rows);
    }
}

fn terminator_kind(t: &Terminator) -> &'static str {
    match t {
        Terminator::Goto(_) => "goto",
        Terminator::Branch { .. } => "branch",
        Terminator::Switch { .. } => "switch",
        Terminator::IndirectGoto { .. } => "indirect-goto",
        Terminator::Return(_) => "return",
        Terminator::Exit(_) => "exit",
        Terminator::Unreachable => "unreachable",
    }
}

fn statement_kind(s: &StmtKind) -> &'static str {
    match s {
        StmtKind::Check(_) => "check",
        StmtKind::Assign { .. } => "assign",
        StmtKind::Assume { .. } => "assume",
        StmtKind::Call { .. } => "call",
        StmtKind::LibraryCall { .. } => "library-call",
        StmtKind::Lib { .. } => "lib",
        StmtKind::Input { .. } => "input",
        StmtKind::InputBytes { .. } => "input-bytes",
        StmtKind::Alloc { .. } => "alloc",
        StmtKind::Realloc { .. } => "realloc",
        StmtKind::Free { .. } => "free",
        StmtKind::StorageLive(_) => "live",
        StmtKind::StorageDead(_) => "dead",
        StmtKind::VaStart { .. } => "va-start",
        StmtKind::VaArg { .. } => "va-arg",
        StmtKind::VaCopy { .. } => "va-copy",
        StmtKind::VaEnd { .. } => "va-end",
        StmtKind::ProgramArgs { .. } => "program-args",
        StmtKind::Unsupported { .. } => "unsupported",
    }
}
