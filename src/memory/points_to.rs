//! [`PointsTo`]: the relations of `rules/memory.dl` for one program, by the IR's own indices.

use super::ids::{Ids, grouped, sorted};
use super::location::{Base, Location, LocationSet};
use crate::base::IndexVec;
use crate::datalog::IdSet;
use crate::datalog::programs::{column, memory};
use crate::facts::{FactStore, Sym};
use crate::ir::{AllocId, BlockId, CallId, FuncId, Program, TypeId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, Mutex, OnceLock};

/// What the memory relations say of a program. Built once, then only read.
#[derive(Debug)]
pub struct PointsTo {
    pub(super) ids: Arc<Ids>,
    /// The objects that base symbols name.
    bases: FxHashMap<Sym, Base>,
    pub(super) results: memory::Results,
    /// By the number of the location in the relations.
    pub(super) locations: Vec<Location>,
    callees: IndexVec<CallId, Vec<FuncId>>,
    callers: IndexVec<FuncId, Vec<CallId>>,
    unknown_calls: IndexVec<CallId, bool>,
    entered: IndexVec<FuncId, Vec<FuncId>>,
    recursive: IndexVec<FuncId, bool>,
    /// Wrappers and what they allocate.
    wraps: FxHashSet<(FuncId, AllocId)>,
    /// By which calls of an allocation's function blocks may be allocated that relations call by the call of a wrapper further out.
    inner_calls: FxHashMap<(AllocId, CallId), Vec<CallId>>,
    outside_calls: Vec<FuncId>,
    writes_anything: IndexVec<FuncId, bool>,
    escaping: FxHashSet<Base>,
    outside_reaches: FxHashSet<Base>,
    /// What functions may change, once somebody has asked.
    changes: IndexVec<FuncId, OnceLock<Changes>>,
    hidden_by: Option<String>,
    returns_addresses: bool,
    /// The objects that values point into, once somebody has asked.
    pub(super) target_bases: Mutex<FxHashMap<column::Value, Arc<[Base]>>>,
}

/// Objects that a function and what it calls may change. Sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Objects whose bytes they may write.
    pub written: Vec<Base>,
    /// Blocks that they may free.
    pub freed: Vec<Base>,
}

/// How large the relations are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Values that may hold an address, and all their targets together.
    pub pointers: usize,
    pub points_to: usize,
    /// Locations that may hold an address, and all addresses in them together.
    pub locations: usize,
    pub stored: usize,
    pub call_edges: usize,
    pub bases: usize,
}

impl Statistics {
    /// Targets of a value that has any, on average.
    pub fn mean_targets(&self) -> f64 {
        if self.pointers == 0 { 0.0 } else { self.points_to as f64 / self.pointers as f64 }
    }
}

impl PointsTo {
    /// The view of what the rules made of `facts`, the facts of `program`.
    pub fn new(program: &Program, ids: &Arc<Ids>, facts: &FactStore, results: memory::Results) -> PointsTo {
        let bases = bases(ids, &results, facts);
        let unknown = Base::Outside;
        let base = |b: column::Base| bases.get(&b.0).copied().unwrap_or(unknown);
        let locations: Vec<Location> = results
            .records
            .location
            .iter()
            .map(|l| Location { base: base(l.base), offset: l.offset.0, stride: l.stride.0 })
            .collect();
        let edges = || results.call_edge.iter().map(|row| (ids.call(row.call), ids.function(row.callee)));
        let callees = grouped(program.calls.len(), edges());
        let callers = grouped(program.functions.len(), edges().map(|(call, callee)| (callee, call)));
        let mut unknown_calls = IndexVec::from_elem(false, program.calls.len());
        for row in &results.unknown_call {
            unknown_calls[ids.call(row.call)] = true;
        }
        let recurs = |f: FuncId| results.comes_to.contains(ids.named(f), ids.named(f));
        let wraps = results.wraps.iter().map(|r| (ids.function(r.function), ids.alloc(r.allocation))).collect();
        let mut inner_calls: FxHashMap<(AllocId, CallId), Vec<CallId>> = FxHashMap::default();
        for row in &results.block_of_call {
            if let Base::BlockOfCall(alloc, outer) = base(row.base) {
                inner_calls.entry((alloc, outer)).or_default().push(ids.call(row.call));
            }
        }
        let recursive = program.functions.indices().map(recurs).collect();
        let entering = results.enters.iter().map(|row| (ids.function(row.caller), ids.function(row.callee)));
        let entered = grouped(program.functions.len(), entering);
        let mut writes_anything = IndexVec::from_elem(false, program.functions.len());
        for row in &results.may_write_anything {
            writes_anything[ids.function(row.function)] = true;
        }
        let clients = results.client_calls.iter().map(|r| ids.function(r.function));
        let mut outside_calls: Vec<FuncId> =
            results.outside_calls.iter().map(|r| ids.function(r.function)).chain(clients).collect();
        outside_calls.sort_unstable();
        outside_calls.dedup();
        let escaping = results.escapes.iter().map(|r| base(r.base)).collect();
        let outside_reaches = results.outside_reaches.iter().map(|r| base(r.base)).collect();
        let returns_addresses = !results.addresses_return.is_empty();
        let hidden_by = results.hides_addresses.iter().map(|row| ids.names.spelled(row.way)).min();
        let changes = program.functions.indices().map(|_| OnceLock::new()).collect();
        PointsTo {
            ids: Arc::clone(ids),
            bases,
            results,
            locations,
            callees,
            callers,
            unknown_calls,
            entered,
            recursive,
            wraps,
            inner_calls,
            outside_calls,
            writes_anything,
            escaping,
            outside_reaches,
            changes,
            hidden_by,
            returns_addresses,
            target_bases: Mutex::default(),
        }
    }

