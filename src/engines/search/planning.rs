//! What is kept, and the changes that are planned with it.

use super::again::run_from;
use super::aims::{Aims, Open};
use super::case::Case;
use super::driver::Search;
use super::hints::Compared;
use super::random::Random;
use super::records::{NotingRecords, Records};
use super::starts::{Begin, Freezing, Noting, Starts, between};
use super::steered::Manner;
use super::watch::Both;
use crate::base::Idx;
use crate::ir::SiteId;
use rustc_hash::FxHashSet;
use std::cell::Cell;

/// The part of all room for places from which runs go on that those of one run may take: one in so many.
const OF_ONE: u64 = 4;

impl Search<'_> {
    /// Lets later runs start from this case, as long as there is room.
    pub(super) fn keep(&mut self, mut case: Case) {
        let bytes = case.bytes();
        if self.kept_bytes + bytes > self.options.runs.kept {
            return;
        }
        self.kept_bytes += bytes;
        let (compared, mut records) = self.plan(self.kept.len(), &case, case.from);
        let mut numbers = compared.numbers(|number| case.has_number(number));
        let mut hints = compared.hints(&case.contents(), case.files.len());
        // A run that goes on from a place of an earlier one has not compared again what that has compared until there.
        if let Some(earlier) = case.from.map(|from| &self.kept[from]) {
            let known: FxHashSet<(i128, i128)> = numbers.iter().copied().collect();
            let more = earlier.numbers.iter().filter(|both| case.has_number(both.0) && !known.contains(both));
            numbers.extend(more.copied());
            hints = Compared::with_earlier(hints, &earlier.hints, &case.contents());
            records = records.with_earlier(&earlier.records);
        }
        (case.numbers, case.hints, case.records) = (numbers.into(), hints.into(), records.into());
        self.repeats.plan(self.kept.len(), &case);
        self.kept.push(case);
        let mut statements: Vec<u64> = self.kept.iter().map(|case| case.statements).collect();
        let middle = statements.len() / 2;
        self.median = *statements.select_nth_unstable(middle).1;
    }

    /// Plans changes of a case that is kept under this number; what it compares comes out, and what records it reads. The run goes on from a place on the way of the kept one `from`,
    /// whose changes until there are planned.
    fn plan(&mut self, number: usize, case: &Case, from: Option<usize>) -> (Compared, Records) {
        let mut edges = self.no_edges();
        let mut compared = Compared::default();
        let is_open = self.missing_flags();
        let sites = |site: SiteId| is_open[site.index()];
        let mut aims = Aims::new(Open { coverage: Some(&self.coverage), sites: &sites });
        aims.same = std::mem::take(&mut self.trials.same);
        let (within, count) = (self.as_kept(case), Cell::new(0));
        let (past, room) = (within.past.clone(), self.options.runs.starts);
        let source = || self.source(case, FxHashSet::default(), Manner::Plain, Random::new(0));
        let earlier = from.and_then(|from| self.starts.of(from));
        let begin = Begin::of(earlier.as_deref(), source, &within, &mut edges);
        let last = begin.state();
        let before = last.map_or(0, |(frozen, _)| frozen.statements());
        let mut freezing = Freezing::new(&mut edges, &count, between(case.statements), room / OF_ONE);
        let mut inputs = Noting::new(begin.source, &count);
        if let Some(starts) = &earlier {
            starts.copy_until(begin.place, &mut inputs, &mut freezing);
        }
        let mut records = NotingRecords::new();
        let mut both = Both(&mut compared, &mut aims);
        let mut three = Both(&mut records, &mut both);
        let mut all = Both(&mut freezing, &mut three);
        let run = run_from(self.prepared, (self.entry, last), &mut inputs, self.options, within, &mut all);
        let starts = Starts::new(inputs, freezing, &run.inputs, past);
        drop(earlier);
        self.starts.keep(number, starts, room);
        self.edges = Some(edges);
        self.trials.plan(&aims, &run.inputs, (number, case), &mut self.random);
        self.trials.same = std::mem::take(&mut aims.same);
        self.count(&run, before);
        (compared, records.into_records())
    }

    /// Plans changes of some cases anew, at other places, once all that was planned is done: those closest to what is open.
    pub(super) fn plan_again(&mut self, after: &[Vec<usize>; 2]) {
        self.trials.begin_again();
        for list in [&after[0], &after[1], &after[1]] {
            let number = self.random.pick(list).copied().filter(|number| *number < self.kept.len());
            if let Some(number) = number {
                let case = self.kept[number].clone();
                self.plan(number, &case, None);
            }
        }
    }
}
