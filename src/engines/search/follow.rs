//! Runs that are followed by the solver: what would lead away from their paths.

use super::aims::Mark;
use super::case::Case;
use super::coverage::{hash, place};
use super::driver::Search;
use super::random::Random;
use super::runs::Length;
use super::solved;
use super::steered::Manner;
use crate::base::Idx;
use crate::engines::backward::{Backward, Change, Way};
use rustc_hash::FxHashSet;

/// The part of all statements that may be spent following runs: one in so many.
const FOLLOWING: u64 = 3;
/// The same where fewer suggestions than one in so many have shown anything new.
const FOLLOWING_IN_VAIN: u64 = 12;
const USEFUL: u64 = 4;
/// What a statement that is followed costs beside running it, and a question, in statements.
const FOLLOWED: u64 = 8;
const ASKED: u64 = 20_000;

impl Search<'_> {
    /// Runs inputs that the solver suggests, newest runs first, until nothing is wanted or may be asked any more.
    pub(super) fn steer(&mut self) {
        let mut questions = self.options.questions;
        let first = self.kept.len().saturating_sub(self.options.runs.steered);
        let mut left: Vec<usize> = (first..self.kept.len()).collect();
        while let Some(number) = left.pop() {
            if questions == 0 || self.options.is_over() || self.is_needless() {
                return;
            }
            let (solved, asked) = self.follow(number, questions);
            questions = questions.saturating_sub(asked);
            for (_, changes) in solved {
                let mut case = Case { from: Some(number), ..self.kept[number].clone() };
                solved::make(&changes, &mut case);
                let run = self.run_case(&case, FxHashSet::default(), Manner::Plain, (Length::Whole, None));
                self.outcome.suggested += 1;
                let new = self.covers_more();
                let (found, case) = self.take(&run, case);
                if new | found {
                    self.useful_suggestions += 1;
                    let next = self.kept.len();
                    self.keep(case);
                    left.extend(next..self.kept.len());
                }
            }
        }
    }

    /// Follows the run of a kept case; the changes that lead away from its path, as the solver says, and how many questions that took.
    fn follow(&mut self, number: usize, questions: u32) -> (Vec<(Mark, Vec<Change>)>, u32) {
        self.followed.insert(number);
        let case = self.kept[number].clone();
        let is_missing = self.missing_flags();
        let mark_of = |way| match way {
            Way::Fails(site) => Mark::Error(site),
            Way::Edge(from, to) => Mark::Edge(place(hash(from.0, from.1), hash(to.0, to.1))),
        };
        let is_open = |way| match mark_of(way) {
            Mark::Error(site) => is_missing[site.index()],
            mark => !mark.is_met(&self.coverage, &self.outcome),
        };
        let backward = Backward { prepared: self.prepared, entry: self.entry, options: self.options };
        let mut asked = std::mem::take(&mut self.asked);
        let mut inputs = self.source(&case, FxHashSet::default(), Manner::Plain, Random::new(0));
        let most = questions.min(self.options.runs.questions);
        let goes_on = || !self.options.is_over();
        let within = self.as_kept(&case);
        let (run, found, questions) = backward.ways_out((&mut inputs, within), &is_open, (most, &goes_on), &mut asked);
        self.asked = asked;
        self.count(&run, 0);
        let spent = FOLLOWED * run.statements + ASKED * u64::from(questions);
        self.spent_following += spent;
        self.outcome.statements += spent;
        (found.into_iter().map(|way| (mark_of(way.way), way.changes)).collect(), questions)
    }

    /// Follows the run of a kept case that no solver has seen, where that has not taken its part of all statements yet: one that is closest to an error, or to
    /// a branch's other side, else the latest.
    pub(super) fn follow_next(&mut self, after: &[Vec<usize>; 2]) {
        let all_followed = self.followed.len() == self.kept.len();
        let is_useful = self.useful_suggestions >= self.outcome.suggested / USEFUL;
        let part = if is_useful { FOLLOWING } else { FOLLOWING_IN_VAIN };
        if all_followed || self.options.questions == 0 || self.spent_following > self.outcome.statements / part {
            return;
        }
        let is_next = |number: &usize| *number < self.kept.len() && !self.followed.contains(number);
        let closest = after.iter().flat_map(|list| list.iter().rev()).copied().find(is_next);
        if let Some(number) = closest.or_else(|| (0..self.kept.len()).rev().find(is_next)) {
            // The last to wait is the first to be tried.
            for (mark, changes) in self.follow(number, u32::MAX).0.into_iter().rev() {
                self.trials.plan_solved(number, mark, changes);
            }
        }
    }
}
