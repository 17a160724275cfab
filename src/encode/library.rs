//! Library functions: the simple ones exactly, the others by their effects.

use super::automaton::ContextId;
use super::encoder::Encoder;
use super::state::State;
use super::value::{Shape, Value};
use crate::ir::padding::padding;
use crate::ir::{Expr, LibFn, Place, TypeId};
use crate::smt::{self, Term};

/// Bytes that are copied or set one by one.
const MOST_BYTES: u128 = 64;

impl Encoder<'_, '_> {
    pub(super) fn library(
        &mut self,
        state: &mut State,
        context: ContextId,
        function: LibFn,
        dest: Option<&Place>,
        args: &[Expr],
    ) {
        let values: Vec<Value> = args.iter().map(|a| self.eval(state, context, a)).collect();
        match (function, &values[..]) {
            (LibFn::MemSet, [Value::Pointer { base, offset }, Value::Bits(byte), Value::Bits(len), ..]) => {
                return self.set_bytes(state, (*base, *offset), *byte, *len);
            }
            (
                LibFn::MemCopy,
                [Value::Pointer { base, offset }, Value::Pointer { base: q, offset: y }, Value::Bits(n), ..],
            ) => {
                return self.copy_bytes(state, (*base, *offset), (*q, *y), *n);
            }
            (LibFn::LeaveOpen | LibFn::Unsettle, [Value::Pointer { base, offset }, Value::Bits(len)]) => {
                let Some(len) = self.known_length(*len) else { return self.spoil(state, *base) };
                return self.leave_open(state, (*base, *offset), 0, len);
            }
            (LibFn::Abs, [Value::Bits(x)]) if dest.is_some() => {
                let (negative, negated) = (self.pool.bv_sign(*x), self.pool.bv_neg(*x));
                let value = Value::Bits(self.pool.ite(negative, negated, *x));
                let dest = dest.expect("checked in the guard");
                return self.store(state, context, dest, value);
            }
            _ => {}
        }
        let of_integers = function.is_of_integers();
        if let Some(dest) = dest.filter(|_| of_integers || function.is_of_floats())
            && let Some(to) = self.shape(dest.ty)
        {
            let shaped: Vec<_> = values.iter().zip(args).map(|(v, a)| (*v, self.shape(a.ty))).collect();
            let value = match of_integers {
                true => self.integer_function(function, &shaped, to),
                false => self.float_function(function, &shaped, to),
            };
            if let Some(value) = value {
                return self.store(state, context, dest, value);
            }
        }
        let effects = function.effects();
        if let Some(written) = effects.writes.and_then(|n| values.get(n)) {
            match written {
                Value::Pointer { base, .. } => self.spoil(state, *base),
                Value::Bits(_) => self.give_up(state, "a library function that writes through no pointer"),
            }
        }
        let Some(dest) = dest else { return };
        let Some(shape) = self.shape(dest.ty) else {
            return self.give_up(state, "a library function's result of no scalar type");
        };
        let anything = self.anything("result", shape);
        let value = match (effects.result_from.and_then(|n| values.get(n)), anything) {
            (Some(Value::Pointer { base, .. }), Value::Pointer { offset, .. }) => {
                let width = self.pointer_bits();
                let null = super::value::number_pointer(&mut self.pool, width, 0);
                let found = self.any_condition("found");
                self.either(found, Value::Pointer { base: *base, offset }, null, shape)
            }
            _ => anything,
        };
        self.store(state, context, dest, value);
    }

    /// The padding of a record gets any values.
    pub(super) fn open_padding(&mut self, state: &mut State, place: (Term, Term), ty: TypeId) {
        for gap in padding(&self.program.types, ty) {
            let (first, len) = gap.extent();
            self.leave_open(state, place, first, len);
        }
    }

    /// Bytes get any values.
    fn leave_open(&mut self, state: &mut State, (base, offset): (Term, Term), first: u64, len: u64) {
        let shape = Shape::BYTE;
        for i in first..first + len {
            let by = self.address(i128::from(i));
            let at = self.pool.bv_add(offset, by);
            let anything = self.anything("open", shape);
            self.write(state, base, at, shape, anything);
        }
    }

    fn known_length(&self, len: Term) -> Option<u64> {
        match self.pool.constant(len) {
            Some(smt::Value::BitVec(n)) if n.unsigned() <= MOST_BYTES => Some(n.unsigned() as u64),
            _ => None,
        }
    }

    fn set_bytes(&mut self, state: &mut State, (base, offset): (Term, Term), byte: Term, len: Term) {
        let Some(len) = self.known_length(len) else { return self.spoil(state, base) };
        let byte = self.pool.resize(8, false, byte);
        let shape = Shape::BYTE;
        for i in 0..len {
            let by = self.address(i128::from(i));
            let at = self.pool.bv_add(offset, by);
            self.write(state, base, at, shape, Value::Bits(byte));
        }
    }

    /// Word by word where the length allows: pointers keep what they point to, if they lie so.
    fn copy_bytes(
        &mut self,
        state: &mut State,
        (base, offset): (Term, Term),
        (from, from_offset): (Term, Term),
        len: Term,
    ) {
        let Some(len) = self.known_length(len) else { return self.spoil(state, base) };
        let shape = Shape::BYTE;
        let mut bytes = Vec::new();
        for i in 0..len {
            let by = self.address(i128::from(i));
            let at = self.pool.bv_add(from_offset, by);
            bytes.push(self.read(state, from, at, shape));
        }
        for (i, value) in bytes.into_iter().enumerate() {
            let by = self.address(i as i128);
            let at = self.pool.bv_add(offset, by);
            self.write(state, base, at, shape, value);
        }
    }
}
