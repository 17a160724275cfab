//! Runs of the program on chosen inputs, and boxes that grow around those that err.

use super::ground::{Ground, Next, Runs};
use crate::engines::backward::{self, Boxes};
use crate::engines::forward::Start;
use crate::engines::search::{
    Compiled, Entered, Exchange, Found, Heard, SearchOptions, SearchOutcome, Searcher, run_compiled,
};
use crate::engines::task::Budget;
use crate::frontend::preprocess::compiler_words;
use crate::ir::{CheckKind, FuncId, Program, SiteId};
use crate::pipeline::cache::key::KeyMaker;
use crate::pipeline::cache::remarks::AGAIN;
use crate::pipeline::cache::searched::SearchRecord;
use crate::pipeline::compiled::build::build;
use crate::pipeline::compiled::process::Process;
use crate::pipeline::error::Error;
use crate::pipeline::failure::erring;
use crate::pipeline::parallel::STACK;
use crate::pipeline::sources::load::{current_folder, units_to_compile};
use crate::pipeline::times::Times;
use crate::verdict::Erring;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Reasons for ended runs that are told.
const REMARKS: usize = 10;
/// Searches that run side by side at most: each keeps runs of its own.
const SIDE_BY_SIDE: usize = 8;
/// What the compiler may take for one file.
const COMPILING: Duration = Duration::from_secs(30);
/// How often one looks whether proofs have ended.
const TICK: Duration = Duration::from_millis(2);

/// What all searches of a program share.
struct Search<'a> {
    ground: &'a Ground,
    program: &'a Program,
    searcher: Searcher<'a>,
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

/// Runs the program on chosen inputs, from one function after the other where executions may start in several.
pub fn search_runs(ground: &Ground) -> Result<Next, Error> {
    let (program, limits) = (ground.program(), &ground.request.profile.search);
    let entries = ground.start().functions();
    let mut budget = Budget::of(limits.time.of(ground.clock.left()));
    let statements = (limits.statements / entries.len().max(1) as u64).max(limits.statements_of_an_entry);
    let search = Search { ground, program, searcher: Searcher::new(program), key: key_of_searches(ground, statements) };
    let (mut last, mut recalled) = (Runs::new(), 0);
    for (done, entry) in entries.iter().enumerate() {
        let part = 1.0 / (entries.len() - done) as f64;
        let kept = search.key.as_ref().and_then(|key| search.recall(*entry, key, &mut budget));
        recalled += usize::from(kept.is_some());
        last = search.search_from(*entry, (budget.share(part), statements), kept);
    }
    if recalled > 0 {
        let text = format!("search: from {recalled} of {} entries {AGAIN}", entries.len());
        ground.results().remarks.push(text);
    }
    let _ = ground.found.set(last);
    Ok(Next::Go)
}

/// What searches depend on besides the program.
fn key_of_searches(ground: &Ground, statements: u64) -> Option<KeyMaker> {
    let mut key = KeyMaker::new().filter(|_| ground.request.cache.is_there())?;
    key.add(&("search", &ground.loaded.get()?.files, current_folder(), statements));
    ground.request.add_options(&mut key);
    Some(key)
}

