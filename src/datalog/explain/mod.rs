//! Why a tuple holds: a derivation of minimal height, down to facts.
//!
//! * [`instances`]: rules turned round, so that they give the instances that derive chosen tuples.
//! * [`search`]: layer by layer back from the tuple, until a derivation is found than which none is lower.
//! * [`derivation`]: the tree.
pub mod derivation;
pub mod instances;
pub mod search;

pub use derivation::{Derivation, Step};
pub use search::{Unexplained, explain};
