//! Two observers of one run.

use crate::concrete::{Machine, Observer};
use crate::ir::{BlockId, Check, FuncId, SiteId, Stmt, Terminator};

/// The first sees each step before the second.
pub(super) struct Both<'a, A, B>(pub &'a mut A, pub &'a mut B);

impl<A: Observer, B: Observer> Observer for Both<'_, A, B> {
    fn at_call(&mut self, function: FuncId) {
        self.0.at_call(function);
        self.1.at_call(function);
    }
    fn enter_block(&mut self, function: FuncId, block: BlockId, machine: &Machine<'_>) {
        self.0.enter_block(function, block, machine);
        self.1.enter_block(function, block, machine);
    }
    fn at_check(&mut self, check: &Check, failed: Option<SiteId>, machine: &Machine<'_>) {
        self.0.at_check(check, failed, machine);
        self.1.at_check(check, failed, machine);
    }
    fn before_statement<'p>(&mut self, stmt: &'p Stmt, machine: &mut Machine<'p>) {
        self.0.before_statement(stmt, machine);
        self.1.before_statement(stmt, machine);
    }
    fn after_statement<'p>(&mut self, stmt: &'p Stmt, machine: &mut Machine<'p>) {
        self.0.after_statement(stmt, machine);
        self.1.after_statement(stmt, machine);
    }
    fn before_terminator<'p>(&mut self, terminator: &'p Terminator, machine: &mut Machine<'p>) {
        self.0.before_terminator(terminator, machine);
        self.1.before_terminator(terminator, machine);
    }
}
