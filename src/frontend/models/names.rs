//! Names and addresses of the internet, in text and as numbers.
//!
//! See: POSIX `getaddrinfo`, `getnameinfo`, `inet_ntop`; inet(3).

use super::LibraryCall;
use super::dispatch::Model;
use crate::frontend::lower::{Lowered, Lowerer};
use crate::ir::{AccessMode, AllocKind, BinaryOp, Expr};

type L<'l> = Lowerer<'l>;
type C<'c> = LibraryCall<'c>;

/// `AF_INET` and `AF_INET6` of Linux, with the bytes of an address and the characters of the longest one in text.
const FAMILIES: [(i32, u64, u64); 2] = [(2, 4, 15), (10, 16, 45)];
/// The least error of `getaddrinfo` and `getnameinfo` (`EAI_OVERFLOW`), and characters of a host's and a service's name.
const LAST_ERROR: i128 = -110;
const LONGEST_NAME: u64 = 1024;

pub(super) fn model(name: &str) -> Option<Model> {
    Some(match name {
        "inet_ntop" => to_text,
        "inet_pton" => from_text,
        "inet_aton" => |l, c| {
            l.check_text(c, 0)?;
            l.check_object(c, 1, AccessMode::Write)?;
            let int = l.int_type();
            let result = l.approximate_value("inet_aton()", int, Some((l.int_const(0), l.int_const(1))), c.span)?;
            let done = l.compared(BinaryOp::Ne, result.clone(), l.int_const(0));
            l.when(done, c.span, |l| l.fill_checked(c, 1, false))?;
            Ok(result)
        },
        // The second argument has room for the longest name, `IF_NAMESIZE`.
        "if_indextoname" => |l, c| {
            const ROOM: u64 = 16;
            let to = l.pinned_arg(c, 1)?;
            l.check_write(c, 1, to.clone(), l.size_const(ROOM))?;
            let ty = c.result_or(to.ty);
            let result = l.variable_of(Expr::int(0, ty), c.span)?;
            let found = l.either("if_indextoname() succeeds", c.span)?;
            l.when(found, c.span, |l| {
                let range = Some((l.size_const(1), l.size_const(ROOM - 1)));
                let len = l.approximate_value("if_indextoname() length", l.size_type(), range, c.span)?;
                l.approximate_text("if_indextoname() text", to.clone(), len, c.span)?;
                l.set(&result, to.cast(ty), c.span)
            })?;
            Ok(Expr::load(result))
        },
        "getaddrinfo" => |l, c| {
            for i in 0..2 {
                l.check_text_if_given(c, i)?;
            }
            l.when_given(c, 2, |l| l.check_object(c, 2, AccessMode::Read))?;
            let int = l.int_type();
            l.check_object(c, 3, AccessMode::Write)?;
            let result = l.input_value("getaddrinfo()", int, Some((LAST_ERROR, 0)), c.span)?;
            give_list(l, c, 3, &result)?;
            Ok(result)
        },
        "getifaddrs" => |l, c| {
            let int = l.int_type();
            l.check_object(c, 0, AccessMode::Write)?;
            let result = l.input_value("getifaddrs()", int, Some((-1, 0)), c.span)?;
            give_list(l, c, 0, &result)?;
            Ok(result)
        },
        "freeaddrinfo" | "freeifaddrs" => |l, c| {
            let list = l.ptr_arg(c, 0)?;
            super::memory::release(l, c, &list)?;
            Ok(l.void())
        },
        "getnameinfo" => |l, c| {
            let (address, length, int) = (l.pinned_arg(c, 0)?, l.size_arg(c, 1)?, l.int_type());
            l.check_read(c, 0, address, length)?;
            let result = l.input_value("getnameinfo()", int, Some((LAST_ERROR, 0)), c.span)?;
            let done = l.compared(BinaryOp::Eq, result.clone(), l.int_const(0));
            l.when(done, c.span, |l| {
                [2, 4].into_iter().try_for_each(|i| {
                    let room = l.size_arg(c, i + 1)?;
                    l.when_given(c, i, |l| l.write_text(c, i, room, LONGEST_NAME))
                })
            })?;
            Ok(result)
        },
        _ => return None,
    })
}

