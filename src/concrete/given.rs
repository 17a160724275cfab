//! What the caller of the entry function gives where a parameter is a pointer: an object of its own for each.
//!
//! An object of numbers holds bytes that are an input, as those of a file are, and zeros behind them; one of records or pointers holds what is not known,
//! so that a run ends where it is read before it is written. It has as many elements as another parameter says, where
//! [`Limits::extents`](super::Limits::extents) has one that counts them; else it is taken to be as large as the function needs, and a run ends, and
//! proves nothing, where it goes beyond. A caller may have allocated it, so that it may be freed. Assumption D19.

use super::input::{InputPlace, InputValue};
use super::machine::{Argument, Machine, Step};
use super::memory::Pointee;
use super::object::{Fill, ObjectKind};
use super::value::Value;
use crate::ir::entry::ROOM;
use crate::ir::{FuncId, Type, TypeId};

/// Bytes of its content that are chosen.
const CHOSEN: usize = 1 << 12;
/// The largest object that is made as large as its count says.
const LARGEST_COUNTED: i128 = 1 << 16;

/// What stands in an object that a caller gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    /// Elements of so many bytes.
    Numbers(u64),
    /// Records or pointers.
    Unknown,
}

impl Machine<'_> {
    /// The arguments of the entry function: numbers are inputs, pointers lead to objects of their own.
    pub(super) fn given_arguments(&mut self, entry: FuncId) -> Step<Vec<Argument>> {
        let program = self.program;
        let types: Vec<TypeId> = program.functions[entry].params.iter().map(|p| program.variables[*p].ty).collect();
        // Numbers first: some say how many elements there are.
        let mut values: Vec<Option<Value>> = Vec::new();
        for (i, ty) in types.iter().enumerate() {
            values.push(match self.input_type(*ty) {
                Some(ty) => Some(self.input_scalar(InputPlace::Parameter(entry, i as u32), ty, None, None)?),
                None => None,
            });
        }
        let mut arguments = Vec::new();
        for (i, ty) in types.iter().enumerate() {
            let value = match values[i] {
                Some(value) => value,
                None => self.given_pointer(entry, i, *ty, &values)?,
            };
            arguments.push(Argument::Scalar(value, *ty));
        }
        Ok(arguments)
    }

    /// What an object of elements of this type holds; None where no such object is given.
    fn content(&self, element: TypeId) -> Option<Content> {
        let types = &self.program.types;
        match types.get(element) {
            Type::Int(_) | Type::Float(_) => types.size_of(element).map(Content::Numbers),
            Type::Void => Some(Content::Numbers(1)),
            Type::Array(of, _) => self.content(*of),
            Type::Pointer(_) => Some(Content::Unknown),
            Type::Record(_) => types.size_of(element).map(|_| Content::Unknown),
            _ => None,
        }
    }

    /// A pointer for parameter number `i`, which is of type `ty`. `values`: those of the parameters that are numbers.
    fn given_pointer(&mut self, entry: FuncId, i: usize, ty: TypeId, values: &[Option<Value>]) -> Step<Value> {
        let program = self.program;
        let content = match program.types.get(ty) {
            Type::Pointer(to) => self.content(*to),
            _ => None,
        };
        let Some(content) = content else {
            let name = &program.variables[program.functions[entry].params[i]].name;
            return self.undecided(format!("no value is known for parameter '{name}' of the entry function"));
        };
        let parameter = i as u32;
        let counted = match content {
            Content::Numbers(size) => self.counted(entry, parameter, size, values),
            Content::Unknown => None,
        };
        let size = counted.map_or(ROOM, |(_, bytes)| bytes);
        let fill = if content == Content::Unknown { Fill::External } else { Fill::Zero };
        let slot = self.memory.create(ObjectKind::Given { counted: counted.is_some() }, size, fill, false);
        let slot = self.granted(slot)?;
        match (content, counted) {
            (_, Some((counter, bytes))) => {
                self.give_bytes(slot, InputPlace::Counted(entry, parameter), bytes as usize)?;
                // The number goes with the object.
                self.log.iter_mut().filter(|record| record.place == counter).for_each(|record| record.range = None);
            }
            (Content::Numbers(_), None) => self.give_bytes(slot, InputPlace::Behind(entry, parameter), CHOSEN)?,
            (Content::Unknown, None) => {}
        }
        let pointer = self.memory.pointer(slot, 0);
        self.granted(pointer)
    }

    /// The input that says how many elements of `size` bytes a parameter points to, and how many bytes that are.
    fn counted(&self, entry: FuncId, parameter: u32, size: u64, values: &[Option<Value>]) -> Option<(InputPlace, u64)> {
        let counter = *self.extents.get(&(entry, parameter))?;
        let count = values.get(counter as usize).copied().flatten()?.as_int()?;
        let bytes = count.checked_mul(size.into()).filter(|bytes| (0..=LARGEST_COUNTED).contains(bytes))?;
        Some((InputPlace::Parameter(entry, counter), bytes as u64))
    }

    /// Fills the object with bytes that are an input: `len` of them where they are counted, else no more.
    fn give_bytes(&mut self, slot: u32, place: InputPlace, len: usize) -> Step<()> {
        let occurrence = self.occurrence(place);
        let reading = self.streams.given(slot);
        let mut bytes = self.inputs.bytes(place, occurrence, len, Some(reading));
        bytes.truncate(len);
        if matches!(place, InputPlace::Counted(..)) {
            bytes.resize(len, 0);
        }
        let reserved = self.memory.reserve(slot, bytes.len());
        self.granted(reserved)?;
        self.memory.objects[slot as usize].store_bytes(0, &bytes);
        self.streams.gave_whole(reading, &bytes);
        self.given.push((place, slot));
        self.record(place, occurrence, InputValue::Bytes(bytes), None)?;
        self.note_source(Some(reading), false);
        Ok(())
    }

    /// The objects whose bytes are inputs: the input, and the object's slot.
    pub fn given_objects(&self) -> &[(InputPlace, u32)] {
        &self.given
    }

    /// Whether the pointer leads to an object that the caller gives.
    pub(super) fn is_given(&self, pointer: Value) -> bool {
        let Pointee::Object { slot, .. } = self.memory.resolve(pointer) else { return false };
        matches!(self.memory.object(slot).kind, ObjectKind::Given { .. })
    }

    /// Whether the object is one that the caller gives, and as large as the function needs.
    pub(super) fn is_roomy(&self, slot: u32) -> bool {
        self.memory.object(slot).kind == ObjectKind::Given { counted: false }
    }
}
