//! The program as the system's compiler makes it, for runs that only say whether they show anything new: some ten to twenty times as many as the
//! interpreter makes in the same time. What they show is run again by the interpreter, which alone judges.
//!
//! * [`build`](mod@build): the program with counters of edges, and `runtime.c` in the place of its start. [`process`]: its runs, each a process that is shut in:
//!   it has no files but those that it is given, no network, and no other processes.
pub mod build;
pub mod process;
#[cfg(test)]
mod tests;
