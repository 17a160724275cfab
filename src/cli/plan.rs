//! The stages of `check` in their order, and why each stands where it does.

use super::args::{CacheArgs, InputArgs, LimitArgs};
use super::cache::Cache;
use super::cache::key::{Key, KeyMaker};
use super::cache::record::Record;
use super::check::Results;
use super::entry::find_entry;
use super::failure::erring;
use super::input::{load, lower_options};
use super::over::judged;
use super::stages::Clock;
use crate::engines::backward::{self, Boxes};
use crate::engines::forward::{Options, SiteVerdict, analyze};
use crate::engines::search::{SearchOptions, search};
use crate::engines::task::Budget;
use crate::ir::{CheckKind, FuncId, Program, SiteId};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, OnceLock};

/// The forward analysis's part of the time that is left; it needs some more to end well.
const FORWARD_SHARE: f64 = 0.8;
/// The same when rules run afterwards.
const SHARE_WITH_RULES: f64 = 0.6;
/// Statements that its runs may execute, and runs without news before it stops.
const SEARCH_STATEMENTS: u64 = 60_000_000;
const SEARCH_PATIENCE: u32 = 3000;
/// Reasons for ended runs that are told.
const REMARKS: usize = 10;

/// The sites that proofs leave open, once that is known.
type Open = Arc<OnceLock<BTreeSet<SiteId>>>;

/// What is to be analysed and how.
#[derive(Debug)]
pub struct Plan {
    input: InputArgs,
    limits: LimitArgs,
    entry: String,
    checks: BTreeSet<CheckKind>,
    cache: Cache,
    /// Whether rules or queries follow, which want the bounds of variables and what errs at any site.
    values: bool,
}

impl Plan {
    /// The plan that the user's arguments stand for.
    pub fn new(
        input: &InputArgs,
        limits: &LimitArgs,
        cache: &CacheArgs,
        entry: &str,
        checks: &BTreeSet<CheckKind>,
        values: bool,
    ) -> Plan {
        let (input, limits, cache) = (input.clone(), limits.clone(), Cache::new(cache));
        Plan { input, limits, entry: entry.to_owned(), checks: checks.clone(), cache, values }
    }

    /// Runs every stage, handing over to `results` as soon as one has something.
    pub fn run(&self, clock: &Arc<Clock>, results: &Mutex<Results>) {
        let hand_over = |put: &dyn Fn(&mut Results)| put(&mut results.lock().expect("holders of results do not panic"));
        let options = lower_options(&self.checks);
        let loaded = match load(&self.input, options, self.limits.jobs, clock.left(), &|stage| clock.enter(stage)) {
            Ok(loaded) => Arc::new(loaded),
            Err(error) => return results.lock().expect("holders of results do not panic").failed = Some(error),
        };
        hand_over(&|r| r.loaded = Some(Arc::clone(&loaded)));
        let entry = match find_entry(&loaded.program, &self.entry) {
            Ok(entry) => entry,
            Err(error) => return results.lock().expect("holders of results do not panic").failed = Some(error),
        };
        hand_over(&|r| r.entry = Some(entry));
        let key = self.key(results).map(KeyMaker::finish_key);
        if let Some(record) = key.and_then(|key| self.cache.get::<Record>(&key))
            && record.restore(&loaded.program, &mut results.lock().expect("holders of results do not panic"))
        {
            return;
        }
        self.engines(clock, &loaded.program, entry, results);
        if let Some(key) = key {
            self.keep(&key, results);
        }
    }

    /// Earlier results.
    pub fn cache(&self) -> &Cache {
        &self.cache
    }

    /// What the engines' results depend on, once the program is loaded.
    pub fn key(&self, results: &Mutex<Results>) -> Option<KeyMaker> {
        let loaded = results.lock().expect("holders of results do not panic").loaded.clone()?;
        let mut key = loaded.content.clone()?;
        key.add(&(&self.entry, &self.checks, self.values, format!("{:?}", self.limits)));
        Some(key)
    }

    /// Keeps what the engines have found for the next run.
    fn keep(&self, key: &Key, results: &Mutex<Results>) {
        let mut results = results.lock().expect("holders of results do not panic");
        // They are gone when somebody could not wait for all of them.
        if results.loaded.is_some()
            && let Err(why) = self.cache.put(key, &Record::of(&results))
        {
            results.remarks.push(format!("the results are not kept for the next run: {why}"));
        }
    }

