//! The command line: what the user types, in; reports and an exit status, out.
//!
//! * [`args`]: the commands and their options. [`defaults`]: what `cellog.toml` sets of them; [`input`], [`limits`]: what they
//!   stand for. [`run`](mod@run): picks the command; [`exit`]: how a run can end, and what is said when it ends badly.
//! * [`output`]: standard output or `-o`. [`progress`]: what goes on in the pipeline, for people who wait; [`interrupt`]: Ctrl-C.
//! * [`check`]: a report, which [`render`] puts in the form asked for. [`verify`]: one property, one answer; [`witness`]: what
//!   shows it, for other tools. [`summarize`]: a row a loop.
//! * [`replay`](mod@replay): a finding as a program for the sanitizers; [`fix`](mod@fix): an edit that mends it. [`manual`]: completions and the manual page.
//! * [`query`](mod@query): a question to a program or a folder of facts ([`question`]), and how its answer is shown ([`show`]);
//!   [`prompt`](mod@prompt): questions one after the other, on [`lines`] with history and completion.
//! * [`explain`](mod@explain): why a tuple or finding is there, as a [`tree`]. [`mistakes`]: what is wrong with rules.
//! * [`record`](mod@record): a build as a compilation database. [`link`](mod@link): the units of a program in one; [`merge`]: one report of all parts.
//! * [`facts`], [`rules`]: the other commands. [`measure`]: figures about the tool, of [`loaded`] programs: [`containment`],
//!   [`interpret`](mod@interpret), [`points_to`](mod@points_to) with [`target_means`].
pub mod args;
mod check;
mod containment;
mod defaults;
mod exit;
mod explain;
mod facts;
mod fix;
mod input;
mod interpret;
mod interrupt;
mod limits;
mod lines;
mod link;
mod loaded;
mod manual;
mod measure;
mod merge;
pub mod mistakes;
mod output;
mod points_to;
mod progress;
mod prompt;
mod query;
mod question;
mod record;
mod render;
mod replay;
mod rules;
mod run;
mod show;
mod summarize;
mod target_means;
mod tree;
mod verify;
mod witness;

pub use run::run;
