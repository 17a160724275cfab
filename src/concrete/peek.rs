//! What observers may ask of a machine that is about to do something: values, places and judgements, without consequences.

use super::machine::{Machine, Target};
use super::object::Raw;
use super::prepare::Home;
use super::value::{ObjectId, Value};
use crate::base::Idx;
use crate::ir::{Check, Expr, Place, SiteId, VarId};

/// Where a scalar or aggregate lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// A variable that nothing points to, by its number among those of all active functions.
    Register(usize),
    /// Bytes of an object.
    Memory { object: ObjectId, at: u64 },
}

impl<'p> Machine<'p> {
    /// The value of a scalar expression; None where evaluation does not end well.
    pub fn peek(&mut self, expr: &'p Expr) -> Option<Value> {
        let flags = self.flags;
        let value = self.eval(expr).ok();
        self.flags = flags;
        value
    }
    /// The place's first byte; None where it lies in no live object.
    pub fn locate(&mut self, place: &'p Place) -> Option<Spot> {
        let flags = self.flags;
        let resolved = self.resolve_place(place).ok();
        self.flags = flags;
        Some(self.spot(resolved?.target))
    }
    /// The site that fails, if one does; None where judging does not end well.
    pub fn peek_check(&mut self, check: &'p Check) -> Option<Option<SiteId>> {
        let flags = self.flags;
        let failure = self.judge(check).ok();
        self.flags = flags;
        match failure? {
            None => Some(None),
            Some(site) => site.map(Some),
        }
    }
    /// The scalar at a place.
    pub fn peek_place(&mut self, place: &'p Place) -> Option<Value> {
        let flags = self.flags;
        let value = self.load_place(place).ok();
        self.flags = flags;
        value
    }
    /// Where a variable of the current function, or a static one, lies.
    pub fn spot_of(&self, var: VarId) -> Spot {
        match self.prepared.home(var) {
            Home::Register(r) => Spot::Register(self.frame().registers + r as usize),
            Home::Frame(i) => self.spot(Target::Memory { slot: self.locals[self.frame().locals + i as usize], at: 0 }),
            Home::Static(slot) => self.spot(Target::Memory { slot, at: 0 }),
        }
    }
    /// The least number of a register of the current function; those above are its own.
    pub fn first_register(&self) -> usize {
        self.frame().registers
    }
    /// The number, among those of all functions, of the block that control is in.
    #[inline]
    pub fn block_number(&self) -> usize {
        let frame = self.frame();
        self.prepared.first_block(frame.function) + frame.block.index()
    }
    /// The identity of the object now in a slot.
    pub fn object_id(&self, slot: u32) -> ObjectId {
        self.memory.id(slot)
    }
    /// The number that `size` bytes of an object hold, unsigned; None when some are not determinate numbers.
    pub fn raw_number(&self, slot: u32, at: u64, size: u8) -> Option<u128> {
        let object = self.memory.object(slot);
        if at.checked_add(u64::from(size))? > object.size {
            return None;
        }
        match object.load(usize::try_from(at).ok()?, usize::from(size)) {
            Raw::Number(bits, origin) if origin.is_none() => Some(bits),
            _ => None,
        }
    }

    fn spot(&self, target: Target) -> Spot {
        match target {
            Target::Register(r) => Spot::Register(r),
            Target::Memory { slot, at } => Spot::Memory { object: self.memory.id(slot), at: at as u64 },
        }
    }
}
