//! Running the analysis, and what comes out.

use super::alone;
use super::analyzer::{Analyzer, Calls};
use super::bases::Bases;
use super::contexts::Context;
use super::functions::{Functions, Touched};
use super::lists::Frames;
use super::noted::Noted;
use super::options::Options;
use super::shape::Shape;
use super::state::State;
use super::verdicts::{SiteVerdict, Unfollowed, Verdicts};
use crate::base::IndexVec;
use crate::ir::{BlockId, CheckKind, FuncId, Program, SiteId, VarId};
use crate::memory::Memory;
use crate::verdict::Reason;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What the analysis found.
pub struct ForwardResult {
    /// The verdict on each site, over all executions from the entry.
    pub verdicts: IndexVec<SiteId, SiteVerdict>,
    /// Statements executed.
    pub steps: u64,
    /// What was tried for the whole program, in order.
    pub attempts: Vec<Attempt>,
    /// What judging took, per check.
    pub judging: BTreeMap<CheckKind, Duration>,
    /// Why the analysis is not complete, if it is not.
    pub incomplete: Option<Reason>,
    /// What stands for objects.
    pub bases: Bases,
    /// What places and pointers are, with [`Options::keep_places`].
    pub noted: Noted,
    pub(super) invariants: FxHashMap<FuncId, IndexVec<BlockId, Option<State>>>,
    /// What functions name; whether anything else is in reach, and in their invariants, depends on the caller.
    pub(super) touched: FxHashMap<FuncId, Arc<Touched>>,
    /// Functions that also run from states that were not analysed.
    pub(super) lost: IndexVec<FuncId, bool>,
    /// Of the functions that were lost and have been judged alone.
    alone: Option<Box<ForwardResult>>,
}

/// An analysis of the whole program with calls handled in one way.
#[derive(Clone, Debug)]
pub struct Attempt {
    pub calls: Calls,
    /// Statements executed.
    pub steps: u64,
    pub took: Duration,
    /// Why it has no result, if it has none.
    pub aborted: Option<Reason>,
}

impl fmt::Display for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let calls = match self.calls {
            Calls::Followed => "followed",
            Calls::Apart => "apart",
            Calls::Shared => "sharing memory",
            Calls::Skipped => "not followed",
            Calls::Joined => "joined",
        };
        write!(f, "proofs: calls {calls}: {} statements, {:.2} s", self.steps, self.took.as_secs_f64())?;
        self.aborted.iter().try_for_each(|why| write!(f, ", no result: {why}"))
    }
}

/// The numbers that a variable may hold at the start of a block.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ValueAt {
    pub function: FuncId,
    pub block: BlockId,
    pub variable: VarId,
    /// Bytes from the variable's start.
    pub offset: i64,
    pub low: i128,
    pub high: i128,
}

/// Where executions start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// In this function, whose parameters may be anything, and with the initial values of all else.
    Function(FuncId),
    /// In any of these functions, called from outside in any state that a caller may have left.
    Outside(Vec<FuncId>),
}

impl Start {
    /// Where execution begins, as the memory relations take it: nothing stands for `main`, called by the system.
    pub fn entries(&self, program: &Program) -> Vec<FuncId> {
        match self {
            Start::Function(entry) if program.functions[*entry].name == "main" => Vec::new(),
            start => start.functions().to_vec(),
        }
    }
    /// The functions that executions start in.
    pub fn functions(&self) -> &[FuncId] {
        match self {
            Start::Function(entry) => std::slice::from_ref(entry),
            Start::Outside(entries) => entries,
        }
    }
}

/// Analyses `program` from `entry`, whose parameters may be anything. Runs on a thread of its own, with a deep stack.
pub fn analyze(program: &Program, memory: &Memory, entry: FuncId, options: &Options<'_>) -> ForwardResult {
    analyze_from(program, memory, &Start::Function(entry), options)
}

/// Analyses `program` from `start`. Runs on a thread of its own, with a deep stack.
pub fn analyze_from(program: &Program, memory: &Memory, start: &Start, options: &Options<'_>) -> ForwardResult {
    on_a_deep_stack(program, || analyze_here(program, memory, start, options))
}

/// Analyses every function for itself, from any state that a caller may have left and without following calls, until the
/// time limit. Verdicts hold whatever calls what.
pub fn analyze_functions(program: &Program, memory: &Memory, options: &Options<'_>) -> ForwardResult {
    let all: Vec<FuncId> = program.functions.indices().filter(|f| program.functions[*f].has_body()).collect();
    on_a_deep_stack(program, || {
        alone::judge(program, memory, options, &all, options.time_limit, |a| finish(program, a))
    })
}

