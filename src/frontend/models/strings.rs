//! `string.h`, `strings.h` and the string functions of `wchar.h`.

use super::{LibraryCall, Model};
use crate::frontend::lower::{Lowered, Lowerer};
use crate::ir::{BinaryOp, Expr, LibFn, TypeId};

type L<'l> = Lowerer<'l>;
type C<'c> = LibraryCall<'c>;

pub(super) fn model(name: &str) -> Option<Model> {
    Some(match name {
        "strlen" => |l, c| length(l, c, 1),
        "wcslen" => |l, c| length(l, c, 4),
        "strnlen" => |l, c| bounded_length(l, c, 1),
        "wcsnlen" => |l, c| bounded_length(l, c, 4),
        "strcpy" => |l, c| copy(l, c, 1, false),
        "stpcpy" => |l, c| copy(l, c, 1, true),
        "wcscpy" => |l, c| copy(l, c, 4, false),
        "strncpy" => |l, c| bounded_copy(l, c, 1, false),
        "stpncpy" => |l, c| bounded_copy(l, c, 1, true),
        "wcsncpy" => |l, c| bounded_copy(l, c, 4, false),
        "strlcpy" => cut_copy,
        "strlcat" => cut_append,
        "strcat" => |l, c| append(l, c, 1, false),
        "wcscat" => |l, c| append(l, c, 4, false),
        "strncat" => |l, c| append(l, c, 1, true),
        "wcsncat" => |l, c| append(l, c, 4, true),
        "strcmp" | "strcoll" => |l, c| compare(l, c, LibFn::StrCmp(1), 1, false),
        "wcscmp" | "wcscoll" => |l, c| compare(l, c, LibFn::StrCmp(4), 4, false),
        "strncmp" => |l, c| compare(l, c, LibFn::StrNCmp(1), 1, true),
        "wcsncmp" => |l, c| compare(l, c, LibFn::StrNCmp(4), 4, true),
        "strcasecmp" => |l, c| compare(l, c, LibFn::StrCaseCmp, 1, false),
        "strncasecmp" => |l, c| compare(l, c, LibFn::StrNCaseCmp, 1, true),
        "strchr" | "index" => |l, c| find_char(l, c, LibFn::StrChr(1), 1),
        "wcschr" => |l, c| find_char(l, c, LibFn::StrChr(4), 4),
        "strrchr" | "rindex" => |l, c| find_char(l, c, LibFn::StrRChr(1), 1),
        "wcsrchr" => |l, c| find_char(l, c, LibFn::StrRChr(4), 4),
        "strstr" => |l, c| find(l, c, LibFn::StrStr(1), 1),
        "wcsstr" => |l, c| find(l, c, LibFn::StrStr(4), 4),
        "strpbrk" => |l, c| find(l, c, LibFn::StrPBrk(1), 1),
        "wcspbrk" => |l, c| find(l, c, LibFn::StrPBrk(4), 4),
        "strspn" => |l, c| span(l, c, LibFn::StrSpn(1), 1),
        "strcspn" => |l, c| span(l, c, LibFn::StrCSpn(1), 1),
        "wcsspn" => |l, c| span(l, c, LibFn::StrSpn(4), 4),
        "wcscspn" => |l, c| span(l, c, LibFn::StrCSpn(4), 4),
        "strxfrm" => |l, c| transform(l, c, 1),
        "wcsxfrm" => |l, c| transform(l, c, 4),
        "strdup" => |l, c| duplicate(l, c, 1, false),
        "wcsdup" => |l, c| duplicate(l, c, 4, false),
        "strndup" => |l, c| duplicate(l, c, 1, true),
        _ => return None,
    })
}

/// The argument as a checked string that is read to its end.
fn whole_string(l: &mut L<'_>, c: &C<'_>, i: usize, char_size: u8, max: Option<Expr>) -> Lowered<Expr> {
    let s = l.pinned_arg(c, i)?;
    l.check_whole_string(c, i, s.clone(), char_size, max)?;
    Ok(s)
}

