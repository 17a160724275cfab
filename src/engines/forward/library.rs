//! Library functions by their contracts.

use super::analyzer::{Analyzer, Flow};
use super::differences::{Cell, Copied, Filled, Linear, Term};
use super::extent::Target;
use super::float_function::float_function;
use super::judge::terminated;
use super::object::Object;
use super::shape::{Kind, Shape};
use crate::domains::{Int, IntType, Pointers, Value, arithmetic};
use crate::ir::{Expr, LibFn, Place, TypeId};

/// How many characters are looked at one by one.
pub(super) const STRING: i64 = 4096;

impl Analyzer<'_, '_> {
    /// The effect of a library call and its result.
    pub(super) fn library(&mut self, flow: &mut Flow, function: LibFn, dest: Option<&Place>, args: &[Expr]) {
        // The address of the result is settled before the effects.
        let address = dest.map(|d| self.view(flow).address(d));
        let values: Vec<Value> = {
            let view = self.view(flow);
            args.iter().map(|a| view.eval(a)).collect()
        };
        let result = dest.map(|d| self.library_result(flow, function, d.ty, args, &values));
        let found = dest.and_then(|_| self.text_found(flow, function, args, &values));
        let copied = self.result_terms(flow, function, args, &values);
        let length = self.length_written(flow, function, args);
        self.library_effect(flow, function, args, &values);
        if let Some(length) = length {
            self.note_length(flow, length);
        }
        flow.state.note_copied(Cell::New, &copied);
        if let (Some(place), Some(address), Some(value)) = (dest, address, result) {
            let cell = self.view(flow).holder_at(place, &address);
            let filled = self.view(flow).filled_by_result(place, &address, &value);
            self.store_at(flow, place, &address, value.clone());
            flow.state.note_filled(filled);
            flow.state.settle(Cell::New, cell);
            self.note_written(flow, cell, &value, found);
            if let Some(flag) = cell {
                self.note_equal_starts(flow, flag, function, args, &values);
            }
        }
    }

    /// What is known of the result from bounds.
    fn result_terms(&self, flow: &Flow, function: LibFn, args: &[Expr], values: &[Value]) -> Vec<Copied> {
        match (function, args) {
            (LibFn::StrLen(1), [string]) => {
                let length = self.view(flow).length_of(string).map(Linear::term);
                length.map(|length| Copied::equal(Term::Number(Cell::New), length)).into_iter().collect()
            }
            (LibFn::FormatLength(1), _) => self.format_terms(flow, args, values).unwrap_or_default(),
            _ => Vec::new(),
        }
    }

    fn length(&self, flow: &Flow, value: Option<&Value>) -> Int {
        let view = self.view(flow);
        let t = view.address_type();
        value.map_or(t.top(), |v| view.numbers(v, t))
    }

    fn library_effect(&mut self, flow: &mut Flow, function: LibFn, args: &[Expr], values: &[Value]) {
        let here = |i: usize| values.get(i).map_or(Pointers::none(), |v| v.pointers.clone());
        let target = |a: &Self, i: usize| match args.get(i) {
            Some(arg) => a.target_of(arg, here(i)),
            None => Target::of(Pointers::none()),
        };
        match function {
            LibFn::MemCopy => {
                let len = self.length(flow, values.get(2));
                let to = target(self, 0);
                let moved = match args {
                    [ptr, from, size, ..] => self.view(flow).stays_filled_moved(&to, len, (ptr, from, size)),
                    _ => Filled::none(),
                };
                self.copy(flow, &to, &here(1), len);
                flow.state.note_filled(moved);
                self.note_text(flow, values.get(3));
            }
            LibFn::MemSet => {
                let len = self.length(flow, values.get(2));
                let view = self.view(flow);
                let t = args.get(1).and_then(|a| view.int_type(a.ty)).unwrap_or(IntType::signed(32));
                let byte = values.get(1).map_or(t.top(), |v| view.numbers(v, t));
                let to = target(self, 0);
                let filled = match args {
                    [ptr, _, size, ..] => view.filled_at_once(view.spelled(ptr), view.spelled(size)),
                    _ => Filled::none(),
                };
                self.set_bytes(flow, &to, len, &Value::int(IntType::unsigned(8).wrap(byte)));
                flow.state.note_filled(filled);
                self.note_text(flow, values.get(3));
            }
            LibFn::LeaveOpen | LibFn::Unsettle => {
                let len = self.length(flow, values.get(1));
                // What stays as it is may be any of them.
                let len = if function == LibFn::Unsettle { len.join(Int::constant(0)) } else { len };
                let to = target(self, 0);
                self.set_bytes(flow, &to, len, &Shape::BYTE.anything());
            }
            LibFn::WMemSet => {
                let count = self.length(flow, values.get(2));
                let len = arithmetic::mul(count, Int::constant(4)).unwrap_or(Int::range(0, i128::from(u64::MAX)));
                let zero = values.get(1).and_then(Value::as_constant) == Some(0);
                let byte = if zero { Int::constant(0) } else { Int::range(0, 255) };
                let to = target(self, 0);
                self.set_bytes(flow, &to, len, &Value::int(byte));
            }
            LibFn::FormatWrite(size) => {
                let to = target(self, 0);
                self.format_write(flow, size, &to, values);
            }
            LibFn::Sort => {
                let target = target(self, 0);
                self.sort(flow, &target, args);
            }
            _ => {
                // The rest writes nothing; what does is treated as if it wrote anything.
                if let Some(i) = function.effects().writes {
                    let to = target(self, i);
                    self.spoil(flow, &to, &Shape::BYTE.anything());
                }
            }
        }
    }

