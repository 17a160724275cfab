//! Whose variables there are.

use crate::ir::FuncId;
use std::sync::Arc;

/// The functions that run, from the entry to the one under way, sorted; or nothing is known of them. Variables of others do not exist.
#[derive(Clone, Debug, Default)]
pub struct Frames(Option<Arc<Vec<FuncId>>>);

impl Frames {
    /// One function alone.
    pub fn of(f: FuncId) -> Frames {
        Frames(Some(Arc::new(vec![f])))
    }
    /// The same with another function.
    pub fn with(&self, f: FuncId) -> Frames {
        let more = |all: &Arc<Vec<FuncId>>| {
            let mut all = Vec::clone(all);
            if let Err(i) = all.binary_search(&f) {
                all.insert(i, f);
            }
            Arc::new(all)
        };
        Frames(self.0.as_ref().map(more))
    }
    /// The functions that run in one of two ways.
    pub fn join(&self, other: &Frames) -> Frames {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) if Arc::ptr_eq(a, b) || a == b => self.clone(),
            (Some(_), Some(b)) => b.iter().fold(self.clone(), |all, f| all.with(*f)),
            _ => Frames::default(),
        }
    }
    /// Whether a function is known not to run.
    pub fn exclude(&self, f: FuncId) -> bool {
        self.0.as_ref().is_some_and(|all| all.binary_search(&f).is_err())
    }
}
