//! The search loop.

use super::again::{Within, Wrong, again, failing_sites, run, run_within};
use super::aims::{Aims, Mark, Open};
use super::case::Case;
use super::coverage::{Coverage, Edges, hash, place};
use super::dictionary::Dictionary;
use super::goals::{Goals, Progress};
use super::hints::Compared;
use super::only::{OnlyRun, Passing, is_only};
use super::options::{Found, SearchOptions, SearchOutcome};
use super::random::Random;
use super::reduce::Reducer;
use super::solved;
use super::steered::{Manner, Steered, plain_inputs};
use super::trials::Trials;
use super::watch::Both;
use crate::base::Idx;
use crate::concrete::{Fuel, InputPlace, InputRecord, InputSource, Outcome, Past, Prepared, Run};
use crate::engines::backward::{Asked, Backward, Change, Way};
use crate::ir::{FuncId, Program, SiteId};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// The part of all statements that runs may execute which make a failing one simpler: one in so many.
const SIMPLIFYING: u64 = 8;
/// How often one looks whether it is known what is open.
const TICK: Duration = Duration::from_millis(2);
/// How often a run starts from one that came closest to an open site, where there are such: in so many of eight.
const AFTER_GOALS: usize = 5;
/// How often a run is one that was planned, where there are such: in so many of four.
const PLANNED: usize = 2;
/// Runs without news after which changes are planned again, where none are left.
const PLANS_AGAIN: u32 = 256;

/// The part of all statements that may be spent following runs: one in so many.
const FOLLOWING: u64 = 3;
/// What a statement that is followed costs beside running it, and a question, in statements.
const FOLLOWED: u64 = 8;
const ASKED: u64 = 20_000;

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

    /// Searches for executions from `entry` that err. `heard` is told each when it is found: a search that overruns its time may never return.
    pub fn search(&self, entry: FuncId, options: &SearchOptions, heard: &dyn Fn(SiteId, &Found)) -> SearchOutcome {
        let mut search = Search {
            prepared: &self.prepared,
            entry,
            options,
            heard,
            dictionary: &self.dictionary,
            random: Random::new(options.seed),
            coverage: Coverage::default(),
            edges: Some(Edges::default()),
            kept: Vec::new(),
            trials: Trials::default(),
            followed: FxHashSet::default(),
            asked: Asked::default(),
            spent_following: 0,
            kept_bytes: 0,
            knows_open: false,
            past: Arc::default(),
            depending: BTreeSet::new(),
            outcome: SearchOutcome::default(),
        };
        search.run_all();
        search.outcome.needless = search.is_needless();
        search.outcome
    }

    /// Runs the inputs again, and asks the run whether it errs at the site and depends on nothing else.
    pub fn again(&self, entry: FuncId, inputs: &[InputRecord], site: SiteId, options: &SearchOptions) -> Found {
        again(&self.prepared, entry, inputs, Wrong::At(site), &BTreeSet::new(), options)
    }

    /// What it takes from the program's text as a whole.
    pub fn dictionary(&self) -> &Dictionary {
        &self.dictionary
    }
}

/// Searches for executions from `entry` that err.
pub fn search(program: &Program, entry: FuncId, options: &SearchOptions) -> SearchOutcome {
    Searcher::new(program).search(entry, options, &|_, _| ())
}

struct Search<'a> {
    prepared: &'a Prepared<'a>,
    entry: FuncId,
    options: &'a SearchOptions,
    heard: &'a dyn Fn(SiteId, &Found),
    dictionary: &'a Dictionary,
    random: Random,
    coverage: Coverage,
    /// Of the run under way.
    edges: Option<Edges>,
    /// Inputs of runs that showed something new.
    kept: Vec<Case>,
    /// What is planned with them.
    trials: Trials,
    /// Kept cases whose runs were followed by the solver, and what it was asked.
    followed: FxHashSet<usize>,
    asked: Asked,
    spent_following: u64,
    kept_bytes: u64,
    knows_open: bool,
    /// Known errors that runs may go past.
    past: Arc<Past>,
    /// Sites at which runs err only as machines go on past those.
    depending: BTreeSet<SiteId>,
    outcome: SearchOutcome,
}

