//! Names in scope: ordinary identifiers and tags, innermost block last.

use super::hooks::Cleanup;
use super::types::Qualified;
use crate::ir::{FuncId, RecordId, TypeId, VarId};
use rustc_hash::FxHashMap;

/// What an ordinary identifier names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Symbol {
    Variable(VarId),
    /// A variable-length array: the variable holds its address; the type is the array's.
    Vla(VarId, TypeId),
    Function(FuncId),
    Typedef(Qualified),
    /// An enumeration constant and its type.
    Constant(i128, TypeId),
    /// What a declaration declares that was not understood.
    Unknown,
}

/// What a tag names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Tag {
    Record(RecordId, TypeId),
    /// With a number that tells enumerations apart.
    Enum(TypeId, u32),
}

/// One block's names, and the automatic variables whose lifetime ends with it.
#[derive(Debug, Default)]
pub(super) struct Scope {
    pub id: u32,
    pub symbols: FxHashMap<String, Symbol>,
    pub tags: FxHashMap<String, Tag>,
    pub locals: Vec<VarId>,
    pub cleanups: Vec<Cleanup>,
}

/// The stack of scopes; the first is the file's.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    pub stack: Vec<Scope>,
    next_id: u32,
}

impl Scopes {
    pub fn enter(&mut self) {
        self.next_id += 1;
        self.stack.push(Scope { id: self.next_id, ..Scope::default() });
    }
    pub fn leave(&mut self) -> Scope {
        self.stack.pop().expect("scopes are entered before they are left")
    }
    pub fn innermost(&mut self) -> &mut Scope {
        self.stack.last_mut().expect("the file's scope is always there")
    }
    pub fn at_file_level(&self) -> bool {
        self.stack.len() == 1
    }
    pub fn lookup(&self, name: &str) -> Option<Symbol> {
        self.stack.iter().rev().find_map(|s| s.symbols.get(name)).copied()
    }
    /// The variable that the file declares under this name.
    pub fn of_file(&self, name: &str) -> Option<VarId> {
        match self.stack.first()?.symbols.get(name)? {
            Symbol::Variable(v) => Some(*v),
            _ => None,
        }
    }
    pub fn lookup_tag(&self, name: &str) -> Option<Tag> {
        self.stack.iter().rev().find_map(|s| s.tags.get(name)).copied()
    }
    pub fn declare(&mut self, name: &str, symbol: Symbol) {
        self.innermost().symbols.insert(name.to_owned(), symbol);
    }
    /// Ids of the scopes around the current point, outermost first.
    pub fn chain(&self) -> Vec<u32> {
        self.stack.iter().map(|s| s.id).collect()
    }
}
