//! Clocks and pauses: functions whose result and what they store say the same thing twice, so that one value serves both.

use super::record::LAST_SECOND;
use super::{LibraryCall, Model};
use crate::frontend::lower::{Lowered, Lowerer};
use crate::ir::{AccessMode, BinaryOp, Expr, Place};

type L<'l> = Lowerer<'l>;
type C<'c> = LibraryCall<'c>;

/// Nanoseconds are below this.
const SECOND: i128 = 1_000_000_000;

pub(super) fn model(name: &str) -> Option<Model> {
    Some(match name {
        "time" => time,
        "sleep" => sleep,
        "nanosleep" => nanosleep,
        "timespec_get" => timespec_get,
        "clock_gettime" => clock_gettime,
        _ => return None,
    })
}

/// The calendar time, or -1; where the argument is not NULL, the same is stored there (C11 7.27.2.4p3).
fn time(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let out = l.pinned_arg(c, 0)?;
    l.when_given(c, 0, |l| l.check_object(c, 0, AccessMode::Write))?;
    let ty = l.program.types.pointee(out.ty).filter(|t| l.program.types.as_int(*t).is_some());
    let long = l.kind_type(crate::ir::IntKind::Long);
    let ty = ty.or(c.result).unwrap_or(long);
    let now = l.input_value("time()", ty, Some((-1, LAST_SECOND.into())), c.span)?;
    l.when_given(c, 0, |l| l.store_through(out, now.clone(), c.span))?;
    Ok(now)
}

/// The seconds that were left where a signal came: at most those asked for.
fn sleep(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let ty = l.kind_type(crate::ir::IntKind::UInt);
    let most = l.arg_as(c, 0, ty)?;
    l.input_between("sleep()", ty, Some((Expr::int(0, ty), most)), c.span)
}

/// 0, or -1: where the time asked for is none, which leaves `rem` alone, or where a signal came, which stores there what was left.
fn nanosleep(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let (asked, left, int) = (l.pinned_arg(c, 0)?, l.pinned_arg(c, 1)?, l.int_type());
    l.check_object(c, 0, AccessMode::Read)?;
    l.when_given(c, 1, |l| l.check_object(c, 1, AccessMode::Write))?;
    let (Some(seconds), Some(part)) = (member(l, &asked, "tv_sec"), member(l, &asked, "tv_nsec")) else {
        return l.input_value("nanosleep()", int, Some((-1, 0)), c.span);
    };
    let seconds = l.hold(Expr::load(seconds), c.span)?;
    let part = l.hold(Expr::load(part), c.span)?;
    let failed = l.int_const(-1);
    let result = l.variable_of(failed, c.span)?;
    let past = l.compared(BinaryOp::Ge, seconds.clone(), Expr::int(0, seconds.ty));
    let low = l.compared(BinaryOp::Ge, part.clone(), Expr::int(0, part.ty));
    let high = l.compared(BinaryOp::Lt, part.clone(), Expr::int(SECOND, part.ty));
    l.when(past, c.span, |l| {
        l.when(low, c.span, |l| {
            l.when(high, c.span, |l| {
                let slept = l.input_value("nanosleep()", int, Some((-1, 0)), c.span)?;
                l.set(&result, slept.clone(), c.span)?;
                let woken = l.compared(BinaryOp::Lt, slept, l.int_const(0));
                l.when(woken, c.span, |l| l.when_given(c, 1, |l| store_left(l, c, &left, seconds)))
            })
        })
    })?;
    Ok(Expr::load(result))
}

/// What is left of the seconds, and any part of one.
fn store_left(l: &mut L<'_>, c: &C<'_>, left: &Expr, seconds: Expr) -> Lowered<()> {
    let (Some(sec), Some(nsec)) = (member(l, left, "tv_sec"), member(l, left, "tv_nsec")) else { return Ok(()) };
    let range = Some((Expr::int(0, sec.ty), seconds));
    let value = l.approximate_value("nanosleep() seconds left", sec.ty, range, c.span)?;
    l.set(&sec, value, c.span)?;
    let range = Some((Expr::int(0, nsec.ty), Expr::int(SECOND - 1, nsec.ty)));
    let value = l.approximate_value("nanosleep() nanoseconds left", nsec.ty, range, c.span)?;
    l.set(&nsec, value, c.span)
}

/// The integer member of that name of the record that a pointer points to.
fn member(l: &L<'_>, ptr: &Expr, name: &str) -> Option<Place> {
    l.member_at(ptr, name).filter(|place| l.program.types.as_int(place.ty).is_some())
}

/// 0 with the time stored, or -1 where there is no such clock: these are on every system (POSIX clock_gettime).
fn clock_gettime(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    const REALTIME: i128 = 0;
    const MONOTONIC: i128 = 1;
    let int = l.int_type();
    l.check_object(c, 1, AccessMode::Write)?;
    let fails = match c.arg(0)?.as_int() {
        Some(REALTIME | MONOTONIC) => l.int_const(0),
        _ => l.input_value("clock_gettime() fails", int, Some((0, 1)), c.span)?,
    };
    let (zero, failed) = (l.int_const(0), l.int_const(-1));
    let result = l.variable_of(failed, c.span)?;
    let there = l.compared(BinaryOp::Eq, fails, zero.clone());
    l.when(there, c.span, |l| {
        l.fill_checked(c, 1, true)?;
        l.set(&result, zero, c.span)
    })?;
    Ok(Expr::load(result))
}

/// The base, with the time stored, or 0 (C11 7.27.2.5p3).
fn timespec_get(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let int = l.int_type();
    l.check_object(c, 0, AccessMode::Write)?;
    let base = l.arg_as(c, 1, int)?;
    let zero = l.int_const(0);
    let result = l.variable_of(zero.clone(), c.span)?;
    let some = l.either("timespec_get() succeeds", c.span)?;
    l.when(some, c.span, |l| {
        l.fill_checked(c, 0, true)?;
        l.set(&result, base, c.span)
    })?;
    Ok(Expr::load(result))
}
