//! Functions whose result is a computation that no contract describes: special functions of `math.h`, calendar time.

use super::LibraryCall;
use super::dispatch::Model;
use super::kept;
use crate::frontend::lower::{Lowered, Lowerer};
use crate::ir::{AccessMode, Expr, FloatKind, Type};

type L<'l> = Lowerer<'l>;
type C<'c> = LibraryCall<'c>;

pub(super) fn model(name: &str) -> Option<Model> {
    Some(match name {
        "lgamma_r" => |l, c| {
            l.fill_argument(c, 1, false)?;
            any(l, c)
        },
        "localtime_r" | "gmtime_r" => broken_down,
        "localtime" | "gmtime" => |l, c| {
            l.check_object(c, 0, AccessMode::Read)?;
            kept::object(l, c, true, false)
        },
        "getpwnam" | "gethostbyname" => |l, c| {
            l.check_text(c, 0)?;
            kept::object(l, c, true, false)
        },
        "localeconv" => |l, c| kept::object(l, c, false, false),
        "getpwuid" => |l, c| kept::object(l, c, true, false),
        "strftime" => strftime,
        "mktime" | "timegm" => calendar_time,
        _ if is_special(name) || is_special(name.strip_suffix(['f', 'l'])?) => any,
        _ => return None,
    })
}

/// Functions of numbers to a number.
fn is_special(name: &str) -> bool {
    matches!(
        name,
        "acosh"
            | "asinh"
            | "atanh"
            | "erf"
            | "erfc"
            | "gamma"
            | "j0"
            | "j1"
            | "jn"
            | "lgamma"
            | "nexttoward"
            | "scalb"
            | "significand"
            | "tgamma"
            | "y0"
            | "y1"
            | "yn"
    )
}

/// The members are brought into their ranges, or -1 is given, and they stay, where no number stands for that time (C11 7.27.2.3).
fn calendar_time(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    l.check_object(c, 0, AccessMode::Write)?;
    let time = any(l, c)?;
    let result = l.variable_of(Expr::int(-1, time.ty), c.span)?;
    let known = l.perhaps(&format!("{}() succeeds", c.name), c.span)?;
    l.when(known, c.span, |l| {
        l.fill_checked(c, 0, false)?;
        l.set(&result, time, c.span)
    })?;
    Ok(Expr::load(result))
}

/// Any value of the result's type.
fn any(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let ty = c.result_or(l.program.types.float(FloatKind::Double));
    match l.program.types.get(ty) {
        Type::Int(_) | Type::Float(_) => l.approximate_value(&format!("{}()", c.name), ty, None, c.span),
        _ => Ok(l.zero_of(ty)),
    }
}

/// `localtime_r(time, result)`: fails for years out of range.
fn broken_down(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let (time, out) = (l.pinned_arg(c, 0)?, l.pinned_arg(c, 1)?);
    let pointee = |e: &Expr| l.program.types.pointee(e.ty).and_then(|t| l.program.types.size_of(t)).unwrap_or(1);
    let (read, written) = (l.size_const(pointee(&time)), l.size_const(pointee(&out)));
    l.check_read(c, 0, time, read)?;
    l.check_write(c, 1, out.clone(), written)?;
    l.fill_argument_checked(c, &out)?;
    Ok(out)
}

impl Lowerer<'_> {
    fn fill_argument_checked(&mut self, c: &LibraryCall<'_>, ptr: &Expr) -> Lowered<()> {
        match self.program.types.pointee(ptr.ty) {
            Some(ty) => self.fill_object(c, ptr, ty, false),
            None => Ok(()),
        }
    }
}

/// At most `max` characters with the terminator, or 0 with the buffer's content indeterminate.
fn strftime(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let (buffer, max, format) = (l.pinned_arg(c, 0)?, l.size_arg(c, 1)?, l.pinned_arg(c, 2)?);
    l.check_string(c, 2, format, 1, None)?;
    l.check_object(c, 3, AccessMode::Read)?;
    let (size, zero, one) = (l.size_type(), l.size_const(0), l.size_const(1));
    let result = l.variable_of(zero.clone(), c.span)?;
    let room = l.compared(crate::ir::BinaryOp::Gt, max.clone(), zero.clone());
    l.when(room, c.span, |l| {
        let most = l.size_op(crate::ir::BinaryOp::Sub, max, one.clone());
        let len = l.approximate_value("strftime()", size, Some((zero.clone(), most.clone())), c.span)?;
        let fits = l.compared(crate::ir::BinaryOp::Gt, len.clone(), zero.clone());
        l.when(fits, c.span, |l| {
            let all = l.size_op(crate::ir::BinaryOp::Add, len.clone(), one);
            l.check_write(c, 0, buffer.clone(), all)?;
            l.approximate_text("strftime() text", buffer.clone(), len.clone(), c.span)
        })?;
        let fails = l.compared(crate::ir::BinaryOp::Eq, len.clone(), zero.clone());
        l.when(fails, c.span, |l| {
            let some = l.approximate_value("strftime() rest", size, Some((zero, most)), c.span)?;
            l.check_write(c, 0, buffer.clone(), some.clone())?;
            l.approximate_bytes("strftime() text", buffer, some, c.span)
        })?;
        l.set(&result, len, c.span)
    })?;
    Ok(Expr::load(result))
}
