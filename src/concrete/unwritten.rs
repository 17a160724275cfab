//! Bytes that nothing was written to: each has one value, at the byte itself and in all of its copies (assumption D15).
//!
//! Runs for which such bytes are inputs ([`Limits::unwritten`](super::Limits::unwritten)) ask for a value when one is first read. Copies are often made before
//! anybody reads: then every byte gets a name, which its copies carry, and the first reader of any of them asks.

use super::input::{InputPlace, InputType, Unwritten};
use super::machine::{Machine, Resolved, Step, Target};
use super::object::{ObjectKind, Plain, Raw, Region};
use super::value::Value;
use crate::ir::{IntKind, Type, TypeId};
use rustc_hash::FxHashMap;

/// The names of bytes that were copied, and the values of those that were read.
#[derive(Clone, Debug)]
pub(super) struct Names {
    /// The first name of each object's bytes, ascending, and the object.
    objects: Vec<(u64, Unwritten)>,
    /// The next name; 0 is none.
    next: u64,
    values: FxHashMap<u64, u8>,
}

impl Default for Names {
    fn default() -> Names {
        Names { objects: Vec::new(), next: 1, values: FxHashMap::default() }
    }
}

impl Names {
    /// New names for an object's bytes: the first.
    fn take(&mut self, what: Unwritten, size: u64) -> u64 {
        let first = self.next;
        self.objects.push((first, what));
        self.next += size.max(1);
        first
    }
    /// The object of a byte, and its offset there.
    fn place(&self, name: u64) -> InputPlace {
        let at = self.objects.partition_point(|(first, _)| *first <= name);
        let (first, what) = self.objects[at.checked_sub(1).expect("names are taken for an object")];
        InputPlace::Unwritten(what, name - first)
    }
}

/// The object, if what nothing was written to in it can be an input.
fn origin(kind: &ObjectKind) -> Option<Unwritten> {
    match kind {
        ObjectKind::Variable(var, _) => Some(Unwritten::Variable(*var)),
        ObjectKind::Allocated(alloc, _) => Some(Unwritten::Block(*alloc)),
        _ => None,
    }
}

impl Machine<'_> {
    /// Bytes to be stored elsewhere.
    pub(super) fn copy_of(&mut self, slot: u32, at: usize, len: usize) -> Region {
        let mut region = self.memory.object(slot).region(at, len);
        if self.unwritten && region.has_nameless() {
            let first = self.first_name(slot).map(|first| first + at as u64);
            region.name_from(first);
        }
        region
    }

    /// The name of an object's first byte.
    fn first_name(&mut self, slot: u32) -> Option<u64> {
        let object = &mut self.memory.objects[slot as usize];
        if object.first_name == 0 {
            object.first_name = self.names.take(origin(&object.kind)?, object.size);
        }
        Some(object.first_name)
    }

    /// A number of whose bytes nothing was written to some becomes an input when it is first read; a pointer stays
    /// indeterminate, and so does what was made indeterminate by a store.
    pub(super) fn load_unwritten(&mut self, slot: u32, at: usize, place: Resolved) -> Step<Value> {
        let Some(input) = self.input_type(place.ty) else { return Ok(Value::Undef) };
        let size = self.prepared.scalar(place.ty).stored();
        let object = self.memory.object(slot);
        let bytes: Option<Vec<Plain>> = (at..at + size).map(|i| object.unwritten_or_number(i)).collect();
        let (Some(bytes), Some(what)) = (bytes, origin(&object.kind)) else { return Ok(Value::Undef) };
        if object.first_name == 0 && bytes.iter().all(|b| *b == Plain::Own) {
            let value = self.input_scalar(InputPlace::Unwritten(what, at as u64), input, None, None)?;
            self.store(place, value)?;
            return Ok(value);
        }
        let names = self.names_of(slot, at, &bytes);
        let reserved = self.memory.reserve(slot, at + size);
        self.granted(reserved)?;
        if let Some(first) = self.asked_at_once(&names) {
            let value = self.input_scalar(self.names.place(first), input, None, None)?;
            self.store(place, value)?;
            if let Raw::Number(number, _) = self.memory.object(slot).load(at, size) {
                self.names.values.extend((first..).zip(number.to_le_bytes()).take(size));
            }
            return Ok(value);
        }
        for (i, name) in names.into_iter().enumerate() {
            let byte = match name {
                Ok(number) => number,
                Err(name) => self.byte_called(name)?,
            };
            self.memory.objects[slot as usize].store_bytes(at + i, &[byte]);
        }
        self.load(place)
    }

    /// A scalar in a register that nothing was written to.
    pub(super) fn register_unwritten(&mut self, var: crate::ir::VarId, at: usize, ty: TypeId) -> Step<Value> {
        let Some(input) = self.input_type(ty) else { return Ok(Value::Undef) };
        let value = self.input_scalar(InputPlace::Unwritten(Unwritten::Variable(var), 0), input, None, None)?;
        self.store(Resolved { target: Target::Register(at), ty, bits: None }, value)?;
        Ok(value)
    }

    /// The type of an input of type `ty`; None for what is no number.
    pub(super) fn input_type(&self, ty: TypeId) -> Option<InputType> {
        match self.program.types.get(ty) {
            Type::Int(k) => Some(InputType::Int(*k)),
            Type::Float(k) => Some(InputType::Float(*k)),
            _ => None,
        }
    }

    /// The numbers of bytes, or names of those that have none.
    fn names_of(&mut self, slot: u32, at: usize, bytes: &[Plain]) -> Vec<Result<u8, u64>> {
        let mut names = Vec::with_capacity(bytes.len());
        for (i, byte) in bytes.iter().enumerate() {
            let name = match *byte {
                Plain::Number(number) => {
                    names.push(Ok(number));
                    continue;
                }
                Plain::Copy(name) => name,
                Plain::Own => self.first_name(slot).expect("objects without inputs are none here") + (at + i) as u64,
            };
            names.push(self.names.values.get(&name).copied().ok_or(name));
        }
        names
    }

    /// The first name, where none of the bytes has a value and they follow each other in one object.
    fn asked_at_once(&self, names: &[Result<u8, u64>]) -> Option<u64> {
        let first = names.first()?.err()?;
        let follow = names.iter().zip(first..).all(|(name, next)| *name == Err(next));
        let last = first + names.len() as u64 - 1;
        let (InputPlace::Unwritten(a, x), InputPlace::Unwritten(b, y)) =
            (self.names.place(first), self.names.place(last))
        else {
            return None;
        };
        (follow && a == b && y - x == last - first).then_some(first)
    }

    fn byte_called(&mut self, name: u64) -> Step<u8> {
        if let Some(known) = self.names.values.get(&name) {
            return Ok(*known);
        }
        let value = self.input_scalar(self.names.place(name), InputType::Int(IntKind::UChar), None, None)?;
        let byte = self.observe(value) as u8;
        self.names.values.insert(name, byte);
        Ok(byte)
    }
}