    /// At most `count` characters, the last of them a zero.
    fn format_write(&mut self, flow: &mut Flow, char_size: u8, target: &Target, values: &[Value]) {
        let count = self.length(flow, values.get(1));
        let size = i128::from(char_size);
        let unbounded = i128::from(i64::MAX);
        let most = count.hi().checked_mul(size).unwrap_or(unbounded).min(unbounded);
        if most <= 0 {
            return;
        }
        // Somewhere in these bytes, of which none is left as it was for sure.
        self.set_bytes(flow, target, Int::range(0, most), &Value::int(Int::range(0, 255)));
        if let (&[(base, offset)], false) = (target.targets(), target.is_any())
            && count.lo() > 0
            && offset.lo() >= 0
            && !self.bases.is_summary(base)
        {
            let last = offset.hi().saturating_add(most - 1).min(unbounded) as i64;
            flow.state.update(&self.bases, base, |o| o.zeros.place(offset.lo() as i64, last));
            if char_size == 1 {
                self.note_text(flow, Some(&Value::pointers(target.pointers.clone())));
            }
        }
    }

    /// Notes that a string starts where `text` points, all of its characters set and its zero in the object.
    fn note_text(&self, flow: &mut Flow, text: Option<&Value>) {
        let Some(text) = text.filter(|v| v.int.is_none() && !v.undefined && !v.pointers.is_any()) else { return };
        let &[(base, offset)] = text.pointers.targets() else { return };
        if self.bases.is_summary(base) || offset.hi() < 0 {
            return;
        }
        let start = offset.lo().clamp(0, i128::from(i64::MAX)) as i64;
        let exact = offset.as_constant() == Some(i128::from(start));
        flow.state.learn(&self.bases, base, |o| match exact {
            true => o.begin_text(start),
            false => o.zeros.place(start, i64::MAX),
        });
    }

