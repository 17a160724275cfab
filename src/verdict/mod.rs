//! Verdicts: one per check site, with the evidence that its reader can go by.
//!
//! * [`judgement`]: the five verdicts and what each must carry.
//! * [`evidence`]: certificates, preconditions on inputs, traces, reasons.
//! * [`doubt`]: why a proof fails, in words of C.
//! * [`check`]: what findings are of: check sites, or rules.
//! * [`finding`]: a verdict at its site, with an id that survives unrelated edits.
//! * [`mending`]: edits that mend findings.
//! * [`need`]: what a failing run needs that hardly ever happens.
//! * [`phrase`]: inputs and their values as clauses of a sentence.
//! * [`standing`]: whether a finding is suppressed, or known from an earlier report.
//! * [`replay`]: a definite finding as a program that sanitizers judge.
//! * [`analysis`]: all findings of a program and what was left out; [`union`](mod@union): those of several programs.
//! * [`message`]: what each kind of check says; [`weakness`](mod@weakness): its entry in the Common Weakness Enumeration.
//! * [`witness`]: proofs and violations for other tools; [`source_text`]: places that they name and spans do not have.
pub mod analysis;
pub mod check;
pub mod doubt;
pub mod evidence;
pub mod finding;
pub mod insight;
pub mod judgement;
pub mod mending;
pub mod message;
pub mod need;
pub mod phrase;
pub mod replay;
pub mod source_text;
pub mod standing;
pub mod union;
pub mod weakness;
pub mod witness;

pub use analysis::{Analysis, Gap, GapKind, Part, Summary, Untouched, count_places, part_digest};
pub use check::Check;
pub use doubt::{Doubt, DoubtSort, Grip, Rank};
pub use evidence::{Certificate, Failure, InputBox, InputValue, Location, Reason, StepKind, TraceStep};
pub use finding::{Access, Cause, Earlier, Finding, assign_ids, locate, sort_findings};
pub use insight::{Bounds, FunctionInsight, Insight, LoopInsight, VariableInsight};
pub use judgement::{Erring, Judged, Verdict, VerdictKind};
pub use mending::{Mending, Replacement};
pub use need::Need;
pub use standing::{Baseline, Standing, SuppressedBy, Suppression};
pub use union::union;
pub use weakness::{Weakness, weakness, weaknesses};
