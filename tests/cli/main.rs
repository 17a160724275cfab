//! The command line from outside: what the binary does with good input, bad input and bad usage.
//!
//! * [`run`]: runs the binary in a folder of its own.
//! * [`broken`]: input that no compiler takes. [`status`]: exit statuses and output files. [`json`]: the shape of JSON reports.
//! * [`definite`]: what errs, and for which inputs.
mod broken;
mod definite;
mod json;
mod run;
mod status;
