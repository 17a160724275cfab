//! Output of `stdio.h` and `wchar.h`: formats, streams, strings.

use super::{LibraryCall, Model};
use crate::frontend::lower::{Lowered, Lowerer};
use crate::ir::format::{Directive, Piece, pieces};
use crate::ir::{AllocKind, BinaryOp, Expr, ExprKind, IntKind, LibFn, Place, PlaceBase};

type L<'l> = Lowerer<'l>;
type C<'c> = LibraryCall<'c>;

pub(super) fn model(name: &str) -> Option<Model> {
    Some(match name {
        "printf" => |l, c| print(l, c, None, 0, 1),
        "wprintf" => |l, c| print(l, c, None, 0, 4),
        "fprintf" => |l, c| print(l, c, Some(0), 1, 1),
        "fwprintf" => |l, c| print(l, c, Some(0), 1, 4),
        "dprintf" => |l, c| print(l, c, Some(0), 1, 1),
        "sprintf" => |l, c| format_unbounded(l, c),
        "asprintf" => format_new,
        "snprintf" => |l, c| format_bounded(l, c, 1),
        "swprintf" => |l, c| format_bounded(l, c, 4),
        "puts" => |l, c| put_string(l, c, 0, None, 1, true),
        "fputs" | "fputs_unlocked" => |l, c| put_string(l, c, 0, Some(1), 1, false),
        "fputws" => |l, c| put_string(l, c, 0, Some(1), 4, false),
        "putchar" | "putchar_unlocked" | "putwchar" => |l, c| put_char(l, c, None),
        "ungetc" => put_back,
        "putc" | "fputc" | "fputc_unlocked" | "putc_unlocked" | "fputwc" | "putwc" => |l, c| put_char(l, c, Some(1)),
        "perror" => |l, c| {
            l.check_text_if_given(c, 0)?;
            Ok(l.void())
        },
        "fwrite" | "fwrite_unlocked" => fwrite,
        "write" | "send" | "pwrite" | "pwrite64" => write,
        "sendto" => |l, c| {
            l.when_given(c, 4, |l| {
                let (to, length) = (l.pinned_arg(c, 4)?, l.size_arg(c, 5)?);
                l.check_read(c, 4, to, length)
            })?;
            write(l, c)
        },
        "vprintf" | "vfprintf" | "vdprintf" | "vsprintf" | "vsnprintf" | "vasprintf" => variadic_list,
        _ => return None,
    })
}

/// 1 for standard output, 2 for standard error, 0 for others.
fn stream(l: &L<'_>, c: &C<'_>, i: Option<usize>) -> Expr {
    let number = match i {
        None => 1,
        Some(i) => match c.args.get(i).map(|e| &e.kind) {
            Some(ExprKind::Load(place)) => match place.as_ref() {
                Place { base: PlaceBase::Var(v), .. } => match l.program.variables[*v].name.as_str() {
                    "stdout" => 1,
                    "stderr" => 2,
                    _ => 0,
                },
                _ => 0,
            },
            _ => 0,
        },
    };
    l.int_const(number)
}

/// The conversions of a `printf` format, in order.
fn conversions(format: &[u8]) -> impl Iterator<Item = Directive> {
    let characters: Vec<u32> = format.iter().map(|&c| c.into()).collect();
    pieces(&characters).into_iter().filter_map(|piece| match piece {
        // `%m`, an extension, takes no argument.
        Piece::Directive(d) if !matches!(d.conversion, b'%' | b'm' | 0) => Some(d),
        _ => None,
    })
}

