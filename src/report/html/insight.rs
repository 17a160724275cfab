//! What the page shows of functions, variables and loops.

use crate::verdict::{Analysis, Bounds, Finding, LoopInsight, VariableInsight};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A function: how much of it is decided, and what its variables hold.
#[derive(Serialize)]
pub(super) struct FunctionData<'a> {
    name: &'a str,
    file: &'a str,
    first: u32,
    last: u32,
    counts: BTreeMap<&'static str, usize>,
    variables: BTreeMap<&'a str, VariableData<'a>>,
}

#[derive(Serialize)]
pub(super) struct VariableData<'a> {
    /// The line, the byte of the variable, and what it holds there in words.
    bounds: Vec<(u32, i64, String)>,
    targets: &'a [String],
}

#[derive(Serialize)]
pub(super) struct LoopData<'a> {
    file: &'a str,
    line: u32,
    function: &'a str,
    ends: &'static str,
    argument: &'a str,
    invariants: &'a [String],
}

/// All functions with check sites or variables of which something is known, by place.
pub(super) fn functions(analysis: &Analysis) -> Vec<FunctionData<'_>> {
    let key = |f: &Finding| (f.location.file.as_str().to_owned(), f.function.clone());
    let mut counts: BTreeMap<(String, String), BTreeMap<&'static str, usize>> = BTreeMap::new();
    for finding in analysis.findings.iter().filter(|f| !f.function.is_empty()) {
        *counts.entry(key(finding)).or_default().entry(finding.verdict.kind().name()).or_insert(0) += 1;
    }
    let known = analysis.insight.iter().flat_map(|insight| &insight.functions);
    known
        .map(|f| FunctionData {
            name: &f.name,
            file: &f.location.file,
            first: f.location.line,
            last: f.last_line,
            counts: counts.remove(&(f.location.file.clone(), f.name.clone())).unwrap_or_default(),
            variables: variables(&f.variables),
        })
        // Those of headers that nobody calls say nothing.
        .filter(|f| !f.counts.is_empty() || !f.variables.is_empty())
        .collect()
}

/// Variables by name; what several of one name hold is not told.
pub(super) fn variables(all: &[VariableInsight]) -> BTreeMap<&str, VariableData<'_>> {
    let (mut once, mut twice) = (BTreeSet::new(), BTreeSet::new());
    for variable in all {
        if !once.insert(&variable.name) {
            twice.insert(&variable.name);
        }
    }
    let told = all.iter().filter(|v| !twice.contains(&v.name));
    told.map(|v| {
        let bounds = v.bounds.iter().map(|b| (b.line, b.offset, phrase(b))).collect();
        (v.name.as_str(), VariableData { bounds, targets: &v.targets })
    })
    .collect()
}

fn phrase(bounds: &Bounds) -> String {
    match bounds.low == bounds.high {
        true => bounds.low.to_string(),
        false => format!("{} to {}", bounds.low, bounds.high),
    }
}

pub(super) fn loop_data(l: &LoopInsight) -> LoopData<'_> {
    LoopData {
        file: &l.location.file,
        line: l.location.line,
        function: &l.function,
        ends: l.ends,
        argument: &l.argument,
        invariants: &l.invariants,
    }
}
