//! Pointers that lead to what lives on every way, where the objects do not show it any more: a block is freed on one way, and there the
//! pointer gets another one, or NULL.
//!
//! `free(p); p = 0;` on one way and nothing on the other make a block that has ended perhaps, and a pointer that leads there perhaps; that
//! it does so only where the block lives is a fact about the pointer ([`super::paths`]), which ends when the pointer is written or something
//! is freed that it may lead to.

use super::bases::{Base, Bases};
use super::cells::Cell;
use super::extent::Extent;
use super::paths::{At, Content, Node};
use super::shape::{Kind, Shape};
use super::state::State;
use super::texts::{Holder, Implied};
use crate::domains::{BaseId, Pointers, Value};

/// So many cells of one object are looked at, at most.
const CELLS: usize = 32;

impl State {
    /// What the objects say of the pointer in a cell.
    pub(super) fn implied_path(&self, bases: &Bases, cell: Holder) -> Implied<Node> {
        let Some(object) = self.known(bases, cell.base).filter(|_| cell.size > 0) else { return Implied::Nothing };
        self.implied_node(bases, &object.read(cell.at, Shape { size: cell.size, kind: Kind::Unsigned }))
    }

    /// What the objects say of a pointer with these values.
    pub fn implied_node(&self, bases: &Bases, value: &Value) -> Implied<Node> {
        let mut known = self.implied_around(bases, value);
        if let (Implied::Known(node), &[(base, offset)]) = (&mut known, value.pointers.targets())
            && let (Some(object), Some(at)) = (self.object(bases, base), offset.as_constant())
        {
            let cells = object.cells().filter_map(|(o, c)| Some((o.checked_sub(i64::try_from(at).ok()?)?, c)));
            let here = |offset| At { index: None, offset };
            cells.for_each(|(o, c)| node.set(here(o), Content::new(c.shape, bases.unnamed(&c.value), None)));
        }
        known
    }

    /// The same without what the object holds.
    fn implied_around(&self, bases: &Bases, value: &Value) -> Implied<Node> {
        let targets = value.pointers.targets();
        if value.pointers.is_any() {
            return Implied::Nothing;
        }
        if targets.is_empty() {
            return Implied::All;
        }
        let Some(extent) = Extent::of_targets(bases, targets) else { return Implied::Nothing };
        let mut node = Node::new(extent);
        node.lives = true;
        let mut window = (i64::MIN, i64::MAX);
        for &(base, offset) in targets {
            let Some(object) = self.object(bases, base) else { return Implied::Nothing };
            node.lives &= !object.life.may_be_dead;
            let ends = offset.lo().checked_neg().zip(object.size.lo().checked_sub(offset.hi()));
            let ends =
                ends.and_then(|(lo, hi)| i64::try_from(lo).ok().zip(i64::try_from(hi.min(i64::MAX.into())).ok()));
            window = ends.map_or((0, 0), |(lo, hi)| (window.0.max(lo), window.1.min(hi)));
        }
        node.extend(window);
        Implied::Known(node)
    }

    /// What is known of a pointer with these values where the objects that it leads to are called by other names: what they show, and
    /// what is `noted` of it.
    pub(super) fn known_around(&self, bases: &Bases, value: &Value, noted: Option<&Node>) -> Option<Node> {
        match (self.implied_around(bases, value), noted) {
            (Implied::Known(shown), Some(noted)) => Some(noted.clone().and(&shown)),
            (Implied::Known(shown), None) => Some(shown),
            (_, noted) => noted.cloned(),
        }
    }

    /// The same of pointers in an object that `which` chooses.
    pub(super) fn pointers_known(
        &self,
        bases: &Bases,
        base: BaseId,
        which: impl Fn(&Pointers) -> bool,
    ) -> Vec<(Holder, Node)> {
        let Some(object) = self.own_object(base) else { return Vec::new() };
        let pointers = object.cells().filter(|(_, c)| which(&c.value.pointers)).take(CELLS);
        let known = |(at, c): (i64, &Cell)| {
            let cell = Holder::of(base, at, c.shape).filter(|cell| !cell.signed)?;
            let noted = self.paths().root(cell).map(|node| &**node);
            Some((cell, self.known_around(bases, &c.value, noted)?))
        };
        pointers.filter_map(known).collect()
    }

    /// Notes what is known of the pointers to a block that is about to get the name of all older ones.
    pub(super) fn note_pointers_to(&mut self, bases: &Bases, block: BaseId) {
        let mut holders: Vec<BaseId> = Vec::new();
        self.each(|base, o| holders.extend((o.leads_to(block) && is_single(bases, base)).then_some(base)));
        for base in holders {
            for (cell, node) in self.pointers_known(bases, base, |pointers| pointers.offset(block).is_some()) {
                self.paths_mut().note(cell, node);
            }
        }
    }

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
