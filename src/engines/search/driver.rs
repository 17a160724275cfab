//! The search loop.

use super::coverage::{Coverage, Edges};
use super::dictionary::Dictionary;
use super::entered::{Entered, Entering};
use super::random::Random;
use super::steered::{Manner, Steered, plain_inputs};
use crate::concrete::{
    Defaults, Flags, InputRecord, InputSource, InputValue, Limits, Observer, Outcome, Prepared, Run, Script,
};
use crate::engines::backward::{Backward, Wanted};
use crate::engines::limits::{BoxLimits, RunLimits};
use crate::engines::task::Budget;
use crate::ir::{CheckKind, FuncId, Program, SiteId};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

/// How far to search.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// The kinds that end a run, or are noted by it.
    pub checks: Vec<CheckKind>,
    pub seed: u64,
    /// Whether what nothing was written to is an input: [`Limits::unwritten`].
    pub unwritten: bool,
    /// Whether runs may leap: [`Limits::leaps`].
    pub leaps: bool,
    /// Whether lost blocks are looked for: [`Limits::lost`].
    pub lost: bool,
    /// Statements that all runs together may execute: the usual end of a search, the same on every machine.
    pub statements: u64,
    /// Runs in a row that show nothing new before the search gives up.
    pub patience: u32,
    /// Whether one run that ends in an error of these kinds, and does so again, is enough.
    pub one: bool,
    /// When to stop in any case.
    pub budget: Budget,
    /// Questions to the solver about what runs have missed, when random inputs find nothing new; 0 for none.
    pub questions: u32,
    /// The sites worth looking for, once somebody knows them; the search ends when it has found them all.
    pub open: Arc<OnceLock<BTreeSet<SiteId>>>,
    /// Notes the functions that runs enter.
    pub entered: Arc<Entered>,
    /// What single runs may take.
    pub runs: RunLimits,
    /// What growing the inputs of those that err may take.
    pub boxes: BoxLimits,
}

/// The part of all statements that runs may execute which make a failing one simpler: one in so many.
const SIMPLIFYING: u64 = 8;
/// Events kept of a failing run.
const TRACE: usize = 200;

/// An execution that errs, run twice.
#[derive(Clone, Debug)]
pub struct Found {
    /// The failing run, with its trace.
    pub run: Run,
    /// Why it proves nothing definite; None when running it again from its inputs erred at the same site, with nothing but the
    /// inputs to depend on.
    pub doubt: Option<String>,
}

/// What a search has found.
#[derive(Clone, Debug, Default)]
pub struct SearchOutcome {
    /// Failing executions by site.
    pub found: BTreeMap<SiteId, Found>,
    /// An execution that loses a block.
    pub lost: Option<Found>,
    pub runs: u64,
    pub statements: u64,
    /// Runs on inputs that the solver suggested.
    pub suggested: u64,
    /// Whether nothing was left to find.
    pub needless: bool,
    /// Why runs could not go on, with how often.
    pub undecided: BTreeMap<String, u64>,
}

/// What is wrong with a run.
#[derive(Clone, Copy, Debug)]
enum Wrong {
    /// It errs at the site, in the end or on its way.
    At(SiteId),
    /// It loses a block.
    Lost,
}

impl Wrong {
    fn is_in(self, run: &Run) -> bool {
        match self {
            Wrong::At(site) => failing_sites(run).any(|s| s == site),
            Wrong::Lost => run.lost.is_some(),
        }
    }
}

/// A program made ready for searches from any of its functions.
pub struct Searcher<'p> {
    prepared: Prepared<'p>,
    dictionary: Dictionary,
}

impl<'p> Searcher<'p> {
    /// What all searches of `program` share.
    pub fn new(program: &'p Program) -> Searcher<'p> {
        Searcher { prepared: Prepared::new(program), dictionary: Dictionary::of(program) }
    }

    /// Searches for executions from `entry` that err.
    pub fn search(&self, entry: FuncId, options: &SearchOptions) -> SearchOutcome {
        let mut search = Search {
            prepared: &self.prepared,
            entry,
            options,
            dictionary: &self.dictionary,
            random: Random::new(options.seed),
            coverage: Coverage::default(),
            kept: Vec::new(),
            kept_bytes: 0,
            outcome: SearchOutcome::default(),
        };
        search.run_all();
        search.outcome.needless = search.is_needless();
        search.outcome
    }

    /// Runs the inputs again, and asks the run whether it errs at the site and depends on nothing else.
    pub fn again(&self, entry: FuncId, inputs: &[InputRecord], site: SiteId, options: &SearchOptions) -> Found {
        again(&self.prepared, entry, inputs, Wrong::At(site), options)
    }

    /// What it takes from the program's text as a whole.
    pub fn dictionary(&self) -> &Dictionary {
        &self.dictionary
    }
}

/// Searches for executions from `entry` that err.
pub fn search(program: &Program, entry: FuncId, options: &SearchOptions) -> SearchOutcome {
    Searcher::new(program).search(entry, options)
}

struct Search<'a> {
    prepared: &'a Prepared<'a>,
    entry: FuncId,
    options: &'a SearchOptions,
    dictionary: &'a Dictionary,
    random: Random,
    coverage: Coverage,
    /// Inputs of runs that showed something new.
    kept: Vec<Vec<InputRecord>>,
    kept_bytes: u64,
    outcome: SearchOutcome,
}

