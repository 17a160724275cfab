//! Reads and writes through pointers, and joins of states.

use super::encoder::{Encoder, FUNCTIONS};
use super::log::{Log, Origin, Write};
use super::state::{Cell, Object, ObjectId, Path, State};
use super::value::{BASE_BITS, Shape, Value, choose};
use crate::smt::{self, Op, Term};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What a pointer's object may be.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    /// Objects, sorted; 0 and functions are not among them.
    pub objects: Vec<ObjectId>,
    /// Whether it may be another object, or none that is known.
    pub others: Vec<Term>,
}

/// Writes that a list may have; longer ones are forgotten.
const MOST_WRITES: usize = 4000;

impl Encoder<'_, '_> {
    /// The objects that `base` may be: the constants of its if-then-else tree, and what else is in it.
    pub fn candidates(&self, base: Term) -> Candidates {
        let (mut seen, mut open) = (FxHashSet::default(), vec![base]);
        let mut found = Candidates::default();
        while let Some(t) = open.pop() {
            if !seen.insert(t) {
                continue;
            }
            match self.pool.op(t) {
                Op::Ite => open.extend_from_slice(&self.pool.args(t)[1..]),
                Op::BitVec(bits) => {
                    let n = bits.unsigned() as u32;
                    if n != 0 && n < FUNCTIONS {
                        found.objects.push(ObjectId(n));
                    }
                }
                _ => found.others.push(t),
            }
        }
        found.objects.sort_unstable();
        found.others.sort_unstable();
        found
    }

    /// Whether `base` is this object.
    pub(super) fn is_object_number(&mut self, base: Term, id: ObjectId) -> Term {
        let number = self.pool.bv(BASE_BITS, u128::from(id.0));
        self.pool.eq(base, number)
    }

    /// The scalar of `shape` at a pointer; gaps where the object is not known. Checks have passed before.
    pub(super) fn read(&mut self, state: &mut State, base: Term, offset: Term, shape: Shape) -> Value {
        let candidates = self.candidates(base);
        self.refuse_others(state, &candidates, base);
        let mut result = (self.is_open() && !candidates.others.is_empty()).then(|| self.anything("read", shape));
        for id in candidates.objects {
            let Some(object) = state.object(id).cloned() else { continue };
            let value = self.read_object(&object.content, offset, shape);
            let here = self.is_object_number(base, id);
            result = Some(match result {
                None => value,
                Some(rest) => choose(&mut self.pool, here, value, rest).unwrap_or_else(|| self.anything("read", shape)),
            });
        }
        result.unwrap_or_else(|| self.anything("read", shape))
    }

    /// A gap where `base` is none of the known objects.
    pub(super) fn refuse_others(&mut self, state: &mut State, candidates: &Candidates, base: Term) {
        if candidates.others.is_empty() || self.is_open() {
            return;
        }
        let zero = self.pool.bv(BASE_BITS, 0);
        let mut known = vec![self.pool.eq(base, zero)];
        for id in &candidates.objects {
            known.push(self.is_object_number(base, *id));
        }
        let known = self.pool.or(&known);
        let unknown = self.pool.not(known);
        self.gap(state, unknown, "a pointer to an unknown object");
    }

    /// The scalar at `offset` of a content.
    pub(super) fn read_object(&mut self, content: &Log, offset: Term, shape: Shape) -> Value {
        let size = shape.bytes();
        let mut chain: Vec<(Term, Value)> = Vec::new();
        let mut last: Option<Value> = None;
        for write in content.writes() {
            let overlap = self.overlap(offset, size, write);
            let (exact, apart) = match overlap {
                Overlap::Never => continue,
                Overlap::Exactly(condition) => (condition, true),
                Overlap::Partly => return self.read_bytes(content, offset, shape),
            };
            let Some(value) = self.reinterpret(write.value, shape) else {
                return self.anything("read", shape);
            };
            debug_assert!(apart);
            let condition = match write.guard {
                Some(g) => self.pool.and(&[g, exact]),
                None => exact,
            };
            if self.pool.constant(condition) == Some(smt::Value::Bool(true)) {
                last = Some(value);
                break;
            }
            chain.push((condition, value));
        }
        let mut result = last.unwrap_or_else(|| self.read_origin(&content.origin, offset, shape));
        for (condition, value) in chain.into_iter().rev() {
            result = match choose(&mut self.pool, condition, value, result) {
                Some(v) => v,
                None => return self.anything("read", shape),
            };
        }
        result
    }

