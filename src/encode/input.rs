//! Inputs become fresh variables, remembered in the order of their consumption.

use super::automaton::ContextId;
use super::encoder::{Encoder, InputTerm, InputUse};
use super::state::State;
use super::value::{Shape, Value};
use crate::concrete::InputPlace;
use crate::ir::{Expr, InputId, Place};
use crate::smt::{ScalarValue, Sort, Term};

/// Input bytes that are written one by one; longer inputs are forgotten.
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
            _ => self.consume(state, place, InputTerm::Float),
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
        let place = InputPlace::Site(input);
        match self.pool.constant(len) {
            Some(ScalarValue::BitVec(n)) if n.unsigned() == 0 => {}
            Some(ScalarValue::BitVec(n)) if n.unsigned() <= MOST_BYTES => {
                let bytes: Vec<Term> =
                    (0..n.unsigned()).map(|_| self.pool.fresh_variable("input", Sort::BitVec(8))).collect();
                self.consume(state, place, InputTerm::Bytes(bytes.clone()));
                let byte = Shape::Int { width: 8, signed: false };
                for (i, b) in bytes.into_iter().enumerate() {
                    let by = self.address(i as i128);
                    let at = self.pool.bv_add(offset, by);
                    self.write(state, base, at, byte, Value::Bits(b));
                }
            }
            _ => {
                self.consume(state, place, InputTerm::Bytes(Vec::new()));
                self.spoil(state, base);
            }
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
