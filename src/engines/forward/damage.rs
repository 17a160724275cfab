//! What becomes of objects that no state tells.

use super::bases::Bases;
use super::extent::Extent;
use super::object::Object;
use super::paths::Write;
use super::state::State;
use crate::domains::{BaseId, Int, Pointers, Value};
use std::sync::Arc;

/// What happened, since the function was entered, to objects that no one looks at one by one, those that are set aside
/// included.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Damage {
    /// Any bytes of these may have been overwritten,
    pub written: Extent,
    /// by pointers too,
    pub pointers: bool,
    /// and by indeterminate values.
    pub undefined: bool,
    /// Those among these that are blocks may have been freed.
    pub freed: Extent,
}

impl Damage {
    /// Whether anything happened.
    pub fn is_any(&self) -> bool {
        !self.written.is_none() || !self.freed.is_none()
    }
    pub fn join(&self, other: &Damage) -> Damage {
        Damage {
            written: self.written.join(&other.written),
            pointers: self.pointers || other.pointers,
            undefined: self.undefined || other.undefined,
            freed: self.freed.join(&other.freed),
        }
    }
    /// The bytes that may have been written.
    pub fn bytes(&self) -> Value {
        let pointers = if self.pointers { Pointers::any() } else { Pointers::none() };
        Value { int: Some(Int::range(0, 255)), float: None, pointers, undefined: self.undefined }
    }
}

impl State {
    /// Lets the damage come over those bases of the state that `which` chooses.
    pub(super) fn suffer(&mut self, bases: &Bases, damage: &Damage, which: &dyn Fn(BaseId) -> bool) {
        let bytes = damage.bytes();
        let mut changed: Vec<(BaseId, Arc<Object>)> = Vec::new();
        let ended = |b| bases.is_block(b) && damage.freed.has(bases, b);
        self.texts.retain(|b| !damage.written.has(bases, b) && !ended(b));
        self.forget_terms(|term| term.is_about(|b| damage.written.has(bases, b)));
        self.forget_told(bases, &damage.written, &damage.freed);
        self.each(|b, o| {
            let written = which(b) && !o.is_spoiled(&bytes) && damage.written.has(bases, b);
            let freed = which(b) && bases.is_block(b) && !o.life.may_be_dead && damage.freed.has(bases, b);
            if written || freed {
                let mut new = Object::clone(o);
                if written {
                    new.spoil(&bytes);
                }
                new.life.may_be_dead |= freed;
                changed.push((b, Arc::new(new)));
            }
        });
        for (b, o) in changed {
            self.set(b, o);
        }
    }
    /// Lets the damage that came in `other` come over this state, but for its bases that `which` leaves out.
    pub fn suffer_as(&mut self, bases: &Bases, other: &State, which: &dyn Fn(BaseId) -> bool) {
        if other.damage.is_any() {
            self.suffer(bases, &other.damage, which);
        }
    }
    /// The same over all of it, which passes it on. The objects that it changes, if it is more than had come so far.
    pub fn take_damage(&mut self, bases: &Bases, other: &State) -> Option<Vec<BaseId>> {
        if !other.damage.is_any() || self.damage.join(&other.damage) == self.damage {
            return None;
        }
        let before = self.clone();
        self.damage(bases, other.damage.clone());
        Some(before.differing(self))
    }
    fn damage(&mut self, bases: &Bases, damage: Damage) {
        self.suffer(bases, &damage, &|_| true);
        self.change_behind(bases, &damage.written, &damage.freed);
        self.damage = self.damage.join(&damage);
    }
    /// Anything that the program's functions could do, now and later: to every variable that is not a caller's own, to
    /// every block.
    pub fn spoil_program(&mut self, bases: &Bases) {
        self.spoil_extent(bases, Extent::Anything, Extent::Anything);
    }
    /// Anything may be written to the objects of `written`, and the blocks of `freed` may be freed.
    pub fn spoil_extent(&mut self, bases: &Bases, written: Extent, freed: Extent) {
        self.damage(bases, Damage { written, pointers: true, undefined: true, freed });
    }
    /// Any block of `freed` may be freed.
    pub fn may_free(&mut self, bases: &Bases, freed: Extent) {
        self.damage(bases, Damage { freed, ..Damage::default() });
    }
    /// Forgets what is said of pointers in the objects of `written`, of memory that they may be, and that those of `freed` live.
    pub fn change_behind(&mut self, bases: &Bases, written: &Extent, freed: &Extent) {
        self.paths_mut().retain(|cell| !written.has(bases, cell.base));
        self.forget_told(bases, written, freed);
        if !written.is_none() {
            self.paths_mut().write(&Write { hits: &|extent| extent.meets(written), sets: false }, None);
        }
        if !freed.is_none() {
            self.paths_mut().end(&|extent| extent.may_be_blocks() && extent.meets(freed));
        }
    }
}
