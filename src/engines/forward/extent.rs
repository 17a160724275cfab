//! Which objects something may change of which an analysis sees no more than where the relations say it gets.

use super::analyzer::{Analyzer, Flow};
use super::bases::{Base, Bases};
use crate::domains::{BaseId, Int, Pointers};
use crate::ir::{AllocId, CallId, ConstantBytes, Expr, Place, Program, VarId};
use crate::memory::{self, Memory};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Objects that may be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extent {
    /// These at most.
    Of(Arc<Objects>),
    /// All that pointers reach.
    Reachable,
    /// All that pointers reach, and all that the program's functions name.
    Anything,
}

/// Objects, as the relations tell them apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Objects {
    variables: BTreeSet<VarId>,
    /// The blocks of an allocation site: those that it allocates for a call of its function, or all of them.
    blocks: BTreeSet<(AllocId, Option<CallId>)>,
    /// The array of arguments (0) or environment (1) strings, and the strings of each (2, 3).
    strings: [bool; 4],
    /// Those of code outside of the program, and arguments behind the named ones: no state has them.
    foreign: bool,
}

impl Default for Extent {
    fn default() -> Self {
        Extent::Of(Arc::default())
    }
}

impl Objects {
    /// The objects that relations name.
    pub fn of(bases: impl IntoIterator<Item = memory::Base>) -> Objects {
        let mut all = Objects::default();
        for base in bases {
            match base {
                memory::Base::Variable(v) => drop(all.variables.insert(v)),
                memory::Base::Block(alloc) => drop(all.blocks.insert((alloc, None))),
                memory::Base::BlockOfCall(alloc, call) => drop(all.blocks.insert((alloc, Some(call)))),
                memory::Base::Arguments => all.strings[0] = true,
                memory::Base::Environment => all.strings[1] = true,
                memory::Base::ArgumentStrings => all.strings[2] = true,
                memory::Base::EnvironmentStrings => all.strings[3] = true,
                memory::Base::VariadicArguments(_) | memory::Base::Outside => all.foreign = true,
                memory::Base::Function(_) => {}
            }
        }
        all
    }

    fn has(&self, base: Base) -> bool {
        match base {
            Base::Variable(v) => self.variables.contains(&v),
            Base::Heap { alloc, call, .. } => self.has_blocks(alloc, call),
            Base::Strings(which) => self.strings[usize::from(which)],
            Base::Text(which) => self.strings[2 + usize::from(which)],
            Base::Gone(_) | Base::Result | Base::Destination(_) => false,
        }
    }

    /// Whether some of the blocks of a site that are for a call, or all where none is named, are among them.
    fn has_blocks(&self, alloc: AllocId, call: Option<CallId>) -> bool {
        match call {
            Some(call) => self.blocks.contains(&(alloc, None)) || self.blocks.contains(&(alloc, Some(call))),
            None => self.blocks.range((alloc, None)..).next().is_some_and(|(first, _)| *first == alloc),
        }
    }

    fn is_empty(&self) -> bool {
        *self == Objects::default()
    }

    fn leq(&self, other: &Objects) -> bool {
        let has =
            |block: &(AllocId, Option<CallId>)| other.blocks.contains(block) || other.blocks.contains(&(block.0, None));
        self.variables.is_subset(&other.variables)
            && self.blocks.iter().all(has)
            && self.strings.iter().zip(other.strings).all(|(a, b)| !a || b)
            && (!self.foreign || other.foreign)
    }

    fn meets(&self, other: &Objects) -> bool {
        !self.variables.is_disjoint(&other.variables)
            || self.blocks.iter().any(|(alloc, call)| other.has_blocks(*alloc, *call))
            || self.strings.iter().zip(other.strings).any(|(a, b)| *a && b)
            || self.foreign && other.foreign
    }
}

/// Where pointers of the text lead, by the relations.
pub struct Extents<'p> {
    program: &'p Program,
    memory: &'p Memory,
    /// By the address of what the relations give, which stays where it is; with whether all of it may be written.
    known: RefCell<FxHashMap<usize, (Extent, bool)>>,
}

impl<'p> Extents<'p> {
    pub fn new(program: &'p Program, memory: &'p Memory) -> Extents<'p> {
        Extents { program, memory, known: RefCell::default() }
    }
    /// The objects that the relations say a pointer of the text points into.
    pub fn of(&self, pointer: &Expr) -> Extent {
        self.get(pointer).0
    }
    /// Whether none of them has a part that only its initializer may write.
    pub fn are_writable(&self, pointer: &Expr) -> bool {
        self.get(pointer).1
    }
    fn get(&self, pointer: &Expr) -> (Extent, bool) {
        let Some(bases) = self.memory.target_bases(self.program, pointer) else { return (Extent::Reachable, false) };
        if bases.is_empty() {
            return (Extent::default(), true);
        }
        let mut known = self.known.borrow_mut();
        let entry = known.entry(bases.as_ptr().addr());
        entry.or_insert_with(|| (Extent::of(bases.iter().copied()), bases.iter().all(|b| self.is_writable(*b)))).clone()
    }
    fn is_writable(&self, base: memory::Base) -> bool {
        match base {
            memory::Base::Variable(v) => matches!(self.program.variables[v].constant, ConstantBytes::None),
            memory::Base::Outside => false,
            _ => true,
        }
    }
}