/// Checks the format and the strings that it reads; formats that are no literal are checked alone.
pub(super) fn check_format(l: &mut L<'_>, c: &C<'_>, format: usize, char_size: u8) -> Lowered<()> {
    let f = l.pinned_arg(c, format)?;
    let text = if char_size == 1 { l.literal_text(&f) } else { l.wide_literal_text(&f) };
    let Some(text) = text else {
        return l.check_string(c, format, f, char_size, None);
    };
    let mut at = format + 1;
    let mut c = c.clone();
    for d in conversions(&text) {
        at += usize::from(d.star_width) + usize::from(d.star_precision);
        if matches!(d.conversion, b's' | b'S') {
            let character = l.kind_type(IntKind::Char);
            l.take_for_pointer(&mut c, at, character);
            // `%s` of a wide function is still narrow; `%ls` is wide.
            let size = if d.is_wide() { 4 } else { 1 };
            let max = match d.precision {
                // A negative precision is none (C11 7.21.6.1p5), and as a size it is none, too.
                _ if d.star_precision => Some(l.size_arg(&c, at - 1)?),
                Some(n) => Some(l.size_const(n as u64)),
                None => None,
            };
            let s = l.pinned_arg(&c, at)?;
            l.check_whole_string(&c, at, s, size, max)?;
        }
        if d.conversion == b'n' {
            let int = l.int_type();
            l.take_for_pointer(&mut c, at, int);
            l.fill_argument(&c, at, false)?;
        }
        at += 1;
    }
    Ok(())
}

fn format_args(l: &mut L<'_>, c: &C<'_>, format: usize) -> Lowered<Vec<Expr>> {
    (format..c.args.len()).map(|i| l.pinned_arg(c, i)).collect()
}

fn print(l: &mut L<'_>, c: &C<'_>, to: Option<usize>, format: usize, char_size: u8) -> Lowered<Expr> {
    check_format(l, c, format, char_size)?;
    let args = format_args(l, c, format)?;
    let result = written(l, c, char_size, &args)?;
    let stream = stream(l, c, to);
    l.lib_effect(LibFn::Print(char_size), [vec![stream], args].concat(), c.span)?;
    // The output may fail (C11 7.21.6.1p14).
    if c.wanted { or_end_of_file(l, c, result) } else { Ok(result) }
}

fn written(l: &mut L<'_>, c: &C<'_>, char_size: u8, args: &[Expr]) -> Lowered<Expr> {
    let int = l.int_type();
    if !c.wanted {
        return Ok(l.int_const(0));
    }
    l.lib_value(LibFn::FormatLength(char_size), int, args.to_vec(), c.span)
}

fn format_unbounded(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    check_format(l, c, 1, 1)?;
    let dst = l.pinned_arg(c, 0)?;
    let args = format_args(l, c, 1)?;
    let (int, size) = (l.int_type(), l.size_type());
    let len = l.lib_value(LibFn::FormatLength(1), int, args.clone(), c.span)?;
    let count = l.convert_counted(len.clone(), size, c.span)?;
    let all = l.size_op(BinaryOp::Add, count, l.size_const(1));
    l.check_write(c, 0, dst.clone(), all.clone())?;
    l.lib_effect(LibFn::FormatWrite(1), [vec![dst, all], args].concat(), c.span)?;
    Ok(len)
}

fn format_bounded(l: &mut L<'_>, c: &C<'_>, char_size: u8) -> Lowered<Expr> {
    check_format(l, c, 2, char_size)?;
    let (dst, limit) = (l.pinned_arg(c, 0)?, l.size_arg(c, 1)?);
    let args = format_args(l, c, 2)?;
    let (int, size) = (l.int_type(), l.size_type());
    let len = l.lib_value(LibFn::FormatLength(char_size), int, args.clone(), c.span)?;
    let count = l.convert_counted(len.clone(), size, c.span)?;
    let all = l.size_op(BinaryOp::Add, count, l.size_const(1));
    let used = l.variable_of(limit.clone(), c.span)?;
    let fits = l.compared(BinaryOp::Lt, all.clone(), limit.clone());
    l.when(fits, c.span, |l| l.set(&used, all.clone(), c.span))?;
    let bytes = l.scaled(Expr::load(used), char_size);
    l.check_write(c, 0, dst.clone(), bytes)?;
    l.lib_effect(LibFn::FormatWrite(char_size), [vec![dst, limit.clone()], args].concat(), c.span)?;
    if char_size == 1 {
        return Ok(len);
    }
    // `swprintf` fails when the text does not fit (C11 7.29.2.3).
    let result = l.variable_of(len, c.span)?;
    let cut = l.compared(BinaryOp::Ge, all, limit);
    let failed = l.int_const(-1);
    let cut = if c.wanted { cut } else { l.int_const(0) };
    l.when(cut, c.span, |l| l.set(&result, failed, c.span))?;
    Ok(Expr::load(result))
}

