//! Comparisons of inputs with what lies in objects, place by place: a program that looks for a mark byte by byte takes the same branch for each of its bytes, so
//! that no edge tells how far a run has come.

use super::again::{Within, run_within};
use super::aims::{Mark, number};
use super::case::Case;
use super::driver::Search;
use super::random::Random;
use super::steered::Manner;
use crate::concrete::{Machine, Observer, Spot};
use crate::ir::{BinaryOp, Expr, ExprKind, Terminator};
use rustc_hash::FxHashSet;

/// Watches whether a run shows two numbers to be equal.
pub(super) struct Equality {
    branch: usize,
    offset: u64,
    pub seen: bool,
}

impl Equality {
    /// Of those that this mark, which is [`Mark::Same`], is about.
    pub fn of(mark: Mark) -> Option<Equality> {
        let Mark::Same(branch, offset) = mark else { return None };
        Some(Equality { branch, offset, seen: false })
    }
}

impl Observer for Equality {
    fn before_terminator<'p>(&mut self, terminator: &'p Terminator, machine: &mut Machine<'p>) {
        if self.seen || std::ptr::from_ref(terminator) as usize != self.branch {
            return;
        }
        let Terminator::Branch { cond, .. } = terminator else { return };
        self.seen = held(cond, machine).is_some_and(|(other, held, (_, offset))| {
            offset == self.offset && number(other, machine).is_some_and(|x| number(held, machine) == Some(x))
        });
    }
}

impl Search<'_> {
    /// Whether the run of a case shows the numbers to be equal that the mark is about.
    pub(super) fn shows_same(&mut self, case: &Case, mark: Mark) -> bool {
        let Some(mut equality) = Equality::of(mark) else { return false };
        let mut inputs = self.source(case, FxHashSet::default(), Manner::Plain, Random::new(0));
        let within = Within { past: self.past_of(case), ..Within::trace(0) };
        let run = run_within(self.prepared, self.entry, &mut inputs, self.options, within, &mut equality);
        self.count(&run, 0);
        equality.seen
    }
}

/// Of a condition that asks whether a number is equal to what lies in an object: the number, what lies there, and the object's slot and the place in it.
pub(super) fn held<'p>(cond: &'p Expr, machine: &mut Machine<'p>) -> Option<(&'p Expr, &'p Expr, (u32, u64))> {
    let ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, a, b) = &cond.without_casts().kind else { return None };
    let mut place = |side: &'p Expr| match &side.without_casts().kind {
        ExprKind::Load(place) => match machine.locate(place)? {
            Spot::Memory { object, at } => Some((object.slot, at)),
            Spot::Register(_) => None,
        },
        _ => None,
    };
    match (place(a), place(b)) {
        (_, Some(at)) => Some((a, b, at)),
        (Some(at), None) => Some((b, a, at)),
        (None, None) => None,
    }
}