/// The argument as a checked string.
fn string(l: &mut L<'_>, c: &C<'_>, i: usize, char_size: u8, max: Option<Expr>) -> Lowered<Expr> {
    let s = l.pinned_arg(c, i)?;
    l.check_string(c, i, s.clone(), char_size, max)?;
    Ok(s)
}

fn result_type(l: &L<'_>, c: &C<'_>) -> TypeId {
    c.result_or(l.program.types.char_ptr())
}

fn length_of(l: &mut L<'_>, c: &C<'_>, s: &Expr, char_size: u8) -> Lowered<Expr> {
    let size = l.size_type();
    l.lib_value(LibFn::StrLen(char_size), size, vec![s.clone()], c.span)
}

fn length(l: &mut L<'_>, c: &C<'_>, char_size: u8) -> Lowered<Expr> {
    let s = whole_string(l, c, 0, char_size, None)?;
    match l.literal_text(&s).filter(|_| char_size == 1) {
        Some(text) => Ok(l.size_const(text.len() as u64)),
        None => length_of(l, c, &s, char_size),
    }
}

fn bounded_length_of(l: &mut L<'_>, c: &C<'_>, s: &Expr, max: &Expr, char_size: u8) -> Lowered<Expr> {
    let size = l.size_type();
    l.lib_value(LibFn::StrNLen(char_size), size, vec![s.clone(), max.clone()], c.span)
}

fn bounded_length(l: &mut L<'_>, c: &C<'_>, char_size: u8) -> Lowered<Expr> {
    let max = l.size_arg(c, 1)?;
    let s = whole_string(l, c, 0, char_size, Some(max.clone()))?;
    bounded_length_of(l, c, &s, &max, char_size)
}

fn copy(l: &mut L<'_>, c: &C<'_>, char_size: u8, returns_end: bool) -> Lowered<Expr> {
    let dst = l.pinned_arg(c, 0)?;
    let src = whole_string(l, c, 1, char_size, None)?;
    let len = length_of(l, c, &src, char_size)?;
    let one = l.size_const(1);
    let count = l.size_op(BinaryOp::Add, len.clone(), one);
    let bytes = l.scaled(count, char_size);
    l.check_write(c, 0, dst.clone(), bytes.clone())?;
    let text = (char_size == 1).then(|| dst.clone());
    l.lib_effect(LibFn::MemCopy, [dst.clone(), src, bytes].into_iter().chain(text).collect(), c.span)?;
    Ok(if returns_end { l.advanced(dst, len) } else { dst })
}

fn bounded_copy(l: &mut L<'_>, c: &C<'_>, char_size: u8, returns_end: bool) -> Lowered<Expr> {
    let dst = l.pinned_arg(c, 0)?;
    let max = l.size_arg(c, 2)?;
    let src = whole_string(l, c, 1, char_size, Some(max.clone()))?;
    let total = l.scaled(max.clone(), char_size);
    l.check_write(c, 0, dst.clone(), total.clone())?;
    let len = bounded_length_of(l, c, &src, &max, char_size)?;
    let bytes = l.scaled(len, char_size);
    let bytes = l.hold(bytes, c.span)?;
    l.lib_effect(LibFn::MemCopy, vec![dst.clone(), src, bytes.clone()], c.span)?;
    let rest = l.size_op(BinaryOp::Sub, total, bytes.clone());
    let end = l.advanced(dst.clone(), bytes);
    let zero = l.int_const(0);
    l.lib_effect(LibFn::MemSet, vec![end.clone(), zero, rest], c.span)?;
    Ok(if returns_end { end } else { dst })
}

/// `strlcpy`: copies what there is room for and ends it, and gives the length of the whole (strlcpy(3)).
fn cut_copy(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let (dst, room) = (l.pinned_arg(c, 0)?, l.size_arg(c, 2)?);
    let src = whole_string(l, c, 1, 1, None)?;
    let len = length_of(l, c, &src, 1)?;
    let len = l.hold(len, c.span)?;
    put_cut(l, c, (dst.clone(), dst), src, len.clone(), room)?;
    Ok(len)
}

