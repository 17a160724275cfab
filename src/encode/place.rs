//! Places: where they lie, what they hold, what is written to them.

use super::automaton::ContextId;
use super::encoder::{Encoder, InputTerm, InputUse};
use super::log::{Log, Origin};
use super::state::{Cell, Object, State};
use super::value::{Shape, Value, choose};
use crate::concrete::{InputPlace, Unwritten};
use crate::ir::{BitRange, Place, PlaceBase, Type, TypeId, VarId};
use crate::smt::Term;
use std::rc::Rc;

/// Where a place lies.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    Scalar(Cell),
    Memory { base: Term, offset: Term },
}

/// Scalars that a copied record or array may have.
const MOST_LEAVES: usize = 512;

impl Encoder<'_, '_> {
    /// Where the place lies, its pointer evaluated.
    pub(super) fn resolve(&mut self, state: &mut State, context: ContextId, place: &Place) -> Target {
        match &place.base {
            PlaceBase::Var(v) if !self.is_object(*v) => Target::Scalar(self.cell(context, *v)),
            PlaceBase::Var(v) => {
                let base = self.home(state, context, *v);
                Target::Memory { base, offset: self.address(i128::from(place.offset)) }
            }
            PlaceBase::Deref(pointer) => match self.eval(state, context, pointer) {
                Value::Pointer { base, offset } => {
                    let by = self.address(i128::from(place.offset));
                    Target::Memory { base, offset: self.pool.bv_add(offset, by) }
                }
                Value::Bits(_) => {
                    self.give_up(state, "an access through what is no pointer");
                    Target::Memory { base: self.pool.bv(super::value::BASE_BITS, 0), offset: self.address(0) }
                }
            },
        }
    }

    /// The number of the object that a variable is at present; a new one when it has none.
    pub(super) fn home(&mut self, state: &mut State, context: ContextId, v: VarId) -> Term {
        let cell = self.cell(context, v);
        match state.homes.get(&cell) {
            Some(base) => *base,
            None => self.renew(state, cell),
        }
    }

    /// A new object for a variable whose life begins.
    pub(super) fn renew(&mut self, state: &mut State, cell: Cell) -> Term {
        let variable = &self.program.variables[cell.variable];
        let object = Object {
            size: self.address(i128::from(variable.size)),
            live: self.pool.bool(true),
            heap: false,
            owner: None,
            constant: variable.constant.clone(),
            content: Log::new(Origin::anything()),
        };
        let base = self.create(state, object);
        Rc::make_mut(&mut state.homes).insert(cell, base);
        base
    }

    /// The scalar at a place.
    pub(super) fn load(&mut self, state: &mut State, context: ContextId, place: &Place) -> Value {
        let Some(shape) = self.shape(place.ty) else {
            self.give_up(state, "an aggregate read as a scalar");
            let byte = Shape::BYTE;
            return self.anything("aggregate", byte);
        };
        match self.resolve(state, context, place) {
            Target::Scalar(cell) => self.scalar_value(state, cell, shape),
            Target::Memory { base, offset } => {
                let unit = self.read(state, base, offset, shape);
                match place.bits {
                    None => unit,
                    Some(bits) => self.field(unit, bits, shape),
                }
            }
        }
    }

    /// A scalar variable's value; anything when nothing was written to it.
    pub fn scalar_value(&mut self, state: &mut State, cell: Cell, shape: Shape) -> Value {
        match state.scalar(cell) {
            Some(value) => value,
            None => {
                let name = self.program.variables[cell.variable].name.clone();
                let value = self.anything(&name, shape);
                state.set_scalar(cell, value);
                if let Value::Bits(t) = value
                    && !self.is_float(self.program.variables[cell.variable].ty)
                {
                    let place = InputPlace::Unwritten(Unwritten::Variable(cell.variable), 0);
                    let (condition, term) = (self.path(state), InputTerm::Int(t, shape.signed()));
                    self.unwritten.push(InputUse { place, condition, term });
                }
                value
            }
        }
    }

    /// The value of a bit-field in its unit.
    fn field(&mut self, unit: Value, bits: BitRange, shape: Shape) -> Value {
        let Value::Bits(unit) = unit else { return unit };
        let (low, width) = (u32::from(bits.offset), u32::from(bits.width));
        if width == 0 || low + width > shape.width() {
            return self.anything("field", shape);
        }
        let field = self.pool.extract(low + width - 1, low, unit);
        Value::Bits(self.pool.resize(shape.width(), shape.signed(), field))
    }

    /// Writes a scalar to a place.
    pub(super) fn store(&mut self, state: &mut State, context: ContextId, place: &Place, value: Value) {
        let Some(shape) = self.shape(place.ty) else {
            return self.give_up(state, "a scalar written to an aggregate");
        };
        let target = self.resolve(state, context, place);
        self.store_at(state, target, shape, place.bits, value);
    }

