//! Files, directories and mappings beyond `stdio.h`.

use super::dispatch::Model;
use super::{LibraryCall, kept};
use crate::frontend::lower::{Lowered, Lowerer};
use crate::ir::{AccessMode, AllocKind, BinaryOp, Expr, IntKind};
use core::net::Ipv4Addr;

type L<'l> = Lowerer<'l>;
type C<'c> = LibraryCall<'c>;

/// Bytes of a page, and the flag of mappings that are of no file, on Linux.
const PAGE: u64 = 4096;
const MAP_ANONYMOUS: i128 = 0x20;
/// The request of `ioctl` for the size of a terminal, on Linux.
const TERMINAL_SIZE: i128 = 0x5413;
/// More characters than any path has.
const ANY_LENGTH: u64 = i32::MAX as u64 - 1;

pub(super) fn model(name: &str) -> Option<Model> {
    Some(match name {
        "readdir" | "readdir64" => |l, c| kept::object(l, c, true, true),
        "readlink" => |l, c| {
            l.check_text(c, 0)?;
            super::input::read_into(l, c, 1, 2)
        },
        "readlinkat" => |l, c| {
            l.check_text(c, 1)?;
            super::input::read_into(l, c, 2, 3)
        },
        "readv" | "preadv" | "recvmsg" => scattered,
        "getrandom" => |l, c| super::input::read_into(l, c, 0, 1),
        "getxattr" | "lgetxattr" | "fgetxattr" => attribute,
        "pread" | "pread64" => |l, c| super::input::read_into(l, c, 1, 2),
        "getcwd" => getcwd,
        "fcntl" | "fcntl64" | "ioctl" => |l, c| {
            let int = l.int_type();
            // ioctl(2): some operations give a number that is not negative.
            let range = if c.name == "ioctl" { Some((-1, i32::MAX.into())) } else { control_range(c.arg(1)?.as_int()) };
            let result = l.input_value(&format!("{}()", c.name), int, range, c.span)?;
            let result = l.hold(result, c.span)?;
            if c.args.len() > 2 && l.program.types.is_pointer(c.args[2].ty) {
                // One that fails writes nothing. What others write than the one that gives the size of a terminal is not described: a number of bytes, say.
                let done = l.compared(BinaryOp::Ne, result.clone(), l.int_const(-1));
                let free = c.name != "ioctl" || c.arg(1)?.as_int() == Some(TERMINAL_SIZE);
                l.when(done, c.span, |l| l.when_given(c, 2, |l| l.fill_argument(c, 2, free)))?;
            }
            Ok(result)
        },
        "mmap" | "mmap64" => |l, c| {
            let (size, ty) = (l.size_arg(c, 1)?, c.result_or(l.program.types.void_ptr()));
            // Whole pages are mapped; what is not of a file is zero.
            let page = l.size_const(PAGE - 1);
            let size = l.size_op(BinaryOp::Add, size, page.clone());
            let past = l.size_op(BinaryOp::Rem, size.clone(), l.size_const(PAGE));
            let size = l.size_op(BinaryOp::Sub, size, past);
            let size = l.hold(size, c.span)?;
            let of_file = c.arg(3)?.as_int().map(|flags| flags & MAP_ANONYMOUS == 0);
            let block = l.allocate(c, AllocKind::Static, size.clone(), true, true, ty)?;
            let failed = l.kind_type(IntKind::Long);
            let failed = Expr::int(-1, failed).cast(ty);
            let result = l.variable_of(failed, c.span)?;
            let got = l.is_not_null(&block);
            l.when(got, c.span, |l| {
                let name = format!("{}() content", c.name);
                match of_file {
                    Some(true) => l.input_bytes(&name, block.clone(), size.clone(), c.span)?,
                    Some(false) => {}
                    None => l.approximate_bytes(&name, block.clone(), size.clone(), c.span)?,
                }
                l.set(&result, block, c.span)?;
                // The address that is asked for may be given, in place of what was mapped there.
                l.when_given(c, 0, |l| {
                    let there = l.perhaps(&format!("{}() maps anew", c.name), c.span)?;
                    let at = l.pinned_arg(c, 0)?;
                    l.when(there, c.span, |l| {
                        l.approximate_bytes(&format!("{}() content", c.name), at.clone(), size, c.span)?;
                        l.set(&result, at.cast(ty), c.span)
                    })
                })
            })?;
            Ok(Expr::load(result))
        },
        // The number asked for, or -1 (POSIX dup2).
        "dup2" => |l, c| {
            let int = l.int_type();
            let wanted = l.arg_as(c, 1, int)?;
            let result = l.variable_of(wanted, c.span)?;
            let fails = l.either("dup2() fails", c.span)?;
            l.when(fails, c.span, |l| l.set(&result, Expr::int(-1, int), c.span))?;
            Ok(Expr::load(result))
        },
        "pipe" | "pipe2" => |l, c| pair(l, c, 0),
        "socketpair" => |l, c| pair(l, c, 3),
        "inet_addr" => inet_addr,
        _ => return None,
    })
}

