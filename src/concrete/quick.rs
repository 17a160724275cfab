//! Runs [`code`](super::code): it reads the state and writes nothing.
//!
//! Code that meets anything but numbers and whole pointers has no answer, nor has a check that does not hold: then evaluation goes its usual way. Builds with
//! debug assertions hold one answer of seventeen against that way.

use super::code::{Code, Op, Quick, To, WAITING};
use super::machine::{Machine, Resolved, Step, Target};
use super::object::{Life, Object, ObjectKind};
use super::scalar::{Class, Scalar};
use super::value::{Origin, Value};
use crate::ir::{AccessMode, BinaryOp, Check, Expr, Place};

/// A number by its bits, or a byte of an object.
#[derive(Clone, Copy)]
struct Word {
    /// The object's slot; [`Word::NONE`] of a number.
    slot: u32,
    /// The number, or the byte, which may lie outside of the object.
    at: i64,
}

impl Word {
    const NONE: u32 = u32::MAX;

    #[inline]
    fn number(at: i64) -> Word {
        Word { slot: Word::NONE, at }
    }
    #[inline]
    fn truth(holds: bool) -> Word {
        Word::number(i64::from(holds))
    }
    #[inline]
    fn is_number(self) -> bool {
        self.slot == Word::NONE
    }
}

impl<'p> Machine<'p> {
    /// The value of a scalar expression with this code.
    #[inline]
    pub(super) fn value(&mut self, expr: &'p Expr, code: Option<&'p Code>) -> Step<Value> {
        let Some(value) = code.and_then(|code| self.quick(code, self.prepared.scalar(expr.ty))) else {
            return self.eval(expr);
        };
        debug_assert!(
            !self.is_held() || self.is_alike(|m| m.eval(expr).is_ok_and(|v| v == value)),
            "{expr:?}: {value:?}"
        );
        Ok(value)
    }

    /// Whether the value of a scalar expression with this code is not 0.
    #[inline]
    pub(super) fn holds(&mut self, expr: &'p Expr, quick: &'p Quick) -> Step<bool> {
        let Some(holds) = quick.value().and_then(|code| self.quick_truth(code)) else {
            let value = self.eval(expr)?;
            return Ok(self.is_true(value));
        };
        debug_assert!(
            !self.is_held() || self.is_alike(|m| m.eval(expr).is_ok_and(|v| m.is_true(v) == holds)),
            "{expr:?}: {holds}"
        );
        Ok(holds)
    }

    /// Whether a check with this code holds; false, too, where the code has no answer.
    #[inline]
    pub(super) fn surely_holds(&mut self, check: &'p Check, quick: &'p Quick) -> bool {
        let Quick::Check(code) = quick else { return false };
        let holds = self.quick_truth(code) == Some(true);
        debug_assert!(
            !holds || !self.is_held() || self.is_alike(|m| m.judge(check).is_ok_and(|f| f.is_none())),
            "{check:?}"
        );
        holds
    }

    /// Whether the answer of code is held against the usual way now.
    fn is_held(&self) -> bool {
        self.fuel.is_multiple_of(17)
    }

