//! An analysis as a SARIF 2.1.0 log, for code hosts and editors.
//!
//! * [`render`]: findings to results; [`rules`]: the checks and their weaknesses.
//! * [`log`]: the format's objects; [`uri`]: file names in it.
mod log;
mod render;
mod rules;
mod uri;

pub use render::{SarifOptions, render_sarif};
