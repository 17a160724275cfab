//! The search loop.

use super::again::{Within, Wrong, again, failing_sites, run, run_within};
use super::aims::{Aims, Mark, Open};
use super::case::Case;
use super::coverage::{Coverage, Edges};
use super::dictionary::Dictionary;
use super::goals::{Goals, Progress};
use super::hints::Compared;
use super::only::{OnlyRun, Passing, is_only};
use super::options::{Found, SearchOptions, SearchOutcome};
use super::random::Random;
use super::reduce::Reducer;
use super::runs::Length;
use super::starts::{AllStarts, Freezing, Noting, Starts, between};
use super::steered::{Manner, Steered, plain_inputs};
use super::trials::Trials;
use super::trim::Shown;
use super::watch::Both;
use crate::base::Idx;
use crate::concrete::{Fuel, InputPlace, InputRecord, Outcome, Past, Prepared, Run};
use crate::engines::backward::Asked;
use crate::ir::{FuncId, Program, SiteId};
use rustc_hash::FxHashSet;
use std::cell::Cell;
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

/// How many times as many statements as a usual kept run another may take until it shows anything new, and how many any run may.
const LONGER: u64 = 3;
const USUAL: u64 = 50_000;
/// How many times as many statements of a kept run are watched for what they ask for.
const WATCHED: u64 = 4;
/// How often a run may take as long as any run may: one in so many.
const WHOLE: usize = 64;
/// Statements that most runs may take behind where they first differ from the one whose inputs they change, until they show anything new; how often
/// a run may take as many as is usual: one in so many.
const BEHIND: u64 = 20_000;
const FAR: usize = 4;
/// The part of all room for places from which runs go on that those of one run may take: one in so many.
const OF_ONE: u64 = 4;

/// No cases.
static NONE: [Vec<usize>; 2] = [Vec::new(), Vec::new()];

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
            useful_suggestions: 0,
            spent_trimming: 0,
            kept_bytes: 0,
            median: 0,
            knows_open: false,
            past: Arc::default(),
            starts: AllStarts::default(),
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

pub(super) struct Search<'a> {
    pub(super) prepared: &'a Prepared<'a>,
    pub(super) entry: FuncId,
    pub(super) options: &'a SearchOptions,
    pub(super) heard: &'a dyn Fn(SiteId, &Found),
    pub(super) dictionary: &'a Dictionary,
    pub(super) random: Random,
    pub(super) coverage: Coverage,
    /// Of the run under way.
    pub(super) edges: Option<Edges>,
    /// Inputs of runs that showed something new.
    pub(super) kept: Vec<Case>,
    /// What is planned with them.
    pub(super) trials: Trials,
    /// Kept cases whose runs were followed by the solver, and what it was asked.
    pub(super) followed: FxHashSet<usize>,
    pub(super) asked: Asked,
    pub(super) spent_following: u64,
    /// Suggestions of the solver that have shown something new.
    pub(super) useful_suggestions: u64,
    pub(super) spent_trimming: u64,
    pub(super) kept_bytes: u64,
    /// Statements of the kept run in the middle, by length.
    pub(super) median: u64,
    pub(super) knows_open: bool,
    /// Known errors that runs may go past.
    pub(super) past: Arc<Past>,
    /// Where runs on changed inputs of kept cases may go on.
    pub(super) starts: AllStarts,
    /// Sites at which runs err only as machines go on past those.
    pub(super) depending: BTreeSet<SiteId>,
    pub(super) outcome: SearchOutcome,
}

