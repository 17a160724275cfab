//! Compatible types, and the type that two declarations of one thing make together (C11 6.2.7).

use crate::ir::{FnType, IntKind, RecordId, Type, TypeId, TypeTable};
use rustc_hash::FxHashSet;

/// What tells two records apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Records {
    /// Within a unit each definition makes a type of its own.
    OfOneUnit,
    /// Over units those are compatible that have the same tag and the same members (6.2.7p1).
    OfTwoUnits,
}

/// The composite type of `a` and `b`, with `a`'s records; None when they are not compatible.
pub(super) fn composite(types: &mut TypeTable, a: TypeId, b: TypeId, records: Records) -> Option<TypeId> {
    if a == b {
        return Some(a);
    }
    Some(match (types.get(a).clone(), types.get(b).clone()) {
        (Type::Pointer(x), Type::Pointer(y)) => {
            let target = composite(types, x, y, records)?;
            types.pointer(target)
        }
        (Type::Array(x, m), Type::Array(y, n)) => {
            let elem = composite(types, x, y, records)?;
            if m.is_some() && n.is_some() && m != n {
                return None;
            }
            types.array(elem, m.or(n))
        }
        // Whether the lengths agree is seen when the program runs (6.7.6.2p6); a length that is known is the composite's.
        (Type::Vla(x, _), Type::Vla(y, _) | Type::Array(y, None)) | (Type::Array(x, Some(_)), Type::Vla(y, _)) => {
            composite(types, x, y, records)?;
            a
        }
        (Type::Array(x, None), Type::Vla(y, _)) | (Type::Vla(x, _), Type::Array(y, Some(_))) => {
            composite(types, x, y, records)?;
            b
        }
        (Type::Function(f), Type::Function(g)) => {
            let composed = functions(types, f, g, records)?;
            types.intern(Type::Function(composed))
        }
        (Type::Record(x), Type::Record(y)) if records == Records::OfTwoUnits => {
            same_members(types, x, y, &mut FxHashSet::default()).then_some(a)?
        }
        _ => return None,
    })
}

/// 6.7.6.3p15.
fn functions(types: &mut TypeTable, f: FnType, g: FnType, records: Records) -> Option<FnType> {
    let result = composite(types, f.result, g.result, records)?;
    let params = match (f.prototyped, g.prototyped) {
        (true, true) if f.params.len() == g.params.len() && f.variadic == g.variadic => {
            let pairs = f.params.iter().zip(&g.params);
            pairs.map(|(x, y)| composite(types, *x, *y, records)).collect::<Option<Vec<_>>>()?
        }
        (true, true) => return None,
        (false, false) => f.params,
        (prototyped, _) => {
            let prototype = if prototyped { f.clone() } else { g };
            let promoted = |t: &TypeId| !is_promoted_away(types, *t);
            if prototype.variadic || !prototype.params.iter().all(promoted) {
                return None;
            }
            return Some(FnType { result, ..prototype });
        }
    };
    Some(FnType { result, params, variadic: f.variadic, prototyped: f.prototyped })
}

/// Whether the default argument promotions change the type, so that no call without a prototype passes one.
fn is_promoted_away(types: &TypeTable, ty: TypeId) -> bool {
    match types.get(ty) {
        Type::Int(kind) => kind.rank() < IntKind::Int.rank(),
        Type::Float(kind) => *kind == crate::ir::FloatKind::Float,
        _ => false,
    }
}

/// Whether two units mean one type by their records. `assumed`: pairs that are being compared further out.
fn same_members(types: &TypeTable, a: RecordId, b: RecordId, assumed: &mut FxHashSet<(RecordId, RecordId)>) -> bool {
    if a == b || !assumed.insert((a, b)) {
        return true;
    }
    let (x, y) = (&types.records[a], &types.records[b]);
    let untagged = |name: &str| name.starts_with('<');
    if x.is_union != y.is_union || x.name != y.name && !(untagged(&x.name) && untagged(&y.name)) {
        return false;
    }
    // One that is not complete here is compatible with any of its tag.
    let (Some(x), Some(y)) = (&x.layout, &y.layout) else { return true };
    x.size == y.size
        && x.align == y.align
        && x.fields.len() == y.fields.len()
        && x.fields.iter().zip(&y.fields).all(|(f, g)| {
            f.name == g.name && f.offset == g.offset && f.bits == g.bits && alike(types, f.ty, g.ty, assumed)
        })
}

/// Whether two units' types are compatible, without making the composite.
fn alike(types: &TypeTable, a: TypeId, b: TypeId, assumed: &mut FxHashSet<(RecordId, RecordId)>) -> bool {
    if a == b {
        return true;
    }
    match (types.get(a), types.get(b)) {
        (Type::Pointer(x), Type::Pointer(y)) => alike(types, *x, *y, assumed),
        (Type::Array(x, m), Type::Array(y, n)) => {
            (m == n || m.is_none() || n.is_none()) && alike(types, *x, *y, assumed)
        }
        (Type::Record(x), Type::Record(y)) => same_members(types, *x, *y, assumed),
        (Type::Function(f), Type::Function(g)) => {
            let comparable = f.params.len() == g.params.len() && f.variadic == g.variadic;
            let both = f.prototyped && g.prototyped;
            (!both || comparable && f.params.iter().zip(&g.params).all(|(x, y)| alike(types, *x, *y, assumed)))
                && alike(types, f.result, g.result, assumed)
        }
        _ => false,
    }
}