/// Where something is written.
#[derive(Clone, Debug)]
pub struct Target {
    pub pointers: Pointers,
    /// The objects that it may lie in where the pointers may be any.
    pub extent: Extent,
}

impl Target {
    /// Known objects.
    pub fn of(pointers: Pointers) -> Target {
        Target { pointers, extent: Extent::Reachable }
    }
}

impl std::ops::Deref for Target {
    type Target = Pointers;
    fn deref(&self) -> &Pointers {
        &self.pointers
    }
}

impl Analyzer<'_, '_> {
    /// Where a place lies in `flow`.
    pub(super) fn target(&self, flow: &Flow, place: &Place) -> Target {
        self.target_at(place, self.view(flow).address(place))
    }

    /// The same with the address evaluated before.
    pub(super) fn target_at(&self, place: &Place, address: Pointers) -> Target {
        let extent = match place.pointer() {
            Some(pointer) if address.is_any() => self.extent(pointer),
            _ => Extent::Reachable,
        };
        Target { pointers: address, extent }
    }

    /// Where a pointer with the values `pointers` leads.
    pub(super) fn target_of(&self, pointer: &Expr, pointers: Pointers) -> Target {
        let extent = if pointers.is_any() { self.extent(pointer) } else { Extent::Reachable };
        Target { pointers, extent }
    }

    /// The objects that the relations say a pointer of the text points into.
    pub(super) fn extent(&self, pointer: &Expr) -> Extent {
        self.extents.of(pointer)
    }
}

impl Extent {
    /// These objects.
    pub fn of(bases: impl IntoIterator<Item = memory::Base>) -> Extent {
        Extent::Of(Arc::new(Objects::of(bases)))
    }
    /// Whether there is nothing that may be changed.
    pub fn is_none(&self) -> bool {
        matches!(self, Extent::Of(objects) if objects.is_empty())
    }
    /// Whether `base` may be changed. What is constant is not among what pointers reach.
    pub fn has(&self, bases: &Bases, base: BaseId) -> bool {
        match self {
            Extent::Of(objects) => !bases.is_constant(base) && objects.has(bases.get(base)),
            Extent::Reachable => bases.is_reachable(base),
            Extent::Anything => bases.is_reachable(base) || bases.is_static(base),
        }
    }
    /// The objects that these bases stand for, if they are bases of memory.
    pub fn of_targets(bases: &Bases, targets: &[(BaseId, Int)]) -> Option<Extent> {
        let mut all = Objects::default();
        for &(base, _) in targets {
            match bases.get(base) {
                Base::Variable(v) => drop(all.variables.insert(v)),
                Base::Heap { alloc, call, .. } => drop(all.blocks.insert((alloc, call))),
                Base::Strings(which) => all.strings[usize::from(which)] = true,
                Base::Text(which) => all.strings[2 + usize::from(which)] = true,
                Base::Gone(_) | Base::Result | Base::Destination(_) => return None,
            }
        }
        Some(Extent::Of(Arc::new(all)))
    }
    /// Inclusion; false also where it cannot be seen.
    pub fn leq(&self, other: &Extent) -> bool {
        match (self, other) {
            (Extent::Of(a), Extent::Of(b)) => Arc::ptr_eq(a, b) || a.leq(b),
            (_, Extent::Anything) => true,
            (Extent::Reachable, Extent::Reachable) => true,
            _ => false,
        }
    }
    /// Whether a block may be among them, of the program or of code outside: what may be freed.
    pub fn may_be_blocks(&self) -> bool {
        match self {
            Extent::Of(objects) => objects.foreign || !objects.blocks.is_empty(),
            _ => true,
        }
    }
    /// Whether all bytes of the objects may be written.
    pub fn is_writable(&self, bases: &Bases) -> bool {
        let writable = |v: &VarId| matches!(bases.read_only(bases.variable(*v)), ConstantBytes::None);
        matches!(self, Extent::Of(objects) if !objects.foreign && objects.variables.iter().all(writable))
    }
    /// Whether some object may be in both.
    pub fn meets(&self, other: &Extent) -> bool {
        match (self, other) {
            (Extent::Of(a), Extent::Of(b)) => a.meets(b),
            (Extent::Of(a), _) | (_, Extent::Of(a)) => !a.is_empty(),
            _ => true,
        }
    }
    /// The objects of both.
    pub fn join(&self, other: &Extent) -> Extent {
        match (self, other) {
            (Extent::Anything, _) | (_, Extent::Anything) => Extent::Anything,
            (Extent::Reachable, Extent::Of(a)) | (Extent::Of(a), Extent::Reachable) => {
                // Some of these may be out of pointers' reach.
                if a.is_empty() { Extent::Reachable } else { Extent::Anything }
            }
            (Extent::Reachable, Extent::Reachable) => Extent::Reachable,
            (Extent::Of(a), Extent::Of(b)) if Arc::ptr_eq(a, b) || b.leq(a) => Extent::Of(Arc::clone(a)),
            (Extent::Of(a), Extent::Of(b)) if a.is_empty() => Extent::Of(Arc::clone(b)),
            (Extent::Of(a), Extent::Of(b)) => {
                let mut all = Objects::clone(a);
                all.variables.extend(&b.variables);
                all.blocks.extend(&b.blocks);
                all.strings.iter_mut().zip(b.strings).for_each(|(a, b)| *a |= b);
                all.foreign |= b.foreign;
                Extent::Of(Arc::new(all))
            }
        }
    }
}
