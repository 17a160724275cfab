//! The over-approximation of all executions.

use super::ground::{Ground, Next};
use super::over::judged;
use super::summarize::glance;
use crate::engines::forward::{Options, SiteVerdict, Start, analyze_from};
use crate::ir::SiteId;
use crate::pipeline::error::Error;
use crate::pipeline::times::Times;
use std::collections::BTreeSet;
use std::time::Instant;

/// Over-approximates all executions; what it says of sites is handed over, and what it leaves open noted.
pub fn prove_sites(ground: &Ground) -> Result<Next, Error> {
    let (program, clock, request) = (ground.program(), &ground.clock, &ground.request);
    let limits = &request.profile.proofs;
    // Checks that execution runs past are judged with the others.
    let share = if request.values { limits.time_before_rules } else { limits.time };
    let (begun, sites) = (Instant::now(), program.sites.len());
    let tell = |steps: u64, function: &str| {
        let rate = steps as f64 / begun.elapsed().as_secs_f64().max(1e-3);
        clock.note(format!("{sites} sites, {rate:.0} statements/s, in {function}"));
    };
    // What later passes ask for costs less here than another analysis would.
    let options = Options {
        alone: true,
        keep_invariants: request.values || request.summaries.is_some(),
        keep_places: match ground.start() {
            Start::Function(_) => request.profile.backwards.analysed_statements + 1,
            Start::Outside(_) => 0,
        },
        progress: Some(&tell),
        ..limits.analysis.options(share.of(clock.left()))
    };
    let started = Instant::now();
    let result = analyze_from(program, ground.memory(), ground.start(), &options);
    let took = started.elapsed();
    let undecided = |(site, answer): (SiteId, &SiteVerdict)| {
        // Rules join what the engines say of any site, asked for or not.
        let wanted = request.values || request.checks.contains(&program.sites[site].kind);
        let decided = matches!(answer, SiteVerdict::Safe(_) | SiteVerdict::Unreachable);
        (wanted && !decided).then_some(site)
    };
    let open: BTreeSet<SiteId> = result.verdicts.iter_enumerated().filter_map(undecided).collect();
    let _ = ground.statements.set(result.steps);
    let verdicts = result.verdicts.iter_enumerated().map(|(site, answer)| (site, judged(answer)));
    let always = |answer: &SiteVerdict| matches!(answer, SiteVerdict::Possible { always: true, .. });
    let never_passed = result.verdicts.iter_enumerated().filter(|(_, answer)| always(answer)).map(|(site, _)| site);
    let unfollowed = result.verdicts.iter_enumerated().filter_map(|(site, answer)| match answer {
        SiteVerdict::Possible { unfollowed, .. } => Some((site, unfollowed.clone()?)),
        _ => None,
    });
    let unfollowed = unfollowed.collect();
    let doubts = result.verdicts.iter_enumerated().filter_map(|(site, answer)| match answer {
        SiteVerdict::Possible { doubt, always, .. } => {
            let mut doubt = doubt.clone()?;
            if *always {
                doubt.add("no state passes");
            }
            Some((site, doubt))
        }
        _ => None,
    });
    let doubts = doubts.collect();
    let values = if request.values { result.values_where_decided(program) } else { Vec::new() };
    let mut results = ground.results();
    results.times.add("proofs", took);
    results.remarks.extend(result.attempts.iter().map(ToString::to_string));
    Times::join(&mut results.times.judging, &result.judging);
    if result.incomplete.is_some() {
        results.starved_in = Some(request.seconds());
    }
    results.over.extend(verdicts);
    results.assumed.never_passed = never_passed.collect();
    results.assumed.unfollowed = unfollowed;
    results.assumed.doubts = doubts;
    results.values = values;
    drop(results);
    let entry = ground.followed_entry().filter(|_| result.incomplete.is_none());
    let _ = ground.open.set(match entry {
        Some(entry) => glance(ground, entry, open),
        None => open,
    });
    if entry.is_some() {
        let _ = ground.proofs.set(result);
    }
    Ok(Next::Go)
}