/// `strlcat`: the same behind the string that is there. Where that has no end in the room, nothing is written.
fn cut_append(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let (dst, room) = (l.pinned_arg(c, 0)?, l.size_arg(c, 2)?);
    let src = whole_string(l, c, 1, 1, None)?;
    l.check_whole_string(c, 0, dst.clone(), 1, Some(room.clone()))?;
    let used = bounded_length_of(l, c, &dst, &room, 1)?;
    let used = l.hold(used, c.span)?;
    let len = length_of(l, c, &src, 1)?;
    let len = l.hold(len, c.span)?;
    let end = l.advanced(dst.clone(), used.clone());
    let end = l.hold(end, c.span)?;
    let rest = l.size_op(BinaryOp::Sub, room, used.clone());
    let rest = l.hold(rest, c.span)?;
    put_cut(l, c, (dst, end), src, len.clone(), rest)?;
    Ok(l.size_op(BinaryOp::Add, used, len))
}

/// Puts as much of a text of `len` characters to `at`, in the string that starts at `text`, as there is `room` for with a zero.
fn put_cut(l: &mut L<'_>, c: &C<'_>, (text, at): (Expr, Expr), src: Expr, len: Expr, room: Expr) -> Lowered<()> {
    let one = l.size_const(1);
    let some = l.compared(BinaryOp::Gt, room.clone(), l.size_const(0));
    l.when(some, c.span, |l| {
        let count = l.variable_of(len.clone(), c.span)?;
        let cut = l.compared(BinaryOp::Ge, len, room.clone());
        let most = l.size_op(BinaryOp::Sub, room, one.clone());
        l.when(cut, c.span, |l| l.set(&count, most, c.span))?;
        let bytes = l.hold(Expr::load(count), c.span)?;
        let all = l.size_op(BinaryOp::Add, bytes.clone(), one);
        l.check_write(c, 0, at.clone(), all)?;
        l.lib_effect(LibFn::MemCopy, vec![at.clone(), src, bytes.clone()], c.span)?;
        let end = l.advanced(at, bytes);
        l.end_text(text, end, 1, c.span)
    })
}

fn append(l: &mut L<'_>, c: &C<'_>, char_size: u8, bounded: bool) -> Lowered<Expr> {
    let dst = whole_string(l, c, 0, char_size, None)?;
    let max = if bounded { Some(l.size_arg(c, 2)?) } else { None };
    let src = whole_string(l, c, 1, char_size, max.clone())?;
    let used = length_of(l, c, &dst, char_size)?;
    let len = match &max {
        Some(max) => bounded_length_of(l, c, &src, max, char_size)?,
        None => length_of(l, c, &src, char_size)?,
    };
    let used = l.scaled(used, char_size);
    let end = l.advanced(dst.clone(), used);
    let end = l.hold(end, c.span)?;
    let bytes = l.scaled(len, char_size);
    let bytes = l.hold(bytes, c.span)?;
    let terminator = l.size_const(u64::from(char_size));
    let all = l.size_op(BinaryOp::Add, bytes.clone(), terminator);
    l.check_write(c, 0, end.clone(), all)?;
    l.lib_effect(LibFn::MemCopy, vec![end.clone(), src, bytes.clone()], c.span)?;
    let last = l.advanced(end, bytes);
    l.end_text(dst.clone(), last, char_size, c.span)?;
    Ok(dst)
}

/// Characters behind the first difference need not be there: what counts is how many the comparison looks at.
fn compare(l: &mut L<'_>, c: &C<'_>, function: LibFn, char_size: u8, bounded: bool) -> Lowered<Expr> {
    let (a, b) = (l.pinned_arg(c, 0)?, l.pinned_arg(c, 1)?);
    let max = if bounded { Some(l.size_arg(c, 2)?) } else { None };
    let (int, size) = (l.int_type(), l.size_type());
    let args: Vec<Expr> = [a.clone(), b.clone()].into_iter().chain(max).collect();
    let folds = matches!(function, LibFn::StrCaseCmp | LibFn::StrNCaseCmp);
    let looks = if folds { LibFn::StrCaseCompared } else { LibFn::StrCompared(char_size) };
    let count = l.lib_value(looks, size, args.clone(), c.span)?;
    l.check_string(c, 0, a, char_size, Some(count.clone()))?;
    l.check_string(c, 1, b, char_size, Some(count))?;
    l.lib_value(function, int, args, c.span)
}