/// The `v...printf` family: what is written follows from a `va_list`, which no contract reads.
fn variadic_list(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let (int, size) = (l.int_type(), l.size_type());
    let name = format!("{}()", c.name);
    let longest = i32::MAX - 1;
    let range = Some((l.int_const(0), l.int_const(longest)));
    let len = l.approximate_value(&name, int, range, c.span)?;
    let format = match c.name {
        "vprintf" => 0,
        "vsnprintf" => 2,
        _ => 1,
    };
    l.check_text(c, format)?;
    let count = l.convert_counted(len.clone(), size, c.span)?;
    let (zero, one) = (l.size_const(0), l.size_const(1));
    match c.name {
        "vsprintf" => {
            let dst = l.pinned_arg(c, 0)?;
            any_text(l, c, dst, count)?;
        }
        "vsnprintf" => {
            let (dst, limit) = (l.pinned_arg(c, 0)?, l.size_arg(c, 1)?);
            let room = l.compared(BinaryOp::Gt, limit.clone(), zero);
            l.when(room, c.span, |l| {
                let most = l.size_op(BinaryOp::Sub, limit, one);
                let used = l.variable_of(count.clone(), c.span)?;
                let cut = l.compared(BinaryOp::Gt, count, most.clone());
                l.when(cut, c.span, |l| l.set(&used, most, c.span))?;
                any_text(l, c, dst, Expr::load(used))
            })?;
        }
        "vasprintf" => {
            let (out, ty) = (l.pinned_arg(c, 0)?, l.program.types.char_ptr());
            let pointer = l.size_const(l.program.types.pointer_size());
            l.check_write(c, 0, out.clone(), pointer)?;
            let block = l.new_text(c, AllocKind::Heap, longest as u64, true, ty)?;
            l.store_through(out, block.clone(), c.span)?;
            let result = l.variable_of(len, c.span)?;
            let failed = l.compared(BinaryOp::Eq, block, Expr::int(0, ty));
            let minus = l.int_const(-1);
            l.when(failed, c.span, |l| l.set(&result, minus, c.span))?;
            return Ok(Expr::load(result));
        }
        _ => {}
    }
    Ok(len)
}

/// `len` characters that nobody knows, and a terminator.
fn any_text(l: &mut L<'_>, c: &C<'_>, dst: Expr, len: Expr) -> Lowered<()> {
    let all = l.size_op(BinaryOp::Add, len.clone(), l.size_const(1));
    l.check_write(c, 0, dst.clone(), all)?;
    l.approximate_text(&format!("{}() text", c.name), dst, len, c.span)
}

fn put_string(l: &mut L<'_>, c: &C<'_>, s: usize, to: Option<usize>, char_size: u8, line: bool) -> Lowered<Expr> {
    let text = l.pinned_arg(c, s)?;
    l.check_whole_string(c, s, text.clone(), char_size, None)?;
    let stream = stream(l, c, to);
    l.lib_effect(LibFn::PutString(char_size), vec![stream.clone(), text], c.span)?;
    if line {
        let newline = l.int_const(10);
        l.lib_effect(LibFn::PutChar, vec![stream, newline], c.span)?;
    }
    if !c.wanted {
        return Ok(l.int_const(0));
    }
    let int = l.int_type();
    l.input_value(&format!("{}()", c.name), int, Some((-1, i128::from(i32::MAX))), c.span)
}

