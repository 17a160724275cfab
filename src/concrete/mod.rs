//! The byte-level semantics of the IR, run: the project's ground truth.
//!
//! A run is exact C as gcc compiles it for x86-64 without optimization, or it stops [`Outcome::Undecided`]; what its
//! course owed to more than the program and its inputs is in its [`Flags`].
//!
//! * [`value`], [`scalar`], [`object`], [`memory`]: numbers with the object they point to, their bytes, partial memory; [`cow`]: contents
//!   that runs share until they write them.
//! * [`prepare`]: tables made once per program.
//! * [`machine`]: the state of a run and the queries of observers; [`peek`]: their questions about what comes next.
//! * [`evaluate`], [`arithmetic`]: expressions and places. [`judge`]: checks and the error state. [`code`], [`quick`]: the same for what is most frequent.
//! * [`execute`], [`call`], [`library`]: statements, frames, library functions. [`frozen`]: states on the way, from which other runs go on.
//! * [`given`]: what the caller of the entry function gives. [`unwritten`]: bytes that nothing was written to.
//! * [`leap`]: many turns of a counting loop at once, for runs that ask for it. [`lost`]: blocks that nobody can reach in the end.
//! * [`streams`], `stream_calls`, [`piece`]: files, their positions, and what was read of them; [`indicators`]: what their ends and errors tell;
//!   [`scan`]: what `scanf` takes of a text.
//! * [`input`], [`outcome`], [`trace`]: what goes in and what comes out. [`run`](mod@run): the entry.
//!
//! See: Milanese, Miné, Under-approximating Memory Abstractions, Sect. 2.1 and Fig. 3. We differ in that addresses are
//! numbers with an origin, so that programs which look at them still run, and in that inputs are explicit.
mod arithmetic;
mod call;
mod code;
mod cow;
mod evaluate;
mod execute;
mod frozen;
mod given;
mod indicators;
pub mod input;
mod judge;
mod leap;
mod library;
mod lost;
pub mod machine;
pub mod memory;
pub mod object;
pub mod outcome;
pub mod peek;
mod piece;
pub mod prepare;
mod quick;
pub mod run;
pub mod scalar;
mod scan;
mod stream_calls;
pub mod streams;
pub mod trace;
mod unwritten;
pub mod value;

pub use execute::Observer;
pub use frozen::Frozen;
pub use input::{
    Arguments, Defaults, InputPlace, InputRecord, InputSource, InputType, InputValue, ScalarRequest, Script, Source,
    Unwritten,
};
pub use library::{classify, nearly};
pub use lost::Lost;
pub use machine::{Machine, ObjectView, Pointer};
pub use object::{Byte, ObjectKind};
pub use outcome::{Flags, Fuel, Limits, Outcome, Past, Run};
pub use peek::Spot;
pub use piece::Piece;
pub use prepare::Prepared;
pub use run::run;
pub use streams::{At, FileSeen, Reading};
pub use trace::{Event, Trace};
pub use value::{ObjectId, Origin, Value};

#[cfg(test)]
mod tests;
