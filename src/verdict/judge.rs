//! The verdict at a site from what the over-approximation and the concrete runs say of it.
//!
//! A run that errs is a fact: the interpreter is the judge. Where an over-approximation claims the opposite, one of the
//! two is wrong; the run's verdict stands and the contradiction is handed out to be reported.

use super::{Failure, Reason, Verdict};

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

/// Joins the two. `failure` is an execution that the interpreter ran to the error; only a replayed one makes a site
/// definite, one that did not err again leaves the site undecided.
pub fn judge(
    over: Option<Judged>,
    failure: Option<(Failure, &'static str)>,
    otherwise: &Reason,
) -> (Judged, Option<Contradiction>) {
    let Some((failure, engine)) = failure else {
        let undecided = || Judged { verdict: Verdict::Unknown(otherwise.clone()), engine: "none" };
        return (over.unwrap_or_else(undecided), None);
    };
    if !failure.replayed {
        // Only a claim that such a run contradicts is shaken by it.
        let shaken = |v: &Verdict| matches!(v, Verdict::Safe(_) | Verdict::Unreachable(_));
        if let Some(over) = over.as_ref().filter(|o| !shaken(&o.verdict)) {
            return (over.clone(), None);
        }
        let verdict = Verdict::Unknown(Reason::Contradiction("an erring run did not err when replayed".into()));
        return (Judged { verdict, engine }, None);
    }
    let contradiction = over.and_then(|o| match o.verdict {
        Verdict::Safe(_) | Verdict::Unreachable(_) => {
            Some(Contradiction { claimed: o.verdict.kind().name(), engine: o.engine })
        }
        _ => None,
    });
    (Judged { verdict: Verdict::Definite(failure), engine }, contradiction)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::{Certificate, VerdictKind};

    fn safe() -> Judged {
        Judged { verdict: Verdict::Safe(Certificate { invariant: "d in [1, 2]".into() }), engine: "forward" }
    }
    fn time() -> Reason {
        Reason::Budget("time".into())
    }
    fn failure(replayed: bool) -> Failure {
        Failure { replayed, ..Failure::default() }
    }

    #[test]
    fn a_replayed_run_makes_a_possible_site_definite() {
        let possible = Judged { verdict: Verdict::Possible("d in [0, 1]".into()), engine: "forward" };
        let (judged, contradiction) = judge(Some(possible), Some((failure(true), "search")), &time());
        assert_eq!((judged.verdict.kind(), judged.engine), (VerdictKind::Definite, "search"));
        assert_eq!(contradiction, None);
    }

    #[test]
    fn a_run_that_does_not_err_again_is_not_definite() {
        let (judged, _) = judge(None, Some((failure(false), "search")), &time());
        assert_eq!(judged.verdict.kind(), VerdictKind::Unknown);
        let (judged, _) = judge(Some(safe()), Some((failure(false), "search")), &time());
        assert_eq!(judged.verdict.kind(), VerdictKind::Unknown);
        let possible = Judged { verdict: Verdict::Possible("d in [0, 1]".into()), engine: "forward" };
        assert_eq!(judge(Some(possible.clone()), Some((failure(false), "search")), &time()).0, possible);
    }

    #[test]
    fn the_run_wins_against_a_safe_claim_and_the_contradiction_is_told() {
        let (judged, contradiction) = judge(Some(safe()), Some((failure(true), "search")), &time());
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
