//! Expressions as C spells them, as far as their text can be had again: for messages that name what is in doubt.

use super::{Expr, ExprKind, Place, PlaceBase, Program, Storage, Type, TypeId, VarId};

/// `e` in C, as far as it is made of variables and members; conversions are left out.
pub fn spell_expr(program: &Program, e: &Expr) -> Option<String> {
    match &e.kind {
        ExprKind::Load(place) => spell_place(program, place),
        ExprKind::Cast(inner) => spell_expr(program, inner),
        ExprKind::Int(value) => Some(value.to_string()),
        ExprKind::AddrOf(v, offset) => {
            let ty = program.variables[*v].ty;
            let part = member(program, ty, u64::try_from(*offset).ok()?, None)?;
            Some(format!("{}{part}", named(program, *v)?))
        }
        ExprKind::PtrAdd(pointer, _) => Some(format!("{}[...]", spell_expr(program, pointer)?)),
        _ => None,
    }
}

/// `place` in C, in the same way.
pub fn spell_place(program: &Program, place: &Place) -> Option<String> {
    let offset = u64::try_from(place.offset).ok()?;
    match &place.base {
        PlaceBase::Var(v) => {
            let part = member(program, program.variables[*v].ty, offset, Some(place.ty))?;
            Some(format!("{}{part}", named(program, *v)?))
        }
        PlaceBase::Deref(pointer) => {
            let base = spell_expr(program, pointer)?;
            let target = program.types.pointee(pointer.ty)?;
            let part = member(program, target, offset, Some(place.ty));
            Some(match (part, base.strip_suffix("[...]")) {
                (Some(part), Some(_)) => format!("{base}{part}"),
                (Some(part), None) if part.starts_with('.') => format!("{base}->{}", &part[1..]),
                (Some(part), None) if !part.is_empty() => format!("(*{base}){part}"),
                (_, Some(_)) => base,
                _ => format!("*{base}"),
            })
        }
    }
}

/// Whether what `e` is made of stands outside of functions.
pub fn is_global(program: &Program, e: &Expr) -> bool {
    let mut global = true;
    e.walk(&mut |part| {
        let variable = match &part.kind {
            ExprKind::AddrOf(v, _) => Some(*v),
            ExprKind::Load(place) => place.as_var(),
            _ => None,
        };
        global &= variable.is_none_or(|v| program.variables[v].owner().is_none());
    });
    global
}

/// The name that the program's text has for a variable.
fn named(program: &Program, v: VarId) -> Option<&str> {
    let variable = &program.variables[v];
    let told = !matches!(variable.storage, Storage::Temp(_) | Storage::Literal);
    told.then_some(variable.name.as_str())
}

/// The member of a `ty` that starts at `offset`, down to one of type `wanted`: ".size", "[...]".
fn member(program: &Program, ty: TypeId, offset: u64, wanted: Option<TypeId>) -> Option<String> {
    if offset == 0 && wanted.is_none_or(|wanted| wanted == ty) {
        return Some(String::new());
    }
    match program.types.get(ty) {
        Type::Record(_) => {
            let fields = &program.types.layout(ty)?.fields;
            let size = |ty: TypeId| program.types.size_of(ty).unwrap_or(u64::MAX);
            let holds = |at: u64, ty: TypeId| at <= offset && offset - at < size(ty);
            let field = fields.iter().find(|f| holds(f.offset, f.ty))?;
            let rest = member(program, field.ty, offset - field.offset, wanted)?;
            Some(field.name.as_ref().map_or(rest.clone(), |name| format!(".{name}{rest}")))
        }
        Type::Array(element, _) => {
            let size = program.types.size_of(*element).filter(|size| *size > 0)?;
            let rest = member(program, *element, offset % size, wanted)?;
            Some(format!("[{}]{rest}", offset / size))
        }
        _ => (offset == 0).then(String::new),
    }
}
