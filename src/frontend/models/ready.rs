//! Waiting for descriptors: `select`, `poll` and their kin.
//!
//! See: POSIX `pselect`, `poll`; select(2) for the sets of which as many bits are used as the first argument says.

use super::LibraryCall;
use super::dispatch::Model;
use crate::frontend::lower::{Lowered, Lowerer};
use crate::ir::{AccessMode, BinaryOp, Expr};

type L<'l> = Lowerer<'l>;
type C<'c> = LibraryCall<'c>;

/// `FD_SETSIZE`, and the bits that are read at once.
const MOST_BITS: i128 = 1024;
const WORD_BITS: i128 = 64;
/// As many records of `poll` are gone through one by one.
const MOST_RECORDS: i128 = 8;

pub(super) fn model(name: &str) -> Option<Model> {
    Some(match name {
        "select" => |l, c| {
            l.when_given(c, 4, |l| l.check_object(c, 4, AccessMode::Write))?;
            let result = select(l, c)?;
            // Linux stores the time that is left.
            let stores = l.perhaps("select() stores the time", c.span)?;
            l.when(stores, c.span, |l| l.when_given(c, 4, |l| l.fill_checked(c, 4, false)))?;
            Ok(result)
        },
        "pselect" => |l, c| {
            for i in [4, 5] {
                l.when_given(c, i, |l| l.check_object(c, i, AccessMode::Read))?;
            }
            select(l, c)
        },
        "poll" => poll,
        "ppoll" => |l, c| {
            for i in [2, 3] {
                l.when_given(c, i, |l| l.check_object(c, i, AccessMode::Read))?;
            }
            poll(l, c)
        },
        _ => return None,
    })
}

/// -1 or 0; where `some` may be ready, 1 too, or more, up to `most`: whether that many are no contract says.
fn ready(l: &mut L<'_>, c: &C<'_>, some: Expr, most: Expr) -> Lowered<Expr> {
    let (int, one) = (l.int_type(), l.int_const(1));
    let some = l.input_between(&format!("{}()", c.name), int, Some((l.int_const(-1), some)), c.span)?;
    let result = l.variable_of(some.clone(), c.span)?;
    let ready = l.compared(BinaryOp::Eq, some, one.clone());
    l.when(ready, c.span, |l| {
        let many = l.approximate_value(&format!("{}() many", c.name), int, Some((one, most)), c.span)?;
        l.set(&result, many, c.span)
    })?;
    Ok(Expr::load(result))
}

/// The sets that are given, of as many bits as the first argument says, are written where the call succeeds.
fn select(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let (int, size) = (l.int_type(), l.size_type());
    let bits = l.arg_as(c, 0, int)?;
    let count = l.variable_of(bits.clone(), c.span)?;
    let below = l.compared(BinaryOp::Lt, bits.clone(), l.int_const(0));
    let above = l.compared(BinaryOp::Gt, bits, Expr::int(MOST_BITS, int));
    l.when(below, c.span, |l| l.set(&count, l.int_const(0), c.span))?;
    l.when(above, c.span, |l| l.set(&count, Expr::int(MOST_BITS, int), c.span))?;
    let count = l.convert_counted(Expr::load(count), size, c.span)?;
    let word = Expr::int(WORD_BITS, size);
    let up = l.size_op(BinaryOp::Add, count, Expr::int(WORD_BITS - 1, size));
    let words = l.size_op(BinaryOp::Div, up, word);
    let bytes = l.size_op(BinaryOp::Mul, words, Expr::int(WORD_BITS / 8, size));
    let bytes = l.hold(bytes, c.span)?;
    for i in 1..=3 {
        l.when_given(c, i, |l| {
            let set = l.pinned_arg(c, i)?;
            l.check_write(c, i, set, bytes.clone())
        })?;
    }
    // Without a set, or a bit of it, none is ready.
    let mut some = l.int_const(0);
    for i in 1..=3 {
        let set = l.pinned_arg(c, i)?;
        let given = l.is_not_null(&set);
        some = l.folded(BinaryOp::Or, some, given, int);
    }
    let not_empty = l.compared(BinaryOp::Ne, bytes.clone(), l.size_const(0));
    let some = l.folded(BinaryOp::And, some, not_empty, int);
    let result = ready(l, c, some, Expr::int(3 * MOST_BITS, int))?;
    let done = l.compared(BinaryOp::Ge, result.clone(), l.int_const(0));
    l.when(done, c.span, |l| {
        (1..=3).try_for_each(|i| {
            l.when_given(c, i, |l| {
                let set = l.pinned_arg(c, i)?;
                l.approximate_bytes(&format!("{}() set", c.name), set, bytes.clone(), c.span)
            })
        })
    })?;
    Ok(result)
}

/// The events of as many records as the second argument says are written where the call succeeds.
fn poll(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let size = l.size_type();
    let (records, count) = (l.pinned_arg(c, 0)?, l.size_arg(c, 1)?);
    let record = l.program.types.pointee(records.ty);
    let width = l.size_const(record.and_then(|t| l.program.types.size_of(t)).unwrap_or(8));
    let bytes = l.size_op(BinaryOp::Mul, count.clone(), width.clone());
    l.check_write(c, 0, records.clone(), bytes)?;
    let some = l.compared(BinaryOp::Ne, count.clone(), l.size_const(0));
    let result = ready(l, c, some, l.int_const(i32::MAX))?;
    let done = l.compared(BinaryOp::Ge, result.clone(), l.int_const(0));
    l.when(done, c.span, |l| {
        if let Some(n) = count.as_int().filter(|n| *n <= MOST_RECORDS) {
            return (0..n).try_for_each(|i| {
                let at = l.size_op(BinaryOp::Mul, Expr::int(i, size), width.clone());
                let at = l.advanced(records.clone(), at);
                events(l, c, at)
            });
        }
        let at = l.variable_of(records.clone(), c.span)?;
        l.repeated(count, c.span, |l| {
            events(l, c, Expr::load(at.clone()))?;
            let next = l.advanced(Expr::load(at.clone()), width);
            l.set(&at, next, c.span)
        })
    })?;
    Ok(result)
}

/// The member `revents` of the record at `at` gets some events.
fn events(l: &mut L<'_>, c: &C<'_>, at: Expr) -> Lowered<()> {
    let Some(place) = l.member_at(&at, "revents") else { return Ok(()) };
    let range = Some(l.within(place.ty, (0, i16::MAX.into())));
    let value = l.approximate_value(&format!("{}() events", c.name), place.ty, range, c.span)?;
    l.set(&place, value, c.span)
}
