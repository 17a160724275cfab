//! Makes the files of kept cases short: what can be left out while a run shows the same is left out, so that later changes meet what matters.
//!
//! See: Zalewski, "Technical whitepaper for afl-fuzz", Sect. 5 (trimming). We ask for the same edges and for what was new, not for how often edges were
//! taken: what reads less turns less often.

use super::case::Case;
use super::coverage::{Edges, News};
use super::driver::Search;
use super::reduce::Reducer;
use super::runs::Length;
use super::steered::Manner;
use rustc_hash::FxHashSet;

/// The part of all statements that may be spent making files of kept cases short: one in so many.
const TRIMMING: u64 = 6;
/// The smallest part that is tried, as one in so many of a file.
const PARTS: usize = 128;
/// Files of so few bytes stay.
const SHORT: usize = 8;

/// What a run has shown: a shorter file must show it, too.
pub(super) struct Shown {
    edges: Vec<u32>,
    news: News,
}

impl Shown {
    /// By a run that has taken these edges, with what was new.
    pub fn of(run: &Edges, news: News) -> Shown {
        Shown { edges: run.places().to_vec(), news }
    }

    /// Whether another run shows it.
    pub fn is_in(&self, run: &Edges) -> bool {
        self.edges.iter().all(|place| run.has(*place)) && self.news.are_in(run)
    }
}

/// Whether some file is worth it.
fn is_long(files: &[Vec<u8>]) -> bool {
    files.iter().any(|file| file.len() > SHORT)
}

impl Search<'_> {
    /// The case with shorter files that show the same, where that has not taken its part of all statements yet.
    pub(super) fn trimmed(&mut self, mut case: Case, shown: Option<Shown>) -> Case {
        let Some(shown) = shown.filter(|_| is_long(&case.files)) else { return case };
        let before = self.outcome.statements;
        let most = before / TRIMMING;
        let (spent, usual) = (self.spent_trimming, self.usual(&case));
        let shows = |other: &Case| {
            if spent + (self.outcome.statements - before) > most || self.options.is_over() {
                return None;
            }
            let run = self.run_case(other, FxHashSet::default(), Manner::Plain, (Length::Most(usual), None));
            let same = self.edges.as_ref().is_some_and(|edges| shown.is_in(edges));
            let (_, case) = self.take(&run, other.clone());
            same.then_some(case)
        };
        Reducer { errs: shows, records: 0, parts: PARTS }.shorten_files(&mut case);
        self.spent_trimming += self.outcome.statements - before;
        case
    }
}
