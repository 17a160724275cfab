//! A whole program's facts.

use super::names::Names;
use super::values::ValueTable;
use super::{checks, contracts, control, data_flow, functions, mentions, source, statements, types, variables};
use crate::facts::FactStore;
use crate::ir::Program;

/// A program's facts, and how they name what the IR numbers.
#[derive(Clone, Debug)]
pub struct Emitted {
    pub facts: FactStore,
    pub names: Names,
    pub values: ValueTable,
}

/// States `program` as facts. The same program gives the same facts in the same order.
pub fn emit(program: &Program) -> Emitted {
    let mut facts = FactStore::default();
    let names = Names::of(program, &facts.symbols);
    types::emit(program, &names, &mut facts);
    functions::emit(program, &names, &mut facts);
    contracts::emit(program, &mut facts);
    mentions::emit(program, &names, &mut facts);
    variables::emit(program, &names, &mut facts);
    control::emit(program, &names, &mut facts);
    checks::emit(program, &names, &mut facts);
    let values = statements::emit(program, &names, &mut facts);
    data_flow::emit(program, &names, &values, &mut facts);
    source::emit(program, &names, &mut facts);
    Emitted { facts, names, values }
}
