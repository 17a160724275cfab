//! Errors that verdicts further on assume away.
//!
//! No execution goes on past an error, so whatever is judged after it is judged of the executions that do not err there.
//! `rules/verdict/after_error.dl` says where that matters, by the flow of control and by what engines show here:
//!
//! * which sites the forward analysis excludes no longer when the failures of all definite sites are gone past;
//! * which sites none of its states passes.
//!
//! Failures are gone past check by check: those of an access are of its pointer, its object and its bounds together.
//!
//! See: Milanese, Miné, "Under-approximating Memory Abstractions" (000), Sect. 4, where error states are joined as they are met,
//! so that a box leads to some error; ours leads to the error at its site, past those before it.

use super::evidence::{Assumed, Evidence, Over, Runs, Sites, state_evidence};
use super::forward::{ForwardResult, Options, SiteVerdict, Start, analyze_from};
use crate::datalog::programs::{assumed as rules, column};
use crate::datalog::{Input, Limits};
use crate::facts::{Cell, FactStore, Symbols};
use crate::ir::{Program, SiteId};
use crate::memory::{Memory, RuleRun};
use crate::verdict::{Erring, VerdictKind};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// What is judged, and by what.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    pub program: &'a Program,
    pub memory: &'a Memory,
    pub start: &'a Start,
}

/// The errors that verdicts assume away, given what is `known` without them. `again`: how the program is analysed once more, past its
/// definite errors; None where that would cost too much, so that the flow of control alone counts. The rules that ran are told, too.
pub fn assume(
    subject: Subject<'_>,
    over: &Over,
    runs: &Runs,
    known: Assumed,
    again: Option<Options<'_>>,
    limits: &Limits,
) -> (Assumed, Option<RuleRun>) {
    let Subject { program, memory, start } = subject;
    let certain = runs.iter().filter(|(_, (erring, _))| matches!(erring, Erring::Certain(_))).map(|(site, _)| *site);
    // What execution goes past anyway is not assumed away.
    let definite: Sites = certain.filter(|site| !program.sites[*site].kind.continues()).collect();
    let mut assumed = known;
    if definite.is_empty() && assumed.never_passed.is_empty() {
        return (assumed, None);
    }
    if let Some(options) = again.filter(|_| !definite.is_empty()) {
        let options = Options { past: definite, ..options };
        let past = analyze_from(program, memory, start, &options);
        assumed.open_past_errors = over.keys().copied().filter(|site| depends(*site, over, &past)).collect();
    }
    let mut evidence = FactStore { symbols: memory.facts().symbols.clone(), ..FactStore::default() };
    let stated = Evidence { over, runs, boxes: &BTreeMap::new(), assumed: &assumed };
    state_evidence(program, memory.names(), &stated, &mut evidence);
    let both = Both { program: memory.facts(), evidence: &evidence };
    let (derived, run) = RuleRun::of(|| rules::run(&both, limits));
    if let Ok(derived) = derived {
        let named = |site: SiteId| (memory.names().site(program.sites[site].function, site), site);
        let sites: FxHashMap<_, _> = program.sites.indices().map(named).collect();
        let site = |name: column::CheckSite| sites[&name.0];
        for row in &derived.after_error {
            assumed.after_error.entry(site(row.site)).or_default().insert(site(row.earlier));
        }
    }
    (assumed, Some(run))
}

/// Whether an error at the site is excluded, and is not where executions go past errors.
fn depends(site: SiteId, over: &Over, past: &ForwardResult) -> bool {
    let Some(judged) = over.get(&site).filter(|judged| judged.engine == "forward") else { return false };
    match (judged.verdict.kind(), &past.verdicts[site]) {
        (VerdictKind::Safe, SiteVerdict::Possible { .. }) => true,
        (VerdictKind::Unreachable, verdict) => {
            matches!(verdict, SiteVerdict::Possible { .. } | SiteVerdict::Safe(_))
        }
        _ => false,
    }
}

/// The facts of a program and, under the same symbols, the evidence.
struct Both<'a> {
    program: &'a FactStore,
    evidence: &'a FactStore,
}

impl Input for Both<'_> {
    fn symbols(&self) -> Symbols {
        self.program.symbols.clone()
    }

    fn for_each(&self, relation: &str, visit: &mut dyn FnMut(&[Cell])) -> bool {
        self.program.for_each(relation, visit) && self.evidence.for_each(relation, visit)
    }
}
