//! What engines have to say of check sites, and as facts: the rules of `rules/verdict/` make verdicts of it.

use super::backward::Grown;
use super::forward::Unfollowed;
use crate::facts::emit::Names;
use crate::facts::{FactStore, column, row};
use crate::ir::{CallId, Program, SiteId};
use crate::verdict::{Doubt, Erring, Failure, Judged, Need, Verdict};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Some check sites.
pub type Sites = BTreeSet<SiteId>;

/// What an over-approximation says of sites.
pub type Over = BTreeMap<SiteId, Judged>;

/// Runs that err, and the engines that found them.
pub type Runs = BTreeMap<SiteId, (Erring, &'static str)>;

/// What verdicts rest on besides what is shown at their own site.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Assumed {
    /// Sites that no state of the forward analysis passes.
    pub never_passed: Sites,
    /// Sites that the forward analysis excludes, but not where executions go on past definite errors.
    pub open_past_errors: Sites,
    /// Errors that verdicts assume away, by site.
    pub after_error: BTreeMap<SiteId, Sites>,
    /// Why states that the forward analysis has not followed come to sites at which no other state errs.
    pub unfollowed: BTreeMap<SiteId, Unfollowed>,
    /// Why the forward analysis could not exclude an error, in words of C.
    pub doubts: BTreeMap<SiteId, Doubt>,
}

impl Assumed {
    /// The calls that are not followed and matter to some site.
    pub fn calls(&self) -> impl Iterator<Item = CallId> {
        self.unfollowed.values().filter_map(|unfollowed| unfollowed.call)
    }
}

/// All that engines have to say of sites.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    pub over: &'a Over,
    pub runs: &'a Runs,
    /// What became of growing the inputs of those runs to boxes.
    pub boxes: &'a BTreeMap<SiteId, Grown>,
    pub assumed: &'a Assumed,
}

/// Adds the evidence to the facts of `program`, which `names` belongs to.
pub fn state_evidence(program: &Program, names: &Names, evidence: &Evidence<'_>, facts: &mut FactStore) {
    let named = |site: SiteId| column::CheckSite(names.site(program.sites[site].function, site));
    for (site, Judged { verdict, engine: by }) in evidence.over {
        let site = named(*site);
        let engine = facts.symbols.intern(by);
        match verdict {
            Verdict::Safe(proof) => {
                let certificate = facts.symbols.intern(&proof.invariant);
                facts.proved_safe.push(row::ProvedSafe { site, engine, certificate });
            }
            Verdict::Unreachable(proof) => {
                let certificate = facts.symbols.intern(&proof.invariant);
                facts.not_reached.push(row::NotReached { site, engine, certificate });
            }
            Verdict::Possible(state) => {
                let cause = facts.symbols.intern(state);
                facts.blocked_by.push(row::BlockedBy { site, engine, cause });
            }
            Verdict::Unknown(reason) => {
                let reason = facts.symbols.intern(&reason.to_string());
                facts.gave_up.push(row::GaveUp { site, engine, reason });
            }
            Verdict::Definite(_) => unreachable!("no over-approximation makes a site definite"),
        }
    }
    for (site, (erring, by)) in evidence.runs {
        let site = named(*site);
        let engine = facts.symbols.intern(by);
        match erring {
            Erring::Certain(failure) => {
                let run = facts.symbols.intern(&when(failure));
                facts.errs_on_run.push(row::ErrsOnRun { site, engine, run });
                for earlier in &failure.past {
                    let earlier = named(*earlier);
                    facts.errs_past.push(row::ErrsPast { site, earlier });
                }
                for need in Need::of(failure) {
                    facts.errs_only_when.push(row::ErrsOnlyWhen { site, need: facts.symbols.intern(need.name()) });
                }
            }
            Erring::Doubtful(why) => {
                let reason = facts.symbols.intern(why);
                facts.errs_in_doubt.push(row::ErrsInDoubt { site, engine, reason });
            }
        }
    }
    let engine = facts.symbols.intern("backward");
    for (site, made) in evidence.boxes {
        let outcome = facts.symbols.intern(if made.paths > 0 { "definite" } else { "unknown" });
        let (site, reason) = (named(*site), facts.symbols.intern(&made.outcome));
        facts.grown.push(row::Grown { site, engine, outcome, reason });
        if made.paths > 0 {
            facts.certificate.push(row::Certificate { site, engine, paths: made.paths as i64 });
        }
    }
    let engine = facts.symbols.intern("forward");
    let never = evidence.assumed.never_passed.iter().map(|site| row::NeverPassed { site: named(*site), engine });
    facts.never_passed.extend(never);
    for (site, Unfollowed { reason, call }) in &evidence.assumed.unfollowed {
        let (site, reason) = (named(*site), facts.symbols.intern(&reason.to_string()));
        facts.only_unfollowed.push(row::OnlyUnfollowed { site, engine, reason });
        let call = call.map(|call| column::Call(names.call(call)));
        facts.unfollowed_call.extend(call.map(|call| row::UnfollowedCall { site, call }));
    }
    for (site, doubt) in &evidence.assumed.doubts {
        let (site, cause) = (named(*site), facts.symbols.intern(&doubt.cause()));
        let (sort, grip) = (facts.symbols.intern(doubt.sort.name()), facts.symbols.intern(doubt.grip.name()));
        facts.doubt.push(row::Doubt { site, engine, sort, grip, cause });
    }
    let open = evidence.assumed.open_past_errors.iter();
    facts.open_past_errors.extend(open.map(|site| row::OpenPastErrors { site: named(*site), engine }));
}

/// The inputs of a run that matter, in words.
fn when(failure: &Failure) -> String {
    let clauses: Vec<String> = failure.precondition.iter().filter(|i| !i.any).map(|i| i.clause("")).collect();
    if clauses.is_empty() { "always".to_owned() } else { clauses.join("; ") }
}
