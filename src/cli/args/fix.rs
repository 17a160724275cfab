//! The options of `fix`.

use super::shared::{CacheArgs, InputArgs, LimitArgs};
use clap::Args;

/// Mends a definite finding by one edit, where a second check shows that it does.
#[derive(Debug, Args)]
#[command(after_help = "\
What is tried: a guard in front of the statement that leaves the loop or the function where the error would happen
(null-deref, div-by-zero, out-of-bounds, index-bound, shift, signed-overflow, unsigned-overflow, conversion), a bound of
what a library call takes (out-of-bounds), a value where a variable is declared (uninit-read), a pointer that is NULL once
it is freed (double-free), memory that is freed behind its last use (use-after-free). An edit is offered only when the
program with it has been checked again, with loop summaries and the solver too: nothing errs there, and no other verdict
is worse. What a guard gives back is a guess (-1 where the function does so elsewhere, 1 of main, else 0 or NULL): look at it.

Exit status: 0 mended, 1 no fix is offered (the reason is told), 2 bad usage.

Examples:
  cellog fix 868ebc3d --diff *.c
  cellog fix 868ebc3d -p build")]
pub struct FixArgs {
    /// The finding's id in a report, or enough of its start
    #[arg(value_name = "ID")]
    pub id: String,
    #[command(flatten)]
    pub input: InputArgs,
    /// Print the difference, and change no file
    #[arg(long)]
    pub diff: bool,
    /// Function that executions start from, as for `check`
    #[arg(long, value_name = "FN", default_value = "main")]
    pub entry: String,
    /// The checks that the finding was found with
    #[arg(long, value_name = "LIST", default_value = "default")]
    pub checks: String,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub cache: CacheArgs,
}
