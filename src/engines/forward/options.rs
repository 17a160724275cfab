//! What an analysis may cost, and what it tells on the way.

use super::analyzer::Calls;
use crate::ir::SiteId;
use crate::smt::Interrupt;
use std::collections::BTreeSet;
use std::time::Duration;

/// What is told of an analysis under way: the statements executed so far, and the function at work.
type Progress<'a> = dyn Fn(u64, &str) + Sync + 'a;

/// Limits of an analysis.
#[derive(Clone)]
pub struct Options<'a> {
    /// The time for all of it. A part of it may go by with calls followed.
    pub time_limit: Duration,
    /// What becomes of calls; None: they are followed first, then apart from each other, then joined.
    pub calls: Option<Calls>,
    /// Statements executed with calls followed.
    pub steps: u64,
    /// Statements executed with calls apart, or joined.
    pub joined_steps: u64,
    /// A function that is called at more places than this is analysed as one where its calls are joined, else for each place.
    pub places: usize,
    /// Calls deeper than this are not followed.
    pub depth: usize,
    /// Entry states of a function that are analysed apart; further ones are joined.
    pub contexts: usize,
    /// Functions that a call through a pointer may lead to with which it is still followed; 0: no call is.
    pub callees: usize,
    /// Iterations of a loop that are analysed apart while it cannot end.
    pub unroll: usize,
    /// Judges functions that were lost each for itself, until a fifth more than the time limit.
    pub alone: bool,
    /// Keeps the states at all blocks, for [`super::ForwardResult::value_at`].
    pub keep_invariants: bool,
    /// Keeps what places and pointers are, for [`super::ForwardResult::noted`], while no more statements are executed than this; where
    /// there are more, what was noted says too little.
    pub keep_places: u64,
    /// Ends the analysis, when it is raised.
    pub interrupt: Interrupt,
    /// Sites past whose failures executions go on, as if their checks were not there.
    pub past: BTreeSet<SiteId>,
    /// Called now and then.
    pub progress: Option<&'a Progress<'a>>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            time_limit: Duration::from_secs(30),
            calls: None,
            steps: 300_000,
            joined_steps: 6_000_000,
            places: 8,
            depth: 60,
            contexts: 6,
            callees: 12,
            unroll: 1200,
            alone: false,
            keep_invariants: false,
            keep_places: 0,
            interrupt: Interrupt::default(),
            past: BTreeSet::new(),
            progress: None,
        }
    }
}
