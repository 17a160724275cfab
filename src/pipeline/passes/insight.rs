//! What a page of sources shows besides findings: bounds of variables, what they may point to, and loops.

use super::ground::{Ground, Next};
use crate::datalog::{Limits, Value};
use crate::engines::forward::Start;
use crate::engines::invariant::template::Templates;
use crate::ir::{FuncId, Program, Storage, VarId};
use crate::pipeline::error::Error;
use crate::pipeline::listener::Nobody;
use crate::pipeline::loops::{row, summarize_loops};
use crate::pipeline::profile::Profile;
use crate::pipeline::results::Results;
use crate::pipeline::rules::ask::{Asker, Extra};
use crate::pipeline::rules::facts::emit_results;
use crate::pipeline::rules::source::{compose_rules, query_source};
use crate::verdict::{Bounds, FunctionInsight, Insight, LoopInsight, VariableInsight, locate};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Targets listed of a variable.
const LISTED: usize = 12;
/// What variables may point to, by name.
const QUERY: &str = "targets(v, l) :- variable_value(w, v), points_to(w, l).";

/// Hands over what is known of variables and loops, if a page of them follows.
pub fn look_at_variables(ground: &Ground) -> Result<Next, Error> {
    if !ground.request.insight {
        return Ok(Next::Go);
    }
    let known = ground.results().for_rules();
    ground.clock.enter("looking at variables and loops");
    let started = Instant::now();
    let profile = &ground.request.profile;
    let time = ground.clock.left().min(profile.insight.time);
    let found = insight(ground.program(), ground.start(), &known, (time, profile));
    let mut results = ground.results();
    results.insight = Some(found);
    results.times.add("insight", started.elapsed());
    Ok(Next::Go)
}

/// Collects it within `time`, from `start` and what engines have found.
fn insight(program: &Program, start: &Start, results: &Results, (time, profile): (Duration, &Profile)) -> Insight {
    let (limits, mut missing) = (&profile.insight, Vec::new());
    let targets = targets(program, start, results, (limits.time_for_targets.of(time), profile)).unwrap_or_else(|why| {
        missing.push(format!("what variables may point to: {why}"));
        BTreeMap::new()
    });
    let loops = match start {
        Start::Function(entry) => loops(program, *entry, (limits.time_for_loops.of(time), profile)),
        Start::Outside(_) => Err("loops are judged from one entry; --entry names it".to_owned()),
    };
    let loops = loops.unwrap_or_else(|why| {
        missing.push(format!("loops: {why}"));
        Vec::new()
    });
    let bounds = bounds(program, results);
    let variable = |id: VarId, function: Option<FuncId>| {
        let bounds = match function {
            Some(function) => bounds.get(&(function, id)).cloned().unwrap_or_default(),
            None => Vec::new(),
        };
        let targets = targets.get(&id).cloned().unwrap_or_default();
        let name = program.variables[id].name.clone();
        let known = !bounds.is_empty() || !targets.is_empty();
        known.then_some(VariableInsight { name, bounds, targets })
    };
    let mut functions: Vec<FunctionInsight> = program
        .functions
        .iter_enumerated()
        .filter(|(_, f)| f.has_body() && !f.library)
        .map(|(id, f)| {
            let own = f.params.iter().chain(&f.locals).copied();
            // Statics have bounds where a function's invariants say so.
            let statics = bounds.range((id, VarId(0))..=(id, VarId(u32::MAX))).map(|((_, v), _)| *v);
            let statics = statics.filter(|v| program.variables[*v].is_static());
            let shown = own.chain(statics).filter(|v| !matches!(program.variables[*v].storage, Storage::Temp(_)));
            let mut variables: Vec<VariableInsight> = shown.filter_map(|v| variable(v, Some(id))).collect();
            variables.sort_by(|a, b| a.name.cmp(&b.name));
            let spans = f.blocks.iter().flat_map(|b| b.stmts.iter().map(|s| s.span).chain([b.span]));
            let lines = spans.filter(|span| span.file == f.span.file).map(|span| span.line);
            let last_line = lines.max().unwrap_or(0).max(f.span.line);
            FunctionInsight { name: f.name.clone(), location: locate(program, f.span), last_line, variables }
        })
        .collect();
    functions.sort_by(|a, b| (&a.location, &a.name).cmp(&(&b.location, &b.name)));
    let statics = program.variables.iter_enumerated().filter(|(_, v)| v.is_static() && v.storage != Storage::Literal);
    let mut globals: Vec<VariableInsight> = statics.filter_map(|(v, _)| variable(v, None)).collect();
    globals.sort_by(|a, b| a.name.cmp(&b.name));
    Insight { functions, globals, loops, missing }
}

