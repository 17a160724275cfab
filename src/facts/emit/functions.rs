//! The group `functions`.

use super::names::Names;
use crate::facts::{FactStore, column, row};
use crate::ir::{Linkage, Program, Type};

/// States what is declared of every function.
pub fn emit(program: &Program, names: &Names, facts: &mut FactStore) {
    for (id, f) in program.functions.iter_enumerated() {
        let function = column::Function(names.function(id));
        let name = facts.symbols.intern(&f.name);
        facts.function.push(row::Function { function, r#type: column::Type(names.ty(f.ty)) });
        facts.function_name.push(row::FunctionName { function, name });
        if f.has_body() {
            facts.function_body.push(row::FunctionBody { function });
        }
        if f.library {
            facts.model_function.push(row::ModelFunction { function });
        }
        if f.linkage == Linkage::External {
            facts.external_function.push(row::ExternalFunction { function });
        }
        if f.system {
            facts.system_function.push(row::SystemFunction { function });
        }
        if let Type::Function(t) = program.types.get(f.ty)
            && t.variadic
        {
            facts.variadic_function.push(row::VariadicFunction { function, named: t.params.len() as i64 });
        }
        if f.noreturn {
            facts.noreturn_function.push(row::NoreturnFunction { function });
        }
        if let Some(reason) = &f.failed {
            let reason = facts.symbols.intern(reason);
            facts.failed_function.push(row::FailedFunction { function, reason });
        }
    }
}
