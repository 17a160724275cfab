//! One record for the declarations of it in several units (C11 6.2.7): headers are read once a unit, so that each unit
//! has its own `struct s`. Records of one name, kind and layout become one; incomplete ones become the complete one of
//! their name, when there is only one.

use super::visit::{self, Part};
use crate::base::Idx;
use crate::ir::types::Record;
use crate::ir::{FnType, Program, RecordId, Type, TypeId, TypeTable};
use rustc_hash::FxHashMap;

/// Unites the records of `program` and replaces the types that mention them.
pub(super) fn unify_records(program: &mut Program) {
    let representative = representatives(&program.types);
    if representative.iter().enumerate().all(|(i, r)| r.index() == i) {
        return;
    }
    for (id, to) in representative.iter().enumerate() {
        let is_accessed = program.types.records[RecordId::new(id)].is_accessed;
        program.types.records[*to].is_accessed |= is_accessed;
    }
    let map = type_map(&mut program.types, &representative);
    let of = |t: &mut TypeId| *t = map[t.index()];
    for record in program.types.records.iter_mut() {
        for field in record.layout.iter_mut().flat_map(|l| &mut l.fields) {
            of(&mut field.ty);
        }
    }
    for v in program.variables.iter_mut() {
        of(&mut v.ty);
        v.init.iter_mut().for_each(|i| of(&mut i.ty));
    }
    for f in program.functions.iter_mut() {
        of(&mut f.ty);
        for block in f.blocks.iter_mut() {
            visit::parts_mut(block, &mut |part| match part {
                Part::Expr(e) => of(&mut e.ty),
                Part::Place(p) => of(&mut p.ty),
                Part::Type(t) => of(t),
            });
        }
    }
}

/// For each record the one that stands for it.
fn representatives(types: &TypeTable) -> Vec<RecordId> {
    let mut complete: FxHashMap<String, RecordId> = FxHashMap::default();
    let mut by_name: FxHashMap<(&str, bool), Vec<RecordId>> = FxHashMap::default();
    let mut out: Vec<RecordId> = Vec::with_capacity(types.records.len());
    for (id, record) in types.records.iter_enumerated() {
        let first = match signature(types, record) {
            Some(signature) => *complete.entry(signature).or_insert(id),
            None => id,
        };
        if first == id && record.layout.is_some() {
            by_name.entry((&record.name, record.is_union)).or_default().push(id);
        }
        out.push(first);
    }
    let mut incomplete: FxHashMap<(&str, bool), RecordId> = FxHashMap::default();
    for (id, record) in types.records.iter_enumerated().filter(|(_, r)| r.layout.is_none()) {
        let key = (record.name.as_str(), record.is_union);
        out[id.index()] = match by_name.get(&key).map(Vec::as_slice) {
            Some([only]) => *only,
            Some(_) => id,
            None => *incomplete.entry(key).or_insert(id),
        };
    }
    out
}

/// Name, kind, extent and members; types behind it by their names.
fn signature(types: &TypeTable, record: &Record) -> Option<String> {
    use std::fmt::Write;
    let layout = record.layout.as_ref()?;
    let mut out = format!("{} {} {} {}", record.name, record.is_union, layout.size, layout.align);
    for f in &layout.fields {
        write!(out, ";{:?} {} {:?} {}", f.name, f.offset, f.bits, types.describe(f.ty)).expect("strings take all text");
    }
    Some(out)
}

/// For each type the one with representatives for its records.
fn type_map(types: &mut TypeTable, representative: &[RecordId]) -> Vec<TypeId> {
    let all: Vec<Type> = types.iter().map(|(_, t)| t.clone()).collect();
    let mut map: Vec<TypeId> = Vec::with_capacity(all.len());
    // A type's parts are interned before it, so that they are mapped already.
    for ty in all {
        let of = |t: TypeId| map[t.index()];
        let mapped = match ty {
            Type::Pointer(t) => Type::Pointer(of(t)),
            Type::Array(t, n) => Type::Array(of(t), n),
            Type::Vla(t, n) => Type::Vla(of(t), n),
            Type::Record(r) => Type::Record(representative[r.index()]),
            Type::Function(f) => {
                Type::Function(FnType { result: of(f.result), params: f.params.iter().map(|p| of(*p)).collect(), ..f })
            }
            scalar => scalar,
        };
        map.push(types.intern(mapped));
    }
    map
}