fn on_a_deep_stack(program: &Program, work: impl FnOnce() -> ForwardResult + Send) -> ForwardResult {
    const STACK: usize = 1 << 30;
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        match thread.map(|t| t.join()) {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(_) => unavailable(program),
        }
    })
}

/// Calls are followed until this part of the time is over.
const UNTIL_APART: f64 = 0.1;
/// Programs in which calls that are followed come to an end execute each statement, on each way of calls that leads to it, so often or more
/// (18 times in bzip2recover, 85 times in bchunk).
const EXECUTED: u64 = 20;
/// Where there are more ways than that, calls are followed for this part of the statements and the time: ways that meet in few states of
/// a function are soon followed.
const GLANCE: u32 = 8;
/// So much of the time there is for calls that are apart to settle: without that nothing else does, and functions judged each for itself
/// take little.
const UNTIL_ALONE: f64 = 1.05;
/// Where functions that were lost may be judged each for itself, there is so much more time for that, or for more where nothing is lost.
const WITH_RESULT: f64 = 1.2;

fn analyze_here(program: &Program, memory: &Memory, start: &Start, options: &Options<'_>) -> ForwardResult {
    let started = Instant::now();
    // Most programs are short. Of others there is a result as soon as calls that are apart settle, and a better one where those that share
    // memory do, or joined ones. None of them, nor calls that are followed, knows all that the others do.
    let (steps, joined, time) = (options.steps, options.joined_steps, options.time_limit);
    let all = if options.alone { time.mul_f64(WITH_RESULT) } else { time };
    let attempts = match options.calls {
        Some(Calls::Followed) => vec![(Calls::Followed, steps, time)],
        Some(calls) => vec![(calls, joined, time)],
        None => {
            let part = if follows_too_much(program, memory, start, steps) { GLANCE } else { 1 };
            vec![
                (Calls::Followed, steps / u64::from(part), time.mul_f64(UNTIL_APART) / part),
                (Calls::Apart, joined, all.min(time.mul_f64(UNTIL_ALONE))),
                (Calls::Shared, joined, all),
                (Calls::Joined, joined, all),
            ]
        }
    };
    let (mut executed, mut tried) = (0, Vec::new());
    let mut best: Option<ForwardResult> = None;
    let mut followed = false;
    for (calls, steps, time) in attempts {
        if followed && calls == Calls::Apart {
            continue;
        }
        let (new, begun) = (Analyzer::new(program, memory, options, calls), Instant::now());
        let mut analyzer = Analyzer { started, limits: (steps, time), ..new };
        analyzer.whole(start);
        executed += analyzer.steps;
        let aborted = analyzer.aborted.clone();
        tried.push(Attempt { calls, steps: analyzer.steps, took: begun.elapsed(), aborted });
        let ends = analyzer.aborted.is_none();
        match best.take_if(|best| best.incomplete.is_none()) {
            Some(before) if ends => {
                let new = finish(program, analyzer);
                let (first, second) = if followed { (before, new) } else { (new, before) };
                best.insert(first).take_over(program, &second);
            }
            Some(before) => best = Some(before),
            None => best = Some(finish(program, analyzer)),
        }
        followed |= ends && calls == Calls::Followed;
        // Where calls that are apart do not settle, others do not either.
        let is_over =
            followed && best.as_ref().is_some_and(ForwardResult::decides_all) || !ends && calls == Calls::Apart;
        if is_over || options.interrupt.is_raised() || started.elapsed() >= all {
            break;
        }
    }
    let mut result = best.expect("there is at least one attempt");
    (result.steps, result.attempts) = (executed, tried);
    let bodies = program.functions.indices().filter(|f| program.functions[*f].has_body());
    let lost: Vec<FuncId> = bodies.filter(|f| result.lost[*f]).collect();
    if options.alone && result.incomplete.is_some() && !lost.is_empty() {
        let left = all.saturating_sub(started.elapsed());
        result.judge_alone(program, alone::judge(program, memory, options, &lost, left, |a| finish(program, a)), &lost);
    }
    result
}

