//! Analyses and diagnostics for people and programs.
//!
//! * [`excerpt`]: source lines, as far as the files can be read, and what to underline in them.
//! * [`text`]: findings with excerpts, then [`table`]: the counts and what was not analysed.
//! * [`json`]: the same as one JSON object.
//! * [`diagnostics`]: messages about the input, with excerpts.
//!
//! The same analysis gives the same bytes. One library draws all excerpts: annotate-snippets, the Rust project's own.
pub mod diagnostics;
pub mod excerpt;
pub mod json;
#[cfg(test)]
mod sample;
pub mod table;
pub mod text;

pub use diagnostics::{Marked, render_diagnostic, render_marked};
pub use excerpt::Excerpts;
pub use json::render_json;
pub use text::{TextOptions, render_text};