impl Search<'_> {
    /// What an earlier run found from `entry`, if nothing has changed that its runs came to. What waiting for proofs takes is
    /// added to the budget again.
    fn recall(&self, entry: FuncId, key: &KeyMaker, budget: &mut Budget) -> Option<Searched> {
        let Search { ground, program, searcher, .. } = self;
        let record: SearchRecord = ground.request.cache.get(&place(key, program, entry).finish_key())?;
        let part = record.part_of((program, entry), content(key, searcher))?;
        if record.needs_open() {
            let left = budget.left();
            while ground.open.get().is_none() && !ground.clock.left().is_zero() {
                std::thread::sleep(TICK);
            }
            *budget = Budget::of(left.min(ground.clock.left()));
            if !record.covers(&part, ground.open.get()?) {
                return None;
            }
        }
        let options = ground.search_options(budget.clone(), 0);
        let again = |inputs: &[_], site| searcher.again(entry, inputs, site, &options);
        let (outcome, boxes) = record.restore(&part, &again)?;
        Some(Searched { outcome, boxes, recalled: true })
    }

    /// Runs the program from `entry`, or takes what was found by an earlier run; what errs is handed over with its evidence.
    fn search_from(&self, entry: FuncId, (budget, statements): (Budget, u64), kept: Option<Searched>) -> Runs {
        let Search { ground, program, .. } = self;
        let entered = Arc::new(Entered::new(program.functions.len()));
        let options = SearchOptions { entered, ..ground.search_options(budget, statements) };
        let started = Instant::now();
        // What is definite from an earlier entry is so.
        let known = self.definite();
        let heard = |site: SiteId, found: &Found| {
            if !known.contains(&site) {
                self.hand_over(entry, &Runs::from([(site, found.clone())]), &Boxes::new());
            }
        };
        let anew = || Searched {
            outcome: self.search_side_by_side(entry, &options, &heard),
            boxes: Boxes::new(),
            recalled: false,
        };
        let mut searched = kept.unwrap_or_else(anew);
        ground.results().times.add("runs", started.elapsed());
        let mut starved = !searched.recalled && options.budget.is_spent();
        if let (Start::Function(_), Some(only)) = (ground.start(), &searched.outcome.only) {
            let _ = ground.only.set(only.clone());
        }
        let found = searched.outcome.found.iter().filter(|(site, _)| !known.contains(site));
        let found: Runs = found.map(|(site, found)| (*site, found.clone())).collect();
        searched.boxes.retain(|site, _| found.contains_key(site));
        self.hand_over(entry, &found, &searched.boxes);
        let is_wanted = ground.wanted();
        // Paths that go past errors are no paths of C.
        let goes_past = |site| found.get(&site).is_some_and(|found| !found.run.passed.is_empty());
        let wanted = |site| is_wanted(site) && !searched.boxes.contains_key(&site) && !goes_past(site);
        let growing = Budget::of(ground.request.profile.search.time_to_grow.of(ground.clock.left()));
        let (boxes, times) = backward::preconditions(program, entry, &options, &found, wanted, &growing);
        starved |= growing.is_spent();
        searched.boxes.extend(boxes);
        self.hand_over(entry, &found, &searched.boxes);
        if !starved && !searched.recalled {
            self.keep(entry, &options, &searched);
        }
        self.tell(&searched, &times, starved.then_some(ground.request.seconds()));
        found.into_iter().filter(|(_, found)| found.doubt.is_none()).collect()
    }

    /// Searches from `entry`; where nothing but time ends that, with others on the cores that the proofs leave: one of them begins where the proofs have
    /// ended. Until then, and as long as that shows anything new, it has the program run as a compiler makes it.
    fn search_side_by_side(&self, entry: FuncId, options: &SearchOptions, heard: Heard<'_>) -> SearchOutcome {
        let jobs = self.ground.request.jobs.min(SIDE_BY_SIDE);
        if !options.is_tireless() || jobs < 2 {
            return self.searcher.search(entry, options, heard);
        }
        let shared = Arc::new(Exchange::default());
        let exchange = Some(Arc::clone(&shared));
        let compiled = OnceLock::new();
        let other = |number: usize| {
            let options =
                SearchOptions { seed: options.seed + number as u64, exchange: exchange.clone(), ..options.clone() };
            if number == 1 && self.may_compile(entry) {
                self.run_compiled(&shared, &options, &compiled);
            }
            while number == 1 && options.open.get().is_none() && !options.is_over() {
                std::thread::sleep(TICK);
            }
            self.searcher.search(entry, &options, heard)
        };
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..jobs)
                .map(|number| {
                    let thread = std::thread::Builder::new().stack_size(STACK);
                    thread
                        .spawn_scoped(scope, {
                            let other = &other;
                            move || other(number)
                        })
                        .expect("the system starts threads")
                })
                .collect();
            let mut outcome =
                self.searcher.search(entry, &SearchOptions { exchange: exchange.clone(), ..options.clone() }, heard);
            shared.end();
            compiled.get().into_iter().for_each(Process::stop);
            for other in others {
                outcome.join(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
            outcome
        })
    }

    /// Whether executions from `entry` are those of the program that its files make.
    fn may_compile(&self, entry: FuncId) -> bool {
        let request = &self.ground.request;
        request.compiled && request.sources.edited.is_empty() && self.program.functions[entry].name == "main"
    }

    /// Has the program run as the system's compiler makes it, beside the searches of the exchange.
    fn run_compiled(&self, exchange: &Exchange, options: &SearchOptions, compiled: &OnceLock<Process>) {
        let remark = match self.compile(options) {
            Ok((process, _folder)) => {
                let process = compiled.get_or_init(|| process);
                let made = run_compiled(process, self.searcher.dictionary(), exchange, options);
                format!("search: {} compiled runs, {} of them handed over", made.runs, made.handed_over)
            }
            Err(why) => format!("search: no compiled runs: {why}"),
        };
        self.ground.results().remarks.push(remark);
    }

    /// The program as the system's compiler makes it, and the folder that it lies in; why there is none.
    fn compile(&self, options: &SearchOptions) -> Result<(Process, tempfile::TempDir), String> {
        let loaded = self.ground.loaded.get().ok_or("no program")?;
        let units = units_to_compile(&self.ground.request.sources, loaded).map_err(|e| e.to_string())?;
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let program = build(&units, &compiler_words(None), folder.path(), COMPILING.min(options.budget.left()))?;
        let process = Process::start(&program).map_err(|e| e.to_string())?;
        Ok((process, folder))
    }

    /// The sites of which it is known that they err.
    fn definite(&self) -> BTreeSet<SiteId> {
        let results = self.ground.results();
        let runs = results.runs.iter().filter(|(_, (erring, _))| matches!(erring, Erring::Certain(_)));
        runs.map(|(site, _)| *site).collect()
    }

    /// Keeps what was found for later runs.
    fn keep(&self, entry: FuncId, options: &SearchOptions, searched: &Searched) {
        // One run is made anew as fast.
        let (Some(key), None) = (&self.key, &searched.outcome.only) else { return };
        let (ground, program, content) = (self.ground, self.program, content(key, &self.searcher));
        let Searched { outcome, boxes, .. } = searched;
        let record = SearchRecord::of((program, entry), content, &options.entered, ground.open.get(), outcome, boxes);
        if let Some(record) = record {
            // Whoever keeps the results of all engines says what hinders.
            let _ = ground.request.cache.put(&place(key, program, entry).finish_key(), &record);
        }
    }

    /// Hands over runs that err, with the boxes that are proved.
    fn hand_over(&self, entry: FuncId, found: &Runs, boxes: &Boxes) {
        let runs = found.iter().map(|(site, found)| {
            let proved = match boxes.get(site) {
                Some(backward::Outcome::Proved(proved)) => Some(proved),
                _ => None,
            };
            (*site, (erring(self.program, entry, found, proved), "search"))
        });
        self.ground.results().runs.extend(runs);
    }

    /// Hands over what a search has to say of itself.
    fn tell(&self, searched: &Searched, times: &BTreeMap<CheckKind, Duration>, starved_in: Option<f64>) {
        let Searched { outcome, boxes, .. } = searched;
        let mut results = self.ground.results();
        Times::join(&mut results.times.growing, times);
        results.times.add("inputs", times.values().sum());
        results.starved_in = starved_in.or(results.starved_in);
        results.remarks.push(backward::remark(boxes));
        results.boxes.extend(boxes.iter().map(|(site, outcome)| (*site, outcome.into())));
        results.remarks.push(format!(
            "search: {} runs, {} suggested by the solver, {} statements",
            outcome.runs, outcome.suggested, outcome.statements
        ));
        let mut doubts: BTreeMap<&str, u64> = BTreeMap::new();
        for doubt in outcome.found.values().filter_map(|found| found.doubt.as_deref()) {
            *doubts.entry(doubt).or_default() += 1;
        }
        for (doubt, count) in doubts {
            results.remarks.push(format!("search: runs that err at {count} sites prove nothing: {doubt}"));
        }
        let mut undecided: Vec<(&String, &u64)> = outcome.undecided.iter().collect();
        undecided.sort_by_key(|(why, count)| (std::cmp::Reverse(**count), *why));
        for (why, count) in undecided.into_iter().take(REMARKS) {
            results.remarks.push(format!("search: {count} runs ended early: {why}"));
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
