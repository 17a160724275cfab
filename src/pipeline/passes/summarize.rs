//! Loops summarized for the sites that all else leaves open.

use super::ground::{Ground, Next};
use crate::concrete::{InputValue, Prepared, Script};
use crate::engines::backward;
use crate::engines::invariant::template::Templates;
use crate::engines::search::{Found, SearchOptions, confirm, rerun};
use crate::engines::summary::sites::{Judgement, judge_sites};
use crate::engines::task::Budget;
use crate::ir::{FuncId, Program, SiteId};
use crate::pipeline::error::Error;
use crate::pipeline::failure::erring;
use crate::verdict::{Certificate, Erring, Judged, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

/// The engine's name in reports.
const ENGINE: &str = "summary";

/// Judges what is open, all sites together whatever the part: each may say something of the others.
pub fn summarize_loops(ground: &Ground) -> Result<Next, Error> {
    let (Some(entry), Some(rules)) = (ground.followed_entry(), &ground.request.summaries) else {
        return Ok(Next::Go);
    };
    if ground.only.get().is_some() {
        return Ok(Next::Go);
    }
    let (program, memory, clock, profile) = (ground.program(), ground.memory(), &ground.clock, &ground.request.profile);
    let certain = |site: &SiteId| matches!(ground.results().runs.get(site), Some((Erring::Certain(_), _)));
    let open = ground.open.get().into_iter().flatten();
    let sites: BTreeSet<SiteId> = open.filter(|site| !certain(site)).copied().collect();
    if sites.is_empty() || clock.left().is_zero() {
        return Ok(Next::Go);
    }
    clock.enter("summarizing loops");
    let started = Instant::now();
    let limits = &profile.summaries;
    let values = ground.proofs_of(entry, limits.time_to_analyse).value_at(program);
    let candidates = limits.candidate_limits(limits.time_for_candidates.of(clock.left()));
    let templates = rules.candidates(program, &candidates, clock.listener()).unwrap_or_else(|why| {
        clock.listener().tell(&format!("cellog: {why}"));
        Templates::default()
    });
    let budget = Budget::of(limits.time.of(clock.left()));
    let judgement = judge_sites((program, memory), entry, &sites, &values, &templates, (&limits.sites, &budget));
    let confirming = Budget::of(limits.time_to_confirm.of(clock.left()));
    let options = ground.search_options(confirming, profile.search.statements);
    let found = confirmed(program, entry, &judgement.suspects, &options);
    let growing = Budget::of(limits.time_to_confirm.of(clock.left()));
    let (boxes, _) = backward::preconditions(program, entry, &options, &found, |_| true, &growing);
    let mut results = ground.results();
    results.times.add("summaries", started.elapsed());
    if budget.is_spent() {
        results.starved_in = Some(ground.request.seconds());
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
        if let Some(doubt) = results.assumed.doubts.get_mut(site) {
            doubt.add(leap);
        }
        if let Some(Judged { verdict: Verdict::Possible(state), .. }) = results.over.get_mut(site) {
            *state = format!("{state}; {leap}");
        }
    }
    Ok(Next::Go)
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
        let run = rerun(&prepared, entry, (&mut Script::of(inputs.clone()), Arc::default()), options, &mut ());
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
