//! The verdict at a site from what the over-approximation and the concrete runs say of it.
//!
//! A run that errs is a fact: the interpreter is the judge. Where an over-approximation claims the opposite, one of the
//! two is wrong; the run's verdict stands and the contradiction is handed out to be reported.

use super::{Failure, Reason, Verdict};
use serde::{Deserialize, Serialize};

/// A verdict and the engine it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    pub verdict: Verdict,
    pub engine: &'static str,
}

/// An over-approximation excluded what a concrete run does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// What the over-approximation claimed: `safe` or `unreachable`.
    pub claimed: &'static str,
    /// The engine that claimed it.
    pub engine: &'static str,
}

/// What runs of the interpreter say of a site.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Erring {
    /// A run errs here, erred again from its inputs, and depends on nothing else.
    Certain(Failure),
    /// A run errs here, but no such thing is proved by it: why.
    Doubtful(String),
}

/// Joins the two. Only a certain run makes a site definite; a doubtful one shakes the claim that no run errs, no more.
/// `otherwise`: why nothing is known where neither says anything.
pub fn judge(
    over: Option<Judged>,
    runs: Option<(Erring, &'static str)>,
    otherwise: &Reason,
) -> (Judged, Option<Contradiction>) {
    let claim = over.as_ref().filter(|o| matches!(o.verdict, Verdict::Safe(_) | Verdict::Unreachable(_)));
    let contradiction = claim.map(|o| Contradiction { claimed: o.verdict.kind().name(), engine: o.engine });
    match runs {
        None => {
            let undecided = || Judged { verdict: Verdict::Unknown(otherwise.clone()), engine: "none" };
            (over.unwrap_or_else(undecided), None)
        }
        Some((Erring::Certain(failure), engine)) => {
            (Judged { verdict: Verdict::Definite(failure), engine }, contradiction)
        }
        Some((Erring::Doubtful(why), engine)) => match over {
            Some(over) if contradiction.is_none() => (over, None),
            Some(_) => (Judged { verdict: Verdict::Unknown(Reason::Contradiction(why)), engine }, None),
            None => (Judged { verdict: Verdict::Unknown(Reason::Unsupported(why)), engine }, None),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::{Certificate, VerdictKind};

    fn safe() -> Judged {
        Judged { verdict: Verdict::Safe(Certificate { invariant: "d in [1, 2]".into() }), engine: "forward" }
    }
    fn possible() -> Judged {
        Judged { verdict: Verdict::Possible("d in [0, 1]".into()), engine: "forward" }
    }
    fn time() -> Reason {
        Reason::Budget("time".into())
    }
    fn certain() -> Option<(Erring, &'static str)> {
        Some((Erring::Certain(Failure { replayed: true, ..Failure::default() }), "search"))
    }
    fn doubtful() -> Option<(Erring, &'static str)> {
        Some((Erring::Doubtful("the run depends on addresses".into()), "search"))
    }

    #[test]
    fn a_certain_run_makes_a_possible_site_definite() {
        let (judged, contradiction) = judge(Some(possible()), certain(), &time());
        assert_eq!((judged.verdict.kind(), judged.engine), (VerdictKind::Definite, "search"));
        assert_eq!(contradiction, None);
    }

    #[test]
    fn a_doubtful_run_is_not_definite_and_shakes_only_claims_of_safety() {
        assert_eq!(judge(Some(possible()), doubtful(), &time()).0, possible());
        assert_eq!(judge(None, doubtful(), &time()).0.verdict.kind(), VerdictKind::Unknown);
        assert_eq!(judge(Some(safe()), doubtful(), &time()).0.verdict.kind(), VerdictKind::Unknown);
    }

    #[test]
    fn the_run_wins_against_a_safe_claim_and_the_contradiction_is_told() {
        let (judged, contradiction) = judge(Some(safe()), certain(), &time());
        assert_eq!(judged.verdict.kind(), VerdictKind::Definite);
        assert_eq!(contradiction, Some(Contradiction { claimed: "safe", engine: "forward" }));
    }

    #[test]
    fn without_a_run_the_over_approximation_stands_and_without_both_nothing_is_decided() {
        assert_eq!(judge(Some(safe()), None, &time()), (safe(), None));
        let (judged, _) = judge(None, None, &time());
        assert_eq!(judged.verdict, Verdict::Unknown(time()));
    }
}
