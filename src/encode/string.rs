//! Strings in objects of known size: whether a zero follows, and whether a pointer is within its object.
//!
//! See: Kroening et al., "Loop Summarization using State and Transition Invariants", Table 1 and Sect. 6.2: `z` and `l` of a buffer
//! are what its bytes say, `b` is the size of the object. That a zero follows position `i` says that `i <= l` and `z` hold of
//! what lies from `i` on, so that one formula is enough for both and overwritten zeros are seen.

use super::encoder::Encoder;
use super::state::{Cell, State};
use super::value::{Shape, Value};
use crate::ir::Type;
use crate::smt::{self, Term};

/// Characters of an object that are looked at.
const MOST_CHARACTERS: u64 = 64;

impl Encoder<'_, '_> {
    /// Whether a zero character of so many bytes lies at the pointer or behind it, inside its object; None where that is not encoded.
    pub fn zero_follows(&mut self, state: &mut State, pointer: Value, bytes: u64) -> Option<Term> {
        let Value::Pointer { base, offset } = pointer else { return None };
        let candidates = self.candidates(base);
        if !candidates.others.is_empty() {
            return None;
        }
        let character = Shape::Int { width: bytes as u32 * 8, signed: false };
        let mut somewhere = Vec::new();
        for id in candidates.objects {
            let Some(object) = state.object(id).cloned() else { continue };
            let size = match self.pool.constant(object.size)? {
                smt::Value::BitVec(size) if size.unsigned() <= u128::from(bytes * MOST_CHARACTERS) => {
                    size.unsigned() as u64
                }
                _ => return None,
            };
            let here = self.is_object_number(base, id);
            for at in 0..size / bytes {
                let at = self.address(i128::from(at * bytes));
                let value = self.read_object(&object.content, at, character).bits()?;
                let zero = self.pool.bv(character.width(), 0);
                let (is_zero, behind) = (self.pool.eq(value, zero), self.pool.bv_ule(offset, at));
                somewhere.push(self.pool.and(&[here, behind, is_zero]));
            }
        }
        let somewhere = self.pool.or(&somewhere);
        let aligned = self.is_aligned(offset, bytes);
        Some(self.pool.and(&[somewhere, aligned]))
    }

    /// Whether the pointer is into a live object, or to its end; None where that is not encoded.
    pub fn is_within(&mut self, state: &mut State, pointer: Value) -> Option<Term> {
        let Value::Pointer { base, offset } = pointer else { return None };
        let candidates = self.candidates(base);
        if !candidates.others.is_empty() {
            return None;
        }
        let mut somewhere = Vec::new();
        for id in candidates.objects {
            let Some(object) = state.object(id).cloned() else { continue };
            let (here, inside) = (self.is_object_number(base, id), self.pool.bv_ule(offset, object.size));
            somewhere.push(self.pool.and(&[here, object.live, inside]));
        }
        Some(self.pool.or(&somewhere))
    }

    /// The pointer that a cell is: its value, or the address of the array that it names; moved by `index` elements of so many bytes.
    pub fn string_at(&mut self, state: &mut State, string: Cell, index: Option<Cell>, bytes: u64) -> Option<Value> {
        let pointer = if self.is_object(string.variable) {
            // A pointer in memory is another object than what it points to.
            if !matches!(self.program.types.get(self.program.variables[string.variable].ty), Type::Array(..)) {
                return None;
            }
            let base = state.homes.get(&string).copied()?;
            Value::Pointer { base, offset: self.address(0) }
        } else {
            state.scalar(string)?
        };
        let Value::Pointer { base, offset } = pointer else { return None };
        let Some(index) = index else { return Some(pointer) };
        let shape = self.shape(self.program.variables[index.variable].ty)?;
        let by = self.scalar_value(state, index, shape).bits()?;
        let by = self.pool.resize(self.pointer_bits(), shape.signed(), by);
        let factor = self.address(i128::from(bytes));
        let by = if bytes == 1 { by } else { self.pool.bv_mul(by, factor) };
        Some(Value::Pointer { base, offset: self.pool.bv_add(offset, by) })
    }

    fn is_aligned(&mut self, offset: Term, bytes: u64) -> Term {
        if bytes == 1 {
            return self.pool.bool(true);
        }
        let mask = self.address(i128::from(bytes) - 1);
        let (rest, zero) = (self.pool.bv_and(offset, mask), self.address(0));
        self.pool.eq(rest, zero)
    }
}
