//! What passes share: what is asked, what those before them have found out, and what is handed over.

use crate::base::Span;
use crate::concrete::InputValue;
use crate::engines::forward::{ForwardResult, Options, Start, analyze_from};
use crate::engines::limits::Share;
use crate::engines::search::{Found, OnlyRun, SearchOptions};
use crate::engines::task::Budget;
use crate::ir::{CheckKind, FuncId, Program, SiteId};
use crate::memory::Memory;
use crate::pipeline::cache::key::{Key, KeyMaker};
use crate::pipeline::clock::Clock;
use crate::pipeline::request::Request;
use crate::pipeline::results::Results;
use crate::pipeline::sources::Loaded;
use crate::pipeline::sources::load::ReadUnits;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

/// Runs that err, from one entry.
pub type Runs = BTreeMap<SiteId, Found>;

/// Inputs on which sites seem to err.
pub type Suspects = BTreeMap<SiteId, Vec<InputValue>>;

/// How it goes on behind a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// With the next one.
    Go,
    /// Without the engines: an earlier run did their work.
    PastEngines,
    /// Not at all: everything is there.
    End,
}

/// Under which keys the engines' results are kept.
pub struct Keys {
    pub exact: Key,
    /// That of all that matters but positions, and these.
    pub moved: Key,
    pub spans: Vec<Span>,
}

/// What passes share. A pass may ask for what those before it in the list have set.
pub struct Ground {
    pub request: Arc<Request>,
    pub clock: Arc<Clock>,
    /// Whether a report of an earlier run will do: nobody asks for more than the verdicts.
    pub whole: bool,
    /// What is handed over as soon as there is something: whoever cannot wait any longer takes it.
    results: Arc<Mutex<Results>>,
    /// The preprocessed units, until they are lowered.
    pub units: Mutex<ReadUnits>,
    pub loaded: OnceLock<Arc<Loaded>>,
    /// Where executions start.
    pub start: OnceLock<Start>,
    pub memory: OnceLock<Memory>,
    /// The sites that proofs leave open, once that is known.
    pub open: Arc<OnceLock<BTreeSet<SiteId>>>,
    /// Inputs on which sites seem to err, as proofs that failed say.
    pub suspects: OnceLock<Suspects>,
    /// Statements that proofs took.
    pub statements: OnceLock<u64>,
    /// The proofs themselves, where they are whole and later passes may look at what they are made of.
    pub proofs: OnceLock<ForwardResult>,
    /// The program's only execution, where the search has seen that there is one.
    pub only: OnceLock<OnlyRun>,
    /// What the last search found.
    pub found: OnceLock<Runs>,
    /// Under which keys the engines' results are to be kept, if they are.
    pub keys: OnceLock<Keys>,
}

impl Ground {
    /// Nothing is known yet.
    pub fn new(request: Arc<Request>, whole: bool, clock: Arc<Clock>, results: Arc<Mutex<Results>>) -> Ground {
        Ground {
            request,
            clock,
            whole,
            results,
            units: Mutex::default(),
            loaded: OnceLock::new(),
            start: OnceLock::new(),
            memory: OnceLock::new(),
            open: Arc::default(),
            suspects: OnceLock::new(),
            statements: OnceLock::new(),
            proofs: OnceLock::new(),
            only: OnceLock::new(),
            found: OnceLock::new(),
            keys: OnceLock::new(),
        }
    }

    /// What is handed over.
    pub fn results(&self) -> MutexGuard<'_, Results> {
        self.results.lock().expect("holders of results do not panic")
    }

    /// The program, once it is lowered.
    pub fn program(&self) -> &Program {
        &self.loaded.get().expect("passes behind lowering have a program").program
    }

    /// Where executions start, once there is a program.
    pub fn start(&self) -> &Start {
        self.start.get().expect("passes behind lowering have a start")
    }

    /// What is derived from the program's text, once the rules have run.
    pub fn memory(&self) -> &Memory {
        self.memory.get().expect("engines come behind the rules that they ask")
    }

    /// The entry, where there is one and it cost proofs so little that it may be looked at once more.
    pub fn followed_entry(&self) -> Option<FuncId> {
        let most = self.request.profile.backwards.analysed_statements;
        match self.start() {
            Start::Function(entry) if self.statements.get().is_some_and(|n| *n <= most) => Some(*entry),
            _ => None,
        }
    }

    /// The whole proofs from `entry`; where they ended early, those of another analysis, in a part of the time that is left.
    pub fn proofs_of(&self, entry: FuncId, time: Share) -> &ForwardResult {
        self.proofs.get_or_init(|| {
            let limits = &self.request.profile.proofs.analysis;
            let options = Options {
                keep_invariants: self.request.summaries.is_some(),
                keep_places: u64::MAX,
                ..limits.options(time.of(self.clock.left()))
            };
            analyze_from(self.program(), self.memory(), &Start::Function(entry), &options)
        })
    }

    /// What the engines' results depend on, once the program is loaded.
    pub fn key(&self) -> Option<KeyMaker> {
        let mut key = self.loaded.get()?.content.clone()?;
        self.request.add_options(&mut key);
        Some(key)
    }

    /// The sites that solvers work for: those asked for, of this part; all for rules, which may join what is known of any.
    pub fn wanted(&self) -> impl Fn(SiteId) -> bool {
        let Request { shard, values, checks, .. } = &*self.request;
        let program = self.program();
        let own = shard.map(|shard| shard.sites(program));
        let is_own = move |site| own.as_ref().is_none_or(|own| own.contains(&site));
        move |site| *values || (checks.contains(&program.sites[site].kind) && is_own(site))
    }

    /// How runs are made.
    pub fn search_options(&self, budget: Budget, statements: u64) -> SearchOptions {
        let Request { checks, seed, .. } = &*self.request;
        let limits = &self.request.profile.search;
        // Every check that C asks for ends a run, asked for or not: what comes after undefined behaviour proves nothing.
        let checks = CheckKind::ALL.iter().copied().filter(|k| k.by_default() || checks.contains(k)).collect();
        SearchOptions {
            checks,
            unwritten: false,
            leaps: false,
            lost: false,
            seed: *seed,
            statements,
            patience: limits.runs_without_news,
            directed: limits.statements_for_goals / self.start().functions().len().max(1) as u64,
            patience_for_goals: limits.patience_for_goals,
            one: false,
            // One entry of many has less to itself.
            questions: if statements < limits.statements { limits.questions_of_an_entry } else { limits.questions },
            budget,
            open: Arc::clone(&self.open),
            exchange: None,
            entered: Arc::default(),
            extents: Arc::clone(self.memory().strategy().extents()),
            runs: limits.runs.clone(),
            boxes: self.request.profile.boxes.clone(),
        }
    }
}
