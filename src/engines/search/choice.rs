//! Which run is made next, and how long it is to be.

use super::aims::Mark;
use super::case::Case;
use super::driver::Search;
use super::runs::Length;
use super::steered::Manner;
use crate::concrete::InputPlace;
use rustc_hash::FxHashSet;

/// How often a run starts from one that came closest to an open site, where there are such: in so many of eight.
const AFTER_GOALS: usize = 5;
/// How often a run is one that was planned, where there are such: in so many of four.
const PLANNED: usize = 2;
/// How often a run may take as long as any run may: one in so many.
const WHOLE: usize = 64;
/// Statements that most runs may take behind where they first differ from the one whose inputs they change, until they show anything new; how often
/// a run may take as many as is usual, at most: one in so many.
const BEHIND: u64 = 20_000;
const FAR: usize = 4;

/// A run that is to be made.
pub(super) struct Next {
    pub case: Case,
    /// Inputs to choose anew, and how others are chosen that the case does not give.
    pub changed: FxHashSet<(InputPlace, u32)>,
    pub manner: Manner,
    pub origin: Origin,
}

/// Where a case comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// From a search that runs beside this one.
    Other,
    /// From what an earlier run asks for; whether the solver suggests it.
    Planned {
        mark: Mark,
        is_solved: bool,
    },
    Walk,
    Repeat,
    Chance,
}

impl Origin {
    /// What it aims at, where that is known.
    pub fn mark(self) -> Option<Mark> {
        match self {
            Origin::Planned { mark, .. } => Some(mark),
            _ => None,
        }
    }
}

impl Search<'_> {
    /// How long a run close to this case is to be: most are made as far as what is changed is likely to show something new.
    pub(super) fn length(&mut self, case: &Case) -> Length {
        let usual = self.usual(case);
        // All runs that go far take about as much as those that do not.
        let far = usize::try_from(usual / BEHIND).unwrap_or(usize::MAX).max(FAR);
        if self.random.one_in(WHOLE) {
            Length::Whole
        } else if self.random.one_in(far) {
            Length::Most(usual)
        } else {
            Length::Behind(BEHIND, usual)
        }
    }

    /// The next case: one of another search, a change that is planned, a step of a walk, or what chance makes.
    pub(super) fn choose(&mut self, after: &[Vec<usize>; 2]) -> Next {
        let as_it_is = |case, origin| Next { case, changed: FxHashSet::default(), manner: Manner::Plain, origin };
        if let Some(case) = self.behind.take() {
            return as_it_is(case, Origin::Other);
        }
        let exchange = self.options.exchange.as_ref();
        if let Some(case) = exchange.and_then(|exchange| exchange.take(self.options.seed, &mut self.taken_over)) {
            return as_it_is(case, Origin::Other);
        }
        if self.random.below(4) < PLANNED
            && let Some((case, mark, is_solved)) = self.planned()
        {
            return as_it_is(case, Origin::Planned { mark, is_solved });
        }
        if let Some(case) = self.repeated() {
            return as_it_is(case, Origin::Repeat);
        }
        if let Some(case) = self.walked(after) {
            return as_it_is(case, Origin::Walk);
        }
        let (case, changed, manner) = self.next(after);
        Next { case, changed, manner, origin: Origin::Chance }
    }

    /// A case of a random manner, or a kept one with some inputs changed.
    fn next(&mut self, after: &[Vec<usize>; 2]) -> (Case, FxHashSet<(InputPlace, u32)>, Manner) {
        let manner = match self.random.below(4) {
            0 => Manner::Plain,
            1 => {
                let value = self.dictionary.number(&mut self.random, i64::MIN.into(), u64::MAX.into());
                Manner::Same(value, 0)
            }
            _ => Manner::Random,
        };
        // Without files there is less to change; the more files are kept, the less often one of any content shows more.
        let reads = self.kept.last().is_some_and(|case| !case.files.is_empty());
        if self.random.one_in(if reads { 6 + self.kept.len() / 2 } else { 3 }) {
            let files = (0..self.random.below(3)).map(|_| self.dictionary.bytes(&mut self.random, 200)).collect();
            return (Case { files, ..Case::default() }, FxHashSet::default(), manner);
        }
        let (at, other) = (self.pick(after), self.pick_any(after));
        let mut case = Case { from: Some(at), ..self.kept[at].clone() };
        case.past |= !self.past.sites.is_empty() && self.random.one_in(2);
        let changed = case.change(self.dictionary, &self.kept[other], &mut self.random);
        (case, changed, manner)
    }

    /// A kept case, as [`Search::pick_any`] says, of those that make short runs rather than long ones: more runs say more.
    pub(super) fn pick(&mut self, after: &[Vec<usize>; 2]) -> usize {
        let mut at = self.pick_any(after);
        for _ in 0..2 {
            let other = self.pick_any(after);
            if self.kept[other].statements < self.kept[at].statements / 2 && !self.random.one_in(4) {
                at = other;
            }
        }
        at
    }

    /// A kept case: one of those closest to what is open, or a late one.
    fn pick_any(&mut self, after: &[Vec<usize>; 2]) -> usize {
        let after = &after[usize::from(after[0].is_empty() || self.random.one_in(2))];
        let closest = after.get(self.random.below(after.len().max(1))).filter(|_| self.random.below(8) < AFTER_GOALS);
        // Late runs went deepest: prefer them.
        let late = self.random.below(self.kept.len()).max(self.random.below(self.kept.len()));
        closest.copied().filter(|case| *case < self.kept.len()).unwrap_or(late)
    }

    /// The next change that is planned; what it aims at, and whether the solver suggests it.
    fn planned(&mut self) -> Option<(Case, Mark, bool)> {
        let next = self.trials.next(&self.kept, |mark| mark.is_met(&self.coverage, &self.outcome))?;
        self.outcome.suggested += u64::from(next.2);
        Some(next)
    }
}
