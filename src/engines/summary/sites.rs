//! Check sites judged one by one in a program whose loops are unrolled to their end or summarized by invariants.
//!
//! Unlike [`super::summary`], which answers for a property as a whole, this says of each site that is open whether it can err: an
//! execution ends at its first error, whatever its kind, so that what stands behind a site that errs is judged all the same.
//!
//! See: Kroening et al., "Loop Summarization using State and Transition Invariants", Sect. 4 and 6.1: every assertion of the
//! summarized program is checked by itself.

use super::super::forward::ValueAt;
use super::super::invariant::guess::{Candidates, Effort, guess};
use super::super::invariant::prove::{SitesShown, prove_sites};
use super::super::invariant::recheck::{Rechecked, Rechecks, recheck};
use super::super::invariant::strings::add_strings;
use super::super::invariant::template::Templates;
use super::super::invariant::trace::{Tables, trace};
use super::super::task::{Budget, Query};
use super::unroll::Unrolled;
use crate::concrete::InputValue;
use crate::encode::Automaton;
use crate::encode::automaton::Bounds;
use crate::engines::limits::SiteLimits;
use crate::ir::{CheckKind, FuncId, Program, SiteId, StmtKind};
use crate::memory::Memory;
use std::collections::{BTreeMap, BTreeSet};

/// The kinds that are judged. Reads of indeterminate values are not: to the encoding they have any value.
pub(super) const KINDS: &[CheckKind] = &[
    CheckKind::DivByZero,
    CheckKind::SignedOverflow,
    CheckKind::Shift,
    CheckKind::ShiftOverflow,
    CheckKind::VlaBound,
    CheckKind::IndexBound,
    CheckKind::NullDeref,
    CheckKind::OutOfBounds,
    CheckKind::UseAfterFree,
    CheckKind::DoubleFree,
    CheckKind::InvalidFree,
    CheckKind::PointerDiff,
    CheckKind::PointerCompare,
    CheckKind::Assertion,
    CheckKind::UnreachCall,
];
/// How much is guessed and how long windows are, attempt by attempt.
const SCHEDULE: [(Effort, u32); 4] = [(Effort::Little, 0), (Effort::Little, 1), (Effort::More, 0), (Effort::Little, 2)];

/// What was found out of sites.
#[derive(Clone, Debug, Default)]
pub struct Judgement {
    /// Sites at which no execution errs, and why.
    pub safe: BTreeMap<SiteId, String>,
    /// Inputs on which executions seem to err, to be judged by the interpreter.
    pub suspects: BTreeMap<SiteId, Vec<InputValue>>,
    /// How a site fails where loops keep to their summaries.
    pub leaps: BTreeMap<SiteId, String>,
    pub queries: u64,
    /// How the invariants fared when they were shown again.
    pub rechecks: Rechecks,
    /// Why not all sites are decided.
    pub doubt: Option<String>,
}

/// Judges the sites `open` of the program, run from `entry`. `values`: what the forward analysis says; `templates`: what rules guess.
pub fn judge_sites(
    (program, memory): (&Program, &Memory),
    entry: FuncId,
    open: &BTreeSet<SiteId>,
    values: &[ValueAt],
    templates: &Templates,
    (limits, budget): (&SiteLimits, &Budget),
) -> Judgement {
    let mut judgement = Judgement::default();
    let leads = leads(program);
    let wanted: BTreeSet<SiteId> = open.iter().filter_map(|site| leads.get(site).copied()).collect();
    if wanted.is_empty() {
        return judgement;
    }
    // Handlers run where the encoding has no call.
    if !memory.called_later().is_empty() {
        judgement.doubt = Some("functions that a library may call at any time".to_owned());
        return judgement;
    }
    let automaton = match Automaton::new(program, memory, entry, Bounds { nodes: limits.blocks, ..Bounds::default() }) {
        Ok(automaton) => automaton,
        Err(why) => {
            judgement.doubt = Some(why);
            return judgement;
        }
    };
    if automaton.order.is_irreducible() {
        judgement.doubt = Some("a loop that is entered at several places".to_owned());
        return judgement;
    }
    let (unrolled, safe) = (Unrolled::new(&automaton), BTreeMap::new());
    let mut work = Work { automaton: &automaton, templates, unrolled, left: wanted, safe, found: judgement };
    let loops = !automaton.heads().is_empty();
    work.unroll(limits.turns_before, &budget.share(if loops { 0.4 } else { 1.0 }));
    if loops && !work.left.is_empty() {
        let tables = trace(&automaton, entry, limits.runs, &budget.share(0.1));
        work.summarize(&tables, values, &budget.share(0.5));
        work.unroll(limits.turns_after, budget);
    }
    let Work { safe, mut found, .. } = work;
    for site in open {
        if let Some(why) = leads.get(site).and_then(|lead| safe.get(lead)) {
            found.safe.insert(*site, why.clone());
        }
    }
    found
}

