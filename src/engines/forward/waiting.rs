//! The states that wait in front of a block until its turn comes.

use super::bases::Bases;
use super::state::State;

/// How many states wait apart; further ones are joined.
const APART: usize = 4;

/// States in front of a block.
#[derive(Clone, Debug, Default)]
pub struct Waiting(Vec<State>);

impl Waiting {
    /// Adds a state to what waits, as one with it.
    pub fn join(&mut self, state: State, bases: &Bases) {
        match self.0.pop() {
            None => self.0.push(state),
            Some(old) => self.0.push(old.join(&state, bases)),
        }
    }
    /// Adds a state beside those that wait, where there is room and they do not say the same.
    pub fn stand_apart(&mut self, state: State, bases: &Bases) {
        if self.0.iter().any(|old| state.leq(old, bases)) {
            return;
        }
        self.0.retain(|old| !old.leq(&state, bases));
        if self.0.len() < APART { self.0.push(state) } else { self.join(state, bases) }
    }
    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    /// All that waits as one state.
    pub fn take(&mut self, bases: &Bases) -> Option<State> {
        std::mem::take(&mut self.0).into_iter().reduce(|a, b| a.join(&b, bases))
    }
    /// All that waits, one by one.
    pub fn take_each(&mut self) -> Vec<State> {
        std::mem::take(&mut self.0)
    }
}