/// Whether calls from `start` that are followed will most likely take more than so many `steps`.
fn follows_too_much(program: &Program, memory: &Memory, start: &Start, steps: u64) -> bool {
    let mut functions = Functions::new(memory);
    let sizes = start.functions().iter().map(|f| functions.expanded(program, *f));
    sizes.fold(0, u64::saturating_add) > steps / EXECUTED
}

impl Analyzer<'_, '_> {
    /// All executions from `start`. A first round judges them; where contexts grew that had been used, further rounds go on until none
    /// does, and another one judges.
    fn whole(&mut self, start: &Start) {
        const ATTEMPTS: usize = 6;
        /// Statements that a round may take if it is to be repeated with calls followed.
        const SHORT: u64 = 50_000;
        for attempt in 0..ATTEMPTS {
            if attempt > 0 && self.shares() {
                // Something grew that mattered and did not seem to.
                self.contexts.doubt();
            }
            if self.calls.are_joined() || !self.contexts.are_settled() {
                self.settle_all(start);
                (self.verdicts, self.noted) = (Verdicts::new(self.program), Noted::default());
                self.invariants.clear();
                self.contexts.forget_judgements();
                self.summaries.values_mut().flatten().for_each(|summary| summary.recorded = false);
            }
            self.round(start, true);
            if self.contexts.are_settled() || self.aborted.is_some() {
                return;
            }
            if self.calls == Calls::Followed && self.steps > SHORT {
                break;
            }
        }
        self.aborted = Some(Reason::Budget("contexts do not settle".into()));
    }

    /// Rounds in which nothing is judged, until nothing that was used grows.
    fn settle_all(&mut self, start: &Start) {
        loop {
            self.round(start, false);
            self.settle_contexts();
            if self.contexts.are_settled() || self.aborted.is_some() {
                return;
            }
        }
    }

    fn round(&mut self, start: &Start, judges: bool) {
        (self.judges, self.recording) = (judges, judges);
        self.contexts.start();
        match start {
            Start::Function(entry) if self.program.functions[*entry].has_body() => {
                let mut state = self.first_state();
                state.frames = Frames::of(*entry);
                self.bind_unknown(&mut state, *entry, false);
                // Where nothing calls it, it is analysed again only where something has grown that it reads.
                if self.calls.are_joined() && self.functions.called_at(self.program, *entry) == 0 {
                    self.enter_context(Context { function: *entry, call: None, anywhere: false }, state);
                } else {
                    self.enter(*entry, None, state);
                }
                self.give_up_called_later();
                self.follow_given_up(&[]);
            }
            Start::Function(_) => self.aborted = Some(Reason::Unsupported("the entry has no body".into())),
            Start::Outside(entries) => {
                let reason = Reason::Budget("not reached in time".into());
                entries.iter().for_each(|entry| self.give_up(*entry, &reason, None));
                self.follow_given_up(entries);
            }
        }
    }
}

fn finish(program: &Program, mut analyzer: Analyzer<'_, '_>) -> ForwardResult {
    let mut kept: Vec<FuncId> = analyzer.invariants.keys().copied().collect();
    kept.sort_unstable();
    let functions = &mut analyzer.functions;
    let touched = kept.into_iter().map(|f| (f, functions.touched(&analyzer.bases, f))).collect();
    let is_lost = |f| analyzer.aborted.is_some() || analyzer.verdicts.lost(f).is_some();
    let lost = program.functions.indices().map(is_lost).collect();
    ForwardResult {
        verdicts: analyzer.verdicts.finish(program, analyzer.aborted.as_ref()),
        steps: analyzer.steps,
        attempts: Vec::new(),
        judging: analyzer.judging,
        incomplete: analyzer.aborted,
        bases: analyzer.bases,
        noted: analyzer.noted,
        invariants: analyzer.invariants,
        touched,
        lost,
        alone: None,
    }
}

fn unavailable(program: &Program) -> ForwardResult {
    let reason = Reason::Budget("no thread with a deep stack".into());
    ForwardResult {
        verdicts: program.sites.indices().map(|_| SiteVerdict::Unknown(reason.clone())).collect(),
        steps: 0,
        attempts: Vec::new(),
        judging: BTreeMap::new(),
        incomplete: Some(reason),
        bases: Bases::new(program),
        noted: Noted::default(),
        invariants: FxHashMap::default(),
        touched: FxHashMap::default(),
        lost: program.functions.indices().map(|_| true).collect(),
        alone: None,
    }
}

