//! Sets of pointers to objects and functions. Numbers that are no object's address, NULL among them, are the `int` part
//! of a [`Value`](super::Value).
//!
//! See: Milanese, Miné, "Under-approximating Memory Abstractions", Sect. 2.2, for bases and offsets.

use super::int::Int;
use super::interval::Interval;
use crate::ir::FuncId;

crate::new_index! {
    /// A base: what stands for one object, or for several.
    pub struct BaseId = "base";
}

/// A set of addresses `base + offset` in bytes, and of functions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pointers {
    /// By base, each once.
    targets: Vec<(BaseId, Int)>,
    /// Sorted.
    functions: Vec<FuncId>,
    /// Any address whatever, of any object that may be reachable from outside the analysed code, also of none.
    any: bool,
}

impl Pointers {
    /// No pointer.
    pub fn none() -> Pointers {
        Pointers::default()
    }
    /// `base + offset`.
    pub fn to(base: BaseId, offset: Int) -> Pointers {
        Pointers { targets: vec![(base, offset)], ..Pointers::default() }
    }
    /// A function's address.
    pub fn function(f: FuncId) -> Pointers {
        Pointers { functions: vec![f], ..Pointers::default() }
    }
    /// Any address.
    pub fn any() -> Pointers {
        Pointers { any: true, ..Pointers::default() }
    }
    /// Whether no pointer is in the set.
    pub fn is_none(&self) -> bool {
        self.targets.is_empty() && self.functions.is_empty() && !self.any
    }
    /// Whether the set has any address.
    pub fn is_any(&self) -> bool {
        self.any
    }
    /// Bases with their offsets, sorted by base.
    pub fn targets(&self) -> &[(BaseId, Int)] {
        &self.targets
    }
    /// Functions, sorted.
    pub fn functions(&self) -> &[FuncId] {
        &self.functions
    }
    /// The targets alone that `keep` keeps, with the offsets it returns.
    pub fn filter_targets(&self, mut keep: impl FnMut(BaseId, Int) -> Option<Int>) -> Pointers {
        let targets = self.targets.iter().filter_map(|&(b, o)| Some((b, keep(b, o)?))).collect();
        Pointers { targets, functions: self.functions.clone(), any: self.any }
    }
    /// Without functions.
    pub fn without_functions(mut self) -> Pointers {
        self.functions.clear();
        self
    }
    /// Without objects and unknown addresses.
    pub fn only_functions(mut self) -> Pointers {
        self.targets.clear();
        self.any = false;
        self
    }
    /// Inclusion.
    pub fn leq(&self, other: &Pointers) -> bool {
        (!self.any || other.any)
            && self.functions.iter().all(|f| other.functions.binary_search(f).is_ok())
            && self.targets.iter().all(|&(b, o)| other.offset(b).is_some_and(|p| o.leq(p)))
    }
    /// The offsets into `base`, if it is a target.
    pub fn offset(&self, base: BaseId) -> Option<Int> {
        self.targets.binary_search_by_key(&base, |t| t.0).ok().map(|i| self.targets[i].1)
    }
    /// The union.
    pub fn join(&self, other: &Pointers) -> Pointers {
        self.merge(other, Int::join)
    }
    /// The union, with offsets widened.
    pub fn widen(&self, next: &Pointers, thresholds: &[i128]) -> Pointers {
        self.merge(next, |a, b| a.widen(b, thresholds, Interval { lo: -(1 << 62), hi: 1 << 62 }))
    }
    fn merge(&self, other: &Pointers, f: impl Fn(Int, Int) -> Int) -> Pointers {
        if other.is_none() {
            return self.clone();
        }
        if self.is_none() || self == other {
            return other.clone();
        }
        let mut targets = self.targets.clone();
        for &(b, o) in &other.targets {
            match targets.binary_search_by_key(&b, |t| t.0) {
                Ok(i) => targets[i].1 = f(targets[i].1, o),
                Err(i) => targets.insert(i, (b, o)),
            }
        }
        let mut functions = self.functions.clone();
        functions.extend(&other.functions);
        functions.sort_unstable();
        functions.dedup();
        Pointers { targets, functions, any: self.any || other.any }
    }
    /// The common pointers.
    pub fn meet(&self, other: &Pointers) -> Pointers {
        if other.any {
            return self.clone();
        }
        if self.any {
            return other.clone();
        }
        let targets = self.targets.iter().filter_map(|&(b, o)| Some((b, o.meet(other.offset(b)?)?))).collect();
        let functions = self.functions.iter().copied().filter(|f| other.functions.contains(f)).collect();
        Pointers { targets, functions, any: false }
    }
    /// Every target with its offsets changed by `f`.
    pub fn map_offsets(mut self, f: impl Fn(Int) -> Int) -> Pointers {
        for t in &mut self.targets {
            t.1 = f(t.1);
        }
        self
    }
    /// With `from` replaced by `to`.
    pub fn rename(&self, from: BaseId, to: BaseId) -> Pointers {
        match self.offset(from) {
            None => self.clone(),
            Some(o) => {
                let rest = self.filter_targets(|b, o| (b != from).then_some(o));
                rest.join(&Pointers::to(to, o))
            }
        }
    }
}
