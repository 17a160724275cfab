//! The command line: what the user types, in; reports and an exit status, out.
//!
//! * [`args`]: the commands and their options.
//! * [`run`](mod@run): picks the command; [`exit`]: how a run can end, and what is said when it ends badly.
//! * [`checks`]: `--checks`; [`input`]: files and build folders to a program; [`output`]: standard output or `-o`.
//! * [`check`]: the analysis as a sequence of stages; [`stages`]: their time and what survives when it is up; [`runs`]: the one that runs the program;
//!   [`render`]: its report in the form asked for; [`insight`]: what a page shows besides; [`interrupt`]: Ctrl-C; [`cache`]: what earlier runs found.
//! * [`config`]: `cellog.toml`; [`settle`]: what it, comments and an earlier report ([`baseline`]) make of findings; [`glob`]:
//!   patterns of file names.
//! * [`replay`](mod@replay): a finding ([`recorded`] in a report, or found anew) as a program for the sanitizers; [`manual`]: completions and the manual page.
//! * [`rule_source`], [`rule_stage`], [`rule_findings`]: the rules of users in `check`; [`ask`]: questions to facts;
//!   [`relation_files`]: relations of the user's own.
//! * [`query`](mod@query): a question to a program or a folder of facts ([`base`]), and how its answer is shown ([`show`]);
//!   [`prompt`](mod@prompt): questions one after the other, on [`lines`] with history and completion.
//! * [`explain`](mod@explain): why a tuple or finding is there, as a [`tree`].
//! * [`lsp`]: the analyzer in an editor. [`summarize`]: a row a loop.
//! * [`verify`]: one property, one answer; [`witness`]: what shows it, for other tools.
//! * [`unit_file`]: preprocessed units in a file; [`link`](mod@link): those of a program in one; [`shard`]: a check in parts;
//!   [`merge`](mod@merge): one report of all parts. Their options: [`stage_args`].
//! * [`facts`], [`rules`], [`measure`]: the other commands.
//! * [`progress`]: what is going on, for people who wait; [`times`]: what it has taken.
pub mod args;
pub mod ask;
pub mod base;
pub mod baseline;
pub mod cache;
pub mod check;
pub mod checks;
pub mod config;
mod containment;
pub mod entry;
pub mod exit;
pub mod explain;
pub mod facts;
pub mod failure;
pub mod gaps;
pub mod glob;
pub mod input;
pub mod insight;
pub mod interpret;
pub mod interrupt;
pub mod lines;
pub mod link;
pub mod lsp;
pub mod manual;
pub mod measure;
pub mod merge;
pub mod output;
pub mod over;
pub mod parallel;
pub mod plan;
pub mod points_to;
pub mod progress;
pub mod prompt;
pub mod query;
pub mod recorded;
pub mod relation_files;
pub mod render;
pub mod replay;
pub mod rule_findings;
pub mod rule_source;
pub mod rule_stage;
pub mod rules;
pub mod run;
pub mod runs;
pub mod settle;
pub mod shard;
pub mod show;
pub mod stage_args;
pub mod stages;
pub mod summaries;
mod summarize;
mod target_means;
mod templates;
pub mod times;
pub mod tree;
pub mod unit_file;
pub mod verify;
mod verify_args;
pub mod witness;

pub use run::run;