/// By site that is judged: the one that the encoding names for all sites of its check.
fn leads(program: &Program) -> BTreeMap<SiteId, SiteId> {
    let mut leads = BTreeMap::new();
    let statements = program.functions.iter().flat_map(|f| f.blocks.iter()).flat_map(|b| &b.stmts);
    for statement in statements {
        let StmtKind::Check(check) = &statement.kind else { continue };
        let judged: Vec<SiteId> = check.sites().filter(|s| KINDS.contains(&program.sites[*s].kind)).collect();
        leads.extend(judged.iter().map(|site| (*site, judged[0])));
    }
    leads
}

pub(super) struct Work<'w, 'p> {
    pub(super) automaton: &'w Automaton<'p>,
    templates: &'w Templates,
    pub(super) unrolled: Unrolled,
    /// Leads that are neither proved nor suspected.
    pub(super) left: BTreeSet<SiteId>,
    /// Leads that are proved.
    safe: BTreeMap<SiteId, String>,
    pub(super) found: Judgement,
}

impl Work<'_, '_> {
    pub(super) fn doubt(&mut self, why: impl Into<String>) {
        self.found.doubt = Some(why.into());
    }

    pub(super) fn prove(&mut self, sites: impl IntoIterator<Item = SiteId>, why: &str) {
        for site in sites {
            if self.left.remove(&site) {
                self.safe.insert(site, why.to_owned());
            }
        }
    }

    /// Replaces loops by the invariants among what is guessed.
    fn summarize(&mut self, tables: &Tables, values: &[ValueAt], budget: &Budget) {
        for (effort, turns) in SCHEDULE {
            if self.left.is_empty() || budget.is_spent() {
                return;
            }
            let mut candidates = guess(self.automaton, tables, values, effort);
            add_strings(self.automaton, &mut candidates);
            self.templates.instantiate(self.automaton, tables, &mut candidates);
            if let Err(why) = self.summarize_by(&candidates, turns, &budget.share(0.5), budget) {
                self.doubt(why);
            }
        }
    }

    fn summarize_by(
        &mut self,
        candidates: &Candidates,
        turns: u32,
        share: &Budget,
        budget: &Budget,
    ) -> Result<(), String> {
        let shown = self.prove_by(Query::new(), candidates, turns, share)?;
        let proved: BTreeSet<SiteId> = self.left.difference(&shown.open).copied().collect();
        if !proved.is_empty() {
            let again = recheck(self.automaton, KINDS, &shown.invariants, turns, budget);
            self.note(&again);
            let again = prove_sites(Query::certifying(), KINDS, self.automaton, (&again.kept, turns), &proved, budget)
                .map_err(|obstacle| obstacle.to_string())?;
            self.found.queries += again.queries;
            let confirmed = proved.difference(&again.open).copied();
            let count: usize = again.invariants.values().map(Vec::len).sum();
            let why = format!("the loops' summaries, of {count} invariants in all, exclude every error here");
            self.prove(confirmed, &why);
        }
        if let Some(gap) = &shown.gap {
            self.doubt(gap.to_string());
        }
        let program = self.automaton.program;
        for (site, leap) in shown.leaps.iter().filter(|(site, _)| self.left.contains(site)) {
            let text = leap.describe(program, |head| self.automaton.span(head));
            self.found.leaps.insert(*site, text);
        }
        Ok(())
    }

    /// Notes how invariants fared when they were shown again.
    fn note(&mut self, again: &Rechecked) {
        self.found.rechecks.add(self.automaton, again);
        self.found.queries += again.queries;
    }

    fn prove_by(
        &mut self,
        query: Query,
        candidates: &Candidates,
        turns: u32,
        budget: &Budget,
    ) -> Result<SitesShown, String> {
        let shown = prove_sites(query, KINDS, self.automaton, (candidates, turns), &self.left, budget)
            .map_err(|obstacle| obstacle.to_string())?;
        self.found.queries += shown.queries;
        Ok(shown)
    }
}