    fn library_result(&self, flow: &Flow, function: LibFn, ty: TypeId, args: &[Expr], values: &[Value]) -> Value {
        let view = self.view(flow);
        let top = Shape::of(&self.program.types, ty).map_or(Value::bottom(), Shape::top);
        let int = |i: usize| {
            let t = args.get(i).and_then(|a| view.int_type(a.ty))?;
            Some((view.numbers(values.get(i)?, t), t))
        };
        let within = |lo: i128, hi: i128| match view.int_type(ty) {
            Some(t) => Value::int(t.wrap(Int::range(lo, hi))),
            None => top.clone(),
        };
        match function {
            LibFn::StrLen(size) | LibFn::StrNLen(size) => {
                let ends = matches!(function, LibFn::StrLen(_));
                let all = values.first().map_or(Int::range(0, 0), |v| self.string_length(flow, v, size, ends));
                match (function, values.get(1)) {
                    (LibFn::StrNLen(_), Some(_)) => {
                        let max = self.length(flow, values.get(1));
                        within(all.lo().min(max.lo()).max(0), all.hi().min(max.hi()).max(0))
                    }
                    _ => within(all.lo(), all.hi()),
                }
            }
            LibFn::StrCompared(size) => self.compared(flow, values, size),
            LibFn::StrCaseCompared => self.compared(flow, values, 1),
            LibFn::MemSearched(size) => self.searched(flow, values, size),
            LibFn::StrSpn(size) | LibFn::StrCSpn(size) => {
                within(0, values.first().map_or(0, |v| self.string_length(flow, v, size, true).hi()))
            }
            LibFn::MemChr(_) | LibFn::StrChr(_) | LibFn::StrRChr(_) | LibFn::StrStr(_) | LibFn::StrPBrk(_) => {
                let mut result = self.inside_argument(flow, values.first());
                result.int = Some(Int::constant(0));
                result
            }
            LibFn::Atoi | LibFn::StrToInt => match view.int_type(ty) {
                Some(t) => Value::int(self.number_in_text(flow, function, t, values)),
                None => top,
            },
            LibFn::StrToIntEnd | LibFn::StrToFloatEnd => self.inside_argument(flow, values.first()),
            // What says that a character is of a class is any number but 0 (C11 7.4.1p1).
            LibFn::OverflowFlag | LibFn::Parity => within(0, 1),
            _ if function.class().is_some() => {
                let character = int(0).zip(view.int_type(ty));
                character.and_then(|((c, _), t)| self.of_class(function, c, t)).unwrap_or(top)
            }
            LibFn::ToUpper | LibFn::ToLower => match int(0) {
                // Letters stay letters; what is none stays as it is.
                Some((c, _)) => within(c.lo().min(65), c.hi().max(122)),
                None => top,
            },
            LibFn::Abs => match int(0) {
                Some((x, t)) => {
                    let negated = t.wrap_result(arithmetic::neg(x));
                    let parts =
                        [x.clamp(0, i128::MAX), negated.clamp(0, i128::MAX), x.clamp(t.bounds().lo, t.bounds().lo)];
                    let all = parts.into_iter().flatten().reduce(Int::join).unwrap_or(t.top());
                    Value::int(view.int_type(ty).map_or(all, |t| t.wrap(all)))
                }
                None => top,
            },
            LibFn::PopCount => match int(0) {
                Some((_, t)) => within(0, i128::from(t.bits)),
                None => top,
            },
            LibFn::Ffs => match int(0) {
                Some((_, t)) => within(0, i128::from(t.bits)),
                None => top,
            },
            LibFn::FormatLength(size) => match self.format_length(flow, size, args, values) {
                Some(length) => within(length.lo(), length.hi()),
                None => top,
            },
            LibFn::OverflowResult => self.overflow_result(flow, ty, args, values).unwrap_or(top),
            _ if function.is_of_floats() => float_function(&view, function, ty, args, values).unwrap_or(top),
            // Of the rest only the type is known.
            _ if Shape::of(&self.program.types, ty).is_some_and(|s| s.kind == Kind::Float) => top,
            _ if self.program.types.is_pointer(ty) => Shape::of(&self.program.types, ty).map_or(top, Shape::anything),
            _ => top,
        }
    }

    /// How many characters a comparison looks at: not past the end of either string.
    fn compared(&self, flow: &Flow, values: &[Value], char_size: u8) -> Value {
        let far = i128::from(i64::MAX);
        let max = values.get(2).map_or(Int::constant(far), |_| self.length(flow, values.get(2)));
        let string = |v: &Value| {
            let mut most = None;
            for &(base, offset) in v.pointers.targets() {
                let object = flow.state.object(&self.bases, base)?;
                if !terminated(object, offset, char_size, None) {
                    return None;
                }
                most = most.max(Some(length_in(object, offset, char_size, true).hi()));
            }
            let plain = v.int.is_none() && !v.undefined && !v.pointers.is_any() && v.pointers.functions().is_empty();
            most.filter(|_| plain).map(|length| length + 1)
        };
        let most = values.iter().take(2).filter_map(string).fold(max.hi(), i128::min);
        Value::int(Int::range(max.lo().clamp(0, 1).min(most.max(0)), most.max(0)))
    }

    /// How many characters a search among so many looks at.
    fn searched(&self, flow: &Flow, values: &[Value], char_size: u8) -> Value {
        let count = self.length(flow, values.get(2));
        let (least, most) = self.first_found(flow, values, char_size).unwrap_or((1, i128::MAX));
        let most = most.min(count.hi()).max(0);
        Value::int(Int::range(least.min(count.lo()).clamp(0, most), most))
    }

