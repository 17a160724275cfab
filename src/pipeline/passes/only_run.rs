//! What a program's only execution says of sites.

use super::ground::{Ground, Next};
use crate::engines::search::OnlyRun;
use crate::pipeline::error::Error;
use crate::verdict::{Certificate, Judged, Verdict};

/// The engine's name in reports.
const ENGINE: &str = "search";

/// Decides what proofs leave open where the program reads no input: what its run has passed is safe, what it did not come to is unreachable.
pub fn follow_only_run(ground: &Ground) -> Result<Next, Error> {
    let Some(only) = ground.only.get() else { return Ok(Next::Go) };
    // Handlers may run at any time.
    if !ground.memory().called_later().is_empty() {
        return Ok(Next::Go);
    }
    let program = ground.program();
    let judged = |site| {
        let kind = program.sites[site].kind;
        kind.by_default() || ground.request.checks.contains(&kind)
    };
    let mut results = ground.results();
    for site in OnlyRun::checked(program).into_iter().filter(|site| judged(*site)) {
        let open =
            results.over.get(&site).is_none_or(|j| matches!(j.verdict, Verdict::Possible(_) | Verdict::Unknown(_)));
        if !open {
            continue;
        }
        let verdict = if only.passes(site) {
            let invariant = "no input is read, and the only execution passes here without an error".to_owned();
            Verdict::Safe(Certificate { invariant })
        } else {
            let invariant = "no input is read, and the only execution does not come here".to_owned();
            Verdict::Unreachable(Certificate { invariant })
        };
        results.over.insert(site, Judged { verdict, engine: ENGINE });
        results.assumed.doubts.remove(&site);
        results.assumed.unfollowed.remove(&site);
    }
    Ok(Next::Go)
}
