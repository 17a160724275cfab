//! The inputs of a precondition, by the function that gives them.

use crate::verdict::phrase::{InputRole, role};
use crate::verdict::{InputBox, InputValue};
use std::collections::BTreeMap;

/// What an entry of a queue is, as stubs ask for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Result,
    Succeeds,
    Fails,
    Length,
    Bytes,
    Conversions,
    Converted,
}

impl Role {
    /// Its name in C.
    pub fn name(self) -> &'static str {
        match self {
            Role::Result => "CELLOG_RESULT",
            Role::Succeeds => "CELLOG_SUCCEEDS",
            Role::Fails => "CELLOG_FAILS",
            Role::Length => "CELLOG_LENGTH",
            Role::Bytes => "CELLOG_BYTES",
            Role::Conversions => "CELLOG_CONVERSIONS",
            Role::Converted => "CELLOG_CONVERTED",
        }
    }
}

/// What the entry is called with for a parameter.
#[derive(Clone, Copy, Debug)]
pub(super) enum Argument<'a> {
    Value(&'a InputValue),
    /// A pointer to these bytes, with nothing behind them if they are counted.
    Object {
        bytes: &'a [u8],
        counted: bool,
    },
}

/// The precondition taken apart. One value of each input is fed: that of the run that erred.
#[derive(Debug, Default)]
pub(super) struct Queues<'a> {
    /// Per function, what it gives, in the order of execution.
    pub functions: BTreeMap<&'a str, Vec<(Role, &'a InputBox)>>,
    /// Parameters of the entry, by name.
    pub parameters: BTreeMap<&'a str, Argument<'a>>,
    pub argv: Vec<&'a [u8]>,
    pub envp: Vec<&'a [u8]>,
    /// `argc`, when the precondition speaks of it.
    pub argc: Option<i128>,
    /// Inputs that nothing feeds.
    pub unfed: Vec<&'a InputBox>,
}

/// A pointer to the bytes of an input.
fn object(value: &InputValue, counted: bool) -> Argument<'_> {
    match value {
        InputValue::Bytes(bytes) => Argument::Object { bytes, counted },
        value => Argument::Value(value),
    }
}

/// Sorts the inputs of a precondition.
pub(super) fn queues(precondition: &[InputBox]) -> Queues<'_> {
    let mut queues = Queues::default();
    for input in precondition {
        let mut give = |function, role| queues.functions.entry(function).or_default().push((role, input));
        match role(&input.input) {
            InputRole::Result { function } => give(function, Role::Result),
            InputRole::Succeeds { function } => give(function, Role::Succeeds),
            InputRole::Fails { function } => give(function, Role::Fails),
            InputRole::Length { function } => give(function, Role::Length),
            InputRole::Bytes { function, .. } => give(function, Role::Bytes),
            InputRole::Conversions { function } => give(function, Role::Conversions),
            InputRole::Converted { function, .. } => give(function, Role::Converted),
            InputRole::Parameter { name } => {
                queues.parameters.insert(name, Argument::Value(input.witness()));
            }
            InputRole::Behind { name } => {
                queues.parameters.insert(name, object(input.witness(), false));
            }
            InputRole::Counted { name } => {
                queues.parameters.insert(name, object(input.witness(), true));
            }
            InputRole::Argument => match (input.witness(), input.input.as_str()) {
                (InputValue::Int { low, .. }, "argc") => queues.argc = Some(*low),
                (InputValue::Bytes(bytes), name) if name.starts_with("argv") => queues.argv.push(bytes),
                (InputValue::Bytes(bytes), _) => queues.envp.push(bytes),
                _ => queues.unfed.push(input),
            },
            InputRole::Initial { .. } | InputRole::Other => queues.unfed.push(input),
        }
    }
    queues
}
