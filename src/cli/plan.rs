//! The stages of `check` in their order, and why each stands where it does.

use super::args::{CacheArgs, InputArgs, LimitArgs};
use super::base::every_check;
use super::cache::Cache;
use super::cache::key::{Key, KeyMaker};
use super::cache::moved::MovedRecord;
use super::cache::record::{REMARK, Record};
use super::cache::whole::WholeRecord;
use super::check::Results;
use super::entry::{find_start, memory_limits};
use super::failure::erring;
use super::input::{ReadUnits, content, load_units, lower_options, read_input};
use super::insight;
use super::over::judged;
use super::runs::Runs;
use super::shard::Shard;
use super::stages::Clock;
use super::templates::TemplateRules;
use super::times::Times;
use crate::base::Span;
use crate::engines::assumed::{Subject, assume};
use crate::engines::backward;
use crate::engines::backward::joined::stage::join;
use crate::engines::forward::{Options, SiteVerdict, Start, analyze_from};
use crate::engines::search::SearchOptions;
use crate::engines::task::Budget;
use crate::ir::{CheckKind, FuncId, Program, SiteId};
use crate::memory::Memory;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::time::Instant;

/// The part of the time that is left in which the forward analysis follows calls; in the worst case it takes half as long again.
const FORWARD_SHARE: f64 = 0.6;
/// The same when rules run afterwards.
const SHARE_WITH_RULES: f64 = 0.45;
/// Statements that its runs may execute, and runs without news before it stops.
pub(super) const SEARCH_STATEMENTS: u64 = 20_000_000;
const SEARCH_PATIENCE: u32 = 3000;
/// Questions to the solver when they have none.
const SEARCH_QUESTIONS: u32 = 24;
const FEWEST_QUESTIONS: u32 = 8;
/// Statements of the forward analysis with which it may be run once more for the joined one.
const MOST_TO_JOIN: u64 = 1_000_000;
/// Statements of the forward analysis with which it may be run once more past the errors that were found.
const MOST_TO_ANALYSE_AGAIN: u64 = 1_000_000;
/// Paths of a box with which a joined one may be larger: as many as may be added one by one.
const MANY_PATHS: usize = 8;

/// The sites that proofs leave open, once that is known.
pub(super) type Open = Arc<OnceLock<BTreeSet<SiteId>>>;

