//! A few cell states together: what lower joins would lose is kept apart while there is room.
//!
//! See: Milanese, Miné, "Under-approximating Memory Abstractions", Sect. 2.5: case (5e) chooses one of two arguments; here both
//! stay as long as they are few.

use super::cell::CellState;

/// States that are kept apart.
const MOST: usize = 8;

/// The union of cell states; none of them is in another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CellStates {
    parts: Vec<CellState>,
}

impl CellStates {
    /// No state.
    pub fn none() -> CellStates {
        CellStates::default()
    }
    /// Every state.
    pub fn all() -> CellStates {
        CellStates { parts: vec![CellState::default()] }
    }
    /// The states of these parts, or fewer.
    pub fn of(parts: impl IntoIterator<Item = CellState>) -> CellStates {
        let mut all = CellStates::none();
        parts.into_iter().for_each(|part| all.add(part));
        all
    }
    /// Whether there is no state.
    pub fn is_none(&self) -> bool {
        self.parts.is_empty()
    }
    /// The parts.
    pub fn parts(&self) -> &[CellState] {
        &self.parts
    }

    /// Joins a state: as a part of its own, or with a part where the lower join loses nothing of either. What finds no room
    /// is left out.
    pub fn add(&mut self, mut state: CellState) {
        state.simplify();
        loop {
            if self.parts.iter().any(|p| state.leq(p)) {
                return;
            }
            self.parts.retain(|p| !p.leq(&state));
            let merged = self.parts.iter().enumerate().find_map(|(i, p)| {
                let joined = p.lower_join(&state);
                (p.leq(&joined) && state.leq(&joined)).then_some((i, joined))
            });
            match merged {
                Some((i, mut joined)) => {
                    self.parts.remove(i);
                    joined.simplify();
                    state = joined;
                }
                None => break,
            }
        }
        if self.parts.len() < MOST {
            self.parts.push(state);
        }
    }
    /// States inside of the union.
    pub fn lower_join(&mut self, other: CellStates) {
        other.parts.into_iter().for_each(|part| self.add(part));
    }
    /// States inside of the intersection.
    pub fn lower_meet(&self, other: &CellStates) -> CellStates {
        let pairs = self.parts.iter().flat_map(|a| other.parts.iter().filter_map(|b| a.lower_meet(b)));
        CellStates::of(pairs)
    }
    /// States inside of the intersection, such that chains end: what is in no part of `next` goes, part by part.
    pub fn lower_widen(&self, next: &CellStates, thresholds: &[i128]) -> CellStates {
        let kept = self.parts.iter().filter_map(|a| {
            if next.parts.iter().any(|b| a.leq(b)) {
                return Some(a.clone());
            }
            next.parts.iter().find_map(|b| a.lower_widen(b, thresholds))
        });
        CellStates::of(kept)
    }
    /// Inclusion, part by part; false where that cannot be told.
    pub fn leq(&self, other: &CellStates) -> bool {
        self.parts.iter().all(|a| other.parts.iter().any(|b| a.leq(b)))
    }
    /// The states that `before` finds for each part.
    pub fn map(&self, mut before: impl FnMut(&CellState) -> Option<CellState>) -> CellStates {
        CellStates::of(self.parts.iter().filter_map(&mut before))
    }
}
