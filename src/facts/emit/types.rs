//! The group `types`.

use super::names::Names;
use crate::facts::{FactStore, column, row};
use crate::ir::{Program, Type};

/// States sizes, pointers, arrays, records and their members.
pub fn emit(program: &Program, names: &Names, facts: &mut FactStore) {
    let ty = |t| column::Type(names.ty(t));
    for (id, t) in program.types.iter() {
        if let Some(size) = program.types.size_of(id) {
            facts.type_size.push(row::TypeSize { r#type: ty(id), size: column::Bytes(size.cast_signed()) });
        }
        let kind = facts.symbols.intern(kind(t));
        facts.type_kind.push(row::TypeKind { r#type: ty(id), kind });
        match t {
            Type::Function(function) if function.prototyped => {
                let variadic = i64::from(function.variadic);
                facts.function_type.push(row::FunctionType { r#type: ty(id), result: ty(function.result), variadic });
                for (index, parameter) in function.params.iter().enumerate() {
                    let (index, parameter) = (index as i64, ty(*parameter));
                    facts.parameter_type.push(row::ParameterType { r#type: ty(id), index, parameter });
                }
            }
            Type::Pointer(target) => {
                facts.pointer_type.push(row::PointerType { r#type: ty(id), target: ty(*target) });
            }
            Type::Array(element, Some(length)) => {
                let length = length.cast_signed();
                facts.array_type.push(row::ArrayType { r#type: ty(id), element: ty(*element), length });
            }
            _ => {}
        }
    }
    let records = names.records(program);
    for (id, r) in program.types.records.iter_enumerated() {
        let Some(&t) = records.get(&id) else { continue };
        let record = column::Record(names.ty(t));
        let kind = facts.symbols.intern(if r.is_union { "union" } else { "struct" });
        facts.record.push(row::Record { record, kind });
        if r.is_accessed {
            facts.accessed_record.push(row::AccessedRecord { record });
        }
        for (index, f) in r.layout.iter().flat_map(|l| &l.fields).enumerate() {
            let index = index as i64;
            let offset = column::Bytes(f.offset.cast_signed());
            facts.field.push(row::Field { record, index, r#type: ty(f.ty), offset });
            if let Some(name) = &f.name {
                let name = facts.symbols.intern(name);
                facts.field_name.push(row::FieldName { record, index, name });
            }
            if let Some(bits) = f.bits {
                let (first, width) = (i64::from(bits.offset), i64::from(bits.width));
                facts.bit_field.push(row::BitField { record, index, first, width });
            }
        }
    }
}

/// What a type is, as `type_kind` says it.
fn kind(t: &Type) -> &'static str {
    match t {
        Type::Void => "void",
        Type::Int(_) => "number",
        Type::Float(_) => "float",
        Type::Pointer(_) => "pointer",
        Type::Record(_) => "record",
        Type::Array(..) | Type::Vla(..) => "array",
        Type::Function(_) => "function",
    }
}
