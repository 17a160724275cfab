//! All engines, cheapest first: what one learns strengthens the next.
//!
//! One thread looks for violations (runs on chosen inputs, then bounded model checking), one for proofs (forward analysis, then
//! invariants guessed from runs, then k-induction). The first answer counts.

use super::bmc::{Deepening, bmc};
use super::cpa::blocks::Blocks;
use super::cpa::interpolate::Atoms;
use super::cpa::learnt::Learnt;
use super::forward::{self, SiteVerdict, ValueAt};
use super::impact::impact;
use super::invariant::guess::{Candidates, Effort, guess};
use super::invariant::trace::{Tables, trace};
use super::k_induction::{induct, k_induction};
use super::limits::{BoxLimits, TaskLimits};
use super::predicate_abstraction::predicate_abstraction;
use super::search::{self, SearchOptions};
use super::summary::summary;
use super::task::replay::replay;
use super::task::{Answer, Budget, Counterexample, Obstacle, Proof, Task};
use super::termination::{Ends, Wanted, summarize};
use crate::encode::Automaton;
use crate::ir::SiteId;
use crate::memory::RuleRun;
use crate::smt::Term;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

/// An attempt and how it ended.
#[derive(Clone, Debug)]
pub struct Attempt {
    pub engine: &'static str,
    pub outcome: String,
    pub time: Duration,
    pub learnt: Learnt,
}

/// What an engine's thread tells while it works.
#[derive(Clone, Debug)]
pub enum News {
    /// An engine sets out.
    Begun(&'static str),
    /// Rules have run that the engines ask.
    Rules(RuleRun),
    Attempt(Attempt),
    /// What an engine says.
    Answer(&'static str, Answer),
}

/// The engines by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    Auto,
    Bmc,
    KInduction,
    PredicateAbstraction,
    Impact,
    Summary,
}

/// Runs an engine on the calling thread and tells what happens.
pub fn run(task: &Task<'_>, engine: Engine, budget: &Budget, news: &Sender<News>) {
    let teller = Teller { news, budget };
    if task.property.is_termination() {
        teller.attempt("termination", || termination(task, budget));
        return;
    }
    match engine {
        Engine::Auto => auto(task, budget, &teller),
        Engine::Bmc => teller.with_automaton(task, |automaton| {
            teller.attempt("bmc", || bmc(task, automaton, budget));
        }),
        Engine::KInduction => teller.with_automaton(task, |automaton| {
            let candidates = teller.candidates(task, automaton, Effort::Little, budget);
            teller.attempt("k-induction", || k_induction(task, automaton, &candidates, budget));
        }),
        Engine::PredicateAbstraction => teller.with_automaton(task, |automaton| {
            let candidates = teller.candidates(task, automaton, Effort::Little, budget);
            let atoms = |blocks: &mut Blocks<'_, '_>| atoms(blocks, &candidates);
            teller.learning("predicate-abstraction", |learnt| {
                predicate_abstraction(task, automaton, &atoms, learnt, budget)
            });
        }),
        Engine::Summary => teller.with_automaton(task, |automaton| {
            let candidates = teller.candidates(task, automaton, Effort::Most, budget);
            teller.attempt("summary", || summary(task, automaton, &candidates, budget));
        }),
        Engine::Impact => teller.with_automaton(task, |automaton| {
            let candidates = teller.candidates(task, automaton, Effort::Little, budget);
            let atoms = |blocks: &mut Blocks<'_, '_>| atoms(blocks, &candidates);
            teller.learning("impact", |learnt| impact(task, automaton, &atoms, learnt, budget));
        }),
    }
}

/// Guessed predicates over the frames of blocks.
fn atoms(blocks: &mut Blocks<'_, '_>, candidates: &Candidates) -> Atoms {
    let mut atoms = Atoms::new();
    for (head, predicates) in candidates {
        let Some(frame) = blocks.frames.get(&Some(*head)) else { continue };
        let mut state = frame.state.clone();
        let mut all: Vec<Term> = predicates.iter().map(|p| p.term(&mut blocks.encoder, &mut state)).collect();
        all.retain(|t| blocks.is_over_frame(*head, *t));
        atoms.insert(*head, all);
    }
    atoms
}

/// Whether every loop ends.
fn termination(task: &Task<'_>, budget: &Budget) -> Answer {
    if let Answer::True(proof) = searched(task, Search::Glance, &task.limits.shares.glance.of_budget(budget)) {
        return Answer::True(proof);
    }
    let summary = summarize(task, Wanted::Ends, budget);
    if let Some(run) = summary.endless {
        return Answer::False(Box::new(Counterexample { engine: "termination", run }));
    }
    let open = summary.loops.iter().find_map(|row| match &row.ends {
        Ends::Unknown(why) => Some(why.to_string()),
        Ends::No(_) | Ends::Yes(_) => None,
    });
    match (summary.whole, open) {
        (Err(why), _) => Answer::Unknown(Obstacle::NoProof(why.to_string())),
        (Ok(()), Some(why)) => Answer::Unknown(Obstacle::NoProof(why)),
        (Ok(()), None) => {
            let argument = "every loop has a ranking argument, and recursion none is deeper than it is followed";
            let invariants = summary.loops.into_iter().flat_map(|row| row.invariants).collect();
            Answer::True(Proof { engine: "termination", argument: argument.to_owned(), invariants })
        }
    }
}

fn auto(task: &Task<'_>, budget: &Budget, teller: &Teller<'_>) {
    std::thread::scope(|scope| {
        let refuting = || refute(task, budget, teller);
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, refuting);
        prove(task, budget, teller);
        drop(thread);
    });
}

