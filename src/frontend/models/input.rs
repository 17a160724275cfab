//! Input of `stdio.h` and `unistd.h`: what the environment gives.

use super::{LibraryCall, Model};
use crate::frontend::lower::{Lowered, Lowerer};
use crate::ir::program::Excluded;
use crate::ir::{BinaryOp, Expr, IntKind};

type L<'l> = Lowerer<'l>;
type C<'c> = LibraryCall<'c>;

pub(super) fn model(name: &str) -> Option<Model> {
    Some(match name {
        "getchar" | "getc" | "fgetc" | "getchar_unlocked" | "getc_unlocked" => |l, c| {
            let int = l.int_type();
            l.input_value(&format!("{}()", c.name), int, Some((-1, 255)), c.span)
        },
        "getwchar" | "fgetwc" | "getwc" => |l, c| {
            let ty = l.kind_type(IntKind::UInt);
            l.input_value(&format!("{}()", c.name), ty, None, c.span)
        },
        "fgets" | "fgets_unlocked" => |l, c| line(l, c, 1),
        "fgetws" => |l, c| line(l, c, 4),
        "gets" => gets,
        "fread" | "fread_unlocked" => fread,
        "read" => |l, c| read_into(l, c, 1, 2),
        "getgroups" => groups,
        _ => return None,
    })
}

/// What `fgets` reads: no line feed but at the end.
const LINE: Excluded = Excluded { bytes: b"\n", may_end: true, wide: false };
/// What `gets` leaves of a line.
pub(super) const LINE_WITHOUT_END: Excluded = Excluded { bytes: b"\n", may_end: false, wide: false };
/// `fgets`: fails, or writes `len` characters and a terminator, with `len` below the limit, at least one where there is room.
fn line(l: &mut L<'_>, c: &C<'_>, char_size: u8) -> Lowered<Expr> {
    let buffer = l.pinned_arg(c, 0)?;
    let int = l.int_type();
    let limit = l.arg_as(c, 1, int)?;
    let null = Expr::int(0, buffer.ty);
    let result = l.variable_of(null, c.span)?;
    let (zero, one) = (l.int_const(0), l.int_const(1));
    let name = format!("{}()", c.name);
    let text = InputText { excluded: LINE, char_size, approximate: false };
    let some = l.either(&format!("{name} succeeds"), c.span)?;
    let room = l.compared(BinaryOp::Gt, limit.clone(), zero.clone());
    l.when(room, c.span, |l| {
        l.when(some, c.span, |l| {
            let least = match limit.as_int() {
                Some(limit) => l.int_const(i32::from(limit > 1)),
                None => l.compared(BinaryOp::Gt, limit.clone(), one.clone()),
            };
            let most = l.folded(BinaryOp::Sub, limit, one, int);
            let len = l.input_between(&format!("{name} length"), int, Some((least, most)), c.span)?;
            text_input(l, c, (0, buffer.clone()), &name, len, text)?;
            l.set(&result, buffer, c.span)
        })
    })?;
    Ok(Expr::load(result))
}

/// Characters that come from outside.
#[derive(Clone, Copy)]
pub(super) struct InputText {
    pub excluded: Excluded,
    pub char_size: u8,
    /// Which of them can come is more than `excluded` says.
    pub approximate: bool,
}

/// `len` input characters and a terminator at `buffer`, which is argument `i`.
pub(super) fn text_input(
    l: &mut L<'_>,
    c: &C<'_>,
    (i, buffer): (usize, Expr),
    name: &str,
    len: Expr,
    text: InputText,
) -> Lowered<()> {
    let InputText { excluded, char_size, approximate } = text;
    let excluded = Excluded { wide: char_size > 1, ..excluded };
    let size = l.size_type();
    let count = l.convert_counted(len, size, c.span)?;
    let bytes = l.scaled(count, char_size);
    let bytes = l.hold(bytes, c.span)?;
    let terminator = l.size_const(u64::from(char_size));
    let all = l.size_op(BinaryOp::Add, bytes.clone(), terminator.clone());
    l.check_write(c, i, buffer.clone(), all)?;
    let named = format!("{name} bytes");
    match approximate {
        true => l.approximate_bytes(&named, buffer.clone(), bytes.clone(), c.span)?,
        false => l.input_bytes_without(excluded, &named, buffer.clone(), bytes.clone(), c.span)?,
    }
    let end = l.advanced(buffer.clone(), bytes);
    l.end_text(buffer, end, char_size, c.span)
}

/// `gets`: a line of any length.
fn gets(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let buffer = l.pinned_arg(c, 0)?;
    let int = l.int_type();
    let result = l.variable_of(Expr::int(0, buffer.ty), c.span)?;
    let some = l.either("gets() succeeds", c.span)?;
    l.when(some, c.span, |l| {
        let len = l.input_value("gets() length", int, Some((0, LARGEST_TRANSFER.into())), c.span)?;
        let text = InputText { excluded: LINE_WITHOUT_END, char_size: 1, approximate: false };
        text_input(l, c, (0, buffer.clone()), "gets()", len, text)?;
        l.set(&result, buffer, c.span)
    })?;
    Ok(Expr::load(result))
}

