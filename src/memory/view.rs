//! [`Memory`]: the memory relations of one program, by the IR's own indices.

use super::location::{Base, Location, LocationSet};
use crate::base::IndexVec;
use crate::datalog::programs::{column, memory};
use crate::datalog::{IdSet, Limits, RunError};
use crate::facts::emit::{Emitted, Names, ValueTable, emit};
use crate::facts::{Sym, row};
use crate::ir::{AllocId, BlockId, CallId, FuncId, Program, TypeId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// What the memory relations say of a program. Built once, then only read.
#[derive(Debug)]
pub struct Memory {
    pub(super) names: Names,
    pub(super) values: ValueTable,
    pub(super) results: memory::Results,
    /// By the number of the location in the relations.
    pub(super) locations: Vec<Location>,
    callees: IndexVec<CallId, Vec<FuncId>>,
    callers: IndexVec<FuncId, Vec<CallId>>,
    recursive: IndexVec<FuncId, bool>,
    outside_calls: Vec<FuncId>,
    writes_anything: IndexVec<FuncId, bool>,
    escaping: FxHashSet<Base>,
    outside_reaches: FxHashSet<Base>,
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

impl Memory {
    /// States `program` as facts and runs the rules of `rules/memory.dl` on them.
    pub fn build(program: &Program, limits: &Limits) -> Result<Memory, RunError> {
        Memory::build_from(program, &[], limits)
    }

    /// The same when execution begins in `entries`, called by unknown code, instead of in `main`. Without entries and
    /// without a `main`, unknown code may call every function that can be named elsewhere.
    pub fn build_from(program: &Program, entries: &[FuncId], limits: &Limits) -> Result<Memory, RunError> {
        let mut emitted = emit(program);
        let rows =
            entries.iter().map(|f| row::EntryFunction { function: column::Function(emitted.names.function(*f)) });
        emitted.facts.entry_function.extend(rows);
        let results = memory::run(&emitted.facts, limits)?;
        Ok(Memory::new(program, emitted, results))
    }

    /// The view of what the rules made of `emitted`, the facts of `program`.
    pub fn new(program: &Program, emitted: Emitted, results: memory::Results) -> Memory {
        let Emitted { facts, names, values } = emitted;
        let functions: FxHashMap<Sym, FuncId> = program.functions.indices().map(|f| (names.function(f), f)).collect();
        let calls: FxHashMap<Sym, CallId> = program.calls.indices().map(|c| (names.call(c), c)).collect();
        let bases = bases(program, &names, &results, &functions, &calls, &facts);
        let unknown = Base::Outside;
        let base = |b: column::Base| bases.get(&b.0).copied().unwrap_or(unknown);
        let locations: Vec<Location> = results
            .records
            .location
            .iter()
            .map(|l| Location { base: base(l.base), offset: l.offset.0, stride: l.stride.0 })
            .collect();
        let mut callees: IndexVec<CallId, Vec<FuncId>> = IndexVec::from_elem(Vec::new(), program.calls.len());
        let mut callers: IndexVec<FuncId, Vec<CallId>> = IndexVec::from_elem(Vec::new(), program.functions.len());
        for row in &results.call_edge {
            let (call, callee) = (calls[&row.call.0], functions[&row.callee.0]);
            callees[call].push(callee);
            callers[callee].push(call);
        }
        callees.iter_mut().for_each(|list| list.sort_unstable());
        callers.iter_mut().for_each(|list| list.sort_unstable());
        let mut recursive = IndexVec::from_elem(false, program.functions.len());
        for row in &results.recursive_function {
            recursive[functions[&row.function.0]] = true;
        }
        let mut writes_anything = IndexVec::from_elem(false, program.functions.len());
        for row in &results.may_write_anything {
            writes_anything[functions[&row.function.0]] = true;
        }
        let clients = results.client_calls.iter().map(|r| functions[&r.function.0]);
        let mut outside_calls: Vec<FuncId> =
            results.outside_calls.iter().map(|r| functions[&r.function.0]).chain(clients).collect();
        outside_calls.sort_unstable();
        outside_calls.dedup();
        let escaping = results.escapes.iter().map(|r| base(r.base)).collect();
        let outside_reaches = results.outside_reaches.iter().map(|r| base(r.base)).collect();
        Memory {
            names,
            values,
            results,
            locations,
            callees,
            callers,
            recursive,
            outside_calls,
            writes_anything,
            escaping,
            outside_reaches,
        }
    }

    /// The functions that a call may call, with or without a body, sorted. Code outside of the program may call
    /// [`Memory::outside_calls`] besides, if one of them has no body.
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
    /// Functions with a body that code outside of the program may call, sorted.
    pub fn outside_calls(&self) -> &[FuncId] {
        &self.outside_calls
    }
    /// Whether `function` or what it calls may write anywhere at all, because some of its C was not understood; then
    /// [`Memory::may_write`] is no bound.
    pub fn may_write_anything(&self, function: FuncId) -> bool {
        self.writes_anything[function]
    }
    /// Where `function` and what it calls may write, its own variables included. An access there covers as many bytes
    /// as some type of `accesses` has.
    pub fn may_write(&self, function: FuncId) -> LocationSet<'_> {
        self.locations_of(self.results.may_write.set(column::Function(self.names.function(function))))
    }
    /// Where `function` and what it calls may read, except variables that no pointer reaches.
    pub fn may_read(&self, function: FuncId) -> LocationSet<'_> {
        self.locations_of(self.results.may_read.set(column::Function(self.names.function(function))))
    }
    /// Where one execution of the natural loop with this header may write, in calls too. Variables that no pointer
    /// reaches are not among them.
    pub fn loop_may_write(&self, function: FuncId, header: BlockId) -> LocationSet<'_> {
        self.locations_of(self.results.loop_may_write.set(column::Block(self.names.block(function, header))))
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
        let name = column::Allocation(self.names.alloc(alloc));
        let rows = self.results.allocates.iter().filter(|r| r.allocation == name);
        let mut bases: Vec<Base> = rows.filter_map(|r| self.base_named(r.base)).collect();
        bases.sort_unstable();
        bases.dedup();
        bases
    }
    /// The cells that the program accesses in `base`: places with the type that some access has there, None for an
    /// unknown number of bytes. In order of place and type.
    pub fn cells(&self, program: &Program, base: Base) -> Vec<(Location, Option<TypeId>)> {
        let mut cells = Vec::new();
        let types = program.types.iter().map(|(t, _)| (Some(t), self.names.ty(t)));
        for (t, name) in types.chain(self.names.unknown_type().map(|n| (None, n))) {
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
        self.names.spelled(self.names.variable(v))
    }

    pub(super) fn locations_of<'m>(&'m self, set: Option<&'m IdSet>) -> LocationSet<'m> {
        LocationSet { set, all: &self.locations }
    }

    fn base_named(&self, name: column::Base) -> Option<Base> {
        let of = |l: &crate::datalog::programs::record::Location| l.base == name;
        self.results.records.location.iter().position(of).map(|i| self.locations[i].base)
    }
}

