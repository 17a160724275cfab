//! `scanf` and kin with a literal format: which conversions come to be is an input, and so is what they store.
//!
//! The parts of a format are gone through in order (C11 7.21.6.2): the first `n` conversions are stored, `n` the result. A `%n`
//! is no conversion of that count: it is stored when control comes to it, which the result alone does not always tell.

use super::input::{InputText, LINE_WITHOUT_END, text_input};
use super::{LibraryCall, Model};
use crate::frontend::lower::{LowerError, Lowered, Lowerer};
use crate::ir::program::Excluded;
use crate::ir::{BinaryOp, Expr, FloatKind, IntKind, LibFn, Place, StmtKind, Type, TypeId};

type L<'l> = Lowerer<'l>;
type C<'c> = LibraryCall<'c>;

pub(super) fn model(name: &str) -> Option<Model> {
    Some(match name {
        "scanf" => |l, c| scan(l, c, 0, 1, None),
        "fscanf" => |l, c| scan(l, c, 1, 1, None),
        "wscanf" => |l, c| scan(l, c, 0, 4, None),
        "fwscanf" => |l, c| scan(l, c, 1, 4, None),
        "sscanf" => |l, c| scan_string(l, c, 1),
        "swscanf" => |l, c| scan_string(l, c, 4),
        "vsscanf" | "vfscanf" | "vscanf" => scan_memory,
        _ => return None,
    })
}

/// What `%s` reads: no white space.
const WORD: Excluded = Excluded { bytes: b" \t\n\x0b\x0c\r", may_end: false, wide: false };

/// A part of a `scanf` format.
enum Part {
    /// White space: skips any, and never fails.
    Space,
    /// A character that has to be there.
    Text,
    Conversion(Conversion),
}

struct Conversion {
    letter: u8,
    width: Option<u64>,
    suppressed: bool,
    /// `m`: what is stored is a new block.
    allocates: bool,
    /// `h` -1, `hh` -2, `l` 1, `ll` 2, ...
    length: i32,
    /// Of `%[`: what stands between the brackets.
    set: Vec<u8>,
    /// White space is skipped before it.
    behind_space: bool,
}

fn parts(format: &[u8]) -> Vec<Part> {
    let mut out = Vec::new();
    let mut i = 0;
    while let Some(&c) = format.get(i) {
        i += 1;
        if c != b'%' {
            out.push(if c.is_ascii_whitespace() || c == 0x0b { Part::Space } else { Part::Text });
            continue;
        }
        let mut conversion = Conversion {
            letter: b'%',
            width: None,
            suppressed: false,
            allocates: false,
            length: 0,
            set: Vec::new(),
            behind_space: matches!(out.last(), Some(Part::Space)),
        };
        if format.get(i) == Some(&b'*') {
            conversion.suppressed = true;
            i += 1;
        }
        while let Some(d) = format.get(i).filter(|d| d.is_ascii_digit()) {
            let width = conversion.width.unwrap_or(0);
            conversion.width = Some(width.saturating_mul(10).saturating_add(u64::from(d - b'0')));
            i += 1;
        }
        if format.get(i) == Some(&b'm') {
            conversion.allocates = true;
            i += 1;
        }
        while let Some(m) = format.get(i).filter(|m| matches!(m, b'h' | b'l' | b'L' | b'q' | b'j' | b'z' | b't')) {
            conversion.length += match m {
                b'h' => -1,
                // `size_t` and `ptrdiff_t` are as wide as `long`.
                b'l' | b'z' | b't' => 1,
                _ => 2,
            };
            i += 1;
        }
        let Some(&letter) = format.get(i) else { break };
        conversion.letter = letter;
        i += 1;
        if letter == b'[' {
            // A `]` that comes first belongs to the set.
            let begin = i;
            i += usize::from(format.get(i) == Some(&b'^'));
            i += 1;
            while i < format.len() && format[i] != b']' {
                i += 1;
            }
            conversion.set = format.get(begin..i.min(format.len())).unwrap_or_default().to_vec();
            i += 1;
        }
        out.push(if letter == b'%' { Part::Text } else { Part::Conversion(conversion) });
    }
    out
}

