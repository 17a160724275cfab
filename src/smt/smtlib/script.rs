//! The commands of an incremental session: declarations and definitions for the session, assertions by level.

use rustc_hash::FxHashSet;

use super::super::error::{Result, SmtError};
use super::super::op::{Op, Term};
use super::super::pool::TermPool;
use super::super::solver::Options;
use super::{layout, symbol};

/// What a session has said so far. Declarations and definitions outlive levels (`:global-declarations`).
#[derive(Debug, Default)]
pub(in super::super) struct Script {
    pool: Option<u64>,
    /// Variables that are declared, and terms that are defined.
    declared: FxHashSet<Term>,
    defined: FxHashSet<Term>,
    /// Terms whose text was written.
    written: FxHashSet<Term>,
    /// Terms with a literal to assume in their place, declared for the session.
    literals: FxHashSet<Term>,
    /// The same by the level that ties the literal to its term; the first is outside of all levels.
    tied: Vec<FxHashSet<Term>>,
}

/// Commands to send for one formula, in this order.
pub(in super::super) struct Written {
    /// Declarations and definitions, a line each; they hold for the session.
    pub global: String,
    /// Assertions, a line each; they hold for the level.
    pub local: String,
}

impl Script {
    /// The commands that every session starts with.
    pub(in super::super) fn header(options: Options) -> String {
        format!(
            "(set-option :print-success false)\n(set-option :global-declarations true)\n\
             (set-option :produce-models true)\n(set-option :produce-unsat-assumptions true)\n\
             (set-option :random-seed {})\n(set-logic {})\n",
            options.seed, options.logic
        )
    }

    /// How many terms were written.
    pub(in super::super) fn len(&self) -> u64 {
        self.written.len() as u64
    }

    /// Whether the variable was declared.
    pub(in super::super) fn is_declared(&self, variable: Term) -> bool {
        self.declared.contains(&variable)
    }

    /// The symbol of a variable.
    pub(in super::super) fn symbol(pool: &TermPool, variable: Term) -> String {
        symbol::of(pool, variable)
    }

    pub(in super::super) fn push(&mut self) {
        self.levels().push(FxHashSet::default());
    }

    pub(in super::super) fn pop(&mut self) -> Result<()> {
        if self.level() == 0 {
            return Err(SmtError::NoLevel);
        }
        self.tied.pop();
        Ok(())
    }

    /// How many levels are open.
    pub(in super::super) fn level(&self) -> usize {
        self.tied.len().saturating_sub(1)
    }

    /// The sets of `tied`, the one outside of all levels there at least.
    fn levels(&mut self) -> &mut Vec<FxHashSet<Term>> {
        if self.tied.is_empty() {
            self.tied.push(FxHashSet::default());
        }
        &mut self.tied
    }

    /// The commands that assert `formula`.
    pub(in super::super) fn assertion(&mut self, pool: &TermPool, formula: Term) -> Result<Written> {
        let mut written = Written { global: String::new(), local: String::new() };
        let text = self.term(pool, formula, &mut written.global)?;
        written.local = format!("(assert {text})\n");
        Ok(written)
    }

    /// The commands that prepare `assumption`, and the literal to assume: SMT-LIB takes nothing but literals.
    pub(in super::super) fn assumption(&mut self, pool: &TermPool, assumption: Term) -> Result<(Written, String)> {
        let mut written = Written { global: String::new(), local: String::new() };
        let variable = |t: Term| matches!(pool.op(t), Op::Variable(_));
        if variable(assumption) || (pool.op(assumption) == Op::Not && variable(pool.args(assumption)[0])) {
            let literal = self.term(pool, assumption, &mut written.global)?;
            return Ok((written, literal));
        }
        let literal = symbol::of_assumption(assumption);
        if !self.tied.iter().any(|level| level.contains(&assumption)) {
            let text = self.term(pool, assumption, &mut written.global)?;
            if self.literals.insert(assumption) {
                written.global.push_str(&format!("(declare-fun {literal} () Bool)\n"));
            }
            written.local = format!("(assert (=> {literal} {text}))\n");
            self.levels().last_mut().expect("there is a set outside of all levels").insert(assumption);
        }
        Ok((written, literal))
    }

    /// The text of `term`; what it needs declared or defined first goes to `global`.
    fn term(&mut self, pool: &TermPool, term: Term, global: &mut String) -> Result<String> {
        if *self.pool.get_or_insert(pool.id()) != pool.id() {
            return Err(SmtError::ForeignPool);
        }
        let layout = layout::lay_out(pool, term, &self.defined);
        for &t in &layout.visited {
            self.written.insert(t);
            if matches!(pool.op(t), Op::Variable(_)) && self.declared.insert(t) {
                global.push_str(&format!("(declare-fun {} () {})\n", symbol::of(pool, t), pool.sort(t)));
            }
        }
        for (t, text) in layout.definitions {
            global.push_str(&format!("(define-fun {} () {} {text})\n", symbol::of_definition(t), pool.sort(t)));
            self.defined.insert(t);
        }
        Ok(layout.text)
    }
}
