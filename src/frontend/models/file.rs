//! Files, directories and mappings beyond `stdio.h`.

use super::dispatch::Model;
use super::{LibraryCall, kept};
use crate::frontend::lower::{Lowered, Lowerer};
use crate::ir::{AllocKind, BinaryOp, Expr, IntKind};
use core::net::Ipv4Addr;

type L<'l> = Lowerer<'l>;
type C<'c> = LibraryCall<'c>;

/// Bytes of a page, and the flag of mappings that are of no file, on Linux.
const PAGE: u64 = 4096;
const MAP_ANONYMOUS: i128 = 0x20;
/// More characters than any path has.
const ANY_LENGTH: u64 = i32::MAX as u64 - 1;

pub(super) fn model(name: &str) -> Option<Model> {
    Some(match name {
        "readdir" | "readdir64" => |l, c| kept::object(l, c, true, true),
        "readlink" => |l, c| {
            let path = l.pinned_arg(c, 0)?;
            l.check_string(c, 0, path, 1, None)?;
            super::input::read_into(l, c, 1, 2)
        },
        "pread" | "pread64" => |l, c| super::input::read_into(l, c, 1, 2),
        "getcwd" => getcwd,
        "fcntl" | "fcntl64" | "ioctl" => |l, c| {
            if c.args.len() > 2 && l.program.types.is_pointer(c.args[2].ty) {
                l.when_given(c, 2, |l| l.fill_argument(c, 2, true))?;
            }
            let int = l.int_type();
            let range = if c.name == "ioctl" { None } else { control_range(c.arg(1)?.as_int()) };
            l.input_value(&format!("{}()", c.name), int, range, c.span)
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
        "inet_addr" => inet_addr,
        _ => return None,
    })
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