/// Stack of the second thread.
const STACK: usize = 512 << 20;

/// Looks for a violation: what is found at once by a few runs or in a few turns first, then each for longer.
fn refute(task: &Task<'_>, budget: &Budget, teller: &Teller<'_>) {
    let shares = &task.limits.shares;
    if teller.attempt("search", || searched(task, Search::Glance, &shares.glance.of_budget(budget))) {
        return;
    }
    let Ok(automaton) = Automaton::new(task.program, task.memory, task.entry, task.limits.bounds()) else {
        teller.attempt("search", || searched(task, Search::Exhaustive, budget));
        return;
    };
    let mut deepening = Deepening::default();
    let glance = shares.few_turns.of_budget(budget);
    if teller.attempt("bmc", || deepening.until(task, &automaton, GLANCE, &glance))
        || teller.attempt("search", || searched(task, Search::Usual, &shares.search.of_budget(budget)))
    {
        return;
    }
    if teller.attempt("bmc", || deepening.until(task, &automaton, u32::MAX, &shares.turns.of_budget(budget))) {
        return;
    }
    teller.attempt("search", || searched(task, Search::Exhaustive, budget));
}

/// The turns of loops that are unrolled before many runs are made.
const GLANCE: u32 = 2;

/// How many runs are made.
#[derive(Clone, Copy)]
enum Search {
    Glance,
    Usual,
    /// Until the budget is spent.
    Exhaustive,
}

impl Search {
    /// Statements of all runs, and runs in a row that show nothing new.
    fn limits(self, limits: &TaskLimits) -> (u64, u32) {
        match self {
            Search::Glance => (limits.search_statements[0], limits.search_runs[0]),
            Search::Usual => (limits.search_statements[1], limits.search_runs[1]),
            Search::Exhaustive => (u64::MAX, u32::MAX),
        }
    }
}

