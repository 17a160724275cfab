//! Open sites as goals: how close runs have come to an error there, and to the sides of branches that none has taken.
//!
//! See: Lemieux, Padhye, Sen, Song, "PerfFuzz", Sect. 3 (inputs are kept that are the best for one goal); libFuzzer's value profile; Tracey, Clark,
//! Mander, McDermid, "An Automated Framework for Structural Test-Data Generation" (distances of branches). Closeness is what is left until the check
//! fails: bytes up to an object's end, a divisor, the distance of a result from its type's limits; of a branch what is left until the
//! compared numbers compare otherwise.

use crate::base::Idx;
use crate::concrete::{Machine, Observer, Pointer, Prepared, Value};
use crate::ir::{BinaryOp, Check, Expr, ExprKind, SiteId, Stmt, StmtKind, Terminator};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// How often a run's branch is looked at.
const OF_A_BRANCH: u16 = 2000;

/// How close one run has come.
#[derive(Debug, Default)]
pub(super) struct Progress<'a> {
    goals: Option<&'a Goals>,
    seen: Seen,
    /// How often each branch with a side that is open was looked at, by the number of its block.
    looked: Vec<u16>,
}

/// What a run has shown.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// By goal, the least step.
    least: FxHashMap<Goal, u8>,
    /// Sides of branches that it was the first to take.
    taken: FxHashSet<(usize, bool)>,
}

/// Goals, and how close a run came to each.
#[derive(Debug, Default)]
pub(super) struct Closer(Vec<(Goal, u8)>);

impl Closer {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a run comes as close to all of them.
    pub fn is_in(&self, seen: &Seen) -> bool {
        self.0.iter().all(|(goal, step)| seen.least.get(goal).is_some_and(|least| least <= step))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Goal {
    /// A site, and from which side an error there is neared.
    Error(SiteId, bool),
    /// A branch, by the number of its block, and the side that is to be taken.
    Side(usize, bool),
}

/// What is looked for, and how close runs have come to it.
#[derive(Debug, Default)]
pub(super) struct Goals {
    open: Vec<bool>,
    best: FxHashMap<Goal, Closest>,
    /// Of each block whether runs have taken the sides of its branch: where the condition is false, where it holds.
    taken: Vec<[bool; 2]>,
    /// The cases of `best`, in order.
    cases: [Vec<usize>; 2],
}

/// The closest that runs have come.
#[derive(Clone, Copy, Debug)]
struct Closest {
    step: u8,
    /// The kept case of that run.
    case: usize,
}

impl Goals {
    /// These sites of the program, and the sides of all its branches.
    pub fn new(sites: &BTreeSet<SiteId>, prepared: &Prepared<'_>) -> Goals {
        let mut open = vec![false; sites.last().map_or(0, |last| last.index() + 1)];
        for site in sites {
            open[site.index()] = true;
        }
        Goals { open, taken: vec![[false; 2]; prepared.blocks()], ..Goals::default() }
    }

    /// Looks no longer for an error there.
    pub fn found(&mut self, site: SiteId) {
        if let Some(open) = self.open.get_mut(site.index()) {
            *open = false;
        }
        let goals = self.best.len();
        self.best.retain(|goal, _| !matches!(goal, Goal::Error(at, _) if *at == site));
        if self.best.len() < goals {
            self.list_cases();
        }
    }

    fn is_open(&self, site: SiteId) -> bool {
        self.open.get(site.index()).copied().unwrap_or(false)
    }

    /// How a run comes close to them.
    pub fn watch(&self) -> Progress<'_> {
        Progress { goals: Some(self), seen: Seen::default(), looked: vec![0; self.taken.len()] }
    }

    /// The goals to which a run came closer than any before, and how close.
    pub fn closer(&self, seen: &Seen) -> Closer {
        let is_closer = |(goal, step): &(&Goal, &u8)| {
            let is_taken = matches!(goal, Goal::Side(branch, side) if self.taken[*branch][usize::from(*side)]);
            !is_taken && self.best.get(goal).is_none_or(|best| **step < best.step)
        };
        Closer(seen.least.iter().filter(is_closer).map(|(goal, step)| (*goal, *step)).collect())
    }

    /// Takes what a run has shown, which will be the case of this number; whether it is closer than any other.
    pub fn add(&mut self, seen: Seen, case: usize) -> bool {
        let (mut closer, mut taken) = (false, false);
        for side in seen.taken {
            taken |= self.best.remove(&Goal::Side(side.0, side.1)).is_some();
            self.taken[side.0][usize::from(side.1)] = true;
        }
        for (goal, step) in seen.least {
            if matches!(goal, Goal::Side(branch, side) if self.taken[branch][usize::from(side)]) {
                continue;
            }
            let best = self.best.entry(goal).or_insert(Closest { step: u8::MAX, case });
            if step < best.step {
                *best = Closest { step, case };
                closer = true;
            }
        }
        if closer || taken {
            self.list_cases();
        }
        closer
    }

    /// The cases that came closest to one goal each: those that came closest to errors, and those that came closest to sides of branches.
    pub fn cases(&self) -> &[Vec<usize>; 2] {
        &self.cases
    }

    /// Brings `cases` up to date: runs that are no closer leave it as it is.
    fn list_cases(&mut self) {
        let mut cases = [BTreeSet::new(), BTreeSet::new()];
        for (goal, closest) in &self.best {
            cases[usize::from(matches!(goal, Goal::Side(..)))].insert(closest.case);
        }
        self.cases = cases.map(|cases| cases.into_iter().collect());
    }
}

impl Progress<'_> {
    /// What was seen.
    pub fn into_seen(self) -> Seen {
        self.seen
    }