impl Search<'_> {
    /// Whether nothing is left to find.
    fn is_needless(&self) -> bool {
        let loses = self.outcome.lost.as_ref().is_some_and(|found| found.doubt.is_none());
        if self.options.one && (loses || self.outcome.found.iter().any(|(site, found)| self.ends_in(*site, found))) {
            return true;
        }
        let open = self.options.open.get();
        let proved = |site| self.outcome.found.get(site).is_some_and(|found| found.doubt.is_none());
        open.is_some_and(|open| open.iter().all(proved))
    }

    /// Whether the run's last step errs at the site as asked for, beyond doubt.
    fn ends_in(&self, site: SiteId, found: &Found) -> bool {
        let kind = self.prepared.program.sites[site].kind;
        found.doubt.is_none() && found.run.error() == Some(site) && self.options.checks.contains(&kind)
    }

    fn run_all(&mut self) {
        let mut edges = Edges::default();
        let first = self.run(&mut Defaults, 0, &mut edges);
        self.coverage.add(&edges);
        self.take(&first);
        if first.inputs.is_empty() || self.is_needless() {
            return;
        }
        self.keep(first.inputs);
        if self.kept.is_empty() {
            return;
        }
        if self.options.unwritten {
            self.run_alike();
        }
        let mut idle = 0;
        while idle < self.options.patience
            && self.outcome.statements < self.options.statements
            && !self.options.budget.is_spent()
            && !self.is_needless()
        {
            let mut edges = Edges::default();
            let run = self.try_one(&mut edges);
            let new = self.coverage.add(&edges);
            let found = self.take(&run);
            if new {
                self.keep(run.inputs);
            }
            idle = if new || found { 0 } else { idle + 1 };
        }
        if self.options.questions > 0 && !self.is_needless() {
            self.steer();
        }
    }

    /// Runs on inputs that are all the same but for the first few: programs that read a lot often compare it to what they
    /// read first.
    fn run_alike(&mut self) {
        for (others, value) in [(0, 1), (1, 1), (1, -1), (2, 1)] {
            if self.outcome.statements >= self.options.statements
                || self.options.budget.is_spent()
                || self.is_needless()
            {
                return;
            }
            let manner = Manner::Same(value, others);
            let random = Random::new(others.into());
            let mut inputs = Steered::new(&[], FxHashSet::default(), manner, self.dictionary, random);
            let mut edges = Edges::default();
            let run = run(self.prepared, self.entry, &mut inputs, self.options, 0, &mut edges);
            self.count(&run);
            if self.coverage.add(&edges) | self.take(&run) {
                self.keep(run.inputs);
            }
        }
    }

    /// Runs inputs that the solver suggests, newest runs first, until nothing is wanted or may be asked any more.
    fn steer(&mut self) {
        let backward = Backward { prepared: self.prepared, entry: self.entry, options: self.options };
        let mut wanted = Wanted::new(self.options.questions);
        let mut left = self.kept.clone();
        left.drain(..left.len().saturating_sub(self.options.runs.steered));
        while let Some(log) = left.pop() {
            if wanted.questions == 0 || self.options.budget.is_spent() || self.is_needless() {
                return;
            }
            wanted.sites = self.missing();
            for inputs in backward.variations(&log, &mut wanted) {
                let mut edges = Edges::default();
                let run = self.run(&mut plain_inputs(&inputs), 0, &mut edges);
                self.outcome.suggested += 1;
                if self.coverage.add(&edges) | self.take(&run) {
                    left.push(run.inputs);
                }
            }
        }
    }

    /// Sites that nobody has decided.
    fn missing(&self) -> BTreeSet<SiteId> {
        let is_found = |site: &SiteId| self.outcome.found.get(site).is_some_and(|f| f.doubt.is_none());
        let all: Vec<SiteId> = match self.options.open.get() {
            Some(open) => open.iter().copied().collect(),
            None => {
                let sites = self.prepared.program.sites.iter_enumerated();
                sites.filter(|(_, s)| self.options.checks.contains(&s.kind)).map(|(id, _)| id).collect()
            }
        };
        all.into_iter().filter(|site| !is_found(site)).collect()
    }

    /// Lets later runs start from these inputs, as long as there is room.
    fn keep(&mut self, inputs: Vec<InputRecord>) {
        let bytes: u64 = inputs.iter().map(InputRecord::bytes).sum();
        if self.kept_bytes + bytes <= self.options.runs.kept {
            self.kept_bytes += bytes;
            self.kept.push(inputs);
        }
    }

    /// One run on inputs of a random manner, or on those of a kept run with some changed.
    fn try_one(&mut self, edges: &mut Edges) -> Run {
        let manner = match self.random.below(4) {
            0 => Manner::Plain,
            1 => {
                let value = self.dictionary.number(&mut self.random, i64::MIN.into(), u64::MAX.into());
                Manner::Same(value, 0)
            }
            _ => Manner::Random,
        };
        let mut changed = FxHashSet::default();
        let mut log: &[InputRecord] = &[];
        if !self.random.one_in(3) {
            // Late runs went deepest: prefer them.
            let at = self.random.below(self.kept.len()).max(self.random.below(self.kept.len()));
            log = &self.kept[at];
            for _ in 0..=self.random.below(3) {
                changed.extend(self.random.pick(log).map(|r| (r.place, r.occurrence)));
            }
        }
        let random = Random::new(self.random.bits());
        let mut inputs = Steered::new(log, changed, manner, self.dictionary, random);
        let run = run(self.prepared, self.entry, &mut inputs, self.options, 0, edges);
        self.count(&run);
        run
    }

    fn run(&mut self, inputs: &mut dyn InputSource, trace: usize, edges: &mut Edges) -> Run {
        let run = run(self.prepared, self.entry, inputs, self.options, trace, edges);
        self.count(&run);
        run
    }

    fn count(&mut self, run: &Run) {
        self.outcome.runs += 1;
        self.outcome.statements += run.statements.max(1);
        let why = match &run.outcome {
            Outcome::Undecided(why) => why.clone(),
            Outcome::OutOfFuel(fuel) => format!("budget: too many {}", fuel.what()),
            _ => return,
        };
        *self.outcome.undecided.entry(why).or_insert(0) += 1;
    }

    /// Records what errs in the run; whether any of it is new.
    fn take(&mut self, run: &Run) -> bool {
        let mut new = false;
        for site in failing_sites(run) {
            if self.outcome.found.get(&site).is_none_or(|f| f.doubt.is_some()) {
                let found = self.settle(run, Wrong::At(site));
                new |= found.doubt.is_none();
                self.outcome.found.insert(site, found);
            }
        }
        // One doubtful run is enough: another that is no more determined settles nothing.
        let tells_more = |f: &Found| f.doubt.is_some() && run.flags.is_determined();
        if run.lost.is_some() && self.outcome.lost.as_ref().is_none_or(tells_more) {
            let found = self.settle(run, Wrong::Lost);
            new |= found.doubt.is_none();
            self.outcome.lost = Some(found);
        }
        new
    }

    /// What is wrong with the run, from inputs as plain as may be, run again.
    fn settle(&mut self, run: &Run, wrong: Wrong) -> Found {
        let simple = self.simplify(run, wrong);
        let found = again(self.prepared, self.entry, &simple, wrong, self.options);
        self.count(&found.run);
        found
    }

    /// Inputs with which the same is wrong and that are plainer, if there are any: defaults, or fewer arguments of the program.
    fn simplify(&mut self, run: &Run, wrong: Wrong) -> Vec<InputRecord> {
        let mut best = run.inputs.clone();
        let enough = self.outcome.statements + self.options.statements / SIMPLIFYING;
        for i in (0..best.len().min(self.options.runs.simpler)).rev() {
            if self.outcome.statements > enough {
                return best;
            }
            let Some(record) = best.get(i) else { continue };
            let key = (record.place, record.occurrence);
            let without: Vec<InputRecord> = best.iter().filter(|r| (r.place, r.occurrence) != key).cloned().collect();
            if let Some(simpler) = self.errs_too(&without, wrong) {
                best = simpler;
            }
        }
        for i in 0..best.len() {
            while let Some(InputValue::Arguments(arguments)) = best.get(i).map(|r| r.value.clone()) {
                let mut fewer = best.clone();
                let mut arguments = arguments;
                if arguments.argv.len() < 2 {
                    break; // A program without its own name is a curiosity that helps nobody.
                }
                arguments.argv.pop();
                fewer[i].value = InputValue::Arguments(arguments);
                let Some(simpler) = self.errs_too(&fewer, wrong) else { break };
                best = simpler;
            }
        }
        best
    }

    /// The inputs of a run that follows `log`, plain where it says nothing, if the same is wrong with it.
    fn errs_too(&mut self, log: &[InputRecord], wrong: Wrong) -> Option<Vec<InputRecord>> {
        let mut inputs = plain_inputs(log);
        let run = self.run(&mut inputs, 0, &mut Edges::default());
        (wrong.is_in(&run) && run.flags.is_determined()).then_some(run.inputs)
    }
}

