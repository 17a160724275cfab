//! Loops summarized for the sites that all else leaves open.

use super::ground::{Ground, Next};
use crate::concrete::{InputValue, Prepared, Script};
use crate::engines::backward;
use crate::engines::forward::ValueAt;
use crate::engines::invariant::template::Templates;
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
pub fn glance(ground: &Ground, entry: FuncId, mut open: BTreeSet<SiteId>, values: &[ValueAt]) -> BTreeSet<SiteId> {
    let limits = &ground.request.profile.summaries;
    if open.is_empty() || ground.request.summaries.is_some() || ground.clock.left().is_zero() {
        return open;
    }
    ground.clock.enter("unrolling loops");
    let (started, subject) = (Instant::now(), (ground.program(), ground.memory()));
    let budget = Budget::of(limits.time_to_glance.of(ground.clock.left())).with(limits.glance.effort);
    let mut judgement = judge_sites(subject, entry, &open, values, Templates::NONE, (&limits.glance, &budget));
    let asked = open.len();
    open.retain(|site| !judgement.safe.contains_key(site));
    let _ = ground.suspects.set(std::mem::take(&mut judgement.suspects));
    hand_over(ground, judgement, asked, started);
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
    let (program, memory, clock) = (ground.program(), ground.memory(), &ground.clock);
    let (started, limits) = (Instant::now(), &ground.request.profile.summaries);
    let values = ground.proofs_of(entry, limits.time_to_analyse).value_at(program);
    let candidates = limits.candidate_limits(limits.time_for_candidates.of(clock.left()));
    let templates = rules.candidates(program, &candidates, clock.listener()).unwrap_or_else(|why| {
        clock.listener().tell(&format!("cellog: {why}"));
        Templates::default()
    });
    let budget = Budget::of(limits.time.of(clock.left())).with(limits.sites.effort);
    let judgement = judge_sites((program, memory), entry, sites, &values, &templates, (&limits.sites, &budget));
    if budget.is_spent() {
        ground.results().starved_in = Some(ground.request.seconds());
    }
    let suspects = judgement.suspects.clone();
    hand_over(ground, judgement, sites.len(), started);
    try_suspects(ground, entry, &suspects);
}

/// Hands over what is shown, and what there is to say of it.
fn hand_over(ground: &Ground, judgement: Judgement, asked: usize, started: Instant) {
    let mut results = ground.results();
    results.times.add("summaries", started.elapsed());
    results.remarks.push(remark(&judgement, asked));
    results.remarks.extend(judgement.rechecks.dropped.iter().map(|(span, formula, why)| {
        let place = ground.program().sources.describe(*span);
        format!("summary: {place}: dropped, not shown again ({why}): {formula}")
    }));
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
}

/// Makes runs on what is suspected; those that err are handed over, with boxes that grow around their inputs.
fn try_suspects(ground: &Ground, entry: FuncId, suspects: &BTreeMap<SiteId, Vec<InputValue>>) {
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

fn remark(judgement: &Judgement, asked: usize) -> String {
    let Judgement { safe, queries, rechecks, doubt, .. } = judgement;
    let doubt = doubt.as_ref().map_or_else(String::new, |why| format!("; the last doubt: {why}"));
    let (safe, again, asked_again) = (safe.len(), rechecks.invariants, rechecks.queries);
    format!(
        "summary: {asked} sites, {safe} safe, {queries} queries; {again} invariants shown again by {asked_again} of them{doubt}"
    )
}
