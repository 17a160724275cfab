//! The invariants and verdicts of an analysis held against a run of the interpreter.

use super::result::{ForwardResult, analyze, analyze_functions};
use super::{Options, SiteVerdict};
use crate::concrete::{InputSource, Limits, Machine, Observer, Outcome, Prepared};
use crate::ir::{BlockId, Check, FuncId, Program, SiteId};
use std::collections::BTreeMap;

/// Problems that are told of one run.
const TOLD: usize = 3;

/// What a run showed of an analysis.
#[derive(Debug)]
pub struct Comparison {
    /// How many states of the run were compared.
    pub states: u64,
    /// States outside the invariants, and verdicts that the run contradicts.
    pub problems: Vec<String>,
    pub outcome: Outcome,
}

/// Analyses the program from `entry` and runs it on `inputs`.
pub fn compare(program: &Program, entry: FuncId, inputs: &mut dyn InputSource, limits: &Limits) -> Comparison {
    let options = Options { keep_invariants: true, ..Options::default() };
    compare_with(&analyze(program, entry, &options), program, entry, inputs, limits)
}

/// The same with every function analysed for itself.
pub fn compare_functions(
    program: &Program,
    entry: FuncId,
    inputs: &mut dyn InputSource,
    limits: &Limits,
) -> Comparison {
    let options = Options { keep_invariants: true, ..Options::default() };
    compare_with(&analyze_functions(program, &options), program, entry, inputs, limits)
}

fn compare_with(
    result: &ForwardResult,
    program: &Program,
    entry: FuncId,
    inputs: &mut dyn InputSource,
    limits: &Limits,
) -> Comparison {
    let mut watch = Watch { program, result, entry, visits: BTreeMap::new(), compared: 0, problems: Vec::new() };
    let run = Prepared::new(program).run(entry, inputs, limits, &mut watch);
    Comparison { states: watch.compared, problems: watch.problems, outcome: run.outcome }
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