/// Sites at which a run errs: the one that ended it, and those that it ran past.
fn failing_sites(run: &Run) -> impl Iterator<Item = SiteId> + '_ {
    run.error().into_iter().chain(run.continued.iter().copied())
}

/// What a run depends on besides its inputs, in words.
fn depends_on(flags: Flags) -> Option<String> {
    if flags.is_determined() {
        return None;
    }
    let what = [
        (flags.layout_dependent, "where objects lie in memory"),
        (flags.indeterminate, "an indeterminate value"),
        (flags.inexact, "rounding that differs between machines"),
        (flags.approximated, "a library function that is not described exactly"),
        (flags.extern_dependent, "an object that no file defines"),
    ];
    let what: Vec<&str> = what.into_iter().filter_map(|(set, what)| set.then_some(what)).collect();
    Some(format!("it depends on {}", what.join(" and ")))
}

/// The run from these inputs, where it errs at the site, and errs again from what it has taken.
pub fn confirm(
    prepared: &Prepared<'_>,
    entry: FuncId,
    inputs: &[InputRecord],
    site: SiteId,
    options: &SearchOptions,
) -> Option<Found> {
    let first = run(prepared, entry, &mut plain_inputs(inputs), options, 0, &mut Edges::default());
    if !failing_sites(&first).any(|s| s == site) {
        return None;
    }
    let found = again(prepared, entry, &first.inputs, Wrong::At(site), options);
    found.doubt.is_none().then_some(found)
}

