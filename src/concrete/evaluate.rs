//! Evaluation of expressions and places, loads and stores. See: Milanese, Miné, Under-approximating Memory Abstractions, Fig. 3.

use super::input::{InputPlace, InputType, ScalarRequest};
use super::machine::{Machine, Resolved, Step, Target, decode};
use super::memory::Pointee;
use super::object::{Life, ObjectKind, Raw, Region};
use super::prepare::Home;
use super::scalar::{Class, Scalar};
use super::value::{Origin, Value};
use crate::base::Idx;
use crate::ir::{BitRange, Expr, ExprKind, Place, PlaceBase, Real, TypeId, VarId};

impl<'p> Machine<'p> {
    /// The value of a scalar expression.
    pub(super) fn eval(&mut self, expr: &'p Expr) -> Step<Value> {
        match &expr.kind {
            ExprKind::Int(v) => Ok(Value::int(*v)),
            ExprKind::Float(v) => Ok(Value::Float(*v)),
            ExprKind::Load(place) => self.load_place(place),
            ExprKind::Binary(op, lhs, rhs) => {
                let a = self.eval(lhs)?;
                let b = self.eval(rhs)?;
                self.binary(*op, a, b, self.prepared.scalar(lhs.ty))
            }
            ExprKind::Cast(inner) => {
                let value = self.eval(inner)?;
                self.cast(value, self.prepared.scalar(inner.ty), self.prepared.scalar(expr.ty))
            }
            ExprKind::PtrAdd(pointer, bytes) => {
                let p = self.eval(pointer)?;
                let n = self.eval(bytes)?;
                Ok(self.pointer_add(p, n))
            }
            ExprKind::AddrOf(var, offset) => self.address_of(*var, *offset),
            ExprKind::Unary(op, inner) => {
                let value = self.eval(inner)?;
                self.unary(*op, value, self.prepared.scalar(expr.ty))
            }
            ExprKind::PtrDiff(lhs, rhs) => {
                let a = self.eval(lhs)?;
                let b = self.eval(rhs)?;
                Ok(self.pointer_diff(a, b, self.prepared.scalar(expr.ty)))
            }
            ExprKind::FuncAddr(function) => {
                let pointer = self.memory.pointer(self.prepared.function_slot(*function), 0);
                self.granted(pointer)
            }
            ExprKind::LabelAddr(block) => {
                let slot = self.prepared.function_slot(self.frame().function);
                let pointer = self.memory.pointer(slot, 1 + block.index() as i128);
                self.granted(pointer)
            }
        }
    }

    /// The number of an integer expression.
    pub(super) fn eval_int(&mut self, expr: &'p Expr) -> Step<i128> {
        let value = self.eval(expr)?;
        Ok(self.observe(value))
    }

    /// A length: a number of bytes or characters.
    pub(super) fn eval_length(&mut self, expr: &'p Expr) -> Step<u64> {
        let n = self.eval_int(expr)?;
        Ok(u64::try_from(n).unwrap_or(u64::MAX))
    }

    fn address_of(&mut self, var: VarId, offset: i64) -> Step<Value> {
        match self.slot_of(var) {
            Some(slot) => {
                self.ensure_live(slot);
                let pointer = self.memory.pointer(slot, i128::from(offset));
                self.granted(pointer)
            }
            None => self.undecided("the address of a register"),
        }
    }

    /// Whether an expression is the address of a variable whose lifetime has ended.
    pub(super) fn is_out_of_scope(&self, address: &Expr) -> bool {
        let ExprKind::AddrOf(var, _) = address.kind else { return false };
        self.slot_of(var).is_some_and(|slot| self.memory.object(slot).life == Life::Dead)
    }

    /// A variable that is named is in scope, so it is alive, even where a jump has passed its declaration.
    #[inline]
    fn ensure_live(&mut self, slot: u32) {
        if self.memory.object(slot).life == Life::Dead {
            self.memory.revive(slot);
        }
    }