/// So many whole elements, none of no size. Behind them a part of one more may have come: its bytes are nobody's
/// (C11 7.21.8.1p2).
fn fread(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let (ptr, size, n) = (l.pinned_arg(c, 0)?, l.size_arg(c, 1)?, l.size_arg(c, 2)?);
    let (ty, zero, one) = (l.size_type(), l.size_const(0), l.size_const(1));
    let most = if size.as_int().is_some_and(|size| size > 0) {
        n
    } else {
        let most = l.variable_of(zero.clone(), c.span)?;
        let some = l.compared(BinaryOp::Ne, size.clone(), zero.clone());
        l.when(some, c.span, |l| l.set(&most, n, c.span))?;
        Expr::load(most)
    };
    let count = l.input_between("fread()", ty, Some((zero.clone(), most.clone())), c.span)?;
    let bytes = l.size_op(BinaryOp::Mul, size.clone(), count.clone());
    let bytes = l.hold(bytes, c.span)?;
    if size.as_int().is_some_and(|size| size <= 1) {
        l.check_write(c, 0, ptr.clone(), bytes.clone())?;
        l.input_bytes("fread() bytes", ptr, bytes, c.span)?;
        return Ok(count);
    }
    let (rest, all) = (l.variable_of(zero.clone(), c.span)?, l.variable_of(bytes.clone(), c.span)?);
    let fewer = l.compared(BinaryOp::Lt, count.clone(), most);
    let splits = l.compared(BinaryOp::Gt, size.clone(), one.clone());
    l.when(splits, c.span, |l| {
        l.when(fewer, c.span, |l| {
            let part = l.either("fread() partial", c.span)?;
            let most = l.size_op(BinaryOp::Sub, size.clone(), one);
            // Put together here, where there are fewer elements than were asked for.
            let whole = l.size_op(BinaryOp::Mul, size, count.clone());
            let with_part = l.size_op(BinaryOp::Add, whole, most.clone());
            l.when(part, c.span, |l| {
                l.set(&rest, most, c.span)?;
                l.set(&all, with_part, c.span)
            })
        })
    })?;
    let rest = Expr::load(rest);
    l.check_write(c, 0, ptr.clone(), Expr::load(all))?;
    l.input_bytes("fread() bytes", ptr.clone(), bytes.clone(), c.span)?;
    let (splits, behind) = (l.compared(BinaryOp::Ne, rest.clone(), zero), l.advanced(ptr, bytes));
    l.when(splits, c.span, |l| l.approximate_bytes("fread() part", behind, rest, c.span))?;
    Ok(count)
}

/// -1, or a count up to that of argument `n` and as many bytes at argument `at`.
pub(super) fn read_into(l: &mut L<'_>, c: &C<'_>, at: usize, n: usize) -> Lowered<Expr> {
    let ptr = l.pinned_arg(c, at)?;
    let most = transfer_limit(l, c, n)?;
    let ty = l.program.types.ptrdiff_type();
    let name = format!("{}()", c.name);
    let count = l.input_between(&name, ty, Some((Expr::int(-1, ty), most)), c.span)?;
    let got = l.compared(BinaryOp::Gt, count.clone(), Expr::int(0, ty));
    l.when(got, c.span, |l| {
        let size = l.size_type();
        let bytes = l.convert_counted(count.clone(), size, c.span)?;
        l.check_write(c, at, ptr.clone(), bytes.clone())?;
        l.input_bytes(&format!("{name} bytes"), ptr, bytes, c.span)
    })?;
    Ok(count)
}

/// The numbers of groups, at most as many as asked for, or how many there are where that is 0 (POSIX `getgroups`).
fn groups(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    const MOST: i128 = 1 << 16;
    let (int, to) = (l.int_type(), l.pinned_arg(c, 1)?);
    let asked = l.arg_as(c, 0, int)?;
    let range = Some(l.within(int, (-1, MOST)));
    let all = l.approximate_value("getgroups() count", int, range, c.span)?;
    let result = l.variable_of(all, c.span)?;
    let some = l.compared(BinaryOp::Ne, asked.clone(), l.int_const(0));
    l.when(some, c.span, |l| {
        l.set(&result, Expr::int(-1, int), c.span)?;
        let room = l.compared(BinaryOp::Gt, asked.clone(), l.int_const(0));
        l.when(room, c.span, |l| {
            let count = l.input_between("getgroups()", int, Some((Expr::int(-1, int), asked)), c.span)?;
            l.set(&result, count.clone(), c.span)?;
            let got = l.compared(BinaryOp::Gt, count.clone(), l.int_const(0));
            l.when(got, c.span, |l| {
                let (size, width) =
                    (l.size_type(), l.program.types.pointee(to.ty).and_then(|t| l.program.types.size_of(t)));
                let count = l.convert_counted(count, size, c.span)?;
                let bytes = l.size_op(BinaryOp::Mul, count, l.size_const(width.unwrap_or(4)));
                let bytes = l.hold(bytes, c.span)?;
                l.check_write(c, 1, to.clone(), bytes.clone())?;
                l.input_bytes("getgroups() content", to, bytes, c.span)
            })
        })
    })?;
    Ok(Expr::load(result))
}

/// The most bytes that one call of Linux transfers, and that a line or a word has (assumption D12).
pub(super) const LARGEST_TRANSFER: u64 = 0x7fff_f000;

/// The count of argument `n` as a `ssize_t`, cut to what one call of Linux transfers.
pub(super) fn transfer_limit(l: &mut L<'_>, c: &C<'_>, n: usize) -> Lowered<Expr> {
    let (count, ty) = (l.size_arg(c, n)?, l.program.types.ptrdiff_type());
    let most = l.size_const(LARGEST_TRANSFER);
    if let Some(n) = count.as_int() {
        return Ok(Expr::int(n.min(i128::from(LARGEST_TRANSFER)), ty));
    }
    let limit = l.variable_of(count.clone(), c.span)?;
    let above = l.compared(BinaryOp::Gt, count, most.clone());
    l.when(above, c.span, |l| l.set(&limit, most, c.span))?;
    l.convert_counted(Expr::load(limit), ty, c.span)
}