/// The run from these inputs once more, and what speaks against it as a proof of what is wrong.
fn again(
    prepared: &Prepared<'_>,
    entry: FuncId,
    inputs: &[InputRecord],
    wrong: Wrong,
    options: &SearchOptions,
) -> Found {
    let mut script = Script::replay(inputs);
    let run = run(prepared, entry, &mut script, options, TRACE, &mut Edges::default());
    let again = wrong.is_in(&run) && !script.strayed && run.inputs == inputs;
    let doubt = if again { depends_on(run.flags) } else { Some("it does not err again from its inputs".to_owned()) };
    Found { run, doubt }
}

/// A run as the search makes them, watched by `observer`.
pub fn rerun<O: Observer>(
    prepared: &Prepared<'_>,
    entry: FuncId,
    inputs: &mut dyn InputSource,
    options: &SearchOptions,
    observer: &mut O,
) -> Run {
    watched(prepared, entry, inputs, options, 0, observer)
}

fn run(
    prepared: &Prepared<'_>,
    entry: FuncId,
    inputs: &mut dyn InputSource,
    options: &SearchOptions,
    trace: usize,
    edges: &mut Edges,
) -> Run {
    watched(prepared, entry, inputs, options, trace, edges)
}

fn watched<O: Observer>(
    prepared: &Prepared<'_>,
    entry: FuncId,
    inputs: &mut dyn InputSource,
    options: &SearchOptions,
    trace: usize,
    observer: &mut O,
) -> Run {
    let limits = Limits {
        statements: options.runs.statements,
        memory: options.runs.memory,
        // What nothing was written to comes on top.
        inputs: if options.unwritten { 3 * options.runs.inputs } else { options.runs.inputs },
        trace,
        checks: options.checks.clone(),
        unwritten: options.unwritten,
        leaps: options.leaps,
        lost: options.lost,
        ..Limits::default()
    };
    let mut observer = Entering { functions: &options.entered, observer };
    prepared.run(entry, inputs, &limits, &mut observer)
}