/// 0 with two descriptors, which differ, in the array that is argument `i`, or -1 and nothing in it (POSIX pipe, socketpair).
fn pair(l: &mut L<'_>, c: &C<'_>, i: usize) -> Lowered<Expr> {
    let int = l.int_type();
    l.check_objects(c, i, 2, AccessMode::Write)?;
    let array = l.pinned_arg(c, i)?;
    let result = l.input_value(&format!("{}()", c.name), int, Some((-1, 0)), c.span)?;
    let result = l.hold(result, c.span)?;
    let done = l.compared(BinaryOp::Eq, result.clone(), l.int_const(0));
    l.when(done, c.span, |l| {
        let last = Expr::int(super::descriptor::LAST, int);
        let range = (l.int_const(0), Expr::int(super::descriptor::LAST - 1, int));
        let lower = l.input_between(&format!("{}() descriptor", c.name), int, Some(range), c.span)?;
        let more = l.folded(BinaryOp::Add, lower.clone(), l.int_const(1), int);
        let higher = l.input_between(&format!("{}() higher descriptor", c.name), int, Some((more, last)), c.span)?;
        let size = l.size_const(l.program.types.size_of(int).unwrap_or(4));
        let second = l.advanced(array.clone(), size);
        l.store_through(array.clone(), lower.clone(), c.span)?;
        l.store_through(second.clone(), higher.clone(), c.span)?;
        // Which of them comes first is not said.
        let swapped = l.either(&format!("{}() gives the higher one first", c.name), c.span)?;
        l.when(swapped, c.span, |l| {
            l.store_through(array, higher, c.span)?;
            l.store_through(second, lower, c.span)
        })
    })?;
    Ok(result)
}

/// -1, or as many bytes as come, put to buffers in turn: how many of them there are, and how large, an array says. That is behind the
/// descriptor, or a message leads to it, whose address, length and flags are written too.
fn scattered(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let ty = l.program.types.ptrdiff_type();
    let name = format!("{}()", c.name);
    let range = Some(l.within(ty, (-1, super::input::LARGEST_TRANSFER.into())));
    let result = l.approximate_value(&name, ty, range, c.span)?;
    let first = l.pinned_arg(c, 1)?;
    let came = l.compared(BinaryOp::Ge, result.clone(), Expr::int(0, ty));
    if c.name != "recvmsg" {
        let count = l.size_arg(c, 2)?;
        l.when(came, c.span, |l| buffers(l, c, first, count))?;
        return Ok(result);
    }
    l.check_object(c, 1, AccessMode::Write)?;
    l.when(came, c.span, |l| {
        for (pointer, length) in [("msg_name", "msg_namelen"), ("msg_control", "msg_controllen")] {
            let (Some(to), Some(length)) = (l.member_at(&first, pointer), l.member_at(&first, length)) else {
                continue;
            };
            let to = l.hold(Expr::load(to), c.span)?;
            let given = l.is_not_null(&to);
            l.when(given, c.span, |l| {
                let room = l.hold(Expr::load(length.clone()), c.span)?;
                let range = Some((Expr::int(0, length.ty), room));
                let bytes = l.approximate_value(&format!("{name} length"), length.ty, range, c.span)?;
                let size = l.convert_counted(bytes.clone(), l.size_type(), c.span)?;
                l.check_write(c, 1, to.clone(), size.clone())?;
                l.approximate_bytes(&format!("{name} content"), to, size, c.span)?;
                l.set(&length, bytes, c.span)
            })?;
        }
        if let Some(flags) = l.member_at(&first, "msg_flags") {
            let some = l.approximate_value(&format!("{name} flags"), flags.ty, None, c.span)?;
            l.set(&flags, some, c.span)?;
        }
        let (Some(array), Some(count)) = (l.member_at(&first, "msg_iov"), l.member_at(&first, "msg_iovlen")) else {
            return Ok(());
        };
        let (array, count) = (l.hold(Expr::load(array), c.span)?, Expr::load(count));
        let count = l.convert_counted(count, l.size_type(), c.span)?;
        buffers(l, c, array, count)
    })?;
    Ok(result)
}

