//! Every state of a run lies inside the invariants, and no run contradicts a verdict.
//!
//! `CELLOG_FORWARD_RUNS` may name more C files, one per line of a file, with `CELLOG_FORWARD_FLAGS` for the preprocessor;
//! `benches/measure` runs generated programs so.

use crate::program::{files, load};
use cellog::concrete::{Defaults, Limits, Machine, Observer, Prepared};
use cellog::engines::forward::{ForwardResult, Options, SiteVerdict, analyze};
use cellog::ir::{BlockId, Check, CheckKind, FuncId, Program, SiteId};
use std::collections::BTreeMap;
use std::path::PathBuf;

struct Watch<'r> {
    program: &'r Program,
    result: &'r ForwardResult,
    /// How often each block was entered.
    visits: BTreeMap<(FuncId, BlockId), u64>,
    /// How many states were compared.
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
        let first = machine.depth() == 1 && block == BlockId(0);
        if first || !visits.is_power_of_two() {
            return;
        }
        match self.result.contains(self.program, machine, function, block) {
            Ok(compared) => self.compared += u64::from(compared),
            Err(what) if self.problems.len() < 3 => self.problems.push(what),
            Err(_) => {}
        }
    }
    fn at_check(&mut self, check: &Check, failed: Option<SiteId>, _machine: &Machine<'_>) {
        for site in check.sites() {
            let fails = failed == Some(site);
            if self.wrong(site, fails) && self.problems.len() < 3 {
                let at = self.program.sources.describe(self.program.sites[site].span);
                let kind = self.program.sites[site].kind.name();
                self.problems.push(format!(
                    "{at}: {kind} {:?}, but a run {}",
                    self.result.verdicts[site],
                    if fails { "fails" } else { "passes" }
                ));
            }
            // Sites behind the one that failed are not judged.
            if fails {
                return;
            }
        }
    }
}

fn compare(program: &Program) -> (u64, Vec<String>) {
    let Some(entry) = program.function_named("main") else { return (0, vec!["no main".into()]) };
    let result = analyze(program, entry, &Options { keep_invariants: true, ..Options::default() });
    let checks = CheckKind::ALL.iter().copied().filter(|k| k.by_default()).collect();
    let limits = Limits { checks, statements: 300_000, ..Limits::default() };
    let mut watch = Watch { program, result: &result, visits: BTreeMap::new(), compared: 0, problems: Vec::new() };
    Prepared::new(program).run(entry, &mut Defaults, &limits, &mut watch);
    (watch.compared, watch.problems)
}

#[test]
fn runs_stay_inside_the_invariants_and_contradict_no_verdict() {
    let mut groups: Vec<Vec<PathBuf>> = files("forward").into_iter().map(|f| vec![f]).collect();
    if let Ok(list) = std::env::var("CELLOG_FORWARD_RUNS") {
        groups = std::fs::read_to_string(list).unwrap().lines().map(|l| vec![PathBuf::from(l)]).collect();
    }
    let flags: Vec<String> =
        std::env::var("CELLOG_FORWARD_FLAGS").unwrap_or_default().split_whitespace().map(str::to_owned).collect();
    let (mut problems, mut compared, mut programs) = (Vec::new(), 0, 0);
    for group in groups {
        let (n, found) = compare(&load(&group, &flags));
        compared += n;
        programs += usize::from(n > 0);
        problems.extend(found.into_iter().map(|p| format!("{}: {p}", group[0].display())));
    }
    println!("{compared} states of {programs} programs");
    assert!(compared > 0, "no state was compared");
    assert!(problems.is_empty(), "{} problems\n{}", problems.len(), problems.join("\n"));
}
