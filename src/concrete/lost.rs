//! Heap blocks that are lost when a run ends: not freed, and nothing that the program can still get at points to them.
//!
//! A byte that stems from a block's address points to the block, wherever in it the whole address leads and whatever else is stored
//! beside the byte: pieces of addresses and pointers in integers count. Where this is not known, no block is called lost.
//!
//! See: the rules of the Competition on Software Verification, property valid-memtrack; assumption C19. We differ in that only runs that end are
//! judged.

use super::machine::{Argument, Frame, Machine, Target};
use super::memory::{Memory, Pointee};
use super::object::{Life, ObjectKind};
use super::outcome::Outcome;
use super::value::{ObjectId, Value};
use crate::base::Span;
use crate::ir::contracts::blocks::{MAP_SHARED, TakesOut};
use crate::ir::{AllocId, AllocKind, Expr, FuncId, Type};
use std::collections::BTreeSet;

/// What was lost by a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    /// Where the blocks were allocated.
    pub blocks: BTreeSet<AllocId>,
    /// The function that was active last, and its return or the call that ended the program.
    pub function: FuncId,
    pub end: Span,
}

/// What is seen in the course of a run so that it can be judged in the end.
#[derive(Clone, Debug, Default)]
pub(super) struct Tracking {
    /// Handed to library functions that keep what they get.
    kept: Vec<Value>,
    /// Whether somebody may hold pointers that the machine does not know of.
    blind: bool,
}

impl<'p> Machine<'p> {
    /// Notes what a library function that is called keeps, and whether it takes bytes of addresses out of the program.
    pub(super) fn watch_library(&mut self, name: &str, args: &'p [Expr]) {
        self.addresses_out |= self.takes_addresses_out(name, args);
        let Some(mut tracking) = self.tracking.take() else { return };
        let contracts = &self.program.contracts;
        tracking.blind |= contracts.carries_pointers(name) || contracts.may_end(name);
        if contracts.keeps_pointers(name) {
            tracking.kept.extend(args.iter().filter_map(|arg| self.peek(arg)));
        }
        self.tracking = Some(tracking);
    }

    /// Whether a call of the function is more to [`Self::watch_library`] than its name.
    pub(super) fn is_watched(&self, name: &str) -> bool {
        self.program.contracts.keeps_pointers(name) || self.prepared.takes_out.contains_key(name)
    }

    fn takes_addresses_out(&mut self, name: &str, args: &'p [Expr]) -> bool {
        let Some(takes) = self.prepared.takes_out.get(name) else { return false };
        let mut number = |i: usize| args.get(i).and_then(|arg| self.peek(arg)).and_then(Value::as_int);
        let (from, length) = match *takes {
            TakesOut::Shared { flags } => return number(flags).is_none_or(|flags| flags & MAP_SHARED != 0),
            TakesOut::Bytes { from, size, elements } => {
                let count = elements.map_or(Some(1), &mut number);
                (from, number(size).zip(count).map(|(size, count)| size.saturating_mul(count)))
            }
        };
        let Some(pointer) = args.get(from).and_then(|arg| self.peek(arg)) else { return true };
        let Pointee::Object { slot, offset } = self.memory.resolve(pointer) else { return false };
        let end = length.map_or(i128::MAX, |length| offset.saturating_add(length));
        self.memory.object(slot).has_addresses(offset, end)
    }

    /// Whether what the function gives back is a record.
    fn gives_record(&self, function: FuncId) -> bool {
        let types = &self.program.types;
        let Type::Function(signature) = types.get(self.program.functions[function].ty) else { return false };
        matches!(types.get(signature.result), Type::Record(_))
    }

    /// What is lost now that the run from `entry` has ended so; None when nothing is, when blocks are not tracked, or when that is not known.
    pub(super) fn lost(&self, entry: FuncId, outcome: &Outcome) -> Option<Lost> {
        let tracking = self.tracking.as_ref()?;
        let ended = matches!(outcome, Outcome::Returned(_) | Outcome::Exit(_));
        // Who called the entry holds a record that it has given back, and a library function that has called back what it works on.
        if !ended
            || self.addresses_out
            || tracking.blind
            || self.gives_record(entry)
            || self.frames.iter().any(|f| f.for_host)
        {
            return None;
        }
        let mut reached =
            Reached { memory: &self.memory, seen: vec![false; self.memory.objects.len()], open: Vec::new() };
        reached.add_roots();
        tracking.kept.iter().chain(&self.registers).for_each(|v| reached.add_value(*v));
        self.frames.iter().for_each(|frame| reached.add_frame(frame));
        if let Outcome::Returned(Some(value)) = outcome {
            reached.add_value(*value);
        }
        reached.close(&self.va_lists);
        let blocks = reached.unreached();
        let function = self.frames.last().map_or(entry, |f| f.function);
        (!blocks.is_empty()).then_some(Lost { blocks, function, end: self.span })
    }
}

/// The objects found so far that the program can still get at.
struct Reached<'m> {
    memory: &'m Memory,
    /// By slot.
    seen: Vec<bool>,
    /// Seen, and not looked into yet.
    open: Vec<u32>,
}

impl Reached<'_> {
    /// Every object that is alive and no block of the heap: of automatic ones, those of active frames are.
    fn add_roots(&mut self) {
        for slot in 0..self.memory.objects.len() as u32 {
            if !self.memory.is_block(slot) {
                self.add(self.memory.id(slot));
            }
        }
    }

    fn add(&mut self, id: ObjectId) {
        let Some(object) = self.memory.objects.get(id.slot as usize) else { return };
        let seen = &mut self.seen[id.slot as usize];
        if object.generation == id.generation && object.life == Life::Live && !*seen {
            *seen = true;
            self.open.push(id.slot);
        }
    }

    fn add_value(&mut self, value: Value) {
        if let Value::Int(_, origin) = value
            && !origin.is_none()
        {
            self.add(origin.object);
        }
    }

    fn add_frame<B>(&mut self, frame: &Frame<B>) {
        self.add_arguments(&frame.variadic);
        // Where a result will go was found out before the call.
        if let Some(Target::Memory { slot, .. }) = frame.dest.map(|d| d.target) {
            self.add(self.memory.id(slot));
        }
    }

    fn add_arguments(&mut self, arguments: &[Argument]) {
        for argument in arguments {
            match argument {
                Argument::Scalar(value, _) => self.add_value(*value),
                Argument::Aggregate(region) => region.addresses().for_each(|id| self.add(id)),
            }
        }
    }

    /// Adds what the objects point to, and so on.
    fn close(&mut self, va_lists: &[Vec<Argument>]) {
        let memory = self.memory;
        while let Some(slot) = self.open.pop() {
            let object = memory.object(slot);
            object.addresses().for_each(|id| self.add(id));
            if let ObjectKind::VarArgs(list) = object.kind {
                self.add_arguments(&va_lists[list as usize]);
            }
        }
    }

    /// The allocation sites of the heap's blocks that are alive and were not found.
    fn unreached(&self) -> BTreeSet<AllocId> {
        let lost = |(object, seen): (&super::object::Object, &bool)| match object.kind {
            ObjectKind::Allocated(alloc, AllocKind::Heap) if object.life == Life::Live && !seen => Some(alloc),
            _ => None,
        };
        self.memory.objects.iter().zip(&self.seen).filter_map(lost).collect()
    }
}
