//! Arguments of library functions as the program spells them. What a call gets is evaluated once, into temporaries; how far an access goes is told by what they
//! are made of.

use super::super::evaluate::View;
use crate::ir::{Check, Expr, ExprKind, LibFn, Place, PlaceBase, Program, SiteId, Stmt, StmtKind, Storage, VarId};
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// So many statements are looked at before a call.
const NEAR: usize = 64;
/// Temporaries of temporaries are followed so often.
const STEPS: usize = 16;

/// What temporaries are made of where nothing has changed that since.
#[derive(Debug, Default)]
pub struct Spelled {
    /// At every call that copies or sets bytes and has them for arguments.
    arguments: FxHashMap<VarId, Expr>,
    /// Pointer and size of a checked access, by its bounds' site.
    accesses: FxHashMap<SiteId, (Expr, Expr)>,
}

impl Spelled {
    pub fn new(program: &Program) -> Spelled {
        let mut accesses: FxHashMap<SiteId, Option<(Expr, Expr)>> = FxHashMap::default();
        let mut arguments: FxHashMap<VarId, Option<Expr>> = FxHashMap::default();
        for block in program.functions.iter().flat_map(|f| f.blocks.iter()) {
            for (i, stmt) in block.stmts.iter().enumerate() {
                let made = || made_before(program, &block.stmts[i.saturating_sub(NEAR)..i]);
                if let StmtKind::Check(check) = &stmt.kind
                    && let Check::Access { ptr, size, bounds, .. } = &**check
                    && is_held(program, ptr)
                {
                    let made = made();
                    let spell = |e: &Expr| expanded(e, &made, &mut { STEPS });
                    note(&mut accesses, *bounds, Some((spell(ptr), spell(size))));
                }
                if let StmtKind::Lib { function: LibFn::MemCopy | LibFn::MemSet, args, .. } = &stmt.kind {
                    let made = made();
                    for temporary in args.iter().filter_map(loaded) {
                        let spelled = made.get(&temporary).map(|value| expanded(value, &made, &mut { STEPS }));
                        note(&mut arguments, temporary, spelled);
                    }
                }
            }
        }
        Spelled { arguments: agreed(arguments), accesses: agreed(accesses) }
    }
    /// Pointer and size of an access, by its bounds' site.
    pub fn access(&self, bounds: SiteId) -> Option<&(Expr, Expr)> {
        self.accesses.get(&bounds)
    }
}

/// Notes what is found of `key`: nothing, if it was something else before.
fn note<K: Eq + Hash, V: PartialEq + Clone>(all: &mut FxHashMap<K, Option<V>>, key: K, value: Option<V>) {
    let known = all.entry(key).or_insert_with(|| value.clone());
    if *known != value {
        *known = None;
    }
}

fn agreed<K: Eq + Hash, V>(all: FxHashMap<K, Option<V>>) -> FxHashMap<K, V> {
    all.into_iter().filter_map(|(key, value)| Some((key, value?))).collect()
}

/// Whether an expression is read from a temporary.
fn is_held(program: &Program, e: &Expr) -> bool {
    loaded(e).is_some_and(|v| matches!(program.variables[v].storage, Storage::Temp(_)))
}

/// The values that temporaries got last, of which nothing that they are read from has changed at the end.
fn made_before<'p>(program: &Program, stmts: &'p [Stmt]) -> FxHashMap<VarId, &'p Expr> {
    let is_temporary = |v: &VarId| matches!(program.variables[*v].storage, Storage::Temp(_));
    let mut made: FxHashMap<VarId, &Expr> = FxHashMap::default();
    for stmt in stmts {
        match &stmt.kind {
            StmtKind::Check(_) | StmtKind::Assume { .. } => {}
            StmtKind::Assign { place, value } => match place.as_var().filter(is_temporary) {
                Some(temporary) => {
                    made.retain(|_, value| !reads(value, temporary));
                    made.remove(&temporary);
                    if !reads(value, temporary) {
                        made.insert(temporary, value);
                    }
                }
                None => made.clear(),
            },
            _ => made.clear(),
        }
    }
    made
}

fn loaded(e: &Expr) -> Option<VarId> {
    if let ExprKind::Load(place) = &e.kind { place.as_var() } else { None }
}

fn reads(e: &Expr, variable: VarId) -> bool {
    let mut found = false;
    e.walk(&mut |e| found |= matches!(&e.kind, ExprKind::Load(place) if place.base == PlaceBase::Var(variable)));
    found
}

/// The same with the values of temporaries in their place, in as many as `left` says.
fn expanded(e: &Expr, made: &FxHashMap<VarId, &Expr>, left: &mut usize) -> Expr {
    let value = loaded(e).and_then(|temporary| made.get(&temporary)).filter(|value| value.ty == e.ty && *left > 0);
    if let Some(value) = value {
        *left -= 1;
        return expanded(value, made, left);
    }
    let mut inner = |e: &Expr| Box::new(expanded(e, made, left));
    let kind = match &e.kind {
        ExprKind::Load(place) => match &place.base {
            PlaceBase::Deref(pointer) => {
                ExprKind::Load(Box::new(Place { base: PlaceBase::Deref(inner(pointer)), ..(**place).clone() }))
            }
            PlaceBase::Var(_) => e.kind.clone(),
        },
        ExprKind::Unary(op, a) => ExprKind::Unary(*op, inner(a)),
        ExprKind::Cast(a) => ExprKind::Cast(inner(a)),
        ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, inner(a), inner(b)),
        ExprKind::PtrAdd(a, b) => ExprKind::PtrAdd(inner(a), inner(b)),
        ExprKind::PtrDiff(a, b) => ExprKind::PtrDiff(inner(a), inner(b)),
        _ => e.kind.clone(),
    };
    Expr { kind, ty: e.ty }
}

impl View<'_> {
    /// An argument of a call that copies or sets bytes as the program spells it.
    pub fn spelled<'e>(&'e self, argument: &'e Expr) -> &'e Expr {
        loaded(argument).and_then(|temporary| self.bases.spelled().arguments.get(&temporary)).unwrap_or(argument)
    }
}
