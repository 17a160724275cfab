//! The algorithm CPA++ and the operators that it is configured by.
//!
//! See: Beyer, Dangl, Wendler, "A Unifying View on SMT-Based Software Verification", Sect. 2.2, Algorithm 2. We differ in that
//! abstract states are kept by keys: only states of one key can be merged or cover each other, and the waitlist is
//! ordered by them.

use std::collections::BTreeMap;

/// A configurable program analysis.
pub trait Cpa {
    /// Abstract states, with their precision.
    type State;
    /// What states must have in common to be merged or to cover each other; smaller keys are expanded first.
    type Key: Ord + Clone;

    /// The key of a state.
    fn key(&self, state: &Self::State) -> Self::Key;
    /// The abstract successors (transfer relation).
    fn transfer(&mut self, state: Self::State) -> Vec<Self::State>;
    /// The state that replaces `old`, when `new` is merged into it; None to keep both (merge-sep).
    fn merge(&mut self, new: &Self::State, old: &Self::State) -> Option<Self::State>;
    /// Whether the states reached before cover `state`.
    fn stop(&mut self, state: &Self::State) -> bool;
    /// Whether to end now, with the waitlist not empty.
    fn abort(&mut self) -> bool;
}

/// How the exploration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Explored {
    /// Every reached state was expanded.
    Fixpoint,
    /// The analysis asked to stop.
    Aborted,
}

/// Expands states from `initial` on until none is left.
pub fn explore<C: Cpa>(cpa: &mut C, initial: Vec<C::State>) -> Explored {
    let mut waitlist: BTreeMap<C::Key, Vec<C::State>> = BTreeMap::new();
    for state in initial {
        add(cpa, &mut waitlist, state);
    }
    while let Some((key, mut states)) = waitlist.pop_first() {
        let Some(state) = states.pop() else { continue };
        if !states.is_empty() {
            waitlist.insert(key, states);
        }
        if cpa.abort() {
            return Explored::Aborted;
        }
        for successor in cpa.transfer(state) {
            add(cpa, &mut waitlist, successor);
        }
    }
    Explored::Fixpoint
}

/// Merges `state` with one that waits, or lets it wait unless it is covered.
fn add<C: Cpa>(cpa: &mut C, waitlist: &mut BTreeMap<C::Key, Vec<C::State>>, state: C::State) {
    let waiting = waitlist.entry(cpa.key(&state)).or_default();
    for old in waiting.iter_mut() {
        if let Some(merged) = cpa.merge(&state, old) {
            *old = merged;
            return;
        }
    }
    if !cpa.stop(&state) {
        waiting.push(state);
    }
}

#[cfg(test)]
mod tests {
    use super::{Cpa, Explored, explore};

    /// Numbers that count up to a limit, merged into the largest.
    struct Counting {
        expanded: Vec<u32>,
        limit: u32,
    }

    impl Cpa for Counting {
        type State = u32;
        type Key = u32;
        fn key(&self, state: &u32) -> u32 {
            state / 10
        }
        fn transfer(&mut self, state: u32) -> Vec<u32> {
            self.expanded.push(state);
            vec![state + 7, state + 9]
        }
        fn merge(&mut self, new: &u32, old: &u32) -> Option<u32> {
            Some(*new.max(old))
        }
        fn stop(&mut self, state: &u32) -> bool {
            *state > self.limit
        }
        fn abort(&mut self) -> bool {
            self.expanded.len() > 100
        }
    }

    #[test]
    fn states_are_merged_before_they_are_expanded_and_covered_ones_are_not() {
        let mut cpa = Counting { expanded: Vec::new(), limit: 40 };
        assert_eq!(explore(&mut cpa, vec![0]), Explored::Fixpoint);
        assert_eq!(cpa.expanded, [0, 9, 18, 27, 36]);
        let mut endless = Counting { expanded: Vec::new(), limit: u32::MAX - 1000 };
        assert_eq!(explore(&mut endless, vec![0]), Explored::Aborted);
    }
}