    fn note(&mut self, site: SiteId, side: bool, left: i128) {
        self.near(Goal::Error(site, side), left);
    }

    fn near(&mut self, goal: Goal, left: i128) {
        let step = step(left);
        let least = self.seen.least.entry(goal).or_insert(u8::MAX);
        *least = (*least).min(step);
    }
}

/// Steps of what is left: two for each power of two.
fn step(left: i128) -> u8 {
    let left = left.unsigned_abs();
    match left {
        0..4 => left as u8,
        _ => {
            let power = 127 - left.leading_zeros() as u8;
            let half = (left >> (power - 1)) as u8 & 1;
            2 * power + half
        }
    }
}

/// How far the numbers that a condition compares are from comparing otherwise; None where it is not to be told.
fn distance<'p>(cond: &'p Expr, machine: &mut Machine<'p>) -> Option<i128> {
    let mut number = |e: &'p Expr| machine.peek(e).and_then(Value::as_int);
    match &cond.kind {
        ExprKind::Cast(inner) => distance(inner, machine),
        ExprKind::Binary(op, a, b) if op.is_comparison() => {
            let (a, b) = (number(a)?, number(b)?);
            a.checked_sub(b)?.checked_abs().map(|left| left.max(1))
        }
        _ => number(cond)?.checked_abs().map(|left| left.max(1)),
    }
}

impl Observer for Progress<'_> {
    #[inline]
    fn before_terminator<'p>(&mut self, terminator: &'p Terminator, machine: &mut Machine<'p>) {
        let (Terminator::Branch { cond, .. }, Some(goals)) = (terminator, self.goals) else { return };
        let branch = machine.block_number();
        let taken = goals.taken[branch];
        let looked = &mut self.looked[branch];
        if taken == [true; 2] || *looked == OF_A_BRANCH {
            return;
        }
        *looked += 1;
        let is_open = |side: bool| !taken[usize::from(side)];
        let Some(value) = machine.peek(cond) else { return };
        let side = value.as_int().is_some_and(|value| value != 0);
        if is_open(side) {
            self.seen.taken.insert((branch, side));
        }
        if is_open(!side)
            && let Some(left) = distance(cond, machine)
        {
            self.near(Goal::Side(branch, !side), left);
        }
    }

    #[inline]
    fn before_statement<'p>(&mut self, stmt: &'p Stmt, machine: &mut Machine<'p>) {
        let (StmtKind::Check(check), Some(goals)) = (&stmt.kind, self.goals) else { return };
        if !check.sites().any(|site| goals.is_open(site)) {
            return;
        }
        let mut number = |e: &'p crate::ir::Expr| machine.peek(e).and_then(Value::as_int);
        match &**check {
            Check::Access { ptr, size, bounds, .. } if goals.is_open(*bounds) => {
                let (Some(pointer), Some(size)) = (machine.peek(ptr), machine.peek(size).and_then(Value::as_int))
                else {
                    return;
                };
                if let Pointer::Object { slot, live: true, offset } = machine.pointer(pointer) {
                    let end = i128::from(machine.view(slot).size);
                    self.note(*bounds, true, end - offset - size);
                    self.note(*bounds, false, offset);
                }
            }
            Check::Terminated { ptr, bounds, .. } if goals.is_open(*bounds) => {
                let Some(pointer) = machine.peek(ptr) else { return };
                if let Pointer::Object { slot, live: true, offset } = machine.pointer(pointer) {
                    self.note(*bounds, true, i128::from(machine.view(slot).size) - offset);
                }
            }
            Check::NonZero { site, divisor } => {
                if let Some(divisor) = number(divisor) {
                    self.note(*site, true, divisor);
                }
            }
            Check::NoOverflow { site, op, lhs, rhs, ty } => {
                let (Some(a), Some(b)) = (number(lhs), number(rhs)) else { return };
                let result = match op {
                    BinaryOp::Add => a + b,
                    BinaryOp::Sub => a - b,
                    BinaryOp::Mul => a.saturating_mul(b),
                    _ => return,
                };
                let Some(kind) = machine.program().types.as_int(*ty) else { return };
                let (low, high) = machine.program().types.int_range(kind);
                self.note(*site, true, (high - result).max(0));
                self.note(*site, false, (result - low).max(0));
            }
            Check::ShiftCount { site, count, width } => {
                if let Some(count) = number(count) {
                    self.note(*site, true, (i128::from(*width) - count).max(0));
                    self.note(*site, false, count.max(0));
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::step;

    #[test]
    fn steps_grow_with_what_is_left() {
        let steps: Vec<u8> = (0..1000).map(step).collect();
        assert!(steps.is_sorted());
        assert_eq!([step(0), step(1), step(3), step(4), step(6), step(8)], [0, 1, 3, 4, 5, 6]);
    }
}
