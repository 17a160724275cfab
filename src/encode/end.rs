//! Where the program ends: the blocks that are alive there.

use super::automaton::NodeId;
use super::encoder::Encoder;
use super::state::{ObjectId, State};
use super::value::{BASE_BITS, Value};
use crate::ir::Terminator;
use crate::smt::Term;

impl Encoder<'_, '_> {
    /// Notes what may be wrong with `state`, in which the program ends at `node`: nothing can be said of blocks that are not freed but
    /// what a run shows.
    pub(super) fn end(&mut self, state: &State, node: NodeId) {
        let path = self.path(state);
        let blocks: Vec<(ObjectId, Term)> =
            state.objects.iter().filter(|(_, o)| o.heap).map(|(id, o)| (*id, o.live)).collect();
        let alive: Vec<Term> = blocks.iter().map(|(_, live)| *live).collect();
        let some = self.pool.or(&alive);
        if self.is_false(some) {
            return;
        }
        for (id, live) in blocks {
            let unheld = self.is_unheld(state, node, id);
            let lost = self.pool.and(&[path, live, unheld]);
            if !self.is_false(lost) {
                self.may_be_lost.push(lost);
            }
        }
        let always = self.pool.bool(true);
        let mut end = state.clone();
        self.assume(&mut end, some);
        self.gap(&mut end, always, "a block may not be freed at the end");
    }

    /// When no scalar that is left at the end points to the object. What it is stored in besides is not looked at.
    fn is_unheld(&mut self, state: &State, node: NodeId, id: ObjectId) -> Term {
        let node = &self.automaton.nodes[node];
        let terminator = &self.program.functions[node.function].blocks[node.block].terminator;
        let frames_stay = matches!(terminator, Terminator::Exit(_));
        let number = self.pool.bv(BASE_BITS, u128::from(id.0));
        let mut all = Vec::new();
        for (cell, value) in state.scalars.iter() {
            let stays = frames_stay || self.program.variables[cell.variable].is_static();
            if let Value::Pointer { base, .. } = value
                && stays
            {
                all.push(self.pool.ne(*base, number));
            }
        }
        self.pool.and(&all)
    }
}
