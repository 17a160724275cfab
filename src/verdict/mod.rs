//! Verdicts: one per check site, with the evidence that its reader can go by.
//!
//! * [`judgement`]: the five verdicts and what each must carry.
//! * [`evidence`]: certificates, preconditions on inputs, traces, reasons.
//! * [`check`]: what findings are of: check sites, or rules.
//! * [`finding`]: a verdict at its site, with an id that survives unrelated edits.
//! * [`analysis`]: all findings of a program and what was left out.
//! * [`message`]: what each kind of check says.
//! * [`judge`](mod@judge): the verdict at a site from what the over-approximation and the concrete runs say of it.
pub mod analysis;
pub mod check;
pub mod evidence;
pub mod finding;
pub mod judge;
pub mod judgement;
pub mod message;

pub use analysis::{Analysis, Gap, GapKind, Summary};
pub use check::Check;
pub use evidence::{Certificate, Failure, InputBox, InputValue, Location, Reason, TraceStep};
pub use finding::{Finding, assign_ids, locate, sort_findings};
pub use judge::{Contradiction, Erring, Judged, judge};
pub use judgement::{Verdict, VerdictKind};
