//! `stdlib.h` allocation and the `mem*` functions of `string.h` and `wchar.h`.

use super::{LibraryCall, Model};
use crate::frontend::lower::{Lowered, Lowerer};
use crate::ir::{AllocKind, BinaryOp, Check, CheckKind, Expr, LibFn, Place, StmtKind};

type L<'l> = Lowerer<'l>;
type C<'c> = LibraryCall<'c>;

pub(super) fn model(name: &str) -> Option<Model> {
    Some(match name {
        "malloc" | "valloc" => |l, c| malloc(l, c, 0),
        "aligned_alloc" | "memalign" => aligned,
        "calloc" => calloc,
        "realloc" => |l, c| {
            let size = l.size_arg(c, 1)?;
            realloc(l, c, size)
        },
        "reallocarray" => |l, c| {
            let (n, m) = (l.size_arg(c, 1)?, l.size_arg(c, 2)?);
            let size = product(l, c, n, m)?;
            realloc(l, c, size)
        },
        "posix_memalign" => posix_memalign,
        "free" | "cfree" => free,
        "alloca" => alloca,
        "memcpy" | "memmove" => |l, c| copy(l, c, 1, false),
        "mempcpy" => |l, c| copy(l, c, 1, true),
        "wmemcpy" | "wmemmove" => |l, c| copy(l, c, 4, false),
        "bcopy" => bcopy,
        "memset" => |l, c| set(l, c, LibFn::MemSet, 1),
        "wmemset" => |l, c| set(l, c, LibFn::WMemSet, 4),
        "bzero" | "explicit_bzero" => bzero,
        "memcmp" | "bcmp" => |l, c| compare(l, c, 1),
        "wmemcmp" => |l, c| compare(l, c, 4),
        "memchr" => |l, c| find(l, c, 1),
        "wmemchr" => |l, c| find(l, c, 4),
        // As a search that need not end.
        "rawmemchr" => |l, c| {
            let most = Expr::int(l.program.types.greatest_size(), l.size_type());
            let args = c.args.iter().take(2).cloned().chain([most]).collect();
            find(l, &LibraryCall { args, ..c.clone() }, 1)
        },
        _ => return None,
    })
}

fn malloc(l: &mut L<'_>, c: &C<'_>, size: usize) -> Lowered<Expr> {
    let size = l.size_arg(c, size)?;
    let ty = l.program.types.void_ptr();
    l.allocate_heap(c, size, false, ty)
}

/// Whether the number is a power of two, as alignments are.
fn is_alignment(l: &L<'_>, n: &Expr) -> Expr {
    if let Some(n) = n.as_int() {
        return l.int_const((n.count_ones() == 1).into());
    }
    let (zero, one, int) = (l.size_const(0), l.size_const(1), l.int_type());
    let lower = l.size_op(BinaryOp::Sub, n.clone(), one);
    let single = l.compared(BinaryOp::Eq, l.size_op(BinaryOp::And, n.clone(), lower), zero.clone());
    l.folded(BinaryOp::And, single, l.compared(BinaryOp::Ne, n.clone(), zero), int)
}

/// `aligned_alloc(alignment, size)`: fails for what is no alignment (C17 7.22.3.1), but older libraries round it up.
fn aligned(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let alignment = l.size_arg(c, 0)?;
    let valid = is_alignment(l, &alignment);
    if valid.as_int() == Some(1) {
        return malloc(l, c, 1);
    }
    let ty = l.program.types.void_ptr();
    let (tries, result) = (l.variable_of(valid.clone(), c.span)?, l.variable_of(Expr::int(0, ty), c.span)?);
    let invalid = l.compared(BinaryOp::Eq, valid, l.int_const(0));
    l.when(invalid, c.span, |l| {
        let rounds = l.perhaps(&format!("{}() rounds the alignment", c.name), c.span)?;
        l.set(&tries, rounds, c.span)
    })?;
    let tries = l.compared(BinaryOp::Ne, Expr::load(tries), l.int_const(0));
    l.when(tries, c.span, |l| {
        let block = malloc(l, c, 1)?;
        l.set(&result, block, c.span)
    })?;
    Ok(Expr::load(result))
}

/// `n * m`, or what no allocation can satisfy when that overflows.
pub(super) fn product(l: &mut L<'_>, c: &C<'_>, n: Expr, m: Expr) -> Lowered<Expr> {
    let plain = l.size_op(BinaryOp::Mul, n.clone(), m.clone());
    if let (Some(a), Some(b)) = (n.as_int(), m.as_int())
        && a.checked_mul(b) == plain.as_int()
    {
        return Ok(plain);
    }
    let (size, int) = (l.size_type(), l.int_type());
    let mul = l.int_const(2);
    let overflow = l.lib_value(LibFn::OverflowFlag, int, vec![mul, n, m, l.size_const(0)], c.span)?;
    let total = l.variable_of(plain, c.span)?;
    let zero = l.int_const(0);
    let overflows = l.compared(BinaryOp::Ne, overflow, zero);
    l.when(overflows, c.span, |l| {
        let kind = l.program.types.as_int(size).expect("size_t is an integer");
        let most = Expr::int(l.program.types.int_range(kind).1, size);
        l.set(&total, most, c.span)
    })?;
    Ok(Expr::load(total))
}