/// Looks for a proof.
fn prove(task: &Task<'_>, budget: &Budget, teller: &Teller<'_>) {
    let shares = &task.limits.shares;
    let mut values = Vec::new();
    teller.attempt("forward", || forwarded(task, &shares.analysis.of_budget(budget), &mut values));
    teller.with_automaton(task, |automaton| {
        let tables = observed(task, automaton, budget);
        for (effort, k) in SCHEDULE {
            if budget.is_spent() {
                return;
            }
            let mut candidates = guess(automaton, &tables, &values, effort);
            task.templates.instantiate(automaton, &tables, &mut candidates);
            let count: usize = candidates.values().map(Vec::len).sum();
            let part = shares.attempt.of_budget(budget);
            let attempt = || match induct(task, automaton, &candidates, k, &part, budget) {
                Ok(proof) => Answer::True(proof),
                Err(Obstacle::NoProof(why)) => {
                    Answer::Unknown(Obstacle::NoProof(format!("windows of {k} turns, {count} candidates: {why}")))
                }
                Err(obstacle) => Answer::Unknown(obstacle),
            };
            if teller.attempt("invariants", attempt) {
                return;
            }
        }
        let mut candidates = guess(automaton, &tables, &values, Effort::Little);
        task.templates.instantiate(automaton, &tables, &mut candidates);
        let atoms = |blocks: &mut Blocks<'_, '_>| atoms(blocks, &candidates);
        let part = shares.lazily.of_budget(budget);
        let lazily = |learnt: &mut Learnt| predicate_abstraction(task, automaton, &atoms, learnt, budget);
        if teller.learning("impact", |learnt| impact(task, automaton, &atoms, learnt, &part))
            || teller.learning("predicate-abstraction", lazily)
        {
            return;
        }
        teller.attempt("k-induction", || k_induction(task, automaton, &candidates, budget));
    });
}

/// How much is guessed and how long windows are, attempt by attempt.
const SCHEDULE: [(Effort, u32); 7] = [
    (Effort::Little, 0),
    (Effort::Little, 1),
    (Effort::More, 0),
    (Effort::Most, 0),
    (Effort::Little, 2),
    (Effort::More, 1),
    (Effort::Utmost, 0),
];

/// What runs show at loop heads.
fn observed(task: &Task<'_>, automaton: &Automaton<'_>, budget: &Budget) -> Tables {
    trace(automaton, task.entry, task.limits.observed_runs, &task.limits.shares.observing.of_budget(budget))
}

/// Runs on chosen inputs.
fn searched(task: &Task<'_>, search: Search, budget: &Budget) -> Answer {
    let (statements, patience) = search.limits(task.limits);
    let options = SearchOptions {
        checks: task.property.kinds().to_vec(),
        seed: task.seed,
        unwritten: true,
        leaps: true,
        lost: task.property.tracks_memory(),
        statements,
        patience,
        directed: 0,
        patience_for_goals: 0,
        extents: Arc::default(),
        questions: 0,
        one: true,
        budget: budget.clone(),
        open: Arc::default(),
        exchange: None,
        entered: Arc::default(),
        runs: task.limits.runs.clone(),
        boxes: BoxLimits::default(),
    };
    let outcome = search::search(task.program, task.entry, &options);
    // Handlers may run at any time.
    if let Some(only) = &outcome.only
        && task.memory.called_later().is_empty()
        && !(task.property.tracks_memory() && only.leaves_blocks)
    {
        let argument = "the program reads no input, and its only execution has come to its end twice".to_owned();
        return Answer::True(Proof { engine: "search", argument, invariants: Vec::new() });
    }
    let wanted = |site: &SiteId| task.property.kinds().contains(&task.program.sites[*site].kind);
    let errs = outcome.found.into_iter().filter(|(site, _)| wanted(site)).map(|(_, found)| found);
    for found in errs.chain(outcome.lost) {
        if found.doubt.is_none() {
            let inputs = found.run.inputs.iter().map(|r| r.value.clone()).collect();
            if let Ok(run) = replay(task, inputs, Vec::new()) {
                return Answer::False(Box::new(Counterexample { engine: "search", run }));
            }
        }
    }
    Answer::Unknown(match outcome.undecided.into_iter().max_by_key(|(_, runs)| *runs) {
        // What stops most of the runs is in the way of the others, too.
        Some((what, runs)) if 2 * runs > outcome.runs => Obstacle::NotRun { what, runs },
        _ => Obstacle::NoViolation { runs: outcome.runs },
    })
}