/// The string that is scanned has at most its characters to read.
fn scan_string(l: &mut L<'_>, c: &C<'_>, char_size: u8) -> Lowered<Expr> {
    let s = l.pinned_arg(c, 0)?;
    l.check_string(c, 0, s.clone(), char_size, None)?;
    scan(l, c, 1, char_size, Some(s))
}

fn scan(l: &mut L<'_>, c: &C<'_>, format: usize, char_size: u8, string: Option<Expr>) -> Lowered<Expr> {
    let f = c.arg(format)?;
    let text = if char_size == 1 { l.literal_text(&f) } else { l.wide_literal_text(&f) };
    let Some(text) = text else {
        l.check_string(c, format, f, char_size, None)?;
        return scan_memory(l, c);
    };
    let parts = parts(&text);
    let given: Vec<&Conversion> = parts.iter().filter_map(stored).collect();
    if given.iter().any(|v| v.allocates) {
        return scan_memory(l, c);
    }
    let mut c = c.clone();
    for (i, v) in given.iter().enumerate() {
        let ty = scanned_type(l, v);
        l.take_for_pointer(&mut c, format + 1 + i, ty);
    }
    let c = &c;
    let int = l.int_type();
    let name = format!("{}()", c.name);
    let most = given.iter().filter(|v| v.letter != b'n').count() as i128;
    // Where nothing has to be there, nothing is missed.
    let least = if parts.iter().all(never_fails) { 0 } else { -1 };
    let count = l.input_value(&format!("{name} conversions"), int, Some((least, most)), c.span)?;
    if !may_give_none(&parts) {
        let cond = l.compared(BinaryOp::Ne, count.clone(), l.int_const(0));
        l.emit(StmtKind::Assume { cond }, c.span)?;
    }
    if string.is_some() {
        // What is scanned is the string's, not the environment's.
        l.perhaps(&format!("{name} meets such text"), c.span)?;
    }
    let string = string.filter(|_| given.iter().any(|v| v.letter == b'n'));
    let mut way = Way::new(l, &count, string, char_size, c)?;
    let mut argument = format + 1;
    for part in &parts {
        let Some(v) = stored(part) else {
            way.pass(part);
            continue;
        };
        let i = argument;
        argument += 1;
        if v.letter == b'n' {
            way.store_position(l, c, i, v)?;
            continue;
        }
        let before = l.int_const(way.stored);
        let cond = l.compared(BinaryOp::Gt, count.clone(), before);
        l.when(cond, c.span, |l| store_conversion(l, c, i, v, &name))?;
        way.convert();
    }
    Ok(count)
}

/// The conversion that takes an argument.
fn stored(part: &Part) -> Option<&Conversion> {
    match part {
        Part::Conversion(v) if !v.suppressed => Some(v),
        _ => None,
    }
}

fn never_fails(part: &Part) -> bool {
    match part {
        Part::Space => true,
        Part::Text => false,
        Part::Conversion(v) => v.letter == b'n',
    }
}

/// Whether the result may be 0: nothing is asked for, or something that comes before the first conversion of the result may be missed. Words and
/// single characters are missed only at the end of the input, where the result is -1.
fn may_give_none(parts: &[Part]) -> bool {
    let first = parts.iter().find(|part| !never_fails(part));
    !matches!(first, Some(Part::Conversion(v)) if !v.suppressed && v.width != Some(0) && matches!(v.letter, b's' | b'S' | b'c' | b'C'))
}

/// How far the way through the format is certain, and how many characters have been read on it.
struct Way {
    /// The call's result.
    count: Expr,
    /// Conversions that the result counts, so far.
    stored: i32,
    /// Nothing since the last of them could fail.
    sure: bool,
    /// Whether the last `%n` was reached, where nothing that the result counts has come since.
    reached: Option<Place>,
    /// What the last `%n` has stored, and how many characters have been read since at least.
    position: Place,
    read: i32,
    /// What can be read at most.
    most: Expr,
}