    fn read_origin(&mut self, origin: &Origin, offset: Term, shape: Shape) -> Value {
        match origin {
            Origin::Zero => self.zero(shape),
            Origin::Noise => self.anything("content", shape),
            // What is there need not be a truth value.
            Origin::Anything(_) if shape == Shape::Bool => {
                let byte = self.read_origin(origin, offset, Shape::BYTE);
                self.reinterpret(byte, shape).expect("bits are read as a truth value")
            }
            Origin::Anything(readings) => {
                let size = shape.bytes();
                let known: Vec<(Term, u64, Value)> = readings.borrow().clone();
                let alike = known.iter().find(|(o, s, v)| *o == offset && *s == size && fits(self, *v, shape));
                if let Some((_, _, value)) = alike {
                    return *value;
                }
                let value = self.anything("content", shape);
                for (o, s, v) in &known {
                    if *s == size
                        && fits(self, *v, shape)
                        && let Some(same) = super::value::same(&mut self.pool, value, *v)
                    {
                        let at = self.pool.eq(*o, offset);
                        let axiom = self.pool.implies(at, same);
                        self.axioms.push(axiom);
                    } else {
                        self.agree_on_bytes((offset, value), (*o, *v));
                    }
                }
                readings.borrow_mut().push((offset, size, value));
                value
            }
        }
    }

    /// Readings of one content have the bytes in common that both have, where their distance is known: a byte has one value.
    fn agree_on_bytes(&mut self, (offset, value): (Term, Value), (other, known): (Term, Value)) {
        let (Some(a), Some(b)) = (value.bits(), known.bits()) else { return };
        let distance = self.pool.bv_sub(offset, other);
        let Some(smt::Value::BitVec(distance)) = self.pool.constant(distance) else { return };
        let (Some(width), Some(known_width)) = (self.pool.sort(a).width(), self.pool.sort(b).width()) else { return };
        // Bits from the start of the other reading on.
        let start = 8 * distance.signed();
        let (from, to) = (start.max(0), (start + i128::from(width)).min(i128::from(known_width)));
        if from >= to {
            return;
        }
        let mine = self.pool.extract((to - start) as u32 - 1, (from - start) as u32, a);
        let theirs = self.pool.extract(to as u32 - 1, from as u32, b);
        let axiom = self.pool.eq(mine, theirs);
        self.axioms.push(axiom);
    }

    /// A write's value read as another shape of the same size; None when that cannot be said.
    fn reinterpret(&mut self, value: Value, shape: Shape) -> Option<Value> {
        match (value, shape) {
            (Value::Bits(t), Shape::Int { .. } | Shape::Float { .. }) => {
                (self.pool.sort(t).width() == Some(shape.width())).then_some(value)
            }
            (Value::Bits(t), Shape::Bool) => {
                let zero = self.pool.bv(8, 0);
                let (zeroed, one) = (self.pool.eq(t, zero), self.pool.bv(8, 1));
                Some(Value::Bits(self.pool.ite(zeroed, zero, one)))
            }
            (Value::Pointer { .. }, Shape::Pointer { .. }) => Some(value),
            (Value::Bits(t), Shape::Pointer { width }) => {
                let zero = self.pool.bv(width, 0);
                // Zeroed memory is NULL; other numbers may be addresses.
                (t == zero).then(|| super::value::number_pointer(&mut self.pool, width, 0))
            }
            (Value::Pointer { .. }, _) => None,
        }
    }

    fn overlap(&mut self, offset: Term, size: u64, write: &Write) -> Overlap {
        let distance = self.pool.bv_sub(offset, write.offset);
        if let Some(smt::Value::BitVec(bits)) = self.pool.constant(distance) {
            let d = bits.signed();
            return if d == 0 && size == write.size {
                Overlap::Exactly(self.pool.bool(true))
            } else if d >= i128::from(write.size) || d <= -i128::from(size) {
                Overlap::Never
            } else {
                Overlap::Partly
            };
        }
        if size != write.size {
            return Overlap::Partly;
        }
        if size == 1 || (self.is_multiple(offset, size) && self.is_multiple(write.offset, size)) {
            return Overlap::Exactly(self.pool.eq(offset, write.offset));
        }
        if self.is_multiple(distance, size) {
            let zero = self.address(0);
            return Overlap::Exactly(self.pool.eq(distance, zero));
        }
        Overlap::Partly
    }

    /// Whether a number is seen to be a multiple of `size`, a power of two.
    fn is_multiple(&self, term: Term, size: u64) -> bool {
        if !size.is_power_of_two() {
            return false;
        }
        self.low_zeros(term, 24) >= size.trailing_zeros()
    }

