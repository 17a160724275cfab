//! Lists on the heap: pointers that lead from block to block until one is NULL, where all blocks live and no block comes twice.
//!
//! A block that is freed ends what is known of all older blocks of its allocation. That others live on, in a loop that frees a list say, is
//! known from where they stand: the block that is freed is in front of the list that is left ([`facts::Kind::Apart`]). Facts hold of cells
//! by name; how the blocks of a list are called (the bases) says only what a write or the end of a block may touch.
//!
//! See: Distefano, O'Hearn, Yang, "A Local Shape Analysis Based on Separation Logic", for lists as segments that do not share blocks; here
//! facts on pairs of cells stand for what is apart. `facts` holds them and what writes end, `known` what follows from them where ways
//! join, `changes` what assignments make of them, `asked` what they say of pointers, `frees` what is left when a block ends.

mod asked;
mod changes;
mod contained;
pub mod facts;
mod frames;
mod frees;
mod known;

pub use changes::Source;
pub use contained::Run;
pub use facts::Lists;
pub use frames::Frames;
