//! How findings stand: left out, suppressed, or known from an earlier report.
//!
//! * [`settle`](mod@settle): what the project, comments in its sources and an earlier report make of findings.
//! * [`decisions`]: what the project and those comments say, as facts, and what rules make of it.
//! * [`config`]: `cellog.toml`. [`glob`]: patterns of file names. [`baseline`]: an earlier report to compare with.
//! * [`change`]: what a change touches; [`extents`]: which lines a function takes.
//! * [`recorded`]: the definite findings of an earlier report, to replay them.
pub mod baseline;
pub mod change;
pub mod config;
pub mod decisions;
pub mod extents;
pub mod glob;
pub mod recorded;
pub mod settle;
