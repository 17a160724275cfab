//! All objects of a run, their virtual addresses and what a pointer value points to.

use super::cow::Pages;
use super::object::{Fill, Life, Object, ObjectKind};
use super::value::{ObjectId, Origin, Value};
use crate::ir::{AllocKind, DataModel, FuncId};

/// Bytes that one object is taken to cost besides its content.
const OBJECT_COST: u64 = 128;

/// The objects of a run.
#[derive(Clone, Debug)]
pub struct Memory {
    pub(super) objects: Pages<Object>,
    /// Slots of ended automatic variables, to be used again.
    free: Vec<u32>,
    next_address: u64,
    last_address: u64,
    /// Whether addresses are given from the last one on.
    downward: bool,
    pointer_size: u8,
    /// Bytes in use.
    used: u64,
    /// Bytes that may be used.
    pub(super) limit: u64,
}

/// Why memory could not be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shortage {
    /// The limit of the run.
    Limit,
    /// No virtual addresses are left.
    Addresses,
}

/// What a pointer value points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pointee {
    Null,
    /// A number that is no object's address.
    Invalid,
    Indeterminate,
    /// A function, plus bytes (its labels lie behind it).
    Function(FuncId, i128),
    /// An object, live or dead, plus bytes (maybe outside).
    Object {
        slot: u32,
        offset: i128,
    },
    /// A variable whose slot is in use again.
    Gone,
}

