//! Expression constructors that fold constants, so that constant expressions come out as constants.

use crate::ir::{BinaryOp, Expr, ExprKind, IntKind, Real, Type, TypeId, TypeTable, UnaryOp};

/// `lhs op rhs` of type `ty`, folded where both are constants and the result is defined.
pub(super) fn binary(types: &TypeTable, op: BinaryOp, lhs: Expr, rhs: Expr, ty: TypeId) -> Expr {
    match (&lhs.kind, &rhs.kind) {
        (ExprKind::Int(a), ExprKind::Int(b)) => {
            if let Some(v) = int_binary(types, op, *a, *b, lhs.ty, ty) {
                return Expr::int(v, ty);
            }
        }
        (ExprKind::Float(a), ExprKind::Float(b)) => {
            if let Some(e) = float_binary(op, *a, *b, ty) {
                return e;
            }
        }
        (ExprKind::AddrOf(a, m), ExprKind::AddrOf(b, n)) if a == b && op.is_comparison() => {
            return Expr::int(i128::from(op.holds_between(m.cmp(n))), ty);
        }
        // The address of an object or a function is not NULL.
        (ExprKind::AddrOf(..) | ExprKind::FuncAddr(_), ExprKind::Int(0))
        | (ExprKind::Int(0), ExprKind::AddrOf(..) | ExprKind::FuncAddr(_)) => match op {
            BinaryOp::Eq => return Expr::int(0, ty),
            BinaryOp::Ne => return Expr::int(1, ty),
            _ => {}
        },
        _ => {}
    }
    Expr::binary(op, lhs, rhs, ty)
}

fn int_binary(types: &TypeTable, op: BinaryOp, a: i128, b: i128, operand: TypeId, ty: TypeId) -> Option<i128> {
    if op.is_comparison() {
        let order =
            if types.as_int(operand) == Some(IntKind::UInt128) { (a as u128).cmp(&(b as u128)) } else { a.cmp(&b) };
        return Some(i128::from(op.holds_between(order)));
    }
    let kind = types.as_int(ty)?;
    let wide = kind == IntKind::UInt128;
    let v = match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Div | BinaryOp::Rem if b == 0 => return None,
        BinaryOp::Div if wide => (a as u128 / b as u128) as i128,
        BinaryOp::Rem if wide => (a as u128 % b as u128) as i128,
        BinaryOp::Div => a.checked_div(b)?,
        BinaryOp::Rem => a.checked_rem(b)?,
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::Shl | BinaryOp::Shr => {
            let count = u32::try_from(b).ok().filter(|n| *n < types.int_bits(kind))?;
            match op {
                BinaryOp::Shl => a.wrapping_shl(count),
                _ if wide => (a as u128 >> count) as i128,
                _ => a >> count,
            }
        }
        _ => return None,
    };
    Some(types.wrap(kind, v))
}

fn float_binary(op: BinaryOp, a: Real, b: Real, ty: TypeId) -> Option<Expr> {
    match a.holds(op, b) {
        Some(holds) => Some(Expr::int(i128::from(holds), ty)),
        None => Some(Expr { kind: ExprKind::Float(a.apply(op, b)?), ty }),
    }
}

/// `op operand`.
pub(super) fn unary(types: &TypeTable, op: UnaryOp, operand: Expr) -> Expr {
    let ty = operand.ty;
    match (op, &operand.kind, types.as_int(ty)) {
        (UnaryOp::Neg, ExprKind::Int(v), Some(k)) => Expr::int(types.wrap(k, v.wrapping_neg()), ty),
        (UnaryOp::BitNot, ExprKind::Int(v), Some(k)) => Expr::int(types.wrap(k, !v), ty),
        (UnaryOp::Neg, ExprKind::Float(v), _) => Expr { kind: ExprKind::Float(v.negated()), ty },
        _ => Expr { kind: ExprKind::Unary(op, Box::new(operand)), ty },
    }
}

/// Conversion of a scalar to `ty`, without any check.
pub(super) fn cast(types: &TypeTable, e: Expr, ty: TypeId) -> Expr {
    if e.ty == ty {
        return e;
    }
    match (&e.kind, types.get(ty), types.get(e.ty)) {
        (ExprKind::Int(v), Type::Int(k), _) => Expr::int(types.wrap(*k, *v), ty),
        (ExprKind::Int(v), Type::Float(kind), Type::Int(from)) => {
            Expr { kind: ExprKind::Float(Real::of_int(*kind, *v, *from == IntKind::UInt128)), ty }
        }
        (ExprKind::Int(v), Type::Pointer(_), _) => Expr::int(types.wrap_address(*v), ty),
        (ExprKind::Float(v), Type::Float(kind), _) => Expr { kind: ExprKind::Float(v.to_kind(*kind)), ty },
        (ExprKind::Float(v), Type::Int(IntKind::Bool), _) => Expr::int(i128::from(!v.is_zero()), ty),
        (ExprKind::Float(v), Type::Int(k), _) => {
            let (low, high) = types.int_range(*k);
            match v.to_int().filter(|t| (low..=high).contains(t)) {
                Some(t) => Expr::int(t, ty),
                None => e.cast(ty),
            }
        }
        (ExprKind::AddrOf(..) | ExprKind::FuncAddr(_) | ExprKind::LabelAddr(_), Type::Pointer(_), _) => {
            Expr { kind: e.kind, ty }
        }
        (ExprKind::AddrOf(..) | ExprKind::FuncAddr(_), Type::Int(IntKind::Bool), _) => Expr::int(1, ty),
        // A pointer cast changes nothing but the type.
        (ExprKind::Cast(inner), Type::Pointer(_), Type::Pointer(_)) if types.is_pointer(inner.ty) => {
            let ExprKind::Cast(inner) = e.kind else { unreachable!("matched above") };
            if inner.ty == ty { *inner } else { inner.cast(ty) }
        }
        _ => e.cast(ty),
    }
}

/// `ptr` moved by `bytes` (any integer expression, converted to `ptrdiff_t` here), of type `ty`.
pub(super) fn ptr_add(types: &TypeTable, ptr: Expr, bytes: Expr, ty: TypeId) -> Expr {
    let bytes = cast(types, bytes, types.ptrdiff_type());
    match (ptr.kind, bytes.kind) {
        (kind, ExprKind::Int(0)) => cast(types, Expr { kind, ty: ptr.ty }, ty),
        (ExprKind::AddrOf(v, m), ExprKind::Int(n)) if i64::try_from(n).is_ok_and(|n| m.checked_add(n).is_some()) => {
            Expr { kind: ExprKind::AddrOf(v, m + n as i64), ty }
        }
        (ExprKind::Int(a), ExprKind::Int(n)) => Expr::int(types.wrap_address(a.wrapping_add(n)), ty),
        (ExprKind::PtrAdd(p, m), ExprKind::Int(n)) if m.as_int().is_some_and(|m| m.checked_add(n).is_some()) => {
            let sum = m.as_int().expect("matched above") + n;
            let bytes = Expr::int(types.wrap(IntKind::Long, sum), types.ptrdiff_type());
            Expr { kind: ExprKind::PtrAdd(p, Box::new(bytes)), ty }
        }
        (kind, bytes_kind) => Expr {
            kind: ExprKind::PtrAdd(
                Box::new(Expr { kind, ty: ptr.ty }),
                Box::new(Expr { kind: bytes_kind, ty: types.ptrdiff_type() }),
            ),
            ty,
        },
    }
}
