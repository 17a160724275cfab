//! The emitters: what the text of a program says, as facts. Nothing here is inferred: derivations are rules.
//!
//! * [`program`]: the whole program, group by group.
//! * [`names`]: the symbols by which facts call types, functions, variables, blocks, statements and sites.
//! * [`types`], [`functions`], [`variables`], [`control`], [`source`]: the groups that list what the program declares.
//! * [`contracts`]: what is known of functions that it does not define.
//! * [`data_flow`]: which variables statements read and write; [`mentions`]: what functions name.
//! * [`flatten`] and [`values`]: expressions as values; with [`offsets`], how far a pointer moves, and [`leaves`](mod@leaves), where a record
//!   may hold addresses.
//! * [`checks`]: the check sites. [`statements`]: what statements do to values and memory: the groups values, accesses, calls,
//!   allocations and inputs, and the pointers that checks judge.
mod checks;
mod contracts;
mod control;
mod data_flow;
mod flatten;
mod functions;
mod leaves;
mod mentions;
mod names;
mod offsets;
mod program;
mod source;
mod statements;
mod types;
mod values;
mod variables;

pub use checks::emit as emit_checks;
pub use leaves::{Leaf, carries_address, leaves};
pub use names::Names;
pub use program::{Emitted, emit};
pub use values::{Key, ValueTable};