impl Search<'_> {
    /// Whether nothing is left to find.
    pub(super) fn is_needless(&self) -> bool {
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
        let first = self.run_case(&Case::default(), FxHashSet::default(), Manner::Plain, (Length::Whole, None));
        self.covers_more();
        if first.outcome == Outcome::OutOfFuel(Fuel::Ends) {
            self.go_on(&first, &Case::default());
        }
        self.take(&first, Case::default());
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
        self.try_many(self.options.statements, self.options.patience, None, |_| false);
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
        self.count(&again, 0);
        passing.end(&again, self.prepared.program)
    }

    /// Waits until it is known which sites are open. Before, nothing is chosen by that: when it is known depends on the machine. Where only time
    /// ends the search, it goes on meanwhile: towards sides of branches that none has taken.
    fn await_open(&mut self) {
        if self.options.is_tireless() {
            let mut sides = self.goals(&BTreeSet::new());
            self.try_many(u64::MAX, u32::MAX, Some(&mut sides), |options| options.open.get().is_some());
        }
        while self.options.open.get().is_none() && !self.options.budget.is_spent() && !self.is_needless() {
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
        let most = self.outcome.statements.saturating_add(self.options.directed);
        let mut goals = self.goals(&missing);
        let patience = self.options.patience.saturating_mul(self.options.patience_for_goals);
        self.try_many(most, patience, Some(&mut goals), |_| false);
    }

    /// These sites as goals, and how close kept cases come to them.
    fn goals(&mut self, sites: &BTreeSet<SiteId>) -> Goals {
        let mut goals = Goals::new(sites, self.prepared);
        for number in 0..self.kept.len() {
            if self.options.budget.is_spent() {
                break;
            }
            let mut progress = goals.watch();
            let case = self.kept[number].clone();
            self.run_case(
                &case,
                FxHashSet::default(),
                Manner::Plain,
                (Length::Most(self.watched()), Some(&mut progress)),
            );
            let seen = progress.into_seen();
            goals.add(seen, number);
        }
        goals
    }

    /// Runs until nothing new comes, statements or time have run out, or it is over for another reason.
    fn try_many(
        &mut self,
        most: u64,
        patience: u32,
        mut goals: Option<&mut Goals>,
        is_over: impl Fn(&SearchOptions) -> bool,
    ) {
        let mut idle = 0;
        while idle < patience
            && self.outcome.statements < most
            && !self.options.budget.is_spent()
            && !self.is_needless()
            && !is_over(self.options)
        {
            let after = goals.as_ref().map_or(&NONE, |goals| goals.cases());
            if goals.is_some() && idle % PLANS_AGAIN == PLANS_AGAIN - 1 && self.trials.is_empty() {
                self.plan_again(after);
            }
            self.follow_next(after);
            let planned = if self.random.below(4) < PLANNED { self.planned() } else { None };
            let is_chance = planned.is_none();
            let is_solved = planned.as_ref().is_some_and(|(_, _, is_solved)| *is_solved);
            let mark = planned.as_ref().map(|(_, mark, _)| *mark);
            let (case, changed, manner) = match planned {
                Some((case, ..)) => (case, FxHashSet::default(), Manner::Plain),
                None => self.next(after),
            };
            let mut progress = goals.as_ref().map(|goals| goals.watch());
            let length = self.length(&case);
            let run = self.run_case(&case, changed, manner, (length, progress.as_mut()));
            let seen = progress.map(Progress::into_seen).unwrap_or_default();
            let shown = self.shows();
            let mut new = shown.is_some();
            let is_cut = match run.outcome {
                Outcome::OutOfFuel(Fuel::Ends) => true,
                Outcome::OutOfFuel(Fuel::Statements) => run.statements < self.options.runs.statements,
                _ => false,
            };
            if new && is_cut {
                new |= self.go_on(&run, &case);
            }
            new |= !new && mark.is_some_and(|mark| self.shows_same(&case, mark));
            let found = self.take(&run, case);
            if let Some(goals) = &mut goals {
                run.error().into_iter().for_each(|site| goals.found(site));
                new |= goals.add(seen, self.kept.len());
            }
            self.useful_suggestions += u64::from(is_solved && (new || found.0));
            if new {
                let case = self.trimmed(found.1, shown);
                self.keep(case);
            }
            idle = if new || found.0 { 0 } else { idle + u32::from(is_chance) };
        }
    }

    /// Makes a run that has ended since it read on and on at the end of a file, or took long, once more, and farther: the first one to its end.
    /// Whether that shows anything new.
    fn go_on(&mut self, run: &Run, case: &Case) -> bool {
        let case = Case { from: case.from, ..Case::of(run, case.files.clone()) };
        let length = Length::On(if self.kept.is_empty() { u64::MAX } else { self.watched() });
        let run = self.run_case(&case, FxHashSet::default(), Manner::Plain, (length, None));
        let new = self.covers_more();
        self.take(&run, case).0 | new
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
            let (found, case) = self.take(&run, Case::default());
            if new | found {
                self.keep(case);
            }
        }
    }

    /// The next change that is planned; what it aims at, and whether the solver suggests it.
    fn planned(&mut self) -> Option<(Case, Mark, bool)> {
        let next = self.trials.next(&self.kept, |mark| mark.is_met(&self.coverage, &self.outcome))?;
        self.outcome.suggested += u64::from(next.2);
        Some(next)
    }

    /// Of each site whether it is missing.
    pub(super) fn missing_flags(&self) -> Vec<bool> {
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

    /// Statements that a run close to this case may take, before it shows anything new: a few times as many as kept runs take.
    pub(super) fn usual(&self, case: &Case) -> u64 {
        self.usual_of_all().max(case.statements.saturating_mul(2))
    }

    fn usual_of_all(&self) -> u64 {
        self.median.saturating_mul(LONGER).max(USUAL)
    }

    /// Statements as far as which a kept run is watched for what it asks for.
    fn watched(&self) -> u64 {
        self.usual_of_all().saturating_mul(WATCHED)
    }

    /// How long a run close to this case is to be: most are made as far as what is changed is likely to show something new.
    fn length(&mut self, case: &Case) -> Length {
        if self.random.one_in(WHOLE) {
            Length::Whole
        } else if self.random.one_in(FAR) {
            Length::Most(self.usual(case))
        } else {
            Length::Behind(BEHIND, self.usual(case))
        }
    }

    /// Lets later runs start from this case, as long as there is room.
    pub(super) fn keep(&mut self, mut case: Case) {
        let bytes = case.bytes();
        if self.kept_bytes + bytes > self.options.runs.kept {
            return;
        }
        self.kept_bytes += bytes;
        let compared = self.plan(self.kept.len(), &case);
        case.numbers = compared.numbers(|number| case.has_number(number)).into();
        case.hints = compared.hints(&case.contents(), case.files.len()).into();
        self.kept.push(case);
        let mut statements: Vec<u64> = self.kept.iter().map(|case| case.statements).collect();
        let middle = statements.len() / 2;
        self.median = *statements.select_nth_unstable(middle).1;
    }

    /// Plans changes of a case that is kept under this number; what it compares comes out.
    fn plan(&mut self, number: usize, case: &Case) -> Compared {
        let mut edges = self.no_edges();
        let mut compared = Compared::default();
        let is_open = self.missing_flags();
        let sites = |site: SiteId| is_open[site.index()];
        let mut aims = Aims::new(Open { coverage: &self.coverage, sites: &sites });
        aims.same = std::mem::take(&mut self.trials.same);
        let (past, count) = (self.past_of(case), Cell::new(0));
        let room = self.options.runs.starts;
        let mut freezing = Freezing::new(&mut edges, &count, between(case.statements), room / OF_ONE);
        let mut inputs = Noting::new(self.source(case, FxHashSet::default(), Manner::Plain, Random::new(0)), &count);
        let mut both = Both(&mut compared, &mut aims);
        let mut all = Both(&mut freezing, &mut both);
        let within = Within { past: past.clone(), statements: self.watched(), ..Within::trace(0) };
        let run = run_within(self.prepared, self.entry, &mut inputs, self.options, within, &mut all);
        let starts = Starts::new(inputs, freezing, &run.inputs, (past, room / OF_ONE));
        self.starts.keep(number, starts, room);
        self.edges = Some(edges);
        self.trials.plan(&aims, &run.inputs, (number, case), &mut self.random);
        self.trials.same = std::mem::take(&mut aims.same);
        self.count(&run, 0);
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
        let (mut at, others) = (pick(), [pick(), pick()]);
        // More runs say more: one that is much shorter is often the better start.
        for other in others {
            if self.kept[other].statements < self.kept[at].statements / 2 && !self.random.one_in(4) {
                at = other;
            }
        }
        let other = others[0];
        let mut case = Case { from: Some(at), ..self.kept[at].clone() };
        case.past |= !self.past.sites.is_empty() && self.random.one_in(2);
        let changed = case.change(self.dictionary, &self.kept[other], &mut self.random);
        (case, changed, manner)
    }

    /// Whether the last run has taken an edge that no run had, or as often.
    pub(super) fn covers_more(&mut self) -> bool {
        self.shows().is_some()
    }

    /// What the last run has shown, where something of it is new.
    pub(super) fn shows(&mut self) -> Option<Shown> {
        let edges = self.edges.as_ref()?;
        let news = self.coverage.add(edges);
        (!news.is_empty()).then(|| Shown::of(edges, news))
    }

    /// Records what errs in the run that was made of a case; whether any of it is new, and the run's inputs.
    pub(super) fn take(&mut self, run: &Run, made_of: Case) -> (bool, Case) {
        let mut new = false;
        let case = Case { from: made_of.from, ..Case::of(run, made_of.files) };
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
        self.count(&found.run, 0);
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
            let run = self.run_case(other, FxHashSet::default(), Manner::Plain, (Length::Whole, None));
            if !(wrong.is_in(&run) && run.flags.is_determined()) {
                return None;
            }
            let case = Case { from: other.from, ..Case::of(&run, other.files.clone()) };
            inputs = run.inputs;
            Some(case)
        };
        let mut reducer = Reducer { errs, records, parts: usize::MAX };
        if run.flags.is_determined() {
            reducer.reduce(case.clone());
        }
        inputs
    }
}
