//! What the names in users' tuples stand for in the program.

use crate::datalog::Value;
use crate::facts::emit::Names;
use crate::ir::{BlockId, CallId, FuncId, Program, VarId};
use rustc_hash::FxHashMap;

/// The things of a program by the names that facts have for them.
pub struct Meanings {
    blocks: FxHashMap<String, (FuncId, BlockId)>,
    variables: FxHashMap<String, VarId>,
    functions: FxHashMap<String, FuncId>,
    calls: FxHashMap<String, CallId>,
}

impl Meanings {
    /// Those of `program`, which has `names` in its facts.
    pub fn of(program: &Program, names: &Names) -> Meanings {
        let mut blocks = FxHashMap::default();
        for (function, body) in program.functions.iter_enumerated() {
            let named = body.blocks.indices().map(|b| (names.spelled(names.block(function, b)), (function, b)));
            blocks.extend(named);
        }
        Meanings {
            blocks,
            variables: program.variables.indices().map(|v| (names.spelled(names.variable(v)), v)).collect(),
            functions: program.functions.indices().map(|f| (names.spelled(names.function(f)), f)).collect(),
            calls: program.calls.indices().map(|c| (names.spelled(names.call(c)), c)).collect(),
        }
    }

    /// The block that a value names.
    pub fn block(&self, value: Option<&Value>) -> Option<(FuncId, BlockId)> {
        self.blocks.get(symbol(value)?).copied()
    }
    /// The variable that a name stands for.
    pub fn variable(&self, name: &str) -> Option<VarId> {
        self.variables.get(name).copied()
    }
    /// The function that a value names.
    pub fn function(&self, value: Option<&Value>) -> Option<FuncId> {
        self.functions.get(symbol(value)?).copied()
    }
    /// The call that a value names.
    pub fn call(&self, value: Option<&Value>) -> Option<CallId> {
        self.calls.get(symbol(value)?).copied()
    }
}

fn symbol(value: Option<&Value>) -> Option<&str> {
    match value {
        Some(Value::Symbol(name)) => Some(name),
        _ => None,
    }
}
