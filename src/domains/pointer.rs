//! Sets of pointers to objects and functions. Numbers that are no object's address, NULL among them, are the `int` part
//! of a [`Value`](super::Value).
//!
//! See: Milanese, Miné, "Under-approximating Memory Abstractions", Sect. 2.2, for bases and offsets.

use super::int::Int;
use super::interval::Interval;
use crate::ir::FuncId;
use std::sync::Arc;

/// Bits of a pointer on the machines that programs are analysed for, at most.
pub const BITS: u32 = 64;

crate::new_index! {
    /// A base: what stands for one object, or for several.
    pub struct BaseId = "base";
}

/// Which addresses there are beside those that have names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Unknown {
    #[default]
    None,
    /// Those of objects that pointers may reach and that may be written, at any offset: where an access went well.
    Writable,
    /// Those of objects that pointers may reach.
    Object,
    /// Any whatever, also those of no object.
    Any,
}

/// A set of addresses `base + offset` in bytes, and of functions. Copies share their targets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pointers {
    /// None when there are no targets.
    named: Option<Arc<Named>>,
    /// Where there are some, there are no targets besides.
    unknown: Unknown,
}

/// What the pointers point to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Named {
    /// By base, each once.
    targets: Vec<(BaseId, Int)>,
    /// Sorted.
    functions: Vec<FuncId>,
}