    /// The place with its address computed; the bytes lie in a live object.
    #[inline]
    pub(super) fn resolve_place(&mut self, place: &'p Place) -> Step<Resolved> {
        let target = match &place.base {
            PlaceBase::Var(var) => match self.prepared.home(*var) {
                Home::Register(r) => Target::Register(self.frame().registers + r as usize),
                Home::Frame(i) => {
                    let slot = self.locals[self.frame().locals + i as usize];
                    self.ensure_live(slot);
                    self.inside(slot, i128::from(place.offset), place)?
                }
                Home::Static(slot) => self.inside(slot, i128::from(place.offset), place)?,
            },
            PlaceBase::Deref(pointer) => {
                let pointer = self.eval(pointer)?;
                match self.pointee(pointer) {
                    Pointee::Object { slot, offset } => self.inside(slot, offset + i128::from(place.offset), place)?,
                    Pointee::Null => return self.stuck("access through NULL"),
                    _ => return self.stuck("access through an invalid pointer"),
                }
            }
        };
        Ok(Resolved { target, ty: place.ty, bits: place.bits })
    }

    /// The target at `offset` of an object, when the place's bytes lie in it and it is alive.
    #[inline]
    fn inside(&mut self, slot: u32, offset: i128, place: &Place) -> Step<Target> {
        let object = self.memory.object(slot);
        let (first, end) = match place.bits {
            None => (0, self.prepared.size(place.ty)),
            Some(bits) => {
                let (first, last) = super::object::bit_bytes(bits);
                (first as u64, last as u64)
            }
        };
        if object.life == Life::Dead {
            return self.stuck("access to an object whose lifetime has ended");
        }
        if offset + i128::from(first) < 0 || offset + i128::from(end) > i128::from(object.size) {
            if object.kind == ObjectKind::Environment {
                return self.undecided("access to an object of the environment");
            }
            return self.stuck("access outside an object");
        }
        // A bit-field's storage unit may start before an object whose first bits it does not touch; none is laid out so.
        if offset < 0 {
            return self.undecided("a storage unit that starts before its object");
        }
        Ok(Target::Memory { slot, at: offset as usize })
    }

    /// The scalar at a place.
    #[inline]
    pub(super) fn load_place(&mut self, place: &'p Place) -> Step<Value> {
        if let PlaceBase::Var(var) = place.base
            && let Home::Register(r) = self.prepared.home(var)
        {
            let at = self.frame().registers + r as usize;
            return match self.registers[at] {
                Value::Undef if self.unwritten && !self.spoiled.contains(&at) => {
                    self.register_unwritten(var, at, place.ty)
                }
                value => Ok(value),
            };
        }
        let resolved = self.resolve_place(place)?;
        self.load(resolved)
    }

    /// The scalar at a resolved place.
    pub(super) fn load(&mut self, place: Resolved) -> Step<Value> {
        let (slot, at) = match place.target {
            Target::Register(r) => return Ok(self.registers[r]),
            Target::Memory { slot, at } => (slot, at),
        };
        let scalar = self.prepared.scalar(place.ty);
        if scalar.class == Class::NotScalar {
            return self.undecided("an aggregate read as a scalar");
        }
        let raw = match place.bits {
            None => self.memory.object(slot).load(at, scalar.stored()),
            Some(bits) => self.memory.object(slot).load_bits(at, bits),
        };
        let (bits, origin) = match raw {
            Raw::Number(bits, origin) => (bits, origin),
            Raw::Mixed(bits) => {
                self.flags.layout_dependent = true;
                (bits, Origin::NONE)
            }
            Raw::Indeterminate if self.unwritten && place.bits.is_none() => {
                return self.load_unwritten(slot, at, place);
            }
            Raw::Indeterminate => return Ok(Value::Undef),
            Raw::Open => {
                self.open_read = true;
                return Ok(Value::Undef);
            }
            Raw::External => return self.load_external(slot, at, place),
        };
        if let Some(range) = place.bits {
            return Ok(Value::int(extend(bits, range, scalar)));
        }
        match scalar.class {
            Class::Int | Class::Pointer => Ok(Value::Int(scalar.wrap(bits as i128), origin)),
            Class::Bool => {
                self.flags.indeterminate |= bits > 1;
                Ok(Value::int(i128::from(bits != 0)))
            }
            _ => {
                self.flags.layout_dependent |= !origin.is_none();
                Ok(decode(scalar, bits, Origin::NONE))
            }
        }
    }

    /// Unknown content becomes an input when it is first read.
    fn load_external(&mut self, slot: u32, at: usize, place: Resolved) -> Step<Value> {
        let (ObjectKind::Variable(var, _), None) = (self.memory.object(slot).kind.clone(), place.bits) else {
            return self.undecided("content of an object of the environment");
        };
        let Some(ty) = self.input_type(place.ty) else {
            let name = &self.program.variables[var].name;
            return self.undecided(format!("a pointer in '{name}', which no unit defines"));
        };
        self.flags.extern_dependent = true;
        let value = self.input_scalar(InputPlace::External(var, at as u64), ty, None, None)?;
        self.store(place, value)?;
        Ok(value)
    }

