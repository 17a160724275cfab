//! Handlers of signals: each signal has one, which is kept.
//!
//! The library calls handlers at any time (rules/effects/call.dl), which these models do not do, but for `raise`.
//!
//! See: C11 7.14.1.1, 7.14.2.1; POSIX `sigaction`.

use super::LibraryCall;
use super::dispatch::Model;
use super::kept::kept;
use crate::frontend::lower::{Lowered, Lowerer};
use crate::ir::{AccessMode, BinaryOp, Callee, Expr, ExprKind, Place, PlaceBase, Terminator, Type, TypeId};

type L<'l> = Lowerer<'l>;
type C<'c> = LibraryCall<'c>;

pub(super) fn model(name: &str) -> Option<Model> {
    Some(match name {
        "signal" | "bsd_signal" | "sysv_signal" => signal,
        "sigaction" => sigaction,
        "raise" | "kill" => raise,
        _ => return None,
    })
}

/// `SIGKILL` and `SIGSTOP` of Linux, which have no handlers, and the last number of a signal.
const WITHOUT_HANDLERS: [i128; 2] = [9, 19];
const LAST_SIGNAL: i128 = 31;
/// `SIG_IGN` and `SIG_ERR` of Linux; `SIG_DFL` is 0.
const SIG_IGN: i128 = 1;
const SIG_ERR: i128 = -1;

/// A signal's part of a table of the library's own, where the number is a signal's.
fn of_signal(l: &mut L<'_>, (name, ty): (&str, TypeId), number: &Expr, c: &C<'_>) -> Lowered<Place> {
    let table = l.program.types.array(ty, Some(LAST_SIGNAL as u64 + 1));
    let PlaceBase::Var(table) = kept(l, name, table, c.span).base else {
        unreachable!("what the library keeps is a variable")
    };
    l.program.variables[table].address_taken = true;
    let size = l.program.types.size_of(ty).unwrap_or(1);
    if let Some(number) = number.as_int() {
        return Ok(Place { offset: (number * i128::from(size)) as i64, ..Place::var(table, ty) });
    }
    let pointer = l.program.types.pointer(ty);
    let start = Expr { kind: ExprKind::AddrOf(table, 0), ty: pointer };
    let (index, size) = (l.convert(number.clone(), l.size_type(), c.span)?, l.size_const(size));
    let bytes = l.size_op(BinaryOp::Mul, index, size);
    Ok(Place::deref(l.advanced(start, bytes), ty))
}

fn handler(l: &mut L<'_>, number: &Expr, c: &C<'_>) -> Lowered<Place> {
    let any = l.program.types.void_ptr();
    of_signal(l, ("signal() handlers", any), number, c)
}

/// Whether a handler of the signal was set.
fn was_set(l: &mut L<'_>, number: &Expr, c: &C<'_>) -> Lowered<Place> {
    let int = l.int_type();
    of_signal(l, ("signal() handlers set", int), number, c)
}