/// Fills the first bytes, perhaps all, of each of so many buffers.
fn buffers(l: &mut L<'_>, c: &C<'_>, array: Expr, count: Expr) -> Lowered<()> {
    let count = l.hold(count, c.span)?;
    let width = l.program.types.pointee(array.ty).and_then(|t| l.program.types.size_of(t)).unwrap_or(16);
    let width = l.size_const(width);
    let bytes = l.size_op(BinaryOp::Mul, count.clone(), width.clone());
    l.check_read(c, 1, array.clone(), bytes)?;
    let at = l.variable_of(array, c.span)?;
    l.repeated(count, c.span, |l| {
        let here = Expr::load(at.clone());
        let (Some(to), Some(room)) = (l.member_at(&here, "iov_base"), l.member_at(&here, "iov_len")) else {
            return Ok(());
        };
        let (to, room) = (l.hold(Expr::load(to), c.span)?, l.hold(Expr::load(room), c.span)?);
        let name = format!("{}() bytes", c.name);
        let bytes = l.approximate_value(&name, room.ty, Some((Expr::int(0, room.ty), room)), c.span)?;
        let bytes = l.convert_counted(bytes, l.size_type(), c.span)?;
        l.check_write(c, 1, to.clone(), bytes.clone())?;
        l.approximate_bytes(&name, to, bytes, c.span)?;
        let next = l.advanced(here, width);
        l.set(&at, next, c.span)
    })
}

/// An attribute's value for the third argument, or, where there is no room at all, its length alone (getxattr(2)).
fn attribute(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    for i in usize::from(c.name == "fgetxattr")..2 {
        l.check_text(c, i)?;
    }
    let (room, ty) = (l.size_arg(c, 3)?, l.program.types.ptrdiff_type());
    let range = Some(l.within(ty, (-1, 1 << 16)));
    let length = l.approximate_value(&format!("{}() length", c.name), ty, range, c.span)?;
    let result = l.variable_of(length, c.span)?;
    let some = l.compared(BinaryOp::Ne, room, l.size_const(0));
    l.when(some, c.span, |l| {
        let count = super::input::read_into(l, c, 2, 3)?;
        l.set(&result, count, c.span)
    })?;
    Ok(Expr::load(result))
}

/// What `fcntl` may give for a command, as Linux numbers them; None for any number.
fn control_range(command: Option<i128>) -> Option<(i128, i128)> {
    const GET_FLAGS: i128 = 3;
    // A descriptor or its flags, or nothing.
    const OTHERS: [i128; 8] = [0, 1, 2, 4, 5, 6, 7, 1030];
    let command = command?;
    match command {
        GET_FLAGS => Some((-1, i32::MAX.into())),
        _ => OTHERS.contains(&command).then_some((-1, super::descriptor::LAST)),
    }
}

/// The address that a literal spells, in network order; any number for other strings.
fn inet_addr(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let s = l.pinned_arg(c, 0)?;
    l.check_string(c, 0, s.clone(), 1, None)?;
    let ty = c.result_or(l.kind_type(IntKind::UInt));
    let literal = l.literal_text(&s).and_then(|t| String::from_utf8(t).ok()).and_then(|t| t.parse::<Ipv4Addr>().ok());
    match literal {
        Some(address) => Ok(Expr::int(u32::from_le_bytes(address.octets()).into(), ty)),
        None => l.approximate_value("inet_addr()", ty, None, c.span),
    }
}

/// NULL, or the buffer (a new block when that is NULL) with a path that fits.
fn getcwd(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let (buffer, limit) = (l.pinned_arg(c, 0)?, l.size_arg(c, 1)?);
    let (ty, size, one) = (buffer.ty, l.size_type(), l.size_const(1));
    let result = l.variable_of(Expr::int(0, ty), c.span)?;
    let some = l.either("getcwd() succeeds", c.span)?;
    l.when(some, c.span, |l| {
        let given = l.is_not_null(&buffer);
        let own = l.compared(BinaryOp::Eq, buffer.clone(), Expr::int(0, ty));
        let room = l.compared(BinaryOp::Gt, limit.clone(), one.clone());
        l.when(given, c.span, |l| {
            l.when(room, c.span, |l| {
                let most = l.size_op(BinaryOp::Sub, limit, one.clone());
                let len = l.approximate_value("getcwd() length", size, Some((one.clone(), most)), c.span)?;
                let all = l.size_op(BinaryOp::Add, len.clone(), one);
                l.check_write(c, 0, buffer.clone(), all)?;
                l.approximate_text("getcwd() text", buffer.clone(), len, c.span)?;
                l.set(&result, buffer, c.span)
            })
        })?;
        l.when(own, c.span, |l| {
            let block = l.new_text(c, AllocKind::Heap, ANY_LENGTH, true, ty)?;
            l.set(&result, block, c.span)
        })
    })?;
    Ok(Expr::load(result))
}
