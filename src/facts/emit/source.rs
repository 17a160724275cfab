//! The groups `source` and `unsupported`: places in the source.

use super::names::Names;
use crate::base::Span;
use crate::facts::{FactStore, column, row};
use crate::ir::Program;

/// States files, the places of functions, variables, statements and check sites, and what could not be lowered.
pub fn emit(program: &Program, names: &Names, facts: &mut FactStore) {
    let files: Vec<column::File> =
        program.sources.files().map(|(_, name)| column::File(facts.symbols.intern(name))).collect();
    facts.file.extend(files.iter().map(|&file| row::File { file }));
    let at = |span: Span| (files[span.file.0 as usize], i64::from(span.line), i64::from(span.column));
    for (id, f) in program.functions.iter_enumerated() {
        let function = column::Function(names.function(id));
        let (file, line, column) = at(f.span);
        facts.function_position.push(row::FunctionPosition { function, file, line, column });
        for (b, block) in f.blocks.iter_enumerated() {
            let spans = block.stmts.iter().map(|s| s.span).chain([block.span]);
            for (index, span) in spans.enumerate() {
                let statement = column::Statement(names.statement(id, b, index));
                let (file, line, column) = at(span);
                facts.statement_position.push(row::StatementPosition { statement, file, line, column });
            }
        }
    }
    for (id, v) in program.variables.iter_enumerated() {
        let variable = column::Variable(names.variable(id));
        let (file, line, column) = at(v.span);
        facts.variable_position.push(row::VariablePosition { variable, file, line, column });
    }
    for (id, s) in program.sites.iter_enumerated() {
        let site = column::CheckSite(names.site(s.function, id));
        let (file, line, column) = at(s.span);
        facts.check_position.push(row::CheckPosition { site, file, line, column });
    }
    for u in &program.unsupported {
        let construct = facts.symbols.intern(&u.construct);
        let function = facts.symbols.intern(u.function.as_deref().unwrap_or_default());
        let (file, line, column) = at(u.span);
        facts.unsupported.push(row::Unsupported { construct, function, file, line, column });
    }
}