fn find_char(l: &mut L<'_>, c: &C<'_>, function: LibFn, char_size: u8) -> Lowered<Expr> {
    let s = string(l, c, 0, char_size, None)?;
    let int = l.int_type();
    let value = l.arg_as(c, 1, int)?;
    let ty = result_type(l, c);
    l.lib_value(function, ty, vec![s, value], c.span)
}

fn find(l: &mut L<'_>, c: &C<'_>, function: LibFn, char_size: u8) -> Lowered<Expr> {
    let s = string(l, c, 0, char_size, None)?;
    let other = string(l, c, 1, char_size, None)?;
    let ty = result_type(l, c);
    l.lib_value(function, ty, vec![s, other], c.span)
}

fn span(l: &mut L<'_>, c: &C<'_>, function: LibFn, char_size: u8) -> Lowered<Expr> {
    let s = string(l, c, 0, char_size, None)?;
    let set = string(l, c, 1, char_size, None)?;
    let size = l.size_type();
    l.lib_value(function, size, vec![s, set], c.span)
}

fn duplicate(l: &mut L<'_>, c: &C<'_>, char_size: u8, bounded: bool) -> Lowered<Expr> {
    let max = if bounded { Some(l.size_arg(c, 1)?) } else { None };
    let src = whole_string(l, c, 0, char_size, max.clone())?;
    let len = match &max {
        Some(max) => bounded_length_of(l, c, &src, max, char_size)?,
        None => length_of(l, c, &src, char_size)?,
    };
    let bytes = l.scaled(len, char_size);
    let bytes = l.hold(bytes, c.span)?;
    let terminator = l.size_const(u64::from(char_size));
    let all = l.size_op(BinaryOp::Add, bytes.clone(), terminator);
    let ty = result_type(l, c);
    let block = l.allocate_heap(c, all, false, ty)?;
    let got = l.is_not_null(&block);
    l.when(got, c.span, |l| {
        l.lib_effect(LibFn::MemCopy, vec![block.clone(), src, bytes.clone()], c.span)?;
        let end = l.advanced(block.clone(), bytes);
        l.end_text(block.clone(), end, char_size, c.span)
    })?;
    Ok(block)
}

/// The string as it is (assumption D11), or, where there is no room for it with its zero, anything (C11 7.24.4.5p3). Gives its length.
fn transform(l: &mut L<'_>, c: &C<'_>, char_size: u8) -> Lowered<Expr> {
    let (dst, room) = (l.pinned_arg(c, 0)?, l.size_arg(c, 2)?);
    let src = whole_string(l, c, 1, char_size, None)?;
    let len = length_of(l, c, &src, char_size)?;
    let len = l.hold(len, c.span)?;
    let (fits, cut) =
        (l.compared(BinaryOp::Lt, len.clone(), room.clone()), l.compared(BinaryOp::Ge, len.clone(), room.clone()));
    l.when(fits, c.span, |l| {
        let bytes = l.scaled(l.size_op(BinaryOp::Add, len.clone(), l.size_const(1)), char_size);
        let bytes = l.hold(bytes, c.span)?;
        l.check_write(c, 0, dst.clone(), bytes.clone())?;
        let text = (char_size == 1).then(|| dst.clone());
        l.lib_effect(LibFn::MemCopy, [dst.clone(), src, bytes].into_iter().chain(text).collect(), c.span)
    })?;
    l.when(cut, c.span, |l| {
        let bytes = l.scaled(room, char_size);
        let bytes = l.hold(bytes, c.span)?;
        l.check_write(c, 0, dst.clone(), bytes.clone())?;
        l.approximate_bytes(&format!("{}() part", c.name), dst, bytes, c.span)
    })?;
    Ok(len)
}
