//! Analyses and diagnostics for people and programs.
//!
//! * [`excerpt`]: source lines, as far as the files can be read, and what to underline in them.
//! * [`text`]: findings with excerpts, in which [`highlights`] of the trace are labelled, then [`table`]: the counts and what was not analysed; of many that are open, [`first`] what to look at first, in [`groups`](mod@groups).
//! * [`json`]: the same as one JSON object, [`merge`] one of those of all parts; [`sarif`]: as a SARIF log; [`html`]: as a page; [`junit`]: as tests for CI servers.
//! * [`diagnostics`]: messages about the input, with excerpts.
//!
//! The same analysis gives the same bytes. One library draws all excerpts: annotate-snippets, the Rust project's own.
pub mod diagnostics;
pub mod excerpt;
mod first;
pub mod groups;
mod highlights;
pub mod html;
pub mod json;
pub mod junit;
pub mod merge;
#[cfg(test)]
mod sample;
pub mod sarif;
pub mod table;
pub mod text;
mod wrap;

pub use diagnostics::{Marked, render_diagnostic, render_marked};
pub use excerpt::Excerpts;
pub use groups::{Group, groups};
pub use html::render_html;
pub use json::render_json;
pub use junit::render_junit;
pub use merge::{MergeError, Merged, merge_reports};
pub use sarif::{SarifOptions, render_sarif};
pub use text::{TextOptions, render_text};
