//! What the caller of the entry function gives where a parameter is a pointer: an object of its own for each.
//!
//! An object of numbers holds bytes that are an input, as those of a file are, and zeros behind them; one of records or pointers holds what is not known,
//! so that a run ends where it is read before it is written. It has as many elements as another parameter says, where
//! [`Limits::extents`](super::Limits::extents) has one that counts them; else it is taken to be as large as the function needs, and a run ends, and
//! proves nothing, where it goes beyond. A caller may have allocated it, so that it may be freed. Assumption D19.

use super::input::{InputPlace, InputType, InputValue};
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
            let ty = match program.types.get(*ty) {
                Type::Int(k) => Some(InputType::Int(*k)),
                Type::Float(k) => Some(InputType::Float(*k)),
                _ => None,
            };
            values.push(match ty {
                Some(ty) => Some(self.input_scalar(InputPlace::Parameter(entry, i as u32), ty, None, None)?),
                None => None,
            });
        }
        let mut arguments = Vec::new();
        for (i, ty) in types.iter().enumerate() {
            let value = match (values[i], program.types.get(*ty)) {
                (Some(value), _) => value,
                (None, Type::Pointer(to)) if self.content(*to).is_some() => {
                    let count = self.extents.get(&(entry, i as u32)).and_then(|count| values.get(*count as usize));
                    let count = count.copied().flatten().and_then(Value::as_int);
                    let value = self.given(entry, i as u32, *to, count)?;
                    self.bind_count(entry, i as u32);
                    value
                }
                _ => {
                    let name = &program.variables[program.functions[entry].params[i]].name;
                    return self.undecided(format!("no value is known for parameter '{name}' of the entry function"));
                }
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

    /// A pointer to an object for a parameter, of `count` elements where that is known.
    fn given(&mut self, entry: FuncId, parameter: u32, element: TypeId, count: Option<i128>) -> Step<Value> {
        let content = self.content(element);
        let bytes = match content {
            Some(Content::Numbers(size)) => count.and_then(|count| count.checked_mul(size.into())),
            _ => None,
        };
        let bytes = bytes.filter(|bytes| (0..=LARGEST_COUNTED).contains(bytes));
        let size = bytes.map_or(ROOM, |bytes| bytes as u64);
        let fill = if content == Some(Content::Unknown) { Fill::External } else { Fill::Zero };
        let slot = self.memory.create(ObjectKind::Given { counted: bytes.is_some() }, size, fill, false);
        let slot = self.granted(slot)?;
        if fill == Fill::Zero {
            let place = match bytes {
                Some(_) => InputPlace::Counted(entry, parameter),
                None => InputPlace::Behind(entry, parameter),
            };
            self.give_bytes(slot, place, bytes.map_or(CHOSEN, |bytes| bytes as usize), bytes.is_some())?;
        }
        let pointer = self.memory.pointer(slot, 0);
        self.granted(pointer)
    }

    /// Fills the object with bytes that are an input, at most or exactly `len`.
    fn give_bytes(&mut self, slot: u32, place: InputPlace, len: usize, exactly: bool) -> Step<()> {
        let occurrence = self.occurrence(place);
        let reading = self.streams.given(slot);
        let mut bytes = self.inputs.bytes(place, occurrence, len, Some(reading));
        bytes.truncate(len);
        if exactly {
            bytes.resize(len, 0);
        }
        let reserved = self.memory.reserve(slot, bytes.len());
        self.granted(reserved)?;
        self.memory.objects[slot as usize].store_bytes(0, &bytes);
        self.streams.gave_whole(reading, &bytes);
        self.given.push((place, slot));
        self.record(place, occurrence, InputValue::Bytes(bytes), None)?;
        self.note_reading(true);
        Ok(())
    }

    /// The number that says how large the parameter's object is goes with the object.
    fn bind_count(&mut self, entry: FuncId, parameter: u32) {
        let Some((InputPlace::Counted(..), _)) = self.given.last() else { return };
        let count = self.extents.get(&(entry, parameter)).map(|count| InputPlace::Parameter(entry, *count));
        self.log.iter_mut().filter(|record| Some(record.place) == count).for_each(|record| record.range = None);
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
