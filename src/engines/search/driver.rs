//! The search loop.

use super::again::{Wrong, again, depends_on, failing_sites, run};
use super::aims::{Aims, Open};
use super::case::Case;
use super::choice::{Next, Origin};
use super::coverage::{Coverage, Edges, News};
use super::dictionary::Dictionary;
use super::equality::Equality;
use super::goals::Goals;
use super::only::{OnlyRun, Passing, is_only};
use super::options::{Found, SearchOptions, SearchOutcome};
use super::random::Random;
use super::reduce::Reducer;
use super::repeats::Repeats;
use super::runs::{Length, Watch};
use super::starts::AllStarts;
use super::steered::{Manner, Steered, plain_inputs};
use super::trials::Trials;
use super::trim::Shown;
use super::walk::Walk;
use crate::base::Idx;
use crate::concrete::{Fuel, InputRecord, Outcome, Past, Prepared, Run};
use crate::engines::backward::Asked;
use crate::engines::limits::RunLimits;
use crate::ir::{FuncId, Program, SiteId};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// The part of all statements that runs may execute which make a failing one simpler: one in so many.
const SIMPLIFYING: u64 = 8;
/// How often one looks whether it is known what is open.
const TICK: Duration = Duration::from_millis(2);
/// Runs without news after which changes are planned again, where none are left.
const PLANS_AGAIN: u32 = 256;

/// How many times as many statements as a usual kept run another may take until it shows anything new, and how many any run may.
const LONGER: u64 = 3;
const USUAL: u64 = 50_000;
/// How many times as many statements any run may take of a program that takes many before it reads anything.
pub(super) const LATE: u64 = 32;
/// How many times as many statements of a kept run are watched for what they ask for.
const WATCHED: u64 = 4;

/// What a run that was cut has come to when it was made once more, and farther.
#[derive(Clone, Copy, Default)]
struct Farther {
    /// Whether that shows anything new.
    is_new: bool,
    /// Its statements where it has come to an end of its own.
    statements: u64,
}

impl Farther {
    /// The case of a run that goes so far.
    fn of(self, case: Case) -> Case {
        Case { statements: case.statements.max(self.statements), goes_on: self.is_new, ..case }
    }
}

/// No cases.
static NONE: [Vec<usize>; 2] = [Vec::new(), Vec::new()];