    /// The functions that a call may call, with or without a body, sorted. Code outside of the program may call
    /// [`PointsTo::outside_calls`] besides, if one of them has no body.
    pub fn callees(&self, call: CallId) -> &[FuncId] {
        &self.callees[call]
    }
    /// The calls that may call `function`, sorted.
    pub fn callers(&self, function: FuncId) -> &[CallId] {
        &self.callers[function]
    }
    /// Whether a call of `function` may lead to another one before it returns.
    pub fn is_recursive(&self, function: FuncId) -> bool {
        self.recursive[function]
    }
    /// Whether all that `function` returns was allocated in the same activation, by `alloc` among others.
    pub fn wraps(&self, function: FuncId, alloc: AllocId) -> bool {
        self.wraps.contains(&(function, alloc))
    }
    /// The functions that control may be in next after `function`: those that it calls, and those that code outside of the program
    /// calls back from it; sorted.
    pub fn entered_from(&self, function: FuncId) -> &[FuncId] {
        &self.entered[function]
    }
    /// The functions that control may come to from `function` before it leaves it, sorted.
    pub fn reachable_from(&self, function: FuncId) -> Vec<FuncId> {
        let found = self.results.comes_to.elements(self.ids.named(function));
        sorted(found.map(|f| self.ids.function(f)))
    }
    /// The objects that code outside of the program may reach, sorted.
    pub fn outside_reached(&self) -> Vec<Base> {
        self.by_inner_calls(self.outside_reaches.iter().copied())
    }
    /// Functions with a body that code outside of the program may call, sorted.
    pub fn outside_calls(&self) -> &[FuncId] {
        &self.outside_calls
    }
    /// Whether `function` or what it calls may write anywhere at all, because some of its C was not understood; then
    /// [`PointsTo::may_write`] is no bound.
    pub fn may_write_anything(&self, function: FuncId) -> bool {
        self.writes_anything[function]
    }
    /// Where `function` and what it calls may write, its own variables included. An access there covers as many bytes
    /// as some type of `accesses` has.
    pub fn may_write(&self, function: FuncId) -> LocationSet<'_> {
        self.locations_of(self.results.may_write.set(self.ids.named(function)))
    }
    /// Where `function` and what it calls may read, except variables that no pointer reaches.
    pub fn may_read(&self, function: FuncId) -> LocationSet<'_> {
        self.locations_of(self.results.may_read.set(self.ids.named(function)))
    }
    /// Where one execution of the natural loop with this header may write, in calls too. Variables that no pointer
    /// reaches are not among them.
    pub fn loop_may_write(&self, function: FuncId, header: BlockId) -> LocationSet<'_> {
        self.locations_of(self.results.loop_may_write.set(self.ids.named_block(function, header)))
    }
    /// Whether the address of `variable` may be held elsewhere than in the values of its own function: in memory, in
    /// another function, outside of the program.
    pub fn address_escapes(&self, variable: VarId) -> bool {
        self.escaping.contains(&Base::Variable(variable))
    }
    /// Whether code outside of the program may read and write `base` whenever it runs.
    pub fn outside_reaches(&self, base: Base) -> bool {
        self.outside_reaches.contains(&base)
    }
    /// The blocks that an allocation site may allocate.
    pub fn blocks(&self, alloc: AllocId) -> Vec<Base> {
        let name = column::Allocation(self.ids.names.alloc(alloc));
        let rows = self.results.allocates.iter().filter(|r| r.allocation == name);
        let mut bases: Vec<Base> = rows.map(|r| self.base(r.base)).collect();
        bases.sort_unstable();
        bases.dedup();
        bases
    }
    /// The cells that the program accesses in `base`: places with the type that some access has there, None for an
    /// unknown number of bytes. In order of place and type.
    pub fn cells(&self, program: &Program, base: Base) -> Vec<(Location, Option<TypeId>)> {
        let mut cells = Vec::new();
        let types = program.types.iter().map(|(t, _)| (Some(t), self.ids.names.ty(t)));
        for (t, name) in types.chain(self.ids.names.unknown_type().map(|n| (None, n))) {
            let set = self.locations_of(self.results.accessed_as.set(column::Type(name)));
            cells.extend(set.iter().filter(|l| l.base == base).map(|l| (l, t)));
        }
        cells.sort_unstable();
        cells
    }
    /// Sizes of the main relations.
    pub fn statistics(&self) -> Statistics {
        let mut bases: Vec<Base> = self.locations.iter().map(|l| l.base).collect();
        bases.sort_unstable();
        bases.dedup();
        Statistics {
            pointers: self.results.points_to.key_count(),
            points_to: self.results.points_to.len(),
            locations: self.results.stored.key_count(),
            stored: self.results.stored.len(),
            call_edges: self.results.call_edge.len(),
            bases: bases.len(),
        }
    }

    /// The variable's name in facts: `x`, `main::x`.
    pub fn variable_name(&self, v: VarId) -> String {
        self.ids.names.spelled(self.ids.names.variable(v))
    }

    pub(super) fn locations_of<'m>(&'m self, set: Option<&'m IdSet>) -> LocationSet<'m> {
        LocationSet { set, all: &self.locations }
    }

    /// The same objects, sorted: blocks with the names by the calls of their allocations' own functions, too.
    pub(super) fn by_inner_calls(&self, bases: impl IntoIterator<Item = Base>) -> Vec<Base> {
        let mut all = sorted(bases.into_iter().flat_map(|base| {
            let inner = match base {
                Base::BlockOfCall(alloc, outer) => self.inner_calls.get(&(alloc, outer)).map(|calls| (alloc, calls)),
                _ => None,
            };
            let named = move |(alloc, calls): (AllocId, &Vec<CallId>)| {
                calls.iter().map(move |call| Base::BlockOfCall(alloc, *call)).collect::<Vec<Base>>()
            };
            inner.map(named).into_iter().flatten().chain([base])
        }));
        all.dedup();
        all
    }

    fn base(&self, name: column::Base) -> Base {
        self.bases.get(&name.0).copied().unwrap_or(Base::Outside)
    }

    /// What `function` and what it calls may change; None where nobody knows.
    pub fn changes(&self, function: FuncId) -> Option<&Changes> {
        if self.writes_anything[function] {
            return None;
        }
        Some(self.changes[function].get_or_init(|| {
            let name = self.ids.named(function);
            let written = self.by_inner_calls(self.may_write(function).bases());
            let freed = self.by_inner_calls(self.results.may_free.elements(name).map(|b| self.base(b)));
            Changes { written, freed }
        }))
    }
    /// The objects of which a block may have been freed before `function` begins, sorted; None where nobody knows.
    pub fn freed_before(&self, function: FuncId) -> Option<Vec<Base>> {
        if self.writes_anything.iter().any(|anything| *anything) {
            return None;
        }
        let freed = self.results.freed_before.elements(self.ids.named(function));
        Some(self.by_inner_calls(freed.map(|b| self.base(b))))
    }
    /// Whether bytes that are read may be those of an address that went out of the program before.
    pub fn returns_addresses(&self) -> bool {
        self.returns_addresses
    }
    /// How the program hides addresses from the relations, if it does: then they are no bounds.
    pub fn hidden_by(&self) -> Option<String> {
        self.hidden_by.clone()
    }
    /// What code outside of the program may change while the call runs, the program's own functions apart.
    pub fn changed_outside(&self, call: CallId) -> Vec<Base> {
        let name = column::Call(self.ids.names.call(call));
        let written = self.locations_of(self.results.library_may_write.set(name)).bases();
        let reached = self.outside_reaches.iter().copied().filter(|_| self.unknown_calls[call]);
        self.by_inner_calls(written.into_iter().chain(reached))
    }
    /// Whether the call may call code that nothing is known of.
    pub fn calls_unknown(&self, call: CallId) -> bool {
        self.unknown_calls[call]
    }
}

