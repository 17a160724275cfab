//! From C files to a report: what is done in which order, within which bounds. It prints nothing and parses no options.
//!
//! * [`check`](mod@check): the front door; [`several`]: several programs, one report. [`request`]: what is asked; [`profile`]: what it may cost, which `profile_page` puts on
//!   a page; [`listener`]: who hears what goes on; [`error`]: why there is no result.
//! * [`passes`]: the passes of a check in their order. [`results`]: what they hand over; [`clock`]: their time, and what
//!   survives when it is up; [`times`]: what they have taken; [`failure`]: runs that err as evidence.
//! * [`fix`](mod@fix): edits that mend findings. [`relations`]: what engines ask. [`verification`]: one property, one answer. [`loops`]: what is known of every loop.
//! * [`compiled`]: the program as the system's compiler makes it, for runs by the thousand.
//! * [`fact_base`]: the facts that questions are asked to, from files or engines.
//! * [`sources`]: what is named to a program. [`rules`]: rules in a run. [`standing`]: what becomes of findings.
//!   [`cache`]: what earlier runs found.
//! * [`parallel`]: work on several threads. [`write`](mod@write): files written whole.
pub mod cache;
pub mod check;
pub mod clock;
pub mod compiled;
pub mod error;
pub mod fact_base;
pub mod failure;
pub mod fix;
pub mod listener;
pub mod loops;
pub mod parallel;
pub mod passes;
pub mod profile;
#[cfg(test)]
mod profile_page;
pub mod relations;
pub mod request;
pub mod results;
pub mod rules;
pub mod several;
pub mod sources;
pub mod standing;
pub mod times;
pub mod verification;
pub mod write;

pub use check::{Report, check};
pub use error::Error;
pub use listener::{Listener, Nobody};
pub use profile::{Preset, Profile};
pub use request::Request;
pub use sources::Sources;