    /// Runs the engines.
    fn engines(&self, clock: &Clock, program: &Program, entry: FuncId, results: &Mutex<Results>) {
        // The two look at one program independently of each other: the one proves, the other runs.
        clock.enter("analysing");
        let open = Arc::default();
        if self.limits.jobs > 1 {
            std::thread::scope(|scope| {
                scope.spawn(|| self.search(clock, program, entry, &open, results));
                self.forward(clock, program, entry, &open, results);
            });
        } else {
            self.forward(clock, program, entry, &open, results);
            self.search(clock, program, entry, &open, results);
        }
    }

    /// Over-approximates all executions; what it says of sites is handed over, and what it leaves open told.
    fn forward(&self, clock: &Clock, program: &Program, entry: FuncId, open: &Open, results: &Mutex<Results>) {
        // Checks that execution runs past are judged with the others.
        let share = if self.values { SHARE_WITH_RULES } else { FORWARD_SHARE };
        let time_limit = clock.left().mul_f64(share);
        let options = Options { time_limit, keep_invariants: self.values, ..Options::default() };
        let result = analyze(program, entry, &options);
        let undecided = |(site, answer): (SiteId, &SiteVerdict)| {
            // Rules join what the engines say of any site, asked for or not.
            let wanted = self.values || self.checks.contains(&program.sites[site].kind);
            let decided = matches!(answer, SiteVerdict::Safe(_) | SiteVerdict::Unreachable);
            (wanted && !decided).then_some(site)
        };
        let _ = open.set(result.verdicts.iter_enumerated().filter_map(undecided).collect());
        let verdicts = result.verdicts.iter_enumerated().map(|(site, answer)| (site, judged(answer)));
        let values = if self.values { result.value_at(program) } else { Vec::new() };
        let mut results = results.lock().expect("holders of results do not panic");
        results.over.extend(verdicts);
        results.values = values;
    }

    /// Runs the program on chosen inputs; what errs is handed over with its evidence.
    fn search(&self, clock: &Clock, program: &Program, entry: FuncId, open: &Open, results: &Mutex<Results>) {
        // Every check that C asks for ends a run, asked for or not: what comes after undefined behaviour proves nothing.
        let checks = CheckKind::ALL.iter().copied().filter(|k| k.by_default() || self.checks.contains(k)).collect();
        let share = clock.left() / 4;
        let options = SearchOptions {
            checks,
            seed: self.limits.seed,
            statements: SEARCH_STATEMENTS,
            patience: SEARCH_PATIENCE,
            budget: Budget::of(share),
            open: Arc::clone(open),
        };
        let outcome = search(program, entry, &options);
        let hand_over = |boxes: &Boxes| {
            let runs = outcome.found.iter().map(|(site, found)| {
                let proved = match boxes.get(site) {
                    Some(backward::Outcome::Proved(proved)) => Some(proved),
                    _ => None,
                };
                (*site, (erring(program, found, proved), "search"))
            });
            results.lock().expect("holders of results do not panic").runs.extend(runs);
        };
        // What was found is there even if time runs out while its boxes grow.
        hand_over(&Boxes::new());
        let wanted = |site: SiteId| self.values || self.checks.contains(&program.sites[site].kind);
        let boxes =
            backward::preconditions(program, entry, &options, &outcome.found, wanted, &Budget::of(clock.left()));
        hand_over(&boxes);
        let mut results = results.lock().expect("holders of results do not panic");
        results.remarks.push(backward::remark(&boxes));
        results.boxes = boxes.iter().map(|(site, outcome)| (*site, outcome.into())).collect();
        results.remarks.push(format!("search: {} runs, {} statements", outcome.runs, outcome.statements));
        let mut undecided: Vec<(&String, &u64)> = outcome.undecided.iter().collect();
        undecided.sort_by_key(|(why, count)| (std::cmp::Reverse(**count), *why));
        for (why, count) in undecided.into_iter().take(REMARKS) {
            results.remarks.push(format!("search: {count} runs ended early: {why}"));
        }
    }
}