    /// Which character, counted from 1, the first one that is sought may be, and which it is for sure.
    fn first_found(&self, flow: &Flow, values: &[Value], char_size: u8) -> Option<(i128, i128)> {
        let (text, wanted) = (values.first()?, values.get(1)?.as_constant()?);
        let plain = text.int.is_none() && !text.undefined && !text.pointers.is_any();
        let &[(base, offset)] = text.pointers.targets() else { return None };
        let start = i64::try_from(offset.as_constant()?).ok().filter(|o| *o >= 0 && plain)?;
        let object = flow.state.object(&self.bases, base).filter(|x| !x.life.may_be_dead)?;
        let wanted = if char_size == 1 { i128::from(wanted as u8) } else { i128::from(wanted as u32) };
        let room = (object.size.lo().min(i128::from(i64::MAX)) - i128::from(start)) / i128::from(char_size);
        let mut least = None;
        for (k, c) in object.characters(start, char_size, room.min(i128::from(STRING)) as i64) {
            if c.undefined || !c.pointers.is_none() || c.int.is_none_or(|i| i.contains(wanted)) {
                least.get_or_insert(i128::from(k) + 1);
            }
            if c.as_constant() == Some(wanted) {
                return Some((least?, i128::from(k) + 1));
            }
        }
        Some((least.unwrap_or(room.clamp(0, i128::from(STRING)) + 1), i128::MAX))
    }

    fn overflow_result(&self, flow: &Flow, ty: TypeId, args: &[Expr], values: &[Value]) -> Option<Value> {
        let view = self.view(flow);
        let number = |i: usize| {
            let t = view.int_type(args.get(i)?.ty)?;
            (t.bits < 128).then(|| view.numbers(&values[i], t))
        };
        let (x, y) = (number(1)?, number(2)?);
        let exact = match values.first()?.as_constant()? {
            0 => arithmetic::add(x, y),
            1 => arithmetic::sub(x, y),
            2 => arithmetic::mul(x, y),
            _ => return None,
        };
        Some(Value::int(view.int_type(ty)?.wrap_result(exact)))
    }

    /// The pointer argument moved to a byte behind it in its object: what is found is there, or the string's zero.
    fn inside_argument(&self, flow: &Flow, value: Option<&Value>) -> Value {
        let Some(value) = value else { return Value::pointers(Pointers::any()) };
        let pointers = value.pointers.filter_targets(|b, o| {
            let end = flow.state.object(&self.bases, b).map_or(i128::from(i64::MAX), |x| x.size.hi());
            let (lo, hi) = (o.lo().max(0), (end - 1).max(o.lo()).max(0));
            Some(Int::range(lo, hi))
        });
        if pointers.is_none() { Value::pointers(Pointers::any()) } else { Value::pointers(pointers) }
    }

    /// Characters before the first zero, or, where there need not be one (not `ends`), before the end of the object.
    pub(super) fn string_length(&self, flow: &Flow, value: &Value, char_size: u8, ends: bool) -> Int {
        let far = Int::range(0, i128::from(i64::MAX));
        if value.pointers.is_any() || value.undefined {
            return far;
        }
        let mut all: Option<Int> = None;
        for &(base, offset) in value.pointers.targets() {
            let Some(object) = flow.state.object(&self.bases, base) else { continue };
            let one = length_in(object, offset, char_size, ends);
            all = Some(all.map_or(one, |a| a.join(one)));
        }
        all.unwrap_or(far)
    }
}

/// The length of a string in `object`. With `ends` it has a zero there, by the check that stands before; else it may go up to
/// the object's end, too.
fn length_in(object: &Object, offset: Int, char_size: u8, ends: bool) -> Int {
    let step = i64::from(char_size);
    let room = ((object.size.hi().min(i128::from(i64::MAX)) - offset.lo().max(0)) / i128::from(step)).max(0);
    let most = (room - i128::from(ends)).max(0);
    let Some(start) = offset.as_constant().and_then(|o| i64::try_from(o).ok()).filter(|o| *o >= 0) else {
        // Up to the first byte behind all starts that is zero for sure.
        return Int::range(0, most);
    };
    let mut least: Option<i128> = None;
    for (k, c) in object.characters(start, char_size, STRING.min(room as i64)) {
        let may_be_zero = c.undefined || !c.pointers.is_none() || c.int.is_none_or(|i| i.contains(0));
        if may_be_zero {
            least.get_or_insert(i128::from(k));
        }
        if c.as_constant() == Some(0) {
            return Int::range(least.unwrap_or(0), i128::from(k));
        }
    }
    // Not seen to the end.
    let seen = i128::from(STRING).min(most);
    let lo = least.unwrap_or(seen).min(most);
    Int::range(lo, most)
}
