//! Characters of several bytes, and conversions between character sets. The locale is "C" (assumption D11): a character has one byte, and
//! of those outside of ASCII nobody says which wide character they are, or that they are one.
//!
//! See: C11 7.22.7, 7.22.8, 7.29.6; POSIX `iconv`.

use super::LibraryCall;
use super::dispatch::Model;
use crate::frontend::lower::{Lowered, Lowerer};
use crate::ir::{AllocKind, BinaryOp, Expr, IntKind, LibFn, Place, TypeId};

type L<'l> = Lowerer<'l>;
type C<'c> = LibraryCall<'c>;

/// The greatest wide character, and the bytes of one.
const LAST_CHARACTER: i128 = 0x10_ffff;
const WIDE: u8 = 4;

pub(super) fn model(name: &str) -> Option<Model> {
    Some(match name {
        "mbrtowc" => |l, c| decode(l, c, Some(0), 1, true),
        "mbrlen" => |l, c| decode(l, c, None, 0, true),
        "mbtowc" => |l, c| decode(l, c, Some(0), 1, false),
        "mblen" => |l, c| decode(l, c, None, 0, false),
        "wcrtomb" | "wctomb" => encode,
        "mbstowcs" => |l, c| convert_all(l, c, 1, WIDE),
        "wcstombs" => |l, c| convert_all(l, c, WIDE, 1),
        "mbsrtowcs" => |l, c| convert_some(l, c, 1, WIDE),
        "wcsrtombs" => |l, c| convert_some(l, c, WIDE, 1),
        "wcswidth" => |l, c| {
            let (s, max, int) = (l.pinned_arg(c, 0)?, l.size_arg(c, 1)?, l.int_type());
            l.check_string(c, 0, s, WIDE, Some(max))?;
            let range = Some(l.within(int, (-1, i32::MAX.into())));
            l.approximate_value("wcswidth()", int, range, c.span)
        },
        "iconv_open" => iconv_open,
        "iconv" => iconv,
        _ => return None,
    })
}

/// The result's type: `size_t` or `int`.
fn result_type(l: &L<'_>, c: &C<'_>) -> TypeId {
    c.result_or(l.size_type())
}

/// A number below 0, as the result's type has it.
fn below_zero(l: &L<'_>, n: i128, ty: TypeId) -> Expr {
    l.folded(BinaryOp::Sub, Expr::int(0, ty), Expr::int(n, ty), ty)
}

/// One character, from argument `from` to argument `to`: 1, or 0 for the zero character, or -1. A function with a `state` tells by -2
/// that there is none yet, which without any bytes is so.
fn decode(l: &mut L<'_>, c: &C<'_>, to: Option<usize>, from: usize, state: bool) -> Lowered<Expr> {
    let (s, n, ty) = (l.pinned_arg(c, from)?, l.size_arg(c, from + 1)?, result_type(l, c));
    let (byte, wide) = (l.kind_type(IntKind::UChar), l.kind_type(IntKind::Int));
    let result = l.variable_of(Expr::int(0, ty), c.span)?;
    l.when_given(c, from, |l| {
        let none = below_zero(l, if state { 2 } else { 1 }, ty);
        l.set(&result, none, c.span)?;
        let some = l.compared(BinaryOp::Gt, n, l.size_const(0));
        l.when(some, c.span, |l| {
            l.check_read(c, from, s.clone(), l.size_const(1))?;
            let first = l.hold(Expr::load(Place::deref(s, byte)).cast(wide), c.span)?;
            let value = l.variable_of(first.clone(), c.span)?;
            let length = l.compared(BinaryOp::Ne, first.clone(), l.int_const(0)).cast(ty);
            l.set(&result, length, c.span)?;
            let other = l.compared(BinaryOp::Ge, first, l.int_const(128));
            l.when(other, c.span, |l| {
                let range = Some(l.within(wide, (128, LAST_CHARACTER)));
                let some = l.approximate_value(&format!("{}() character", c.name), wide, range, c.span)?;
                l.set(&value, some, c.span)?;
                let fails = l.perhaps(&format!("{}() fails", c.name), c.span)?;
                let failed = below_zero(l, 1, ty);
                l.when(fails, c.span, |l| l.set(&result, failed, c.span))
            })?;
            let Some(to) = to else { return Ok(()) };
            l.when_given(c, to, |l| {
                let out = l.pinned_arg(c, to)?;
                l.check_write(c, to, out.clone(), l.size_const(u64::from(WIDE)))?;
                let good = below_zero(l, 1, ty);
                let good = l.compared(BinaryOp::Ne, Expr::load(result.clone()), good);
                l.when(good, c.span, |l| l.store_through(out, Expr::load(value), c.span))
            })
        })
    })?;
    Ok(Expr::load(result))
}

