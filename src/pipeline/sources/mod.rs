//! From what a user names to a program.
//!
//! * [`named`]: which files are meant. [`load`](mod@load): preprocessed, parsed, lowered and linked.
//! * [`lowering`]: what is asked of lowering.
//! * [`unit_file`]: preprocessed units in a file. [`entry`]: where executions start. [`shard`]: a part of the sites.
//! * [`contracts`]: what users say of functions whose text is not there.
//! * [`gaps`]: what of the input the verdicts do not cover.
pub mod contracts;
pub mod entry;
pub mod gaps;
pub mod load;
pub mod lowering;
pub mod named;
pub mod shard;
pub mod unit_file;

pub use load::{Loaded, Said, load};
pub use named::Sources;
