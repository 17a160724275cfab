//! The functions of verification tasks: nondeterministic values, assumptions, errors.

use super::{LibraryCall, Model};
use crate::frontend::lower::{Lowered, Lowerer};
use crate::ir::{CheckKind, Expr, FloatKind, IntKind, StmtKind, Terminator, Type, TypeId, TypeTable};

type L<'l> = Lowerer<'l>;
type C<'c> = LibraryCall<'c>;

pub(super) fn model(name: &str) -> Option<Model> {
    Some(match name {
        n if is_error_function(n) => |l, c| {
            let cond = l.int_const(0);
            l.check_holds(CheckKind::UnreachCall, cond, c.name, c.span)?;
            l.terminate(Terminator::Unreachable, c.span)?;
            match c.result.filter(|t| l.program.types.is_scalar(*t)) {
                Some(ty) => Ok(l.zero_of(ty)),
                None => Ok(l.void()),
            }
        },
        "__VERIFIER_assume" => |l, c| {
            let cond = c.arg(0)?;
            let zero = l.zero_of(cond.ty);
            let cond = l.compared(crate::ir::BinaryOp::Ne, cond, zero);
            l.emit(StmtKind::Assume { cond }, c.span)?;
            Ok(l.void())
        },
        "__VERIFIER_assert" => |l, c| {
            let cond = c.arg(0)?;
            let zero = l.zero_of(cond.ty);
            let cond = l.compared(crate::ir::BinaryOp::Ne, cond, zero);
            l.check_holds(CheckKind::Assertion, cond, &c.subject(0), c.span)?;
            Ok(l.void())
        },
        "__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end" => |l, _| Ok(l.void()),
        n if nondet_kind(n).is_some() => nondet,
        _ => return None,
    })
}

/// Whether a call of the function is what must not happen, whatever its body does.
pub(crate) fn is_error_function(name: &str) -> bool {
    matches!(name, "__VERIFIER_error" | "reach_error")
}

enum Nondet {
    Int(IntKind),
    Float(FloatKind),
}

/// What a function gives back by its name: those of SV-COMP, and with their prefix cut off those that CBMC and others take for inputs.
fn nondet_kind(name: &str) -> Option<Nondet> {
    use IntKind::*;
    let name = name.strip_prefix("__VERIFIER_").unwrap_or(name);
    Some(Nondet::Int(match name.strip_prefix("nondet_")? {
        "bool" | "_Bool" => Bool,
        "char" => Char,
        "schar" | "int8_t" => SChar,
        "uchar" | "u8" | "unsigned_char" | "uint8_t" => UChar,
        "short" | "int16_t" => Short,
        "ushort" | "u16" | "unsigned_short" | "uint16_t" => UShort,
        "int" | "int32_t" => Int,
        "uint" | "u32" | "unsigned" | "unsigned_int" | "uint32_t" => UInt,
        "long" | "loff_t" => Long,
        "ulong" | "size" | "size_t" | "sector_t" | "unsigned_long" => ULong,
        "longlong" | "int64_t" => LongLong,
        "ulonglong" | "uint64_t" => ULongLong,
        "int128" => Int128,
        "uint128" => UInt128,
        "float" => return Some(Nondet::Float(FloatKind::Float)),
        "double" => return Some(Nondet::Float(FloatKind::Double)),
        _ => return None,
    }))
}

/// Whether a function only has the name of an input: it takes something, or gives something else than a number.
pub(crate) fn is_another(types: &TypeTable, name: &str, arguments: usize, result: Option<TypeId>) -> bool {
    let gives_number = result.is_none_or(|t| matches!(types.get(t), Type::Int(_) | Type::Float(_)));
    name.starts_with("nondet_") && (arguments > 0 || !gives_number)
}

fn nondet(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let named = match nondet_kind(c.name) {
        // Not declared: C90 says that it gives an `int`.
        _ if c.result.is_none() && !c.name.starts_with("__") => l.int_type(),
        Some(Nondet::Float(k)) => l.program.types.float(k),
        Some(Nondet::Int(k)) => l.kind_type(k),
        None => l.int_type(),
    };
    let ty = c.result.filter(|t| matches!(l.program.types.get(*t), Type::Int(_) | Type::Float(_))).unwrap_or(named);
    l.input_value(&format!("{}()", c.name), ty, None, c.span)
}