    /// Low bits that are seen to be 0.
    fn low_zeros(&self, term: Term, depth: u32) -> u32 {
        if depth == 0 {
            return 0;
        }
        let args = self.pool.args(term);
        let of = |t: &Term| self.low_zeros(*t, depth - 1);
        match self.pool.op(term) {
            Op::BitVec(bits) => bits.unsigned().trailing_zeros(),
            Op::BvAdd | Op::BvSub | Op::BvOr | Op::BvXor => args.iter().map(of).min().unwrap_or(0),
            Op::BvMul => args.iter().map(of).sum(),
            Op::BvShl => match self.pool.constant(args[1]) {
                Some(smt::Value::BitVec(by)) => of(&args[0]) + by.unsigned().min(128) as u32,
                _ => of(&args[0]),
            },
            Op::BvNeg => of(&args[0]),
            Op::BvAnd => args.iter().map(of).max().unwrap_or(0),
            Op::Ite => of(&args[1]).min(of(&args[2])),
            Op::Concat => {
                let low = self.pool.sort(args[1]).width().unwrap_or(0);
                let zeros = of(&args[1]);
                if zeros >= low { low } else { zeros }
            }
            _ => 0,
        }
    }

    /// The bytes at `offset`, each from the newest write that covers it.
    fn read_bytes(&mut self, content: &Log, offset: Term, shape: Shape) -> Value {
        if matches!(shape, Shape::Pointer { .. }) || content.writes().any(|w| w.value.bits().is_none()) {
            return self.anything("read", shape);
        }
        let mut whole: Option<Term> = None;
        for i in 0..shape.bytes() {
            let by = self.address(i128::from(i));
            let at = self.pool.bv_add(offset, by);
            let byte = self.read_byte(content, at);
            whole = Some(match whole {
                None => byte,
                Some(low) => self.pool.concat(byte, low),
            });
        }
        match whole {
            Some(t) if shape == Shape::Bool => {
                self.reinterpret(Value::Bits(t), shape).expect("bits are read as a truth value")
            }
            Some(t) => Value::Bits(t),
            None => self.anything("read", shape),
        }
    }