    /// Asks for a scalar input in the range, or the type's.
    pub(super) fn input_scalar(
        &mut self,
        place: InputPlace,
        ty: InputType,
        range: Option<(Value, Value)>,
        // What it is known to be.
        known: Option<Value>,
    ) -> Step<Value> {
        use super::input::InputValue;
        let occurrence = self.occurrence(place);
        match ty {
            InputType::Int(kind) => {
                let whole = self.program.types.int_range(kind);
                let (low, high) = match range {
                    Some((low, high)) => (self.observe(low).max(whole.0), self.observe(high).min(whole.1)),
                    None => whole,
                };
                if low > high {
                    return Err(Box::new(super::outcome::Outcome::Assumption));
                }
                let piece = match place {
                    InputPlace::Site(input) => self.prepared.pieces[input.index()],
                    _ => None,
                };
                let reading = piece.and_then(|piece| self.streams.reading(piece));
                let put_back = piece.and_then(|piece| self.streams.comes(piece));
                let known = known.or(put_back.map(|byte| Value::int(byte.into())));
                let is_written = matches!(place, InputPlace::Site(input) if self.prepared.written[input.index()]);
                let counts_scanned = matches!(place, InputPlace::Site(input) if self.counts_scanned(input));
                let usual = if is_written || counts_scanned { high } else { 0i128.clamp(low, high) };
                let request = ScalarRequest { place, occurrence, ty, low, high, usual, float_range: None, reading };
                // It is asked in any case: who answers from a list goes on in it.
                let chosen = match (self.inputs.scalar(&request), known) {
                    (_, Some(Value::Int(v, _))) | (InputValue::Int(v), _) => v.clamp(low, high),
                    _ => 0i128.clamp(low, high),
                };
                self.flags.astray |= piece.is_some_and(|piece| {
                    !self.streams.answered(piece, reading, chosen)
                        | !self.streams.may_follow_scan(piece, u8::try_from(chosen).ok())
                });
                let is_settled = known.is_some() || matches!(place, InputPlace::Site(input) if self.is_scanned(input));
                if counts_scanned && known.is_none() {
                    self.flags.astray |= !self.streams.scan_gave(chosen, low == 0) && !is_settled;
                }
                if reading.is_some_and(|reading| reading.piece.is_end(chosen) && self.streams.meets_end(reading.file)) {
                    match self.ends_left.checked_sub(1) {
                        Some(left) => self.ends_left = left,
                        None => return self.out_of(super::outcome::Fuel::Ends),
                    }
                }
                self.record(place, occurrence, InputValue::Int(chosen), Some((low, high)))?;
                self.note_source(reading, is_settled);
                if is_written && chosen == usual {
                    self.note_usual();
                }
                Ok(Value::int(chosen))
            }
            InputType::Float(kind) => {
                let float_range = range.map(|(low, high)| {
                    let [low, high] = [low, high].map(|end| self.observe_float(end, kind).to_f64());
                    (low, high)
                });
                let (low, high, usual) = (0, 0, 0);
                let request = ScalarRequest { place, occurrence, ty, low, high, usual, float_range, reading: None };
                let mut chosen = match (self.inputs.scalar(&request), known) {
                    (_, Some(Value::Float(v))) => v.to_f64(),
                    (InputValue::Float(v), _) => Real::new(kind, v).to_f64(),
                    _ => 0.0,
                };
                if let Some((low, high)) = float_range {
                    if low > high || low.is_nan() || high.is_nan() {
                        return Err(Box::new(super::outcome::Outcome::Assumption));
                    }
                    chosen = if chosen.is_nan() { low } else { chosen.clamp(low, high) };
                }
                self.record(place, occurrence, InputValue::Float(chosen), None)?;
                self.note_source(None, known.is_some());
                Ok(Value::Float(Real::new(kind, chosen)))
            }
        }
    }

