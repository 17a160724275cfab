//! Walks over a block's parts to change them in place.

use crate::ir::{Block, Callee, Check, Expr, ExprKind, Place, PlaceBase, Stmt, StmtKind, Terminator, TypeId};

/// What a walk meets.
pub(super) enum Part<'p> {
    /// Before what is inside it.
    Expr(&'p mut Expr),
    Place(&'p mut Place),
    /// A type that a check names beside its operands.
    Type(&'p mut TypeId),
}

/// Calls `f` on every expression of a block, inner ones too, outermost first.
pub(super) fn expressions_mut(block: &mut Block, f: &mut impl FnMut(&mut Expr)) {
    parts_mut(block, &mut |part| {
        if let Part::Expr(e) = part {
            f(e);
        }
    });
}

/// Calls `f` on every expression, place and named type of a block.
pub(super) fn parts_mut(block: &mut Block, f: &mut impl FnMut(Part<'_>)) {
    for stmt in &mut block.stmts {
        statement(stmt, f);
    }
    match &mut block.terminator {
        Terminator::Branch { cond: e, .. }
        | Terminator::Switch { value: e, .. }
        | Terminator::IndirectGoto { target: e, .. }
        | Terminator::Return(Some(e))
        | Terminator::Exit(Some(e)) => expression(e, f),
        _ => {}
    }
}

fn statement(stmt: &mut Stmt, f: &mut impl FnMut(Part<'_>)) {
    match &mut stmt.kind {
        StmtKind::Check(check) => self::check(check, f),
        StmtKind::Assign { place: p, value } => {
            place(p, f);
            expression(value, f);
        }
        StmtKind::Assume { cond } => expression(cond, f),
        StmtKind::Call { dest, callee, args, .. } => {
            dest.iter_mut().for_each(|d| place(d, f));
            if let Callee::Indirect(e) = callee {
                expression(e, f);
            }
            args.iter_mut().for_each(|a| expression(a, f));
        }
        StmtKind::LibraryCall { args, .. } => args.iter_mut().for_each(|a| expression(a, f)),
        StmtKind::Lib { dest, args, .. } => {
            dest.iter_mut().for_each(|d| place(d, f));
            args.iter_mut().for_each(|a| expression(a, f));
        }
        StmtKind::Input { dest, range, .. } => {
            place(dest, f);
            if let Some((low, high)) = range {
                expression(low, f);
                expression(high, f);
            }
        }
        StmtKind::InputBytes { ptr, len, .. } => {
            expression(ptr, f);
            expression(len, f);
        }
        StmtKind::Alloc { dest, size, .. } => {
            place(dest, f);
            expression(size, f);
        }
        StmtKind::Realloc { dest, ptr, size, .. } => {
            place(dest, f);
            expression(ptr, f);
            expression(size, f);
        }
        StmtKind::Free { ptr: e } | StmtKind::VaStart { list: e } | StmtKind::VaEnd { list: e } => expression(e, f),
        StmtKind::VaArg { list, dest } => {
            expression(list, f);
            place(dest, f);
        }
        StmtKind::VaCopy { dest, source } => {
            expression(dest, f);
            expression(source, f);
        }
        StmtKind::ProgramArgs { argc, argv, envp, .. } => {
            place(argc, f);
            place(argv, f);
            envp.iter_mut().for_each(|p| place(p, f));
        }
        StmtKind::Unsupported { dest, .. } => dest.iter_mut().for_each(|d| place(d, f)),
        StmtKind::StorageLive(_) | StmtKind::StorageDead(_) => {}
    }
}

fn check(check: &mut Check, f: &mut impl FnMut(Part<'_>)) {
    match check {
        Check::Access { ptr, size, .. } => {
            expression(ptr, f);
            expression(size, f);
        }
        Check::Terminated { ptr, max, .. } => {
            expression(ptr, f);
            max.iter_mut().for_each(|m| expression(m, f));
        }
        Check::Initialized { place: p, .. } => place(p, f),
        Check::NoOverflow { lhs, rhs, ty, .. } => {
            f(Part::Type(ty));
            expression(lhs, f);
            expression(rhs, f);
        }
        Check::Fits { value, to, .. } => {
            f(Part::Type(to));
            expression(value, f);
        }
        Check::SameObject { lhs, rhs, .. } => {
            expression(lhs, f);
            expression(rhs, f);
        }
        Check::NonZero { divisor: e, .. }
        | Check::ShiftCount { count: e, .. }
        | Check::Freeable { ptr: e, .. }
        | Check::Callable { ptr: e, .. }
        | Check::Holds { cond: e, .. } => expression(e, f),
    }
}

fn place(p: &mut Place, f: &mut impl FnMut(Part<'_>)) {
    f(Part::Place(p));
    if let PlaceBase::Deref(e) = &mut p.base {
        expression(e, f);
    }
}

fn expression(e: &mut Expr, f: &mut impl FnMut(Part<'_>)) {
    f(Part::Expr(e));
    match &mut e.kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::AddrOf(..)
        | ExprKind::FuncAddr(_)
        | ExprKind::LabelAddr(_) => {}
        ExprKind::Load(p) => place(p, f),
        ExprKind::Unary(_, a) | ExprKind::Cast(a) => expression(a, f),
        ExprKind::Binary(_, a, b) | ExprKind::PtrAdd(a, b) | ExprKind::PtrDiff(a, b) => {
            expression(a, f);
            expression(b, f);
        }
    }
}
