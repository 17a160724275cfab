//! Pointers that lead to what lives on every way, where the objects do not show it any more: a block is freed on one way, and there the
//! pointer gets another one, or NULL.
//!
//! `free(p); p = 0;` on one way and nothing on the other make a block that has ended perhaps, and a pointer that leads there perhaps; that
//! it does so only where the block lives is a fact about the pointer ([`super::paths`]), which ends when the pointer is written or something
//! is freed that it may lead to.

use super::bases::{Base, Bases};
use super::paths::Node;
use super::state::State;
use super::texts::{Holder, Implied};
use crate::domains::BaseId;

/// So many cells of one object are looked at, at most.
const CELLS: usize = 32;

impl State {
    /// After two ways were joined to this state, which differ in what the objects of `changed` hold: notes of pointers there that they lead
    /// to what lives. `ends`: chains have to end, and those count alone of which the objects of the first way show it, which they never do again.
    pub(super) fn keep_alive(&mut self, bases: &Bases, (one, other): (&State, &State), changed: &[BaseId], ends: bool) {
        let shown = |cell| match one.implied_path(bases, cell) {
            Implied::Known(node) => node.lives,
            Implied::All => true,
            Implied::Nothing => false,
        };
        for &base in changed.iter().filter(|b| is_single(bases, **b)) {
            for cell in self.doubtful_pointers(bases, base).into_iter().filter(|cell| !ends || shown(*cell)) {
                let node = match (one.living(bases, cell), other.living(bases, cell)) {
                    (Implied::Known(a), Implied::Known(b)) => a.both_live(&b),
                    (Implied::Known(a), Implied::All) | (Implied::All, Implied::Known(a)) => a.both_live(&a),
                    _ => continue,
                };
                self.paths_mut().note(cell, node);
            }
        }
    }

    /// The pointers in an object that lead to what may have ended, by all that the state says.
    fn doubtful_pointers(&self, bases: &Bases, base: BaseId) -> Vec<Holder> {
        let Some(object) = self.own_object(base) else { return Vec::new() };
        let ended = |b: BaseId| self.object(bases, b).is_some_and(|o| o.life.may_live && o.life.may_be_dead);
        let leads_there = object.cells().take(CELLS).filter(|(_, c)| {
            let pointers = &c.value.pointers;
            !pointers.is_any() && pointers.targets().iter().any(|t| ended(t.0))
        });
        let cells = leads_there.filter_map(|(at, c)| Holder::of(base, at, c.shape).filter(|cell| !cell.signed));
        cells.filter(|cell| self.paths().root(*cell).is_none()).collect()
    }

    /// What is known of a pointer that leads to what lives.
    fn living(&self, bases: &Bases, cell: Holder) -> Implied<Node> {
        match self.implied_path(bases, cell) {
            Implied::Known(node) if !node.lives => {}
            Implied::Nothing => {}
            known => return known,
        }
        let known = self.paths().root(cell).filter(|node| node.lives);
        known.map_or(Implied::Nothing, |node| Implied::Known(Node::clone(node)))
    }

    /// Takes over that pointers lead to what lives which `after` says of those held in variables that `which` chooses, where the objects do
    /// not show it.
    pub(super) fn adopt_living(&mut self, bases: &Bases, after: &State, which: impl Fn(BaseId) -> bool) {
        let shown = |state: &State, cell| matches!(state.implied_path(bases, cell), Implied::Known(n) if n.lives);
        for (cell, node) in after.paths().roots().iter().filter(|(_, node)| node.lives) {
            let is_variable = cell.size > 0 && matches!(bases.get(cell.base), Base::Variable(_)) && which(cell.base);
            if is_variable && self.paths().root(*cell).is_none() && !shown(self, *cell) {
                self.paths_mut().note(*cell, node.both_live(node));
            }
        }
    }
}

/// Whether a base is one object of memory.
fn is_single(bases: &Bases, base: BaseId) -> bool {
    matches!(bases.get(base), Base::Variable(_) | Base::Heap { recent: true, .. })
}
