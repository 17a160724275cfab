//! What is known of the variable under the cursor: its values, and what it may point to.

use super::study::Study;
use crate::base::{Idx, Span};
use crate::datalog::Limits;
use crate::facts::emit::Names;
use crate::ir::{BlockId, FuncId, Program, VarId};
use crate::pipeline::Profile;
use crate::pipeline::rules::ask::{Asker, Extra};
use crate::pipeline::rules::facts::emit_results;
use crate::pipeline::rules::source::{compose_rules, query_source};
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// How long the rules may derive what pointers point to.
const PATIENCE: Duration = Duration::from_secs(10);
/// Targets listed.
const LISTED: usize = 12;

/// The facts of a study, once somebody has asked for what is derived from them.
#[derive(Default)]
pub struct Targets {
    asker: Option<(Asker, Names)>,
}

/// What is known of the variable called `word` at a line (from 1) of a file, in Markdown.
pub fn hover(study: &Study, targets: &mut Targets, path: &Path, line: u32, word: &str) -> Option<String> {
    let program = &study.loaded.program;
    let function = function_at(study, path, line)?;
    let variable = variable_called(program, function, word)?;
    let mut out = format!("**{}** in `{}`", word, program.functions[function].name);
    let values = values(study, function, variable, line);
    if values.is_empty() && !program.types.is_pointer(program.variables[variable].ty) {
        out.push_str("\n\nNo bounds are known here.");
    }
    for text in values {
        let _ = write!(out, "\n\n{text}");
    }
    if program.types.is_pointer(program.variables[variable].ty) {
        let _ = write!(out, "\n\n{}", targets.of(study, variable));
    }
    Some(out)
}

/// Whether `span` lies in the file.
fn is_in(study: &Study, path: &Path, span: Span) -> bool {
    let location = crate::verdict::locate(&study.loaded.program, span);
    study.path_of(&location).as_deref() == Some(path)
}

/// The function that a line is in: the one that begins last before it.
fn function_at(study: &Study, path: &Path, line: u32) -> Option<FuncId> {
    let functions = study.loaded.program.functions.iter_enumerated();
    let before = functions.filter(|(_, f)| f.has_body() && !f.library && f.span.line <= line);
    let mut before: Vec<_> = before.map(|(id, f)| (f.span.line, id, f.span)).collect();
    before.sort_by_key(|(line, ..)| std::cmp::Reverse(*line));
    before.into_iter().find(|(_, _, span)| is_in(study, path, *span)).map(|(_, id, _)| id)
}

/// The variable that the name means in the function; the one declared last when it has several of the name.
fn variable_called(program: &Program, function: FuncId, word: &str) -> Option<VarId> {
    let f = &program.functions[function];
    let own = f.params.iter().chain(&f.locals).rev().copied().find(|v| program.variables[*v].name == word);
    own.or_else(|| program.variables.iter_enumerated().find(|(_, v)| v.is_static() && v.name == word).map(|(id, _)| id))
}

/// The bounds of the variable where the blocks of the line begin, or those of the last one before it.
fn values(study: &Study, function: FuncId, variable: VarId, line: u32) -> Vec<String> {
    let blocks = &study.loaded.program.functions[function].blocks;
    let first = |block: BlockId| {
        let block = &blocks[block];
        block.stmts.first().map_or(block.span.line, |stmt| stmt.span.line)
    };
    let last = |block: BlockId| blocks[block].span.line;
    let mut around: Vec<BlockId> = blocks.indices().filter(|b| first(*b) <= line && line <= last(*b)).collect();
    if around.is_empty() {
        around =
            blocks.indices().filter(|b| first(*b) <= line).max_by_key(|b| (first(*b), b.index())).into_iter().collect();
    }
    let known = study.report.results.values.iter();
    let here = known.filter(|v| v.function == function && v.variable == variable && around.contains(&v.block));
    let mut texts: Vec<String> = here
        .map(|v| {
            let part = if v.offset == 0 { String::new() } else { format!(" at byte {}", v.offset) };
            format!("from {} to {}{part}, from line {}", v.low, v.high, first(v.block))
        })
        .collect();
    texts.sort();
    texts.dedup();
    texts
}

impl Targets {
    /// What a pointer may point to anywhere in the program.
    fn of(&mut self, study: &Study, variable: VarId) -> String {
        match self.derived(study, variable) {
            Ok(targets) if targets.is_empty() => "Points to nothing that is known.".to_owned(),
            Ok(targets) => {
                let shown: Vec<String> = targets.iter().take(LISTED).map(|t| format!("* `{t}`")).collect();
                let more = match targets.len().saturating_sub(LISTED) {
                    0 => String::new(),
                    more => format!("\n* and {more} more"),
                };
                format!("May point to:\n\n{}{more}", shown.join("\n"))
            }
            Err(why) => format!("What it may point to is not known: {why}"),
        }
    }

    fn derived(&mut self, study: &Study, variable: VarId) -> Result<Vec<String>, String> {
        let (asker, names) = match &mut self.asker {
            Some(ready) => ready,
            None => {
                let start = study.report.results.start.as_ref().ok_or("there is no entry")?;
                let emitted = emit_results(&study.loaded.program, start, &study.report.results);
                self.asker.insert((Asker::new(Arc::new(emitted.facts), Extra::new()), emitted.names))
            }
        };
        let name = names.spelled(names.variable(variable)).replace('\\', "\\\\").replace('"', "\\\"");
        let query = format!("targets(l) :- variable_value(v, \"{name}\"), points_to(v, l).");
        let composed = compose_rules(&[query_source(&query)]).map_err(|error| error.to_string())?;
        let derivations = Some(Profile::default().rules.derivations);
        let limits = Limits { time: Some(PATIENCE), derivations, watch: None };
        let answer = asker.answer(&composed, "targets", &limits).map_err(|error| error.to_string())?;
        Ok(answer.rows.iter().flatten().map(ToString::to_string).collect())
    }
}