/// Is told each error when it is found.
pub type Heard<'a> = &'a (dyn Fn(SiteId, &Found) + Sync);

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

    /// Searches for executions from `entry` that err. `heard` is told each when it is found: a search that overruns its time may never return. Where only time
    /// ends it, and a run takes all statements that it may before it reads anything, runs may take more.
    pub fn search(&self, entry: FuncId, options: &SearchOptions, heard: Heard<'_>) -> SearchOutcome {
        if let Some(outcome) = self.search_within(entry, options, heard, options.is_tireless()) {
            return outcome;
        }
        let statements = options.runs.statements.saturating_mul(LATE);
        let runs = RunLimits { statements, ..options.runs.clone() };
        let options = SearchOptions { runs, ..options.clone() };
        self.search_within(entry, &options, heard, false).unwrap_or_default()
    }

    /// None where the first run takes all statements that it may before it reads anything, if the answer may be that.
    fn search_within(
        &self,
        entry: FuncId,
        options: &SearchOptions,
        heard: Heard<'_>,
        may_begin_late: bool,
    ) -> Option<SearchOutcome> {
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
            repeats: Repeats::default(),
            kept_bytes: 0,
            median: 0,
            knows_open: false,
            past: Arc::default(),
            starts: AllStarts::default(),
            walk: None,
            taken_over: 0,
            behind: None,
            depending: BTreeSet::new(),
            outcome: SearchOutcome::default(),
        };
        search.run_all(may_begin_late)?;
        search.outcome.needless = search.is_needless();
        Some(search.outcome)
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
    pub(super) heard: Heard<'a>,
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
    pub(super) repeats: Repeats,
    pub(super) kept_bytes: u64,
    /// Statements of the kept run in the middle, by length.
    pub(super) median: u64,
    pub(super) knows_open: bool,
    /// Known errors that runs may go past.
    pub(super) past: Arc<Past>,
    /// Where runs on changed inputs of kept cases may go on.
    pub(super) starts: AllStarts,
    /// The walk that is under way.
    pub(super) walk: Option<Walk>,
    /// How many cases of the exchange were looked at.
    pub(super) taken_over: usize,
    /// Of one that ends in an error that is known, the run past it.
    pub(super) behind: Option<Case>,
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

    /// None where the first run takes all statements before it reads anything, if the answer may be that.
    fn run_all(&mut self, may_begin_late: bool) -> Option<()> {
        let first = self.run_case(&Case::default(), FxHashSet::default(), Manner::Plain, (Length::Whole, None));
        self.covers_more();
        let is_long = first.outcome == Outcome::OutOfFuel(Fuel::Statements);
        if may_begin_late && is_long && first.files.is_empty() {
            return None;
        }
        let mut farther = Farther::default();
        if first.outcome == Outcome::OutOfFuel(Fuel::Ends) {
            farther = self.go_on(&first, &Case::default());
        }
        self.take(&first, Case::default());
        self.outcome.only = self.only(&first);
        if first.inputs.is_empty() || self.is_needless() {
            return Some(());
        }
        self.keep(farther.of(Case::of(&first, Vec::new())));
        if self.kept.is_empty() {
            return Some(());
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
        Some(())
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
        while self.options.open.get().is_none() && !self.options.is_over() && !self.is_needless() {
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
            if self.options.is_over() {
                break;
            }
            let mut progress = goals.watch();
            let case = self.kept[number].clone();
            let watch = Watch { progress: &mut progress, equality: &mut Equality::default(), aims: None };
            let length = Length::Most(self.watched());
            self.run_case(&case, FxHashSet::default(), Manner::Plain, (length, Some(watch)));
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
            && !self.options.is_over()
            && !self.is_needless()
            && !is_over(self.options)
        {
            let after = goals.as_ref().map_or(&NONE, |goals| goals.cases());
            if goals.is_some() && idle % PLANS_AGAIN == PLANS_AGAIN - 1 && self.trials.is_empty() {
                self.plan_again(after);
            }
            self.follow_next(after);
            let Next { case, changed, manner, origin } = self.choose(after);
            let is_walk = origin == Origin::Walk;
            let mut aims = is_walk.then(|| Aims::new(Open { coverage: None, sites: &|_| false }));
            let mut progress = goals.as_ref().map(|goals| goals.watch()).unwrap_or_default();
            let mut equality = Equality::of(origin.mark());
            let length = match origin {
                Origin::Repeat | Origin::Other => Length::Whole,
                _ => self.length(&case),
            };
            let is_watched = goals.is_some() || equality.is_some() || aims.is_some();
            let watch = Watch { progress: &mut progress, equality: &mut equality, aims: aims.as_mut() };
            let watch = is_watched.then_some(watch);
            let run = self.run_case(&case, changed, manner, (length, watch));
            let seen = progress.into_seen();
            let news = if origin == Origin::Repeat { self.repetition_shows(&run) } else { self.shows() };
            let closer = goals.as_ref().map(|goals| goals.closer(&seen)).unwrap_or_default();
            let mut shown = Shown { edges: Vec::new(), news, closer };
            if !shown.is_known() {
                // Of this run: others may be made before it is kept.
                shown.edges = self.edges.as_ref().map(|edges| edges.places().to_vec()).unwrap_or_default();
            }
            let mut new = !shown.news.is_empty();
            let is_cut = match run.outcome {
                Outcome::OutOfFuel(Fuel::Ends) => true,
                Outcome::OutOfFuel(Fuel::Statements) => run.statements < self.options.runs.statements,
                _ => false,
            };
            let mut farther = Farther::default();
            if new && is_cut {
                farther = self.go_on(&run, &case);
            }
            new |= farther.is_new | equality.seen;
            if origin == Origin::Other && !case.past {
                let is_known = run.error().is_some_and(|site| self.past.sites.contains(&site));
                self.behind = is_known.then(|| Case { past: true, ..case.clone() });
            }
            let found = self.take(&run, case);
            if let Some(goals) = &mut goals {
                run.error().into_iter().for_each(|site| goals.found(site));
                new |= goals.add(seen, self.kept.len());
            }
            let is_solved = matches!(origin, Origin::Planned { is_solved: true, .. });
            self.useful_suggestions += u64::from(is_solved && (new || found.0));
            let kept = self.kept.len();
            if new {
                let case = self.trimmed(found.1, shown, goals.as_deref());
                self.keep(farther.of(case));
                if let (Some(exchange), Some(case)) = (&self.options.exchange, self.kept.get(kept))
                    && origin != Origin::Other
                {
                    exchange.give(self.options.seed, case);
                }
            }
            if let Some(aims) = &aims {
                self.walk_on(&run, aims, (self.kept.len() > kept).then_some(kept));
            }
            let is_chance = matches!(origin, Origin::Walk | Origin::Chance);
            idle = if new || found.0 { 0 } else { idle + u32::from(is_chance) };
        }
    }

    /// Makes a run that has ended since it read on and on at the end of a file, or took long, once more, and farther: the first one to its end.
    fn go_on(&mut self, run: &Run, case: &Case) -> Farther {
        let case = Case { from: case.from, ..Case::of(run, case.files.clone()) };
        let length = Length::On(if self.kept.is_empty() { u64::MAX } else { self.watched() });
        let run = self.run_case(&case, FxHashSet::default(), Manner::Plain, (length, None));
        let new = self.covers_more();
        let is_new = self.take(&run, case).0 | new;
        let statements = if matches!(run.outcome, Outcome::OutOfFuel(_)) { 0 } else { run.statements };
        Farther { is_new, statements }
    }

    /// Runs on inputs that are all the same but for the first few: programs that read a lot often compare it to what they
    /// read first.
    fn run_alike(&mut self) {
        for (others, value) in [(0, 1), (1, 1), (1, -1), (2, 1)] {
            if self.outcome.statements >= self.options.statements || self.options.is_over() || self.is_needless() {
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
    pub(super) fn watched(&self) -> u64 {
        self.usual_of_all().saturating_mul(WATCHED)
    }

    /// Whether the last run has taken an edge that no run had, or as often.
    pub(super) fn covers_more(&mut self) -> bool {
        !self.shows().is_empty()
    }

    /// What the last run was the first to show.
    pub(super) fn shows(&mut self) -> News {
        self.edges.as_ref().map(|edges| self.coverage.add(edges)).unwrap_or_default()
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
        let mut found = again(self.prepared, self.entry, &inputs, wrong, &passed, self.options);
        self.count(&found.run, 0);
        // From its inputs alone it cannot be seen where in a file scans have stopped.
        if run.flags.astray && found.doubt.is_none() {
            found.doubt = depends_on(self.prepared.program, run, run.flags);
        }
        found
    }

    /// Small inputs with which the same is wrong.
    fn reduce(&mut self, run: &Run, case: &Case, wrong: Wrong) -> Vec<InputRecord> {
        let enough = self.outcome.statements.saturating_add(self.options.statements / SIMPLIFYING);
        let mut inputs = run.inputs.clone();
        let records = self.options.runs.simpler;
        let errs = |other: &Case| {
            if self.outcome.statements > enough || self.options.is_over() {
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