impl Way {
    fn new(l: &mut L<'_>, count: &Expr, string: Option<Expr>, char_size: u8, c: &C<'_>) -> Lowered<Way> {
        let ty = l.kind_type(IntKind::LongLong);
        let position = l.variable_of(Expr::int(0, ty), c.span)?;
        let most = match string {
            Some(s) => {
                let size = l.size_type();
                let length = l.lib_value(LibFn::StrLen(char_size), size, vec![s], c.span)?;
                l.convert_counted(length, ty, c.span)?
            }
            None => Expr::int(i32::MAX.into(), ty),
        };
        let count = count.clone();
        Ok(Way { count, stored: 0, sure: true, reached: None, position, read: 0, most })
    }

    /// Goes by a part that stores nothing.
    fn pass(&mut self, part: &Part) {
        if !matches!(part, Part::Space) {
            self.sure = false;
            self.read += 1;
        }
    }

    /// Goes by a conversion that the result counts.
    fn convert(&mut self) {
        self.stored += 1;
        self.sure = true;
        self.reached = None;
        self.read += 1;
    }

    /// `%n`: the number of characters read so far, where control comes here.
    fn store_position(&mut self, l: &mut L<'_>, c: &C<'_>, i: usize, v: &Conversion) -> Lowered<()> {
        let (zero, one, before) = (l.int_const(0), l.int_const(1), l.int_const(self.stored));
        let reached = l.variable_of(zero.clone(), c.span)?;
        // Before the first conversion the result may be -1, too.
        let come = match self.stored {
            0 => one.clone(),
            _ => l.compared(BinaryOp::Ge, self.count.clone(), before.clone()),
        };
        let sooner = self.reached.take().map_or(one.clone(), Expr::load);
        l.when(come, c.span, |l| {
            l.set(&reached, sooner.clone(), c.span)?;
            if self.sure {
                return Ok(());
            }
            let no_later = l.compared(BinaryOp::Le, self.count.clone(), before);
            l.when(no_later, c.span, |l| {
                let sooner = l.compared(BinaryOp::Ne, sooner, zero.clone());
                l.when(sooner, c.span, |l| {
                    let found = l.perhaps(&format!("{}() comes to %n", c.name), c.span)?;
                    l.set(&reached, found, c.span)
                })
            })
        })?;
        let stores = l.compared(BinaryOp::Ne, Expr::load(reached.clone()), zero);
        l.when(stores, c.span, |l| {
            let ptr = l.pinned_arg(c, i)?;
            let (ty, wide) = (scanned_type(l, v), self.most.ty);
            let size = l.size_const(l.program.types.size_of(ty).unwrap_or(1));
            l.check_write(c, i, ptr.clone(), size)?;
            let least =
                l.folded(BinaryOp::Add, Expr::load(self.position.clone()), Expr::int(self.read.into(), wide), wide);
            let range = Some((least, self.most.clone()));
            let value = l.approximate_value(&format!("{}() %n", c.name), wide, range, c.span)?;
            l.set(&self.position, value.clone(), c.span)?;
            let value = l.convert_counted(value, ty, c.span)?;
            l.store_through(ptr, value, c.span)
        })?;
        self.read = 0;
        self.reached = Some(reached);
        Ok(())
    }
}

