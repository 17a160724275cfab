//! Expressions as values: each that may hold an address gets a number, the same for the same text over the same
//! variables, since the relations do not tell points of a function apart.
//!
//! A variable that no pointer reaches and that fits an address is a value itself. Every other variable is memory, read
//! and written through the value of its address.

use super::flatten::{Flatten, Numbering};
use super::leaves::carries_address;
use super::names::Names;
use super::offsets::Offset;
use crate::base::IndexVec;
use crate::facts::{FactStore, column, row};
use crate::ir::{AllocId, CallId, Expr, ExprKind, FuncId, Place, Program, StaticValue, TypeId, VarId};
use rustc_hash::FxHashMap;

/// What a value stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Key {
    Outside,
    Variable(VarId),
    Address(VarId, i64),
    Function(FuncId),
    Loaded(column::Value),
    /// The same, read as a number.
    LoadedNumber(column::Value),
    Moved(column::Value, i64),
    Stepped(column::Value, i64),
    Computed(column::Value, Option<column::Value>),
    /// A parameter, or the part of it at an offset, on arrival.
    Parameter(VarId, i64),
    Result(CallId, i64),
    Allocated(AllocId),
    Unknown(FuncId),
    Argument(&'static str),
}

/// The numbers of values, and which variables are values.
#[derive(Clone, Debug, Default)]
pub struct ValueTable {
    ids: FxHashMap<Key, column::Value>,
    held: IndexVec<VarId, bool>,
}

impl ValueTable {
    /// The table of `program`, with its variables told apart and no value but the one for outside code.
    pub fn new(program: &Program) -> ValueTable {
        let held = program.variables.iter().map(|v| !v.is_static() && carries_address(program, v.ty)).collect();
        let mut table = ValueTable { ids: FxHashMap::default(), held };
        table.forget_addressed(program);
        table
    }

    /// The value that `key` stands for, if a statement or expression has it.
    pub fn find(&self, key: Key) -> Option<column::Value> {
        self.ids.get(&key).copied()
    }
    /// What the program's text says of `e`: its value, or that it holds no address. None for an expression that the
    /// program does not have.
    pub fn lookup(&self, program: &Program, e: &Expr) -> Option<Option<column::Value>> {
        Flatten { program, numbering: Lookup(self) }.of(e)
    }
    /// The value of the address of `place`, as `lookup`; variables that are values have none.
    pub fn lookup_address(&self, program: &Program, place: &Place) -> Option<Option<column::Value>> {
        Flatten { program, numbering: Lookup(self) }.address(place)
    }
    /// Whether the variable is a value, not memory.
    pub fn holds_value(&self, v: VarId) -> bool {
        self.held[v]
    }
    /// How many values there are.
    pub fn len(&self) -> usize {
        self.ids.len()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    fn forget_addressed(&mut self, program: &Program) {
        for v in program.variables.iter() {
            for init in &v.init {
                if let StaticValue::AddrOf(target, _) = init.value {
                    self.held[target] = false;
                }
            }
        }
        for block in program.functions.iter().flat_map(|f| f.blocks.iter()) {
            let exprs = block.stmts.iter().flat_map(|s| s.kind.exprs()).chain(block.terminator.expr());
            for e in exprs {
                e.walk(&mut |e| {
                    if let ExprKind::AddrOf(v, _) = e.kind {
                        self.held[v] = false;
                    }
                });
            }
        }
    }
}

/// Finds values without making any.
struct Lookup<'t>(&'t ValueTable);

impl Numbering for Lookup<'_> {
    fn get(&mut self, key: Key) -> Option<column::Value> {
        self.0.find(key)
    }
    fn holds_value(&self, v: VarId) -> bool {
        self.0.holds_value(v)
    }
    fn converted(&mut self, _: column::Value) {}
    fn viewed(&mut self, _: column::Value, _: TypeId) {}
}

/// Numbers values and states what they are as it meets them.
pub struct Values<'p> {
    pub program: &'p Program,
    pub names: &'p Names,
    pub facts: &'p mut FactStore,
    pub table: ValueTable,
}

impl Numbering for Values<'_> {
    fn get(&mut self, key: Key) -> Option<column::Value> {
        Some(self.number(key))
    }
    fn holds_value(&self, v: VarId) -> bool {
        self.table.holds_value(v)
    }
    fn converted(&mut self, value: column::Value) {
        self.facts.converted_to_pointer.push(row::ConvertedToPointer { value });
    }
    fn viewed(&mut self, value: column::Value, pointee: TypeId) {
        let r#type = column::Type(self.names.ty(pointee));
        self.facts.viewed_as.push(row::ViewedAs { value, r#type });
    }
}

impl Values<'_> {
    /// The value `key`; says what it is when it is new.
    pub fn number(&mut self, key: Key) -> column::Value {
        let next = column::Value(u32::try_from(self.table.ids.len()).expect("fewer than 2^32 values"));
        let value = *self.table.ids.entry(key).or_insert(next);
        if value == next {
            self.state(value, key);
        }
        value
    }
    /// The value of `e`, if it may hold an address.
    pub fn of(&mut self, e: &Expr) -> Option<column::Value> {
        let program = self.program;
        Flatten { program, numbering: self }.of(e).expect("emitters number every expression")
    }
    /// The address of a place in memory.
    pub fn address(&mut self, place: &Place) -> Option<column::Value> {
        let program = self.program;
        Flatten { program, numbering: self }.address(place).expect("emitters number every expression")
    }
    /// `base` moved by what `offset` says.
    pub fn shift(&mut self, base: column::Value, offset: Offset) -> column::Value {
        let program = self.program;
        Flatten { program, numbering: self }.shift(base, offset).expect("emitters number every expression")
    }

    fn state(&mut self, value: column::Value, key: Key) {
        let (facts, names) = (&mut *self.facts, self.names);
        match key {
            Key::Outside => facts.outside_value.push(row::OutsideValue { value }),
            Key::Variable(v) => {
                let variable = column::Variable(names.variable(v));
                facts.variable_value.push(row::VariableValue { value, variable });
            }
            Key::Address(v, bytes) => {
                let (variable, bytes) = (column::Variable(names.variable(v)), column::Bytes(bytes));
                facts.address_value.push(row::AddressValue { value, variable, bytes });
            }
            Key::Function(f) => {
                let function = column::Function(names.function(f));
                facts.function_value.push(row::FunctionValue { value, function });
            }
            Key::Loaded(pointer) => facts.loaded.push(row::Loaded { value, pointer }),
            Key::LoadedNumber(pointer) => {
                facts.loaded.push(row::Loaded { value, pointer });
                facts.number_loaded.push(row::NumberLoaded { value });
            }
            Key::Moved(source, bytes) => {
                facts.moved.push(row::Moved { value, source, bytes: column::Bytes(bytes) });
            }
            Key::Stepped(source, stride) => {
                facts.stepped.push(row::Stepped { value, source, stride: column::Bytes(stride) });
            }
            Key::Computed(a, b) => {
                facts.computed.extend([Some(a), b].into_iter().flatten().map(|source| row::Computed { value, source }));
            }
            Key::Unknown(f) => {
                let function = column::Function(names.function(f));
                facts.unknown_result.push(row::UnknownResult { value, function });
            }
            Key::Argument(name) => {
                let name = facts.symbols.intern(name);
                facts.program_arguments.push(row::ProgramArguments { value, name });
            }
            // Stated by the statement that has them.
            Key::Parameter(..) | Key::Result(..) | Key::Allocated(_) => {}
        }
    }
}
