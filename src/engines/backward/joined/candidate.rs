//! What is left at the entry, as inputs: candidates for preconditions, which others prove.

use super::engine::{Joined, Limits, STRIDE};
use crate::concrete::{InputPlace, InputRecord, InputValue, Source};
use crate::domains::cell::{Cell, CellState, CellType};
use crate::domains::cell_set::CellStates;
use crate::domains::{Int, Interval, Value};
use crate::engines::forward::ForwardResult;
use crate::ir::{CheckKind, FuncId, InputId, Program, SiteId, StmtKind};
use std::collections::{BTreeMap, BTreeSet};

/// An input, or one byte of it.
pub type Key = (InputPlace, u32, Option<u32>);

/// From so many boxes of one state on, a hole makes no more of them: only the numbers above it are taken.
const BOXES: usize = 8;

/// A box of inputs; those that it does not name may be anything.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Candidate {
    pub inputs: BTreeMap<Key, Interval>,
    /// Those that say whether an allocation fails.
    pub flags: BTreeSet<InputPlace>,
}

/// The boxes whose every point errs at `site` as far as the analysis can tell, and the steps taken.
pub fn candidates(
    program: &Program,
    entry: FuncId,
    forward: &ForwardResult,
    checks: &[CheckKind],
    site: SiteId,
    limits: Limits,
) -> (Vec<Candidate>, u64) {
    let mut joined = Joined::new(program, forward, checks, [site].into(), limits);
    let all = joined.at_entry(entry);
    (all, joined.steps)
}

impl Joined<'_> {
    /// The boxes at the entry.
    pub fn at_entry(&mut self, entry: FuncId) -> Vec<Candidate> {
        let states = self.function(entry, None, &CellStates::none());
        states.parts().iter().flat_map(beside_holes).filter_map(|part| self.candidate(entry, &part)).collect()
    }

    fn candidate(&self, entry: FuncId, part: &CellState) -> Option<Candidate> {
        let mut all = Candidate::default();
        for (cell, value) in &part.cells {
            match self.input_of(entry, cell) {
                Some(key) => {
                    let numbers = value.plain()?;
                    let range =
                        if numbers.is_interval() { numbers.interval() } else { Interval::constant(numbers.lo()) };
                    for (key, range) in bytewise(key, cell.ty.bytes(), range) {
                        let both = all.inputs.get(&key).map_or(Some(range), |old| old.meet(range))?;
                        all.inputs.insert(key, both);
                    }
                    let fails = |kind: &StmtKind, id| matches!(kind, StmtKind::Alloc { fails: Some(i), .. } | StmtKind::Realloc { fails: i, .. } if *i == id);
                    all.flags.extend(self.is_input(key.0, fails).then_some(key.0));
                }
                None if self.holds_at_start(cell, value) => {}
                None => return None,
            }
        }
        Some(all)
    }

    fn input_of(&self, entry: FuncId, cell: &Cell) -> Option<Key> {
        let params = &self.program.functions[entry].params;
        if let Some(i) = params.iter().position(|p| self.variable(*p) == cell.base) {
            let whole = cell.offset == 0 && self.cell_type(self.program.variables[params[i]].ty) == Some(cell.ty);
            return whole.then_some((InputPlace::Parameter(entry, i as u32), 0, None));
        }
        let place = self.input_place(cell.base)?;
        let occurrence = u32::try_from(cell.offset / STRIDE).ok()?;
        let byte = (cell.offset % STRIDE) as u32;
        let bytes = self.is_input(place, |kind, id| matches!(kind, StmtKind::InputBytes { input, .. } if *input == id));
        (bytes || byte == 0).then_some((place, occurrence, bytes.then_some(byte)))
    }

    /// Whether the place is a statement's of this kind.
    fn is_input(&self, place: InputPlace, is: impl Fn(&StmtKind, InputId) -> bool) -> bool {
        let InputPlace::Site(id) = place else { return false };
        let function = &self.program.functions[self.program.inputs[id].function];
        function.blocks.iter().flat_map(|b| &b.stmts).any(|s| is(&s.kind, id))
    }

    fn holds_at_start(&self, cell: &Cell, value: &Value) -> bool {
        if !Joined::is_content(cell) {
            let lives = *cell == Joined::life(cell.base) && !self.forward.bases.is_block(cell.base);
            return lives && Value::constant(1).leq(value);
        }
        let signed = matches!(cell.ty, CellType::Int { signed: true, .. });
        let at = (cell.offset, cell.ty.bytes(), signed);
        self.forward.bases.initial_value(self.program, cell.base, at).is_some_and(|held| held.leq(value))
    }
}

/// A number that several bytes of an input make, little endian, as these bytes: the one nearest to 0.
fn bytewise(key: Key, bytes: u64, range: Interval) -> Vec<(Key, Interval)> {
    match key {
        (place, occurrence, Some(first)) if bytes > 1 => {
            let number = 0.clamp(range.lo, range.hi);
            let byte = |i: u64| Interval::constant((number >> (8 * i)) & 255);
            (0..bytes).map(|i| ((place, occurrence, Some(first + i as u32)), byte(i))).collect()
        }
        (place, occurrence, Some(first)) if range.lo < 0 => {
            // A signed character's byte.
            let low = if range.hi < 0 { range } else { Interval { lo: 0, hi: range.hi } };
            let byte = |n: i128| n & 255;
            vec![((place, occurrence, Some(first)), Interval { lo: byte(low.lo), hi: byte(low.hi) })]
        }
        _ => vec![(key, range)],
    }
}

impl Candidate {
    /// One of its points: of each input the number nearest to 0.
    pub fn point(&self) -> Vec<InputRecord> {
        let mut all: BTreeMap<(InputPlace, u32), InputValue> = BTreeMap::new();
        for ((place, occurrence, byte), range) in &self.inputs {
            let number = 0.clamp(range.lo, range.hi);
            match byte {
                None if self.flags.contains(place) => {
                    all.insert((*place, *occurrence), InputValue::Fails(number != 0));
                }
                None => {
                    all.insert((*place, *occurrence), InputValue::Int(number));
                }
                Some(i) => {
                    let value = all.entry((*place, *occurrence)).or_insert(InputValue::Bytes(Vec::new()));
                    if let InputValue::Bytes(bytes) = value {
                        bytes.resize(bytes.len().max(*i as usize + 1), 0);
                        bytes[*i as usize] = number as u8;
                    }
                }
            }
        }
        let record = |((place, occurrence), value)| InputRecord {
            place,
            occurrence,
            value,
            range: None,
            source: Source::Chosen,
        };
        all.into_iter().map(record).collect()
    }
}

/// The state cut in two at each hole, since a box has none; where that would be too many, only the numbers above the hole are kept.
fn beside_holes(part: &CellState) -> Vec<CellState> {
    let mut all = vec![part.clone()];
    for (cell, value) in &part.cells {
        let Some((int, hole)) = value.int.and_then(|int| Some((int, int.hole()?))) else { continue };
        let sides = [int.clamp(hole + 1, int.hi()), int.clamp(int.lo(), hole - 1)].into_iter().flatten();
        let sides: Vec<Int> = sides.take(if all.len() < BOXES { 2 } else { 1 }).collect();
        let with = |state: &CellState, side: Int| {
            let mut state = state.clone();
            state.cells.insert(*cell, Value { int: Some(side), ..value.clone() });
            state
        };
        all = all.iter().flat_map(|state| sides.iter().map(|side| with(state, *side)).collect::<Vec<_>>()).collect();
    }
    all
}
