//! Functions that work on a file descriptor: none is below 0, and there they fail (POSIX: `EBADF`) and do nothing else.

use super::LibraryCall;
use crate::frontend::lower::{Lowered, Lowerer};
use crate::ir::{BinaryOp, Expr};

/// No descriptor of Linux is above this number, unless its administrator says otherwise.
pub(super) const LAST: i128 = 1 << 20;

/// Whether such a function writes to its caller's memory; None for other functions. The descriptor comes first.
fn writes(name: &str) -> Option<bool> {
    Some(match name {
        "read" | "pread" | "pread64" | "recv" | "recvfrom" | "fstat" | "fstat64" | "fcntl" | "fcntl64" | "ioctl"
        | "accept" | "accept4" | "getsockname" | "getpeername" | "getsockopt" => true,
        "write" | "pwrite" | "pwrite64" | "send" | "sendto" | "close" | "fsync" | "fdatasync" | "ftruncate"
        | "ftruncate64" | "fchmod" | "fchown" | "lseek" | "lseek64" | "dup" | "dup2" | "connect" | "bind"
        | "listen" | "shutdown" | "setsockopt" => false,
        _ => return None,
    })
}

/// Lowers the call as `whole` does, where its descriptor can be one.
pub(super) fn lower(
    l: &mut Lowerer<'_>,
    c: &LibraryCall<'_>,
    whole: impl FnOnce(&mut Lowerer<'_>) -> Lowered<Option<Expr>>,
) -> Lowered<Option<Expr>> {
    let ty = c.result_or(l.int_type());
    let matters = writes(c.name).is_some_and(|writes| writes || c.wanted) && l.program.types.as_int(ty).is_some();
    if !matters || c.args.is_empty() {
        return whole(l);
    }
    let int = l.int_type();
    let descriptor = l.arg_as(c, 0, int)?;
    if descriptor.as_int().is_some_and(|n| n >= 0) {
        return whole(l);
    }
    let result = l.variable_of(Expr::int(-1, ty), c.span)?;
    let perhaps_open = l.compared(BinaryOp::Ge, descriptor, l.int_const(0));
    l.when(perhaps_open, c.span, |l| match whole(l)? {
        Some(value) => {
            let value = l.convert(value, ty, c.span)?;
            l.set(&result, value, c.span)
        }
        None => Ok(()),
    })?;
    Ok(Some(Expr::load(result)))
}
