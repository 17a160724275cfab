//! Which numbers a program compares with each other: candidates for bounds that nobody has stated yet.
//!
//! `n` and `capacity` start as 0 both: two numbers, of which no comparison is kept. When a loop has gone round once, what both states say of the
//! two by their ranges, `n <= capacity`, is what has to be said before the ranges grow; and `n <= capacity - 1` where `n` is compared with
//! `capacity - 1`.

use super::super::bases::Bases;
use super::super::state::State;
use super::terms::Term;
use crate::domains::Multiple;
use std::collections::BTreeSet;
use std::sync::Mutex;

/// So many candidates are remembered.
const MOST: usize = 256;

/// Pairs of numbers, either first, and how far the first may be above the second.
#[derive(Debug, Default)]
pub struct Compared(Mutex<BTreeSet<(Term, Term, i128)>>);

impl Compared {
    /// `a` is compared with `b` and so much more.
    pub fn note(&self, a: Term, b: Term, more: i128) {
        let mut all = self.0.lock().expect("no holder panics");
        if a != b && all.len() < MOST {
            let less = more.checked_neg().unwrap_or(0);
            all.extend([(a, b, 0), (b, a, 0), (a, b, more), (b, a, less)]);
        }
    }
    /// All candidates, in order.
    fn all(&self) -> Vec<(Term, Term, i128)> {
        self.0.lock().expect("no holder panics").iter().copied().collect()
    }
}

impl State {
    /// Of numbers that are compared, notes that one is not above the other, or what it is compared with, where all of the `ways` that were
    /// joined to this state say so.
    pub fn relate(&mut self, bases: &Bases, ways: [&State; 2]) {
        for (a, b, bound) in bases.compared.all() {
            let (a, b) = (Multiple::one(a), Multiple::one(b));
            if ways.iter().all(|way| way.difference(bases, a, b).is_some_and(|most| most <= bound)) {
                self.note_bound(a, b, bound);
            }
        }
    }
}