    /// Whether the usual way comes to the same, and notes nothing.
    fn is_alike(&mut self, mut is_so: impl FnMut(&mut Machine<'p>) -> bool) -> bool {
        let noted = (self.flags, self.open_read);
        is_so(self) && noted == (self.flags, self.open_read)
    }

    /// The value of an expression, where its code has an answer.
    #[inline]
    fn quick(&self, code: &Code, s: Scalar) -> Option<Value> {
        let word = self.run_code(&code.ops)?;
        if code.class != Class::Pointer {
            return Some(Value::int(s.number(word.at)));
        }
        let number = self.prepared.pointer.number(self.address_bits(word));
        let origin = match word.is_number() {
            true => Origin::NONE,
            false => Origin { object: self.memory.id(word.slot), first: 0, len: self.prepared.pointer.size },
        };
        Some(Value::Int(number, origin))
    }

    /// Whether a value is not 0, where its code has an answer.
    #[inline]
    fn quick_truth(&self, code: &Code) -> Option<bool> {
        let word = self.run_code(&code.ops)?;
        Some(if code.class == Class::Pointer { self.address_bits(word) != 0 } else { word.at != 0 })
    }

    /// Where a scalar is written to.
    #[inline]
    pub(super) fn destination(&mut self, place: &'p Place, to: &'p To) -> Step<Resolved> {
        let target = match to {
            To::Register(r) => Some(Target::Register(self.frame().registers + *r as usize)),
            To::Byte(code) => self.run_code(&code.ops).and_then(|Word { slot, at }| {
                let is_there =
                    slot != Word::NONE && has_room(self.memory.object(slot), at, self.prepared.size(place.ty));
                is_there.then_some(Target::Memory { slot, at: at as usize })
            }),
            To::Elsewhere => None,
        };
        match target {
            Some(target) => Ok(Resolved { target, ty: place.ty, bits: None }),
            None => self.resolve_place(place),
        }
    }

    fn run_code(&self, ops: &[Op]) -> Option<Word> {
        let frame = self.frame();
        let (registers, locals) = (&self.registers[frame.registers..], &self.locals[frame.locals..]);
        let mut waiting = [Word::number(0); WAITING];
        let mut depth = 0;
        let mut last = Word::number(0);
        for op in ops {
            last = match *op {
                Op::Int(number) => Word::number(number),
                Op::Register(r) => Word::number(in_register(registers, r)?),
                Op::PointerRegister(r) => self.pointer_register(registers, r)?,
                Op::LoadBy(r, behind, s) => self.loaded(self.pointer_register(registers, r)?, behind, s)?,
                Op::Static(slot, at) => Word { slot, at },
                Op::Local(i, at) => Word { slot: locals[i as usize], at },
                Op::Address => {
                    let object = self.memory.object(last.slot);
                    if object.life == Life::Dead || object.address == 0 {
                        return None;
                    }
                    Word { at: self.in_width(last.at), ..last }
                }
                Op::Load(behind, s) => self.loaded(last, behind, s)?,
                Op::LoadStatic(slot, at, s) => self.loaded(Word { slot, at }, 0, s)?,
                Op::LoadLocal(i, at, s) => self.loaded(Word { slot: locals[i as usize], at }, 0, s)?,
                Op::LoadPointer(behind) => {
                    let size = self.prepared.pointer.size;
                    let (object, at) = self.bytes_inside(last, behind, size.into())?;
                    match object.plain(at, size.into()) {
                        Some(bits) => Word::number(bits as i64),
                        None => {
                            let (bits, object) = object.pointer(at, size.into())?;
                            self.pointed(bits as i64, Origin { object, first: 0, len: size })?
                        }
                    }
                }
                Op::Wait => {
                    waiting[depth] = last;
                    depth += 1;
                    continue;
                }
                Op::Binary(op, s) => {
                    depth -= 1;
                    Word::number(compute(op, waiting[depth].at, last.at, s)?)
                }
                Op::WithInt(op, s, number) => Word::number(compute(op, last.at, number, s)?),
                Op::WithRegister(op, s, r) => Word::number(compute(op, last.at, in_register(registers, r)?, s)?),
                Op::Negate(s) => Word::number(s.converted(last.at.wrapping_neg())),
                Op::Complement(s) => Word::number(s.converted(!last.at)),
                Op::Convert(s) => Word::number(s.converted(last.at)),
                Op::Compare(op) => {
                    depth -= 1;
                    Word::truth(self.compare_words(op, waiting[depth], last)?)
                }
                Op::Distance(s) => {
                    depth -= 1;
                    let first = waiting[depth];
                    if first.slot != last.slot {
                        return None;
                    }
                    Word::number(s.converted(first.at.wrapping_sub(last.at)))
                }
                Op::Move => {
                    depth -= 1;
                    self.moved(waiting[depth], last.at)
                }
                Op::MoveBy(bytes) => self.moved(last, bytes),
                Op::Number(s) if last.is_number() => Word::number(s.converted(last.at)),
                Op::Number(_) => return None,
                Op::IsSet => Word::truth(self.address_bits(last) != 0),
                Op::Pointer => Word::number(self.prepared.pointer.converted(last.at)),
                Op::Accessible(size, mode) => Word::truth(self.is_accessible(last, size, mode)),
                Op::AccessibleBy(mode) => {
                    depth -= 1;
                    Word::truth(self.is_accessible(waiting[depth], last.at, mode))
                }
                Op::HasValue(r) => Word::truth(!matches!(registers[r as usize], Value::Undef)),
                Op::HoldsValue(behind, size) => {
                    let (object, at) = self.bytes_inside(last, behind, size.into())?;
                    let size = usize::from(size);
                    Word::truth(object.plain(at, size).is_some() || object.pointer(at, size).is_some())
                }
                Op::Stays(op, s) => {
                    depth -= 1;
                    Word::truth(stays(op, waiting[depth].at, last.at, s))
                }
                Op::Fits(from, to) => {
                    // Numbers with the highest of 64 bits are others where that is a sign.
                    let is_same = from.is_u64() == to.is_u64() || last.at >= 0;
                    Word::truth(is_same && to.converted(last.at) == last.at)
                }
                Op::Below(end) => Word::truth((0..end).contains(&last.at)),
                Op::OneObject => {
                    depth -= 1;
                    Word::truth(!last.is_number() && waiting[depth].slot == last.slot)
                }
            };
        }
        Some(last)
    }

    /// The integer so many bytes behind a byte.
    #[inline]
    fn loaded(&self, byte: Word, behind: i64, s: Scalar) -> Option<Word> {
        let (object, at) = self.bytes_inside(byte, behind, s.size.into())?;
        let bits = object.plain(at, s.size.into())?;
        (bits <= 1 || s.class != Class::Bool).then(|| Word::number(s.converted(bits as i64)))
    }

    #[inline]
    fn pointer_register(&self, registers: &[Value], r: u32) -> Option<Word> {
        match registers[r as usize] {
            Value::Int(number, origin) => self.pointed(number as i64, origin),
            _ => None,
        }
    }

    /// What a value of this origin, read as a pointer, leads to.
    #[inline]
    fn pointed(&self, bits: i64, origin: Origin) -> Option<Word> {
        if origin.is_none() {
            return Some(Word::number(bits));
        }
        let object = self.memory.is_pointer(origin).then(|| self.memory.object(origin.object.slot))?;
        let at = self.in_width(bits.wrapping_sub(object.address as i64));
        (object.generation == origin.object.generation).then_some(Word { slot: origin.object.slot, at })
    }

    /// A distance in the width of pointers.
    #[inline]
    fn in_width(&self, at: i64) -> i64 {
        if self.prepared.pointer.size == 4 { i64::from(at as i32) } else { at }
    }

    #[inline]
    fn moved(&self, base: Word, bytes: i64) -> Word {
        let at = base.at.wrapping_add(bytes);
        let at = if base.is_number() { self.prepared.pointer.converted(at) } else { self.in_width(at) };
        Word { at, ..base }
    }

    /// The bits of the address.
    #[inline]
    fn address_bits(&self, word: Word) -> i64 {
        if word.is_number() {
            return word.at;
        }
        let start = self.memory.object(word.slot).address as i64;
        self.prepared.pointer.converted(start.wrapping_add(word.at))
    }

    /// Compares pointers into one object, or one to NULL: wherever objects lie, these compare alike.
    fn compare_words(&self, op: BinaryOp, a: Word, b: Word) -> Option<bool> {
        let (x, y) = (self.address_bits(a) as u64, self.address_bits(b) as u64);
        let is_certain = a.slot == b.slot || (a.is_number() && x == 0) || (b.is_number() && y == 0);
        is_certain.then(|| op.holds_between(x.cmp(&y)))
    }

    /// The live object in which so many bytes lie behind a byte, and where.
    #[inline]
    fn bytes_inside(&self, byte: Word, behind: i64, size: u64) -> Option<(&Object, usize)> {
        let at = byte.at.checked_add(behind).filter(|_| !byte.is_number())?;
        let object = self.memory.object(byte.slot);
        has_room(object, at, size).then_some((object, at as usize))
    }

    #[inline]
    fn is_accessible(&self, word: Word, size: i64, mode: AccessMode) -> bool {
        if word.is_number() || size <= 0 {
            return false;
        }
        let object = self.memory.object(word.slot);
        let is_spared = mode == AccessMode::Read || object.constant.is_none();
        is_spared && object.kind != ObjectKind::Environment && has_room(object, word.at, size as u64)
    }
}

#[inline]
fn in_register(registers: &[Value], r: u32) -> Option<i64> {
    match registers[r as usize] {
        Value::Int(number, Origin { len: 0, .. }) => Some(number as i64),
        _ => None,
    }
}

/// Whether so many bytes from there lie in an object that lives and has bytes.
#[inline]
fn has_room(object: &Object, at: i64, size: u64) -> bool {
    let is_inside = at >= 0 && size <= object.size && at as u64 <= object.size - size;
    is_inside && object.life == Life::Live && !matches!(object.kind, ObjectKind::Function(_))
}

/// The bits of what an operation gives; None where it errs.
#[inline]
fn compute(op: BinaryOp, a: i64, b: i64, s: Scalar) -> Option<i64> {
    use BinaryOp::*;
    Some(match op {
        Add => s.converted(a.wrapping_add(b)),
        Sub => s.converted(a.wrapping_sub(b)),
        Mul => s.converted(a.wrapping_mul(b)),
        And => a & b,
        Or => a | b,
        Xor => s.converted(a ^ b),
        Eq => i64::from(a == b),
        Ne => i64::from(a != b),
        Lt | Le | Gt | Ge => {
            let ordering = if s.is_u64() { (a as u64).cmp(&(b as u64)) } else { a.cmp(&b) };
            i64::from(op.holds_between(ordering))
        }
        Div | Rem => {
            if b == 0 {
                return None;
            }
            if s.is_u64() {
                let (a, b) = (a as u64, b as u64);
                (if op == Div { a / b } else { a % b }) as i64
            } else {
                let quotient = a.checked_div(b).filter(|quotient| s.converted(*quotient) == *quotient)?;
                if op == Div { quotient } else { a % b }
            }
        }
        Shl | Shr => {
            if !(0..i64::from(s.bits())).contains(&b) {
                return None;
            }
            match op {
                Shl => s.converted(a << b),
                _ if s.is_u64() => (a as u64 >> b) as i64,
                _ => a >> b,
            }
        }
    })
}

/// Whether a sum, difference or product lies in a type of at most 64 bits, not all of them without a sign.
#[inline]
fn stays(op: BinaryOp, a: i64, b: i64, s: Scalar) -> bool {
    let exact = match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Sub => a.checked_sub(b),
        _ => a.checked_mul(b),
    };
    exact.is_some_and(|exact| s.converted(exact) == exact)
}
