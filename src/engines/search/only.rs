//! The only execution of a program that reads no input.
//!
//! Where a run has asked for no input, and nothing on its way depended on what C leaves open, every execution is that run: a check that it
//! passed cannot fail, and what it did not come to is never reached. Assumption B1 (operands are evaluated from left to right) makes the order of
//! evaluation one of the things that are fixed.

use crate::concrete::{Machine, Observer, Outcome, Run};
use crate::ir::{Check, Program, SiteId, StmtKind};
use std::collections::BTreeSet;

/// A program's only execution: it has come to its end and failed no check that was asked for.
#[derive(Clone, Debug, Default)]
pub struct OnlyRun {
    /// The sites of the checks that were judged on the way.
    passed: BTreeSet<SiteId>,
    /// Whether blocks of the heap were left at the end.
    pub leaves_blocks: bool,
}

impl OnlyRun {
    /// Whether control came to the site. A site in no statement is none that this can be said of.
    pub fn passes(&self, site: SiteId) -> bool {
        self.passed.contains(&site)
    }

    /// The sites that stand in checks of the program.
    pub fn checked(program: &Program) -> BTreeSet<SiteId> {
        let blocks = program.functions.iter().flat_map(|f| f.blocks.iter());
        let checks = blocks.flat_map(|block| &block.stmts).filter_map(|stmt| match &stmt.kind {
            StmtKind::Check(check) => Some(check.sites().collect::<Vec<_>>()),
            _ => None,
        });
        checks.flatten().collect()
    }
}

/// Whether the run stands for all executions, and none of them errs.
pub(super) fn is_only(run: &Run) -> bool {
    let ended = matches!(run.outcome, Outcome::Exit(_) | Outcome::Returned(_));
    let as_text_says = run.flags.is_determined() && !run.flags.allocation_failed && !run.flags.constant_met;
    ended && run.inputs.is_empty() && run.files.is_empty() && run.continued.is_empty() && as_text_says
}

/// Notes which checks a run passes.
#[derive(Debug, Default)]
pub(super) struct Passing {
    passed: BTreeSet<SiteId>,
    /// Those that failed, of a kind that was asked for or not.
    failed: BTreeSet<SiteId>,
}

impl Passing {
    /// What is known now that the run has ended.
    pub fn end(self, run: &Run, program: &Program) -> Option<OnlyRun> {
        // What is no error of C may have happened where nobody asks for it.
        let only = is_only(run) && !self.failed.iter().any(|site| program.sites[*site].kind.by_default());
        only.then_some(OnlyRun { passed: self.passed, leaves_blocks: run.leaves_blocks })
    }
}

impl Observer for Passing {
    fn at_check(&mut self, check: &Check, failed: Option<SiteId>, _: &Machine<'_>) {
        self.failed.extend(failed);
        self.passed.extend(check.sites());
    }
}
