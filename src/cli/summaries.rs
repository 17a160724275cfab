//! The stage of `check` that summarizes loops for the sites that all else leaves open.

use super::check::Results;
use super::failure::erring;
use super::output::tell;
use super::plan::{Open, Plan, SEARCH_STATEMENTS, lock};
use super::stages::Clock;
use super::templates::TemplateRules;
use crate::concrete::{InputValue, Prepared, Script};
use crate::engines::backward;
use crate::engines::forward::{Options, Start, analyze_from};
use crate::engines::invariant::template::Templates;
use crate::engines::search::{Found, SearchOptions, confirm, rerun};
use crate::engines::summary::sites::{Judgement, judge_sites};
use crate::engines::task::Budget;
use crate::ir::{FuncId, Program, SiteId};
use crate::memory::Memory;
use crate::verdict::{Certificate, Erring, Judged, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::time::Instant;

/// The engine's name in reports.
const ENGINE: &str = "summary";
/// The part of the time left that it may take, so that reports are written in time.
const SHARE: f64 = 0.6;

impl Plan {
    /// Judges what is open, all sites together whatever the part: each may say something of the others.
    pub(super) fn summarize(
        &self,
        clock: &Clock,
        (program, memory, rules): (&Program, &Memory, &TemplateRules),
        entry: FuncId,
        open: &Open,
        results: &Mutex<Results>,
    ) {
        let certain = |site: &SiteId| matches!(lock(results).runs.get(site), Some((Erring::Certain(_), _)));
        let sites: BTreeSet<SiteId> = open.get().into_iter().flatten().filter(|site| !certain(site)).copied().collect();
        if sites.is_empty() || clock.left().is_zero() {
            return;
        }
        clock.enter("summarizing loops");
        let started = Instant::now();
        let options = Options { time_limit: clock.left() / 6, keep_invariants: true, ..Options::default() };
        let values = analyze_from(program, memory, &Start::Function(entry), &options).value_at(program);
        let templates = rules.candidates(program, clock.left() / 6).unwrap_or_else(|why| {
            tell(&format!("cellog: {why}"));
            Templates::default()
        });
        let budget = Budget::of(clock.left().mul_f64(SHARE));
        let judgement = judge_sites((program, memory), entry, &sites, &values, &templates, &budget);
        let options = self.search_options(Budget::of(clock.left() / 2), SEARCH_STATEMENTS, open);
        let found = confirmed(program, entry, &judgement.suspects, &options);
        let growing = Budget::of(clock.left() / 2);
        let (boxes, _) = backward::preconditions(program, entry, &options, &found, |_| true, &growing);
        let mut results = lock(results);
        results.times.add("summaries", started.elapsed());
        if budget.is_spent() {
            results.starved_in = Some(self.limits.time_limit);
        }
        results.remarks.push(remark(&judgement, sites.len(), found.len()));
        results.remarks.extend(judgement.rechecks.dropped.iter().map(|(span, formula, why)| {
            let place = program.sources.describe(*span);
            format!("summary: {place}: dropped, not shown again ({why}): {formula}")
        }));
        for (site, run) in &found {
            let proved = match boxes.get(site) {
                Some(backward::Outcome::Proved(proved)) => Some(proved),
                _ => None,
            };
            if !matches!(results.runs.get(site), Some((Erring::Certain(_), _))) {
                results.runs.insert(*site, (erring(program, entry, run, proved), ENGINE));
            }
        }
        results.boxes.extend(boxes.iter().map(|(site, outcome)| (*site, outcome.into())));
        for (site, invariant) in judgement.safe {
            let verdict = Verdict::Safe(Certificate { invariant });
            results.over.insert(site, Judged { verdict, engine: ENGINE });
        }
        for (site, leap) in &judgement.leaps {
            if let Some(Judged { verdict: Verdict::Possible(state), .. }) = results.over.get_mut(site) {
                *state = format!("{state}; {leap}");
            }
        }
    }
}

/// The runs on suspected inputs that err, by the site where they do.
fn confirmed(
    program: &Program,
    entry: FuncId,
    suspects: &BTreeMap<SiteId, Vec<InputValue>>,
    options: &SearchOptions,
) -> BTreeMap<SiteId, Found> {
    let prepared = Prepared::new(program);
    let mut found = BTreeMap::new();
    for inputs in suspects.values() {
        let run = rerun(&prepared, entry, &mut Script::of(inputs.clone()), options, &mut ());
        if let Some(site) = run.error()
            && let Some(run) = confirm(&prepared, entry, &run.inputs, site, options)
        {
            found.insert(site, run);
        }
    }
    found
}

fn remark(judgement: &Judgement, asked: usize, found: usize) -> String {
    let Judgement { safe, suspects, queries, rechecks, doubt, .. } = judgement;
    let doubt = doubt.as_ref().map_or_else(String::new, |why| format!("; the last doubt: {why}"));
    let (safe, suspects) = (safe.len(), suspects.len());
    let (again, asked_again) = (rechecks.invariants, rechecks.queries);
    format!(
        "summary: {asked} sites, {safe} safe, {suspects} suspected, {found} runs err, {queries} queries; \
         {again} invariants shown again by {asked_again} of them{doubt}"
    )
}
