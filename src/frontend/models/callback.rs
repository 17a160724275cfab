//! Library functions that call the program back: sorting, searching.

use super::LibraryCall;
use super::dispatch::Model;
use crate::frontend::lower::{Lowered, Lowerer};
use crate::ir::{AccessMode, BinaryOp, Callee, Check, CheckKind, Expr, ExprKind, LibFn, StmtKind};

type L<'l> = Lowerer<'l>;
type C<'c> = LibraryCall<'c>;

pub(super) fn model(name: &str) -> Option<Model> {
    Some(match name {
        "qsort" => qsort,
        "bsearch" => bsearch,
        "pthread_once" => |l, c| {
            l.check_object(c, 0, AccessMode::Write)?;
            let first = l.perhaps("pthread_once() is the first", c.span)?;
            l.when(first, c.span, |l| call_back(l, c, 1, Vec::new()).map(|_| ()))?;
            Ok(l.int_const(0))
        },
        // The function puts the characters out one by one (tputs(3)).
        "tputs" => |l, c| {
            l.check_text(c, 0)?;
            let (int, size) = (l.int_type(), l.size_type());
            let times = l.approximate_value("characters of tputs()", size, None, c.span)?;
            l.repeated(times, c.span, |l| {
                let range = Some(l.within(int, (-128, 255)));
                let character = l.approximate_value("tputs() character", int, range, c.span)?;
                call_back(l, c, 2, vec![character]).map(|_| ())
            })?;
            l.approximate_value("tputs()", int, Some((l.int_const(-1), l.int_const(0))), c.span)
        },
        _ => return None,
    })
}

/// Calls the function that argument `i` points to.
pub(super) fn call_back(l: &mut L<'_>, c: &C<'_>, i: usize, args: Vec<Expr>) -> Lowered<Expr> {
    let f = l.pinned_arg(c, i)?;
    let void = l.program.types.void();
    let ty = l.program.types.pointee(f.ty);
    let result = match ty.map(|t| l.program.types.get(t)) {
        Some(crate::ir::Type::Function(f)) => f.result,
        _ => void,
    };
    let callee = match f.kind {
        ExprKind::FuncAddr(f) => Callee::Direct(f),
        _ => {
            let null = l.site(CheckKind::NullDeref, c.subject(i), c.span);
            l.emit(StmtKind::Check(Box::new(Check::Callable { ptr: f.clone(), null })), c.span)?;
            Callee::Indirect(f)
        }
    };
    l.emit_call(callee, result, args, c.span)
}

/// The address of an element that the library chooses; `count` is not 0.
fn some_element(l: &mut L<'_>, c: &C<'_>, base: &Expr, count: &Expr, width: &Expr) -> Lowered<Expr> {
    let (size, zero, one) = (l.size_type(), l.size_const(0), l.size_const(1));
    let last = l.size_op(BinaryOp::Sub, count.clone(), one);
    let at = l.approximate_value(&format!("{}() element", c.name), size, Some((zero, last)), c.span)?;
    let offset = l.size_op(BinaryOp::Mul, at, width.clone());
    let address = l.advanced(base.clone(), offset);
    l.hold(address, c.span)
}

/// Whether it may matter how often argument `i` is called.
fn leaves_traces(l: &mut L<'_>, c: &C<'_>, i: usize) -> Lowered<bool> {
    Ok(match c.arg(i)?.kind {
        ExprKind::FuncAddr(f) => l.program.leaves_traces(f),
        _ => true,
    })
}

/// The array's elements are compared, as often as the library likes, and sorted.
fn qsort(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let (base, n, width) = (l.ptr_arg(c, 0)?, l.size_arg(c, 1)?, l.size_arg(c, 2)?);
    let compare = l.pinned_arg(c, 3)?;
    let bytes = l.size_op(BinaryOp::Mul, n.clone(), width.clone());
    l.check_write(c, 0, base.clone(), bytes)?;
    let several = l.compared(BinaryOp::Gt, n.clone(), l.size_const(1));
    let often = leaves_traces(l, c, 3)?;
    l.when(several, c.span, |l| {
        let once = |l: &mut L<'_>| {
            let a = some_element(l, c, &base, &n, &width)?;
            let b = some_element(l, c, &base, &n, &width)?;
            call_back(l, c, 3, vec![a, b]).map(|_| ())
        };
        // Exact without any, as the sort compares by itself when it is run; the elements that are looked at here are approximate.
        if often {
            let times = l.input_value("further comparisons of qsort()", l.size_type(), None, c.span)?;
            l.repeated(times, c.span, once)?;
        } else {
            // One of two elements stands for all.
            let look = l.either("qsort() compares", c.span)?;
            l.when(look, c.span, once)?;
        }
        l.lib_effect(LibFn::Sort, vec![base.clone(), n.clone(), width.clone(), compare], c.span)
    })?;
    Ok(l.void())
}

/// NULL, or an element; the key is compared with some, as often as the library likes, and with that element last.
fn bsearch(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let (key, base, n, width) = (l.ptr_arg(c, 0)?, l.ptr_arg(c, 1)?, l.size_arg(c, 2)?, l.size_arg(c, 3)?);
    let bytes = l.size_op(BinaryOp::Mul, n.clone(), width.clone());
    l.check_read(c, 1, base.clone(), bytes)?;
    let result = l.variable_of(Expr::int(0, base.ty), c.span)?;
    let some = l.compared(BinaryOp::Gt, n.clone(), l.size_const(0));
    let often = leaves_traces(l, c, 4)?;
    l.when(some, c.span, |l| {
        if often {
            let times = l.approximate_value("earlier comparisons of bsearch()", l.size_type(), None, c.span)?;
            l.repeated(times, c.span, |l| {
                let element = some_element(l, c, &base, &n, &width)?;
                call_back(l, c, 4, vec![key.clone(), element]).map(|_| ())
            })?;
        }
        let element = some_element(l, c, &base, &n, &width)?;
        let order = call_back(l, c, 4, vec![key, element.clone()])?;
        let equal = l.compared(BinaryOp::Eq, order.clone(), Expr::int(0, order.ty));
        l.when(equal, c.span, |l| l.set(&result, element, c.span))
    })?;
    Ok(Expr::load(result))
}
