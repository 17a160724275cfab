//! Expressions as values: each that may hold an address gets a number, the same for the same text over the same
//! variables, since the relations do not tell points of a function apart.
//!
//! A variable that no pointer reaches and that fits an address is a value itself. Every other variable is memory, read
//! and written through the value of its address.

use super::leaves::carries_address;
use super::names::Names;
use super::offsets::Offset;
use crate::base::IndexVec;
use crate::facts::{FactStore, column, row};
use crate::ir::{
    AllocId, BinaryOp, CallId, Expr, ExprKind, FuncId, Place, PlaceBase, Program, StaticValue, UnaryOp, VarId,
};
use rustc_hash::FxHashMap;

/// What a value stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Key {
    Outside,
    Variable(VarId),
    Address(VarId, i64),
    Function(FuncId),
    Loaded(column::Value),
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

    /// The value of a variable that no pointer reaches.
    pub fn of_variable(&self, v: VarId) -> Option<column::Value> {
        self.ids.get(&Key::Variable(v)).copied()
    }
    /// The value that `key` stands for, if a statement or expression has it.
    pub fn find(&self, key: Key) -> Option<column::Value> {
        self.ids.get(&key).copied()
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

/// Numbers values and states what they are as it meets them.
pub struct Values<'p> {
    pub program: &'p Program,
    pub names: &'p Names,
    pub facts: &'p mut FactStore,
    pub table: ValueTable,
}

impl Values<'_> {
    /// The value `key`, and whether it is new.
    fn number(&mut self, key: Key) -> (column::Value, bool) {
        let next = column::Value(u32::try_from(self.table.ids.len()).expect("fewer than 2^32 values"));
        let id = *self.table.ids.entry(key).or_insert(next);
        (id, id == next && self.table.ids.len() == next.0 as usize + 1)
    }

    /// The value `key`; says what it is when it is new.
    pub fn get(&mut self, key: Key) -> column::Value {
        let (value, new) = self.number(key);
        if new {
            self.state(value, key);
        }
        value
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

    /// `base` moved by what `offset` says.
    pub fn shift(&mut self, base: column::Value, offset: Offset) -> column::Value {
        let moved = if offset.constant == 0 { base } else { self.get(Key::Moved(base, offset.constant)) };
        if offset.stride == 0 { moved } else { self.get(Key::Stepped(moved, offset.stride)) }
    }

    /// The value of `e`, if it may hold an address. Arithmetic on numbers keeps an address only where it adds to,
    /// subtracts from or masks one.
    pub fn of(&mut self, e: &Expr) -> Option<column::Value> {
        if !carries_address(self.program, e.ty) {
            return None;
        }
        match &e.kind {
            ExprKind::AddrOf(v, bytes) => Some(self.get(Key::Address(*v, *bytes))),
            ExprKind::FuncAddr(f) => Some(self.get(Key::Function(*f))),
            ExprKind::Load(place) => self.of_place(place),
            ExprKind::Cast(inner) => {
                let value = self.of(inner)?;
                if self.program.types.is_pointer(e.ty) && !self.program.types.is_pointer(inner.ty) {
                    self.facts.converted_to_pointer.push(row::ConvertedToPointer { value });
                }
                Some(value)
            }
            ExprKind::PtrAdd(p, by) => {
                let pointer = self.of(p)?;
                let offset = self.step(p, e, Offset::of(&self.program.types, by));
                Some(self.shift(pointer, offset))
            }
            ExprKind::Unary(UnaryOp::Neg | UnaryOp::BitNot, a) => {
                let a = self.of(a)?;
                Some(self.get(Key::Computed(a, None)))
            }
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, a, b) => {
                match (self.of(a), self.of(b)) {
                    (Some(a), b) => Some(self.get(Key::Computed(a, b))),
                    (None, Some(b)) => Some(self.get(Key::Computed(b, None))),
                    (None, None) => None,
                }
            }
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::LabelAddr(_)
            | ExprKind::PtrDiff(..)
            | ExprKind::Binary(..) => None,
        }
    }

    /// `p + 1` and `p - 1` on a pointer that is read from a variable or memory are how programs walk arrays: any
    /// number of elements, so that a walk is one place and not a place per element.
    fn step(&self, p: &Expr, moved: &Expr, offset: Offset) -> Offset {
        let types = &self.program.types;
        let element = types.pointee(p.ty).and_then(|t| types.size_of(t)).map(u64::cast_signed);
        let walks = offset.stride == 0 && Some(offset.constant.abs()) == element && offset.constant != 0;
        let mut origin = p;
        while let ExprKind::Cast(inner) = &origin.kind {
            origin = inner;
        }
        if walks && moved.ty == p.ty && matches!(origin.kind, ExprKind::Load(_)) {
            return Offset { constant: 0, stride: offset.constant.abs() };
        }
        offset
    }

    /// What a place of a type that carries addresses holds.
    fn of_place(&mut self, place: &Place) -> Option<column::Value> {
        if let PlaceBase::Var(v) = place.base
            && self.table.held[v]
        {
            return (place.offset == 0).then(|| self.get(Key::Variable(v)));
        }
        let pointer = self.address(place)?;
        Some(self.get(Key::Loaded(pointer)))
    }

    /// The address of a place in memory; None for variables that are values, and behind a number that is no pointer.
    pub fn address(&mut self, place: &Place) -> Option<column::Value> {
        match &place.base {
            PlaceBase::Var(v) if self.table.held[*v] => None,
            PlaceBase::Var(v) => Some(self.get(Key::Address(*v, place.offset))),
            PlaceBase::Deref(p) => {
                let pointer = self.of(p)?;
                Some(self.shift(pointer, Offset { constant: place.offset, stride: 0 }))
            }
        }
    }
}
