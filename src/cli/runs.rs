//! The stage of `check` that runs the program on chosen inputs, and grows those that err.

use super::cache::key::KeyMaker;
use super::cache::record::AGAIN;
use super::cache::searched::SearchRecord;
use super::check::Results;
use super::failure::erring;
use super::input::current_folder;
use super::plan::{Open, Plan, SEARCH_STATEMENTS, lock};
use super::stages::Clock;
use super::times::Times;
use crate::engines::backward::{self, Boxes};
use crate::engines::forward::Start;
use crate::engines::search::{Entered, Found, SearchOptions, SearchOutcome, Searcher};
use crate::engines::task::Budget;
use crate::ir::{FuncId, Program, SiteId};
use crate::verdict::Erring;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Statements for each entry where there are many.
const FEWEST_STATEMENTS: u64 = 500_000;
/// Reasons for ended runs that are told.
const REMARKS: usize = 10;
/// How often one looks whether proofs have ended.
const TICK: Duration = Duration::from_millis(2);

/// Runs that err, from one entry.
pub(super) type Runs = BTreeMap<SiteId, Found>;

/// What all searches of a program share.
struct Ground<'a> {
    clock: &'a Clock,
    program: &'a Program,
    searcher: Searcher<'a>,
    open: &'a Open,
    results: &'a Mutex<Results>,
    /// What all of them depend on besides the program; None where nothing is kept.
    key: Option<KeyMaker>,
}

/// A search from one entry: what it found, and what is known of the inputs.
struct Searched {
    outcome: SearchOutcome,
    boxes: Boxes,
    /// Whether an earlier run did it.
    recalled: bool,
}

impl Plan {
    /// Runs the program on chosen inputs, from one function after the other where executions may start in several.
    /// What the last of them was found to do is returned.
    pub(super) fn search(
        &self,
        clock: &Clock,
        program: &Program,
        start: &Start,
        open: &Open,
        results: &Mutex<Results>,
    ) -> Runs {
        let entries = start.functions();
        let mut budget = Budget::of(clock.left() / 4);
        let statements = (SEARCH_STATEMENTS / entries.len().max(1) as u64).max(FEWEST_STATEMENTS);
        let key = self.search_key(results, statements);
        let ground = Ground { clock, program, searcher: Searcher::new(program), open, results, key };
        let (mut last, mut recalled) = (Runs::new(), 0);
        for (done, entry) in entries.iter().enumerate() {
            let part = 1.0 / (entries.len() - done) as f64;
            let kept = ground.key.as_ref().and_then(|key| self.recall_search(&ground, *entry, key, &mut budget));
            recalled += usize::from(kept.is_some());
            last = self.search_from(&ground, *entry, (budget.share(part), statements), kept);
        }
        if recalled > 0 {
            let text = format!("search: from {recalled} of {} entries {AGAIN}", entries.len());
            lock(results).remarks.push(text);
        }
        last
    }

    /// What searches depend on besides the program.
    fn search_key(&self, results: &Mutex<Results>, statements: u64) -> Option<KeyMaker> {
        let mut key = KeyMaker::new().filter(|_| self.cache().is_there())?;
        let files = lock(results).loaded.as_ref()?.files.clone();
        key.add(&("search", files, current_folder(), statements));
        self.add_options(&mut key);
        Some(key)
    }

    /// What an earlier run found from `entry`, if nothing has changed that its runs came to. What waiting for proofs takes is
    /// added to the budget again.
    fn recall_search(
        &self,
        ground: &Ground<'_>,
        entry: FuncId,
        key: &KeyMaker,
        budget: &mut Budget,
    ) -> Option<Searched> {
        let Ground { clock, program, searcher, open, .. } = ground;
        let record: SearchRecord = self.cache().get(&place(key, program, entry).finish_key())?;
        let part = record.part_of((program, entry), content(key, searcher))?;
        if record.needs_open() {
            let left = budget.left();
            while open.get().is_none() && !clock.left().is_zero() {
                std::thread::sleep(TICK);
            }
            *budget = Budget::of(left.min(clock.left()));
            if !record.covers(&part, open.get()?) {
                return None;
            }
        }
        let options = self.search_options(budget.clone(), 0, open);
        let again = |inputs: &[_], site| searcher.again(entry, inputs, site, &options);
        let (outcome, boxes) = record.restore(&part, &again)?;
        Some(Searched { outcome, boxes, recalled: true })
    }