impl ForwardResult {
    /// Whether another analysis would decide no site more.
    fn decides_all(&self) -> bool {
        self.verdicts.iter().all(|v| !matches!(v, SiteVerdict::Possible { always: false, .. }))
    }
    /// Takes over what another whole analysis excludes where this one does not.
    fn take_over(&mut self, program: &Program, other: &ForwardResult) {
        for site in program.sites.indices() {
            let excludes = matches!(other.verdicts[site], SiteVerdict::Safe(_) | SiteVerdict::Unreachable);
            if excludes && matches!(self.verdicts[site], SiteVerdict::Possible { always: false, .. }) {
                self.verdicts[site] = other.verdicts[site].clone();
            }
        }
    }
    /// Takes over what was found out of `functions`, which are lost here, each judged for itself.
    fn judge_alone(&mut self, program: &Program, mut alone: ForwardResult, functions: &[FuncId]) {
        let judged: FxHashSet<FuncId> = functions.iter().copied().collect();
        for f in program.functions.indices() {
            alone.lost[f] |= !judged.contains(&f);
        }
        for site in program.sites.indices().filter(|s| judged.contains(&program.sites[*s].function)) {
            self.verdicts[site] = match alone.verdicts[site].clone() {
                SiteVerdict::Possible { state, mut doubt, .. } => {
                    const ALONE: &str = "the function by itself, since the whole program took too long";
                    let state = format!("{state}; {ALONE}");
                    doubt.iter_mut().for_each(|doubt| doubt.add(ALONE));
                    // What was followed before the time was over counts: where none of it fails, that time was over is why.
                    let unfollowed = match &self.verdicts[site] {
                        SiteVerdict::Possible { unfollowed, .. } => unfollowed.clone(),
                        SiteVerdict::Unknown(reason) => Some(Unfollowed { reason: reason.clone(), call: None }),
                        SiteVerdict::Safe(_) | SiteVerdict::Unreachable => None,
                    };
                    SiteVerdict::Possible { state, always: false, unfollowed, doubt }
                }
                other => other,
            };
        }
        self.steps += alone.steps;
        self.alone = Some(Box::new(alone));
    }
    /// Whether the invariants of `function` hold for a variable in all its runs: those of its own, and static ones that it
    /// or a callee names. Pointers bring others into reach, but not in every run.
    pub(super) fn covers(&self, program: &Program, function: FuncId, variable: VarId) -> bool {
        match program.variables[variable].owner() {
            Some(owner) => owner == function,
            None => {
                let base = self.bases.variable(variable);
                let named = self.touched.get(&function).is_some_and(|t| t.statics.binary_search(&base).is_ok());
                named || self.bases.is_constant(base)
            }
        }
    }
    /// Whether an execution may be at the start of a block. Only with [`Options::keep_invariants`].
    pub fn comes_to(&self, function: FuncId, block: BlockId) -> bool {
        let is_open = self.incomplete.is_some() || self.lost[function];
        is_open || self.invariants.get(&function).is_none_or(|blocks| blocks[block].is_some())
    }
    /// The bounds of all integer cells of variables at the blocks' starts, as far as they say anything, in order. Only
    /// with [`Options::keep_invariants`], and only of a whole analysis.
    pub fn value_at(&self, program: &Program) -> Vec<ValueAt> {
        if self.incomplete.is_some() { Vec::new() } else { self.values_where_decided(program) }
    }
    /// The same of functions all of whose states were analysed, whatever became of others: as their sites are decided, so are
    /// their values.
    pub fn values_where_decided(&self, program: &Program) -> Vec<ValueAt> {
        let mut all = Vec::new();
        for (&function, blocks) in &self.invariants {
            if self.lost[function] {
                continue;
            }
            for (block, state) in blocks.iter_enumerated() {
                let Some(state) = state else { continue };
                state.each(|base, object| {
                    let super::bases::Base::Variable(variable) = self.bases.get(base) else { return };
                    if !self.covers(program, function, variable) {
                        return;
                    }
                    for (offset, cell) in object.cells() {
                        let bounds = Shape { ..cell.shape }.bounds();
                        let plain = cell.value.pointers.is_none() && !cell.value.undefined;
                        if let Some(int) = cell.value.int.filter(|i| plain && !bounds.leq(i.interval())) {
                            let (low, high) = (int.lo(), int.hi());
                            all.push(ValueAt { function, block, variable, offset, low, high });
                        }
                    }
                });
            }
        }
        all.extend(self.alone.iter().flat_map(|alone| alone.values_where_decided(program)));
        all.sort();
        all
    }
}
