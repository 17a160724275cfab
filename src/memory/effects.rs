//! [`Effects`]: who may call whom, and what functions name, as the text and the types of pointers say.
//!
//! This layer is always there: its rules (`rules/effects.dl`) cost no more than the program is long and the calls that types
//! allow. What points-to knows better, [`super::Memory`] answers from there.

use super::ids::{Ids, grouped, sorted};
use crate::base::IndexVec;
use crate::datalog::programs::{column, effects};
use crate::ir::{AllocId, CallId, FuncId, Program, VarId};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The relations of `rules/effects.dl`, by the IR's own indices. All lists are sorted.
#[derive(Debug)]
pub struct Effects {
    ids: Arc<Ids>,
    results: effects::Results,
    taken: Vec<FuncId>,
    called_later: Vec<FuncId>,
    callees: IndexVec<CallId, Vec<FuncId>>,
    calls_unknown: IndexVec<CallId, bool>,
    entered: IndexVec<FuncId, Vec<FuncId>>,
    set_somewhere: BTreeSet<VarId>,
    recursive: IndexVec<FuncId, bool>,
    takes_options: Vec<FuncId>,
    option_index: Option<VarId>,
    leaves_program: IndexVec<FuncId, bool>,
    writes_through: IndexVec<FuncId, bool>,
    releases: IndexVec<FuncId, bool>,
}

impl Effects {
    /// The view of `results`.
    pub fn new(program: &Program, ids: &Arc<Ids>, results: effects::Results) -> Effects {
        let edges = results.call_edge_by_type.iter().map(|row| (ids.call(row.call), ids.function(row.callee)));
        let callees = grouped(program.calls.len(), edges);
        let entering = results.may_enter.iter().map(|row| (ids.function(row.caller), ids.function(row.callee)));
        let entered = grouped(program.functions.len(), entering);
        let marked = |functions: Vec<column::Function>| {
            let mut marks = IndexVec::from_elem(false, program.functions.len());
            functions.into_iter().for_each(|f| marks[ids.function(f)] = true);
            marks
        };
        let mut calls_unknown = IndexVec::from_elem(false, program.calls.len());
        results.may_call_unknown.iter().for_each(|row| calls_unknown[ids.call(row.call)] = true);
        Effects {
            taken: sorted(results.function_taken.iter().map(|r| ids.function(r.function))),
            called_later: sorted(results.called_later.iter().map(|r| ids.function(r.function))),
            takes_options: sorted(results.takes_options.iter().map(|r| ids.function(r.function))),
            option_index: results.option_index.iter().map(|r| ids.variable(r.variable)).next(),
            recursive: marked(results.recursive_by_type.iter().map(|r| r.function).collect()),
            leaves_program: marked(results.may_leave_program.iter().map(|r| r.function).collect()),
            writes_through: marked(results.may_write_through.iter().map(|r| r.function).collect()),
            releases: marked(results.may_release.iter().map(|r| r.function).collect()),
            set_somewhere: results.may_set.iter().map(|(_, v)| ids.variable(v)).collect(),
            callees,
            calls_unknown,
            entered,
            results,
            ids: Arc::clone(ids),
        }
    }

    /// The functions whose address the program takes.
    pub fn taken(&self) -> &[FuncId] {
        &self.taken
    }
    /// The functions that the library may call at any time after they were handed over.
    pub fn called_later(&self) -> &[FuncId] {
        &self.called_later
    }
    /// The index of the next argument, where `function` is `getopt` or one of its kin and leaves it where it must be.
    pub fn option_index(&self, function: FuncId) -> Option<VarId> {
        self.option_index.filter(|_| self.takes_options.contains(&function))
    }
    /// The functions that a call may call, as its type says.
    pub fn callees(&self, call: CallId) -> &[FuncId] {
        &self.callees[call]
    }
    /// Whether the call may call code that nothing is known of, besides those, as its type says.
    pub fn calls_unknown(&self, call: CallId) -> bool {
        self.calls_unknown[call]
    }
    /// The functions that control may be in next after `function`.
    pub fn entered_from(&self, function: FuncId) -> &[FuncId] {
        &self.entered[function]
    }
    /// Whether some function may write the static variable by its name.
    pub fn sets_somewhere(&self, v: VarId) -> bool {
        self.set_somewhere.contains(&v)
    }
    /// Whether a call of `function` may lead to another one before it returns.
    pub fn is_recursive(&self, function: FuncId) -> bool {
        self.recursive[function]
    }
    /// The functions that control may come to from `function` before it leaves it, itself included.
    pub fn reachable_from(&self, function: FuncId) -> Vec<FuncId> {
        let found = self.results.may_come_to.elements(self.ids.named(function));
        sorted(found.map(|f| self.ids.function(f)))
    }
    /// The static variables that `function` and what it may come to name, and those that constants among them hold the
    /// addresses of.
    pub fn named(&self, function: FuncId) -> Vec<VarId> {
        let found = self.results.may_name.elements(self.ids.named(function));
        sorted(found.map(|v| self.ids.variable(v)))
    }
    /// The static variables that `function` and what it may come to write by name.
    pub fn set(&self, function: FuncId) -> Vec<VarId> {
        let found = self.results.may_set.elements(self.ids.named(function));
        sorted(found.map(|v| self.ids.variable(v)))
    }
    /// The allocation sites of `function` and what it may come to.
    pub fn allocs(&self, function: FuncId) -> Vec<AllocId> {
        let found = self.results.may_allocate_by.elements(self.ids.named(function));
        sorted(found.map(|a| self.ids.alloc(a)))
    }
    /// Whether `function` may come to code that is not in the program.
    pub fn leaves_program(&self, function: FuncId) -> bool {
        self.leaves_program[function]
    }
    /// Whether `function` or what it may come to writes through a pointer.
    pub fn writes_through(&self, function: FuncId) -> bool {
        self.writes_through[function]
    }
    /// Whether `function` or what it may come to frees blocks of the heap, or gives them other sizes.
    pub fn releases(&self, function: FuncId) -> bool {
        self.releases[function]
    }
}
