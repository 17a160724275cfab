//! The forward engine on C programs: annotated verdicts, and its invariants against runs of the interpreter.

mod annotated;
mod open;
mod program;
mod relations;
mod runs;
mod values;
