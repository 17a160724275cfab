//! States through a loop-free piece of the automaton.

use super::automaton::NodeId;
use super::encoder::Encoder;
use super::state::State;
use std::collections::{BTreeMap, BTreeSet};

/// The states in which control comes out of a piece of the automaton.
#[derive(Clone, Debug, Default)]
pub struct Fragment {
    /// By the node at which control stops, before its statements.
    pub at: BTreeMap<NodeId, State>,
}

impl Encoder<'_, '_> {
    /// Runs from `state` before the statements of `start` until control comes to one of `stops` (also to `start`
    /// again), joining states where paths meet. Failures, gaps and inputs on the way are added to the encoder.
    ///
    /// # Errors
    /// The head of a loop inside that no stop cuts.
    pub fn fragment(&mut self, start: NodeId, state: State, stops: &BTreeSet<NodeId>) -> Result<Fragment, NodeId> {
        let automaton = self.automaton;
        let position = |n: NodeId| automaton.order.position(n);
        let mut inbox: BTreeMap<(u32, NodeId), State> = BTreeMap::new();
        let mut out = Fragment::default();
        inbox.insert((position(start), start), state);
        while let Some(((here, node), mut state)) = inbox.pop_first() {
            self.run_node(&mut state, node);
            if self.is_dead(&state) {
                continue;
            }
            for (edge, next) in self.leave_node(&state, node) {
                let to = automaton.nodes[node].edges[edge].to;
                if stops.contains(&to) {
                    self.arrive(&mut out.at, to, next);
                } else if position(to) <= here {
                    return Err(to);
                } else {
                    self.arrive(&mut inbox, (position(to), to), next);
                }
            }
        }
        Ok(out)
    }

    /// Joins `state` with what has come to `key` before.
    pub fn arrive<K: Ord>(&mut self, inbox: &mut BTreeMap<K, State>, key: K, state: State) {
        let joined = match inbox.remove(&key) {
            Some(other) => self.join(&other, &state),
            None => state,
        };
        inbox.insert(key, joined);
    }
}
