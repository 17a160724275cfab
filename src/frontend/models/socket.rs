//! Sockets: messages, and addresses that come with a length of their own.

use super::dispatch::Model;
use super::input::{read_into, transfer_limit};
use super::{LibraryCall, descriptor};
use crate::frontend::lower::{Lowered, Lowerer};
use crate::ir::{AccessMode, BinaryOp, Expr, IntKind, Place};

type L<'l> = Lowerer<'l>;
type C<'c> = LibraryCall<'c>;

/// The flag of Linux with which `recv` gives the length of the whole message.
const MSG_TRUNC: i32 = 0x20;
/// The length of an address of the internet, `struct sockaddr_in`.
const INTERNET: i128 = 16;

/// The level of options of sockets, and those of its options on Linux that are an `int`: `SO_DEBUG` to `SO_PRIORITY`, `SO_RCVLOWAT`,
/// `SO_SNDLOWAT`, `SO_ACCEPTCONN`, `SO_PROTOCOL`, `SO_DOMAIN`.
const SOL_SOCKET: i128 = 1;
const NUMBERS: [i128; 17] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 18, 19, 30, 38, 39, 15];

pub(super) fn model(name: &str) -> Option<Model> {
    Some(match name {
        "recv" => receive,
        "recvfrom" => |l, c| {
            let count = receive(l, c)?;
            let came = l.compared(BinaryOp::Ge, count.clone(), Expr::int(0, count.ty));
            l.when(came, c.span, |l| l.when_given(c, 4, |l| address(l, c, 4, 5)))?;
            Ok(count)
        },
        "accept" | "accept4" => |l, c| {
            let int = l.int_type();
            let socket = l.input_value(&format!("{}()", c.name), int, Some((-1, descriptor::LAST)), c.span)?;
            let came = l.compared(BinaryOp::Ge, socket.clone(), l.int_const(0));
            l.when(came, c.span, |l| l.when_given(c, 1, |l| address(l, c, 1, 2)))?;
            Ok(socket)
        },
        "getsockname" | "getpeername" => |l, c| {
            let int = l.int_type();
            let status = l.input_value(&format!("{}()", c.name), int, Some((-1, 0)), c.span)?;
            let known = l.compared(BinaryOp::Ge, status.clone(), l.int_const(0));
            l.when(known, c.span, |l| address(l, c, 1, 2))?;
            Ok(status)
        },
        "getsockopt" => option,
        _ => return None,
    })
}

/// Writes an option to argument 3, and how many bytes it has to what argument 4 points to, which says before how much room there is
/// (POSIX, `getsockopt`).
fn option(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let (to, room_at, int, size) = (l.pinned_arg(c, 3)?, l.pinned_arg(c, 4)?, l.int_type(), l.size_type());
    let (level, name) = (c.arg(1)?.as_int(), c.arg(2)?.as_int());
    l.check_object(c, 4, AccessMode::Write)?;
    let result = l.input_value("getsockopt()", int, Some((-1, 0)), c.span)?;
    let ty = l.program.types.pointee(room_at.ty).filter(|t| l.program.types.as_int(*t).is_some());
    let ty = ty.unwrap_or(l.kind_type(IntKind::UInt));
    let done = l.compared(BinaryOp::Eq, result.clone(), l.int_const(0));
    l.when(done, c.span, |l| {
        let room = l.hold(Expr::load(Place::deref(room_at.clone(), ty)).cast(size), c.span)?;
        let is_number = level == Some(SOL_SOCKET) && name.is_some_and(|name| NUMBERS.contains(&name));
        let bytes = if is_number {
            l.at_most(c, room, 4)?
        } else {
            l.approximate_value("getsockopt() length", size, Some((l.size_const(0), room)), c.span)?
        };
        let bytes = l.hold(bytes, c.span)?;
        l.check_write(c, 3, to.clone(), bytes.clone())?;
        l.input_bytes("getsockopt() content", to, bytes.clone(), c.span)?;
        let length = l.convert_counted(bytes, ty, c.span)?;
        l.store_through(room_at, length, c.span)
    })?;
    Ok(result)
}

