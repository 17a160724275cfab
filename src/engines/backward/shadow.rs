//! Which cells of a run's memory depend on inputs, and how.
//!
//! A cell is a run of bytes of an object with the term that they hold. Cells do not overlap: a write cuts what it covers
//! partly into bytes, and a read that fits no cell puts its value together from bytes (the function phi of the paper).
//!
//! See: 000, Sect. 2.2. We differ in that the memory outside of cells is known too: it is the interpreter's.

use super::term::{TermId, Terms};
use crate::concrete::{ObjectId, Spot};
use crate::domains::IntType;
use crate::ir::BinaryOp;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// How a value depends on inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shadow {
    /// The number is that of the term.
    Int(TermId),
    /// A pointer to the object that it points to in the run, at the term's offset in bytes.
    Pointer(TermId),
    /// It is what it is in the run as long as these terms are.
    Opaque(Rc<[TermId]>),
}

impl Shadow {
    /// The terms that it depends on.
    pub fn terms(&self) -> &[TermId] {
        match self {
            Shadow::Int(t) | Shadow::Pointer(t) => std::slice::from_ref(t),
            Shadow::Opaque(terms) => terms,
        }
    }
    /// What depends on all of them in an unknown way.
    pub fn opaque<'s>(shadows: impl Iterator<Item = &'s Shadow>) -> Option<Shadow> {
        let mut terms: Vec<TermId> = shadows.flat_map(|s| s.terms().iter().copied()).collect();
        terms.sort_unstable();
        terms.dedup();
        (!terms.is_empty()).then(|| Shadow::Opaque(terms.into()))
    }
}

/// A run of bytes that depend on inputs.
#[derive(Clone, Debug)]
pub struct Cell {
    pub size: u64,
    pub shadow: Shadow,
}

/// Cells by where they start.
pub type Cells = BTreeMap<u64, Cell>;

/// What depends on inputs; all else is as in the run whatever they are.
#[derive(Debug, Default)]
pub struct Shadows {
    registers: FxHashMap<usize, Shadow>,
    objects: FxHashMap<ObjectId, Cells>,
    /// Sizes of objects that depend on inputs.
    pub sizes: FxHashMap<ObjectId, TermId>,
}

/// The longest cell.
const LONGEST: u64 = 1 << 20;

/// The unsigned type of some bytes.
fn bytes_type(size: u64) -> IntType {
    IntType::unsigned(size as u32 * 8)
}

/// Byte `index` of the number in a cell, little endian.
fn byte_of(terms: &mut Terms, term: TermId, size: u64, index: u64) -> TermId {
    let whole = terms.convert(term, bytes_type(size));
    let moved = if index == 0 { whole } else { terms.with_number(BinaryOp::Shr, whole, 8 * index as i128) };
    terms.convert(moved, IntType::unsigned(8))
}

/// The part of a cell at `start` that lies in `[low, high)`, as cells.
fn clip(terms: &mut Terms, start: u64, cell: &Cell, low: u64, high: u64) -> Vec<(u64, Cell)> {
    let end = start + cell.size;
    let (from, to) = (start.max(low), end.min(high));
    if from >= to {
        return Vec::new();
    }
    if (from, to) == (start, end) {
        return vec![(start, cell.clone())];
    }
    match &cell.shadow {
        Shadow::Int(term) if cell.size <= 8 => (from..to)
            .map(|at| (at, Cell { size: 1, shadow: Shadow::Int(byte_of(terms, *term, cell.size, at - start)) }))
            .collect(),
        other => {
            let shadow = Shadow::Opaque(other.terms().into());
            vec![(from, Cell { size: to - from, shadow })]
        }
    }
}

