//! The invariants and verdicts of an analysis held against a run of the interpreter.

use super::result::{ForwardResult, analyze, analyze_functions};
use super::{Calls, Options, SiteVerdict};
use crate::concrete::{Defaults, Limits, Machine, Observer, Outcome, Prepared};
use crate::engines::search::dictionary::Dictionary;
use crate::engines::search::steered::random_inputs;
use crate::ir::{BlockId, Check, FuncId, Program, SiteId};
use crate::memory::Memory;
use std::collections::BTreeMap;

/// Problems that are told of one run.
const TOLD: usize = 3;

/// What runs showed of an analysis.
#[derive(Debug, Default)]
pub struct Comparison {
    /// How many states of the runs were compared.
    pub states: u64,
    /// States outside the invariants, and verdicts that a run contradicts.
    pub problems: Vec<String>,
    /// How each run ended.
    pub outcomes: Vec<Outcome>,
}

/// Analyses the program from `entry` and runs it so many times: on plain inputs first, then on random ones.
pub fn compare(program: &Program, entry: FuncId, runs: u64, limits: &Limits) -> Comparison {
    let options = Options { keep_invariants: true, ..Options::default() };
    compare_with(&analyze(program, &Memory::of(program), entry, &options), program, entry, runs, limits)
}

/// The same with this done about calls.
pub fn compare_calls(program: &Program, entry: FuncId, calls: Calls, runs: u64, limits: &Limits) -> Comparison {
    let options = Options { keep_invariants: true, calls: Some(calls), ..Options::default() };
    compare_with(&analyze(program, &Memory::of(program), entry, &options), program, entry, runs, limits)
}

/// The same with every function analysed for itself.
pub fn compare_functions(program: &Program, entry: FuncId, runs: u64, limits: &Limits) -> Comparison {
    let options = Options { keep_invariants: true, ..Options::default() };
    compare_with(&analyze_functions(program, &Memory::of(program), &options), program, entry, runs, limits)
}

fn compare_with(result: &ForwardResult, program: &Program, entry: FuncId, runs: u64, limits: &Limits) -> Comparison {
    let (dictionary, prepared) = (Dictionary::of(program), Prepared::new(program));
    let mut all = Comparison::default();
    for seed in 0..runs {
        let mut watch = Watch { program, result, entry, visits: BTreeMap::new(), compared: 0, problems: Vec::new() };
        let run = match seed {
            0 => prepared.run(entry, &mut Defaults, limits, &mut watch),
            _ => prepared.run(entry, &mut random_inputs(&dictionary, seed), limits, &mut watch),
        };
        all.states += watch.compared;
        all.problems.extend(watch.problems.into_iter().map(|p| format!("run {seed}: {p}")));
        all.outcomes.push(run.outcome);
    }
    all
}

struct Watch<'r> {
    program: &'r Program,
    result: &'r ForwardResult,
    entry: FuncId,
    /// How often each block was entered.
    visits: BTreeMap<(FuncId, BlockId), u64>,
    compared: u64,
    problems: Vec<String>,
}

impl Watch<'_> {
    fn wrong(&self, site: SiteId, failed: bool) -> bool {
        match &self.result.verdicts[site] {
            SiteVerdict::Safe(_) => failed,
            SiteVerdict::Unreachable => true,
            SiteVerdict::Possible { always, .. } => *always && !failed,
            SiteVerdict::Unknown(_) => false,
        }
    }
}

impl Observer for Watch<'_> {
    fn enter_block(&mut self, function: FuncId, block: BlockId, machine: &Machine<'_>) {
        let visits = self.visits.entry((function, block)).or_insert(0);
        *visits += 1;
        // `main` gets its parameters in its first block; of many visits some are looked at.
        let first = machine.depth() == 1 && function == self.entry && block == crate::ir::program::ENTRY;
        if first || !visits.is_power_of_two() {
            return;
        }
        match self.result.contains(self.program, machine, function, block) {
            Ok(compared) => self.compared += u64::from(compared),
            Err(what) if self.problems.len() < TOLD => self.problems.push(what),
            Err(_) => {}
        }
    }
    fn at_check(&mut self, check: &Check, failed: Option<SiteId>, _machine: &Machine<'_>) {
        for site in check.sites() {
            let fails = failed == Some(site);
            if self.wrong(site, fails) && self.problems.len() < TOLD {
                let at = self.program.sources.describe(self.program.sites[site].span);
                let kind = self.program.sites[site].kind.name();
                let verdict = &self.result.verdicts[site];
                let run = if fails { "fails" } else { "passes" };
                self.problems.push(format!("{at}: {kind} {verdict:?}, but a run {run}"));
            }
            // Sites behind the one that failed are not judged.
            if fails {
                return;
            }
        }
    }
}