    /// Runs the program from `entry`, or takes what was found by an earlier run; what errs is handed over with its evidence.
    fn search_from(
        &self,
        ground: &Ground<'_>,
        entry: FuncId,
        (budget, statements): (Budget, u64),
        kept: Option<Searched>,
    ) -> Runs {
        let Ground { clock, program, searcher, open, results, .. } = ground;
        let entered = Arc::new(Entered::new(program.functions.len()));
        let options = SearchOptions { entered, ..self.search_options(budget, statements, open) };
        let started = Instant::now();
        let anew = || Searched { outcome: searcher.search(entry, &options), boxes: Boxes::new(), recalled: false };
        let mut searched = kept.unwrap_or_else(anew);
        lock(results).times.add("runs", started.elapsed());
        let mut starved = !searched.recalled && options.budget.is_spent();
        // What is definite from an earlier entry is so.
        let is_known = |site: &SiteId| matches!(lock(results).runs.get(site), Some((Erring::Certain(_), _)));
        let found: Runs =
            searched.outcome.found.iter().filter(|(site, _)| !is_known(site)).map(|(s, f)| (*s, f.clone())).collect();
        searched.boxes.retain(|site, _| found.contains_key(site));
        // What was found is there even if time runs out while its boxes grow.
        hand_over(ground, entry, &found, &searched.boxes);
        let is_wanted = self.wanted(program);
        let wanted = |site| is_wanted(site) && !searched.boxes.contains_key(&site);
        let growing = Budget::of(clock.left() / 8);
        let (boxes, times) = backward::preconditions(program, entry, &options, &found, wanted, &growing);
        starved |= growing.is_spent();
        searched.boxes.extend(boxes);
        hand_over(ground, entry, &found, &searched.boxes);
        if !starved && !searched.recalled {
            self.keep_search(ground, entry, &options, &searched);
        }
        tell(ground, &searched, &times, starved.then_some(self.limits.time_limit));
        found.into_iter().filter(|(_, found)| found.doubt.is_none()).collect()
    }

    /// Keeps what was found for later runs.
    fn keep_search(&self, ground: &Ground<'_>, entry: FuncId, options: &SearchOptions, searched: &Searched) {
        let Some(key) = &ground.key else { return };
        let (program, content) = (ground.program, content(key, &ground.searcher));
        let Searched { outcome, boxes, .. } = searched;
        let record = SearchRecord::of((program, entry), content, &options.entered, ground.open.get(), outcome, boxes);
        if let Some(record) = record {
            // Whoever keeps the results of all engines says what hinders.
            let _ = self.cache().put(&place(key, program, entry).finish_key(), &record);
        }
    }
}

/// Under which key a search's record is: the latest of those from this entry.
fn place(key: &KeyMaker, program: &Program, entry: FuncId) -> KeyMaker {
    let mut key = key.clone();
    key.add(&program.functions[entry].name);
    key
}

/// What a search depends on besides the functions that its runs enter.
fn content(key: &KeyMaker, searcher: &Searcher<'_>) -> KeyMaker {
    let mut key = key.clone();
    key.add(searcher.dictionary());
    key
}

/// Hands over runs that err, with the boxes that are proved.
fn hand_over(ground: &Ground<'_>, entry: FuncId, found: &Runs, boxes: &Boxes) {
    let runs = found.iter().map(|(site, found)| {
        let proved = match boxes.get(site) {
            Some(backward::Outcome::Proved(proved)) => Some(proved),
            _ => None,
        };
        (*site, (erring(ground.program, entry, found, proved), "search"))
    });
    lock(ground.results).runs.extend(runs);
}

/// Hands over what a search has to say of itself.
fn tell(
    ground: &Ground<'_>,
    searched: &Searched,
    times: &BTreeMap<crate::ir::CheckKind, Duration>,
    starved_in: Option<f64>,
) {
    let Searched { outcome, boxes, .. } = searched;
    let mut results = lock(ground.results);
    Times::join(&mut results.times.growing, times);
    results.times.add("inputs", times.values().sum());
    results.starved_in = starved_in.or(results.starved_in);
    results.remarks.push(backward::remark(boxes));
    results.boxes.extend(boxes.iter().map(|(site, outcome)| (*site, outcome.into())));
    results.remarks.push(format!(
        "search: {} runs, {} suggested by the solver, {} statements",
        outcome.runs, outcome.suggested, outcome.statements
    ));
    let mut undecided: Vec<(&String, &u64)> = outcome.undecided.iter().collect();
    undecided.sort_by_key(|(why, count)| (std::cmp::Reverse(**count), *why));
    for (why, count) in undecided.into_iter().take(REMARKS) {
        results.remarks.push(format!("search: {count} runs ended early: {why}"));
    }
}
