//! Where in the files of a run its numbers come from, as far as that is seen from where they lie.

use crate::concrete::{InputRecord, InputValue, Machine, Pointer, Source, Spot};
use crate::ir::{Expr, ExprKind, Stmt, StmtKind};
use rustc_hash::FxHashMap;

/// Inputs that are looked back at for a number that lies in a register.
const LATEST: usize = 8;

/// Bytes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub file: usize,
    pub at: usize,
    pub len: usize,
}

/// Bytes of an object that were read from a file.
#[derive(Clone, Copy, Debug)]
struct Filled {
    at: u64,
    len: u64,
    file: usize,
    from: u64,
}

/// What objects were filled with, by their slots.
#[derive(Debug, Default)]
pub(super) struct Readings(FxHashMap<u32, Vec<Filled>>);

impl Readings {
    /// Takes note of what the statement, which has just run, has read.
    pub fn note<'p>(&mut self, stmt: &'p Stmt, machine: &mut Machine<'p>) {
        let StmtKind::InputBytes { ptr, .. } = &stmt.kind else { return };
        let Some(value) = machine.peek(ptr) else { return };
        let Pointer::Object { slot, live: true, offset } = machine.pointer(value) else { return };
        let (
            Some(InputRecord { source: Source::File { file, at: from }, value: InputValue::Bytes(bytes), .. }),
            Ok(at),
        ) = (machine.inputs_so_far().last(), u64::try_from(offset))
        else {
            return;
        };
        let new = Filled { at, len: bytes.len() as u64, file: *file, from: *from };
        let filled = self.0.entry(slot).or_default();
        filled.retain(|old| !(new.at <= old.at && old.at + old.len <= new.at + new.len));
        filled.push(new);
    }

    /// Whether the object has anything of a file.
    pub fn has(&self, slot: u32) -> bool {
        self.0.contains_key(&slot)
    }

    /// The bytes that the number was read from: those that lie where it is loaded from, or the character that was read last and is that number.
    /// The second: whether there is no doubt.
    pub fn of<'p>(&self, expr: &'p Expr, value: i128, machine: &mut Machine<'p>) -> Option<(Place, bool)> {
        let ExprKind::Load(place) = &expr.kind else { return None };
        if place.bits.is_some() {
            return None;
        }
        match machine.locate(place)? {
            Spot::Memory { object, at } => {
                let len = machine.program().types.size_of(place.ty)?;
                let filled = self.0.get(&object.slot)?.iter().rev();
                let of = filled.clone().find(|f| f.at <= at && at + len <= f.at + f.len)?;
                let from = of.from + (at - of.at);
                Some((Place { file: of.file, at: usize::try_from(from).ok()?, len: len as usize }, true))
            }
            Spot::Register(_) => {
                let latest = machine.inputs_so_far().iter().rev().take(LATEST);
                latest.into_iter().find_map(|record| match record.source {
                    Source::File { file, at } if record.value == InputValue::Int(value) && value >= 0 => {
                        Some((Place { file, at: usize::try_from(at).ok()?, len: 1 }, false))
                    }
                    _ => None,
                })
            }
        }
    }
}

/// What a run asked for in a file.
pub(super) struct Wish {
    pub file: usize,
    pub at: usize,
    /// Bytes; none where it asks for a character or a line.
    pub asked: Option<usize>,
    /// Bytes that came.
    pub came: usize,
}

impl Wish {
    /// What the reading that is recorded asked for.
    pub fn of(record: &InputRecord) -> Option<Wish> {
        match (record.source, &record.value) {
            (Source::File { file, at }, InputValue::Int(_)) => {
                Some(Wish { file, at: usize::try_from(at).ok()?, asked: None, came: 0 })
            }
            (Source::Length { file, at, unit }, InputValue::Int(came)) => {
                let bytes = |units: i128| usize::try_from(u64::try_from(units).ok()?.checked_mul(unit)?).ok();
                let asked = bytes(record.range.map_or(*came, |(_, most)| most))?;
                Some(Wish { file, at: usize::try_from(at).ok()?, asked: Some(asked), came: bytes(*came)? })
            }
            _ => None,
        }
    }
}
