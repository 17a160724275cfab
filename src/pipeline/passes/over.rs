//! What the forward analysis says of sites, as verdicts with evidence.

use crate::engines::forward::SiteVerdict;
use crate::verdict::{Certificate, Judged, Verdict};

/// The verdict that the analysis's answer stands for.
pub fn judged(answer: &SiteVerdict) -> Judged {
    let verdict = match answer {
        SiteVerdict::Safe(invariant) => Verdict::Safe(Certificate { invariant: invariant.clone() }),
        SiteVerdict::Possible { state, always: false, .. } => Verdict::Possible(state.clone()),
        SiteVerdict::Possible { state, always: true, .. } => Verdict::Possible(format!("no state passes: {state}")),
        SiteVerdict::Unreachable => Verdict::Unreachable(Certificate { invariant: "no state comes here".to_owned() }),
        SiteVerdict::Unknown(reason) => Verdict::Unknown(reason.clone()),
    };
    Judged { verdict, engine: "forward" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::Reason;

    #[test]
    fn a_reason_is_what_the_analysis_says_whatever_its_words_are() {
        // A construct of the program's may be spelled as anything.
        for reason in [Reason::Unsupported("budget: a label".into()), Reason::Budget("solver: 3 s".into())] {
            assert_eq!(judged(&SiteVerdict::Unknown(reason.clone())).verdict, Verdict::Unknown(reason));
        }
    }
}