/// The bounds of variables in functions, by the lines that blocks begin at.
fn bounds(program: &Program, results: &Results) -> BTreeMap<(FuncId, VarId), Vec<Bounds>> {
    let mut all: BTreeMap<(FuncId, VarId), Vec<Bounds>> = BTreeMap::new();
    for value in &results.values {
        let block = &program.functions[value.function].blocks[value.block];
        let line = block.stmts.first().map_or(block.span.line, |stmt| stmt.span.line);
        let bounds = Bounds { line, offset: value.offset, low: value.low, high: value.high };
        all.entry((value.function, value.variable)).or_default().push(bounds);
    }
    for ((function, _), bounds) in &mut all {
        bounds.sort();
        let blocks = program.functions[*function].blocks.iter();
        let lines: Vec<u32> = blocks.map(|b| b.stmts.first().map_or(b.span.line, |s| s.span.line)).collect();
        let begin_at = |line: u32| lines.iter().filter(|l| **l == line).count();
        // Several blocks may begin on a line: what is said there holds in all of them.
        let parts = bounds.chunk_by(|a, b| (a.line, a.offset) == (b.line, b.offset));
        let joined = parts.filter(|part| part.len() == begin_at(part[0].line)).map(|part| Bounds {
            low: part.iter().map(|b| b.low).min().expect("a part is not empty"),
            high: part.iter().map(|b| b.high).max().expect("a part is not empty"),
            ..part[0]
        });
        *bounds = joined.collect();
    }
    all
}

/// What variables may point to.
fn targets(
    program: &Program,
    start: &Start,
    results: &Results,
    (time, profile): (Duration, &Profile),
) -> Result<BTreeMap<VarId, Vec<String>>, String> {
    let emitted = emit_results(program, start, results);
    let names = emitted.names;
    let ids: BTreeMap<String, VarId> =
        program.variables.indices().map(|v| (names.spelled(names.variable(v)).to_string(), v)).collect();
    let mut asker = Asker::new(Arc::new(emitted.facts), Extra::new());
    let composed = compose_rules(&[query_source(QUERY)]).map_err(|error| error.to_string())?;
    let limits = Limits { time: Some(time), derivations: Some(profile.rules.derivations), watch: None };
    let answer = asker.answer(&composed, "targets", &limits).map_err(|error| error.to_string())?;
    let mut all: BTreeMap<VarId, Vec<String>> = BTreeMap::new();
    for row in &answer.rows {
        let [Value::Symbol(variable), target] = &row[..] else { continue };
        if let Some(id) = ids.get(variable) {
            all.entry(*id).or_default().push(spelled(target));
        }
    }
    for list in all.values_mut() {
        list.sort();
        let more = list.len().saturating_sub(LISTED);
        if more > 0 {
            list.truncate(LISTED);
            list.push(format!("and {more} more"));
        }
    }
    Ok(all)
}

/// A target, a record of base, offset and size, as people write it.
fn spelled(target: &Value) -> String {
    let Value::Record(fields) = target else { return target.to_string() };
    match &fields[..] {
        [base, Value::Number(0), _] => base.to_string(),
        [base, offset, _] => format!("{base} + {offset}"),
        _ => target.to_string(),
    }
}

fn loops(program: &Program, entry: FuncId, within: (Duration, &Profile)) -> Result<Vec<LoopInsight>, String> {
    let summary =
        summarize_loops(program, entry, (Templates::NONE, None), within, &Nobody).map_err(|error| error.to_string())?;
    let mut loops: Vec<LoopInsight> = summary
        .loops
        .iter()
        .map(|l| row(program, l))
        .map(|r| LoopInsight {
            function: r.function.to_owned(),
            ends: r.ends,
            argument: r.argument,
            invariants: r.invariants.iter().map(|text| (*text).to_owned()).collect(),
            location: r.place,
        })
        .collect();
    loops.sort_by(|a, b| a.location.cmp(&b.location));
    Ok(loops)
}
