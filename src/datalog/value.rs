//! Values without any interning, the same for every executor.
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
