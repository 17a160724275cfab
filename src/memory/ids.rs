//! Between the symbols of relations and the IR's own indices.

use crate::base::{Idx, IndexVec};
use crate::datalog::programs::column;
use crate::facts::Sym;
use crate::facts::emit::{Names, ValueTable};
use crate::ir::{AllocId, BlockId, CallId, FuncId, Program, VarId};
use rustc_hash::FxHashMap;

/// What the names in relations stand for. Relations that rules derive name nothing else.
#[derive(Debug)]
pub struct Ids {
    pub(super) names: Names,
    pub(super) values: ValueTable,
    functions: FxHashMap<Sym, FuncId>,
    variables: FxHashMap<Sym, VarId>,
    calls: FxHashMap<Sym, CallId>,
    allocs: FxHashMap<Sym, AllocId>,
}

impl Ids {
    /// The names of `program` in its facts.
    pub fn of(program: &Program, names: Names, values: ValueTable) -> Ids {
        Ids {
            functions: program.functions.indices().map(|f| (names.function(f), f)).collect(),
            variables: program.variables.indices().map(|v| (names.variable(v), v)).collect(),
            calls: program.calls.indices().map(|c| (names.call(c), c)).collect(),
            allocs: program.allocs.indices().map(|a| (names.alloc(a), a)).collect(),
            names,
            values,
        }
    }
    /// The name of a function.
    pub fn named(&self, f: FuncId) -> column::Function {
        column::Function(self.names.function(f))
    }
    /// The name of a block.
    pub fn named_block(&self, f: FuncId, b: BlockId) -> column::Block {
        column::Block(self.names.block(f, b))
    }
    pub fn function(&self, name: column::Function) -> FuncId {
        self.functions[&name.0]
    }
    pub fn variable(&self, name: column::Variable) -> VarId {
        self.variables[&name.0]
    }
    pub fn call(&self, name: column::Call) -> CallId {
        self.calls[&name.0]
    }
    pub fn alloc(&self, name: column::Allocation) -> AllocId {
        self.allocs[&name.0]
    }
}

/// The items, sorted.
pub fn sorted<T: Ord>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut all: Vec<T> = items.collect();
    all.sort_unstable();
    all
}

/// Of `count` keys, what each is paired with, sorted.
pub fn grouped<K: Idx, T: Ord + Clone>(count: usize, pairs: impl Iterator<Item = (K, T)>) -> IndexVec<K, Vec<T>> {
    let mut groups = IndexVec::from_elem(Vec::new(), count);
    pairs.for_each(|(key, item)| groups[key].push(item));
    groups.iter_mut().for_each(|list: &mut Vec<T>| list.sort_unstable());
    groups
}
