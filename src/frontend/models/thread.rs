//! Threads: each runs where it is created, to its end (assumption D10, docs/unsoundness.md H12).

use super::LibraryCall;
use super::callback::call_back;
use super::dispatch::Model;
use super::kept::{self, kept};
use crate::frontend::lower::{Lowered, Lowerer};
use crate::ir::{AccessMode, BinaryOp, Expr, Place, PlaceBase};

type L<'l> = Lowerer<'l>;
type C<'c> = LibraryCall<'c>;

pub(super) fn model(name: &str) -> Option<Model> {
    Some(match name {
        "pthread_create" => create,
        "pthread_join" => join,
        "pthread_exit" => exit,
        _ => return None,
    })
}

/// What a thread's function returns it gives, and what `pthread_exit` is called with.
fn create(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    l.fill_argument(c, 0, false)?;
    let int = l.int_type();
    let status = l.input_value("pthread_create()", int, Some((0, 133)), c.span)?;
    let started = l.compared(BinaryOp::Eq, status.clone(), l.int_const(0));
    let argument = l.ptr_arg(c, 3)?;
    let run = |l: &mut L<'_>| {
        let result = call_back(l, c, 2, vec![argument])?;
        keep_result(l, c, result)
    };
    l.when(started, c.span, |l| {
        if !l.is_used("pthread_exit") {
            return run(l);
        }
        let (end, _) = end_of_thread(l, c);
        let outer = l.variable_of(Expr::load(end.clone()), c.span)?;
        let buffer = address(l, &end);
        let again = l.set_jump(buffer, c.span)?;
        let first = l.compared(BinaryOp::Eq, again, l.int_const(0));
        l.when(first, c.span, run)?;
        l.set(&end, Expr::load(outer), c.span)
    })?;
    Ok(status)
}

/// Where `pthread_exit` goes on, 0 outside of all threads that were created; and whether it is in such a thread.
fn end_of_thread(l: &mut L<'_>, c: &C<'_>) -> (Place, Expr) {
    let size = l.size_type();
    let end = kept(l, "<where pthread_exit() goes on>", size, c.span);
    let inside = l.compared(BinaryOp::Ne, Expr::load(end.clone()), l.size_const(0));
    (end, inside)
}

fn address(l: &mut L<'_>, place: &Place) -> Expr {
    let PlaceBase::Var(v) = place.base else { unreachable!("what the library keeps is a variable") };
    kept::address_of(l, v)
}

/// Of several threads, any one's result is kept.
fn keep_result(l: &mut L<'_>, c: &C<'_>, result: Expr) -> Lowered<()> {
    let (int, any) = (l.int_type(), l.program.types.void_ptr());
    if !l.program.types.is_pointer(result.ty) {
        return Ok(());
    }
    let (kept_result, ended) = (results(l, c), kept(l, "<some thread has ended>", int, c.span));
    let result = l.hold(result.cast(any), c.span)?;
    let is_first = l.compared(BinaryOp::Eq, Expr::load(ended.clone()), l.int_const(0));
    let (first, other) = (result.clone(), result);
    l.when(is_first, c.span, |l| l.set(&kept_result, first, c.span))?;
    let replaces = l.perhaps("it is another thread that is waited for", c.span)?;
    l.when(replaces, c.span, |l| l.set(&kept_result, other, c.span))?;
    let one = l.int_const(1);
    l.set(&ended, one, c.span)
}

fn results(l: &mut L<'_>, c: &C<'_>) -> Place {
    let any = l.program.types.void_ptr();
    kept(l, "<what a thread has given>", any, c.span)
}

/// The thread has ended. A call that fails writes nothing.
fn join(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    l.when_given(c, 1, |l| l.check_object(c, 1, AccessMode::Write))?;
    let int = l.int_type();
    let status = l.input_value("pthread_join()", int, Some((0, 133)), c.span)?;
    let joined = l.compared(BinaryOp::Eq, status.clone(), l.int_const(0));
    l.when(joined, c.span, |l| {
        l.when_given(c, 1, |l| {
            let (to, any) = (l.ptr_arg(c, 1)?, l.program.types.void_ptr());
            let given = Expr::load(results(l, c));
            l.set(&Place::deref(to, any), given, c.span)
        })
    })?;
    Ok(status)
}

/// Ends the thread; in `main`, the program, since all threads have ended.
fn exit(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let given = l.pinned_arg(c, 0)?;
    let (end, inside) = end_of_thread(l, c);
    let buffer = address(l, &end);
    l.when(inside, c.span, |l| {
        keep_result(l, c, given)?;
        let one = l.int_const(1);
        l.long_jump(buffer, one, c.span)
    })?;
    let success = l.int_const(0);
    super::process::exit(l, c, success)?;
    Ok(l.void())
}