/// What is to be analysed and how.
#[derive(Debug)]
pub struct Plan {
    input: InputArgs,
    pub(super) limits: LimitArgs,
    entry: String,
    pub(super) checks: BTreeSet<CheckKind>,
    cache: Cache,
    /// Whether rules or queries follow, which want the bounds of variables and what errs at any site.
    values: bool,
    /// The part of the sites that solvers work for.
    shard: Option<Shard>,
    /// Whether a page of sources follows, which shows what is known of variables and loops.
    insight: bool,
    /// Loops are summarized for the sites that all else leaves open, with what these rules guess.
    pub(super) summaries: Option<TemplateRules>,
    /// Whether nothing but a report is wanted, so that one of an earlier run will do.
    whole: bool,
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
        Plan {
            input,
            limits,
            entry: entry.to_owned(),
            checks: checks.clone(),
            cache,
            values,
            shard: None,
            insight: false,
            summaries: None,
            whole: false,
        }
    }

    /// The same for one part of the sites.
    pub fn only(self, shard: Option<Shard>) -> Plan {
        Plan { shard, ..self }
    }

    /// The same, and with loops summarized for what is left open, if there are rules for that.
    pub fn with_summaries(self, summaries: Option<TemplateRules>) -> Plan {
        Plan { summaries, ..self }
    }

    /// The same, and what is known of variables and loops.
    pub fn with_insight(self) -> Plan {
        Plan { insight: true, ..self }
    }

    /// The same where a report of an earlier run will do: nobody asks for more than the verdicts.
    pub fn with_whole_reports(self) -> Plan {
        let whole = !self.values && !self.insight && self.shard.is_none() && self.cache.is_there();
        Plan { whole, ..self }
    }

    /// Runs every stage, handing over to `results` as soon as one has something.
    pub fn run(&self, clock: &Arc<Clock>, results: &Mutex<Results>) {
        self.judge(clock, results);
        if self.insight {
            self.look(clock, results);
        }
    }

    /// Hands over what is known of variables and loops.
    fn look(&self, clock: &Clock, results: &Mutex<Results>) {
        let known = lock(results).for_rules();
        let (Some(loaded), Some(start)) = (&known.loaded, &known.start) else { return };
        clock.enter(insight::STAGE);
        let started = Instant::now();
        let found = insight::insight(&loaded.program, start, &known, clock.left());
        let mut results = lock(results);
        results.insight = Some(found);
        results.times.add("insight", started.elapsed());
    }

    /// Runs the stages that judge sites.
    fn judge(&self, clock: &Arc<Clock>, results: &Mutex<Results>) {
        let hand_over = |put: &dyn Fn(&mut Results)| put(&mut lock(results));
        // With rules the sites are those of every check, numbered as in queries.
        let options = if self.values { every_check() } else { lower_options(&self.checks) };
        let started = Instant::now();
        let stage = |stage: &str| clock.enter(stage);
        let read = match read_input(&self.input, self.limits.jobs, clock.left(), &stage) {
            Ok(read) => read,
            Err(error) => return lock(results).failed = Some(error),
        };
        let whole = self.whole.then(|| self.whole_key(&read)).flatten();
        if whole.as_ref().is_some_and(|key| self.recall_whole(key, &read, results)) {
            return hand_over(&|r| r.times.add("reading", started.elapsed()));
        }
        hand_over(&|r| r.whole_key = whole);
        let loaded = match load_units(read, &self.input, options, self.limits.jobs, &stage) {
            Ok(loaded) => Arc::new(loaded),
            Err(error) => return lock(results).failed = Some(error),
        };
        hand_over(&|r| {
            r.loaded = Some(Arc::clone(&loaded));
            r.times.add("reading", started.elapsed());
        });
        let start = match find_start(&loaded.program, &self.entry) {
            Ok(start) => start,
            Err(error) => return lock(results).failed = Some(error),
        };
        hand_over(&|r| r.start = Some(start.clone()));
        let program = &loaded.program;
        let key = self.key(results).map(KeyMaker::finish_key);
        if key.and_then(|key| self.cache.get::<Record>(&key)).is_some_and(|r| self.recall(r, program, results)) {
            return;
        }
        // The text has changed; perhaps only lines have moved.
        let moved = self.moved_key(key.is_some(), program);
        let record = moved.as_ref().and_then(|(key, spans)| {
            self.cache.get::<MovedRecord>(key).and_then(|kept| kept.for_program(program, spans))
        });
        if !record.is_some_and(|record| self.recall(record, program, results)) {
            self.engines(clock, program, &start, results);
        }
        if let (Some(key), Some((moved, spans))) = (key, moved) {
            self.keep(&key, &moved, &spans, program, results);
        }
    }

    /// The key of the whole report.
    fn whole_key(&self, read: &ReadUnits) -> Option<Key> {
        let mut key = content(read, &self.input, lower_options(&self.checks))?;
        self.add_options(&mut key);
        key.add(&"report");
        Some(key.finish_key())
    }

    /// Hands over the whole report of an earlier run, unless this one has time for more.
    fn recall_whole(&self, key: &Key, read: &ReadUnits, results: &Mutex<Results>) -> bool {
        let kept = self.cache.get::<WholeRecord>(key).filter(|kept| !kept.wants(self.limits.time_limit));
        let Some((whole, remarks)) = kept.and_then(|kept| kept.restore(read.folders.clone())) else { return false };
        let mut results = lock(results);
        results.whole = Some(whole);
        results.remarks = remarks;
        results.remarks.push(REMARK.to_owned());
        true
    }

    /// Hands over what an earlier run found, unless this one has time for more.
    fn recall(&self, record: Record, program: &Program, results: &Mutex<Results>) -> bool {
        !record.wants(self.limits.time_limit) && record.restore(program, &mut lock(results))
    }

    /// The key of all that matters but positions, and these; None when nothing is kept.
    fn moved_key(&self, is_kept: bool, program: &Program) -> Option<(Key, Vec<Span>)> {
        let mut key = KeyMaker::new().filter(|_| is_kept && self.cache.is_there())?;
        self.add_options(&mut key);
        let spans = key.add_program(program);
        Some((key.finish_key(), spans))
    }

    /// Earlier results.
    pub fn cache(&self) -> &Cache {
        &self.cache
    }

    /// What the engines' results depend on, once the program is loaded.
    pub fn key(&self, results: &Mutex<Results>) -> Option<KeyMaker> {
        let loaded = lock(results).loaded.clone()?;
        let mut key = loaded.content.clone()?;
        self.add_options(&mut key);
        Some(key)
    }

    /// What the user asks for, as far as engines' results depend on it.
    pub(super) fn add_options(&self, key: &mut KeyMaker) {
        // More time changes only what was undecided for lack of it: the record tells.
        let LimitArgs { time_limit: _, jobs, memory_limit, seed } = self.limits;
        let templates = self.summaries.as_ref().map(|rules| &rules.texts);
        key.add(&(&self.entry, &self.checks, self.values, templates, jobs, memory_limit, seed, self.shard));
    }

    /// Keeps what the engines have found for the next run.
    fn keep(&self, key: &Key, moved: &Key, spans: &[Span], program: &Program, results: &Mutex<Results>) {
        let mut results = lock(results);
        // They are gone when somebody could not wait for all of them.
        if results.loaded.is_none() {
            return;
        }
        let record = Record::of(&results);
        let kept = self.cache.put(key, &record);
        let kept = kept.and_then(|()| self.cache.put(moved, &MovedRecord::of(record, program, spans)));
        if let Err(why) = kept {
            results.remarks.push(format!("the results are not kept for the next run: {why}"));
        }
    }

    /// Runs the engines.
    fn engines(&self, clock: &Clock, program: &Program, start: &Start, results: &Mutex<Results>) {
        // The two look at one program independently of each other: the one proves, the other runs.
        clock.enter("analysing");
        let open = Arc::default();
        let memory = &self.relate(clock, program, start, results);
        let (steps, found) = if self.limits.jobs > 1 {
            std::thread::scope(|scope| {
                let search = scope.spawn(|| self.search(clock, program, start, &open, results));
                let steps = self.forward(clock, (program, memory), start, &open, results);
                (steps, search.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            })
        } else {
            let steps = self.forward(clock, (program, memory), start, &open, results);
            (steps, self.search(clock, program, start, &open, results))
        };
        if let (Start::Function(entry), true) = (start, steps <= MOST_TO_JOIN) {
            self.join(clock, (program, memory), *entry, &open, &found, results);
            if let Some(rules) = &self.summaries {
                self.summarize(clock, (program, memory, rules), *entry, &open, results);
            }
        }
        self.tell_after_errors(clock, (program, memory), start, steps, results);
    }

    /// States the program as facts and runs the rules that engines ask.
    fn relate(&self, clock: &Clock, program: &Program, start: &Start, results: &Mutex<Results>) -> Memory {
        clock.enter("relating memory");
        let started = Instant::now();
        let memory = Memory::build(program, &start.entries(program), &memory_limits(clock.left()));
        let mut results = lock(results);
        results.times.add("relations", started.elapsed());
        results.remarks.extend(memory.runs().iter().map(ToString::to_string));
        let by_type =
            |why| format!("rules memory: not asked, since {why}: calls and effects are those that types allow");
        results.remarks.extend(memory.hidden_by().map(by_type));
        memory
    }

    /// Tells verdicts which definite errors they assume away.
    fn tell_after_errors(
        &self,
        clock: &Clock,
        (program, memory): (&Program, &Memory),
        start: &Start,
        steps: u64,
        results: &Mutex<Results>,
    ) {
        let (over, runs, never_passed) = {
            let results = lock(results);
            (results.over.clone(), results.runs.clone(), results.assumed.never_passed.clone())
        };
        clock.enter("telling what errors are assumed away");
        let started = Instant::now();
        let time = (steps <= MOST_TO_ANALYSE_AGAIN).then(|| clock.left() / 4);
        let subject = Subject { program, memory, start };
        let (assumed, run) = assume(subject, &over, &runs, never_passed, time, &memory_limits(clock.left()));
        let mut results = lock(results);
        results.assumed = assumed;
        results.remarks.extend(run.map(|run| run.to_string()));
        results.times.add("assumptions", started.elapsed());
    }

    /// Over-approximates all executions; what it says of sites is handed over, and what it leaves open told.
    /// Its steps are returned.
    fn forward(
        &self,
        clock: &Clock,
        (program, memory): (&Program, &Memory),
        start: &Start,
        open: &Open,
        results: &Mutex<Results>,
    ) -> u64 {
        // Checks that execution runs past are judged with the others.
        let share = if self.values { SHARE_WITH_RULES } else { FORWARD_SHARE };
        let time_limit = clock.left().mul_f64(share);
        let (begun, sites) = (Instant::now(), program.sites.len());
        let tell = |steps: u64, function: &str| {
            let rate = steps as f64 / begun.elapsed().as_secs_f64().max(1e-3);
            clock.note(format!("{sites} sites, {rate:.0} statements/s, in {function}"));
        };
        let (alone, keep_invariants) = (true, self.values);
        let options = Options { time_limit, alone, keep_invariants, progress: Some(&tell), ..Options::default() };
        let started = Instant::now();
        let result = analyze_from(program, memory, start, &options);
        let took = started.elapsed();
        let undecided = |(site, answer): (SiteId, &SiteVerdict)| {
            // Rules join what the engines say of any site, asked for or not.
            let wanted = self.values || self.checks.contains(&program.sites[site].kind);
            let decided = matches!(answer, SiteVerdict::Safe(_) | SiteVerdict::Unreachable);
            (wanted && !decided).then_some(site)
        };
        let _ = open.set(result.verdicts.iter_enumerated().filter_map(undecided).collect());
        let verdicts = result.verdicts.iter_enumerated().map(|(site, answer)| (site, judged(answer)));
        let always = |answer: &SiteVerdict| matches!(answer, SiteVerdict::Possible { always: true, .. });
        let never_passed = result.verdicts.iter_enumerated().filter(|(_, answer)| always(answer)).map(|(site, _)| site);
        let values = if self.values { result.values_where_decided(program) } else { Vec::new() };
        let mut results = lock(results);
        results.times.add("proofs", took);
        Times::join(&mut results.times.judging, &result.judging);
        if result.incomplete.is_some() {
            results.starved_in = Some(self.limits.time_limit);
        }
        results.over.extend(verdicts);
        results.assumed.never_passed = never_passed.collect();
        results.values = values;
        result.steps
    }

    /// Looks backwards from what is open, and from runs whose boxes are small; what is proved is handed over.
    fn join(
        &self,
        clock: &Clock,
        (program, memory): (&Program, &Memory),
        entry: FuncId,
        open: &Open,
        found: &Runs,
        results: &Mutex<Results>,
    ) {
        let wanted = self.wanted(program);
        let small = |site: &&SiteId| match (found.get(*site), lock(results).boxes.get(*site)) {
            (Some(found), Some(made)) => !found.run.inputs.is_empty() && (made.paths == 0 || made.paths >= MANY_PATHS),
            _ => true,
        };
        let sites: Vec<SiteId> =
            open.get().into_iter().flatten().filter(|site| wanted(**site)).filter(small).copied().collect();
        if sites.is_empty() || clock.left().is_zero() {
            return;
        }
        clock.enter("looking backwards");
        let started = Instant::now();
        let options = Options { time_limit: clock.left() / 6, keep_places: true, ..Options::default() };
        let forward = analyze_from(program, memory, &Start::Function(entry), &options);
        let options = self.search_options(Budget::of(clock.left() / 6), SEARCH_STATEMENTS, open);
        let joint = join(program, entry, &forward, &options, &sites, found, &options.budget);
        let mut results = lock(results);
        if forward.incomplete.is_some() || options.budget.is_spent() {
            results.starved_in = Some(self.limits.time_limit);
        }
        results.times.add("backwards", started.elapsed());
        results.remarks.push(joint.remark());
        for (site, (run, outcome)) in &joint.found {
            let proved = match outcome {
                backward::Outcome::Proved(proved) => Some(proved),
                _ => None,
            };
            if proved.is_some() || !found.contains_key(site) {
                let engine = if found.contains_key(site) { "search" } else { "backward" };
                results.runs.insert(*site, (erring(program, entry, run, proved), engine));
                results.boxes.insert(*site, outcome.into());
            }
        }
    }

    /// The sites that solvers work for: those asked for, of this part; all for rules, which may join what is known of any.
    pub(super) fn wanted<'p>(&'p self, program: &'p Program) -> impl Fn(SiteId) -> bool + 'p {
        let own = self.shard.map(|shard| shard.sites(program));
        let is_own = move |site| own.as_ref().is_none_or(|own| own.contains(&site));
        move |site| self.values || (self.checks.contains(&program.sites[site].kind) && is_own(site))
    }

    /// How runs are made.
    pub(super) fn search_options(&self, budget: Budget, statements: u64, open: &Open) -> SearchOptions {
        // Every check that C asks for ends a run, asked for or not: what comes after undefined behaviour proves nothing.
        let checks = CheckKind::ALL.iter().copied().filter(|k| k.by_default() || self.checks.contains(k)).collect();
        SearchOptions {
            checks,
            unwritten: false,
            leaps: false,
            lost: false,
            seed: self.limits.seed,
            statements,
            patience: SEARCH_PATIENCE,
            one: false,
            // One entry of many has less to itself.
            questions: if statements < SEARCH_STATEMENTS { FEWEST_QUESTIONS } else { SEARCH_QUESTIONS },
            budget,
            open: Arc::clone(open),
            entered: Arc::default(),
        }
    }
}

pub(super) fn lock(results: &Mutex<Results>) -> MutexGuard<'_, Results> {
    results.lock().expect("holders of results do not panic")
}
