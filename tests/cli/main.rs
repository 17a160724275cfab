//! The command line from outside: what the binary does with good input, bad input and bad usage.
//!
//! * [`run`]: runs the binary in a folder of its own.
//! * [`broken`]: input that no compiler takes. [`status`]: exit statuses and output files. [`json`], [`sarif`]: the shape of reports for
//!   programs, against their schemas.
//! * [`query`]: questions to relations, [`explain`] why, [`prompt`] one after the other; [`rules`]: the rules of users in `check`.
//! * [`checks`]: the checks that ship as rules. [`cache`]: results of earlier runs.
//! * [`allocation`]: whether memory can run out. [`arrays`]: inside records. [`shards`]: a check in stages and parts. [`standing`]: suppressions, exclusions, baselines; [`replay`]: findings under the
//!   sanitizers; [`interrupt`]: Ctrl-C.
//! * [`summaries`]: loops summarized for what is left open. [`definite`]: what errs, and for which inputs; [`after_error`]: errors that later verdicts assume away; [`entries`]: of libraries. [`lsp`]: a session of an editor. [`html`]: the page in a browser.
//! * [`groups`]: checks of one access. [`causes`]: what keeps findings open. [`units`]: programs of several files, and what of a file is not understood.
//! * [`samples`]: what README.md and docs/ say that is printed.
//! * [`folders`]: folders instead of files, and builds of several programs.
//! * [`record`](mod@record): builds recorded as compilation databases.
//! * [`change`]: only what a change touches.
//! * [`fix`]: edits that mend findings.
//! * [`mcp`]: a session of an agent.
//! * [`first`]: what many open places end in. [`slips`]: small things that whoever is new runs into.
//! * [`contracts`]: what users say of functions whose text is not there.
//! * [`witness`]: what `verify` writes for other tools.
mod after_error;
mod allocation;
mod arrays;
mod broken;
mod cache;
mod cache_searches;
mod causes;
mod change;
mod checks;
mod compiled;
mod contracts;
mod definite;
mod entries;
mod error_functions;
mod explain;
mod first;
mod fix;
mod folders;
mod given;
mod groups;
mod html;
mod interrupt;
mod json;
mod library;
mod lsp;
mod mcp;
mod means;
mod memory_at;
mod prompt;
mod query;
mod record;
mod replay;
mod rules;
mod run;
mod samples;
mod sarif;
mod shards;
mod slips;
mod standing;
mod status;
mod strategy;
mod summaries;
mod summarize;
mod units;
mod witness;
