//! Memory and strings: what `string.h` and `wchar.h` do, characters of 1 or 4 bytes.

use crate::concrete::machine::{Machine, Step};
use crate::concrete::memory::Pointee;
use crate::concrete::object::{Life, ObjectKind, Raw};
use crate::concrete::outcome::Fuel;
use crate::concrete::value::{Origin, Value};

/// Where characters are read.
#[derive(Clone, Copy)]
pub(in crate::concrete) struct Text {
    pub slot: u32,
    pub at: u64,
    pub char_size: u8,
}

impl Machine<'_> {
    /// The object and offset of `len` bytes that a pointer's target must have.
    fn accessible(&mut self, pointer: Value, len: u64) -> Step<(u32, usize)> {
        let Pointee::Object { slot, offset } = self.pointee(pointer) else {
            return self.stuck("a library function's argument points to no object");
        };
        let object = self.memory.object(slot);
        if object.kind == ObjectKind::Environment {
            return self.undecided("access to an object of the environment");
        }
        if object.life == Life::Dead {
            return self.stuck("access to an object whose lifetime has ended");
        }
        if offset < 0 || offset + i128::from(len) > i128::from(object.size) {
            return self.stuck("access outside an object");
        }
        Ok((slot, offset as usize))
    }
    /// The same, to be read.
    pub(in crate::concrete) fn readable(&mut self, pointer: Value, len: u64) -> Step<(u32, usize)> {
        self.accessible(pointer, len)
    }
    /// The same, to be written: the room is made.
    pub(in crate::concrete) fn writable(&mut self, pointer: Value, len: u64) -> Step<(u32, usize)> {
        let (slot, at) = self.accessible(pointer, len)?;
        let object = self.memory.object(slot);
        let is_static = matches!(object.kind, ObjectKind::Variable(_, 0));
        if is_static && object.constant.touched(at as u64, len) {
            return self.stuck("a write to a constant object");
        }
        let reserved = self.memory.reserve(slot, at + len as usize);
        self.granted(reserved)?;
        Ok((slot, at))
    }
    /// The character at an offset, unsigned; its bytes lie in the object or the run is stuck.
    #[inline]
    pub(in crate::concrete) fn character(&mut self, slot: u32, at: u64, char_size: u8) -> Step<u32> {
        self.characters += 1;
        if self.characters.is_multiple_of(64) {
            // Long strings cost fuel as well.
            if self.fuel == 0 {
                return self.out_of(Fuel::Statements);
            }
            self.fuel -= 1;
        }
        let object = self.memory.object(slot);
        if at + u64::from(char_size) > object.size {
            return self.stuck("a string without an end in its object");
        }
        match object.load(at as usize, usize::from(char_size)) {
            Raw::Number(bits, origin) => {
                self.flags.layout_dependent |= !origin.is_none();
                Ok(bits as u32)
            }
            Raw::Mixed(bits) => {
                self.flags.layout_dependent = true;
                Ok(bits as u32)
            }
            Raw::Indeterminate | Raw::Open => {
                self.flags.indeterminate = true;
                Ok(0)
            }
            Raw::External => self.undecided("content of an object that no unit defines"),
        }
    }
    /// The text at a pointer.
    pub(in crate::concrete) fn text(&mut self, pointer: Value, char_size: u8) -> Step<Text> {
        let (slot, at) = self.accessible(pointer, 0)?;
        Ok(Text { slot, at: at as u64, char_size })
    }
    /// Its character number `i`, unsigned.
    #[inline]
    pub(in crate::concrete) fn char_at(&mut self, text: Text, i: u64) -> Step<u32> {
        self.character(text.slot, text.at + i * u64::from(text.char_size), text.char_size)
    }
    /// A pointer to its character number `i`.
    pub(in crate::concrete) fn char_pointer(&mut self, text: Text, i: u64) -> Step<Value> {
        let offset = i128::from(text.at) + i128::from(i) * i128::from(text.char_size);
        let pointer = self.memory.pointer(text.slot, offset);
        self.granted(pointer)
    }
    /// Characters before the first zero, at most `max`.
    pub(in crate::concrete) fn string_length(&mut self, text: Text, max: u64) -> Step<u64> {
        let mut n = 0;
        while n < max && self.char_at(text, n)? != 0 {
            n += 1;
        }
        Ok(n)
    }
    /// The string's characters.
    pub(in crate::concrete) fn string(&mut self, pointer: Value, char_size: u8, max: u64) -> Step<Vec<u32>> {
        let mut chars = Vec::new();
        if max == 0 {
            return Ok(chars);
        }
        let text = self.text(pointer, char_size)?;
        while (chars.len() as u64) < max {
            match self.char_at(text, chars.len() as u64)? {
                0 => break,
                c => chars.push(c),
            }
        }
        Ok(chars)
    }

    pub(super) fn mem_copy(&mut self, dst: Value, src: Value, len: u64) -> Step<()> {
        if len == 0 {
            return Ok(());
        }
        let (from, from_at) = self.readable(src, len)?;
        let (to, to_at) = self.writable(dst, len)?;
        let region = self.copy_of(from, from_at, len as usize);
        self.memory.objects[to as usize].store_region(to_at, &region);
        Ok(())
    }

    /// Those of `len` bytes that lie in a live object get values that C leaves open: `all`, or those that hold something.
    pub(super) fn leave_open(&mut self, dst: Value, len: u64, all: bool) -> Step<()> {
        let Pointee::Object { slot, offset } = self.pointee(dst) else { return Ok(()) };
        let object = self.memory.object(slot);
        if object.kind == ObjectKind::Environment || object.life == Life::Dead {
            return Ok(());
        }
        let inside = |at: i128| at.clamp(0, i128::from(object.size)) as usize;
        let (at, end) = (inside(offset), inside(offset + i128::from(len)));
        let reserved = self.memory.reserve(slot, end);
        self.granted(reserved)?;
        let object = &mut self.memory.objects[slot as usize];
        match all {
            true => object.store_open(at, end - at),
            false => object.unsettle(at, end - at),
        }
        Ok(())
    }

    /// Sets `count` units of `unit` bytes to `value`.
    pub(super) fn mem_set(&mut self, dst: Value, value: Value, unit: u8, count: u64) -> Step<()> {
        let len = count.saturating_mul(u64::from(unit));
        if len == 0 {
            return Ok(());
        }
        let (slot, at) = self.writable(dst, len)?;
        let object = &mut self.memory.objects[slot as usize];
        let (number, origin) = match value {
            Value::Undef => {
                object.store_indeterminate(at, len as usize);
                return Ok(());
            }
            Value::Int(v, origin) => (v, origin),
            Value::Float(v) => (v.to_int().unwrap_or(0), Origin::NONE),
        };
        if unit == 1 && origin.is_none() {
            object.fill_bytes(at, len as usize, number as u8);
            return Ok(());
        }
        for i in 0..count as usize {
            object.store(at + i * usize::from(unit), usize::from(unit), number as u128, origin);
        }
        Ok(())
    }

    /// Compares up to `max` characters, as the GNU C library does: the difference of bytes, the order of wide characters; with `zero`, not past one. Letters without case when `fold`.
    pub(super) fn compare_text(
        &mut self,
        (a, b): (Value, Value),
        char_size: u8,
        max: u64,
        zero: bool,
        fold: bool,
    ) -> Step<i128> {
        if max == 0 {
            return Ok(0);
        }
        let (a, b) = (self.text(a, char_size)?, self.text(b, char_size)?);
        for i in 0..max {
            let (mut x, mut y) = (self.compared(a, i)?, self.compared(b, i)?);
            if fold {
                (x, y) = (to_lower(x), to_lower(y));
            }
            if x != y {
                return Ok(if char_size == 1 { i128::from(x - y) } else { i128::from((x - y).signum()) });
            }
            if zero && x == 0 {
                break;
            }
        }
        Ok(0)
    }

    /// How many characters a comparison of strings looks at, the one included at which an argument's object ends.
    pub(super) fn compared_characters(
        &mut self,
        (a, b): (Value, Value),
        char_size: u8,
        max: u64,
        fold: bool,
    ) -> Step<u64> {
        let (Some(a), Some(b)) = (self.live_text(a, char_size), self.live_text(b, char_size)) else {
            return Ok(max.min(1));
        };
        for i in 0..max {
            if self.is_behind(a, i) || self.is_behind(b, i) {
                return Ok(i + 1);
            }
            let (mut x, mut y) = (self.compared(a, i)?, self.compared(b, i)?);
            if fold {
                (x, y) = (to_lower(x), to_lower(y));
            }
            if x != y || x == 0 {
                return Ok(i + 1);
            }
        }
        Ok(max)
    }

    /// How many of `len` characters a search for one looks at, the one included at which the object ends.
    pub(super) fn searched_characters(&mut self, s: Value, char_size: u8, wanted: i128, len: u64) -> Step<u64> {
        let Some(text) = self.live_text(s, char_size) else { return Ok(len.min(1)) };
        let wanted = if char_size == 1 { u32::from(wanted as u8) } else { wanted as u32 };
        for i in 0..len {
            if self.is_behind(text, i) || self.char_at(text, i)? == wanted {
                return Ok(i + 1);
            }
        }
        Ok(len)
    }

    /// Whether a character lies behind the end of its object.
    fn is_behind(&self, text: Text, i: u64) -> bool {
        text.at + (i + 1) * u64::from(text.char_size) > self.memory.object(text.slot).size
    }

    /// The text at a pointer into a live object of the program.
    fn live_text(&mut self, pointer: Value, char_size: u8) -> Option<Text> {
        let Pointee::Object { slot, offset } = self.pointee(pointer) else { return None };
        let object = self.memory.object(slot);
        let readable = object.kind != ObjectKind::Environment && object.life != Life::Dead;
        let at = u64::try_from(offset).ok().filter(|&at| readable && at <= object.size)?;
        Some(Text { slot, at, char_size })
    }

    /// The character as comparisons take it: bytes unsigned, wide characters signed.
    fn compared(&mut self, text: Text, i: u64) -> Step<i64> {
        let c = self.char_at(text, i)?;
        Ok(if text.char_size == 4 { i64::from(c as i32) } else { i64::from(c) })
    }

    /// The first of `len` characters that is `wanted`; with `zero`, not past a zero.
    pub(super) fn find_char(&mut self, s: Value, char_size: u8, wanted: i128, len: u64, zero: bool) -> Step<Value> {
        if len == 0 {
            return Ok(Value::int(0));
        }
        let wanted = if char_size == 1 { u32::from(wanted as u8) } else { wanted as u32 };
        let text = self.text(s, char_size)?;
        for i in 0..len {
            let c = self.char_at(text, i)?;
            if c == wanted {
                return self.char_pointer(text, i);
            }
            if zero && c == 0 {
                break;
            }
        }
        Ok(Value::int(0))
    }

    pub(super) fn find_last_char(&mut self, s: Value, char_size: u8, wanted: i128) -> Step<Value> {
        let wanted = if char_size == 1 { u32::from(wanted as u8) } else { wanted as u32 };
        let text = self.text(s, char_size)?;
        let mut found = None;
        let mut i = 0;
        loop {
            let c = self.char_at(text, i)?;
            if c == wanted {
                found = Some(i);
            }
            if c == 0 {
                break;
            }
            i += 1;
        }
        match found {
            Some(i) => self.char_pointer(text, i),
            None => Ok(Value::int(0)),
        }
    }

    pub(super) fn find_string(&mut self, s: Value, needle: Value, char_size: u8) -> Step<Value> {
        let haystack = self.string(s, char_size, u64::MAX)?;
        let needle = self.string(needle, char_size, u64::MAX)?;
        let text = self.text(s, char_size)?;
        let found = if needle.is_empty() {
            Some(0)
        } else {
            haystack.windows(needle.len()).position(|w| w == needle.as_slice())
        };
        match found {
            Some(i) => self.char_pointer(text, i as u64),
            None => Ok(Value::int(0)),
        }
    }

    /// Length of the prefix whose characters are in the set (or, with `inside` false, not in it).
    pub(super) fn span_of(&mut self, s: Value, set: Value, char_size: u8, inside: bool) -> Step<u64> {
        let set = self.string(set, char_size, u64::MAX)?;
        let text = self.text(s, char_size)?;
        let mut n = 0;
        loop {
            let c = self.char_at(text, n)?;
            if c == 0 || set.contains(&c) != inside {
                return Ok(n);
            }
            n += 1;
        }
    }
}

fn to_lower(c: i64) -> i64 {
    if (65..=90).contains(&c) { c + 32 } else { c }
}
