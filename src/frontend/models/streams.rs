//! The streams that are open when a program starts (C11 7.21.3p7).

use crate::base::Span;
use crate::ir::{
    ConstantBytes, Initializer, IntKind, Linkage, Program, StaticValue, Storage, Type, TypeId, TypeTable, VarId,
    Variable,
};

/// Whether the C library defines a variable of that name that points to a stream.
fn is_standard_stream(name: &str) -> bool {
    matches!(name, "stdin" | "stdout" | "stderr")
}

fn is_whole(types: &TypeTable, ty: TypeId) -> bool {
    !matches!(types.get(ty), Type::Void | Type::Function(_)) && types.size_of(ty).is_some()
}

/// Lets `stdin`, `stdout` and `stderr`, where the program only declares them, point to an object each, of which nothing is known.
pub(crate) fn open_standard_streams(program: &mut Program) {
    let streams: Vec<(VarId, TypeId, TypeId)> = program
        .variables
        .iter_enumerated()
        .filter(|(_, v)| !v.defined && v.storage == Storage::Global(Linkage::External) && is_standard_stream(&v.name))
        .filter_map(|(id, v)| match *program.types.get(v.ty) {
            // Where the type is not complete nobody looks into it.
            Type::Pointer(stream) if is_whole(&program.types, stream) => Some((id, v.ty, stream)),
            Type::Pointer(_) => Some((id, v.ty, program.types.int(IntKind::UChar))),
            _ => None,
        })
        .collect();
    for (id, pointer, stream) in streams {
        let object = program.variables.push(Variable {
            name: format!("what {} points to", program.variables[id].name),
            ty: stream,
            storage: Storage::Global(Linkage::Internal),
            span: Span::NONE,
            size: program.types.size_of(stream).unwrap_or(0),
            constant: ConstantBytes::None,
            defined: false,
            system: false,
            init: Vec::new(),
            address_taken: true,
        });
        let variable = &mut program.variables[id];
        variable.defined = true;
        variable.init = vec![Initializer { offset: 0, ty: pointer, bits: None, value: StaticValue::AddrOf(object, 0) }];
    }
}
