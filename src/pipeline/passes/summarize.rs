//! Loops summarized for the sites that all else leaves open.

use super::ground::{Ground, Next, Suspects};
use crate::concrete::{Prepared, Script};
use crate::engines::backward;
use crate::engines::forward::ValueAt;
use crate::engines::invariant::template::Templates;
use crate::engines::limits::{Share, SiteLimits};
use crate::engines::search::{Found, SearchOptions, confirm, rerun};
use crate::engines::summary::sites::{Judgement, judge_sites};
use crate::engines::task::Budget;
use crate::ir::{FuncId, Program, SiteId};
use crate::pipeline::error::Error;
use crate::pipeline::failure::erring;
use crate::pipeline::rules::templates::TemplateRules;
use crate::verdict::{Certificate, Erring, Judged, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

/// The engine's name in reports.
const ENGINE: &str = "summary";

/// A look at sites that proofs leave open: few turns of loops, and questions that are answered soon. What is shown to be safe is handed over; what
/// is suspected waits until runs on chosen inputs have not found it. Returns what stays open.
pub fn glance(ground: &Ground, entry: FuncId, mut open: BTreeSet<SiteId>) -> BTreeSet<SiteId> {
    let limits = &ground.request.profile.summaries;
    if open.is_empty() || ground.request.summaries.is_some() || ground.clock.left().is_zero() {
        return open;
    }
    ground.clock.enter("unrolling loops");
    let given = (&[][..], Templates::NONE);
    let (safe, suspects) = judge(ground, entry, &open, given, (&limits.glance, limits.time_to_glance));
    let _ = ground.suspects.set(suspects);
    open.retain(|site| !safe.contains(site));
    open
}

/// Judges what is open, all sites together whatever the part: each may say something of the others. Where nobody asks for it, what was suspected
/// at first sight is tried.
pub fn summarize_loops(ground: &Ground) -> Result<Next, Error> {
    let Some(entry) = ground.followed_entry().filter(|_| ground.only.get().is_none()) else {
        return Ok(Next::Go);
    };
    let certain = |site: &SiteId| matches!(ground.results().runs.get(site), Some((Erring::Certain(_), _)));
    let open = ground.open.get().into_iter().flatten();
    let sites: BTreeSet<SiteId> = open.filter(|site| !certain(site)).copied().collect();
    if sites.is_empty() || ground.clock.left().is_zero() {
        return Ok(Next::Go);
    }
    match &ground.request.summaries {
        Some(rules) => {
            ground.clock.enter("summarizing loops");
            summarize(ground, entry, &sites, rules);
        }
        None => {
            let mut suspects = ground.suspects.get().cloned().unwrap_or_default();
            suspects.retain(|site, _| sites.contains(site));
            if !suspects.is_empty() {
                ground.clock.enter("trying what is suspected");
                try_suspects(ground, entry, &suspects);
            }
        }
    }
    Ok(Next::Go)
}

fn summarize(ground: &Ground, entry: FuncId, sites: &BTreeSet<SiteId>, rules: &TemplateRules) {
    let (program, clock, limits) = (ground.program(), &ground.clock, &ground.request.profile.summaries);
    let started = Instant::now();
    let values = ground.proofs_of(entry, limits.time_to_analyse).value_at(program);
    let candidates = limits.candidate_limits(limits.time_for_candidates.of(clock.left()));
    let templates = rules.candidates(program, &candidates, clock.listener()).unwrap_or_else(|why| {
        clock.listener().tell(&format!("cellog: {why}"));
        Templates::default()
    });
    ground.results().times.add("summaries", started.elapsed());
    let (_, suspects) = judge(ground, entry, sites, (&values, &templates), (&limits.sites, limits.time));
    try_suspects(ground, entry, &suspects);
}

/// Judges `sites` with what is guessed, within so much and this part of the time, and hands over what is shown. Returns what is safe and what is
/// suspected.
fn judge(
    ground: &Ground,
    entry: FuncId,
    sites: &BTreeSet<SiteId>,
    (values, templates): (&[ValueAt], &Templates),
    (limits, time): (&SiteLimits, Share),
) -> (BTreeSet<SiteId>, Suspects) {
    let (started, program) = (Instant::now(), ground.program());
    let budget = Budget::of(time.of(ground.clock.left())).with(limits.effort);
    let judgement = judge_sites((program, ground.memory()), entry, sites, values, templates, (limits, &budget));
    let mut results = ground.results();
    results.times.add("summaries", started.elapsed());
    if budget.is_spent() {
        results.starved_in = Some(ground.request.seconds());
    }
    results.remarks.push(remark(&judgement, sites.len()));
    results.remarks.extend(judgement.rechecks.dropped.iter().map(|(span, formula, why)| {
        let place = program.sources.describe(*span);
        format!("summary: {place}: dropped, not shown again ({why}): {formula}")
    }));
    for (site, leap) in &judgement.leaps {
        if let Some(doubt) = results.assumed.doubts.get_mut(site) {
            doubt.add(leap);
        }
        if let Some(Judged { verdict: Verdict::Possible(state), .. }) = results.over.get_mut(site) {
            *state = format!("{state}; {leap}");
        }
    }
    let safe = judgement.safe.keys().copied().collect();
    for (site, invariant) in judgement.safe {
        let verdict = Verdict::Safe(Certificate { invariant });
        results.over.insert(site, Judged { verdict, engine: ENGINE });
    }
    (safe, judgement.suspects)
}

/// Makes runs on what is suspected; those that err are handed over, with boxes that grow around their inputs.
fn try_suspects(ground: &Ground, entry: FuncId, suspects: &Suspects) {
    let (program, clock, profile) = (ground.program(), &ground.clock, &ground.request.profile);
    let (started, limits) = (Instant::now(), &profile.summaries);
    let confirming = Budget::of(limits.time_to_confirm.of(clock.left()));
    let options = ground.search_options(confirming, profile.search.statements);
    let found = confirmed(program, entry, suspects, &options);
    let growing = Budget::of(limits.time_to_confirm.of(clock.left()));
    let (boxes, _) = backward::preconditions(program, entry, &options, &found, |_| true, &growing);
    let mut results = ground.results();
    results.times.add("summaries", started.elapsed());
    results.remarks.push(format!("summary: {} suspected, {} runs err", suspects.len(), found.len()));
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
}

/// The runs on suspected inputs that err, by the site where they do.
fn confirmed(
    program: &Program,
    entry: FuncId,
    suspects: &Suspects,
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

fn remark(judgement: &Judgement, asked: usize) -> String {
    let Judgement { safe, queries, rechecks, doubt, .. } = judgement;
    let doubt = doubt.as_ref().map_or_else(String::new, |why| format!("; the last doubt: {why}"));
    let (safe, again, asked_again) = (safe.len(), rechecks.invariants, rechecks.queries);
    format!(
        "summary: {asked} sites, {safe} safe, {queries} queries; {again} invariants shown again by {asked_again} of them{doubt}"
    )
}
