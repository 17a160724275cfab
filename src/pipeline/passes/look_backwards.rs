//! Preconditions found backwards from sites.

use super::ground::{Ground, Next};
use crate::engines::backward;
use crate::engines::backward::joined::stage::join;
use crate::engines::task::Budget;
use crate::ir::SiteId;
use crate::pipeline::error::Error;
use crate::pipeline::failure::erring;
use std::time::Instant;

/// Paths of a box with which a joined one may be larger: as many as may be added one by one.
const MANY_PATHS: usize = 8;

/// Looks backwards from what is open, and from runs whose boxes are small; what is proved is handed over.
pub fn look_backwards(ground: &Ground) -> Result<Next, Error> {
    let (Some(entry), None) = (ground.followed_entry(), ground.only.get()) else { return Ok(Next::Go) };
    let (program, clock, profile) = (ground.program(), &ground.clock, &ground.request.profile);
    let none = Default::default();
    let found = ground.found.get().unwrap_or(&none);
    let wanted = ground.wanted();
    let small = |site: &&SiteId| match (found.get(*site), ground.results().boxes.get(*site)) {
        (Some(found), Some(made)) => !found.run.inputs.is_empty() && (made.paths == 0 || made.paths >= MANY_PATHS),
        _ => true,
    };
    let sites: Vec<SiteId> =
        ground.open.get().into_iter().flatten().filter(|site| wanted(**site)).filter(small).copied().collect();
    if sites.is_empty() || clock.left().is_zero() {
        return Ok(Next::Go);
    }
    clock.enter("looking backwards");
    let started = Instant::now();
    let limits = &profile.backwards;
    let forward = ground.proofs_of(entry, limits.time_to_analyse);
    let options = ground.search_options(Budget::of(limits.time.of(clock.left())), profile.search.statements);
    let joint = join(program, entry, forward, &options, &sites, found, &options.budget);
    let mut results = ground.results();
    if forward.incomplete.is_some() || options.budget.is_spent() {
        results.starved_in = Some(ground.request.seconds());
    }
    results.times.add("backwards", started.elapsed());
    results.remarks.push(joint.remark());
    for (site, (run, outcome)) in &joint.found {
        let proved = match outcome {
            backward::Outcome::Proved(proved) => Some(proved),
            _ => None,
        };
        if proved.is_some() || !found.contains_key(site) {
            let engine = if found.contains_key(site) { "search" } else { "backward" };
            results.runs.insert(*site, (erring(program, entry, run, proved), engine));
            results.boxes.insert(*site, outcome.into());
        }
    }
    Ok(Next::Go)
}
