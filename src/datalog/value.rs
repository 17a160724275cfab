//! Values without any interning, the same for every executor.
use super::evaluate::Input;
use super::language::core::{Kind, Program};
use crate::facts::{Cell, Symbols};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// A value of a rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// A `number` or `unsigned`.
    Number(i64),
    Symbol(String),
    Record(Vec<Value>),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(value) => write!(f, "{value}"),
            Value::Symbol(text) => write!(f, "{text}"),
            Value::Record(fields) => {
                let fields: Vec<String> = fields.iter().map(Value::to_string).collect();
                write!(f, "[{}]", fields.join(", "))
            }
        }
    }
}

/// Relations by name.
pub type Facts = BTreeMap<String, BTreeSet<Vec<Value>>>;

/// Facts as input of the evaluator. Input relations have no records.
pub struct ValueInput<'a> {
    program: &'a Program,
    facts: &'a Facts,
    symbols: Symbols,
}

impl<'a> ValueInput<'a> {
    /// `program` tells which numbers are `unsigned`.
    pub fn new(program: &'a Program, facts: &'a Facts) -> ValueInput<'a> {
        ValueInput { program, facts, symbols: Symbols::default() }
    }
}

impl Input for ValueInput<'_> {
    fn symbols(&self) -> Symbols {
        self.symbols.clone()
    }

    fn for_each(&self, relation: &str, visit: &mut dyn FnMut(&[Cell])) -> bool {
        let Some(declared) = self.program.relations.iter().find(|declared| declared.name == relation) else {
            return false;
        };
        for tuple in self.facts.get(relation).into_iter().flatten() {
            let cells: Option<Vec<Cell>> = tuple
                .iter()
                .zip(&declared.kinds)
                .map(|(value, kind)| match (value, kind) {
                    (Value::Number(value), Kind::Number) => Some(Cell::Number(*value)),
                    (Value::Number(value), Kind::Unsigned) => u32::try_from(*value).ok().map(Cell::Unsigned),
                    (Value::Symbol(text), Kind::Symbol) => Some(Cell::Symbol(self.symbols.intern(text))),
                    _ => None,
                })
                .collect();
            visit(&cells.unwrap_or_default());
        }
        true
    }
}