    fn read_byte(&mut self, content: &Log, at: Term) -> Term {
        let mut chain: Vec<(Term, Term)> = Vec::new();
        let mut last = None;
        'writes: for write in content.writes() {
            let Value::Bits(value) = write.value else { continue };
            for k in 0..write.size {
                let by = self.address(i128::from(k));
                let place = self.pool.bv_add(write.offset, by);
                let here = self.pool.eq(at, place);
                if self.is_false(here) {
                    continue;
                }
                let low = 8 * k as u32;
                let byte = self.pool.extract(low + 7, low, value);
                let condition = write.guard.map_or(here, |g| self.pool.and(&[g, here]));
                if self.pool.constant(condition) == Some(smt::Value::Bool(true)) {
                    last = Some(byte);
                    break 'writes;
                }
                chain.push((condition, byte));
            }
        }
        let origin = |e: &mut Self| e.read_origin(&content.origin, at, Shape::BYTE).bits();
        let mut result = match last.or_else(|| origin(self)) {
            Some(t) => t,
            None => self.pool.bv(8, 0),
        };
        for (condition, byte) in chain.into_iter().rev() {
            result = self.pool.ite(condition, byte, result);
        }
        result
    }

    /// Writes a scalar at a pointer; a gap where the object is not known. Checks have passed before.
    pub(super) fn write(&mut self, state: &mut State, base: Term, offset: Term, shape: Shape, value: Value) {
        let always = self.pool.bool(true);
        self.write_where(state, always, (base, offset), shape, value);
    }

    /// The same, a write that happens where `condition` holds.
    pub(super) fn write_where(
        &mut self,
        state: &mut State,
        condition: Term,
        (base, offset): (Term, Term),
        shape: Shape,
        value: Value,
    ) {
        let candidates = self.candidates(base);
        self.refuse_others(state, &candidates, base);
        self.forget_others(state, &candidates.others);
        let alone = candidates.objects.len() == 1 && candidates.others.is_empty();
        for id in candidates.objects {
            let here = self.is_object_number(base, id);
            let guard = if alone { condition } else { self.pool.and(&[here, condition]) };
            if self.is_false(guard) {
                continue;
            }
            let guard = (self.pool.constant(guard) != Some(smt::Value::Bool(true))).then_some(guard);
            let write = Write { guard, offset, size: shape.bytes(), value };
            state.update(id, |o| {
                if o.content.len() >= MOST_WRITES {
                    o.content = Log::new(Origin::Noise);
                } else {
                    o.content.push(write);
                }
            });
        }
    }

    /// Forgets the content of whatever `base` may be.
    pub(super) fn spoil(&mut self, state: &mut State, base: Term) {
        let candidates = self.candidates(base);
        self.refuse_others(state, &candidates, base);
        self.forget_others(state, &candidates.others);
        for id in candidates.objects {
            state.update(id, |o| o.content = Log::new(Origin::anything()));
        }
    }

    /// The state that is `a` or `b`, whichever control came from; they exclude each other.
    pub fn join(&mut self, a: &State, b: &State) -> State {
        let (common, of_a, of_b) = Path::split(&a.path, &b.path);
        let (in_a, in_b) = (self.pool.and(&of_a), self.pool.and(&of_b));
        let mut joined = State { path: common, ..State::default() };
        let either = self.pool.or(&[in_a, in_b]);
        self.assume(&mut joined, either);
        let condition = if of_a.len() <= of_b.len() { in_a } else { self.pool.not(in_b) };
        joined.scalars = self.join_scalars(&a.scalars, &b.scalars, condition);
        joined.homes = self.join_homes(&a.homes, &b.homes, condition);
        joined.objects = self.join_objects(a, b, in_a, in_b, condition);
        joined
    }

    fn join_scalars(
        &mut self,
        a: &Rc<BTreeMap<Cell, Value>>,
        b: &Rc<BTreeMap<Cell, Value>>,
        condition: Term,
    ) -> Rc<BTreeMap<Cell, Value>> {
        if Rc::ptr_eq(a, b) {
            return a.clone();
        }
        let mut joined = BTreeMap::new();
        for (cell, &x) in a.iter() {
            if let Some(&y) = b.get(cell)
                && let Some(v) = choose(&mut self.pool, condition, x, y)
            {
                joined.insert(*cell, v);
            }
        }
        Rc::new(joined)
    }

    fn join_homes(
        &mut self,
        a: &Rc<BTreeMap<Cell, Term>>,
        b: &Rc<BTreeMap<Cell, Term>>,
        condition: Term,
    ) -> Rc<BTreeMap<Cell, Term>> {
        if Rc::ptr_eq(a, b) {
            return a.clone();
        }
        let mut joined = (**b).clone();
        for (cell, &x) in a.iter() {
            let home = match b.get(cell) {
                Some(&y) => self.pool.ite(condition, x, y),
                None => x,
            };
            joined.insert(*cell, home);
        }
        Rc::new(joined)
    }

    fn join_objects(
        &mut self,
        a: &State,
        b: &State,
        in_a: Term,
        in_b: Term,
        condition: Term,
    ) -> Rc<BTreeMap<ObjectId, Rc<Object>>> {
        if Rc::ptr_eq(&a.objects, &b.objects) {
            return a.objects.clone();
        }
        let mut joined = (*b.objects).clone();
        for (id, y) in b.objects.iter() {
            if y.heap && !a.objects.contains_key(id) {
                let otherwise = self.pool.not(condition);
                joined.insert(*id, self.live_where(y, otherwise));
            }
        }
        for (id, x) in a.objects.iter() {
            let object = match b.objects.get(id) {
                Some(y) if Rc::ptr_eq(x, y) => continue,
                Some(y) => Rc::new(self.join_object(x, y, in_a, in_b, condition)),
                None if x.heap => self.live_where(x, condition),
                None => x.clone(),
            };
            joined.insert(*id, object);
        }
        Rc::new(joined)
    }

    /// A block that exists where the condition holds only.
    fn live_where(&mut self, object: &Object, condition: Term) -> Rc<Object> {
        Rc::new(Object { live: self.pool.and(&[object.live, condition]), ..object.clone() })
    }

    fn join_object(&mut self, x: &Object, y: &Object, in_a: Term, in_b: Term, condition: Term) -> Object {
        let content = if x.content.same(&y.content) {
            x.content.clone()
        } else {
            let pool = &mut self.pool;
            Log::join(&x.content, &y.content, in_a, in_b, &mut |p, q| pool.and(&[p, q]))
        };
        Object {
            size: self.pool.ite(condition, x.size, y.size),
            live: self.pool.ite(condition, x.live, y.live),
            content,
            ..x.clone()
        }
    }
}

/// How a read and a write lie to each other.
enum Overlap {
    Never,
    /// Either the same bytes, under the condition, or none in common.
    Exactly(Term),
    Partly,
}

fn fits(encoder: &Encoder<'_, '_>, value: Value, shape: Shape) -> bool {
    match (value, shape) {
        (Value::Bits(t), Shape::Int { .. } | Shape::Float { .. }) => {
            encoder.pool.sort(t).width() == Some(shape.width())
        }
        (Value::Pointer { .. }, Shape::Pointer { .. }) => true,
        _ => false,
    }
}