    /// Writes a scalar.
    #[inline]
    pub(super) fn store(&mut self, place: Resolved, value: Value) -> Step<()> {
        let (slot, at) = match place.target {
            Target::Register(r) => {
                if self.unwritten && value == Value::Undef {
                    self.spoiled.insert(r);
                } else if !self.spoiled.is_empty() {
                    self.spoiled.remove(&r);
                }
                self.registers[r] = value;
                return Ok(());
            }
            Target::Memory { slot, at } => (slot, at),
        };
        let scalar = self.prepared.scalar(place.ty);
        if scalar.class == Class::NotScalar {
            return self.undecided("a scalar written to an aggregate");
        }
        let reserved = self.memory.reserve(slot, at + usize::from(scalar.size));
        self.granted(reserved)?;
        if self.is_unjudged_write(slot, at, scalar.size.into()) {
            return self.stuck("a write to a constant object");
        }
        if let Some(bits) = place.bits {
            return self.store_bits(slot, at, bits, value);
        }
        let object = &mut self.memory.objects[slot as usize];
        match value {
            // Bytes have no sign: which number it is counts from here on.
            Value::Int(v, origin) if origin.is_unspecified() => {
                object.store(at, usize::from(scalar.size), v as u128, Origin::NONE);
                self.flags.approximated = true;
            }
            Value::Int(v, origin) => object.store(at, usize::from(scalar.size), v as u128, origin),
            Value::Float(x) => match scalar.float() {
                Some(kind) => {
                    object.store(at, scalar.stored(), x.to_kind(kind).bits(), Origin::NONE);
                    object.store_open(at + scalar.stored(), usize::from(scalar.size) - scalar.stored());
                }
                None => return self.undecided("a float written as an integer"),
            },
            // It may come from what C leaves open.
            Value::Undef if self.open_read => object.store_open(at, usize::from(scalar.size)),
            Value::Undef => object.store_indeterminate(at, usize::from(scalar.size)),
        }
        Ok(())
    }

    /// Whether a write that no check has judged meets constant bytes: initializers write to automatic objects only, models to any.
    fn is_unjudged_write(&self, slot: u32, at: usize, size: u64) -> bool {
        let object = self.memory.object(slot);
        let is_static = matches!(object.kind, ObjectKind::Variable(_, 0));
        let in_model = || self.frames.last().is_some_and(|frame| frame.body.library);
        object.constant.touched(at as u64, size) && (is_static || in_model())
    }

    fn store_bits(&mut self, slot: u32, at: usize, bits: BitRange, value: Value) -> Step<()> {
        let number = match value {
            Value::Undef => None,
            value => Some(self.observe(value) as u128),
        };
        self.memory.objects[slot as usize].store_bits(at, bits, number);
        Ok(())
    }

    /// The bytes of an aggregate at a place.
    pub(super) fn load_aggregate(&mut self, place: &'p Place) -> Step<Region> {
        let size = self.prepared.size(place.ty) as usize;
        match self.resolve_place(place)?.target {
            Target::Memory { slot, at } => {
                if self.memory.object(slot).kind == ObjectKind::Environment {
                    return self.undecided("a copy of an object of the environment");
                }
                if size as u64 > self.memory.limit {
                    return self.out_of(super::outcome::Fuel::Memory);
                }
                Ok(self.copy_of(slot, at, size))
            }
            Target::Register(_) => self.undecided("an aggregate in a register"),
        }
    }

    /// Writes the bytes of an aggregate; its padding gets values that C leaves open (C11 6.2.6.1p6).
    pub(super) fn store_aggregate(&mut self, place: Resolved, region: &Region) -> Step<()> {
        let Target::Memory { slot, at } = place.target else { return self.undecided("an aggregate in a register") };
        let reserved = self.memory.reserve(slot, at + region.len());
        self.granted(reserved)?;
        self.memory.objects[slot as usize].store_region(at, region);
        self.open_padding(slot, at, place.ty);
        Ok(())
    }

    /// The padding of a record gets values that C leaves open.
    fn open_padding(&mut self, slot: u32, at: usize, ty: TypeId) {
        let object = &mut self.memory.objects[slot as usize];
        for gap in self.prepared.padding(ty) {
            gap.bytes().for_each(|(byte, mask)| object.open_bits(at + byte as usize, mask));
        }
    }

    /// Whether values of the type are copied as bytes.
    #[inline]
    pub(super) fn is_aggregate(&self, ty: TypeId) -> bool {
        self.prepared.scalar(ty).class == Class::NotScalar
    }
}

/// The value of a bit-field's bits, extended by the signedness of its type.
fn extend(bits: u128, range: BitRange, scalar: Scalar) -> i128 {
    crate::ir::types::wrap_bits(bits as i128, u32::from(range.width), scalar.signed)
}
