//! Other processes: programs that are run in place of this one, and children that are waited for.
//!
//! See: POSIX `exec`, `wait`; wait4(2).

use super::LibraryCall;
use super::dispatch::Model;
use crate::frontend::lower::{Lowered, Lowerer};
use crate::ir::{AccessMode, BinaryOp, Expr, IntKind, Terminator};

type L<'l> = Lowerer<'l>;
type C<'c> = LibraryCall<'c>;

/// No process of Linux has a greater number.
const LAST_PROCESS: i128 = 1 << 22;
/// The option of Linux with which a call does not wait.
const WNOHANG: i32 = 1;
/// The greatest status of a child, which says that it goes on.
const LAST_STATUS: i128 = 0xffff;

pub(super) fn model(name: &str) -> Option<Model> {
    Some(match name {
        "execv" | "execvp" | "execve" | "execvpe" => |l, c| {
            l.check_text(c, 0)?;
            run(l, c)
        },
        "fexecve" => run,
        "execl" | "execlp" | "execle" => |l, c| {
            l.check_text(c, 0)?;
            // Up to the first NULL that is written as such.
            for i in 1..c.args.len() {
                if c.args[i].as_int() == Some(0) || !l.program.types.is_pointer(c.args[i].ty) {
                    break;
                }
                l.check_text_if_given(c, i)?;
            }
            end_or_fail(l, c)
        },
        "wait" => |l, c| wait(l, c, (0, None), None),
        "waitpid" => |l, c| wait(l, c, (1, Some(2)), None),
        "wait3" => |l, c| wait(l, c, (0, Some(1)), Some(2)),
        "wait4" => |l, c| wait(l, c, (1, Some(2)), Some(3)),
        "waitid" => |l, c| {
            l.when_given(c, 2, |l| l.check_object(c, 2, AccessMode::Write))?;
            let int = l.int_type();
            let result = l.input_value("waitid()", int, Some((-1, 0)), c.span)?;
            let done = l.compared(BinaryOp::Eq, result.clone(), l.int_const(0));
            l.when(done, c.span, |l| l.when_given(c, 2, |l| l.fill_checked(c, 2, false)))?;
            Ok(result)
        },
        _ => return None,
    })
}

/// A program with an array of arguments and, perhaps, one of its environment.
fn run(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    l.check_object(c, 1, AccessMode::Read)?;
    if c.args.len() > 2 {
        l.when_given(c, 2, |l| l.check_object(c, 2, AccessMode::Read))?;
    }
    end_or_fail(l, c)
}

/// This program ends where the other one begins.
fn end_or_fail(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let runs = l.either(&format!("{}() succeeds", c.name), c.span)?;
    l.when(runs, c.span, |l| l.terminate(Terminator::Exit(None), c.span))?;
    Ok(l.int_const(-1))
}

/// The number of a child that has changed its state, or -1, which stores nothing; where the options let it not wait, perhaps 0.
fn wait(l: &mut L<'_>, c: &C<'_>, (status, options): (usize, Option<usize>), usage: Option<usize>) -> Lowered<Expr> {
    let (name, int) = (format!("{}()", c.name), l.int_type());
    for i in [status].into_iter().chain(usage) {
        l.when_given(c, i, |l| l.check_object(c, i, AccessMode::Write))?;
    }
    let ty = c.result_or(int);
    let result = l.variable_of(Expr::int(-1, ty), c.span)?;
    if let Some(i) = options {
        let options = l.arg_as(c, i, int)?;
        let set = l.folded(BinaryOp::And, options, l.int_const(WNOHANG), int);
        let set = l.compared(BinaryOp::Ne, set, l.int_const(0));
        if set.as_int() != Some(0) {
            l.when(set, c.span, |l| {
                let none = l.either(&format!("{name} does not wait"), c.span)?;
                l.when(none, c.span, |l| l.set(&result, Expr::int(0, ty), c.span))
            })?;
        }
    }
    let some = l.either(&format!("{name} succeeds"), c.span)?;
    l.when(some, c.span, |l| {
        let child = l.input_value(&name, ty, Some((1, LAST_PROCESS)), c.span)?;
        l.set(&result, child, c.span)?;
        if status == 1 {
            // The one that is waited for (POSIX: `waitpid`).
            let wanted = l.arg_as(c, 0, ty)?;
            let one = l.compared(BinaryOp::Gt, wanted.clone(), Expr::int(0, ty));
            l.when(one, c.span, |l| l.set(&result, wanted, c.span))?;
        }
        l.when_given(c, status, |l| {
            let to = l.pinned_arg(c, status)?;
            let value = state(l, c, &name)?;
            l.store_through(to, value, c.span)
        })?;
        usage.map_or(Ok(()), |i| l.when_given(c, i, |l| l.fill_checked(c, i, true)))
    })?;
    Ok(Expr::load(result))
}

/// What is told of a child: with which number it has ended, or something else, of which nothing definite rests on a number.
fn state(l: &mut L<'_>, c: &C<'_>, name: &str) -> Lowered<Expr> {
    let int = l.kind_type(IntKind::Int);
    let code = l.input_value(&format!("{name} exit status"), int, Some((0, 255)), c.span)?;
    let byte = Expr::int(256, int);
    let ended = l.folded(BinaryOp::Mul, code, byte, int);
    let value = l.variable_of(ended, c.span)?;
    let other = l.either(&format!("{name} other state"), c.span)?;
    l.when(other, c.span, |l| {
        let range = Some(l.within(int, (0, LAST_STATUS)));
        let some = l.approximate_value(&format!("{name} state"), int, range, c.span)?;
        l.set(&value, some, c.span)
    })?;
    Ok(Expr::load(value))
}
