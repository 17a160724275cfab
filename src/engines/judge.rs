//! The verdict on every check site: derived by `rules/verdict/` from what engines have to say.

use super::evidence::{Evidence, state_evidence};
use crate::datalog::Limits;
use crate::datalog::programs::{row, verdict};
use crate::facts::emit::{Names, emit_checks};
use crate::facts::{FactStore, Sym};
use crate::ir::{CallId, Program, SiteId};
use crate::memory::RuleRun;
use crate::verdict::{Erring, Judged, Rank, Reason, Verdict, VerdictKind};
use rustc_hash::FxHashMap;

/// An over-approximation excluded what a concrete run does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    pub site: SiteId,
    /// What the over-approximation claimed: `safe` or `unreachable`.
    pub claimed: String,
    /// The engine that claimed it.
    pub engine: String,
}

/// What the rules made of the evidence.
#[derive(Debug)]
pub struct Judgements {
    /// The verdict on every site, in their order.
    pub judged: Vec<Judged>,
    pub contradictions: Vec<Contradiction>,
    /// The first check of the access that a site is about, where that has several.
    pub first_checks: FxHashMap<SiteId, SiteId>,
    /// What keeps sites open, where one thing is known to: the reason, and the call that is not followed, if it is one.
    pub causes: FxHashMap<SiteId, (String, Option<CallId>)>,
    /// Where findings stand among those of their verdict.
    pub ranks: FxHashMap<SiteId, Rank>,
    /// What the rules took.
    pub run: RuleRun,
}

/// The verdict on every site of `program`, and what contradicts it. `otherwise`: why nothing is known where no
/// engine says anything.
pub fn judge(program: &Program, evidence: &Evidence<'_>, otherwise: &Reason) -> Judgements {
    let mut facts = FactStore::default();
    let names = Names::of(program, &facts.symbols);
    let mut sites: FxHashMap<Sym, SiteId> = FxHashMap::default();
    for (id, site) in program.sites.iter_enumerated() {
        sites.insert(names.site(site.function, id), id);
    }
    emit_checks(program, &names, &mut facts);
    state_evidence(program, &names, evidence, &mut facts);
    let (derived, run) = RuleRun::of(|| verdict::run(&facts, &Limits::default()));
    let derived = derived.expect("without limits, rules end");
    let undecided = Judged { verdict: Verdict::Unknown(otherwise.clone()), engine: "none" };
    let mut all = vec![undecided; program.sites.len()];
    for row in &derived.verdict {
        let site = sites[&row.site.0];
        let (kind, engine) = (facts.symbols.resolve(row.verdict), facts.symbols.resolve(row.engine));
        if let Some(judged) = backed(site, &kind, &engine, evidence) {
            all[site.0 as usize] = judged;
        }
    }
    let contradictions = derived.contradiction.iter().map(|row| Contradiction {
        site: sites[&row.site.0],
        claimed: facts.symbols.resolve(row.claim).to_string(),
        engine: facts.symbols.resolve(row.engine).to_string(),
    });
    let contradictions = contradictions.collect();
    let first_checks = derived.same_access.iter().map(|row| (sites[&row.site.0], sites[&row.first.0])).collect();
    let calls: FxHashMap<Sym, CallId> = evidence.assumed.calls().map(|call| (names.call(call), call)).collect();
    let call_of: FxHashMap<Sym, CallId> =
        derived.cause_call.iter().map(|row| (row.site.0, calls[&row.call.0])).collect();
    let cause = |row: &row::Cause| {
        let reason = facts.symbols.resolve(row.reason).to_string();
        (sites[&row.site.0], (reason, call_of.get(&row.site.0).copied()))
    };
    let causes = derived.cause.iter().map(cause).collect();
    let blamed: FxHashMap<Sym, Sym> = derived.blamed.iter().map(|row| (row.site.0, row.cause)).collect();
    let rank = |row: &row::Rank| {
        let cause = blamed.get(&row.site.0).map(|cause| facts.symbols.resolve(*cause).to_string());
        (sites[&row.site.0], Rank { rank: row.rank, cause: cause.unwrap_or_default() })
    };
    let ranks = derived.rank.iter().map(rank).collect();
    Judgements { contradictions, judged: all, first_checks, causes, ranks, run }
}

/// The verdict that the rules give `site`, with the evidence of the engine that it comes from.
fn backed(site: SiteId, kind: &str, engine: &str, evidence: &Evidence<'_>) -> Option<Judged> {
    let claimed = evidence.over.get(&site);
    let same = |judged: &&Judged| judged.engine == engine && judged.verdict.kind().name() == kind;
    if let Some(judged) = claimed.filter(same) {
        return Some(judged.clone());
    }
    let (erring, engine) = evidence.runs.get(&site)?;
    Some(match erring {
        Erring::Certain(failure) if kind == VerdictKind::Definite.name() => {
            Judged { verdict: Verdict::Definite(failure.clone()), engine }
        }
        Erring::Doubtful(why) if kind == VerdictKind::Unknown.name() => {
            let reason = match claimed {
                Some(_) => Reason::Contradiction(why.clone()),
                None => Reason::Unsupported(why.clone()),
            };
            Judged { verdict: Verdict::Unknown(reason), engine }
        }
        Erring::Certain(_) | Erring::Doubtful(_) => return None,
    })
}

#[cfg(test)]
#[path = "judge_tests.rs"]
mod tests;