/// The object that each base symbol of the relations names.
fn bases(ids: &Ids, results: &memory::Results, facts: &FactStore) -> FxHashMap<Sym, Base> {
    let mut bases: FxHashMap<Sym, Base> = FxHashMap::default();
    bases.extend(results.variable_base.iter().map(|r| (r.base.0, Base::Variable(ids.variable(r.variable)))));
    bases.extend(results.function_base.iter().map(|r| (r.base.0, Base::Function(ids.function(r.function)))));
    bases.extend(results.variadic_base.iter().map(|r| (r.base.0, Base::VariadicArguments(ids.function(r.function)))));
    bases.extend(results.allocation_base.iter().map(|r| (r.base.0, Base::Block(ids.alloc(r.allocation)))));
    let of_call = |r: &crate::datalog::programs::row::ContextBase| {
        (r.base.0, Base::BlockOfCall(ids.alloc(r.allocation), ids.call(r.call)))
    };
    bases.extend(results.context_base.iter().map(of_call));
    let fixed = [
        ("<argv>", Base::Arguments),
        ("<argv strings>", Base::ArgumentStrings),
        ("<envp>", Base::Environment),
        ("<envp strings>", Base::EnvironmentStrings),
        ("<outside>", Base::Outside),
    ];
    bases.extend(fixed.into_iter().filter_map(|(name, base)| Some((facts.symbols.find(name)?, base))));
    bases
}

#[cfg(test)]
#[path = "points_to_tests.rs"]
mod tests;