/// What `then` does where the number is that of a signal that takes handlers.
fn where_it_can(l: &mut L<'_>, number: &Expr, c: &C<'_>, then: impl FnOnce(&mut L<'_>) -> Lowered<()>) -> Lowered<()> {
    if let Some(number) = number.as_int() {
        let can = (1..=LAST_SIGNAL).contains(&number) && !WITHOUT_HANDLERS.contains(&number);
        return if can { then(l) } else { Ok(()) };
    }
    let int = l.int_type();
    let mut can = l.compared(BinaryOp::Ge, number.clone(), l.int_const(1));
    let below = l.compared(BinaryOp::Le, number.clone(), Expr::int(LAST_SIGNAL, int));
    can = l.folded(BinaryOp::And, can, below, int);
    for other in WITHOUT_HANDLERS {
        let differs = l.compared(BinaryOp::Ne, number.clone(), Expr::int(other, int));
        can = l.folded(BinaryOp::And, can, differs, int);
    }
    l.when(can, c.span, then)
}

/// The number of the signal in question.
fn number(l: &mut L<'_>, c: &C<'_>, i: usize) -> Lowered<Expr> {
    let int = l.int_type();
    let number = l.arg_as(c, i, int)?;
    if number.as_int().is_some() { Ok(number) } else { l.hold(number, c.span) }
}

/// The handler before: at first the default or nothing (0, 1), later the one that was set.
fn handler_before(l: &mut L<'_>, number: &Expr, c: &C<'_>) -> Lowered<Expr> {
    let any = l.program.types.void_ptr();
    let (handler, some) = (handler(l, number, c)?, was_set(l, number, c)?);
    let before = l.variable_of(Expr::int(0, any), c.span)?;
    let first = l.compared(BinaryOp::Eq, Expr::load(some.clone()), l.int_const(0));
    let later = l.compared(BinaryOp::Ne, Expr::load(some), l.int_const(0));
    l.when(first, c.span, |l| {
        let ignored = l.either(&format!("{}()", c.name), c.span)?;
        l.when(ignored, c.span, |l| l.set(&before, Expr::int(SIG_IGN, any), c.span))
    })?;
    l.when(later, c.span, |l| {
        l.set(&before, Expr::load(handler), c.span)?;
        if c.name != "sysv_signal" {
            return Ok(());
        }
        // A signal that came in between has set the default again.
        let reset = l.perhaps("sysv_signal() gives the default", c.span)?;
        l.when(reset, c.span, |l| l.set(&before, Expr::int(0, any), c.span))
    })?;
    Ok(Expr::load(before))
}

fn set_handler(l: &mut L<'_>, number: &Expr, c: &C<'_>, new: Expr) -> Lowered<()> {
    let any = l.program.types.void_ptr();
    let (handler, some) = (handler(l, number, c)?, was_set(l, number, c)?);
    l.set(&handler, new.cast(any), c.span)?;
    let yes = l.int_const(1);
    l.set(&some, yes, c.span)
}

/// The handler is kept.
fn signal(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let (number, new) = (number(l, c, 0)?, l.pinned_arg(c, 1)?);
    let (any, ty) = (l.program.types.void_ptr(), c.result_or(new.ty));
    let result = l.variable_of(Expr::int(l.program.types.wrap_address(SIG_ERR), any), c.span)?;
    where_it_can(l, &number, c, |l| {
        let before = handler_before(l, &number, c)?;
        set_handler(l, &number, c, new)?;
        l.set(&result, before, c.span)
    })?;
    Ok(Expr::load(result).cast(ty))
}

/// Stores the action before, if asked for, and takes the new one, if given.
fn sigaction(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let number = number(l, c, 0)?;
    let (new, old, int) = (l.pinned_arg(c, 1)?, l.pinned_arg(c, 2)?, l.int_type());
    l.when_given(c, 1, |l| l.check_object(c, 1, AccessMode::Read))?;
    l.when_given(c, 2, |l| l.check_object(c, 2, AccessMode::Write))?;
    let status = l.variable_of(Expr::int(-1, int), c.span)?;
    where_it_can(l, &number, c, |l| {
        let done = l.input_value("sigaction()", int, Some((-1, 0)), c.span)?;
        l.set(&status, done, c.span)
    })?;
    let done = l.compared(BinaryOp::Eq, Expr::load(status.clone()), l.int_const(0));
    l.when(done, c.span, |l| {
        where_it_can(l, &number, c, |l| {
            let before = handler_before(l, &number, c)?;
            // Both may be the same object: the new handler is read before the old one is stored.
            let member = handler_member(l, &new);
            l.when_given(c, 1, |l| match member {
                Some(member) => set_handler(l, &number, c, Expr::load(member)),
                None => Ok(()),
            })?;
            l.when_given(c, 2, |l| {
                l.fill_checked(c, 2, false)?;
                match handler_member(l, &old) {
                    Some(member) => l.set(&member, before.cast(member.ty), c.span),
                    None => Ok(()),
                }
            })
        })
    })?;
    Ok(Expr::load(status))
}

/// The signal that is raised ends the program, or is ignored, or its handler runs before the call returns (C11 7.14.2.1p2).
fn raise(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let (int, any) = (l.int_type(), l.program.types.void_ptr());
    let number = number(l, c, c.args.len().saturating_sub(1))?;
    let ends = l.perhaps(&format!("{}() ends the program", c.name), c.span)?;
    l.when(ends, c.span, |l| l.terminate(Terminator::Exit(None), c.span))?;
    where_it_can(l, &number, c, |l| {
        let handler = handler(l, &number, c)?;
        let mut called = l.perhaps(&format!("{}() calls the handler", c.name), c.span)?;
        for none in [0, SIG_IGN, SIG_ERR] {
            let none = Expr::int(l.program.types.wrap_address(none), any);
            let some = l.compared(BinaryOp::Ne, Expr::load(handler.clone()), none);
            called = l.folded(BinaryOp::And, called, some, int);
        }
        l.when(called, c.span, |l| {
            let void = l.program.types.void();
            let callee = Callee::Indirect(Expr::load(handler));
            l.emit_call(callee, void, vec![number.clone()], c.span).map(|_| ())
        })
    })?;
    let range = Some((Expr::int(-1, int), Expr::int(0, int)));
    l.approximate_value(&format!("{}()", c.name), int, range, c.span)
}

/// The first pointer to a function in the record that `ptr` points to.
fn handler_member(l: &L<'_>, ptr: &Expr) -> Option<Place> {
    let types = &l.program.types;
    let is_handler = |t: TypeId| types.pointee(t).is_some_and(|t| matches!(types.get(t), Type::Function(_)));
    let (mut at, mut ty) = (0, types.pointee(ptr.ty)?);
    loop {
        let mut fields = types.layout(ty)?.fields.iter().filter(|f| f.bits.is_none());
        let first = fields.find(|f| is_handler(f.ty) || matches!(types.get(f.ty), Type::Record(_)))?;
        at += first.offset;
        if is_handler(first.ty) {
            return Some(Place { offset: at as i64, ..Place::deref(ptr.clone(), first.ty) });
        }
        ty = first.ty;
    }
}
