//! A program apart from where its parts stand in the sources: what engines see, and the positions that reports are made with.

use super::program::CallSite;
use super::{AllocSite, Block, CheckSite, Function, InputSite, Program, Unsupported};
use crate::base::Span;
use std::fmt::{self, Debug, Write};

impl Program {
    /// Writes all of the program that executions depend on to `out`, without positions, which are returned in the order in which
    /// they would stand there. Two programs with the same text behave alike, and their positions correspond one by one.
    pub fn write_without_positions(&self, out: &mut impl Write) -> Result<Vec<Span>, fmt::Error> {
        // Every field is named, here and below, so that none is forgotten. What the front end said does not matter.
        let Program {
            types,
            sources,
            variables,
            functions,
            sites,
            inputs,
            calls,
            allocs,
            unsupported,
            rounds_otherwise,
            contracts,
            diagnostics: _,
        } = self;
        let mut spans = Vec::new();
        let mut take = |span: &mut Span| spans.push(std::mem::replace(span, Span::NONE));
        let mut part = |part: &dyn Debug| writeln!(out, "{part:?}");
        part(&types.model)?;
        part(&(contracts, rounds_otherwise))?;
        types.iter().try_for_each(|(_, ty)| part(ty))?;
        for record in types.records.iter() {
            part(&(named(&record.name), record.is_union, &record.layout))?;
        }
        sources.files().try_for_each(|file| part(&file))?;
        for variable in variables.iter() {
            let mut variable = variable.clone();
            take(&mut variable.span);
            part(&variable)?;
        }
        for function in functions.iter() {
            let mut function = function.clone();
            positions(&mut function, &mut take);
            part(&function)?;
        }
        for CheckSite { kind, function, span, subject } in sites.iter() {
            take(&mut span.clone());
            part(&(kind, function, subject))?;
        }
        for InputSite { name, function, span, approximate, excluded } in inputs.iter() {
            take(&mut span.clone());
            part(&(name, function, approximate, excluded))?;
        }
        for CallSite { function, span } in calls.iter() {
            take(&mut span.clone());
            part(function)?;
        }
        for AllocSite { name, kind, function, span } in allocs.iter() {
            take(&mut span.clone());
            part(&(name, kind, function))?;
        }
        for Unsupported { construct, function, span } in unsupported {
            take(&mut span.clone());
            part(&(construct, function))?;
        }
        Ok(spans)
    }
}

/// A function without its positions.
pub(super) fn without_positions(function: &Function) -> Function {
    let mut function = function.clone();
    positions(&mut function, &mut |span| *span = Span::NONE);
    function
}

fn positions(function: &mut Function, take: &mut impl FnMut(&mut Span)) {
    take(&mut function.span);
    for Block { stmts, terminator: _, span, keyword } in function.blocks.iter_mut() {
        stmts.iter_mut().for_each(|stmt| take(&mut stmt.span));
        take(span);
        keyword.iter_mut().for_each(&mut *take);
    }
}

/// The name of a record; what has none is named by its line.
pub(super) fn named(name: &str) -> &str {
    match name.starts_with('<') {
        true => name.rsplit_once(':').map_or(name, |(before, _)| before),
        false => name,
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::counting_loop;
    use super::*;

    fn text(program: &Program) -> (String, Vec<Span>) {
        let mut text = String::new();
        let spans = program.write_without_positions(&mut text).expect("text can be written");
        (text, spans)
    }

    #[test]
    fn a_moved_program_has_the_same_text_and_other_positions() {
        let first = counting_loop().program;
        let mut moved = first.clone();
        for function in moved.functions.iter_mut() {
            positions(function, &mut |span: &mut Span| span.line += 3);
        }
        let ((before, old), (after, new)) = (text(&first), text(&moved));
        assert_eq!((&before, old.len()), (&after, new.len()));
        assert!(old.iter().zip(&new).any(|(a, b)| b.line == a.line + 3));
    }

    #[test]
    fn another_program_has_another_text() {
        let first = counting_loop().program;
        let mut other = first.clone();
        other.variables.iter_mut().for_each(|v| v.size += 1);
        assert_ne!(text(&first).0, text(&other).0);
    }
}
