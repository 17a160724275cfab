//! The compiler's atomic operations, on one thread.
//!
//! See: GCC manual, "Built-in Functions for Memory Model Aware Atomic Operations" and "Legacy __sync Built-in Functions".

use super::LibraryCall;
use super::dispatch::Model;
use crate::frontend::lower::{LowerError, Lowered, Lowerer};
use crate::ir::{BinaryOp, Expr, IntKind, Place, TypeId, UnaryOp};

type L<'l> = Lowerer<'l>;
type C<'c> = LibraryCall<'c>;

pub(super) fn model(name: &str) -> Option<Model> {
    Some(match name {
        "__atomic_load_n" => |l, c| {
            let place = object(l, c)?;
            l.hold(Expr::load(place), c.span)
        },
        "__atomic_store_n" => |l, c| {
            let place = object(l, c)?;
            let value = l.arg_as(c, 1, place.ty)?;
            l.set(&place, value, c.span)?;
            Ok(l.void())
        },
        "__atomic_exchange_n" | "__sync_lock_test_and_set" => |l, c| {
            let place = object(l, c)?;
            let value = l.arg_as(c, 1, place.ty)?;
            let old = l.hold(Expr::load(place.clone()), c.span)?;
            l.set(&place, value, c.span)?;
            Ok(old)
        },
        "__atomic_load" => |l, c| copied(l, c, 0, 1),
        "__atomic_store" => |l, c| copied(l, c, 1, 0),
        "__sync_lock_release" => |l, c| {
            let place = object(l, c)?;
            let zero = l.zero_of(place.ty);
            l.set(&place, zero, c.span)?;
            Ok(l.void())
        },
        "__sync_bool_compare_and_swap" => |l, c| compare_and_swap(l, c, true),
        "__sync_val_compare_and_swap" => |l, c| compare_and_swap(l, c, false),
        _ if operation(name).is_some() => |l, c| {
            let Some((op, negated, new)) = operation(c.name) else { unreachable!("the model is chosen by this name") };
            let place = object(l, c)?;
            let value = l.arg_as(c, 1, place.ty)?;
            let old = l.hold(Expr::load(place.clone()), c.span)?;
            let result = wrapping(l, op, old.clone(), value, place.ty);
            let result = if negated {
                Expr { ty: place.ty, kind: crate::ir::ExprKind::Unary(UnaryOp::BitNot, Box::new(result)) }
            } else {
                result
            };
            let result = l.hold(result, c.span)?;
            l.set(&place, result.clone(), c.span)?;
            Ok(if new { result } else { old })
        },
        _ => return None,
    })
}

/// The operator, whether its result is complemented, and whether the new value is given back.
fn operation(name: &str) -> Option<(BinaryOp, bool, bool)> {
    let name = name.strip_prefix("__atomic_").or_else(|| name.strip_prefix("__sync_"))?;
    let (name, new) = match name.strip_prefix("fetch_") {
        Some(rest) => (rest.strip_prefix("and_").unwrap_or(rest), false),
        None => (name.strip_suffix("_fetch").map(|n| n.strip_suffix("_and").unwrap_or(n))?, true),
    };
    Some(match name {
        "add" => (BinaryOp::Add, false, new),
        "sub" => (BinaryOp::Sub, false, new),
        "and" => (BinaryOp::And, false, new),
        "or" => (BinaryOp::Or, false, new),
        "xor" => (BinaryOp::Xor, false, new),
        "nand" => (BinaryOp::And, true, new),
        _ => return None,
    })
}

/// The checked object that the first argument points to.
fn object(l: &mut L<'_>, c: &C<'_>) -> Lowered<Place> {
    let ptr = l.pinned_arg(c, 0)?;
    let int = l.int_type();
    let ty = l.program.types.pointee(ptr.ty).filter(|t| l.program.types.is_scalar(*t)).unwrap_or(int);
    let size = l.size_const(l.program.types.size_of(ty).unwrap_or(1));
    if c.name == "__atomic_load_n" {
        l.check_read(c, 0, ptr.clone(), size)?;
    } else {
        l.check_write(c, 0, ptr.clone(), size)?;
    }
    Ok(Place::deref(ptr, ty))
}

/// Copies the object that argument `from` points to; its type is that of the first argument's.
fn copied(l: &mut L<'_>, c: &C<'_>, from: usize, to: usize) -> Lowered<Expr> {
    let ty = l.program.types.pointee(c.arg(0)?.ty);
    let Some((ty, size)) = ty.and_then(|ty| Some((ty, l.program.types.size_of(ty)?))) else {
        return LowerError::unsupported(c.span, "an atomic access to what has no size");
    };
    let (source, target, size) = (l.pinned_arg(c, from)?, l.pinned_arg(c, to)?, l.size_const(size));
    l.check_read(c, from, source.clone(), size.clone())?;
    l.check_write(c, to, target.clone(), size)?;
    l.set(&Place::deref(target, ty), Expr::load(Place::deref(source, ty)), c.span)?;
    Ok(l.void())
}

/// Signed operands wrap too.
fn wrapping(l: &mut L<'_>, op: BinaryOp, a: Expr, b: Expr, ty: TypeId) -> Expr {
    let kind = l.program.types.as_int(ty).unwrap_or(IntKind::ULong).to_unsigned();
    let unsigned = l.kind_type(kind);
    l.folded(op, a.cast(unsigned), b.cast(unsigned), unsigned).cast(ty)
}

fn compare_and_swap(l: &mut L<'_>, c: &C<'_>, truth: bool) -> Lowered<Expr> {
    let place = object(l, c)?;
    let (expected, value) = (l.arg_as(c, 1, place.ty)?, l.arg_as(c, 2, place.ty)?);
    let old = l.hold(Expr::load(place.clone()), c.span)?;
    let same = l.compared(BinaryOp::Eq, old.clone(), expected);
    let same = l.hold(same, c.span)?;
    let equal = l.compared(BinaryOp::Ne, same.clone(), l.int_const(0));
    l.when(equal, c.span, |l| l.set(&place, value, c.span))?;
    Ok(if truth { same } else { old })
}
