//! From what a user names to a program.
//!
//! * [`named`]: which files are meant. [`resolve`](mod@resolve): folders and builds to programs; [`folder`] finds their files, [`guess`](mod@guess)
//!   their flags, [`programs`](mod@programs) what belongs together. [`load`](mod@load): preprocessed, parsed, lowered and linked.
//! * [`lowering`]: what is asked of lowering.
//! * [`unit_file`]: preprocessed units in a file. [`entry`]: where executions start. [`shard`]: a part of the sites.
//! * [`contracts`]: what users say of functions whose text is not there.
//! * [`record`]: a build recorded as a compilation database.
//! * [`gaps`]: what of the input the verdicts do not cover.
pub mod contracts;
pub mod entry;
pub mod folder;
pub mod gaps;
pub mod guess;
pub mod load;
pub mod lowering;
pub mod named;
pub mod programs;
pub mod record;
pub mod resolve;
pub mod shard;
pub mod unit_file;

pub use crate::frontend::preprocess::EditedText;
pub use load::{Loaded, Said, load};
pub use named::Sources;
pub use resolve::resolve;