fn store_conversion(l: &mut L<'_>, c: &C<'_>, i: usize, v: &Conversion, name: &str) -> Lowered<()> {
    let ptr = l.pinned_arg(c, i)?;
    let wide = if v.length > 0 || matches!(v.letter, b'S' | b'C') { 4 } else { 1 };
    match v.letter {
        b's' | b'S' | b'[' => {
            let size = l.size_type();
            let most = v.width.unwrap_or(super::input::LARGEST_TRANSFER);
            let len = l.input_value(&format!("{name} length"), size, Some((1, i128::from(most.max(1)))), c.span)?;
            let excluded = match v.letter {
                b'[' if v.set == b"^\n" => LINE_WITHOUT_END,
                b'[' => Excluded::default(),
                _ => WORD,
            };
            // Of other sets it is not told which characters they have, nor that the first one is no white space.
            let approximate = v.letter == b'[' && (v.set != b"^\n" || v.behind_space);
            text_input(l, c, (i, ptr), name, len, InputText { excluded, char_size: wide, approximate })
        }
        b'c' | b'C' => {
            let bytes = l.size_const(v.width.unwrap_or(1) * u64::from(wide));
            l.check_write(c, i, ptr.clone(), bytes.clone())?;
            let one = v.width.is_none_or(|width| width == 1);
            let excluded = if one && v.behind_space { WORD } else { Excluded::default() };
            let excluded = Excluded { wide: wide > 1, ..excluded };
            l.input_bytes_without(excluded, &format!("{name} characters"), ptr, bytes, c.span)
        }
        _ => {
            let ty = scanned_type(l, v);
            let Some(size) = l.program.types.size_of(ty) else { return Ok(()) };
            let size = l.size_const(size);
            l.check_write(c, i, ptr.clone(), size)?;
            let named = format!("{name} %{}", char::from(v.letter));
            let value = match (l.program.types.get(ty), digits(v)) {
                (Type::Pointer(_), _) => return LowerError::unsupported(c.span, "%p in scanf"),
                (Type::Int(_), Some(range)) => {
                    let wide = l.kind_type(IntKind::LongLong);
                    let value = l.input_value(&named, wide, Some(range), c.span)?;
                    l.convert_counted(value, ty, c.span)?
                }
                (&Type::Float(kind), _) => {
                    let range = short_float(v).map(|ends| ends.map(|end| super::reals::constant(l, kind, end)));
                    let any = v.width.is_none_or(|width| width >= LONGEST_FLOAT);
                    l.number_of(&named, ty, range.map(|[low, high]| (low, high)), !any, c.span)?
                }
                _ => l.input_value(&named, ty, None, c.span)?,
            };
            l.store_through(ptr, value, c.span)
        }
    }
}

/// Characters that spell any number of the widest type, more or less.
const LONGEST_FLOAT: u64 = 32;

/// The least and the greatest number that a float conversion of one or two characters reads; behind these come infinities and exponents.
fn short_float(v: &Conversion) -> Option<[f64; 2]> {
    match v.width {
        Some(1) => Some([0.0, 9.0]),
        Some(2) => Some([-9.0, 99.0]),
        _ => None,
    }
}

/// The integers that a conversion of so few characters reads, a sign among them.
fn digits(v: &Conversion) -> Option<(i128, i128)> {
    const FEW: u64 = 18;
    let base: i128 = match v.letter {
        b'x' | b'X' => 16,
        b'o' => 8,
        _ => 10,
    };
    let width = v.width.filter(|w| (1..=FEW).contains(w))? as u32;
    let most = |digits: u32| base.pow(digits) - 1;
    let hexadecimal = match (v.letter, width) {
        (b'i', 3..) => (16i128.pow(width - 2) - 1, 16i128.pow(width.saturating_sub(3)) - 1),
        _ => (0, 0),
    };
    let (least, most) = (-most(width - 1).max(hexadecimal.1), most(width).max(hexadecimal.0));
    (most <= i64::MAX.into()).then_some((least, most))
}

/// What a conversion stores.
fn scanned_type(l: &L<'_>, v: &Conversion) -> TypeId {
    use IntKind::*;
    let types = &l.program.types;
    match v.letter {
        b'e' | b'f' | b'g' | b'a' | b'E' | b'F' | b'G' | b'A' => types.float(match v.length {
            0 => FloatKind::Float,
            1 => FloatKind::Double,
            _ => FloatKind::LongDouble,
        }),
        b'p' => types.void_ptr(),
        letter => {
            let kind = match v.length {
                ..=-2 => SChar,
                -1 => Short,
                0 => Int,
                1 => Long,
                _ => LongLong,
            };
            types.int(if matches!(letter, b'd' | b'i' | b'n') { kind } else { kind.to_unsigned() })
        }
    }
}

/// Formats that are no literals, those with `%m` and lists of arguments: what they store follows from what no contract reads.
fn scan_memory(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let int = l.int_type();
    let dest = Place::var(l.temp(int, c.span)?, int);
    l.emit_unsupported(&format!("scanning by `{}`", c.name), Some(dest.clone()), c.span)?;
    Ok(Expr::load(dest))
}
