//! Strings as dense numbers.
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use std::sync::{Arc, PoisonError, RwLock};

/// A string of a [`Symbols`] table. Equal strings of one table have equal numbers; the order of numbers means nothing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Sym(pub u32);

/// A table of strings. Cloning it gives another handle to the same table, so that what rules build with
/// `cat` is known to everyone who holds the facts they ran on.
#[derive(Clone, Default, Debug)]
pub struct Symbols {
    table: Arc<RwLock<IndexSet<Arc<str>, FxBuildHasher>>>,
}

impl Symbols {
    /// The number of `text`, new if it was not seen before.
    pub fn intern(&self, text: &str) -> Sym {
        if let Some(found) = self.find(text) {
            return found;
        }
        let mut table = self.table.write().unwrap_or_else(PoisonError::into_inner);
        let (index, _) = table.insert_full(Arc::from(text));
        Sym(u32::try_from(index).expect("fewer than 2^32 symbols"))
    }

    /// The number of `text`, if it has one.
    pub fn find(&self, text: &str) -> Option<Sym> {
        let table = self.table.read().unwrap_or_else(PoisonError::into_inner);
        table.get_index_of(text).map(|index| Sym(u32::try_from(index).expect("fewer than 2^32 symbols")))
    }

    /// The string of a number this table gave.
    pub fn resolve(&self, symbol: Sym) -> Arc<str> {
        let table = self.table.read().unwrap_or_else(PoisonError::into_inner);
        table.get_index(symbol.0 as usize).expect("a symbol of this table").clone()
    }

    pub fn len(&self) -> usize {
        self.table.read().unwrap_or_else(PoisonError::into_inner).len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
