//! How far a search goes, and what comes of it.

use super::entered::Entered;
use super::exchange::Exchange;
use super::only::OnlyRun;
use crate::concrete::Run;
use crate::engines::limits::{BoxLimits, RunLimits};
use crate::engines::task::Budget;
use crate::ir::entry::Extents;
use crate::ir::{CheckKind, SiteId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

/// How far to search.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// The kinds that end a run, or are noted by it.
    pub checks: Vec<CheckKind>,
    pub seed: u64,
    /// Whether what nothing was written to is an input: [`crate::concrete::Limits::unwritten`].
    pub unwritten: bool,
    /// Whether runs may leap: [`crate::concrete::Limits::leaps`].
    pub leaps: bool,
    /// Whether lost blocks are looked for: [`crate::concrete::Limits::lost`].
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
    /// Between searches of the same that run side by side, each with its own seed.
    pub exchange: Option<Arc<Exchange>>,
    /// Notes the functions that runs enter.
    pub entered: Arc<Entered>,
    /// Statements that runs may execute besides, once it is known what is open, to come closer to an error there; 0 for none.
    pub directed: u64,
    /// How many times as many of these runs may show nothing new in a row.
    pub patience_for_goals: u32,
    /// Which parameters of entries count what others point to.
    pub extents: Arc<Extents>,
    /// What single runs may take.
    pub runs: RunLimits,
    /// What growing the inputs of those that err may take.
    pub boxes: BoxLimits,
}

impl SearchOptions {
    /// Whether time has run out, or searches that run side by side are to end.
    pub fn is_over(&self) -> bool {
        self.budget.is_spent() || self.exchange.as_ref().is_some_and(|exchange| exchange.is_over())
    }

    /// Whether nothing but time ends the search.
    pub fn is_tireless(&self) -> bool {
        self.patience_for_goals == u32::MAX
    }
}

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
    /// The program's only execution, where it reads no input and its execution does not err.
    pub only: Option<OnlyRun>,
    /// Why runs could not go on, with how often.
    pub undecided: BTreeMap<String, u64>,
}

impl SearchOutcome {
    /// Adds what another search of the same has found.
    pub fn join(&mut self, other: SearchOutcome) {
        for (site, found) in other.found {
            if !self.is_found(site) {
                self.found.insert(site, found);
            }
        }
        self.lost = self.lost.take().or(other.lost);
        self.runs += other.runs;
        self.statements += other.statements;
        self.suggested += other.suggested;
        for (why, count) in other.undecided {
            *self.undecided.entry(why).or_insert(0) += count;
        }
    }

    /// Whether a run errs at the site beyond doubt.
    pub fn is_found(&self, site: SiteId) -> bool {
        self.found.get(&site).is_some_and(|found| found.doubt.is_none())
    }
}