/// `recv` and the part of `recvfrom` that is like it. With `MSG_TRUNC` the result may be greater than the buffer, of which as much is
/// written as came, or nothing: TCP takes the bytes from its queue only.
fn receive(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let int = l.int_type();
    let flags = l.arg_as(c, 3, int)?;
    let truncates = l.folded(BinaryOp::And, flags, l.int_const(MSG_TRUNC), int);
    if truncates.as_int() == Some(0) {
        return read_into(l, c, 1, 2);
    }
    let ty = l.program.types.ptrdiff_type();
    let result = l.variable_of(Expr::int(-1, ty), c.span)?;
    let truncates = l.hold(truncates, c.span)?;
    let plain = l.compared(BinaryOp::Eq, truncates.clone(), l.int_const(0));
    if plain.as_int() != Some(0) {
        l.when(plain, c.span, |l| {
            let count = read_into(l, c, 1, 2)?;
            l.set(&result, count, c.span)
        })?;
    }
    let whole = l.compared(BinaryOp::Ne, truncates, l.int_const(0));
    l.when(whole, c.span, |l| {
        let buffer = l.pinned_arg(c, 1)?;
        let room = transfer_limit(l, c, 2)?;
        let size = l.size_type();
        let room = l.convert_counted(room, size, c.span)?;
        let range = Some(l.within(ty, (-1, super::input::LARGEST_TRANSFER.into())));
        let count = l.approximate_value(&format!("{}() whole", c.name), ty, range, c.span)?;
        l.set(&result, count.clone(), c.span)?;
        let came = l.compared(BinaryOp::Gt, count, Expr::int(0, ty));
        l.when(came, c.span, |l| {
            let range = Some((l.size_const(0), room));
            let bytes = l.approximate_value(&format!("{}() part", c.name), size, range, c.span)?;
            l.check_write(c, 1, buffer.clone(), bytes.clone())?;
            l.approximate_bytes(&format!("{}() bytes", c.name), buffer, bytes, c.span)
        })
    })?;
    Ok(Expr::load(result))
}

/// Writes the address of a socket to argument `at` and its length to what argument `length` points to, which says before how much
/// room there is. An address that is longer is cut, but its length is that of the whole (POSIX, `accept`).
///
/// A socket of the internet has addresses of one length. Of others nobody says which it is: no contract tells the family.
fn address(l: &mut L<'_>, c: &C<'_>, at: usize, length: usize) -> Lowered<()> {
    let (to, room_at, size) = (l.pinned_arg(c, at)?, l.pinned_arg(c, length)?, l.size_type());
    let ty = l.program.types.pointee(room_at.ty).filter(|t| l.program.types.as_int(*t).is_some());
    let ty = ty.unwrap_or(l.kind_type(IntKind::UInt));
    let room_size = l.size_const(l.program.types.size_of(ty).unwrap_or(4));
    l.check_write(c, length, room_at.clone(), room_size)?;
    let room = l.hold(Expr::load(Place::deref(room_at.clone(), ty)).cast(size), c.span)?;
    let whole = l.variable_of(Expr::int(INTERNET, ty), c.span)?;
    let other = l.either(&format!("{}() other family", c.name), c.span)?;
    l.when(other, c.span, |l| {
        let range = Some(l.within(ty, (0, i128::from(i32::MAX))));
        let some = l.approximate_value(&format!("{}() address length", c.name), ty, range, c.span)?;
        l.set(&whole, some, c.span)
    })?;
    let bytes = l.variable_of(room.clone(), c.span)?;
    let whole_size = l.hold(Expr::load(whole.clone()).cast(size), c.span)?;
    let fits = l.compared(BinaryOp::Lt, whole_size.clone(), room);
    l.when(fits, c.span, |l| l.set(&bytes, whole_size, c.span))?;
    let bytes = l.hold(Expr::load(bytes), c.span)?;
    l.check_write(c, at, to.clone(), bytes.clone())?;
    l.input_bytes(&format!("{}() address", c.name), to, bytes, c.span)?;
    l.store_through(room_at, Expr::load(whole), c.span)
}
