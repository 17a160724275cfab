//! What the forward analysis says of sites, as verdicts with evidence.

use crate::engines::forward::SiteVerdict;
use crate::verdict::{Certificate, Judged, Reason, Verdict};

/// The verdict that the analysis's answer stands for.
pub fn judged(answer: &SiteVerdict) -> Judged {
    let verdict = match answer {
        SiteVerdict::Safe(invariant) => Verdict::Safe(Certificate { invariant: invariant.clone() }),
        SiteVerdict::Possible { state, always: false } => Verdict::Possible(state.clone()),
        SiteVerdict::Possible { state, always: true } => Verdict::Possible(format!("no state passes: {state}")),
        SiteVerdict::Unreachable => Verdict::Unreachable(Certificate { invariant: "no state comes here".to_owned() }),
        SiteVerdict::Unknown(reason) => Verdict::Unknown(reason_of(reason)),
    };
    Judged { verdict, engine: "forward" }
}

/// A reason from its text: what stands before the colon tells its kind.
fn reason_of(text: &str) -> Reason {
    match text.split_once(": ") {
        Some(("budget", rest)) => Reason::Budget(rest.to_owned()),
        Some(("solver", rest)) => Reason::Solver(rest.to_owned()),
        Some(("unsupported", rest)) => Reason::Unsupported(rest.to_owned()),
        _ => Reason::Unsupported(text.to_owned()),
    }
}