/// One wide character to bytes: 1, or -1; of NULL, how long the way back to the first state is.
fn encode(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let (to, ty, int) = (l.pinned_arg(c, 0)?, result_type(l, c), l.kind_type(IntKind::Int));
    let character = l.arg_as(c, 1, int)?;
    let result = l.variable_of(Expr::int(i128::from(c.name == "wcrtomb"), ty), c.span)?;
    l.when_given(c, 0, |l| {
        l.check_write(c, 0, to.clone(), l.size_const(1))?;
        l.set(&result, Expr::int(1, ty), c.span)?;
        let byte = l.kind_type(IntKind::UChar);
        let low = character.clone().cast(byte);
        let unsigned = l.kind_type(IntKind::UInt);
        let ascii = l.compared(BinaryOp::Lt, character.clone().cast(unsigned), Expr::int(128, unsigned));
        let other = l.compared(BinaryOp::Eq, ascii.clone(), l.int_const(0));
        l.when(ascii, c.span, |l| l.store_through(to.clone(), low, c.span))?;
        l.when(other, c.span, |l| {
            let fails = l.perhaps(&format!("{}() fails", c.name), c.span)?;
            let good = l.compared(BinaryOp::Eq, fails.clone(), l.int_const(0));
            l.when(fails, c.span, |l| l.set(&result, below_zero(l, 1, ty), c.span))?;
            l.when(good, c.span, |l| {
                let some = l.approximate_value(&format!("{}() byte", c.name), byte, None, c.span)?;
                l.store_through(to, some, c.span)
            })
        })
    })?;
    Ok(Expr::load(result))
}

/// Converts the string `from` of characters of `size` bytes to such of `other`: at most `most`, as many as there are where nothing is
/// written. Gives their number, and whether the zero behind them was among them.
fn convert(
    l: &mut L<'_>,
    c: &C<'_>,
    (from, i): (Expr, usize),
    most: Expr,
    (size, other): (u8, u8),
) -> Lowered<(Place, Place)> {
    let (ty, to) = (l.size_type(), l.pinned_arg(c, 0)?);
    let (count, whole) = (l.variable_of(l.size_const(0), c.span)?, l.variable_of(l.int_const(1), c.span)?);
    let none = l.compared(BinaryOp::Eq, to.clone(), Expr::int(0, to.ty));
    l.when(none, c.span, |l| {
        l.check_string(c, i, from.clone(), size, None)?;
        let all = l.lib_value(LibFn::StrLen(size), ty, vec![from.clone()], c.span)?;
        l.set(&count, all, c.span)
    })?;
    l.when_given(c, 0, |l| {
        l.check_string(c, i, from.clone(), size, Some(most.clone()))?;
        let some = l.lib_value(LibFn::StrNLen(size), ty, vec![from, most.clone()], c.span)?;
        let some = l.hold(some, c.span)?;
        l.set(&count, some.clone(), c.span)?;
        let ends = l.compared(BinaryOp::Lt, some.clone(), most);
        l.set(&whole, ends.clone(), c.span)?;
        let bytes = l.scaled(some, other);
        let bytes = l.hold(bytes, c.span)?;
        let zero = l.size_const(other.into());
        let all = l.variable_of(bytes.clone(), c.span)?;
        let with_zero = l.size_op(BinaryOp::Add, bytes.clone(), zero);
        l.when(ends.clone(), c.span, |l| l.set(&all, with_zero, c.span))?;
        l.check_write(c, 0, to.clone(), Expr::load(all))?;
        l.approximate_bytes(&format!("{}() text", c.name), to.clone(), bytes.clone(), c.span)?;
        l.when(ends, c.span, |l| {
            let end = l.advanced(to.clone(), bytes);
            l.end_text(to, end, other, c.span)
        })
    })?;
    Ok((count, whole))
}

/// The number of characters, or -1 where one cannot be converted.
fn or_failure(l: &mut L<'_>, c: &C<'_>, count: &Place) -> Lowered<Expr> {
    let ty = result_type(l, c);
    let result = l.variable_of(Expr::load(count.clone()).cast(ty), c.span)?;
    let fails = l.perhaps(&format!("{}() fails", c.name), c.span)?;
    l.when(fails, c.span, |l| l.set(&result, below_zero(l, 1, ty), c.span))?;
    Ok(Expr::load(result))
}

