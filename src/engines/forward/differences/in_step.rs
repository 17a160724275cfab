//! Numbers that move in step as a loop goes round: candidates for bounds that nobody has stated yet.
//!
//! `n` goes up by one where `i` does, or not at all: after one turn `n` is still no more than `i`, by the ranges of both. That has to be said
//! before the ranges grow.

use super::super::bases::{Base, Bases};
use super::super::state::State;
use super::super::texts::Holder;
use super::terms::{Cell, Term};
use crate::domains::{BaseId, Int, Multiple};

/// So many numbers that have moved are held against each other at most.
const FEW: usize = 8;
/// Variables of at most so many bytes are looked at.
const WORD: i128 = 8;
/// Bounds from there on come from numbers of which nothing is known.
const FAR: i128 = 1 << 30;

impl State {
    /// Of the numbers that have moved equally far on the way from `before` a loop back to its head, notes how far one is above another, where the
    /// turn leaves that as it was. This state holds for both, or is the one after the turn.
    pub fn relate_moved(&mut self, bases: &Bases, before: &State, after: &State) {
        let moved = before.moved(bases, after);
        if moved.len() > FEW {
            return;
        }
        for (i, (a, step)) in moved.iter().enumerate() {
            for (b, _) in moved[..i].iter().filter(|(_, other)| other == step) {
                for (a, b) in [(*a, *b), (*b, *a)] {
                    let bound = before.difference(bases, a, b).filter(|bound| bound.abs() < FAR);
                    let stays = |bound: &i128| after.difference(bases, a, b) == Some(*bound);
                    if let Some(bound) = bound.filter(stays) {
                        self.note_bound(a, b, bound);
                    }
                }
            }
        }
    }

    /// The numbers in variables that are others in `after`, and how far an end of them has moved.
    fn moved(&self, bases: &Bases, after: &State) -> Vec<(Multiple<Term>, i128)> {
        let is_variable = |base: &BaseId| matches!(bases.get(*base), Base::Variable(_)) && !bases.is_summary(*base);
        let mut all = Vec::new();
        for base in self.differing(after).into_iter().filter(is_variable) {
            let Some((x, y)) = self.known(bases, base).zip(after.known(bases, base)) else { continue };
            if x.size.hi() > WORD {
                continue;
            }
            for cell in x.cells().filter_map(|(at, cell)| Holder::of(base, at, cell.shape)) {
                let (a, b) = (x.read(cell.at, cell.shape()), y.read(cell.at, cell.shape()));
                let step = a.int_alone().zip(b.int_alone()).and_then(|(a, b)| step(a, b));
                all.extend(step.map(|step| (Multiple::one(Term::Number(Cell::Held(cell))), step)));
            }
        }
        all
    }
}

/// How far up the ends of a number have moved, or down: the one that has moved less, but has.
fn step(before: Int, after: Int) -> Option<i128> {
    let steps = [after.lo() - before.lo(), after.hi() - before.hi()];
    steps.into_iter().filter(|step| *step != 0).min_by_key(|step| step.abs())
}
