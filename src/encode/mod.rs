//! IR to terms: exact bit-vector semantics of loop-free pieces of a program.
//!
//! * [`automaton`]: the program as one control-flow automaton, calls inlined, or one function for itself; `order`: its loops,
//!   as a weak topological order; `split`: loops with several entries made loops with one; [`calls`]: what the relations say of functions;
//!   `open`: what is different where one function stands by itself.
//! * [`value`], `log`, [`state`]: symbolic values, the contents of objects, whole states with their path conditions.
//! * [`encoder`]: what one encoding carries along. `expression`, `place`, `memory`: what is read and written; `string`: whether a zero follows;
//!   `check`, `constant`, `statement`, `library`, `integers`, `input`, `edge`: what blocks and edges do to a state; `end`: what is left of it
//!   where the program ends.
//! * [`havoc`]: forgetting what a loop writes. [`fragment`]: states through a loop-free piece of the automaton.
//! * [`float`](mod@float): floating-point numbers as bits.
//! * [`model`]: the inputs of the run that a model stands for.
//!
//! A state is the strongest postcondition of what led to it: every cell is a term over the inputs, and joins are
//! if-then-else terms. Only bit-vectors are used, so that solvers need no theory of arrays: the content of an object is
//! the list of its writes, read backwards.
//!
//! What is not encoded exactly is either *any value* (a fresh variable, sound for proofs; counterexamples are judged by the
//! interpreter) or a [`Gap`]: a condition under which the encoding says nothing, so that no proof may ignore it.
//!
//! See: Beyer, Dangl, Wendler, "A Unifying View on SMT-Based Software Verification", Sect. 3.1 (strongest postcondition,
//! SSA indices). We differ in that assignments are substituted instead of equated, and calls are inlined.
pub mod automaton;
pub mod calls;
mod check;
mod constant;
mod edge;
pub mod encoder;
mod end;
mod expression;
pub mod float;
pub mod fragment;
pub mod havoc;
mod input;
mod integers;
mod library;
mod log;
mod memory;
pub mod model;
mod open;
pub mod order;
mod place;
mod split;
pub mod state;
mod statement;
mod string;
pub mod value;

pub use automaton::{Automaton, ContextId, Edge, EdgeKind, Node, NodeId};
pub use encoder::{Encoder, Failure, Gap};
pub use fragment::Fragment;
pub use state::{Cell, State};
pub use value::Value;