impl Memory {
    /// No objects.
    pub fn new(model: DataModel) -> Memory {
        let (pointer_size, last_address) = match model {
            DataModel::Lp64 => (8, 1 << 47),
            DataModel::Ilp32 => (4, 0xffff_0000),
        };
        Memory {
            objects: Pages::default(),
            free: Vec::new(),
            next_address: 0x1_0000,
            last_address,
            downward: false,
            pointer_size,
            used: 0,
            limit: u64::MAX,
        }
    }
    /// Copies of it share the objects and their contents from now on, until they write them; bytes that it had to itself before.
    pub(super) fn share(&mut self) -> u64 {
        self.objects.share(Object::share)
    }
    /// Gives the highest addresses first from now on.
    pub(super) fn give_downward(&mut self) {
        self.downward = true;
    }
    /// Bytes of objects.
    pub(super) fn used(&self) -> u64 {
        self.used
    }
    /// Makes an object. `recycle`: its slot may have been another automatic variable's.
    pub fn create(&mut self, kind: ObjectKind, size: u64, fill: Fill, recycle: bool) -> Result<u32, Shortage> {
        if recycle && let Some(slot) = self.free.pop() {
            self.objects[slot as usize].renew(kind, size, fill);
            return Ok(slot);
        }
        self.take(OBJECT_COST)?;
        let slot = u32::try_from(self.objects.len()).map_err(|_| Shortage::Limit)?;
        self.objects.push(Object::new(kind, size, fill));
        Ok(slot)
    }
    /// Ends an automatic variable's life; its slot may be used again.
    pub fn recycle(&mut self, slot: u32) {
        let object = &mut self.objects[slot as usize];
        // Small buffers are kept for the next variable.
        if object.committed() > 256 {
            self.used -= object.committed() as u64;
            object.die();
        } else {
            self.used -= object.committed() as u64;
            object.life = Life::Dead;
            object.forget();
        }
        self.free.push(slot);
    }
    /// Ends an allocated object's life.
    pub fn kill(&mut self, slot: u32) {
        let object = &mut self.objects[slot as usize];
        self.used -= object.committed() as u64;
        object.die();
    }
    /// A variable's bytes are indeterminate from now on. A dead one becomes a new object; one that is still alive is
    /// the same: control jumped back to its declaration within its block (C11 6.2.4p6).
    pub fn revive(&mut self, slot: u32) {
        let object = &mut self.objects[slot as usize];
        self.used -= object.committed() as u64;
        if object.life == Life::Live {
            object.forget();
            return;
        }
        let (kind, size, constant) = (object.kind.clone(), object.size, object.constant.clone());
        object.renew(kind, size, Fill::Indeterminate);
        object.constant = constant;
    }
    fn take(&mut self, bytes: u64) -> Result<(), Shortage> {
        self.used += bytes;
        if self.used > self.limit { Err(Shortage::Limit) } else { Ok(()) }
    }
    /// Makes room for the bytes up to `end` of an object that is about to be written.
    #[inline]
    pub fn reserve(&mut self, slot: u32, end: usize) -> Result<(), Shortage> {
        let growth = self.objects[slot as usize].growth(end);
        if growth > 0 {
            self.take(growth as u64)?;
        }
        Ok(())
    }
    /// The object in a slot.
    #[inline]
    pub fn object(&self, slot: u32) -> &Object {
        &self.objects[slot as usize]
    }
    /// The identity of the object now in a slot.
    #[inline]
    pub fn id(&self, slot: u32) -> ObjectId {
        ObjectId { slot, generation: self.objects[slot as usize].generation }
    }
    /// Its first byte's virtual address: a multiple of 16, apart from all others by at least 16 bytes.
    pub fn address(&mut self, slot: u32) -> Result<u64, Shortage> {
        let object = &mut self.objects[slot as usize];
        if object.address == 0 && self.downward {
            let room = object.size.checked_add(32).ok_or(Shortage::Addresses)?;
            let start = self.last_address.checked_sub(room).ok_or(Shortage::Addresses)? & !15;
            if start < self.next_address {
                return Err(Shortage::Addresses);
            }
            object.address = start;
            self.last_address = start;
        } else if object.address == 0 {
            let start = self.next_address;
            let end = start.checked_add(object.size).ok_or(Shortage::Addresses)?;
            if end > self.last_address {
                return Err(Shortage::Addresses);
            }
            object.address = start;
            self.next_address = ((end + 15) & !15) + 16;
        }
        Ok(object.address)
    }
    /// A pointer to byte `offset` of the object now in `slot`.
    pub fn pointer(&mut self, slot: u32, offset: i128) -> Result<Value, Shortage> {
        let address = i128::from(self.address(slot)?) + offset;
        let address = if self.pointer_size == 8 { i128::from(address as u64) } else { i128::from(address as u32) };
        Ok(Value::Int(address, Origin { object: self.id(slot), first: 0, len: self.pointer_size }))
    }
    /// Whether an origin is that of a whole pointer.
    #[inline]
    pub fn is_pointer(&self, origin: Origin) -> bool {
        origin.len == self.pointer_size && origin.first == 0
    }
    /// What a value read as a pointer points to.
    pub fn resolve(&self, pointer: Value) -> Pointee {
        let Value::Int(address, origin) = pointer else { return Pointee::Indeterminate };
        if !self.is_pointer(origin) {
            return if address == 0 { Pointee::Null } else { Pointee::Invalid };
        }
        let object = &self.objects[origin.object.slot as usize];
        if object.generation != origin.object.generation {
            return Pointee::Gone;
        }
        let mut offset = address - i128::from(object.address);
        // Addresses below the object's are kept as the wrapped number.
        if self.pointer_size == 8 {
            offset = i128::from(offset as i64);
        } else {
            offset = i128::from(offset as i32);
        }
        match object.kind {
            ObjectKind::Function(f) => Pointee::Function(f, offset),
            _ => Pointee::Object { slot: origin.object.slot, offset },
        }
    }
    /// The object whose bytes (or whose end) have the virtual address, as a pointer value.
    pub fn find(&self, address: i128) -> Option<Value> {
        let at = |o: &Object| {
            o.address != 0 && (i128::from(o.address)..=i128::from(o.address) + i128::from(o.size)).contains(&address)
        };
        let slot = self.objects.iter().position(at)? as u32;
        Some(Value::Int(address, Origin { object: self.id(slot), first: 0, len: self.pointer_size }))
    }
    /// Whether some block of `malloc` and its kin lives.
    pub fn has_blocks(&self) -> bool {
        (0..self.objects.len() as u32)
            .any(|slot| self.is_freeable(slot) && self.objects[slot as usize].life == Life::Live)
    }
    /// Whether the object is a block of `malloc` and its kin, which handles of the library (`FILE`) are not, or may be one.
    pub fn is_freeable(&self, slot: u32) -> bool {
        self.is_block(slot) || matches!(self.objects[slot as usize].kind, ObjectKind::Given { .. })
    }
    /// Whether the program has allocated the object as a block of `malloc` and its kin.
    pub fn is_block(&self, slot: u32) -> bool {
        matches!(self.objects[slot as usize].kind, ObjectKind::Allocated(_, AllocKind::Heap))
    }
}
