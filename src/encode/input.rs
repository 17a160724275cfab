//! Inputs become fresh variables, remembered in the order of their consumption.

use super::automaton::ContextId;
use super::encoder::{Encoder, InputTerm, InputUse};
use super::state::State;
use super::value::{Shape, Value};
use crate::concrete::InputPlace;
use crate::ir::{Expr, InputId, Place};
use crate::smt::{self, Sort, Term};

/// Input bytes that are written one by one; inputs that may be longer are forgotten.
const MOST_BYTES: u128 = 256;

impl Encoder<'_, '_> {
    pub(super) fn consume(&mut self, state: &State, place: InputPlace, term: InputTerm) {
        let condition = self.path(state);
        self.inputs.push(InputUse { place, condition, term });
    }

    pub(super) fn scalar_input(
        &mut self,
        state: &mut State,
        context: ContextId,
        input: InputId,
        dest: &Place,
        range: Option<&(Expr, Expr)>,
    ) {
        let Some(shape) = self.shape(dest.ty) else {
            return self.give_up(state, "an input that is no number");
        };
        let value = self.anything("input", shape);
        let bounds = range.map(|(low, high)| (self.eval(state, context, low), self.eval(state, context, high)));
        let place = InputPlace::Site(input);
        match value {
            Value::Bits(t) if !self.is_float(dest.ty) => {
                self.consume(state, place, InputTerm::Int(t, shape.signed()));
                if let Some((Value::Bits(low), Value::Bits(high))) = bounds
                    && self.pool.sort(low) == self.pool.sort(t)
                    && self.pool.sort(high) == self.pool.sort(t)
                {
                    let above = self.compare_bits(crate::ir::BinaryOp::Ge, t, low, shape.signed());
                    let below = self.compare_bits(crate::ir::BinaryOp::Le, t, high, shape.signed());
                    let inside = self.pool.and(&[above, below]);
                    self.assume(state, inside);
                }
            }
            Value::Bits(t) => {
                let Shape::Float { kind, .. } = shape else { return self.give_up(state, "an input that is no number") };
                self.consume(state, place, InputTerm::Float(t, kind));
                if let Some((low, high)) = bounds {
                    let above = self.float_comparison(crate::ir::BinaryOp::Le, low, value, kind);
                    let below = self.float_comparison(crate::ir::BinaryOp::Le, value, high, kind);
                    let inside = self.pool.and(&[above, below]);
                    self.assume(state, inside);
                }
            }
            Value::Pointer { .. } => return self.give_up(state, "an input that is no number"),
        }
        self.store(state, context, dest, value);
    }

    pub(super) fn input_bytes(
        &mut self,
        state: &mut State,
        context: ContextId,
        input: InputId,
        ptr: &Expr,
        len: &Expr,
    ) {
        let pointer = self.eval(state, context, ptr);
        let len = self.eval(state, context, len);
        let (Value::Pointer { base, offset }, Value::Bits(len)) = (pointer, len) else {
            return self.give_up(state, "input bytes to no pointer");
        };
        let len = self.pool.resize(self.pointer_bits(), false, len);
        let Some(most) = self.most_bytes(state, base, len) else {
            self.consume_bytes(state, input, &[], len);
            return self.spoil(state, base);
        };
        let bytes: Vec<Term> = (0..most).map(|_| self.pool.fresh_variable("input", Sort::BitVec(8))).collect();
        self.consume_bytes(state, input, &bytes, len);
        self.exclude(input, &bytes, len);
        let byte = Shape::BYTE;
        for (i, b) in bytes.into_iter().enumerate() {
            let by = self.address(i as i128);
            let at = self.pool.bv_add(offset, by);
            let there = self.pool.bv_ult(by, len);
            self.write_where(state, there, (base, at), byte, Value::Bits(b));
        }
    }

    /// How many bytes an input of `len` bytes to the object `base` has at most, where it can be written byte by byte; a gap where it has
    /// more, as none does of which a check said that it has room.
    fn most_bytes(&mut self, state: &mut State, base: Term, len: Term) -> Option<u64> {
        if let Some(smt::Value::BitVec(n)) = self.pool.constant(len) {
            return Some(n.unsigned()).filter(|n| *n <= MOST_BYTES).map(|n| n as u64);
        }
        let candidates = self.candidates(base);
        if !candidates.others.is_empty() {
            return None;
        }
        let mut most = 0;
        for id in candidates.objects {
            let Some(object) = state.object(id) else { continue };
            match self.pool.constant(object.size)? {
                smt::Value::BitVec(size) if size.unsigned() <= MOST_BYTES => most = most.max(size.unsigned() as u64),
                _ => return None,
            }
        }
        let limit = self.address(i128::from(most));
        let more = self.pool.bv_ult(limit, len);
        self.gap(state, more, "more bytes of input than an object has");
        Some(most)
    }

    /// Says what the characters cannot be, of one byte or more each.
    fn exclude(&mut self, input: InputId, bytes: &[Term], len: Term) {
        let excluded = self.program.inputs[input].excluded;
        let size = excluded.size();
        for (i, character) in bytes.chunks_exact(size).enumerate().filter(|_| !excluded.bytes.is_empty()) {
            let behind = self.address((size * (i + usize::from(excluded.may_end))) as i128);
            let applies = self.pool.bv_ult(behind, len);
            for no in excluded.bytes {
                // Of a wide character the first byte is the lowest.
                let no = [*no].into_iter().chain(std::iter::repeat(0));
                let differs: Vec<Term> = no
                    .zip(character)
                    .map(|(no, byte)| {
                        let no = self.pool.bv(8, u128::from(no));
                        self.pool.ne(*byte, no)
                    })
                    .collect();
                let differs = self.pool.or(&differs);
                let axiom = self.pool.implies(applies, differs);
                self.axioms.push(axiom);
            }
        }
    }

    /// Notes that bytes are asked for, where they are more than none.
    fn consume_bytes(&mut self, state: &State, input: InputId, bytes: &[Term], len: Term) {
        let none = self.address(0);
        let (path, some) = (self.path(state), self.pool.ne(len, none));
        let condition = self.pool.and(&[path, some]);
        if !self.is_false(condition) {
            let term = InputTerm::Bytes { bytes: bytes.to_vec(), len };
            self.inputs.push(InputUse { place: InputPlace::Site(input), condition, term });
        }
    }

    pub(super) fn program_arguments(
        &mut self,
        state: &mut State,
        context: ContextId,
        input: InputId,
        argc: &Place,
        argv: &[&Place],
    ) {
        let int = Shape::Int { width: 32, signed: true };
        let shape = self.shape(argc.ty).unwrap_or(int);
        let count = self.anything("argc", shape);
        if let Value::Bits(n) = count {
            let zero = self.pool.bv(shape.width(), 0);
            let enough = self.pool.bv_sle(zero, n);
            self.assume(state, enough);
            self.consume(state, InputPlace::Site(input), InputTerm::Arguments(n));
        }
        self.store(state, context, argc, count);
        for place in argv {
            if let Some(shape) = self.shape(place.ty) {
                let value = self.anything("argv", shape);
                self.store(state, context, place, value);
            }
        }
    }
}
