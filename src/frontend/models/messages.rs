//! Messages: `err.h`, `error.h`, `syslog.h`, whose output has no consequences, while some of them end the program; and those of
//! `libintl.h` that have a plural, which in the locale "C" are not translated (assumption D11).
//!
//! See: err(3), error(3), syslog(3), ngettext(3).

use super::dispatch::Model;
use super::output::check_format;
use super::{LibraryCall, process};
use crate::frontend::lower::{Lowered, Lowerer};
use crate::ir::{BinaryOp, Expr};

type L<'l> = Lowerer<'l>;
type C<'c> = LibraryCall<'c>;

pub(super) fn model(name: &str) -> Option<Model> {
    Some(match name {
        "warn" | "warnx" => |l, c| message(l, c, 0),
        "warnc" => |l, c| message(l, c, 1),
        "vwarn" | "vwarnx" => |l, c| listed_message(l, c, 0),
        "vwarnc" => |l, c| listed_message(l, c, 1),
        "err" | "errx" => |l, c| {
            message(l, c, 1)?;
            end(l, c)
        },
        "errc" => |l, c| {
            message(l, c, 2)?;
            end(l, c)
        },
        "verr" | "verrx" => |l, c| {
            listed_message(l, c, 1)?;
            end(l, c)
        },
        "verrc" => |l, c| {
            listed_message(l, c, 2)?;
            end(l, c)
        },
        "error" => |l, c| {
            check_format(l, c, 2, 1)?;
            end_unless_zero(l, c)
        },
        "error_at_line" => |l, c| {
            l.check_text_if_given(c, 2)?;
            check_format(l, c, 4, 1)?;
            end_unless_zero(l, c)
        },
        "syslog" => |l, c| {
            check_format(l, c, 1, 1)?;
            Ok(l.void())
        },
        "vsyslog" => |l, c| {
            l.check_text(c, 1)?;
            Ok(l.void())
        },
        "ngettext" => |l, c| plural(l, c, 0),
        "dngettext" | "dcngettext" => |l, c| plural(l, c, 1),
        _ => return None,
    })
}

/// Argument number `one`, or the next one, where the number behind them is not 1.
fn plural(l: &mut L<'_>, c: &C<'_>, one: usize) -> Lowered<Expr> {
    for i in 0..one + 2 {
        l.check_text_if_given(c, i)?;
    }
    let (single, other) = (l.pinned_arg(c, one)?, l.pinned_arg(c, one + 1)?);
    let ty = c.result_or(l.program.types.char_ptr());
    let number = l.size_arg(c, one + 2)?;
    let is_one = l.compared(BinaryOp::Eq, number, l.size_const(1));
    if let Some(is_one) = is_one.as_int() {
        return l.convert(if is_one == 0 { other } else { single }, ty, c.span);
    }
    let result = l.variable_of(other.cast(ty), c.span)?;
    l.when(is_one, c.span, |l| l.set(&result, single.cast(ty), c.span))?;
    Ok(Expr::load(result))
}

/// A format, which may be NULL, with its arguments.
fn message(l: &mut L<'_>, c: &C<'_>, format: usize) -> Lowered<Expr> {
    l.when_given(c, format, |l| check_format(l, c, format, 1))?;
    Ok(l.void())
}

/// The same with its arguments in a `va_list`.
fn listed_message(l: &mut L<'_>, c: &C<'_>, format: usize) -> Lowered<Expr> {
    l.check_text_if_given(c, format)?;
    Ok(l.void())
}

/// The program ends as by `exit` with the first argument.
fn end(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let int = l.int_type();
    let status = l.arg_as(c, 0, int)?;
    process::exit(l, c, status)?;
    Ok(l.void())
}

fn end_unless_zero(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let int = l.int_type();
    let status = l.arg_as(c, 0, int)?;
    let ends = l.compared(BinaryOp::Ne, status.clone(), l.int_const(0));
    if ends.as_int() != Some(0) {
        l.when(ends, c.span, |l| process::exit(l, c, status))?;
    }
    Ok(l.void())
}