/// The object that each base symbol of the relations names.
fn bases(
    program: &Program,
    names: &Names,
    results: &memory::Results,
    functions: &FxHashMap<Sym, FuncId>,
    calls: &FxHashMap<Sym, CallId>,
    facts: &crate::facts::FactStore,
) -> FxHashMap<Sym, Base> {
    let variables: FxHashMap<Sym, VarId> = program.variables.indices().map(|v| (names.variable(v), v)).collect();
    let allocs: FxHashMap<Sym, AllocId> = program.allocs.indices().map(|a| (names.alloc(a), a)).collect();
    let mut bases: FxHashMap<Sym, Base> = FxHashMap::default();
    bases.extend(results.variable_base.iter().map(|r| (r.base.0, Base::Variable(variables[&r.variable.0]))));
    bases.extend(results.function_base.iter().map(|r| (r.base.0, Base::Function(functions[&r.function.0]))));
    bases.extend(results.variadic_base.iter().map(|r| (r.base.0, Base::VariadicArguments(functions[&r.function.0]))));
    bases.extend(results.allocation_base.iter().map(|r| (r.base.0, Base::Block(allocs[&r.allocation.0]))));
    let of_call = |r: &crate::datalog::programs::row::ContextBase| {
        (r.base.0, Base::BlockOfCall(allocs[&r.allocation.0], calls[&r.call.0]))
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
#[path = "view_tests.rs"]
mod tests;