impl Search<'_> {
    /// Whether nothing is left to find.
    fn is_needless(&self) -> bool {
        let loses = self.outcome.lost.as_ref().is_some_and(|found| found.doubt.is_none());
        if self.options.one && (loses || self.outcome.found.iter().any(|(site, found)| self.ends_in(*site, found))) {
            return true;
        }
        // What is decided is so of executions that do not err before.
        if !self.past.sites.is_empty() {
            return false;
        }
        let open = self.options.open.get();
        open.is_some_and(|open| open.iter().all(|site| self.is_found(*site)))
    }

    fn is_found(&self, site: SiteId) -> bool {
        self.outcome.is_found(site)
    }

    /// Whether the run's last step errs at the site as asked for, beyond doubt.
    fn ends_in(&self, site: SiteId, found: &Found) -> bool {
        let kind = self.prepared.program.sites[site].kind;
        found.doubt.is_none() && found.run.error() == Some(site) && self.options.checks.contains(&kind)
    }

    fn run_all(&mut self) {
        let first = self.run_case(&Case::default(), FxHashSet::default(), Manner::Plain, None);
        self.covers_more();
        if first.outcome == Outcome::OutOfFuel(Fuel::Ends) {
            self.read_on(&first, &Case::default());
        }
        self.take(&first, Vec::new());
        self.outcome.only = self.only(&first);
        if first.inputs.is_empty() || self.is_needless() {
            return;
        }
        self.keep(Case::of(&first, Vec::new()));
        if self.kept.is_empty() {
            return;
        }
        if self.options.unwritten {
            self.run_alike();
        }
        self.try_many(self.options.statements, self.options.patience, None);
        if self.options.directed > 0 {
            self.await_open();
        }
        if self.options.questions > 0 && !self.is_needless() {
            self.steer();
        }
        if self.options.directed > 0 {
            self.search_goals();
        }
    }

    /// What the first run is, where it is the only one: it is made once more.
    fn only(&mut self, first: &Run) -> Option<OnlyRun> {
        let function = &self.prepared.program.functions[self.entry];
        // Whoever calls another function gives it arguments.
        if !is_only(first) || !(function.params.is_empty() || function.name == "main") {
            return None;
        }
        let mut passing = Passing::default();
        let again = run(self.prepared, self.entry, &mut plain_inputs(&[]), self.options, 0, &mut passing);
        self.count(&again);
        passing.end(&again, self.prepared.program)
    }

    /// Waits until it is known which sites are open. Before, nothing is chosen by that: when it is known depends on the machine.
    fn await_open(&mut self) {
        while self.options.open.get().is_none() && !self.options.budget.is_spent() {
            std::thread::sleep(TICK);
        }
        self.knows_open = self.options.open.get().is_some();
    }

    /// Runs that come closer to an error at a site that is open are followed up, too.
    fn search_goals(&mut self) {
        if !self.knows_open {
            return;
        }
        let missing = self.missing();
        if missing.is_empty() && self.past.sites.is_empty() {
            return;
        }
        let mut goals = Goals::new(&missing);
        let most = self.outcome.statements.saturating_add(self.options.directed);
        for case in 0..self.kept.len() {
            if self.options.budget.is_spent() {
                return;
            }
            let mut progress = goals.watch();
            self.run_case(&self.kept[case].clone(), FxHashSet::default(), Manner::Plain, Some(&mut progress));
            let seen = progress.into_seen();
            goals.add(seen, case);
        }
        self.try_many(most, self.options.patience.saturating_mul(self.options.patience_for_goals), Some(&mut goals));
    }

    /// Runs until nothing new comes, or statements or time have run out.
    fn try_many(&mut self, most: u64, patience: u32, mut goals: Option<&mut Goals>) {
        let mut idle = 0;
        while idle < patience
            && self.outcome.statements < most
            && !self.options.budget.is_spent()
            && !self.is_needless()
        {
            let after = goals.as_ref().map(|goals| goals.cases()).unwrap_or_default();
            if goals.is_some() && idle % PLANS_AGAIN == PLANS_AGAIN - 1 && self.trials.is_empty() {
                self.plan_again(&after);
            }
            self.follow_next(&after);
            let planned = if self.random.below(4) < PLANNED { self.planned() } else { None };
            let is_chance = planned.is_none();
            let (mut case, changed, manner) = match planned {
                Some(case) => (case, FxHashSet::default(), Manner::Plain),
                None => self.next(&after),
            };
            let mut progress = goals.as_ref().map(|goals| goals.watch());
            let run = self.run_case(&case, changed, manner, progress.as_mut());
            let seen = progress.map(Progress::into_seen).unwrap_or_default();
            let mut new = self.covers_more();
            if new && run.outcome == Outcome::OutOfFuel(Fuel::Ends) {
                new |= self.read_on(&run, &case);
            }
            let found = self.take(&run, std::mem::take(&mut case.files));
            if let Some(goals) = &mut goals {
                run.error().into_iter().for_each(|site| goals.found(site));
                new |= goals.add(seen, self.kept.len());
            }
            if new {
                self.keep(found.1);
            }
            idle = if new || found.0 { 0 } else { idle + u32::from(is_chance) };
        }
    }

    /// Makes a run that has ended since it read on and on at the end of a file once more, to its end; whether that shows anything new.
    fn read_on(&mut self, run: &Run, case: &Case) -> bool {
        let case = Case::of(run, case.files.clone());
        let mut inputs = plain_inputs(&case.inputs).with_files(&case.files);
        let run = self.run(&mut inputs);
        let new = self.covers_more();
        self.take(&run, case.files).0 | new
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
            let run = self.run(&mut inputs);
            let new = self.covers_more();
            let (found, case) = self.take(&run, Vec::new());
            if new | found {
                self.keep(case);
            }
        }
    }

    /// Runs inputs that the solver suggests, newest runs first, until nothing is wanted or may be asked any more.
    fn steer(&mut self) {
        let mut questions = self.options.questions;
        let first = self.kept.len().saturating_sub(self.options.runs.steered);
        let mut left: Vec<usize> = (first..self.kept.len()).collect();
        while let Some(number) = left.pop() {
            if questions == 0 || self.options.budget.is_spent() || self.is_needless() {
                return;
            }
            let (solved, asked) = self.follow(number, questions);
            questions = questions.saturating_sub(asked);
            for (_, changes) in solved {
                let mut case = self.kept[number].clone();
                solved::make(&changes, &mut case);
                let run = self.run_case(&case, FxHashSet::default(), Manner::Plain, None);
                self.outcome.suggested += 1;
                let new = self.covers_more();
                let (found, case) = self.take(&run, std::mem::take(&mut case.files));
                if new | found {
                    let next = self.kept.len();
                    self.keep(case);
                    left.extend(next..self.kept.len());
                }
            }
        }
    }

    /// Follows the run of a kept case; the changes that lead away from its path, as the solver says, and how many questions that took.
    fn follow(&mut self, number: usize, questions: u32) -> (Vec<(Mark, Vec<Change>)>, u32) {
        self.followed.insert(number);
        let case = self.kept[number].clone();
        let is_missing = self.missing_flags();
        let mark_of = |way| match way {
            Way::Fails(site) => Mark::Error(site),
            Way::Edge(from, to) => Mark::Edge(place(hash(from.0, from.1), hash(to.0, to.1))),
        };
        let is_open = |way| match mark_of(way) {
            Mark::Error(site) => is_missing[site.index()],
            mark => !mark.is_met(&self.coverage, &self.outcome),
        };
        let backward = Backward { prepared: self.prepared, entry: self.entry, options: self.options };
        let mut asked = std::mem::take(&mut self.asked);
        let mut inputs = self.source(&case, FxHashSet::default(), Manner::Plain, Random::new(0));
        let most = questions.min(self.options.runs.questions);
        let goes_on = || !self.options.budget.is_spent();
        let past = self.past_of(&case);
        let (run, found, questions) = backward.ways_out((&mut inputs, past), &is_open, (most, &goes_on), &mut asked);
        self.asked = asked;
        self.count(&run);
        let spent = FOLLOWED * run.statements + ASKED * u64::from(questions);
        self.spent_following += spent;
        self.outcome.statements += spent;
        (found.into_iter().map(|way| (mark_of(way.way), way.changes)).collect(), questions)
    }

    /// The next change that is planned.
    fn planned(&mut self) -> Option<Case> {
        let next = self.trials.next(&self.kept, |mark| mark.is_met(&self.coverage, &self.outcome));
        let (case, is_solved) = next?;
        self.outcome.suggested += u64::from(is_solved);
        Some(case)
    }

    /// Of each site whether it is missing.
    fn missing_flags(&self) -> Vec<bool> {
        let mut flags = vec![false; self.prepared.program.sites.len()];
        self.missing().into_iter().for_each(|site| flags[site.index()] = true);
        flags
    }

    /// Sites that nobody has decided.
    fn missing(&self) -> BTreeSet<SiteId> {
        let all: Vec<SiteId> = match self.options.open.get().filter(|_| self.knows_open) {
            Some(open) => open.iter().copied().collect(),
            None => {
                let sites = self.prepared.program.sites.iter_enumerated();
                sites.filter(|(_, s)| self.options.checks.contains(&s.kind)).map(|(id, _)| id).collect()
            }
        };
        all.into_iter().filter(|site| !self.is_found(*site)).collect()
    }

    /// Lets later runs start from this case, as long as there is room.
    fn keep(&mut self, mut case: Case) {
        let bytes = case.bytes();
        if self.kept_bytes + bytes > self.options.runs.kept {
            return;
        }
        self.kept_bytes += bytes;
        let compared = self.plan(self.kept.len(), &case);
        case.numbers = compared.numbers(|number| case.has_number(number)).into();
        case.hints = compared.hints(&case.contents(), case.files.len()).into();
        self.kept.push(case);
    }

    /// Plans changes of a case that is kept under this number; what it compares comes out.
    fn plan(&mut self, number: usize, case: &Case) -> Compared {
        let mut compared = Compared::default();
        let is_open = self.missing_flags();
        let sites = |site: SiteId| is_open[site.index()];
        let mut aims = Aims::new(Open { coverage: &self.coverage, sites: &sites });
        let mut inputs = self.source(case, FxHashSet::default(), Manner::Plain, Random::new(0));
        let mut both = Both(&mut compared, &mut aims);
        let within = Within { past: self.past_of(case), ..Within::trace(0) };
        let run = run_within(self.prepared, self.entry, &mut inputs, self.options, within, &mut both);
        self.trials.plan(&aims, &run.inputs, (number, case), &mut self.random);
        self.count(&run);
        compared
    }

    /// Plans changes of some cases anew, at other places, once all that was planned is done: those closest to what is open.
    fn plan_again(&mut self, after: &[Vec<usize>; 2]) {
        self.trials.begin_again();
        for list in [&after[0], &after[1], &after[1]] {
            let number = self.random.pick(list).copied().filter(|number| *number < self.kept.len());
            if let Some(number) = number {
                let case = self.kept[number].clone();
                self.plan(number, &case);
            }
        }
    }

    /// Follows the run of a kept case that no solver has seen, where that has not taken its part of all statements yet: one that is closest to an error, or to
    /// a branch's other side, else the latest.
    fn follow_next(&mut self, after: &[Vec<usize>; 2]) {
        let all_followed = self.followed.len() == self.kept.len();
        if all_followed || self.options.questions == 0 || self.spent_following > self.outcome.statements / FOLLOWING {
            return;
        }
        let is_next = |number: &usize| *number < self.kept.len() && !self.followed.contains(number);
        let closest = after.iter().flat_map(|list| list.iter().rev()).copied().find(is_next);
        if let Some(number) = closest.or_else(|| (0..self.kept.len()).rev().find(is_next)) {
            // The last to wait is the first to be tried.
            for (mark, changes) in self.follow(number, u32::MAX).0.into_iter().rev() {
                self.trials.plan_solved(number, mark, changes);
            }
        }
    }

    /// The next case: of a random manner, or a kept one with some inputs changed.
    fn next(&mut self, after: &[Vec<usize>; 2]) -> (Case, FxHashSet<(InputPlace, u32)>, Manner) {
        let manner = match self.random.below(4) {
            0 => Manner::Plain,
            1 => {
                let value = self.dictionary.number(&mut self.random, i64::MIN.into(), u64::MAX.into());
                Manner::Same(value, 0)
            }
            _ => Manner::Random,
        };
        // Without files there is less to change.
        let reads = self.kept.last().is_some_and(|case| !case.files.is_empty());
        if self.random.one_in(if reads { 6 } else { 3 }) {
            let files = (0..self.random.below(3)).map(|_| self.dictionary.bytes(&mut self.random, 200)).collect();
            return (Case { files, ..Case::default() }, FxHashSet::default(), manner);
        }
        let mut pick = || {
            let after = &after[usize::from(after[0].is_empty() || self.random.one_in(2))];
            let closest =
                after.get(self.random.below(after.len().max(1))).filter(|_| self.random.below(8) < AFTER_GOALS);
            // Late runs went deepest: prefer them.
            let late = self.random.below(self.kept.len()).max(self.random.below(self.kept.len()));
            closest.copied().filter(|case| *case < self.kept.len()).unwrap_or(late)
        };
        let (mut at, other) = (pick(), pick());
        // More runs say more: of two, the one that is much shorter is often the better start.
        if self.kept[other].statements < self.kept[at].statements / 2 && self.random.one_in(2) {
            at = other;
        }
        let mut case = self.kept[at].clone();
        case.past |= !self.past.sites.is_empty() && self.random.one_in(2);
        let changed = case.change(self.dictionary, &self.kept[other], &mut self.random);
        (case, changed, manner)
    }

    fn source<'s>(
        &'s self,
        case: &'s Case,
        changed: FxHashSet<(InputPlace, u32)>,
        manner: Manner,
        random: Random,
    ) -> Steered<'s> {
        Steered::new(&case.inputs, changed, manner, self.dictionary, random).with_files(&case.files)
    }

    /// The errors that runs from the case go past.
    fn past_of(&self, case: &Case) -> Arc<Past> {
        if case.past { self.past.clone() } else { Arc::default() }
    }

    fn run(&mut self, inputs: &mut dyn InputSource) -> Run {
        let mut edges = self.edges.take().unwrap_or_default();
        edges.clear();
        let run = run(self.prepared, self.entry, inputs, self.options, 0, &mut edges);
        self.edges = Some(edges);
        self.count(&run);
        run
    }

    fn run_case(
        &mut self,
        case: &Case,
        changed: FxHashSet<(InputPlace, u32)>,
        manner: Manner,
        progress: Option<&mut Progress<'_>>,
    ) -> Run {
        let random = Random::new(self.random.bits());
        let mut edges = self.edges.take().unwrap_or_default();
        edges.clear();
        let mut inputs = self.source(case, changed, manner, random);
        let within = Within { ends: self.options.runs.ends, past: self.past_of(case), ..Within::trace(0) };
        let run = match progress {
            Some(progress) => {
                let mut both = Both(&mut edges, progress);
                run_within(self.prepared, self.entry, &mut inputs, self.options, within, &mut both)
            }
            None => run_within(self.prepared, self.entry, &mut inputs, self.options, within, &mut edges),
        };
        self.edges = Some(edges);
        self.count(&run);
        run
    }

    /// Whether the last run has taken an edge that no run had, or as often.
    fn covers_more(&mut self) -> bool {
        self.edges.as_ref().is_some_and(|edges| self.coverage.add(edges))
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

    /// Records what errs in the run that read these files; whether any of it is new, and the run's inputs.
    fn take(&mut self, run: &Run, files: Vec<Vec<u8>>) -> (bool, Case) {
        let mut new = false;
        let case = Case::of(run, files);
        for site in failing_sites(run) {
            if self.outcome.found.get(&site).is_none_or(|f| f.doubt.is_some()) {
                if self.depending.contains(&site) && !run.passed.is_empty() {
                    continue;
                }
                let found = self.settle(run, &case, Wrong::At(site));
                // What errs only as machines go on says nothing of what is decided without.
                if found.doubt.is_some() && !run.passed.is_empty() {
                    self.depending.insert(site);
                    continue;
                }
                new |= found.doubt.is_none();
                if !self.options.one && found.doubt.is_none() && self.prepared.program.sites[site].kind.may_be_passed()
                {
                    Arc::make_mut(&mut self.past).sites.insert(site);
                }
                (self.heard)(site, &found);
                self.outcome.found.insert(site, found);
            }
        }
        // One doubtful run is enough: another that is no more determined settles nothing.
        let tells_more = |f: &Found| f.doubt.is_some() && run.flags.is_determined();
        if run.lost.is_some() && self.outcome.lost.as_ref().is_none_or(tells_more) {
            let found = self.settle(run, &case, Wrong::Lost);
            new |= found.doubt.is_none();
            self.outcome.lost = Some(found);
        }
        (new, case)
    }

    /// What is wrong with the run, from inputs as small as may be, run again.
    fn settle(&mut self, run: &Run, case: &Case, wrong: Wrong) -> Found {
        let inputs = self.reduce(run, case, wrong);
        let passed = run.passed.iter().copied().collect();
        let found = again(self.prepared, self.entry, &inputs, wrong, &passed, self.options);
        self.count(&found.run);
        found
    }

    /// Small inputs with which the same is wrong.
    fn reduce(&mut self, run: &Run, case: &Case, wrong: Wrong) -> Vec<InputRecord> {
        let enough = self.outcome.statements.saturating_add(self.options.statements / SIMPLIFYING);
        let mut inputs = run.inputs.clone();
        let records = self.options.runs.simpler;
        let errs = |other: &Case| {
            if self.outcome.statements > enough || self.options.budget.is_spent() {
                return None;
            }
            let run = self.run_case(other, FxHashSet::default(), Manner::Plain, None);
            if !(wrong.is_in(&run) && run.flags.is_determined()) {
                return None;
            }
            let case = Case::of(&run, other.files.clone());
            inputs = run.inputs;
            Some(case)
        };
        let mut reducer = Reducer { errs, records };
        if run.flags.is_determined() {
            reducer.reduce(case.clone());
        }
        inputs
    }
}