    /// Writes a scalar to where a place lies.
    pub(super) fn store_at(
        &mut self,
        state: &mut State,
        target: Target,
        shape: Shape,
        bits: Option<BitRange>,
        value: Value,
    ) {
        match target {
            Target::Scalar(cell) => state.set_scalar(cell, value),
            Target::Memory { base, offset } => {
                let value = match bits {
                    None => value,
                    Some(bits) => {
                        let unit = self.read(state, base, offset, shape);
                        self.with_field(unit, bits, shape, value)
                    }
                };
                self.write(state, base, offset, shape, value);
            }
        }
    }

    fn with_field(&mut self, unit: Value, bits: BitRange, shape: Shape, value: Value) -> Value {
        let (Value::Bits(unit), Value::Bits(value)) = (unit, value) else { return self.anything("unit", shape) };
        let (low, width) = (u32::from(bits.offset), u32::from(bits.width));
        if width == 0 || low + width > shape.width() {
            return self.anything("unit", shape);
        }
        let mask = if width >= 128 { u128::MAX } else { ((1u128 << width) - 1) << low };
        let mask = self.pool.bv(shape.width(), mask);
        let by = self.pool.bv(shape.width(), u128::from(low));
        let (outside, shifted) = (self.pool.bv_not(mask), self.pool.bv_shl(value, by));
        let (kept, new) = (self.pool.bv_and(unit, outside), self.pool.bv_and(shifted, mask));
        Value::Bits(self.pool.bv_or(kept, new))
    }

    /// Copies a record or array, scalar by scalar.
    pub(super) fn copy(&mut self, state: &mut State, context: ContextId, from: &Place, to: &Place) {
        let mut leaves = Vec::new();
        let known = self.leaves(to.ty, 0, &mut leaves);
        let (source, dest) = (self.resolve(state, context, from), self.resolve(state, context, to));
        let (Target::Memory { base, offset }, Target::Memory { base: to_base, offset: to_offset }) = (source, dest)
        else {
            return self.give_up(state, "an aggregate in a scalar");
        };
        if !known {
            return self.spoil(state, to_base);
        }
        let mut values = Vec::new();
        for &(at, shape) in &leaves {
            let by = self.address(i128::from(at));
            let place = self.pool.bv_add(offset, by);
            values.push(self.read(state, base, place, shape));
        }
        for (&(at, shape), value) in leaves.iter().zip(values) {
            let by = self.address(i128::from(at));
            let place = self.pool.bv_add(to_offset, by);
            self.write(state, to_base, place, shape, value);
        }
        self.open_padding(state, (to_base, to_offset), to.ty);
    }

    /// Offsets and shapes of the scalars of a type; of unions without pointers, their bytes; false for other unions, unknown or large types.
    pub(super) fn leaves(&self, ty: TypeId, at: u64, found: &mut Vec<(u64, Shape)>) -> bool {
        if let Some(shape) = self.shape(ty) {
            // A record's copy has its bytes, also those that are no truth values (6.2.6.1p6).
            found.push((at, if shape == Shape::Bool { Shape::BYTE } else { shape }));
            return found.len() <= MOST_LEAVES;
        }
        let types = &self.program.types;
        match types.get(ty) {
            Type::Array(elem, Some(n)) => {
                let Some(size) = types.size_of(*elem) else { return false };
                *n <= MOST_LEAVES as u64 && (0..*n).all(|i| self.leaves(*elem, at + i * size, found))
            }
            // Bit-fields are copied by their units, which may have bytes in common with their neighbours.
            Type::Record(r) if !types.records[*r].is_union => match types.layout(ty) {
                Some(layout) => layout.fields.iter().all(|f| self.leaves(f.ty, at + f.offset, found)),
                None => false,
            },
            // Which member was written is not known here; addresses cannot be taken apart into bytes.
            Type::Record(_) => match types.size_of(ty) {
                Some(size) if size <= MOST_LEAVES as u64 && !self.has_pointers(ty) => {
                    found.extend((at..at + size).map(|i| (i, Shape::BYTE)));
                    found.len() <= MOST_LEAVES
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether objects of the type may have pointers in them.
    fn has_pointers(&self, ty: TypeId) -> bool {
        let types = &self.program.types;
        match types.get(ty) {
            Type::Pointer(_) => true,
            Type::Array(elem, _) => self.has_pointers(*elem),
            Type::Record(_) => match types.layout(ty) {
                Some(layout) => layout.fields.iter().any(|f| self.has_pointers(f.ty)),
                None => true,
            },
            _ => false,
        }
    }

    /// `condition ? a : b`, anything where that cannot be said.
    pub(super) fn either(&mut self, condition: Term, a: Value, b: Value, shape: Shape) -> Value {
        choose(&mut self.pool, condition, a, b).unwrap_or_else(|| self.anything("either", shape))
    }
}