/// Where the result is 0, argument `i` gets to point to the first record of a new list, to be freed by a function of its own. What its
/// members lead to is not known: it is freed with it.
fn give_list(l: &mut L<'_>, c: &C<'_>, i: usize, result: &Expr) -> Lowered<()> {
    let to = l.pinned_arg(c, i)?;
    let ty = l.program.types.pointee(to.ty).filter(|t| l.program.types.is_pointer(*t));
    let ty = ty.unwrap_or(l.program.types.void_ptr());
    let record = l.program.types.pointee(ty).filter(|t| l.program.types.layout(*t).is_some());
    let size = record.and_then(|t| l.program.types.size_of(t)).unwrap_or(1);
    let done = l.compared(BinaryOp::Eq, result.clone(), Expr::int(0, result.ty));
    l.when(done, c.span, |l| {
        let block = l.allocate(c, AllocKind::Heap, l.size_const(size), true, false, ty)?;
        if let Some(record) = record {
            l.fill_object(c, &block, record, false)?;
            l.lead_elsewhere(c, &block, record)?;
        }
        l.store_through(to, block, c.span)
    })
}

/// Does something with each family that the first argument may be: the bytes of its addresses, their longest text.
fn by_family(l: &mut L<'_>, c: &C<'_>, mut then: impl FnMut(&mut L<'_>, u64, u64) -> Lowered<()>) -> Lowered<()> {
    let int = l.int_type();
    let family = l.arg_as(c, 0, int)?;
    for (number, bytes, longest) in FAMILIES {
        let is = l.compared(BinaryOp::Eq, family.clone(), l.int_const(number));
        if is.as_int() != Some(0) {
            l.when(is, c.span, |l| then(l, bytes, longest))?;
        }
    }
    Ok(())
}

/// NULL for another family, or where the room does not do; else the third argument, with the text.
fn to_text(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let (from, to, room) = (l.pinned_arg(c, 1)?, l.pinned_arg(c, 2)?, l.size_arg(c, 3)?);
    let ty = c.result_or(to.ty);
    let result = l.variable_of(Expr::int(0, ty), c.span)?;
    by_family(l, c, |l, bytes, longest| {
        l.check_read(c, 1, from.clone(), l.size_const(bytes))?;
        let (size, range) = (l.size_type(), Some((l.size_const(2), l.size_const(longest))));
        let len = l.approximate_value("inet_ntop() length", size, range, c.span)?;
        let fits = l.compared(BinaryOp::Lt, len.clone(), room.clone());
        l.when(fits, c.span, |l| {
            let all = l.size_op(BinaryOp::Add, len.clone(), l.size_const(1));
            l.check_write(c, 2, to.clone(), all)?;
            l.approximate_text("inet_ntop() text", to.clone(), len, c.span)?;
            l.set(&result, to.clone().cast(ty), c.span)
        })
    })?;
    Ok(Expr::load(result))
}

/// 1 with the address, 0 where the text is none, -1 for another family.
fn from_text(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let (s, to, int) = (l.pinned_arg(c, 1)?, l.pinned_arg(c, 2)?, l.int_type());
    l.check_string(c, 1, s, 1, None)?;
    let result = l.variable_of(l.int_const(-1), c.span)?;
    by_family(l, c, |l, bytes, _| {
        let range = Some((l.int_const(0), l.int_const(1)));
        let good = l.approximate_value("inet_pton()", int, range, c.span)?;
        l.set(&result, good.clone(), c.span)?;
        let good = l.compared(BinaryOp::Ne, good, l.int_const(0));
        l.when(good, c.span, |l| {
            let bytes = l.size_const(bytes);
            l.check_write(c, 2, to.clone(), bytes.clone())?;
            l.approximate_bytes("inet_pton() address", to.clone(), bytes, c.span)
        })
    })?;
    Ok(Expr::load(result))
}