impl Pointers {
    /// No pointer.
    pub fn none() -> Pointers {
        Pointers::default()
    }
    fn of(targets: Vec<(BaseId, Int)>, functions: Vec<FuncId>, unknown: Unknown) -> Pointers {
        let targets = if unknown == Unknown::None { targets } else { Vec::new() };
        let empty = targets.is_empty() && functions.is_empty();
        Pointers { named: (!empty).then(|| Arc::new(Named { targets, functions })), unknown }
    }
    /// `base + offset`.
    pub fn to(base: BaseId, offset: Int) -> Pointers {
        Pointers::of(vec![(base, offset)], Vec::new(), Unknown::None)
    }
    /// A function's address.
    pub fn function(f: FuncId) -> Pointers {
        Pointers::of(Vec::new(), vec![f], Unknown::None)
    }
    /// Any address.
    pub fn any() -> Pointers {
        Pointers { unknown: Unknown::Any, ..Pointers::default() }
    }
    /// Any address of an object that pointers may reach; `writable`: and that may be written.
    pub fn any_object(writable: bool) -> Pointers {
        Pointers { unknown: if writable { Unknown::Writable } else { Unknown::Object }, ..Pointers::default() }
    }
    /// Whether no pointer is in the set.
    pub fn is_none(&self) -> bool {
        self.named.is_none() && !self.is_any()
    }
    /// Whether the set has addresses of which nobody knows where they lead.
    pub fn is_any(&self) -> bool {
        self.unknown != Unknown::None
    }
    /// Whether these are addresses of objects only; `writable`: of such that may be written.
    pub fn is_any_object(&self, writable: bool) -> bool {
        self.unknown == Unknown::Writable || !writable && self.unknown == Unknown::Object
    }
    /// The unknown ones alone.
    pub fn only_unknown(&self) -> Pointers {
        Pointers { named: None, unknown: self.unknown }
    }
    /// The same with unknown addresses in the place of targets. `writable`: whether all of an object may be written.
    pub fn unnamed(&self, writable: impl Fn(BaseId) -> bool) -> Pointers {
        let unknown = match self.targets() {
            [] => self.unknown,
            targets if targets.iter().all(|t| writable(t.0)) => Unknown::Writable,
            _ => Unknown::Object,
        };
        Pointers::of(Vec::new(), self.functions().to_vec(), unknown)
    }
    /// What pieces of these addresses may be put together to: any offsets, and any address where they are unknown.
    pub fn in_pieces(&self) -> Pointers {
        let any = Int::range(i64::MIN.into(), i64::MAX.into());
        let whole = match self.targets().iter().all(|(_, offset)| *offset == any) {
            true => self.clone(),
            false => self.clone().map_offsets(|_| any),
        };
        if self.is_any() { Pointers { unknown: Unknown::Any, ..whole } } else { whole }
    }
    /// Bases with their offsets, sorted by base.
    pub fn targets(&self) -> &[(BaseId, Int)] {
        self.named.as_ref().map_or(&[], |n| &n.targets)
    }
    /// Functions, sorted.
    pub fn functions(&self) -> &[FuncId] {
        self.named.as_ref().map_or(&[], |n| &n.functions)
    }
    /// Whether both are seen to be the same set without a look at what is in it.
    pub fn is_same(&self, other: &Pointers) -> bool {
        self.unknown == other.unknown && self.shares(other)
    }
    /// Whether both share their targets.
    fn shares(&self, other: &Pointers) -> bool {
        match (&self.named, &other.named) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        }
    }
    /// The targets alone that `keep` keeps, with the offsets it returns.
    pub fn filter_targets(&self, mut keep: impl FnMut(BaseId, Int) -> Option<Int>) -> Pointers {
        let targets = self.targets().iter().filter_map(|&(b, o)| Some((b, keep(b, o)?))).collect();
        Pointers::of(targets, self.functions().to_vec(), self.unknown)
    }
    /// Without functions.
    pub fn without_functions(self) -> Pointers {
        if self.functions().is_empty() { self } else { Pointers::of(self.targets().to_vec(), Vec::new(), self.unknown) }
    }
    /// Without objects and unknown addresses.
    pub fn only_functions(self) -> Pointers {
        Pointers::of(Vec::new(), self.functions().to_vec(), Unknown::None)
    }
    /// Inclusion.
    pub fn leq(&self, other: &Pointers) -> bool {
        if self.unknown > other.unknown {
            return false;
        }
        if self.shares(other) {
            return true;
        }
        if !self.functions().iter().all(|f| other.functions().binary_search(f).is_ok()) {
            return false;
        }
        if other.is_any() {
            return self.targets().is_empty() || other.unknown != Unknown::Writable;
        }
        let mut theirs = other.targets().iter();
        self.targets().iter().all(|&(b, o)| theirs.find(|t| t.0 >= b).is_some_and(|&(c, p)| b == c && o.leq(p)))
    }
    /// The offsets into `base`, if it is a target.
    pub fn offset(&self, base: BaseId) -> Option<Int> {
        let targets = self.targets();
        targets.binary_search_by_key(&base, |t| t.0).ok().map(|i| targets[i].1)
    }
    /// The union.
    pub fn join(&self, other: &Pointers) -> Pointers {
        self.merge(other, Int::join)
    }
    /// The union, with offsets widened.
    pub fn widen(&self, next: &Pointers, thresholds: &[i128]) -> Pointers {
        // Half of all offsets are enough for objects of usual size, and what is added then does not wrap.
        let half = Interval { lo: -(1 << 62), hi: 1 << 62 };
        let all = Interval { lo: i64::MIN.into(), hi: i64::MAX.into() };
        self.merge(next, |a, b| {
            let limit = if a.join(b).interval().leq(half) { half } else { all };
            a.widen(b, thresholds, limit)
        })
    }
    fn merge(&self, other: &Pointers, f: impl Fn(Int, Int) -> Int) -> Pointers {
        if other.leq(self) {
            return self.clone();
        }
        if self.is_none() {
            return other.clone();
        }
        let named = |p: &Pointers| if p.targets().is_empty() { Unknown::None } else { Unknown::Object };
        let unknown = match self.unknown.max(other.unknown) {
            Unknown::Writable => Unknown::Writable.max(named(self)).max(named(other)),
            unknown => unknown,
        };
        let (mut ours, mut theirs) =
            (self.targets().iter().copied().peekable(), other.targets().iter().copied().peekable());
        let mut targets = Vec::with_capacity(self.targets().len() + other.targets().len());
        while let (Some((a, x)), Some((b, y))) = (ours.peek().copied(), theirs.peek().copied()) {
            targets.push(if a <= b { (a, if a == b { f(x, y) } else { x }) } else { (b, y) });
            ours.next_if(|_| a <= b);
            theirs.next_if(|_| b <= a);
        }
        targets.extend(ours.chain(theirs));
        let mut functions = self.functions().to_vec();
        functions.extend(other.functions());
        functions.sort_unstable();
        functions.dedup();
        Pointers::of(targets, functions, unknown)
    }
    /// The common pointers.
    pub fn meet(&self, other: &Pointers) -> Pointers {
        if other.is_any() && self.unknown <= other.unknown {
            return self.clone();
        }
        if self.is_any() {
            return other.clone();
        }
        let targets = self.targets().iter().filter_map(|&(b, o)| Some((b, o.meet(other.offset(b)?)?))).collect();
        let functions = self.functions().iter().copied().filter(|f| other.functions().contains(f)).collect();
        Pointers::of(targets, functions, Unknown::None)
    }
    /// Every target with its offsets changed by `f`.
    pub fn map_offsets(self, f: impl Fn(Int) -> Int) -> Pointers {
        if self.targets().is_empty() {
            return self;
        }
        let targets = self.targets().iter().map(|&(b, o)| (b, f(o))).collect();
        Pointers::of(targets, self.functions().to_vec(), self.unknown)
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
