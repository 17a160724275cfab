//! Why a tuple holds: a derivation down to facts, of minimal height if there are not too many.
//!
//! * [`instances`]: rules turned round, so that they give the instances that derive chosen tuples.
//! * [`premises`]: what the evaluator finds by them.
//! * [`search`]: layer by layer back from the tuple, until a derivation is found than which none is lower.
//! * [`ticks`]: some derivation where that is too much, by when tuples were found.
//! * [`derivation`]: the tree.
pub mod derivation;
pub mod instances;
pub mod premises;
pub mod search;
pub mod ticks;

pub use derivation::{Derivation, Step};
pub use search::{Unexplained, explain};