fn put_char(l: &mut L<'_>, c: &C<'_>, to: Option<usize>) -> Lowered<Expr> {
    let int = l.int_type();
    let value = l.arg_as(c, 0, int)?;
    let stream = stream(l, c, to);
    l.lib_effect(LibFn::PutChar, vec![stream, value.clone()], c.span)?;
    if !c.wanted {
        return Ok(value);
    }
    let written = match c.name {
        // Wide characters come back as they are.
        "putwchar" | "fputwc" | "putwc" => value,
        _ => {
            let byte = l.kind_type(IntKind::UChar);
            value.cast(byte).cast(int)
        }
    };
    or_end_of_file(l, c, written)
}

/// The result of a call that gives -1 where it fails.
fn or_end_of_file(l: &mut L<'_>, c: &C<'_>, success: Expr) -> Lowered<Expr> {
    let failed = l.int_const(-1);
    let result = l.variable_of(failed, c.span)?;
    let some = l.either(&format!("{}() succeeds", c.name), c.span)?;
    l.when(some, c.span, |l| l.set(&result, success, c.span))?;
    Ok(Expr::load(result))
}

/// The character is pushed back, and given back as `getc` will (C11 7.21.7.10p5); `EOF` is not pushed back.
fn put_back(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let (int, byte) = (l.int_type(), l.kind_type(IntKind::UChar));
    let value = l.arg_as(c, 0, int)?;
    let (end, minus) = (l.int_const(-1), l.int_const(-1));
    let result = l.variable_of(end, c.span)?;
    let some = l.compared(BinaryOp::Ne, value.clone(), minus);
    l.when(some, c.span, |l| {
        // One character behind a read can be pushed back at all times: runs in which that fails prove nothing.
        let fails = l.either(&format!("{}() fails", c.name), c.span)?;
        let pushed = l.compared(BinaryOp::Eq, fails, l.int_const(0));
        l.when(pushed, c.span, |l| l.set(&result, value.cast(byte).cast(int), c.span))
    })?;
    Ok(Expr::load(result))
}

fn fwrite(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let (ptr, size, n) = (l.pinned_arg(c, 0)?, l.size_arg(c, 1)?, l.size_arg(c, 2)?);
    let bytes = l.size_op(BinaryOp::Mul, size, n.clone());
    l.check_read(c, 0, ptr, bytes)?;
    if !c.wanted {
        return Ok(n);
    }
    let (ty, zero) = (l.size_type(), l.size_const(0));
    l.input_between("fwrite()", ty, Some((zero, n)), c.span)
}

fn write(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let (ptr, n) = (l.pinned_arg(c, 1)?, l.size_arg(c, 2)?);
    l.check_read(c, 1, ptr, n)?;
    let most = super::input::transfer_limit(l, c, 2)?;
    let ty = l.program.types.ptrdiff_type();
    l.input_between(&format!("{}()", c.name), ty, Some((Expr::int(-1, ty), most)), c.span)
}

/// `asprintf`: -1, or a new block with the text.
fn format_new(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    check_format(l, c, 1, 1)?;
    let (out, ty) = (l.pinned_arg(c, 0)?, l.program.types.char_ptr());
    let pointer = l.size_const(l.program.types.pointer_size());
    l.check_write(c, 0, out.clone(), pointer)?;
    let args = format_args(l, c, 1)?;
    let (int, size) = (l.int_type(), l.size_type());
    let len = l.lib_value(LibFn::FormatLength(1), int, args.clone(), c.span)?;
    let count = l.convert_counted(len.clone(), size, c.span)?;
    let all = l.size_op(BinaryOp::Add, count, l.size_const(1));
    let block = l.allocate_heap(c, all.clone(), false, ty)?;
    let failed = l.int_const(-1);
    let result = l.variable_of(failed, c.span)?;
    let got = l.is_not_null(&block);
    l.when(got, c.span, |l| {
        l.lib_effect(LibFn::FormatWrite(1), [vec![block.clone(), all], args].concat(), c.span)?;
        l.store_through(out, block, c.span)?;
        l.set(&result, len, c.span)
    })?;
    Ok(Expr::load(result))
}
