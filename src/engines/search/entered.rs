//! The functions that runs have entered, or were to enter.

use crate::base::Idx;
use crate::concrete::{Machine, Observer};
use crate::ir::{BlockId, Check, FuncId, SiteId, Stmt, Terminator};
use std::sync::atomic::{AtomicBool, Ordering};

/// The functions that any of the runs made with it has entered. The default notes nothing.
#[derive(Debug, Default)]
pub struct Entered(Vec<AtomicBool>);

impl Entered {
    /// None yet, of a program of so many functions.
    pub fn new(functions: usize) -> Entered {
        Entered((0..functions).map(|_| AtomicBool::new(false)).collect())
    }

    /// Whether some run has entered it.
    pub fn has(&self, function: FuncId) -> bool {
        self.0.get(function.index()).is_some_and(|entered| entered.load(Ordering::Relaxed))
    }

    /// All that have been entered.
    pub fn iter(&self) -> impl Iterator<Item = FuncId> + '_ {
        (0..self.0.len()).map(FuncId::new).filter(|f| self.has(*f))
    }
}

/// Notes what a run enters, for an observer that watches it.
pub(super) struct Entering<'a, O> {
    pub functions: &'a Entered,
    pub observer: &'a mut O,
}

impl<O: Observer> Observer for Entering<'_, O> {
    fn at_call(&mut self, function: FuncId) {
        if let Some(entered) = self.functions.0.get(function.index()) {
            entered.store(true, Ordering::Relaxed);
        }
        self.observer.at_call(function);
    }
    fn enter_block(&mut self, function: FuncId, block: BlockId, machine: &Machine<'_>) {
        self.observer.enter_block(function, block, machine);
    }
    fn at_check(&mut self, check: &Check, failed: Option<SiteId>, machine: &Machine<'_>) {
        self.observer.at_check(check, failed, machine);
    }
    fn before_statement<'p>(&mut self, stmt: &'p Stmt, machine: &mut Machine<'p>) {
        self.observer.before_statement(stmt, machine);
    }
    fn after_statement<'p>(&mut self, stmt: &'p Stmt, machine: &mut Machine<'p>) {
        self.observer.after_statement(stmt, machine);
    }
    fn before_terminator<'p>(&mut self, terminator: &'p Terminator, machine: &mut Machine<'p>) {
        self.observer.before_terminator(terminator, machine);
    }
}