impl Shadows {
    /// Cells of an object that have a byte in `[low, high)`, with where they start.
    pub fn overlapping(&self, object: ObjectId, low: u64, high: u64) -> Vec<(u64, Cell)> {
        let Some(cells) = self.objects.get(&object) else { return Vec::new() };
        if high <= low {
            return Vec::new();
        }
        // Since they do not overlap, one alone may begin before and reach so far.
        let before = cells.range(..low).next_back().filter(|(at, cell)| **at + cell.size > low);
        before.into_iter().chain(cells.range(low..high)).map(|(at, cell)| (*at, cell.clone())).collect()
    }
    /// The parts of cells in `[low, high)`.
    pub fn copy(&self, terms: &mut Terms, object: ObjectId, low: u64, high: u64) -> Vec<(u64, Cell)> {
        let all = self.overlapping(object, low, high);
        all.iter().flat_map(|(at, cell)| clip(terms, *at, cell, low, high)).collect()
    }
    /// Nothing in `[low, high)` depends on inputs any more.
    pub fn clear(&mut self, terms: &mut Terms, object: ObjectId, low: u64, high: u64) {
        let all = self.overlapping(object, low, high);
        if all.is_empty() {
            return;
        }
        let cells = self.objects.entry(object).or_default();
        for (at, cell) in all {
            cells.remove(&at);
            cells.extend(clip(terms, at, &cell, 0, low));
            cells.extend(clip(terms, at, &cell, high, u64::MAX));
        }
    }
    /// Adds a cell where none is.
    pub fn insert(&mut self, object: ObjectId, at: u64, cell: Cell) {
        if cell.size > 0 && cell.size <= LONGEST {
            debug_assert!(self.overlapping(object, at, at + cell.size).is_empty(), "cells do not overlap");
            self.objects.entry(object).or_default().insert(at, cell);
        }
    }
    /// What lies at a place of `size` bytes is now this.
    pub fn write(&mut self, terms: &mut Terms, spot: Spot, size: u64, shadow: Option<Shadow>) {
        match (spot, shadow) {
            (Spot::Register(r), None) => drop(self.registers.remove(&r)),
            (Spot::Register(r), Some(shadow)) => drop(self.registers.insert(r, shadow)),
            (Spot::Memory { object, at }, shadow) => {
                self.clear(terms, object, at, at + size);
                if let Some(shadow) = shadow {
                    self.insert(object, at, Cell { size, shadow });
                }
            }
        }
    }
    /// What lies at a place of `size` bytes, whose number is `concrete` if it is one.
    pub fn read(&self, terms: &mut Terms, spot: Spot, size: u64, concrete: Option<i128>) -> Option<Shadow> {
        let (object, at) = match spot {
            Spot::Register(r) => return self.registers.get(&r).cloned(),
            Spot::Memory { object, at } => (object, at),
        };
        let cells = self.overlapping(object, at, at + size);
        match &cells[..] {
            [] => None,
            [(start, cell)] if *start == at && cell.size == size => Some(cell.shadow.clone()),
            _ => {
                let numbers = cells.iter().all(|(_, c)| matches!(c.shadow, Shadow::Int(_)) && c.size <= 8);
                match concrete {
                    Some(number) if numbers && size <= 8 => {
                        Some(Shadow::Int(assemble(terms, &cells, at, size, number)))
                    }
                    _ => Shadow::opaque(cells.iter().map(|(_, c)| &c.shadow)),
                }
            }
        }
    }
    /// Registers from `first` on belong to another function now.
    pub fn forget_registers(&mut self, first: usize) {
        self.registers.retain(|r, _| *r < first);
    }
}

/// The number of `size` bytes from `at` on, whose value in the run is `number`: bytes of cells, and constants elsewhere.
fn assemble(terms: &mut Terms, cells: &[(u64, Cell)], at: u64, size: u64, number: i128) -> TermId {
    let ty = bytes_type(size);
    let mut rest = ty.wrap_number(number);
    let mut sum: Option<TermId> = None;
    for (start, cell) in cells {
        for (place, byte) in clip_bytes(terms, *start, cell, at, at + size) {
            let index = place - at;
            rest &= !(0xff << (8 * index));
            let wide = terms.convert(byte, ty);
            let moved = if index == 0 { wide } else { terms.with_number(BinaryOp::Shl, wide, 8 * i128::from(index)) };
            sum = Some(match sum {
                Some(sum) => terms.binary(BinaryOp::Add, sum, moved),
                None => moved,
            });
        }
    }
    match sum {
        Some(sum) if rest != 0 => terms.with_number(BinaryOp::Add, sum, rest),
        Some(sum) => sum,
        None => terms.constant(number, ty),
    }
}

/// The bytes of a number's cell in `[low, high)`, with their places.
fn clip_bytes(terms: &mut Terms, start: u64, cell: &Cell, low: u64, high: u64) -> Vec<(u64, TermId)> {
    let Shadow::Int(term) = cell.shadow else { return Vec::new() };
    (start.max(low)..(start + cell.size).min(high))
        .map(|at| (at, byte_of(terms, term, cell.size, at - start)))
        .collect()
}
