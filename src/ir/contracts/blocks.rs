//! What functions do with blocks of the heap and with addresses that their models do not show: whether a block can be called lost, or
//! freed in the end, depends on it.
//!
//! See: assumption C19.

use super::{Clause, Contracts};

/// Which bytes a function takes out of the program as they are, for somebody to read back: the numbers of its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TakesOut {
    /// So many bytes, or elements of so many, from the pointer on.
    Bytes { from: usize, size: usize, elements: Option<usize> },
    /// What is written to memory that it gives back, where the flags say that others share it.
    Shared { flags: usize },
}

/// The flag `MAP_SHARED` of Linux, which `MAP_SHARED_VALIDATE` has too.
pub const MAP_SHARED: i128 = 1;

impl Contracts {
    /// Whether the function may allocate blocks that its caller is to free and that no model shows.
    pub fn allocates_unseen(&self, function: &str) -> bool {
        self.of(function).contains(&Clause::AllocatesUnseen)
    }

    /// Whether a call may end the program although no model says so.
    pub fn may_end(&self, function: &str) -> bool {
        self.of(function).contains(&Clause::MayEnd)
    }

    /// Whether the function keeps pointers that it is given.
    pub fn keeps_pointers(&self, function: &str) -> bool {
        self.of(function).contains(&Clause::KeepsPointers)
    }

    /// Whether pointers travel unseen behind a call of the function.
    pub fn carries_pointers(&self, function: &str) -> bool {
        self.of(function).contains(&Clause::CarriesPointers)
    }

    /// Which bytes the function takes out of the program. Functions without a model are not asked for: no run goes through them.
    pub fn takes_out(&self, function: &str) -> Option<TakesOut> {
        self.of(function).iter().find_map(|clause| match *clause {
            Clause::TakesOut { argument, size } => Some(TakesOut::Bytes { from: argument, size, elements: None }),
            Clause::TakesOutArray { argument, size, elements } => {
                Some(TakesOut::Bytes { from: argument, size, elements: Some(elements) })
            }
            Clause::SharesMemory { flags } => Some(TakesOut::Shared { flags }),
            _ => None,
        })
    }
}