/// The forward analysis; what it says of values goes to `values`. It decides nothing by itself: what it finds is proved
/// by queries.
fn forwarded(task: &Task<'_>, budget: &Budget, values: &mut Vec<ValueAt>) -> Answer {
    let options = forward::Options {
        interrupt: budget.interrupt(),
        keep_invariants: true,
        ..task.limits.analysis.options(budget.left())
    };
    let result = forward::analyze(task.program, task.memory, task.entry, &options);
    *values = result.value_at(task.program);
    let judged = |site| task.property.kinds().contains(&task.program.sites[site].kind);
    let is_open = |verdict: &SiteVerdict| !matches!(verdict, SiteVerdict::Safe(_) | SiteVerdict::Unreachable);
    let open: Vec<SiteId> = result
        .verdicts
        .iter_enumerated()
        .filter(|(site, v)| judged(*site) && is_open(v))
        .map(|(site, _)| site)
        .collect();
    Answer::Unknown(match (&result.incomplete, open.first()) {
        (Some(why), _) => Obstacle::Budget(format!("incomplete: {why}")),
        (None, None) => Obstacle::NoProof("no abstract state fails; queries have the last word".to_owned()),
        (None, Some(first)) => {
            let first = &task.program.sites[*first];
            let subject = first.subject.clone();
            Obstacle::Unproved { sites: open.len(), check: first.kind, subject, at: first.span }
        }
    })
}

struct Teller<'n> {
    news: &'n Sender<News>,
    budget: &'n Budget,
}

impl Teller<'_> {
    /// Tells how the attempt ends; whether it decides the task. Then whoever else is at work is stopped.
    fn attempt(&self, engine: &'static str, attempt: impl FnOnce() -> Answer) -> bool {
        self.learning(engine, |_| attempt())
    }

    /// The same, of an attempt that tells what it has learnt.
    fn learning(&self, engine: &'static str, attempt: impl FnOnce(&mut Learnt) -> Answer) -> bool {
        let start = Instant::now();
        let mut learnt = Learnt::default();
        // Nobody listens any more once the task is decided.
        let _ = self.news.send(News::Begun(engine));
        let answer = attempt(&mut learnt);
        let outcome = match &answer {
            Answer::True(_) => "TRUE".to_owned(),
            Answer::False(_) => "FALSE".to_owned(),
            Answer::Unknown(obstacle) => obstacle.to_string(),
        };
        let _ = self.news.send(News::Attempt(Attempt { engine, outcome, time: start.elapsed(), learnt }));
        let decided = !matches!(answer, Answer::Unknown(_));
        if decided {
            self.budget.stop();
        }
        let _ = self.news.send(News::Answer(engine, answer));
        decided
    }

    fn with_automaton(&self, task: &Task<'_>, work: impl FnOnce(&Automaton<'_>)) {
        match Automaton::new(task.program, task.memory, task.entry, task.limits.bounds()) {
            Ok(automaton) => work(&automaton),
            Err(why) => {
                self.attempt("encoding", || Answer::Unknown(Obstacle::Refused(why)));
            }
        }
    }

    fn candidates(&self, task: &Task<'_>, automaton: &Automaton<'_>, effort: Effort, budget: &Budget) -> Candidates {
        let mut values = Vec::new();
        let _ = forwarded(task, &task.limits.shares.analysis_to_guess.of_budget(budget), &mut values);
        let tables = observed(task, automaton, budget);
        let mut candidates = guess(automaton, &tables, &values, effort);
        task.templates.instantiate(automaton, &tables, &mut candidates);
        candidates
    }
}