fn calloc(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let (n, m) = (l.size_arg(c, 0)?, l.size_arg(c, 1)?);
    let size = product(l, c, n, m)?;
    let ty = l.program.types.void_ptr();
    l.allocate_heap(c, size, true, ty)
}

/// The pointer, argument number `argument`, is NULL or to be freed.
pub(super) fn check_freeable(l: &mut L<'_>, c: &C<'_>, argument: usize, ptr: &Expr) -> Lowered<()> {
    if ptr.as_int() == Some(0) {
        return Ok(());
    }
    let subject = c.subject(argument);
    let invalid = l.site(CheckKind::InvalidFree, subject.clone(), c.span);
    let double = l.site(CheckKind::DoubleFree, subject, c.span);
    l.emit(StmtKind::Check(Box::new(Check::Freeable { ptr: ptr.clone(), double, invalid })), c.span)
}

fn realloc(l: &mut L<'_>, c: &C<'_>, size: Expr) -> Lowered<Expr> {
    let ptr = l.ptr_arg(c, 0)?;
    check_freeable(l, c, 0, &ptr)?;
    let block = resize(l, c, ptr, size.clone())?;
    if l.options.allocation_succeeds {
        suppose_given(l, c, &block, size)?;
    }
    Ok(block)
}

/// Another block of `size` bytes with the content of that at `ptr`, checked before; NULL where that fails.
pub(super) fn resize(l: &mut L<'_>, c: &C<'_>, ptr: Expr, size: Expr) -> Lowered<Expr> {
    let fails = l.input(format!("{}() fails", c.name), c.span);
    let alloc = l.alloc_site(c.name, AllocKind::Heap, c.span);
    let ty = l.program.types.void_ptr();
    let dest = Place::var(l.temp(ty, c.span)?, ty);
    l.emit(StmtKind::Realloc { alloc, dest: dest.clone(), ptr, size, fails }, c.span)?;
    Ok(Expr::load(dest))
}

/// The block is there, unless it would be larger than any object: then neither that it is nor that it is not is claimed.
pub(super) fn suppose_given(l: &mut L<'_>, c: &C<'_>, block: &Expr, size: Expr) -> Lowered<()> {
    let kind = l.program.types.as_int(l.program.types.ptrdiff_type()).expect("ptrdiff_t is an integer");
    let largest = Expr::int(l.program.types.int_range(kind).1, l.size_type());
    let given = l.is_not_null(block);
    let possible = l.compared(BinaryOp::Le, size.clone(), largest.clone());
    if possible.as_int() == Some(1) {
        return l.emit(StmtKind::Assume { cond: given }, c.span);
    }
    l.when(possible, c.span, |l| l.emit(StmtKind::Assume { cond: given }, c.span))?;
    let impossible = l.compared(BinaryOp::Gt, size, largest);
    l.when(impossible, c.span, |l| l.perhaps(&format!("{}() gives such a block", c.name), c.span).map(|_| ()))
}

/// `posix_memalign(out, alignment, size)`: 0, or the number of an error, which leaves `*out` alone.
fn posix_memalign(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    const ENOMEM: i32 = 12;
    const EINVAL: i32 = 22;
    let (out, alignment, size) = (l.pinned_arg(c, 0)?, l.size_arg(c, 1)?, l.size_arg(c, 2)?);
    let (ty, int) = (l.program.types.void_ptr(), l.int_type());
    let pointer = l.size_const(l.program.types.pointer_size());
    l.check_write(c, 0, out.clone(), pointer.clone())?;
    let status = l.int_const(EINVAL);
    let status = l.variable_of(status, c.span)?;
    // A power of two that is no less than a pointer's size is a multiple of it.
    let large = l.compared(BinaryOp::Ge, alignment.clone(), pointer);
    let valid = is_alignment(l, &alignment);
    let valid = l.folded(BinaryOp::And, valid, large, int);
    l.when(valid, c.span, |l| {
        let block = l.allocate_heap(c, size, false, ty)?;
        let got = l.is_not_null(&block);
        let failed = l.int_const(ENOMEM);
        l.set(&status, failed, c.span)?;
        l.when(got, c.span, |l| {
            l.store_through(out, block, c.span)?;
            let ok = l.int_const(0);
            l.set(&status, ok, c.span)
        })
    })?;
    Ok(Expr::load(status))
}

fn free(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let ptr = l.ptr_arg(c, 0)?;
    release(l, c, &ptr)?;
    Ok(l.void())
}

/// Frees the block at `ptr`, checked.
pub(super) fn release(l: &mut L<'_>, c: &C<'_>, ptr: &Expr) -> Lowered<()> {
    check_freeable(l, c, 0, ptr)?;
    l.emit(StmtKind::Free { ptr: ptr.clone() }, c.span)
}

