//! The runs of the search, each from the start or, with the same result, from a place on the way of the kept run whose inputs it changes.

use super::again::{Within, run, run_from};
use super::aims::Aims;
use super::case::Case;
use super::coverage::Edges;
use super::driver::Search;
use super::equality::Equality;
use super::goals::Progress;
use super::random::Random;
use super::starts::Begin;
use super::steered::{Manner, Steered};
use super::watch::Both;
use crate::concrete::{InputPlace, InputSource, Outcome, Past, Run};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Statements of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Length {
    /// As many as any run may take.
    Whole,
    /// At most so many.
    Most(u64),
    /// At most so many, also where it reads on and on at the ends of files.
    On(u64),
    /// So many behind the place where it first differs from the kept run whose inputs it changes; or at most so many where that is not known.
    Behind(u64, u64),
}

impl Length {
    /// How many it may be in any case.
    fn most(self) -> u64 {
        match self {
            Length::Whole => u64::MAX,
            Length::Most(most) | Length::On(most) | Length::Behind(_, most) => most,
        }
    }
}

/// What is watched in a run besides its edges.
pub(super) struct Watch<'w, 'g, 'a> {
    pub progress: &'w mut Progress<'g>,
    pub equality: &'w mut Equality,
    pub aims: Option<&'w mut Aims<'a>>,
}

impl Search<'_> {
    pub(super) fn source<'s>(
        &'s self,
        case: &'s Case,
        changed: FxHashSet<(InputPlace, u32)>,
        manner: Manner,
        random: Random,
    ) -> Steered<'s> {
        Steered::new(&case.inputs, changed, manner, self.dictionary, random).with_files(&case.files)
    }

    /// The errors that runs from the case go past.
    pub(super) fn past_of(&self, case: &Case) -> Arc<Past> {
        if case.past { self.past.clone() } else { Arc::default() }
    }

    /// Bounds of a run that shows what a kept case's run has shown, as far as kept runs are watched.
    pub(super) fn as_kept(&self, case: &Case) -> Within {
        let ends = if case.goes_on { u32::MAX } else { self.options.runs.ends };
        Within { past: self.past_of(case), ends, statements: self.watched(), ..Within::trace(0) }
    }

    /// The edges of a run that has not begun; to be put back into `edges` when it is over.
    pub(super) fn no_edges(&mut self) -> Edges {
        let mut edges = self.edges.take().unwrap_or_default();
        edges.clear();
        edges
    }

    /// A run from the start on other inputs than those of cases.
    pub(super) fn run(&mut self, inputs: &mut dyn InputSource) -> Run {
        let mut edges = self.no_edges();
        let run = run(self.prepared, self.entry, inputs, self.options, 0, &mut edges);
        self.edges = Some(edges);
        self.count(&run, 0);
        run
    }

    /// A run on the inputs of a case, changed at these places and with others as the manner says.
    pub(super) fn run_case(
        &mut self,
        case: &Case,
        changed: FxHashSet<(InputPlace, u32)>,
        manner: Manner,
        (length, watch): (Length, Option<Watch<'_, '_, '_>>),
    ) -> Run {
        let random = Random::new(self.random.bits());
        let mut edges = self.no_edges();
        let ends = if matches!(length, Length::On(_)) { u32::MAX } else { self.options.runs.ends };
        let mut within = Within { ends, statements: length.most(), past: self.past_of(case), ..Within::trace(0) };
        let source = || self.source(case, changed.clone(), manner, random.clone());
        let starts = case.from.and_then(|from| self.starts.of(from));
        let begin = Begin::of(starts.as_deref(), source, &within, &mut edges);
        let last = begin.state();
        if let (Length::Behind(behind, _), Some(differs)) = (length, begin.differs) {
            within.statements = within.statements.min(differs + behind);
        }
        let mut inputs = begin.source;
        let (prepared, options, from) = (self.prepared, self.options, (self.entry, last));
        let run = match watch {
            Some(Watch { progress, equality, aims: None }) => {
                let mut watch = Both(progress, equality);
                run_from(prepared, from, &mut inputs, options, within, &mut Both(&mut edges, &mut watch))
            }
            Some(Watch { progress, aims: Some(aims), .. }) => {
                let mut watch = Both(progress, aims);
                run_from(prepared, from, &mut inputs, options, within, &mut Both(&mut edges, &mut watch))
            }
            None => run_from(prepared, from, &mut inputs, options, within, &mut edges),
        };
        let before = last.map_or(0, |(frozen, _)| frozen.statements());
        self.edges = Some(edges);
        self.count(&run, before);
        run
    }

    /// Counts a run of which so many statements were not executed again.
    pub(super) fn count(&mut self, run: &Run, before: u64) {
        self.outcome.runs += 1;
        self.outcome.statements += (run.statements - before).max(1);
        let why = match &run.outcome {
            Outcome::Undecided(why) => why.clone(),
            Outcome::OutOfFuel(fuel) => format!("budget: too many {}", fuel.what()),
            _ => return,
        };
        *self.outcome.undecided.entry(why).or_insert(0) += 1;
    }
}
