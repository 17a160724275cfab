//! Open sites as goals: how close runs have come to an error there.
//!
//! See: Lemieux, Padhye, Sen, Song, "PerfFuzz", Sect. 3 (inputs are kept that are the best for one goal); libFuzzer's value profile. Closeness is
//! what is left until the check fails: bytes up to an object's end, a divisor, the distance of a result from its type's limits.

use crate::base::Idx;
use crate::concrete::{Machine, Observer, Pointer, Value};
use crate::ir::{BinaryOp, Check, SiteId, Stmt, StmtKind};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// How close one run has come: by goal, the least step.
#[derive(Debug, Default)]
pub(super) struct Progress<'a> {
    goals: Option<&'a Goals>,
    least: FxHashMap<Goal, u8>,
}

/// A site, and from which side an error there is neared.
type Goal = (SiteId, bool);

/// What is looked for, and how close runs have come to it.
#[derive(Debug, Default)]
pub(super) struct Goals {
    open: Vec<bool>,
    best: FxHashMap<Goal, Closest>,
}

/// The closest that runs have come.
#[derive(Clone, Copy, Debug)]
struct Closest {
    step: u8,
    /// The kept case of that run.
    case: usize,
}

impl Goals {
    /// These sites.
    pub fn new(sites: &BTreeSet<SiteId>) -> Goals {
        let mut open = vec![false; sites.last().map_or(0, |last| last.index() + 1)];
        for site in sites {
            open[site.index()] = true;
        }
        Goals { open, best: FxHashMap::default() }
    }

    /// Looks no longer for an error there.
    pub fn found(&mut self, site: SiteId) {
        if let Some(open) = self.open.get_mut(site.index()) {
            *open = false;
        }
        self.best.retain(|goal, _| goal.0 != site);
    }

    fn is_open(&self, site: SiteId) -> bool {
        self.open.get(site.index()).copied().unwrap_or(false)
    }

    /// How a run comes close to them.
    pub fn watch(&self) -> Progress<'_> {
        Progress { goals: Some(self), least: FxHashMap::default() }
    }

    /// Takes what a run has shown, which will be the case of this number; whether it is closer than any other.
    pub fn add(&mut self, least: FxHashMap<Goal, u8>, case: usize) -> bool {
        let mut closer = false;
        for (goal, step) in least {
            let best = self.best.entry(goal).or_insert(Closest { step: u8::MAX, case });
            if step < best.step {
                *best = Closest { step, case };
                closer = true;
            }
        }
        closer
    }

    /// The cases that came closest to one goal each, in the order of goals.
    pub fn cases(&self) -> Vec<usize> {
        let cases: BTreeSet<usize> = self.best.values().map(|closest| closest.case).collect();
        cases.into_iter().collect()
    }
}

impl Progress<'_> {
    /// What was seen.
    pub fn into_least(self) -> FxHashMap<Goal, u8> {
        self.least
    }

    fn note(&mut self, site: SiteId, side: bool, left: i128) {
        let step = step(left);
        let least = self.least.entry((site, side)).or_insert(u8::MAX);
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

impl Observer for Progress<'_> {
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
