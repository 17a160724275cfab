//! The group `variables`.

use super::names::Names;
use crate::facts::{FactStore, column, row};
use crate::ir::{Linkage, Program, StaticValue, Storage, VarId, Variable};

/// States what is declared of every variable, and what static ones hold at first.
pub fn emit(program: &Program, names: &Names, facts: &mut FactStore) {
    for (id, v) in program.variables.iter_enumerated() {
        declaration(names, facts, id, v);
        initial_values(names, facts, id, v);
    }
}

fn declaration(names: &Names, facts: &mut FactStore, id: VarId, v: &Variable) {
    let variable = column::Variable(names.variable(id));
    let size = column::Bytes(v.size.cast_signed());
    facts.variable.push(row::Variable { variable, r#type: column::Type(names.ty(v.ty)), size });
    let name = facts.symbols.intern(&v.name);
    facts.variable_name.push(row::VariableName { variable, name });
    let owner = match v.storage {
        Storage::Static(f) | Storage::Local(f) | Storage::Param(f, _) | Storage::Temp(f) => Some(f),
        Storage::Global(linkage) => {
            facts.global_variable.push(row::GlobalVariable { variable });
            if linkage == Linkage::External {
                facts.external_variable.push(row::ExternalVariable { variable });
            }
            None
        }
        Storage::Literal => {
            facts.literal.push(row::Literal { variable });
            None
        }
    };
    if let Some(f) = owner {
        let function = column::Function(names.function(f));
        facts.owned_variable.push(row::OwnedVariable { variable, function });
        if let Storage::Param(_, index) = v.storage {
            facts.parameter.push(row::Parameter { variable, function, index: i64::from(index) });
        }
    }
    if v.is_static() {
        facts.static_variable.push(row::StaticVariable { variable });
    }
    if v.system {
        facts.system_variable.push(row::SystemVariable { variable });
    }
    if !v.defined {
        facts.undefined_variable.push(row::UndefinedVariable { variable });
    }
    if v.is_constant() {
        facts.const_variable.push(row::ConstVariable { variable });
    }
}

fn initial_values(names: &Names, facts: &mut FactStore, id: VarId, v: &Variable) {
    let variable = column::Variable(names.variable(id));
    for init in &v.init {
        let offset = column::Bytes(init.offset.cast_signed());
        match &init.value {
            StaticValue::AddrOf(target, bytes) => {
                let (target, bytes) = (column::Variable(names.variable(*target)), column::Bytes(*bytes));
                facts.initial_address.push(row::InitialAddress { variable, offset, target, bytes });
            }
            StaticValue::FuncAddr(f) => {
                let function = column::Function(names.function(*f));
                facts.initial_function.push(row::InitialFunction { variable, offset, function });
            }
            StaticValue::Int(number) => {
                let value = facts.symbols.intern(&number.to_string());
                let r#type = column::Type(names.ty(init.ty));
                facts.initial_number.push(row::InitialNumber { variable, offset, r#type, value });
            }
            StaticValue::Float(_) | StaticValue::Bytes(_) | StaticValue::LabelAddr(..) | StaticValue::Open => {}
        }
    }
}