fn alloca(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let size = l.size_arg(c, 0)?;
    // The stack does not run out (assumption D2).
    let most = Expr::int(l.program.types.greatest_size(), size.ty);
    let cond = l.folded(BinaryOp::Le, size.clone(), most, l.int_type());
    l.emit(StmtKind::Assume { cond }, c.span)?;
    let ty = l.program.types.void_ptr();
    l.allocate(c, AllocKind::Stack, size, false, false, ty)
}

fn copy(l: &mut L<'_>, c: &C<'_>, char_size: u8, returns_end: bool) -> Lowered<Expr> {
    let (dst, src, n) = (l.ptr_arg(c, 0)?, l.ptr_arg(c, 1)?, l.size_arg(c, 2)?);
    let bytes = l.scaled(n, char_size);
    l.check_write(c, 0, dst.clone(), bytes.clone())?;
    l.check_read(c, 1, src.clone(), bytes.clone())?;
    l.lib_effect(LibFn::MemCopy, vec![dst.clone(), src, bytes.clone()], c.span)?;
    let result = if returns_end { l.advanced(dst, bytes) } else { dst };
    let ty = c.result_or(result.ty);
    l.convert(result, ty, c.span)
}

fn bcopy(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let (src, dst, n) = (l.ptr_arg(c, 0)?, l.ptr_arg(c, 1)?, l.size_arg(c, 2)?);
    l.check_write(c, 1, dst.clone(), n.clone())?;
    l.check_read(c, 0, src.clone(), n.clone())?;
    l.lib_effect(LibFn::MemCopy, vec![dst, src, n], c.span)?;
    Ok(l.void())
}

fn set(l: &mut L<'_>, c: &C<'_>, function: LibFn, char_size: u8) -> Lowered<Expr> {
    let int = l.int_type();
    let (dst, value, n) = (l.ptr_arg(c, 0)?, l.arg_as(c, 1, int)?, l.size_arg(c, 2)?);
    let bytes = l.scaled(n.clone(), char_size);
    l.check_write(c, 0, dst.clone(), bytes)?;
    l.lib_effect(function, vec![dst.clone(), value, n], c.span)?;
    let ty = c.result_or(dst.ty);
    l.convert(dst, ty, c.span)
}

fn bzero(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let (dst, n) = (l.ptr_arg(c, 0)?, l.size_arg(c, 1)?);
    l.check_write(c, 0, dst.clone(), n.clone())?;
    let zero = l.int_const(0);
    l.lib_effect(LibFn::MemSet, vec![dst, zero, n], c.span)?;
    Ok(l.void())
}

fn compare(l: &mut L<'_>, c: &C<'_>, char_size: u8) -> Lowered<Expr> {
    let (a, b, n) = (l.ptr_arg(c, 0)?, l.ptr_arg(c, 1)?, l.size_arg(c, 2)?);
    let bytes = l.scaled(n.clone(), char_size);
    l.check_read(c, 0, a.clone(), bytes.clone())?;
    l.check_read(c, 1, b.clone(), bytes)?;
    let int = l.int_type();
    let order = l.lib_value(LibFn::MemCmp(char_size), int, vec![a, b, n], c.span)?;
    if c.name != "bcmp" {
        return Ok(order);
    }
    // Nothing is said of its sign.
    let result = l.variable_of(order.clone(), c.span)?;
    let differ = l.compared(BinaryOp::Ne, order, l.int_const(0));
    l.when(differ, c.span, |l| {
        let other = l.approximate_value("bcmp()", int, None, c.span)?;
        let cond = l.compared(BinaryOp::Ne, other.clone(), l.int_const(0));
        l.emit(StmtKind::Assume { cond }, c.span)?;
        l.set(&result, other, c.span)
    })?;
    Ok(Expr::load(result))
}

/// The search looks at characters in order and stops at the match: those behind it need not be there (C11 7.24.5.1p2).
fn find(l: &mut L<'_>, c: &C<'_>, char_size: u8) -> Lowered<Expr> {
    let (int, size) = (l.int_type(), l.size_type());
    let (s, value, n) = (l.ptr_arg(c, 0)?, l.arg_as(c, 1, int)?, l.size_arg(c, 2)?);
    let args = vec![s.clone(), value, n.clone()];
    let count = if n.as_int().is_some_and(|n| n <= 1) {
        n
    } else {
        let looked = l.lib_value(LibFn::MemSearched(char_size), size, args.clone(), c.span)?;
        let cond = l.compared(BinaryOp::Le, looked.clone(), n);
        l.emit(StmtKind::Assume { cond }, c.span)?;
        looked
    };
    let bytes = l.scaled(count, char_size);
    l.check_read(c, 0, s.clone(), bytes)?;
    let ty = c.result_or(s.ty);
    l.lib_value(LibFn::MemChr(char_size), ty, args, c.span)
}
