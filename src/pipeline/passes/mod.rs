//! The passes of a check, each in a file of its own.
//!
//! * [`list`]: all of them in their order, and why each stands where it does. [`ground`]: what they share.
//! * [`read`]: files to a program. [`recall`]: results of earlier runs, and what is kept for later ones.
//! * [`relate`]: the rules that engines ask.
//! * [`prove`]: the forward analysis, whose answers [`over`] turns into verdicts; [`search`]: runs on chosen inputs;
//!   [`only_run`]: what the run of a program without input decides;
//!   [`look_backwards`]: preconditions from sites; [`summarize`]: loops; [`assume`]: errors that verdicts assume away.
//! * [`insight`]: what a page shows besides. [`find_by_rules`]: what rules find.
mod assume;
mod find_by_rules;
pub mod ground;
mod insight;
pub mod list;
mod look_backwards;
mod only_run;
mod over;
mod prove;
mod read;
mod recall;
mod relate;
mod search;
mod summarize;
