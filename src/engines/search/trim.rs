//! Makes the files of kept cases short: what can be left out while a run shows the same is left out, so that later changes meet what matters.
//!
//! See: Zalewski, "Technical whitepaper for afl-fuzz", Sect. 5 (trimming). Of every other case we ask for the same edges, not for how often they were
//! taken: what reads less turns less often; of the others for what was new alone: a run that does nothing else is short.

use super::case::Case;
use super::coverage::{Edges, News};
use super::driver::Search;
use super::equality::Equality;
use super::goals::{Closer, Goals};
use super::reduce::Reducer;
use super::runs::{Length, Watch};
use super::steered::Manner;
use rustc_hash::FxHashSet;

/// The part of all statements that may be spent making files of kept cases short: one in so many.
const TRIMMING: u64 = 6;
/// The smallest part that is tried, as one in so many of a file.
const PARTS: usize = 128;
/// Files of so few bytes stay.
const SHORT: usize = 8;

/// What a run has shown: its edges, what was new, and the goals that it came closer to than any before.
pub(super) struct Shown {
    pub edges: Vec<u32>,
    pub news: News,
    pub closer: Closer,
}

impl Shown {
    /// Whether nothing of it is new.
    pub fn is_known(&self) -> bool {
        self.news.is_empty() && self.closer.is_empty()
    }
}

/// Whether some file is worth it.
fn is_long(files: &[Vec<u8>]) -> bool {
    files.iter().any(|file| file.len() > SHORT)
}

impl Search<'_> {
    /// The case with shorter files that show the same news and come as close to goals, where that has not taken its part of all statements yet.
    pub(super) fn trimmed(&mut self, mut case: Case, shown: Shown, goals: Option<&Goals>) -> Case {
        if !is_long(&case.files) || shown.is_known() {
            return case;
        }
        let Shown { edges, news, closer } = shown;
        let goals = goals.filter(|_| !closer.is_empty());
        let edges = if self.random.one_in(2) { edges } else { Vec::new() };
        let before = self.outcome.statements;
        let most = before / TRIMMING;
        let (spent, usual) = (self.spent_trimming, self.usual(&case));
        let shows = |other: &Case| {
            if spent + (self.outcome.statements - before) > most || self.options.is_over() {
                return None;
            }
            let mut progress = goals.map(Goals::watch).unwrap_or_default();
            let watch = Watch { progress: &mut progress, equality: &mut Equality::default(), aims: None };
            let length = Length::Most(usual);
            let run = self.run_case(other, FxHashSet::default(), Manner::Plain, (length, goals.map(|_| watch)));
            let is_alike = |run: &Edges| news.are_in(run) && edges.iter().all(|place| run.has(*place));
            let same = self.edges.as_ref().is_some_and(is_alike) && closer.is_in(&progress.into_seen());
            let (_, case) = self.take(&run, other.clone());
            same.then_some(case)
        };
        Reducer { errs: shows, records: 0, parts: PARTS }.shorten_files(&mut case);
        self.spent_trimming += self.outcome.statements - before;
        case
    }
}