fn convert_all(l: &mut L<'_>, c: &C<'_>, size: u8, other: u8) -> Lowered<Expr> {
    let (from, most) = (l.pinned_arg(c, 1)?, l.size_arg(c, 2)?);
    let (count, _) = convert(l, c, (from, 1), most, (size, other))?;
    or_failure(l, c, &count)
}

/// The same from where a pointer points that is moved: to what is left, or to nothing.
fn convert_some(l: &mut L<'_>, c: &C<'_>, size: u8, other: u8) -> Lowered<Expr> {
    let (at, most) = (l.pinned_arg(c, 1)?, l.size_arg(c, 2)?);
    let word = l.size_const(l.program.types.pointer_size());
    l.check_read(c, 1, at.clone(), word.clone())?;
    let char_pointer = l.program.types.char_ptr();
    let ty = l.program.types.pointee(at.ty).filter(|t| l.program.types.is_pointer(*t)).unwrap_or(char_pointer);
    let place = Place::deref(at.clone(), ty);
    let from = l.hold(Expr::load(place.clone()), c.span)?;
    let (count, whole) = convert(l, c, (from.clone(), 1), most, (size, other))?;
    let bytes = l.scaled(Expr::load(count.clone()), size);
    l.when_given(c, 0, |l| {
        l.check_write(c, 1, at, word)?;
        let left = l.variable_of(l.advanced(from, bytes), c.span)?;
        let ended = l.compared(BinaryOp::Ne, Expr::load(whole), l.int_const(0));
        l.when(ended, c.span, |l| l.set(&left, Expr::int(0, ty), c.span))?;
        l.set(&place, Expr::load(left), c.span)
    })?;
    or_failure(l, c, &count)
}

/// A handle, or -1.
fn iconv_open(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    for i in 0..2 {
        l.check_text(c, i)?;
    }
    let ty = c.result_or(l.program.types.void_ptr());
    let minus = Expr::int(-1, l.kind_type(IntKind::Long)).cast(ty);
    let result = l.variable_of(minus, c.span)?;
    let some = l.either("iconv_open() succeeds", c.span)?;
    l.when(some, c.span, |l| {
        let handle = l.allocate(c, AllocKind::Opaque, l.size_const(1), false, false, ty)?;
        l.set(&result, handle, c.span)
    })?;
    Ok(Expr::load(result))
}

/// Takes some bytes from where the second argument leads, as many as the third one says at most, and puts some to where the fourth one
/// leads, as the fifth says, and moves and counts. Where there is nothing to take from, the state may be put.
fn iconv(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let word = l.size_const(l.program.types.pointer_size());
    for (i, other) in [(1, 2), (3, 4)] {
        l.when_given(c, i, |l| {
            for i in [i, other] {
                let at = l.pinned_arg(c, i)?;
                l.check_write(c, i, at, word.clone())?;
            }
            transfer(l, c, i, i == 3)
        })?;
    }
    let ty = c.result_or(l.size_type());
    l.approximate_value("iconv()", ty, None, c.span)
}

fn transfer(l: &mut L<'_>, c: &C<'_>, i: usize, writes: bool) -> Lowered<()> {
    let (pointer, size) = (l.program.types.char_ptr(), l.size_type());
    let (at, left) = (l.pinned_arg(c, i)?, l.pinned_arg(c, i + 1)?);
    let (at, left) = (Place::deref(at, pointer), Place::deref(left, size));
    let from = l.hold(Expr::load(at.clone()), c.span)?;
    let some = l.is_not_null(&from);
    l.when(some, c.span, |l| {
        let most = l.hold(Expr::load(left.clone()), c.span)?;
        let range = Some((l.size_const(0), most.clone()));
        let count = l.approximate_value(&format!("{}() count", c.name), size, range, c.span)?;
        if writes {
            l.check_write(c, i, from.clone(), count.clone())?;
            l.approximate_bytes(&format!("{}() text", c.name), from.clone(), count.clone(), c.span)?;
        } else {
            l.check_read(c, i, from.clone(), count.clone())?;
        }
        let rest = l.size_op(BinaryOp::Sub, most, count.clone());
        let next = l.advanced(from, count);
        l.set(&at, next, c.span)?;
        l.set(&left, rest, c.span)
    })
}
