//! Definite errors that verdicts further on assume away.
//!
//! No execution goes on past an error, so whatever is judged after it is judged of the executions that do not err there.
//! Where that matters, the verdict says so: `after_error(site, earlier)` holds of a definite `earlier` that is not `site`
//!
//! * where every path to `site` passes the check of `earlier`, by the flow of control alone, calls followed; or
//! * where the forward analysis excludes an error at `site` (safe, or unreachable), does so no longer when the failures of
//!   all definite sites are gone past, and some path to `site` passes the check of `earlier`.
//!
//! Failures are gone past check by check: those of an access are of its pointer, its object and its bounds together.
//!
//! See: Milanese, Miné, "Under-approximating Memory Abstractions" (000), Sect. 4, where error states are joined as they are met,
//! so that a box leads to some error; ours leads to the error at its site, past those before it.

use super::forward::{ForwardResult, Options, SiteVerdict, Start, analyze_from};
use super::passage::{Sites, passed_before};
use crate::ir::{Program, SiteId};
use crate::memory::Memory;
use crate::verdict::{Judged, VerdictKind};
use std::collections::BTreeMap;
use std::time::Duration;

/// Errors that verdicts assume away, by site.
pub type AfterErrors = BTreeMap<SiteId, Sites>;

/// The errors at `definite` sites that the verdicts on others assume away. `judged`: what an over-approximation says of
/// sites. `time`: for analysing the program once more; None where that would cost too much, so that the flow of control
/// alone counts.
pub fn after_errors(
    program: &Program,
    memory: &Memory,
    start: &Start,
    definite: &Sites,
    judged: &BTreeMap<SiteId, Judged>,
    time: Option<Duration>,
) -> AfterErrors {
    // What execution goes past anyway is not assumed away.
    let ends = |site: &SiteId| !program.sites[*site].kind.continues();
    let definite: Sites = definite.iter().copied().filter(ends).collect();
    if definite.is_empty() {
        return AfterErrors::new();
    }
    let passed = passed_before(program, memory, start, &definite);
    let mut all = passed.surely;
    if let Some(time_limit) = time {
        let options = Options { time_limit, past: definite, ..Options::default() };
        let past = analyze_from(program, memory, start, &options);
        for site in judged.keys().filter(|site| depends(**site, judged, &past)) {
            all.entry(*site).or_default().extend(passed.perhaps.get(site).into_iter().flatten());
        }
    }
    for (site, earlier) in &mut all {
        earlier.remove(site);
    }
    all.retain(|_, earlier| !earlier.is_empty());
    all
}

/// Whether an error at the site is excluded, and is not where executions go past errors.
fn depends(site: SiteId, judged: &BTreeMap<SiteId, Judged>, past: &ForwardResult) -> bool {
    let Some(Judged { verdict, engine: "forward" }) = judged.get(&site) else { return false };
    match (verdict.kind(), &past.verdicts[site]) {
        (VerdictKind::Safe, SiteVerdict::Possible { .. }) => true,
        (VerdictKind::Unreachable, verdict) => {
            matches!(verdict, SiteVerdict::Possible { .. } | SiteVerdict::Safe(_))
        }
        _ => false,
    }
}
