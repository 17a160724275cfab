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
        "strncpy" => |l, c| bounded_copy(l, c, 1),
        "wcsncpy" => |l, c| bounded_copy(l, c, 4),
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

fn bounded_copy(l: &mut L<'_>, c: &C<'_>, char_size: u8) -> Lowered<Expr> {
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
    l.lib_effect(LibFn::MemSet, vec![end, zero, rest], c.span)?;
    Ok(dst)
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
